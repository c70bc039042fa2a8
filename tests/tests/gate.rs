//! What lets an item through: a name as it is written in the code, and words of any language that has an intent of its own.

use testkit::{Scratch, payload};

/// A project with enough other text that a word can be rare.
fn installed() -> Scratch {
    let scratch = Scratch::new();
    for n in 0..60 {
        let text = format!("# Part {n}\n\nThe crane of part {n} lifts crates, the rope of part {n} is checked.\n");
        scratch.write(&format!("docs/part-{n}.md"), &text);
    }
    scratch.commit("docs: the parts");
    scratch.six(&["install", "--no-templates"]).ok();
    scratch
}

fn is_told(scratch: &Scratch, number: u16, prompt: &str, title: &str) -> bool {
    let mut session = scratch.session(number);
    let run = scratch.answer("user-prompt-submit", &payload::user_prompt(&mut session, prompt));
    run.context().is_some_and(|told| told.contains(title))
}

#[test]
fn a_prompt_that_names_an_identifier_gets_the_record_that_names_only_it() {
    let scratch = installed();
    scratch.six(&["decision", "add", "use_apollo stays off"]).ok();
    scratch.six(&["decision", "add", "TideTableParser is the only one"]).ok();
    for (prompt, title) in [
        ("Add a switch for use_apollo to the settings.", "use_apollo stays off"),
        ("Write a second TideTableParser for the southern ports.", "TideTableParser is the only one"),
        ("Write a second tide_table_parser for the southern ports.", "TideTableParser is the only one"),
    ] {
        assert!(is_told(&scratch, 1, prompt, title), "{prompt}");
        scratch.six(&["search", prompt]).ok();
    }
    assert!(!is_told(&scratch, 2, "Add a switch for the lamps to the settings.", "use_apollo"));
}

#[test]
fn a_prompt_in_another_language_gets_the_record_with_which_it_shares_two_rare_words() {
    let scratch = installed();
    let pairs = [
        ("Baue einen Schiffszähler für die Hafenmole.", "Der Schiffszähler der Hafenmole liest die Kamera"),
        ("Ajoute un compteur de navires pour le môle.", "Le compteur de navires du môle lit la caméra"),
        ("Implementa un contador de buques para el muelle.", "El contador de buques del muelle lee la cámara"),
        ("Implemente um contador de embarcações para o cais.", "O contador de embarcações do cais lê a câmera"),
        ("Добавь счётчик кораблей для причала.", "Счётчик кораблей у причала читает камеру"),
        ("实现一个船舶计数器，用于码头。", "船舶计数器读取码头摄像头"),
        ("埠頭に船舶カウンターを実装してください。", "船舶カウンターは埠頭のカメラを読む"),
        ("부두에 선박 계수기를 구현해 줘.", "선박 계수기는 부두 카메라를 읽는다"),
    ];
    for (_, title) in pairs {
        scratch.six(&["decision", "add", title]).ok();
    }
    let silent: Vec<&str> = pairs
        .iter()
        .zip(1..)
        .filter(|((prompt, title), number)| !is_told(&scratch, *number, prompt, title))
        .map(|((prompt, _), _)| *prompt)
        .collect();
    assert_eq!(silent, Vec::<&str>::new());
}

#[test]
fn a_project_adds_its_own_words_of_intent() {
    let scratch = installed();
    scratch.six(&["decision", "add", "The zebrawood pontoon is never varnished"]).ok();
    let prompt = "frobnicate the zebrawood pontoon";
    assert!(!is_told(&scratch, 1, prompt, "zebrawood"));
    std::fs::write(scratch.store_folder().join("intent.txt"), "[build]\nfrobnicate\n").unwrap();
    assert!(is_told(&scratch, 2, prompt, "zebrawood"));
}
