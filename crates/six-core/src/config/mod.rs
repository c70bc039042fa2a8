//! What a person may set: one table of keys, their defaults, and the files that set them.

mod file;
mod gate;
mod guard;
mod key;
mod provider;
mod settings;

pub use file::{ConfigChange, ConfigFault, ConfigProblem, ConfigValues, parse_config, plan_set, plan_unset};
pub use gate::Gate;
pub use guard::OnDeadEnd;
pub use key::{KEYS, Key, Takes};
pub use provider::EmbedProvider;
pub use settings::{
    CaptureConfig, Config, DerivedConfig, EmbedConfig, GuardConfig, HealthConfig, IngestConfig, InjectConfig,
    OllamaConfig, SearchConfig, StoreConfig,
};
