//! Every kind of secret that six knows, one line each.

use std::ops::Range;

use super::command::{directive, netrc, password_option, sql_password, user_option};
use super::context::{auth_value, key_value, password_value, secret_value};
use super::header::{authorization, bearer, cookie};
use super::key::{ANY, find_key};
use super::pem::{private_key, private_key_end, private_lines};
use super::prefilter::Hit;
use super::shapes::{azure_client_secret, braintree, jwt, signature, telegram, url_credentials, webhook};
use super::value::Alphabet::{self, Alnum, Base64, Dotted, Hex, Token};

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

/// In this order at one place; the first that finds something wins.
pub(super) const RULES: &[Rule] = &[
    // cloud
    Rule::key("aws-access-key", &["AKIA", "ASIA", "ABIA", "ACCA"], Alnum, 16, 16),
    Rule::key("aws-bedrock-key", &["ABSK"], Base64, 60, ANY),
    Rule::key("google-api-key", &["AIza"], Token, 35, 39),
    Rule::key("google-oauth", &["ya29.", "GOCSPX-"], Dotted, 20, ANY),
    Rule::found("azure-client-secret", &["0Q~", "1Q~", "2Q~", "3Q~", "4Q~"], azure_client_secret),
    Rule::found("azure-client-secret", &["5Q~", "6Q~", "7Q~", "8Q~", "9Q~"], azure_client_secret),
    Rule::found("url-signature", &["sig=", "X-Amz-Signature=", "X-Goog-Signature="], signature),
    Rule::key("alibaba-key", &["LTAI"], Alnum, 16, 20),
    Rule::key("cloudflare-key", &["v1.0-"], Token, 150, ANY),
    Rule::key("databricks-token", &["dapi"], Token, 32, 36),
    Rule::key("digitalocean-token", &["dop_v1_", "doo_v1_", "dor_v1_"], Alnum, 64, 64),
    Rule::key("doppler-token", &["dp.pt.", "dp.st.", "dp.ct.", "dp.sa.", "dp.scim."], Dotted, 40, ANY),
    Rule::key("fly-token", &["fm1_", "fm2_", "fo1_"], Base64, 32, ANY),
    Rule::key("heroku-key", &["HRKU-"], Token, 36, ANY),
    Rule::key("netlify-token", &["nfp_", "nfc_", "nfo_", "nfu_"], Alnum, 32, ANY),
    Rule::key("planetscale-token", &["pscale_tkn_", "pscale_pw_", "pscale_oauth_"], Dotted, 32, ANY),
    Rule::key("pulumi-token", &["pul-"], Hex, 40, 40),
    Rule::key("render-key", &["rnd_"], Alnum, 28, ANY),
    Rule::key("supabase-key", &["sbp_", "sb_secret_"], Token, 20, ANY),
    Rule::key("tailscale-key", &["tskey-"], Token, 20, ANY),
    Rule::key("vault-token", &["hvs.", "hvb.", "hvr."], Token, 24, ANY),
    Rule::key("vercel-token", &["vcp_", "vci_", "vca_", "vcr_", "vck_"], Alnum, 24, ANY),
    // code hosts and registries
    Rule::key("github-token", &["ghp_", "gho_", "ghu_", "ghs_", "ghr_"], Alnum, 36, ANY),
    Rule::key("github-token", &["github_pat_"], Token, 22, ANY),
    Rule::key("gitlab-token", &["glpat-", "gldt-", "glrt-", "glcbt-", "glptt-", "glsoat-", "glft-"], Dotted, 20, ANY),
    Rule::key("bitbucket-token", &["ATBB"], Alnum, 24, 40),
    Rule::key("atlassian-token", &["ATATT3", "ATCTT3"], Base64, 60, ANY),
    Rule::key("buildkite-token", &["bkua_"], Alnum, 40, 40),
    Rule::key("circleci-token", &["CCIPAT_", "CCIPRJ_"], Token, 40, ANY),
    Rule::key("sonar-token", &["squ_", "sqp_", "sqa_"], Alnum, 40, 40),
    Rule::key("npm-token", &["npm_"], Alnum, 36, ANY),
    Rule::key("pypi-token", &["pypi-AgE"], Token, 50, ANY),
    Rule::key("docker-token", &["dckr_pat_", "dckr_oat_"], Token, 27, ANY),
    Rule::key("crates-token", &["cio"], Alnum, 32, 32),
    Rule::key("nuget-key", &["oy2"], Alnum, 43, 43),
    Rule::key("rubygems-key", &["rubygems_"], Alnum, 48, 48),
    Rule::key("clojars-token", &["CLOJARS_"], Alnum, 60, 60),
    Rule::key("postman-key", &["PMAK-"], Token, 59, ANY),
    // chat and mail
    Rule::key("slack-token", &["xoxb-", "xoxp-", "xoxa-", "xoxc-", "xoxd-", "xoxe-"], Dotted, 10, ANY),
    Rule::key("slack-token", &["xoxe.", "xoxr-", "xoxs-", "xapp-", "xwfp-"], Dotted, 10, ANY),
    Rule::found("slack-webhook", &["hooks.slack.com/services/", "hooks.slack.com/workflows/"], webhook),
    Rule::found("discord-webhook", &["discord.com/api/webhooks/", "discordapp.com/api/webhooks/"], webhook),
    Rule::found("webhook", &["webhook.office.com/webhookb2/", "hooks.zapier.com/hooks/"], webhook),
    Rule::found("telegram-token", &[":AA"], telegram),
    Rule::key("sendgrid-key", &["SG."], Dotted, 66, 66),
    Rule::key("firebase-key", &["APA91b"], Token, 100, ANY),
    Rule::key("resend-key", &["re_"], Token, 30, ANY),
    Rule::key("brevo-key", &["xkeysib-", "xsmtpsib-"], Token, 64, ANY),
    Rule::key("mailchimp-key", &["md-"], Token, 22, 22),
    Rule::key("mailgun-key", &["key-"], Alnum, 32, 32),
    Rule::key("twilio-key", &["SK0", "SK1", "SK2", "SK3", "SK4", "SK5", "SK6", "SK7"], Hex, 31, 31),
    Rule::key("twilio-key", &["SK8", "SK9", "SKa", "SKb", "SKc", "SKd", "SKe", "SKf"], Hex, 31, 31),
    // payment and shops
    Rule::key("stripe-key", &["sk_live_", "sk_test_", "rk_live_", "rk_test_", "whsec_"], Base64, 16, ANY),
    Rule::key("square-token", &["sq0atp-", "sq0csp-", "sq0idp-"], Token, 22, ANY),
    Rule::key("square-token", &["EAAA"], Token, 56, 64),
    Rule::found("braintree-token", &["access_token$production$", "access_token$sandbox$"], braintree),
    Rule::key("razorpay-key", &["rzp_live_", "rzp_test_"], Alnum, 14, ANY),
    Rule::key("facebook-token", &["EAA"], Alnum, 90, ANY),
    Rule::key("flutterwave-key", &["FLWSECK-", "FLWSECK_TEST-"], Token, 12, ANY),
    Rule::key("shopify-token", &["shpat_", "shpss_", "shpca_", "shppa_"], Alnum, 32, 32),
    // model vendors
    Rule::key("anthropic-key", &["sk-ant-"], Token, 20, ANY),
    Rule::key("openai-key", &["sk-"], Token, 20, ANY),
    Rule::key("huggingface-token", &["hf_", "api_org_"], Alnum, 34, ANY),
    Rule::key("elevenlabs-key", &["sk_"], Hex, 48, 48),
    Rule::key("model-vendor-key", &["gsk_", "pplx-", "xai-", "r8_", "tgp_v1_", "fw_", "nvapi-"], Token, 32, ANY),
    Rule::key("model-vendor-key", &["pcsk_", "lsv2_pt_", "lsv2_sk_", "tvly-", "jina_", "e2b_", "csk-"], Token, 32, ANY),
    // work tools
    Rule::key("adobe-secret", &["p8e-"], Token, 32, ANY),
    Rule::key("dropbox-token", &["sl.B", "sl.u"], Token, 100, ANY),
    Rule::key("airtable-token", &["pat"], Dotted, 79, 79),
    Rule::key("apify-token", &["apify_api_"], Alnum, 34, ANY),
    Rule::key("contentful-token", &["CFPAT-"], Token, 40, ANY),
    Rule::key("dynatrace-token", &["dt0c01.", "dt0s01."], Dotted, 64, ANY),
    Rule::key("figma-token", &["figd_"], Token, 40, ANY),
    Rule::key("grafana-token", &["glsa_", "glc_"], Base64, 32, ANY),
    Rule::key("linear-key", &["lin_api_", "lin_oauth_"], Alnum, 32, ANY),
    Rule::key("newrelic-key", &["NRAK-"], Alnum, 27, ANY),
    Rule::key("notion-token", &["ntn_"], Alnum, 40, ANY),
    Rule::key("notion-token", &["secret_"], Alnum, 43, 43),
    Rule::key("posthog-key", &["phx_"], Alnum, 40, ANY),
    Rule::key("sentry-token", &["sntrys_", "sntryu_"], Base64, 40, ANY),
    Rule::key("typeform-token", &["tfp_"], Dotted, 40, ANY),
    Rule::key("age-key", &["AGE-SECRET-KEY-1"], Alnum, 50, ANY),
    // shapes of any vendor
    Rule::found("jwt", &["eyJ"], jwt),
    Rule::found("private-key", &["-----BEGIN"], private_key),
    Rule::found("private-key", &["-----END"], private_key_end),
    Rule::found("private-key", &["Private-Lines:"], private_lines),
    Rule::found("url-credentials", &["://"], url_credentials),
    Rule::found("authorization", &["authorization"], authorization),
    Rule::found("bearer", &["bearer"], bearer),
    Rule::found("cookie", &["cookie"], cookie),
    // commands and configuration without a name
    Rule::found("password", &["-u ", "-u\"", "-u'", "--user ", "--user="], user_option),
    Rule::found("password", &[" -p", " -a"], password_option),
    Rule::found("password", &["machine "], netrc),
    Rule::found("password", &["identified by", "with password", "encrypted password"], sql_password),
    Rule::found("password", &["requirepass", "masterauth"], directive),
    Rule::found("secret", &["\"auth\"", "\"auth\\", "_auth"], auth_value),
    // the name of the key
    Rule::found("password", &["password", "passwd", "passphrase", "pwd", "passwort", "_pass"], password_value),
    Rule::found("secret", &["secret", "token", "credential", "phpsessid", "jsessionid", "connect.sid"], secret_value),
    Rule::found("secret", &["key"], key_value),
];
