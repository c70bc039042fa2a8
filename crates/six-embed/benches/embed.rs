//! What a vector costs: `cargo bench -p six-embed`.
//!
//! The figures are printed and fail nothing. On a machine with other work the least time says more than the median.
#![expect(clippy::expect_used, reason = "a benchmark without its ground has to stop, and say where")]
#![expect(clippy::cast_precision_loss, reason = "figures for people")]
#![expect(clippy::print_stdout, reason = "the figures are the output")]

use std::env;
use std::fs;
use std::num::NonZeroUsize;
use std::ops::ControlFlow;
use std::process::Command;
use std::thread;
use std::time::{Duration, Instant};

use six_embed::{Embedded, Embedder, PIECES, Path, QUERY_PIECES, Vector, embed_each};

/// Fifteen pieces, marks included.
const QUERY: &str = "how do I lock a file across processes in the rust standard library";

/// The argument of a child: the process whose whole life is one query vector.
const FIRST_VECTOR: &str = "first-vector";
/// The argument of a child that does nothing: what a process costs by itself.
const NOTHING: &str = "nothing";

const PROCESSES: usize = 100;
const CHUNK_RUNS: usize = 40;
const BULK_CHUNKS: usize = 400;
const KEPT_VECTORS: usize = 20_000;

fn main() {
    let arguments: Vec<String> = env::args().skip(1).collect();
    match arguments.first().map(String::as_str) {
        Some(NOTHING) => {}
        Some(FIRST_VECTOR) => print!("{}", first_vector(arguments.get(1).expect("a path"))),
        // Without this argument it is `cargo test` that asks, to see that it runs at all.
        _ if arguments.iter().any(|argument| argument == "--bench") => report(),
        _ => {}
    }
}

fn report() {
    let threads = thread::available_parallelism().unwrap_or(NonZeroUsize::MIN);
    println!("{threads} cores, {} {}", env::consts::ARCH, env!("CARGO_PKG_VERSION"));
    row("an empty process", &times(PROCESSES, || drop(child(&[NOTHING]))));
    let chunk = chunk(202);
    for path in Path::ALL.into_iter().filter(|path| path.is_available()) {
        println!("{path:?}");
        let name = format!("{path:?}");
        row("process start to first query vector", &times(PROCESSES, || drop(child(&[FIRST_VECTOR, &name]))));
        println!("  {:44} {}", "its peak memory", child(&[FIRST_VECTOR, &name]));
        let embedded = Embedded::load_on(path).expect("the shipped model");
        row("a query of 15 pieces", &times(CHUNK_RUNS, || drop(embedded.embed_query(QUERY, QUERY_PIECES))));
        row("a chunk of 202 pieces", &times(CHUNK_RUNS, || drop(embedded.embed(&[&chunk]))));
        bulk(&embedded, &chunk, if path == Path::Portable { BULK_CHUNKS / 10 } else { BULK_CHUNKS }, threads);
    }
    compare_kept();
}

/// Embeds one query and tells the peak memory of this process.
fn first_vector(path: &str) -> String {
    let path = Path::ALL.into_iter().find(|known| format!("{known:?}") == path).expect("a known path");
    let embedded = Embedded::load_on(path).expect("the shipped model");
    let vector = embedded.embed_query(QUERY, QUERY_PIECES).expect("a vector");
    assert_eq!(vector.len(), embedded.width());
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let peak = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    peak.map_or_else(|| String::from("unknown"), |peak| peak.trim().to_owned())
}

fn child(arguments: &[&str]) -> String {
    let program = env::current_exe().expect("the path of this benchmark");
    let output = Command::new(program).args(arguments).output().expect("this benchmark starts again");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).expect("UTF-8")
}

/// A text of exactly `pieces` pieces.
fn chunk(pieces: usize) -> String {
    let embedded = Embedded::load().expect("the shipped model");
    let words = "the queue holds a lock while it writes to the file and then waits for the next job of the server ";
    let text: Vec<&str> = words.split_whitespace().cycle().take(pieces - 2).collect();
    let text = text.join(" ");
    assert_eq!(embedded.pieces(&text, PIECES).len(), pieces);
    text
}

fn bulk(embedded: &Embedded, chunk: &str, count: usize, threads: NonZeroUsize) {
    let texts = vec![chunk; count];
    let (begun, busy) = (Instant::now(), cpu_seconds());
    embed_each(embedded, &texts, threads, |_, _| ControlFlow::Continue(())).expect("vectors");
    let rate = count as f64 / begun.elapsed().as_secs_f64();
    let alone = count as f64 / (cpu_seconds() - busy) * threads.get() as f64;
    println!("  {:44} {rate:8.1} chunks/s {alone:8.1} by its processor time", "chunks of 202 pieces on all cores");
}

/// What this process has used of the processor, all threads; counted in hundredths of a second.
fn cpu_seconds() -> f64 {
    let stat = fs::read_to_string("/proc/self/stat").unwrap_or_default();
    let after_name = stat.rsplit(") ").next().unwrap_or_default();
    let ticks = after_name.split(' ').skip(11).take(2).filter_map(|ticks| ticks.parse::<f64>().ok());
    ticks.sum::<f64>() / 100.0
}

fn compare_kept() {
    let values = |seed: usize| (0..384).map(|i| ((i * 31 + seed * 17) % 97) as f32 / 970.0 - 0.05).collect::<Vec<_>>();
    let kept: Vec<Vector> = (0..KEPT_VECTORS).map(|seed| Vector::of(&values(seed))).collect();
    let query = Vector::of(&values(5));
    println!("kept vectors");
    row(
        "20 000 cosines",
        &times(20, || {
            let best = kept.iter().filter_map(|vector| query.cosine(vector).ok()).fold(-1.0, f32::max);
            assert!(best > 0.9);
        }),
    );
}

fn times(runs: usize, work: impl Fn()) -> Vec<Duration> {
    work();
    let mut times: Vec<Duration> = (0..runs)
        .map(|_| {
            let begun = Instant::now();
            work();
            begun.elapsed()
        })
        .collect();
    times.sort_unstable();
    times
}

fn row(what: &str, times: &[Duration]) {
    let ms = |time: &Duration| time.as_secs_f64() * 1e3;
    println!("  {what:44} {:8.2} ms least {:8.2} ms median", ms(&times[0]), ms(&times[times.len() / 2]));
}
