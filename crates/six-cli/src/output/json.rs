//! JSON for programs: one object with a `schema` field.

use serde_json::{Map, Value};

/// An answer of `six COMMAND --json`: the fields of `body` under `"schema": "six.<command>/1"`.
pub(crate) fn object(command: &str, body: Value) -> String {
    let mut object = Map::new();
    object.insert(String::from("schema"), Value::String(format!("six.{command}/1")));
    if let Value::Object(fields) = body {
        object.extend(fields);
    }
    Value::Object(object).to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_answer_names_its_schema() {
        insta::assert_snapshot!(object("status", serde_json::json!({"a": 1})), @r#"{"a":1,"schema":"six.status/1"}"#);
    }
}
