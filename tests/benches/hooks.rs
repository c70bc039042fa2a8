//! What the hooks cost the person who waits for them: `cargo bench -p six-tests`.
//!
//! Whole processes of the release binaries, from the start to the end of the process, one after the other, with the file
//! cache warm. The figures are printed and appended to `TARGET/bench-history.jsonl`; none of them fails anything. On a
//! machine with other work the least time says more than the others.
//!
//! `SIX_BENCH_RUNS` is the number of runs a row (1 000). `SIX_BENCH_CHUNKS` lists the sizes of the made-up stores
//! (20 000; with 200 000 the store alone takes minutes). The store of real transcripts needs `SIX_SHARED`.
#![expect(clippy::expect_used, reason = "a benchmark without its ground has to stop, and say where")]

use std::env;
use std::fs::{self, OpenOptions};
use std::io::{self, Write};
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use serde_json::{Value, json};
use testkit::{Scratch, binaries, payload, session_files, shared};

/// Prompts between two boundaries: hooks leave their journal to the worker, and nobody types more without a pause.
const PROMPTS_OF_A_SESSION: usize = 50;

/// Confirmed records in a made-up store: more than a person enters in years.
const RECORDS: usize = 1_000;

/// Answers in one made-up session.
const ANSWERS_OF_A_SESSION: usize = 1_000;

/// Words of a made-up answer: one chunk of seven hundred characters.
const WORDS_OF_AN_ANSWER: usize = 100;

/// Sessions whose turns end: behind those that the store was filled with.
const FIRST_STOPPED: u16 = 40_000;

/// Ends of turns that are measured.
const MOST_STOPS: usize = 200;

/// Answers of a turn whose records take 50 KB.
const ANSWERS_OF_A_TURN: usize = 43;

fn main() -> io::Result<()> {
    // Without this argument it is `cargo test` that asks, to see that it runs at all.
    if !env::args().any(|arg| arg == "--bench") {
        return Ok(());
    }
    let runs = number("SIX_BENCH_RUNS").unwrap_or(1_000);
    let sizes = env::var("SIX_BENCH_CHUNKS").unwrap_or_else(|_| String::from("20000"));
    let mut report = Report::begin(runs)?;
    report.floor()?;
    if let Some(memory) = Memory::of_transcripts() {
        report.measure(&memory)?;
    }
    for chunks in sizes.split(',').filter_map(|size| size.trim().parse().ok()) {
        report.measure(&Memory::made_up(chunks))?;
    }
    report.end()
}

fn number(variable: &str) -> Option<usize> {
    env::var(variable).ok()?.parse().ok()
}

/// A machine with a project that remembers much.
struct Memory {
    name: String,
    scratch: Scratch,
    /// A prompt whose words are those of a record.
    known: String,
    /// A prompt that asks for something to be built, in words that are everywhere.
    common: String,
}

impl Memory {
    /// The real transcripts, with one record.
    fn of_transcripts() -> Option<Self> {
        let files = session_files(&shared("data/transcripts")?);
        let scratch = installed();
        let mut args = vec!["ingest", "--quiet"];
        args.extend(files.iter().flat_map(|file| ["--transcript", file.to_str().expect("the paths are UTF-8")]));
        scratch.six(&args).ok();
        let title = "the zeppelin quorum lives in the landing scheduler";
        scratch.six(&["decision", "add", title, "--why", "two pilots voted against each other"]).ok();
        let known = format!("Please add a test for what follows: {title}.");
        let common =
            String::from("Please add a test for the command line of the session and update the file of the user.");
        Some(Self { name: String::from("transcripts"), scratch, known, common }.settled())
    }

    /// Words as frequent as those of a language, in one chunk after the other.
    fn made_up(chunks: usize) -> Self {
        let scratch = installed();
        let mut words = Words::new();
        for (number, first) in (1..).zip((0..chunks).step_by(ANSWERS_OF_A_SESSION)) {
            let session = scratch.session(number);
            let mut transcript = scratch.transcript(&session).prompt("Go on, please.");
            for _ in first..chunks.min(first + ANSWERS_OF_A_SESSION) {
                transcript = transcript.answer(&words.sentence(WORDS_OF_AN_ANSWER));
            }
            transcript.write();
        }
        scratch.six(&["ingest", "--quiet"]).ok();
        let mut title = String::new();
        for _ in 0..RECORDS {
            title = words.sentence(10);
            scratch.six(&["decision", "add", &title, "--why", &words.sentence(40)]).ok();
        }
        let common: Vec<String> = (20..32).map(word).collect();
        Self {
            name: format!("made up, {chunks}"),
            scratch,
            known: format!("Please add a test for what follows: {title}."),
            common: format!("Please add a test for what follows: {}.", common.join(" ")),
        }
        .settled()
    }

    /// As a worker leaves it: nothing is queued, checked today, the journal is in the file.
    fn settled(self) -> Self {
        self.scratch.six(&["worker"]).ok();
        self
    }

    fn status(&self) -> Value {
        self.scratch.six(&["status", "--json"]).json()
    }

    /// The time of a prompt hook on one prompt, `runs` times; each is the first of its session, so that nothing is damped.
    fn prompts(&self, prompt: &str, runs: usize, speaks: bool) -> Vec<Duration> {
        let payload = |number| {
            let mut session = self.scratch.session(number);
            payload::user_prompt(&mut session, prompt)
        };
        let said = self.scratch.hook("user-prompt-submit", &payload(u16::MAX)).context();
        assert_eq!(said.is_some(), speaks, "{}: {prompt}", self.name);
        let mut times = Vec::with_capacity(runs);
        for number in (0..u16::MAX).cycle().take(runs) {
            if times.len() % PROMPTS_OF_A_SESSION == 0 {
                self.scratch.six(&["worker"]).ok();
            }
            times.push(timed(self.scratch.hook_command("user-prompt-submit"), &payload(number)));
        }
        times
    }

    fn starts(&self, runs: usize) -> Vec<Duration> {
        let mut times = Vec::with_capacity(runs);
        for number in (0..u16::MAX).cycle().take(runs) {
            if times.len() % PROMPTS_OF_A_SESSION == 0 {
                self.scratch.six(&["worker"]).ok();
            }
            let payload = payload::session_start(&self.scratch.session(number), "startup");
            times.push(timed(self.scratch.hook_command("session-start"), &payload));
        }
        times
    }

    /// The end of a turn that added some 50 KB to its transcript, one statement among it. The store grows with every one, so
    /// there are fewer of them.
    fn stops(&self, runs: usize) -> Vec<Duration> {
        let mut words = Words::new();
        let mut times = Vec::new();
        for number in (FIRST_STOPPED..u16::MAX).take(runs.min(MOST_STOPS)) {
            let session = self.scratch.session(number);
            let decision = format!("We decided to keep the {} of {number} in SQLite.", words.sentence(1));
            let mut transcript = self.scratch.transcript(&session).prompt(&decision);
            for _ in 0..ANSWERS_OF_A_TURN {
                transcript = transcript.answer(&words.sentence(WORDS_OF_AN_ANSWER));
            }
            transcript.write();
            times.push(timed(self.scratch.hook_command("stop"), &payload::stop(&session, "Done.")));
        }
        times
    }
}

fn installed() -> Scratch {
    let scratch = Scratch::new();
    let project = scratch.project();
    scratch.six(&["install", project.to_str().expect("scratch paths are UTF-8"), "--no-ingest"]).ok();
    scratch
}

/// From before the start to the end of the process. The pipe holds a whole payload, so nobody waits for its reader.
fn timed(mut hook: Command, payload: &Value) -> Duration {
    let payload = format!("{payload}\n");
    hook.env("SIX_SYNTHETIC", "1").stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
    let started = Instant::now();
    let mut child = hook.spawn().expect("the hook starts");
    let mut stdin = child.stdin.take().expect("stdin is piped");
    // A silenced hook ends without a look at its payload.
    let _ = stdin.write_all(payload.as_bytes());
    drop(stdin);
    let status = child.wait().expect("a child can be waited for");
    let took = started.elapsed();
    assert!(status.success(), "a hook exits 0");
    took
}

/// Made-up words in the frequencies of a language: the n-th is met about 1/n as often as the first.
struct Words {
    state: u64,
}

/// Distinct made-up words; a project of years has some ten thousand.
const VOCABULARY: u32 = 30_000;

impl Words {
    fn new() -> Self {
        Self { state: 1 }
    }

    fn sentence(&mut self, words: usize) -> String {
        let words: Vec<String> = (0..words).map(|_| word(self.rank())).collect();
        words.join(" ")
    }

    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a rank is below VOCABULARY")]
    fn rank(&mut self) -> u32 {
        f64::from(VOCABULARY).powf(self.unit()) as u32 - 1
    }

    /// `SplitMix64`, scaled to 0..1: the same every time.
    fn unit(&mut self) -> f64 {
        self.state = self.state.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut mixed = self.state;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        f64::from(u32::try_from((mixed ^ (mixed >> 31)) >> 32).unwrap_or(0)) / 4_294_967_296.0
    }
}

/// Word number `rank`: three syllables that no language list knows.
fn word(rank: u32) -> String {
    const CONSONANTS: &[u8; 16] = b"bdfgjklmnprtvwxz";
    const VOWELS: &[u8; 4] = b"aiou";
    // Neighbours in rank should not look alike.
    let mut rest = rank.wrapping_mul(40_503) % (1 << 18);
    let mut word = String::new();
    for _ in 0..3 {
        let syllable = usize::try_from(rest % 64).unwrap_or(0);
        word.push(char::from(CONSONANTS[syllable / 4]));
        word.push(char::from(VOWELS[syllable % 4]));
        rest /= 64;
    }
    word
}

struct Report {
    runs: usize,
    rows: Vec<Value>,
    about: Value,
}

impl Report {
    fn begin(runs: usize) -> io::Result<Self> {
        let version = installed().six(&["--version"]).stdout.trim().to_owned();
        let sizes: serde_json::Map<String, Value> = [
            "six-user-prompt-submit",
            "six-session-start",
            "six-pre-tool-use",
            "six-stop",
            "six-pre-compact",
            "six-session-end",
            "six",
        ]
        .map(|name| (name.to_owned(), json!(fs::metadata(binaries().join(name)).map_or(0, |file| file.len()))))
        .into_iter()
        .collect();
        let about = json!({
            "at_unix_s": SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |at| at.as_secs()),
            "version": version,
            "os": env::consts::OS,
            "cpu": cpu(),
            "cores": std::thread::available_parallelism().map_or(0, usize::from),
            "binary_bytes": sizes,
        });
        let report = Self { runs, rows: Vec::new(), about };
        say(&format!(
            "{}, {} cores ({}), {runs} runs a row, times in ms of whole processes\nbinaries, in bytes: {}\n",
            report.about["version"].as_str().unwrap_or_default(),
            report.about["cores"],
            report.about["cpu"].as_str().unwrap_or_default(),
            report.about["binary_bytes"],
        ))?;
        say(&format!(
            "{:<16} {:>7} {:>7}  {:<25} {:>6} {:>6} {:>6} {:>6} {:>6}",
            "store", "chunks", "records", "what", "min", "p50", "p90", "p99", "max"
        ))?;
        Ok(report)
    }

    /// What it costs to start and to end a process that does nothing.
    fn floor(&mut self) -> io::Result<()> {
        let scratch = installed();
        let times = (0..self.runs)
            .map(|_| {
                let mut hook = scratch.hook_command("user-prompt-submit");
                hook.env("SIX_CHILD", "1");
                timed(hook, &json!({}))
            })
            .collect();
        self.row("none", &json!({}), "a hook that is silenced", times)
    }

    fn measure(&mut self, memory: &Memory) -> io::Result<()> {
        let status = memory.status();
        let thanks = "Thanks, that looks right to me.";
        self.row(&memory.name, &status, "prompt without intent", memory.prompts(thanks, self.runs, false))?;
        self.row(&memory.name, &status, "prompt, retrieval, silent", memory.prompts(&memory.common, self.runs, false))?;
        self.row(&memory.name, &status, "prompt, retrieval, block", memory.prompts(&memory.known, self.runs, true))?;
        self.row(&memory.name, &status, "session start", memory.starts(self.runs))?;
        self.row(&memory.name, &status, "stop, 50 KB", memory.stops(self.runs))
    }

    fn row(&mut self, store: &str, status: &Value, what: &str, mut times: Vec<Duration>) -> io::Result<()> {
        times.sort_unstable();
        let at = |share: usize| times.get((times.len() * share / 1000).min(times.len().saturating_sub(1)));
        let ms = [0, 500, 900, 990, 1000].map(|share| at(share).map_or(0.0, |time| time.as_secs_f64() * 1000.0));
        let count = |value: &Value| value.as_u64().unwrap_or(0);
        let chunks = count(&status["store"]["chunks"]);
        let records: u64 = status["records"].as_array().into_iter().flatten().map(|row| count(&row["count"])).sum();
        self.rows.push(json!({
            "store": store, "chunks": chunks, "records": records, "bytes": status["store"]["bytes"], "what": what,
            "min_ms": ms[0], "p50_ms": ms[1], "p90_ms": ms[2], "p99_ms": ms[3], "max_ms": ms[4],
        }));
        say(&format!(
            "{store:<16} {chunks:>7} {records:>7}  {what:<25} {:>6.2} {:>6.2} {:>6.2} {:>6.2} {:>6.2}",
            ms[0], ms[1], ms[2], ms[3], ms[4]
        ))
    }

    fn end(mut self) -> io::Result<()> {
        self.about["runs"] = json!(self.runs);
        self.about["rows"] = Value::Array(self.rows);
        let history = binaries().parent().unwrap_or(Path::new(".")).join("bench-history.jsonl");
        let mut file = OpenOptions::new().create(true).append(true).open(&history)?;
        writeln!(file, "{}", self.about)?;
        say(&format!("\nappended to {}", history.display()))
    }
}

fn cpu() -> String {
    let text = fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let model = text.lines().find_map(|line| line.strip_prefix("model name")?.split_once(':'));
    model.map_or_else(|| env::consts::ARCH.to_owned(), |(_, name)| name.trim().to_owned())
}

fn say(line: &str) -> io::Result<()> {
    writeln!(io::stdout(), "{line}")
}
