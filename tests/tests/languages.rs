//! A phrase inside a longer text is found in every script, whichever source the text came from.

use testkit::Scratch;

/// A text, and phrases from the middle of it.
const TEXTS: [(&str, &str, &[&str]); 8] = [
    (
        "Chinese",
        "经过讨论，我们的部署方案决定用轻量数据库，不再引入消息队列。",
        &["部署方案", "数据库", "消息队列", "队列"],
    ),
    (
        "Japanese",
        "昨日の会議では、成語しりとりの採点をサーバー側で行うことにした。",
        &["しりとり", "採点", "サーバー側", "成語"],
    ),
    ("Korean", "회의에서 금요일에는 배포하지 않기로 하고 대기열을 비우기로 했다.", &["금요일", "배포", "대기열"]),
    (
        "Russian",
        "На встрече решили, что развёртывание идёт ночью, а очередь очищается утром.",
        &["развертывание", "очередь очищается", "ночью"],
    ),
    ("Arabic", "قررنا في الاجتماع أن النشر يتم ليلا وأن قائمة الانتظار تفرغ صباحا.", &["النشر", "قائمة الانتظار", "صباحا"]),
    ("Thai", "ที่ประชุมตกลงว่าเราปล่อยรุ่นใหม่ทุกวันจันทร์และล้างคิวตอนเช้า", &["รุ่นใหม่", "วันจันทร์", "ล้างคิว"]),
    (
        "German",
        "Nach der Besprechung gilt die Hafenmeisterverordnung, und die Warteschlangenverwaltung läuft nachts.",
        &["Hafenmeisterverordnung", "Warteschlangenverwaltung", "läuft nachts"],
    ),
    (
        "French",
        "Après la réunion, le café du port ferme à midi et les dépôts sont vidés.",
        &["café du port", "depots", "CAFÉ"],
    ),
];

fn found(scratch: &Scratch, phrase: &str, source: &str, place: &str) {
    let ran = scratch.six(&["search", phrase, "--source", source, "--json"]);
    let hits = ran.json();
    let first = &hits["hits"][0];
    let told = format!("{} {}", first["path"], first["snippet"]);
    assert!(told.contains(place), "{source}, {phrase}: {hits:#}");
}

#[test]
fn an_inner_phrase_of_a_document_is_found_in_every_language() {
    let scratch = Scratch::new();
    for (language, text, _) in TEXTS {
        scratch.write(&format!("docs/{language}.md"), &format!("# Notes\n\n{text}\n\nMore notes follow.\n"));
    }
    scratch.commit("docs: notes");
    scratch.six(&["install", "--no-templates"]).ok();
    for (language, _, phrases) in TEXTS {
        for phrase in phrases {
            found(&scratch, phrase, "doc", language);
        }
    }
}

#[test]
fn an_inner_phrase_of_a_session_is_found_in_every_language() {
    let scratch = Scratch::new();
    scratch.six(&["install", "--no-templates", "--no-ingest"]).ok();
    for ((_, text, _), number) in TEXTS.into_iter().zip(1..) {
        let session = scratch.session(number);
        scratch.transcript(&session).prompt(text).answer("Noted.").write();
    }
    scratch.six(&["ingest"]).ok();
    for ((_, _, phrases), number) in TEXTS.into_iter().zip(1..) {
        for phrase in phrases {
            let hits = scratch.six(&["search", phrase, "--source", "transcript", "--json"]).json();
            assert_eq!(hits["hits"][0]["session"], scratch.session(number).id.as_str(), "{phrase}: {hits:#}");
        }
    }
}

#[test]
fn a_file_with_a_name_in_any_script_is_read_and_shown() {
    let scratch = Scratch::new();
    for name in ["設計/部署.md", "док/план.md", "مستند.md", "über uns.md", "e\u{301}tat.md"] {
        scratch.write(name, &format!("# {name}\n\nThe zebrawood pier of {name}.\n"));
    }
    scratch.commit("docs: names");
    scratch.six(&["install", "--no-templates"]).ok();
    let hits = scratch.six(&["search", "zebrawood pier", "--source", "doc", "--json"]).ok().json();
    let paths: Vec<&str> = hits["hits"]
        .as_array()
        .map(|hits| hits.iter().filter_map(|hit| hit["path"].as_str()).collect())
        .unwrap_or_default();
    for name in ["設計/部署.md", "док/план.md", "مستند.md", "über uns.md", "e\u{301}tat.md"] {
        assert!(paths.contains(&name), "{name}: {paths:?}");
    }
    found(&scratch, "部署", "doc", "設計/部署.md");
}
