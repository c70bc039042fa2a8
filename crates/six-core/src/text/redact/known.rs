//! Known answers both ways: what must go, with the words around it that must stay, and what must stay byte for byte.
//!
//! Keys are put together from parts, so that none stands in the source and no scanner of sources finds one.

use super::Redactor;

const DRAWN: &str = "q7Zb2XkP9mRt4WsV8cYd3LhJ6nGf5TgB1vQ0aEwUiOxMyCzDrHpNjKuFlSeA";

fn drawn(len: usize) -> String {
    DRAWN.chars().cycle().take(len).collect()
}

fn hex(len: usize) -> String {
    "3f9a0c7be152d486".chars().cycle().take(len).collect()
}

fn upper(len: usize) -> String {
    "Q7ZB2XKP5MRT4WSVCYD3".chars().cycle().take(len).collect()
}

fn redact(text: &str) -> String {
    Redactor::new().redact(text).to_string()
}

/// A key behind the literal of its vendor, in a context: what stands before, the key, what stands behind.
fn by_format() -> Vec<(&'static str, String, &'static str)> {
    let of = |prefix: &str, rest: &str| format!("{prefix}{rest}");
    vec![
        ("AWS_ACCESS_KEY_ID=", of("AKIA", &upper(16)), "\nAWS_REGION=eu-west-1"),
        ("aws_session uses ", of("ASIA", &upper(16)), " for an hour"),
        ("maps?key=", of("AIza", &drawn(35)), "&v=3"),
        ("client secret ", of("GOCSPX-", &drawn(28)), " of the app"),
        ("secret value is ", format!("aB3{}Q~{}", 8, drawn(34)), " in Entra"),
        ("blob?sv=2022-11-02&sp=r&", of("sig=", &format!("{}%3D", drawn(43))), " expires"),
        ("`", of("ghp_", &drawn(36)), "` is the bot's"),
        ("oauth ", of("gho_", &drawn(36)), " of the app"),
        ("x: ", of("ghs_", &drawn(36)), " end"),
        ("x: ", of("ghu_", &drawn(36)), " end"),
        ("x: ", of("ghr_", &drawn(36)), " end"),
        ("token ", of("github_pat_", &drawn(82)), " now"),
        ("registry ", of("glpat-", &drawn(20)), " now"),
        ("app password ", of("ATBB", &drawn(32)), " now"),
        ("post with ", format!("xoxb-{}-{}-{}", "1234567890123", "1234567890124", drawn(24)), " to"),
        ("post with ", format!("xoxp-{}-{}", "1234567890123", drawn(32)), " to"),
        ("bot ", format!("MTA{}.{}.{}", drawn(21), drawn(6), drawn(38)), " joins"),
        ("pay with ", of("sk_live_", &drawn(24)), " now"),
        ("pay with ", of("rk_live_", &drawn(24)), " now"),
        ("verify ", of("whsec_", &drawn(32)), " here"),
        ("square ", of("sq0csp-", &drawn(43)), " here"),
        ("braintree ", format!("access_token$production${}${}", &hex(16), hex(32)), " here"),
        ("call with ", of("sk-ant-api03-", &drawn(93)), " and"),
        ("call with ", of("sk-proj-", &drawn(64)), " and"),
        ("call with ", of("sk-or-v1-", &hex(64)), " and"),
        ("call with ", of("sk-", &drawn(48)), " and"),
        ("pull with ", of("hf_", &drawn(34)), " and"),
        ("ask ", of("gsk_", &drawn(52)), " and"),
        ("ask ", of("r8_", &drawn(37)), " and"),
        ("ask ", of("xai-", &drawn(80)), " and"),
        ("publish ", of("npm_", &drawn(36)), " and"),
        ("publish ", of("pypi-AgE", &drawn(150)), " and"),
        ("publish ", of("cio", &drawn(32)), " and"),
        ("push ", of("dckr_pat_", &drawn(27)), " and"),
        ("mail ", format!("SG.{}.{}", drawn(22), drawn(43)), " and"),
        ("sms ", of("SK", &hex(32)), " and"),
        ("mail ", of("key-", &hex(32)), " and"),
        ("droplet ", of("dop_v1_", &hex(64)), " and"),
        ("dyno ", of("HRKU-", &drawn(60)), " and"),
        ("doppler ", of("dp.pt.", &drawn(43)), " and"),
        ("linear ", of("lin_api_", &drawn(40)), " and"),
        ("notion ", of("secret_", &drawn(43)), " and"),
        ("notion ", of("ntn_", &drawn(46)), " and"),
        ("shop ", of("shpat_", &hex(32)), " and"),
        ("sentry ", of("sntrys_", &drawn(60)), " and"),
        ("supabase ", of("sbp_", &hex(40)), " and"),
        ("netlify ", of("nfp_", &drawn(36)), " and"),
        ("vault ", of("hvs.", &drawn(90)), " and"),
        ("age ", of("AGE-SECRET-KEY-1", &upper(58)), " and"),
        ("jwt ", format!("eyJ{}.eyJ{}.{}", drawn(20), drawn(60), drawn(43)), " and"),
        ("bare ", format!("{}/{}+{}", drawn(17), upper(6), drawn(15)), " is the secret half"),
    ]
}

/// A secret that only its surroundings give away.
fn by_context() -> Vec<(&'static str, String, &'static str)> {
    let value = || drawn(24);
    let own = |text: &str| text.to_owned();
    vec![
        ("password: ", own("hunter"), "\nuser: app"),
        ("  db_password: ", own("swordfish"), "\n"),
        ("password = ", own("swordfish"), "\n"),
        ("user: admin, password: ", own("swordfish"), " for the test box"),
        ("DB_PASS=", own("swordfish"), "\n"),
        ("\"passwd\": \"", own("pier7x"), "\""),
        ("{\\\"config\\\":\\\"{\\\\\\\"password\\\\\\\":\\\\\\\"", own("pier7x"), "\\\\\\\"}\\\"}"),
        ("jdbc:postgresql://db.invalid/app?user=app&password=", own("lantern"), "&ssl=true"),
        ("Server=db.invalid;User Id=app;Password=", own("lantern"), ";Encrypt=true"),
        ("DefaultEndpointsProtocol=https;AccountName=pier;AccountKey=", drawn(86) + "==", ";EndpointSuffix=core"),
        ("host=db.invalid user=app password=", own("lantern"), " dbname=app"),
        ("mongodb+srv://app:", own("lantern"), "@cluster.invalid/app"),
        ("redis://:", own("lantern"), "@cache.invalid:6379/0"),
        ("machine git.invalid\n  login app\n  password ", own("lantern7"), "\n"),
        ("curl -u app:", own("lantern"), " https://a.invalid"),
        ("curl -s --user 'app:", own("lantern"), "' https://a.invalid"),
        ("mysql -h db.invalid -u app -p", own("lantern7"), " app"),
        ("sshpass -p ", own("lantern7"), " ssh a.invalid"),
        ("docker login -u app -p ", own("lantern7"), " registry.invalid"),
        ("redis-cli -h cache.invalid -a ", own("lantern7"), " ping"),
        ("pg_restore --password ", own("lantern7"), " -d app"),
        ("CREATE USER app IDENTIFIED BY '", own("lantern7"), "';"),
        ("requirepass ", own("lantern7"), "\n"),
        ("<password>", own("lantern7"), "</password>"),
        ("<add key=\"ApiKey\" value=\"", value(), "\" />"),
        ("- name: DB_PASSWORD\n  value: ", own("lantern7"), "\n"),
        ("clientSecret: '", value(), "',"),
        ("client-secret = \"", value(), "\""),
        ("[auth]\ntoken = ", value(), "\n"),
        ("my API key is ", value(), ", keep it"),
        ("X-Api-Key: ", value(), "\n"),
        ("DD_APP_KEY=", hex(40), "\n"),
        ("TWILIO_AUTH_TOKEN=", hex(32), "\n"),
        ("Ocp-Apim-Subscription-Key: ", hex(32), "\n"),
        ("Cookie: theme=dark; sessionid=", value(), "; lang=en"),
        ("Set-Cookie: connect.sid=s%3A", value(), "; Path=/; HttpOnly"),
        ("Authorization: Basic ", drawn(22) + "==", "\n"),
        ("\"auths\": {\"r.invalid\": {\"auth\": \"", drawn(20), "\"}}"),
        ("//registry.invalid/:_authToken=", value(), "\n"),
        ("aws_secret_access_key = ", drawn(40), "\n"),
        ("secretKeyBase: >-\n  ", drawn(64), "\n"),
        ("token:\\n  \\\"", value(), "\\\""),
        ("a ", own("<private>xylophone</private>"), " b"),
    ]
}

/// What must stay as it is.
fn look_alikes() -> Vec<String> {
    let own = [
        "see 3f9a0c7 and 3f9a0c7be1 on main",
        "id 550e8400-e29b-41d4-a716-446655440000 of the run",
        "origin/feat/token-refresh and refs/heads/secret-santa",
        "src/components/PasswordField/PasswordField.test.tsx:42",
        "C:\\Users\\sam\\secrets\\token.txt",
        "import.meta.env.VITE_API_KEY",
        "const key = process.env.TOKEN;",
        "password: process.env.DB_PASSWORD,",
        "api_key = os.environ[\"API_KEY\"]",
        "token = os.getenv(\"TOKEN\")",
        "SECRET=${SECRET}",
        "password: ${{ secrets.DB_PASSWORD }}",
        "password: {{ vault_password }}",
        "api_key: <your-api-key>",
        "TOKEN=YOUR_TOKEN_HERE",
        "API_KEY=your-api-key",
        "export TOKEN=$(cat token.txt)",
        "sk-xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx",
        "the password is checked by the gate",
        "The password: it must be long",
        "reset your password: see the docs",
        "no secret: nothing to hide",
        "tokens: 4096, max_tokens=8192, token_count: 123456789",
        "password: string",
        "password: string;",
        "token: &str, secret: &'a str",
        "api_key: Option<String>,",
        "pub password: SecretString,",
        "def login(user: str, password: str) -> bool:",
        "fn token(&self) -> Token {",
        "let token = self.tokens.next().unwrap();",
        "const token = await getToken(session);",
        "password = getpass.getpass()",
        "password=password, token=token, secret=self.secret",
        "password: hashedPassword,",
        "if (token === undefined) return;",
        "color: #3f9a0c; background: #7be152d4;",
        "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJ",
        "a_very_long_identifier_that_names_the_token_of_a_session_in_full_length",
        "aVeryLongIdentifierThatNamesTheTokenOfASessionInFullLengthAndMore2Times",
        "crate::text::redact::context::password_value",
        "com.acme.invalid.security.oauth2.client.token.DefaultTokenServices",
        "pub const NO_PASSWORD: HRESULT = 0x80310037; TOKEN_READ: MASK = 131080u32;",
        "DevProp_PciExpressDevice_PayloadOrRequestSize_1024Bytes",
        "12345678901234567890123456789012345678901234567890",
        "function t(e,n){return e.token=n,e.key=t.k,n}",
        "passwd: files systemd",
        "docker run -p 8080:80 -u 1000:1000 pier",
        "mkdir -p build && cargo test -p six-core",
        "mysql -u app -p app_database",
        "docker login --password-stdin registry.invalid",
        "the --password flag and the --token option",
        "https://user@host.invalid/path and git@host.invalid:a/b.git",
        "postgres://app:password@localhost:5432/app",
        "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIq7Zb2XkP9mRt4WsV8cYd3LhJ6nGf5TgB1vQ0 sam@host",
        "primary_key: user_id2, foreign key: order_id7, cache_key: a1b2c3d4e5",
        "secretName: app-secret-v1, tokenEndpoint: /oauth2/token",
        "privateKeyPath: \"/etc/ssl/private/key1.pem\"",
        "private_key = \"~/.ssh/id_ed25519\"",
        "\"tokenizer\": \"cl100k_base\", \"token_type\": \"bearer\"",
        "<input type=\"password\" name=\"password\" placeholder=\"Password\">",
        "bearer authentication, Bearer <token>, Bearer ${TOKEN}",
        "Cookie: theme=dark; lang=en",
    ];
    let mut all: Vec<String> = own.iter().map(|text| (*text).to_owned()).collect();
    all.extend([
        format!("commit {}", hex(40)),
        format!("checksum = \"{}\"", hex(64)),
        format!("\"integrity\": \"sha512-{}==\"", drawn(86)),
        format!("integrity=\"sha256-{}=\"", drawn(43)),
        format!("go.invalid/pier v1.2.3 h1:{}=", drawn(43)),
        format!("SHA256:{} sam@host (ED25519)", drawn(43)),
        format!("pier@sha256:{}", hex(64)),
        format!("-----BEGIN CERTIFICATE-----\n{}\n{}\n-----END CERTIFICATE-----", drawn(64), drawn(64)),
        format!("https://img.invalid/image_800/{}.jpg", drawn(44)),
        format!("toolu_01{}", drawn(22)),
        ["AKIA", "IOSFODNN7EXAMPLE"].concat(),
        ["aws_secret_access_key = wJalrXUtnFEMI/K7MDENG/", "bPxRfiCYEXAMPLEKEY"].concat(),
        ["sk_", "test_4eC39HqLyjWDarjtT1zdp7dc"].concat(),
    ]);
    all
}

#[test]
fn secrets_go_and_the_words_around_them_stay() {
    let all = [by_format(), by_context()].concat();
    assert!(all.len() >= 60);
    let mut wrong = Vec::new();
    for (before, secret, after) in all {
        let text = format!("pier {before}{secret}{after} harbour");
        let text = if before.starts_with(char::is_alphabetic) { text } else { text.replacen("pier ", "pier\n", 1) };
        let text = if before.starts_with("password") { text.replacen("pier ", "pier\n", 1) } else { text };
        let redacted = redact(&text);
        let last = &secret[secret.len() - secret.len().min(12)..];
        let around =
            redacted.starts_with("pier") && redacted.ends_with("harbour") && redacted.contains(after.trim_end());
        if redacted.contains(last) || !around || !redacted.contains("[redacted:") {
            wrong.push(format!("{text:?} became {redacted:?}"));
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn look_alikes_stay_byte_for_byte() {
    let all = look_alikes();
    assert!(all.len() >= 60);
    let wrong: Vec<_> =
        all.iter().map(|text| (text, redact(text))).filter(|(text, redacted)| *text != redacted).collect();
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn a_key_that_was_broken_over_lines_goes_whole() {
    let wide = "x".repeat(50);
    let key = drawn(60);
    for text in [
        format!("{wide} {}{}\n{} lantern", "sk-ant-api03-", &key[..30], &key[30..]),
        format!("pier {}{}\n  {} lantern", "ghp_", &key[..12], &key[12..36]),
        format!("pier {}{}\\n{} lantern", "npm_", &key[..20], &key[20..36]),
    ] {
        let redacted = redact(&text);
        assert!(!redacted.contains(&key[30..36]) && redacted.ends_with("lantern"), "{redacted}");
    }
}

#[test]
fn a_private_key_without_its_beginning_goes() {
    let rule = "-----";
    let text = format!("pier\n{}\n{}\n{rule}END RSA PRIVATE KEY{rule}\nlantern", drawn(64), drawn(30));
    assert_eq!(redact(&text), "pier\n[redacted:private-key]\nlantern");
}

#[test]
fn ranges_follow_their_words_past_a_secret() {
    let key = format!("ghp_{}", drawn(36));
    let text = format!("pier {key} and {key} lantern");
    let at = |word: &str| text.find(word).map(|at| at..at + word.len()).unwrap_or_default();
    let mut ranges = [at("pier"), at("and"), at("lantern"), 0..text.len(), at(&key), 7..20];
    let redacted = Redactor::new().redact_with(&text, &mut ranges);
    let words: Vec<_> = ranges.iter().map(|range| redacted.slice(range.clone()).unwrap().to_string()).collect();
    let mark = "[redacted:github-token]";
    assert_eq!(words, ["pier", "and", "lantern", redacted.as_str(), mark, mark]);
}
