//! What sentences are titled: the table by which a title can be trusted.

use proptest::prelude::*;

use super::{Message, Proposal, Speaker, propose};
use crate::record::RecordKind::{self, Correction, DeadEnd, Decision};
use crate::text::{Redacted, Redactor};

fn proposals(text: &str) -> Vec<Proposal> {
    let before =
        Message { turn: "s".into(), speaker: Speaker::Agent, text: Redactor::new().redact("Changed."), at: None };
    let said = Message { turn: "t".into(), speaker: Speaker::Operator, text: Redactor::new().redact(text), at: None };
    propose(&[before, said]).proposals
}

fn title(kind: RecordKind, text: &str) -> String {
    let all = proposals(text);
    let found = all.iter().find(|one| one.kind == kind);
    found.map_or_else(|| format!("(no {kind:?})"), |one| one.title.to_string())
}

fn wrong(table: &[(RecordKind, &str, &str)]) -> Vec<String> {
    let told = table.iter().map(|(kind, said, expected)| (said, title(*kind, said), *expected));
    told.filter(|(_, title, expected)| title != expected)
        .map(|(said, title, _)| format!("{said}\n   -> {title}"))
        .collect()
}

#[test]
fn a_prohibition_keeps_what_makes_it_one() {
    let table = [
        (Correction, "please don't stub the clock, use FakeClock", "don't stub the clock, use FakeClock"),
        (Correction, "no, please do not edit the lockfile by hand", "do not edit the lockfile by hand"),
        (Correction, "no, please never push to main", "never push to main"),
        (Correction, "stop, don't touch the vendored parser", "stop, don't touch the vendored parser"),
        (Correction, "no, don't use default exports", "don't use default exports"),
        (Correction, "ok but never force-push this branch again", "never force-push this branch again"),
        (
            Correction,
            "not the staging bucket, use the local one instead",
            "not the staging bucket, use the local one instead",
        ),
        (Correction, "and don't log the tokens please", "don't log the tokens"),
        (
            Correction,
            "no, we use cargo nextest here, never cargo test. please rerun",
            "we use cargo nextest here, never cargo test",
        ),
        (Correction, "stop adding emojis to the log lines, thanks", "stop adding emojis to the log lines"),
        (
            Correction,
            "sorry, you must never drop a table without asking me",
            "you must never drop a table without asking me",
        ),
        (Correction, "no no, use spaces and not tabs", "use spaces and not tabs"),
        (
            Correction,
            "no, we no longer write to the old bucket, use the new one instead",
            "we no longer write to the old bucket, use the new one instead",
        ),
        (
            Correction,
            "don't, it breaks the build. always run the linter first",
            "don't, it breaks the build. always run the linter first",
        ),
        (Correction, "actually, don't ever rename the columns", "don't ever rename the columns"),
        (
            Correction,
            "nope, the key comes from the header, not the body",
            "the key comes from the header, not the body",
        ),
        (Correction, "use date-fns, not moment", "use date-fns, not moment"),
        (Correction, "no, use uv not pip", "use uv, not pip"),
    ];
    assert_eq!(wrong(&table), Vec::<String>::new());
}

#[test]
fn a_rule_keeps_what_it_can_not_be_understood_without() {
    let table = [
        (
            Correction,
            "why do you always ask before formatting? just do it",
            "why do you always ask before formatting? just do it",
        ),
        (Correction, "I told you: plain words in the docs, no slogans", "plain words in the docs, no slogans"),
        (Correction, "as I said: always squash, never merge commits", "always squash, never merge commits"),
        (Correction, "also: stop adding comments to every line", "stop adding comments to every line"),
        (Correction, "back. from now on write tests before the code", "from now on write tests before the code"),
        (Correction, "change of plan, always round at the end, not per line", "always round at the end, not per line"),
        (
            Correction,
            "damn. no, always check the exit code of the migration",
            "always check the exit code of the migration",
        ),
        (Correction, "from now on: one commit per ticket", "from now on: one commit per ticket"),
        (
            Correction,
            "that's wrong, you used the sandbox key. always take the key from the vault",
            "always take the key from the vault",
        ),
        (
            Correction,
            "no, so that nobody waits, always run it in the background",
            "so that nobody waits, always run it in the background",
        ),
        (
            Correction,
            "Never, ever commit generated files, e.g. the client.",
            "Never, ever commit generated files, e.g. the client",
        ),
        (
            Correction,
            "don't split main.rs. mocks hid a bug last time",
            "don't split main.rs. mocks hid a bug last time",
        ),
        (Correction, "never use floats for money. they drift", "never use floats for money"),
        (Correction, "first run the migration, never the seed alone", "first run the migration, never the seed alone"),
    ];
    assert_eq!(wrong(&table), Vec::<String>::new());
}

#[test]
fn a_choice_is_told_by_what_was_chosen_and_against_what() {
    let table = [
        (Decision, "ok, so we decided to keep `ledger.db`  in one file.", "keep `ledger.db` in one file"),
        (Decision, "yeah. Let's go with Redis instead of files.", "Redis instead of files"),
        (Decision, "let's go with Tailwind over Bootstrap", "Tailwind over Bootstrap"),
        (
            Decision,
            "I like it. we decided that the cart is always a list of events",
            "the cart is always a list of events",
        ),
        (Decision, "Agreed: we'll use SQL files and no ORM.", "we'll use SQL files and no ORM"),
        (Decision, "we decided against storing the scans at all", "we decided against storing the scans at all"),
        (Decision, "we decided not to store the scans", "we decided not to store the scans"),
        (Decision, "let's go with it", "let's go with it"),
        (Decision, "let's go with that, one queue per tenant for all of them", "one queue per tenant for all of them"),
        (
            Decision,
            "Shops hate five mails. we decided with the shops: one mail a day",
            "we decided with the shops: one mail a day",
        ),
        (
            Decision,
            "I decided: times are always shown in UTC, never local",
            "I decided: times are always shown in UTC, never local",
        ),
        (Decision, "We decided: no ORM.", "We decided: no ORM"),
        (Decision, "we're going with the outbox. each message gets an id", "we're going with the outbox"),
        (
            Decision,
            "then opaque tokens it is, we decided on opaque tokens, not JWT",
            "opaque tokens it is, we decided on opaque tokens, not JWT",
        ),
        (Decision, "we will keep SQLite for now, it is enough", "we will keep SQLite for now, it is enough"),
        (Decision, "hmm, ok. we'll use a lock rather than a lease", "we'll use a lock rather than a lease"),
        (
            Decision,
            "Well, we no longer support Node 16, we decided that today",
            "we no longer support Node 16, we decided that today",
        ),
    ];
    assert_eq!(wrong(&table), Vec::<String>::new());
}

#[test]
fn a_dead_end_says_what_is_dead() {
    let table = [
        (
            DeadEnd,
            "damn. so web push is a dead end for us, half of them have old phones",
            "web push is a dead end for us, half of them have old phones",
        ),
        (DeadEnd, "ugh. ok we tried Kafka, it's too slow. drop it.", "we tried Kafka, it's too slow"),
        (
            DeadEnd,
            "hmm. that didn't work out, the printers ignore it. use pdf",
            "that didn't work out, the printers ignore it",
        ),
        (
            DeadEnd,
            "so we gave up on the native driver and use the pool",
            "we gave up on the native driver and use the pool",
        ),
        (
            DeadEnd,
            "the tests with containers: turned out too slow, we gave up on them",
            "the tests with containers: turned out too slow, we gave up on them",
        ),
        (
            DeadEnd,
            "Sharding by tenant is not viable until the split lands.",
            "Sharding by tenant is not viable until the split lands",
        ),
    ];
    assert_eq!(wrong(&table), Vec::<String>::new());
}

#[test]
fn talk_is_left_out_in_every_language_and_a_denial_never() {
    let table = [
        (Correction, "nein, verwende pnpm und nicht npm", "verwende pnpm und nicht npm"),
        (Correction, "bitte niemals direkt auf main pushen", "niemals direkt auf main pushen"),
        (
            Decision,
            "Planänderung: wir nehmen Postgres statt MySQL, weil wir JSONB brauchen.",
            "wir nehmen Postgres statt MySQL, weil wir JSONB brauchen",
        ),
        (Correction, "non, n'utilise jamais npm, utilise pnpm", "n'utilise jamais npm, utilise pnpm"),
        (Correction, "s'il te plaît, ne touche pas au client généré", "ne touche pas au client généré"),
        (Decision, "d'accord, on part sur Postgres plutôt que MySQL", "on part sur Postgres plutôt que MySQL"),
        (Correction, "no, nunca uses npm, usa pnpm", "nunca uses npm, usa pnpm"),
        (Correction, "por favor no toques el cliente generado", "no toques el cliente generado"),
        (Decision, "vale, vamos con Postgres en vez de MySQL", "Postgres en vez de MySQL"),
        (Correction, "não, nunca use npm, use pnpm", "nunca use npm, use pnpm"),
        (Correction, "por favor não mexa no cliente gerado", "não mexa no cliente gerado"),
        (Decision, "ok, vamos de Postgres em vez de MySQL", "vamos de Postgres em vez de MySQL"),
        (Correction, "нет, никогда не используй npm, используй pnpm", "никогда не используй npm, используй pnpm"),
        (Correction, "пожалуйста, не трогай сгенерированный клиент", "не трогай сгенерированный клиент"),
        (Decision, "Берём Postgres вместо MySQL, нам нужен JSONB.", "Берём Postgres вместо MySQL, нам нужен JSONB"),
        (Correction, "不对，不要用 npm，用 pnpm", "不要用 npm，用 pnpm"),
        (Correction, "以后不要直接推送到 main", "以后不要直接推送到 main"),
        (Decision, "好的，我们决定用 Postgres 而不是 MySQL", "用 Postgres 而不是 MySQL"),
        (Correction, "いや、npmは使わないで、pnpmを使って", "npmは使わないで、pnpmを使って"),
        (Correction, "今後は絶対にmainへ直接pushしないでください", "今後は絶対にmainへ直接pushしないでください"),
        (
            Decision,
            "了解です、データベースは MySQL ではなく Postgres を使うことにした。",
            "データベースは MySQL ではなく Postgres を使うことにした",
        ),
        (Correction, "아니, npm 쓰지 말고 pnpm 써", "npm 쓰지 말고 pnpm 써"),
        (Correction, "앞으로는 절대 main에 직접 푸시하지 마세요", "앞으로는 절대 main에 직접 푸시하지 마세요"),
        (
            Decision,
            "JSONB가 필요해서 MySQL 대신 Postgres를 쓰기로 했다.",
            "JSONB가 필요해서 MySQL 대신 Postgres를 쓰기로 했다",
        ),
    ];
    assert_eq!(wrong(&table), Vec::<String>::new());
}

#[test]
fn an_option_is_named_where_something_was_chosen_over_it_and_by_its_name_only() {
    let wrong: Vec<_> = [
        ("Let's go with Postgres instead of SQLite for the test database too.", "SQLite"),
        ("We decided on a weekday median over the last eight weeks.", ""),
        ("We'll use one mean over eight weeks.", ""),
        ("We decided to move the ids over the wire.", ""),
        ("We chose the token bucket over the leaky one.", "the leaky one"),
        ("I prefer tabs over spaces here, let's go with tabs.", "spaces"),
        ("We decided to store cents, not floats.", "floats"),
        ("We decided to keep it, not sure for how long.", ""),
        ("We'll use a lock rather than a lease because it is simpler.", "a lease"),
        ("We decided to drop Redis in favour of Postgres.", ""),
        ("Let's use pnpm instead of npm. not now though", "npm"),
        ("We decided: instead of storing files in S3, we keep them in the database.", "storing files in S3"),
        ("We decided to use Redis and not Kafka or SQS.", "Kafka or SQS"),
        ("Wir nehmen Postgres statt SQLite für die Tests.", "SQLite"),
        ("MySQL ist zu teuer für uns, wir nehmen Postgres.", ""),
        ("On part sur Postgres au lieu de MySQL pour les tests.", "MySQL"),
        ("Vamos con Postgres en lugar de MySQL para los tests.", "MySQL"),
        ("Vamos de Postgres em vez de MySQL para os testes.", "MySQL"),
        ("Берём Postgres вместо MySQL для тестов.", "MySQL"),
    ]
    .into_iter()
    .filter_map(|(said, expected)| {
        let all = proposals(said);
        let decision = all.iter().find(|one| one.kind == Decision);
        let named = decision.map(|one| one.rejected.iter().map(Redacted::as_str).collect::<Vec<_>>().join(" | "));
        (named.as_deref() != Some(expected)).then(|| format!("{said} -> {named:?}"))
    })
    .collect();
    assert_eq!(wrong, Vec::<String>::new());
}

#[test]
fn the_body_says_what_the_title_leaves_out_and_nothing_twice() {
    let told = |text: &str| proposals(text).into_iter().next().map(|one| (one.title.to_string(), one.body.to_string()));
    for (said, title, body) in [
        ("no, use pnpm and not npm", "use pnpm and not npm", ""),
        (
            "Shops hate five mails. we decided with the shops: one mail a day",
            "we decided with the shops: one mail a day",
            "Shops hate five mails.",
        ),
        (
            "please don't stub the clock, use FakeClock. stubs hid a bug last time.",
            "don't stub the clock, use FakeClock",
            "stubs hid a bug last time.",
        ),
        (
            "The index grows too fast. We decided to compact it every night. Readers are idle then.",
            "compact it every night",
            "The index grows too fast. … Readers are idle then.",
        ),
    ] {
        assert_eq!(told(said), Some((title.to_owned(), body.to_owned())), "{said}");
    }
    let long = format!("Never use {} floats in the ledger.", "the very long and quite tedious ".repeat(6));
    let (title, body) = told(&long).unwrap();
    assert!(
        title.ends_with('…') && body == long,
        "a title that had to be cut has its sentence below: {title} / {body}"
    );
}

#[test]
fn a_title_that_would_begin_inside_brackets_begins_with_its_sentence_and_marks_and_loose_ends_go() {
    let title = |said: &str| {
        let found = proposals(said);
        found.first().map(|one| one.title.to_string()).unwrap_or_default()
    };
    let long = "The comment about the harbours of several sessions needs no change at all, since what is there today \
                (we decided that the newest summary wins) is what the plan of the harbour asks for.";
    let told = title(long);
    assert!(told.starts_with("The comment about") && told.ends_with('…'), "{told}");
    assert_eq!(title("**Decision**: we keep the outbox because:"), "Decision: we keep the outbox");
    assert_eq!(
        title("We ruled out **polling the gauge**: it stalls the scheduler."),
        "We ruled out polling the gauge: it stalls the scheduler"
    );
}

/// Words that deny or forbid.
const DENIALS: [&str; 12] =
    ["don't", "never", "not", "no", "stop", "instead", "without", "longer", "nicht", "nie", "kein", "niemals"];

fn words(text: &str) -> Vec<String> {
    let bare = |word: &str| word.trim_matches(|c: char| !c.is_alphanumeric()).to_lowercase();
    text.split_whitespace().map(bare).filter(|word| !word.is_empty()).collect()
}

proptest! {
    #[test]
    fn a_title_has_the_words_of_what_was_said_in_their_order_and_title_and_body_lose_no_denial(
        said in "((no, |ok |please |damn\\. |so |let's |we decided to |hmm, )?(use|don't use|never use|stop using|keep|we won't use|not) (the )?(cache|lock|main\\.rs|npm)(, not (files|pnpm)| instead of redis|, never locally|: one a day| because it drifts)?(\\. |, | ){1}){1,5}"
    ) {
        for one in proposals(&said) {
            let (all, title) = (words(&said), words(one.title.as_str()));
            let mut rest = all.iter();
            prop_assert!(title.iter().all(|word| rest.any(|said| said == word)), "{said} -> {}", one.title);
            let answers = said.matches("no, ").count();
            let both = [title, words(one.body.as_str())].concat();
            for denial in DENIALS {
                let count = |words: &[String]| words.iter().filter(|word| *word == denial).count();
                let talk = if denial == "no" { answers } else { 0 };
                prop_assert!(
                    count(&both) + talk >= count(&words(one.quote.as_str())),
                    "{said} loses {denial}: {} / {}", one.title, one.body
                );
            }
        }
    }
}
