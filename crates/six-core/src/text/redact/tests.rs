//! Known answers, both ways.

use proptest::prelude::*;

use super::Redactor;
use super::value::LOOKED;

fn redact(text: &str) -> String {
    Redactor::new().redact(text).to_string()
}

/// Characters that look drawn at random. Keys are put together here, so that none stands in the source.
fn random(len: usize) -> String {
    "q7Zb2XkP9mRt4WsV8cYd3LhJ6nGf5TgB1vQ0aEwUiOxMyCzDrHpNjKuFlSeA".chars().cycle().take(len).collect()
}

fn hex(len: usize) -> String {
    "3f9a0c7be152d486".chars().cycle().take(len).collect()
}

fn upper(len: usize) -> String {
    "Q7ZB2XKP5MRT4WSVCYD3".chars().cycle().take(len).collect()
}

fn keys() -> Vec<(&'static str, String)> {
    let prefixed = |prefix: &str, rest: String| format!("{prefix}{rest}");
    vec![
        ("aws-access-key", prefixed("AKIA", upper(16))),
        ("aws-access-key", prefixed("ASIA", upper(16))),
        ("aws-bedrock-key", prefixed("ABSK", random(128))),
        ("google-api-key", prefixed("AIza", random(35))),
        ("google-oauth", prefixed("ya29.", random(60))),
        ("google-oauth", prefixed("GOCSPX-", random(28))),
        ("azure-client-secret", format!("aB38Q~{}", random(34))),
        ("digitalocean-token", prefixed("dop_v1_", hex(64))),
        ("vault-token", prefixed("hvs.", random(90))),
        ("github-token", prefixed("ghp_", random(36))),
        ("github-token", prefixed("github_pat_", random(82))),
        ("gitlab-token", prefixed("glpat-", random(20))),
        ("npm-token", prefixed("npm_", random(36))),
        ("pypi-token", prefixed("pypi-AgE", random(150))),
        ("docker-token", prefixed("dckr_pat_", random(27))),
        ("slack-token", format!("xoxb-{}-{}", "123456789012", random(24))),
        ("telegram-token", prefixed("AA", random(33))),
        ("sendgrid-key", format!("SG.{}.{}", random(22), random(43))),
        ("twilio-key", prefixed("SK", hex(32))),
        ("stripe-key", prefixed("sk_live_", random(24))),
        ("stripe-key", prefixed("rk_test_", random(24))),
        ("anthropic-key", prefixed("sk-ant-api03-", random(93))),
        ("openai-key", prefixed("sk-proj-", random(48))),
        ("openai-key", prefixed("sk-", random(48))),
        ("huggingface-token", prefixed("hf_", random(34))),
        ("facebook-token", prefixed("EAA", random(170).replace(['-', '_'], "x"))),
        ("firebase-key", prefixed("APA91b", random(134))),
        ("resend-key", prefixed("re_", random(33))),
        ("adobe-secret", prefixed("p8e-", random(32))),
        ("dropbox-token", prefixed("sl.B", random(134))),
        ("linear-key", prefixed("lin_api_", random(40))),
        ("jwt", format!("eyJ{}.eyJ{}.{}", random(20), random(3000), random(43))),
    ]
}

#[test]
fn known_keys_go_wherever_they_stand() {
    for (name, key) in keys() {
        let around: &[(&str, &str)] = if name == "telegram-token" {
            &[("bot 123456789:", " end"), ("https://api.telegram.org/bot123456789:", "/getMe")]
        } else {
            &[("", ""), ("see ", " now"), ("`", "`"), ("(", ")."), ("a\\n", "\\nb"), ("?k=", "&x=1"), ("x: '", "'")]
        };
        for (before, after) in around {
            let expected = format!("{before}[redacted:{name}]{after}");
            // A sentence's full stop belongs to the alphabet of some keys.
            assert_eq!(redact(&format!("{before}{key}{after}")), expected, "{name}");
        }
    }
}

#[test]
fn a_key_in_the_name_of_a_branch_or_file_goes() {
    let token = format!("ghp_{}", random(36));
    assert_eq!(redact(&format!("feat-{token}")), "feat-[redacted:github-token]");
    assert_eq!(redact(&format!("docs/old_AKIA{}.md", upper(16))), "docs/old_[redacted:aws-access-key].md");
    for stays in ["on-disk-Layout2-of-the-whole-store", "grid-md-Layout2ofthewholegrid"] {
        assert_eq!(redact(stays), stays);
    }
}

#[test]
fn private_keys_go_in_every_writing() {
    let body = format!("{}\n{}\n{}==", random(64), random(64), random(10));
    let pem = |kind: &str| format!("-----BEGIN {kind}-----\n{body}\n-----END {kind}-----");
    for kind in ["PRIVATE KEY", "RSA PRIVATE KEY", "OPENSSH PRIVATE KEY", "PGP PRIVATE KEY BLOCK"] {
        assert_eq!(redact(&format!("a\n{}\nb", pem(kind))), "a\n[redacted:private-key]\nb");
    }
    let one_line = pem("PRIVATE KEY").replace('\n', "\\n");
    assert_eq!(redact(&format!("{{\"k\": \"{one_line}\"}}")), "{\"k\": \"[redacted:private-key]\"}");
    let unclosed = format!("-----BEGIN PRIVATE KEY-----\n{}\n{}", random(64), random(64));
    assert_eq!(redact(&unclosed), "[redacted:private-key]");
    for stays in [pem("CERTIFICATE"), "grep for -----BEGIN PRIVATE KEY----- in the tree".into()] {
        assert_eq!(redact(&stays), stays);
    }
}

#[test]
fn credentials_in_addresses_and_headers_go_and_the_words_stay() {
    let token = random(40);
    let basic = format!("{}==", random(22));
    for (before, secret, after) in [
        ("postgres://app:", "hunter2", "@db.invalid:5432/app"),
        ("redis://:", "p@ss/w0rd".split('/').next().unwrap_or_default(), "@cache.invalid"),
        ("git clone https://", &token, "@git.invalid/a.git"),
        ("Authorization: Bearer ", &token, "\n"),
        ("curl -H 'Authorization: Basic ", &basic, "' https://a.invalid"),
        ("\"authorization\": \"token ", &token, "\""),
        ("use bearer ", &token, " then"),
    ] {
        let redacted = redact(&format!("{before}{secret}{after}"));
        assert!(!redacted.contains(secret), "{redacted}");
        assert!(redacted.starts_with(before) && redacted.ends_with(after), "{redacted}");
    }
    let hook = redact(&format!("https://hooks.slack.com/services/T0{}/B0{}/{}", upper(8), upper(8), random(24)));
    assert_eq!(hook, "https://hooks.slack.com/services/[redacted:slack-webhook]");
}

#[test]
fn values_go_by_the_name_of_their_key() {
    let (long, uuid) = (random(32), "550e8400-e29b-41d4-a716-446655440000");
    for (before, secret, after) in [
        ("password: \"", "swordfish", "\""),
        ("\"password\":\"", "hunter2", "\""),
        ("{\\\"db_password\\\": \\\"", "hunter2", "\\\"}"),
        ("DB_PASSWORD=", "swordfish", "\n"),
        ("mysql --password=", "swordfish", " -h db"),
        ("mysql --password ", "swordfish", " -h db"),
        ("Server=db;Password=", "hunter2", ";Pooling=true"),
        ("the password is ", "hunter2x", ", keep it"),
        ("const apiKey = '", &long, "';"),
        ("const apiKey: string = '", &long, "';"),
        ("export OPENAI_API_KEY=", "abcdefgh", ""),
        ("\"client_secret\": \"", &long, "\""),
        ("aws_secret_access_key = ", &long, "\n"),
        ("HEROKU_API_KEY=", uuid, "\n"),
        ("?access_token=", &long, "&page=2"),
        ("AccountKey=", &long, ";EndpointSuffix=core"),
        ("os.environ[\"API_TOKEN\"] = \"", &long, "\""),
        ("secret: ", &long, "\n"),
        ("--api-key ", &long, " run"),
        ("{\"password\": \"", "a\\\"b1", "\"}"),
        ("password: \"", "$ecure!Pass", "\""),
        ("password: ", "correct+horse", "\n"),
        ("token: '", &random(5000), "'"),
        ("TOKEN=", &random(5000), "\n"),
        ("password: \"", &"größe1".repeat(400), "\""),
        ("Authorization: Bearer ", &random(5000), "\n"),
        ("Bearer AAAAAAAAAAAAAAAAAAAA", &random(60), " x"),
    ] {
        let redacted = redact(&format!("{before}{secret}{after}"));
        assert!(!redacted.contains(secret), "{before}: {redacted}");
        let tail = secret.get(secret.len() - 4..).unwrap_or(secret);
        assert!(!redacted.contains(tail), "{before}: {redacted}");
        assert!(before.contains("AAAA") || redacted.starts_with(before), "{redacted}");
        assert!(redacted.ends_with(after), "{redacted}");
    }
}

#[test]
fn look_alikes_stay() {
    let commit = hex(40);
    for text in [
        format!("commit {commit} and 3f9a0c7"),
        "id 550e8400-e29b-41d4-a716-446655440000".into(),
        "sha256:".to_owned() + &hex(64),
        ["AKIA", "IOSFODNN7EXAMPLE"].concat(),
        ["aws_secret_access_key = wJalrXUtnFEMI/K7MDENG/", "bPxRfiCYEXAMPLEKEY"].concat(),
        "const key = import.meta.env.VITE_API_KEY".into(),
        "apiKey: process.env.OPENAI_API_KEY,".into(),
        "token = os.environ['GITHUB_TOKEN']".into(),
        "API_KEY=$API_KEY TOKEN=${{ secrets.NPM_TOKEN }} PASSWORD=\"$(cat /run/pw)\"".into(),
        "api_key: <your-key>, password: {{ password }}".into(),
        "the password is required; reset your password: see docs".into(),
        "password: string; token: Option<String>, secret: &str".into(),
        "password: password, token: this.token, secret = config.secret2.value".into(),
        "let token = lexer.next_token(); let token2 = tokens[0];".into(),
        "max_tokens: 4096, \"input_tokens\": 1234567, token_count=99999999".into(),
        "tokenizer: \"cl100k_base\", secretName: \"app-secret-v1\"".into(),
        "if password == \"hunter22\" {".into(),
        "postgres://user:password@localhost/db https://a.invalid/x:y@z".into(),
        "postgres://$USER:$PASS@db/app".into(),
        "Authorization: Bearer <token>, Authorization: Bearer $TOKEN".into(),
        "bearer authentication is in src/auth/bearer.rs".into(),
        "sk-toggle-button-primary-large task-sk-list".into(),
        "sk-xxxxxxxxxxxxxxxxxxxxxxxx ghp_xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx".into(),
        "src/secret/token_v2.rs crates/six-core/src/text/redact/password.rs:12".into(),
        "fn password_value(hit: Hit<'_>) -> Option<Range<usize>>".into(),
        "\"password\": \"Enter your password\"".into(),
        "CSRF token mismatch, token expired, no secret: nothing".into(),
        "data:image/png;base64,iVBORw0KGgo".into(),
    ] {
        assert_eq!(redact(&text), text);
    }
}

#[test]
fn private_parts_and_control_characters_go() {
    assert_eq!(redact("a <private>b</private> c"), "a [redacted:private] c");
    assert_eq!(redact("a <private>b"), "a [redacted:private]");
    assert_eq!(redact("a\0b\r\nc"), "a b\nc");
}

#[test]
fn hostile_text_takes_linear_time() {
    const SIZE: usize = 40_000;
    let looked = |text: &str| {
        let before = LOOKED.get();
        assert!(redact(text).len() <= 30 * text.len(), "{}", &text[..20]);
        LOOKED.get() - before
    };
    for unit in [
        "A",
        "aB1",
        "://",
        "eyJ",
        "eyJ.",
        "eyJaaaaaaaa.",
        "AKIA",
        "sk-",
        "sk-.",
        "-----BEGIN ",
        "-----BEGIN PRIVATE KEY-----",
        "-----END PRIVATE KEY-----",
        "aaaa\n-----END PRIVATE KEY-----",
        "Private-Lines: 8\n",
        "password",
        "password=",
        "password:\"",
        "password: >-\n",
        "password: |",
        "secret: ",
        "token is ",
        "api key ",
        "authorization:",
        "Bearer ",
        "<private>",
        "</private>",
        "ghp_",
        "ghp_aaaaaaaaaa\n",
        "ghp_aB1aB1aB1\n",
        ":AA",
        "a:b@",
        "://a:b",
        "8Q~",
        "SK0",
        "cookie: ",
        "cookie: a=",
        "curl -u ",
        "curl -u a:",
        "mysql -p",
        "redis-cli -a ",
        "machine ",
        "machine a login b password ",
        "identified by '",
        "\"auth\": \"",
        "sig=",
        "&sig=",
        "user: password: ",
        "name: password\n  value: ",
        ".aaaaaa.",
        "M.aaaaaa.",
        "access_token$production$",
    ] {
        let (once, twice) = (looked(&unit.repeat(SIZE / unit.len())), looked(&unit.repeat(2 * SIZE / unit.len())));
        assert!(twice <= 2 * once + once / 4 + SIZE, "{unit:?}: {once} then {twice}");
    }
}

#[test]
fn a_megabyte_of_near_misses_is_looked_at_a_bounded_number_of_times() {
    const LOOKS: usize = 64;
    let near = "password: token sk-small AKIASHORT curl -u 1000:1000 key- eyJhbGci. Bearer token; cookie: a=b; ";
    let text = near.repeat(1_000_000 / near.len());
    let before = LOOKED.get();
    assert_eq!(redact(&text), text);
    assert!(LOOKED.get() - before <= LOOKS * text.len(), "{}", (LOOKED.get() - before) / text.len());
}

fn secretive_text() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        any::<String>(),
        proptest::sample::select(keys().into_iter().map(|(_, key)| key).collect::<Vec<_>>()),
        proptest::sample::select(vec![
            "password",
            "secret",
            "token",
            ": ",
            "=",
            "\"",
            "'",
            "\\\"",
            " is ",
            "://",
            "@",
            ":",
            "Bearer ",
            "Authorization",
            "<private>",
            "</private>",
            "-----BEGIN PRIVATE KEY-----\n",
            "\n-----END PRIVATE KEY-----",
            "--",
            "_",
            "[redacted:x]",
        ])
        .prop_map(str::to_owned),
        "[a-zA-Z0-9+/_.-]{0,40}",
    ];
    proptest::collection::vec(piece, 0..12).prop_map(|pieces| pieces.concat())
}

proptest! {
    #[test]
    fn redacted_text_passes_unchanged(text in secretive_text()) {
        let once = redact(&text);
        prop_assert_eq!(redact(&once), once);
    }

    #[test]
    fn plain_words_pass_unchanged(text in "[a-z ,.\n]{0,200}") {
        prop_assert_eq!(redact(&text), text);
    }
}
