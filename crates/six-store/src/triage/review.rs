//! What agents judged, until a person has looked through it.

use six_core::record::{Change, Record, UnixMs};

use crate::error::Result;
use crate::open::Store;
use crate::table::{batch, record, record_history};

/// Verdicts that an agent gave together and nobody has looked through.
#[derive(Debug, Clone, PartialEq)]
pub struct UnseenBatch {
    /// Its id.
    pub id: String,
    /// When it was given.
    pub at: UnixMs,
    /// The records as they are, each with what the verdict made of it.
    pub verdicts: Vec<(Record, Change)>,
}

impl Store {
    /// What agents judged and nobody has looked through, oldest first. What was taken back is not among it.
    pub fn unseen_batches(&self) -> Result<Vec<UnseenBatch>> {
        self.read(|conn| {
            let mut unseen = Vec::new();
            for given in batch::unseen(conn)? {
                let mut verdicts = Vec::new();
                for (_, id, change) in record_history::of_batch(conn, &given.id)? {
                    verdicts.extend(record::one(conn, &id)?.map(|record| (record, change)));
                }
                unseen.push(UnseenBatch { id: given.id, at: given.at, verdicts });
            }
            Ok(unseen)
        })
    }

    /// Notes that a person has looked through these batches.
    pub fn mark_seen(&self, batches: &[UnseenBatch], now: UnixMs) -> Result<()> {
        self.write(|conn| Ok(batches.iter().try_for_each(|given| batch::set_seen(conn, &given.id, now))?))
    }
}
