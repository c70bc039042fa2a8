//! Sets of documents, questions and what is relevant to each.

use std::collections::{BTreeMap, BTreeSet};

use serde::Deserialize;

use super::measure::Grades;

/// A set to measure with.
#[derive(Debug, PartialEq)]
pub(crate) struct Set {
    /// Its name: that of its file or folder.
    pub(crate) name: String,
    /// Each is searched by itself.
    pub(crate) groups: Vec<Group>,
    /// Questions to which nothing is relevant: they measure nothing here.
    pub(crate) left_out: usize,
}

/// Documents that are searched together, and the questions about them.
#[derive(Debug, PartialEq)]
pub(crate) struct Group {
    /// Id and text; no id twice.
    pub(crate) documents: Vec<(String, String)>,
    /// Each has something relevant.
    pub(crate) questions: Vec<Question>,
}

/// One question.
#[derive(Debug, PartialEq)]
pub(crate) struct Question {
    /// What is asked.
    pub(crate) text: String,
    /// What kind of question it is, where the set says so.
    pub(crate) kind: Option<String>,
    /// What is relevant.
    pub(crate) relevant: Grades,
}

#[derive(Deserialize)]
struct SetFile {
    groups: Vec<GroupFile>,
}

#[derive(Deserialize)]
struct GroupFile {
    docs: Vec<(String, String)>,
    queries: Vec<QueryFile>,
    qrels: BTreeMap<String, Relevant>,
}

#[derive(Deserialize)]
#[serde(untagged)]
enum QueryFile {
    Plain(String, String),
    OfKind(String, String, String),
}

#[derive(Deserialize)]
#[serde(untagged)]
enum Relevant {
    Ids(Vec<String>),
    Graded(Grades),
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct SessionFile {
    session_id: String,
    messages: Vec<MessageFile>,
}

#[derive(Deserialize)]
struct MessageFile {
    content: String,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct QuestionFile {
    question: String,
    question_type: String,
    haystack_session_ids: Vec<String>,
}

/// Reads `{groups: [{docs: [[id, text]], queries: [[id, text]], qrels: {query: [document] or {document: grade}}}]}`. A
/// query may carry its kind as a third member.
pub(crate) fn parse_set(name: &str, text: &str) -> Result<Set, String> {
    let file: SetFile = serde_json::from_str(text).map_err(|fault| fault.to_string())?;
    let mut set = Set { name: name.to_owned(), groups: Vec::new(), left_out: 0 };
    for group in file.groups {
        let mut qrels = group.qrels;
        let questions = group.queries.into_iter().map(|query| {
            let (id, text, kind) = match query {
                QueryFile::Plain(id, text) => (id, text, None),
                QueryFile::OfKind(id, text, kind) => (id, text, Some(kind)),
            };
            let relevant = match qrels.remove(&id) {
                None => Grades::new(),
                Some(Relevant::Ids(ids)) => ids.into_iter().map(|id| (id, 1)).collect(),
                Some(Relevant::Graded(grades)) => grades,
            };
            Question { text, kind, relevant }
        });
        let questions = questions.collect();
        if let Some(id) = qrels.keys().next() {
            return Err(format!("qrels name the query {id:?}, which is not there"));
        }
        set.add(group.docs, questions)?;
    }
    Ok(set)
}

/// Reads sessions and the questions about them: a session is a document, its messages are paragraphs. A question that no
/// session answers is left out.
pub(crate) fn parse_sessions(name: &str, sessions: &str, questions: &str) -> Result<Set, String> {
    let sessions: Vec<SessionFile> =
        serde_json::from_str(sessions).map_err(|fault| format!("sessions.json: {fault}"))?;
    let questions: Vec<QuestionFile> =
        serde_json::from_str(questions).map_err(|fault| format!("questions.json: {fault}"))?;
    let documents = sessions.into_iter().map(|session| {
        let said: Vec<String> = session.messages.into_iter().map(|message| message.content).collect();
        (session.session_id, said.join("\n\n"))
    });
    let questions = questions.into_iter().map(|asked| Question {
        text: asked.question,
        kind: Some(asked.question_type),
        relevant: asked.haystack_session_ids.into_iter().map(|id| (id, 1)).collect(),
    });
    let mut set = Set { name: name.to_owned(), groups: Vec::new(), left_out: 0 };
    set.add(documents.collect(), questions.collect())?;
    Ok(set)
}

impl Set {
    /// Questions in all groups.
    pub(crate) fn questions(&self) -> usize {
        self.groups.iter().map(|group| group.questions.len()).sum()
    }

    /// Adds a group. Documents of equal text are one: the store keeps one text, and a hit on it is a hit on each of them.
    fn add(&mut self, documents: Vec<(String, String)>, questions: Vec<Question>) -> Result<(), String> {
        let mut ids = BTreeSet::new();
        let mut first_of = BTreeMap::new();
        let mut same = BTreeMap::new();
        let mut kept = Vec::new();
        for (id, text) in documents {
            if !ids.insert(id.clone()) {
                return Err(format!("the document {id:?} is there twice"));
            }
            let first = first_of.entry(text.trim().to_owned()).or_insert_with(|| id.clone()).clone();
            if first == id {
                kept.push((id, text));
            } else {
                same.insert(id, first);
            }
        }
        let mut asked = Vec::new();
        for mut question in questions {
            if let Some(id) = question.relevant.keys().find(|id| !ids.contains(*id)) {
                return Err(format!("relevant to {:?} is the document {id:?}, which is not there", question.text));
            }
            let mut relevant = Grades::new();
            for (id, grade) in question.relevant.into_iter().filter(|(_, grade)| *grade > 0) {
                let best = relevant.entry(same.get(&id).cloned().unwrap_or(id)).or_insert(grade);
                *best = grade.max(*best);
            }
            question.relevant = relevant;
            if question.relevant.is_empty() {
                self.left_out += 1;
            } else {
                asked.push(question);
            }
        }
        self.groups.push(Group { documents: kept, questions: asked });
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn parsed(groups: &serde_json::Value) -> Result<Set, String> {
        parse_set("quay", &json!({ "groups": groups }).to_string())
    }

    fn grades(question: &Question) -> Vec<(&str, u32)> {
        question.relevant.iter().map(|(id, grade)| (id.as_str(), *grade)).collect()
    }

    #[test]
    fn relevance_is_a_list_or_graded_and_a_kind_is_welcome() {
        let set = parsed(&json!([{
            "docs": [["a", "Ships moor here."], ["b", "Cranes lift."]],
            "queries": [["1", "where do ships moor?"], ["2", "what lifts?", "what"]],
            "qrels": {"1": ["a"], "2": {"b": 2, "a": 0}},
        }]))
        .unwrap();
        let questions = &set.groups[0].questions;
        assert_eq!((set.questions(), set.left_out), (2, 0));
        assert_eq!((grades(&questions[0]), questions[0].kind.as_deref()), (vec![("a", 1)], None));
        assert_eq!((grades(&questions[1]), questions[1].kind.as_deref()), (vec![("b", 2)], Some("what")));
    }

    #[test]
    fn documents_of_equal_text_are_one() {
        let set = parsed(&json!([{
            "docs": [["a", "Ships moor here."], ["b", "Ships moor here.\n"]],
            "queries": [["1", "where?"], ["2", "where again?"]],
            "qrels": {"1": ["b"], "2": ["a", "b"]},
        }]))
        .unwrap();
        assert_eq!(set.groups[0].documents.len(), 1);
        assert!(set.groups[0].questions.iter().all(|question| grades(question) == [("a", 1)]));
    }

    #[test]
    fn a_question_without_an_answer_is_left_out_and_counted() {
        let set =
            parsed(&json!([{"docs": [["a", "x"]], "queries": [["1", "y?"], ["2", "x?"]], "qrels": {"2": ["a"]}}]));
        let set = set.unwrap();
        assert_eq!((set.questions(), set.left_out), (1, 1));
    }

    #[test]
    fn a_set_that_contradicts_itself_is_refused_with_the_place() {
        let refusal = |docs: serde_json::Value, qrels: serde_json::Value| {
            parsed(&json!([{"docs": docs, "queries": [["1", "x?"]], "qrels": qrels}])).unwrap_err()
        };
        assert!(refusal(json!([["a", "x"], ["a", "y"]]), json!({})).contains("\"a\" is there twice"));
        assert!(refusal(json!([["a", "x"]]), json!({"1": ["c"]})).contains("\"c\", which is not there"));
        assert!(refusal(json!([["a", "x"]]), json!({"9": ["a"]})).contains("query \"9\""));
        assert!(parse_set("quay", "{}").unwrap_err().contains("groups"));
    }

    #[test]
    fn sessions_are_documents_and_their_questions_have_kinds() {
        let sessions = json!([
            {"sessionId": "S1", "messages": [{"role": "user", "content": "Use pnpm."}, {"role": "assistant", "content": "Done."}]},
        ]);
        let questions = json!([
            {"questionId": "Q1", "questionType": "preference", "question": "Which tool?", "haystackSessionIds": ["S1"]},
            {"questionId": "Q2", "questionType": "abstention", "question": "Which cloud?", "haystackSessionIds": []},
        ]);
        let set = parse_sessions("talks", &sessions.to_string(), &questions.to_string()).unwrap();
        assert_eq!(set.groups[0].documents, [("S1".to_owned(), "Use pnpm.\n\nDone.".to_owned())]);
        assert_eq!(set.groups[0].questions[0].kind.as_deref(), Some("preference"));
        assert_eq!((set.questions(), set.left_out), (1, 1));
    }
}
