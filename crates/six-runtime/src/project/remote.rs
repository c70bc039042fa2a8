//! One name for a remote, however its URL is written.

use serde::{Deserialize, Serialize};

/// Where a repository was cloned from, normalised. Credentials are never part of it.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Remote {
    /// `host/path` or `host:port/path`: host in lower case, usual ports left out, no `.git`, no slash at the ends.
    Hosted(String),
    /// A folder, as it is written (without `file://`): what stands there decides.
    Local(String),
}

/// Schemes whose URLs name the same repository, with the port that needs no mention.
const SCHEMES: &[(&str, &str)] = &[
    ("https", "443"),
    ("http", "80"),
    ("ssh", "22"),
    ("git", "9418"),
    ("git+ssh", "22"),
    ("ssh+git", "22"),
    ("ftp", "21"),
    ("ftps", "990"),
];

/// The remote that a URL names; `None` for an empty one or a transport that only a helper program understands.
pub fn parse_remote(url: &str) -> Option<Remote> {
    let url = url.trim();
    if url.is_empty() || url.chars().any(char::is_control) {
        return None;
    }
    if let Some((scheme, rest)) = url.split_once("://") {
        let scheme = scheme.to_ascii_lowercase();
        if scheme == "file" {
            return Some(Remote::Local(rest.strip_prefix("localhost").unwrap_or(rest).to_owned()));
        }
        let (_, usual_port) = SCHEMES.iter().find(|(known, _)| *known == scheme)?;
        let (authority, path) = rest.split_once('/')?;
        return hosted(authority, path, usual_port);
    }
    match scp_like(url) {
        Some((_, rest)) if rest.starts_with(':') => None,
        Some((authority, path)) => hosted(authority, path, ""),
        None => Some(Remote::Local(url.to_owned())),
    }
}

/// Host and path of `user@host:path`. As git has it: the colon comes before any slash, and a single letter before it
/// is a drive of Windows.
fn scp_like(url: &str) -> Option<(&str, &str)> {
    let bracket = url.find(']').unwrap_or(0);
    let colon = bracket + url.get(bracket..)?.find(':')?;
    let (host, path) = (url.get(..colon)?, url.get(colon + 1..)?);
    let drive = host.len() == 1 && host.starts_with(|letter: char| letter.is_ascii_alphabetic());
    (!host.contains('/') && !drive).then_some((host, path))
}

fn hosted(authority: &str, path: &str, usual_port: &str) -> Option<Remote> {
    let host = authority.rsplit_once('@').map_or(authority, |(_, host)| host).to_lowercase();
    let host = host.strip_suffix(&format!(":{usual_port}")).filter(|_| !usual_port.is_empty()).unwrap_or(&host);
    let host = host.trim_end_matches(':');
    let parts: Vec<&str> = path.split('/').filter(|part| !part.is_empty()).collect();
    let path = parts.join("/");
    let path = path.strip_suffix(".git").unwrap_or(&path).trim_end_matches('/');
    (!host.is_empty() && !path.is_empty()).then(|| Remote::Hosted(format!("{host}/{path}")))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn one_repository_has_one_name() {
        for url in [
            "https://git.example.invalid/team/api",
            "https://git.example.invalid/team/api.git",
            "https://git.example.invalid/team/api.git/",
            "https://git.example.invalid:443/team/api",
            "HTTPS://ada:s3cret@Git.Example.INVALID/team/api.git",
            "https://token@git.example.invalid//team//api",
            "http://git.example.invalid/team/api",
            "ssh://git@git.example.invalid/team/api.git",
            "ssh://git@git.example.invalid:22/team/api.git",
            "git+ssh://git@git.example.invalid/team/api",
            "git://git.example.invalid/team/api",
            "git@git.example.invalid:team/api.git",
            "git@git.example.invalid:/team/api.git",
            "git.example.invalid:team/api",
            "  https://git.example.invalid/team/api\n",
        ] {
            let expected = Some(Remote::Hosted("git.example.invalid/team/api".into()));
            assert_eq!(parse_remote(url), expected, "{url}");
        }
    }

    #[test]
    fn what_differs_stays_apart() {
        for (url, name) in [
            ("https://example.invalid/Team/API", "example.invalid/Team/API"),
            ("https://example.invalid/fork/api", "example.invalid/fork/api"),
            ("https://example.invalid:8443/a/b", "example.invalid:8443/a/b"),
            ("ssh://git@[::1]:2222/a/b.git", "[::1]:2222/a/b"),
            ("git@[::1]:a/b", "[::1]/a/b"),
            ("host:~ada/x", "host/~ada/x"),
            ("https://example.invalid/a/b.github", "example.invalid/a/b.github"),
        ] {
            assert_eq!(parse_remote(url), Some(Remote::Hosted(name.into())), "{url}");
        }
    }

    #[test]
    fn folders_are_local() {
        for (url, folder) in [
            ("/srv/git/api.git", "/srv/git/api.git"),
            ("../api", "../api"),
            ("./a:b", "./a:b"),
            ("file:///srv/git/api", "/srv/git/api"),
            ("file://localhost/srv/git/api", "/srv/git/api"),
            ("C:\\code\\api", "C:\\code\\api"),
            ("C:/code/api", "C:/code/api"),
        ] {
            assert_eq!(parse_remote(url), Some(Remote::Local(folder.into())), "{url}");
        }
    }

    #[test]
    fn what_names_no_repository_is_none() {
        for url in
            ["", "  ", "https://", "https://host", "https://host/", "ext::sh -c x", "codecommit::r://x", "a\u{1b}[2J:b"]
        {
            assert_eq!(parse_remote(url), None, "{url:?}");
        }
    }

    proptest! {
        #[test]
        fn credentials_never_stay(user in "[a-z]{1,8}", password in "[A-Z0-9]{12,20}", host in "[a-z]{1,9}") {
            for url in [
                format!("https://{user}:{password}@{host}.example.invalid/a/b.git"),
                format!("ssh://{password}@{host}.example.invalid/a/b"),
                format!("{password}@{host}.example.invalid:a/b"),
            ] {
                let remote = format!("{:?}", parse_remote(&url));
                prop_assert!(!remote.contains(&password), "{} {}", url, remote);
            }
        }

        #[test]
        fn any_text_is_read_without_harm(url in "\\PC{0,60}") {
            let _ = parse_remote(&url);
        }
    }
}
