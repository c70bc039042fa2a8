//! Every kind of secret that six knows, one line each.

use std::ops::Range;

use super::context::{password_value, secret_value};
use super::prefilter::Hit;
use super::shapes::{authorization, azure_client_secret, bearer, jwt, private_key, telegram, url_credentials, webhook};
use super::value::{Alphabet, is_placeholder, look, looks_random, run_end, starts_token};

/// A kind of secret.
pub(super) struct Rule {
    /// What stands in the text afterwards: `[redacted:NAME]`.
    pub(super) name: &'static str,
    /// What every secret of this kind begins with or stands behind; three bytes at least.
    pub(super) literals: &'static [&'static str],
    shape: Shape,
}

/// How the bytes of the secret are told from their surroundings.
enum Shape {
    /// The literal exactly as it is spelled, then a run of `min` to `max` characters of the alphabet.
    Key { of: Alphabet, min: usize, max: usize },
    /// What the function finds at the literal, in any case.
    Found(fn(Hit<'_>) -> Option<Range<usize>>),
}

/// The key may have any length.
const ANY: usize = usize::MAX;

impl Rule {
    const fn key(name: &'static str, literals: &'static [&'static str], of: Alphabet, min: usize, max: usize) -> Self {
        Self { name, literals, shape: Shape::Key { of, min, max } }
    }

    const fn found(
        name: &'static str,
        literals: &'static [&'static str],
        find: fn(Hit<'_>) -> Option<Range<usize>>,
    ) -> Self {
        Self { name, literals, shape: Shape::Found(find) }
    }

    /// The bytes to take out, if the literal at `hit` belongs to a secret.
    pub(super) fn find(&self, hit: Hit<'_>) -> Option<Range<usize>> {
        match self.shape {
            Shape::Found(find) => find(hit),
            Shape::Key { of, min, max } => find_key(hit, of, min, max),
        }
    }
}

fn find_key(hit: Hit<'_>, of: Alphabet, min: usize, max: usize) -> Option<Range<usize>> {
    if hit.text.get(hit.start..hit.end) != Some(hit.literal)
        || !(starts_token(hit.text, hit.start) || is_part_of_name(hit))
    {
        return None;
    }
    let end = look(hit.text, hit.end, of);
    let key = hit.text.get(hit.end..end)?;
    let fits = (min..=max).contains(&key.len());
    (fits && looks_random(key) && !is_placeholder(key)).then(|| hit.start..run_end(hit.text, end, of))
}

/// Whether an unmistakable literal stands behind a joint, as in the name of a branch or a file. Short ones are also ends
/// and middles of names: `col-md-`, `on-disk-`.
fn is_part_of_name(hit: Hit<'_>) -> bool {
    const UNMISTAKABLE: usize = 4;
    let joint = hit.start.checked_sub(1).and_then(|before| hit.text.as_bytes().get(before));
    hit.literal.len() >= UNMISTAKABLE && matches!(joint, Some(b'-' | b'_'))
}

/// In this order at one place; the first that finds something wins.
pub(super) const RULES: &[Rule] = &[
    // cloud
    Rule::key("aws-access-key", &["AKIA", "ASIA", "ABIA", "ACCA"], Alphabet::Alnum, 16, 16),
    Rule::key("google-api-key", &["AIza"], Alphabet::Token, 35, 39),
    Rule::key("google-oauth", &["ya29.", "GOCSPX-"], Alphabet::Dotted, 20, ANY),
    Rule::found("azure-client-secret", &["8Q~", "7Q~"], azure_client_secret),
    Rule::key("digitalocean-token", &["dop_v1_", "doo_v1_", "dor_v1_"], Alphabet::Alnum, 64, 64),
    Rule::key("heroku-key", &["HRKU-"], Alphabet::Token, 36, ANY),
    Rule::key("vault-token", &["hvs.", "hvb."], Alphabet::Token, 24, ANY),
    Rule::key("doppler-token", &["dp.pt.", "dp.st."], Alphabet::Dotted, 40, ANY),
    Rule::key("planetscale-token", &["pscale_tkn_", "pscale_pw_"], Alphabet::Dotted, 32, ANY),
    Rule::key("supabase-key", &["sbp_", "sb_secret_"], Alphabet::Token, 20, ANY),
    Rule::key("databricks-token", &["dapi"], Alphabet::Token, 32, 36),
    // code hosts and registries
    Rule::key("github-token", &["ghp_", "gho_", "ghu_", "ghs_", "ghr_"], Alphabet::Alnum, 36, ANY),
    Rule::key("github-token", &["github_pat_"], Alphabet::Token, 22, ANY),
    Rule::key("gitlab-token", &["glpat-", "gldt-", "glrt-", "glcbt-", "glptt-", "glsoat-"], Alphabet::Dotted, 20, ANY),
    Rule::key("npm-token", &["npm_"], Alphabet::Alnum, 36, ANY),
    Rule::key("pypi-token", &["pypi-AgE"], Alphabet::Token, 50, ANY),
    Rule::key("docker-token", &["dckr_pat_", "dckr_oat_"], Alphabet::Token, 27, ANY),
    Rule::key("crates-token", &["cio"], Alphabet::Alnum, 32, 32),
    Rule::key("rubygems-key", &["rubygems_"], Alphabet::Alnum, 48, 48),
    Rule::key("atlassian-token", &["ATATT3", "ATCTT3"], Alphabet::Base64, 60, ANY),
    Rule::key("postman-key", &["PMAK-"], Alphabet::Token, 59, ANY),
    // chat and mail
    Rule::key(
        "slack-token",
        &["xoxb-", "xoxp-", "xoxa-", "xoxe-", "xoxe.", "xoxr-", "xoxs-", "xapp-"],
        Alphabet::Dotted,
        10,
        ANY,
    ),
    Rule::found("slack-webhook", &["hooks.slack.com/services/"], webhook),
    Rule::found("discord-webhook", &["discord.com/api/webhooks/", "discordapp.com/api/webhooks/"], webhook),
    Rule::found("telegram-token", &[":AA"], telegram),
    Rule::key("sendgrid-key", &["SG."], Alphabet::Dotted, 66, 66),
    Rule::key("mailchimp-key", &["md-"], Alphabet::Token, 22, 22),
    Rule::key("mailgun-key", &["key-"], Alphabet::Alnum, 32, 32),
    Rule::key("twilio-key", &["SK0", "SK1", "SK2", "SK3", "SK4", "SK5", "SK6", "SK7"], Alphabet::Hex, 31, 31),
    Rule::key("twilio-key", &["SK8", "SK9", "SKa", "SKb", "SKc", "SKd", "SKe", "SKf"], Alphabet::Hex, 31, 31),
    // payment and shops
    Rule::key("stripe-key", &["sk_live_", "sk_test_", "rk_live_", "rk_test_", "whsec_"], Alphabet::Alnum, 16, ANY),
    Rule::key("square-token", &["sq0atp-", "sq0csp-", "EAAA"], Alphabet::Token, 22, ANY),
    Rule::key("shopify-token", &["shpat_", "shpss_", "shpca_", "shppa_"], Alphabet::Alnum, 32, 32),
    // model vendors
    Rule::key("anthropic-key", &["sk-ant-"], Alphabet::Token, 20, ANY),
    Rule::key("openai-key", &["sk-"], Alphabet::Token, 20, ANY),
    Rule::key("huggingface-token", &["hf_", "api_org_"], Alphabet::Alnum, 34, ANY),
    Rule::key(
        "model-vendor-key",
        &["gsk_", "pplx-", "xai-", "r8_", "tgp_v1_", "fw_", "nvapi-"],
        Alphabet::Token,
        32,
        ANY,
    ),
    // work tools
    Rule::key("linear-key", &["lin_api_", "lin_oauth_"], Alphabet::Alnum, 32, ANY),
    Rule::key("notion-token", &["ntn_"], Alphabet::Alnum, 40, ANY),
    Rule::key("figma-token", &["figd_"], Alphabet::Token, 40, ANY),
    Rule::key("newrelic-key", &["NRAK-"], Alphabet::Alnum, 27, ANY),
    Rule::key("grafana-token", &["glsa_", "glc_"], Alphabet::Base64, 32, ANY),
    Rule::key("sentry-token", &["sntrys_", "sntryu_"], Alphabet::Base64, 40, ANY),
    Rule::key("age-key", &["AGE-SECRET-KEY-1"], Alphabet::Alnum, 50, ANY),
    // shapes of any vendor
    Rule::found("jwt", &["eyJ"], jwt),
    Rule::found("private-key", &["-----BEGIN"], private_key),
    Rule::found("url-credentials", &["://"], url_credentials),
    Rule::found("authorization", &["authorization"], authorization),
    Rule::found("bearer", &["bearer"], bearer),
    // the name of the key
    Rule::found("password", &["password", "passwd", "passphrase", "pwd"], password_value),
    Rule::found("secret", &["secret", "token", "credential"], secret_value),
    Rule::found("secret", &["api_key", "api-key", "apikey", "access_key", "access-key", "accesskey"], secret_value),
    Rule::found("secret", &["private_key", "private-key", "privatekey", "auth_key", "authkey"], secret_value),
    Rule::found("secret", &["signing_key", "signingkey", "encryption_key", "encryptionkey"], secret_value),
    Rule::found("secret", &["accountkey", "account_key", "master_key", "masterkey", "service_key"], secret_value),
];
