//! What a prompt hook prints: exactly the field that the model receives, within the bytes and tokens that its receipt states,
//! with a count of what was left out, in any script.
#![expect(clippy::expect_used, reason = "a test without its ground has to stop, and say where")]

use serde_json::Value;
use testkit::{Scratch, payload};

fn installed() -> Scratch {
    let scratch = Scratch::new();
    let sections: Vec<String> =
        (0..400).map(|n| format!("## Part {n}\n\nThe rope of part {n} is checked.\n")).collect();
    scratch.write("docs/parts.md", &sections.join("\n"));
    scratch.commit("docs: the parts");
    scratch.six(&["install", "--no-templates"]).ok();
    scratch
}

/// What was printed and what the receipt says of it.
fn answered(scratch: &Scratch, prompt: &str) -> (String, Value) {
    let mut session = scratch.session(1);
    let run = scratch.answer("user-prompt-submit", &payload::user_prompt(&mut session, prompt));
    let output = run.output().expect("there is a block");
    let fields: Vec<&String> = output.as_object().expect("an object").keys().collect();
    assert_eq!(fields, ["hookSpecificOutput"], "a context anywhere else is not delivered");
    let row = scratch.store_rows("SELECT receipt_json FROM receipt ORDER BY id DESC LIMIT 1").remove(0);
    let receipt = serde_json::from_str(row["receipt_json"].as_str().expect("a text")).expect("a receipt");
    (run.context().expect("a context"), receipt)
}

fn within_what_is_stated(block: &str, receipt: &Value) {
    let limit = receipt["limits"]["budget_units"].as_u64().expect("a budget");
    assert!(block.encode_utf16().count() as u64 <= limit, "{block}");
    let mut tokens = 0;
    for part in receipt["blocks"].as_array().expect("blocks") {
        let name = part["kind"].as_str().expect("a kind");
        let (open, close) = (format!("<{name}>\n"), format!("</{name}>\n"));
        let start = block.find(&open).expect("the block that the receipt names");
        let end = block.find(&close).expect("it is closed") + close.len();
        assert_eq!(part["bytes"].as_u64(), Some((end - start) as u64), "{name}");
        tokens += part["tokens"].as_u64().expect("an estimate");
        let left_out = part["left_out"].as_u64().expect("a count");
        assert_eq!(block[start..end].contains(&format!("({left_out} more left out: ")), left_out > 0, "{block}");
    }
    assert!(tokens > 0 && tokens <= limit * 2);
}

#[test]
fn a_block_is_what_its_receipt_says() {
    let scratch = installed();
    scratch.six(&["thread", "add", "Zebrawood renderer"]).ok();
    scratch.six(&["decision", "add", "The zebrawood pontoon is drawn by the mahogany renderer"]).ok();
    scratch.six(&["correction", "add", "Never rename the zebrawood pontoon"]).ok();
    let (block, receipt) = answered(&scratch, "Build a second mahogany renderer for the zebrawood pontoon.");
    assert_eq!(receipt["blocks"].as_array().map(Vec::len), Some(2), "{receipt:#}");
    within_what_is_stated(&block, &receipt);
}

#[test]
fn more_than_fits_is_counted_in_the_text_and_in_the_receipt() {
    let scratch = installed();
    for n in 0..12 {
        let why = format!("{} {n}", "the zebrawood mahogany pontoon swims on casks that are checked ".repeat(8));
        scratch.six(&["decision", "add", &format!("zebrawood mahogany pontoon number {n}"), "--why", &why]).ok();
    }
    let (block, receipt) = answered(&scratch, "Build a zebrawood mahogany pontoon.");
    within_what_is_stated(&block, &receipt);
    let part = &receipt["blocks"][0];
    let shown = part["items"].as_array().map_or(0, Vec::len) as u64;
    assert!(shown >= 1 && part["left_out"].as_u64() == Some(12 - shown), "{receipt:#}");
}

#[test]
fn a_text_of_another_script_is_counted_as_honestly() {
    let scratch = installed();
    let why = "码头摄像头每秒读取一次船舶计数器的数据。".repeat(40);
    for n in 0..4 {
        scratch.six(&["decision", "add", &format!("船舶计数器读取码头摄像头 {n}"), "--why", &why]).ok();
    }
    let (block, receipt) = answered(&scratch, "实现一个船舶计数器，用于码头摄像头。");
    within_what_is_stated(&block, &receipt);
    let tokens = receipt["blocks"][0]["tokens"].as_u64().expect("an estimate");
    let signs = block.chars().filter(|sign| ('\u{4e00}'..='\u{9fff}').contains(sign)).count() as u64;
    assert!(tokens >= signs, "a sign is a token at least");
}
