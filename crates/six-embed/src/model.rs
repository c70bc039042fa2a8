//! What the model file holds, checked once and used in place.
//!
//! A header of 64 bytes (mark, shape, number of sections, epsilon), a table of `(offset, length)` for each section, then
//! the sections, each at a multiple of 64 bytes and little-endian. Loading looks at the table and at the vocabulary's
//! offsets; it copies and converts nothing, so that pages of the file are read when a text first needs them.

use bytemuck::Pod;
use thiserror::Error;

use crate::vocabulary::Vocabulary;

#[cfg(target_endian = "big")]
compile_error!("the model file is little-endian and used in place");

/// Values in a vector.
pub const WIDTH: usize = 384;
/// Word pieces that the model reads of a text, the first and the last mark included; the rest is cut.
pub const PIECES: usize = 256;

pub(crate) const HEADS: usize = 12;
pub(crate) const HEAD_WIDTH: usize = WIDTH / HEADS;
pub(crate) const INNER: usize = 4 * WIDTH;
pub(crate) const LAYERS: usize = 6;

/// Outputs whose weights lie together.
pub(crate) const PANEL: usize = 16;
/// Inputs whose weights lie together.
pub(crate) const STEP: usize = 4;
/// The weights of four inputs to sixteen outputs, the four of one output side by side.
pub(crate) type Block = [i8; PANEL * STEP];

/// Neighbouring values of the word table that share a scale.
const GROUP: usize = 32;
/// Two values of the word table lie in a byte.
const WORD_BYTES: usize = WIDTH / 2;

const MARK: &[u8; 8] = b"MLMI8\0\0\x01";
const HEADER: usize = 64;
const TABLE_ROW: usize = 16;

/// Why bytes are no model that this engine can run.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum ModelError {
    /// The bytes don't start as a model file does.
    #[error("not a model file")]
    NoModel,
    /// The model has another shape than the engine is built for.
    #[error("{what} is {found}, and the engine is built for {expected}")]
    Shape {
        /// The field of the header.
        what: &'static str,
        /// What the engine is built for.
        expected: usize,
        /// What the header says.
        found: usize,
    },
    /// The file ends before this section does, or does not list it.
    #[error("section {section} is not inside the file")]
    Cut {
        /// The section, counted from 0.
        section: usize,
    },
    /// The section has another size than the shape asks for, or starts at an address that its values can't have.
    #[error("section {section} has {found} bytes at an address divisible by {alignment}, instead of {expected}")]
    Section {
        /// The section, counted from 0.
        section: usize,
        /// Bytes that the shape asks for.
        expected: usize,
        /// Bytes that it has.
        found: usize,
        /// The largest power of two up to 64 that divides its address.
        alignment: usize,
    },
    /// The vocabulary's tables contradict each other.
    #[error("the vocabulary is damaged: {0}")]
    Vocabulary(&'static str),
}

/// A loaded model. All but the list of layers points into the file.
#[derive(Debug)]
pub(crate) struct Model<'a> {
    pub(crate) vocabulary: Vocabulary<'a>,
    words: &'a [[u8; WORD_BYTES]],
    word_scales: &'a [[u16; WIDTH / GROUP]],
    positions: &'a [[f32; WIDTH]],
    pub(crate) norm: Norm<'a>,
    pub(crate) layers: Vec<Layer<'a>>,
}

/// Attention and the two feed-forward steps, each with the normalisation that follows it.
#[derive(Debug)]
pub(crate) struct Layer<'a> {
    /// To queries, keys and values, side by side.
    pub(crate) projection: Linear<'a>,
    pub(crate) attended: Linear<'a>,
    pub(crate) attended_norm: Norm<'a>,
    pub(crate) widen: Linear<'a>,
    pub(crate) narrow: Linear<'a>,
    pub(crate) norm: Norm<'a>,
}

/// A layer normalisation.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Norm<'a> {
    pub(crate) weights: &'a [f32; WIDTH],
    pub(crate) bias: &'a [f32; WIDTH],
    pub(crate) epsilon: f32,
}

/// A matrix in eight bits with one scale for each output.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Linear<'a> {
    pub(crate) inputs: usize,
    pub(crate) blocks: &'a [Block],
    pub(crate) scales: &'a [[f32; PANEL]],
    pub(crate) bias: &'a [[f32; PANEL]],
    /// For each output the sum of its weights, which takes the inputs' zero point out again.
    pub(crate) sums: &'a [[i32; PANEL]],
}

/// The part of a matrix that makes sixteen outputs.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Panel<'a> {
    pub(crate) blocks: &'a [Block],
    pub(crate) scales: &'a [f32; PANEL],
    pub(crate) bias: &'a [f32; PANEL],
    pub(crate) sums: &'a [i32; PANEL],
}

impl<'a> Model<'a> {
    /// Checks `file` and finds its sections.
    pub(crate) fn load(file: &'a [u8]) -> Result<Self, ModelError> {
        let header = Header::parse(file)?;
        let mut sections = Sections { file, count: header.sections, next: 0, epsilon: header.epsilon };
        let vocabulary = sections.vocabulary(header.words)?;
        Ok(Self {
            vocabulary,
            words: sections.take(header.words)?,
            word_scales: sections.take(header.words)?,
            positions: sections.take(PIECES)?,
            norm: sections.norm()?,
            layers: (0..LAYERS).map(|_| sections.layer()).collect::<Result<_, _>>()?,
        })
    }

    /// What word piece `id` means at `position`, before the first layer; an unknown id or position means nothing.
    pub(crate) fn look_up(&self, id: u16, position: usize, row: &mut [f32; WIDTH]) {
        let found =
            (self.words.get(usize::from(id)), self.word_scales.get(usize::from(id)), self.positions.get(position));
        let (Some(word), Some(scales), Some(at)) = found else {
            row.fill(0.0);
            return;
        };
        let groups = row.chunks_exact_mut(GROUP).zip(word.chunks_exact(GROUP / 2)).zip(at.chunks_exact(GROUP));
        for (((row, word), at), scale) in groups.zip(scales) {
            let scale = from_half(*scale);
            for ((pair, at), byte) in row.chunks_exact_mut(2).zip(at.chunks_exact(2)).zip(word) {
                // Four bits hold -7 to 7, with 8 added.
                for ((value, at), bits) in pair.iter_mut().zip(at).zip([byte & 15, byte >> 4]) {
                    *value = (f32::from(bits) - 8.0) * scale + at;
                }
            }
        }
    }
}

impl<'a> Linear<'a> {
    /// The matrix in parts of sixteen outputs, in their order.
    pub(crate) fn panels(&self) -> impl Iterator<Item = Panel<'a>> + use<'a> {
        let blocks = self.blocks.chunks_exact((self.inputs / STEP).max(1));
        blocks.zip(self.scales).zip(self.bias).zip(self.sums).map(|(((blocks, scales), bias), sums)| Panel {
            blocks,
            scales,
            bias,
            sums,
        })
    }

    /// Values that it makes of one row.
    pub(crate) fn outputs(&self) -> usize {
        self.scales.len() * PANEL
    }
}

struct Header {
    words: usize,
    sections: usize,
    epsilon: f32,
}

impl Header {
    fn parse(file: &[u8]) -> Result<Self, ModelError> {
        let header =
            file.first_chunk::<HEADER>().filter(|header| header.starts_with(MARK)).ok_or(ModelError::NoModel)?;
        let (fields, _) = header[MARK.len()..].as_chunks::<4>();
        let number = |index: usize| fields.get(index).map_or(0, |bytes| u32::from_le_bytes(*bytes) as usize);
        let shape = [
            ("the width", 0, WIDTH),
            ("the number of layers", 1, LAYERS),
            ("the number of heads", 2, HEADS),
            ("the inner width", 3, INNER),
            ("the number of positions", 5, PIECES),
            ("the bits of a word's values", 6, 4),
        ];
        for (what, field, expected) in shape {
            let found = number(field);
            if found != expected {
                return Err(ModelError::Shape { what, expected, found });
            }
        }
        let epsilon = fields.get(8).map_or(0.0, |bytes| f32::from_le_bytes(*bytes));
        Ok(Self { words: number(4), sections: number(7), epsilon })
    }
}

/// Walks through the sections in their order.
struct Sections<'a> {
    file: &'a [u8],
    count: usize,
    next: usize,
    epsilon: f32,
}

impl<'a> Sections<'a> {
    fn bytes(&mut self) -> Result<&'a [u8], ModelError> {
        let section = self.next;
        self.next += 1;
        self.listed(section).ok_or(ModelError::Cut { section })
    }

    fn listed(&self, section: usize) -> Option<&'a [u8]> {
        let (rows, _) = self.file.get(HEADER..)?.as_chunks::<TABLE_ROW>();
        let row = rows.get(..self.count)?.get(section)?;
        let [start, length] = [row.first_chunk()?, row.last_chunk()?].map(|bytes| u64::from_le_bytes(*bytes));
        let end = start.checked_add(length)?;
        self.file.get(usize::try_from(start).ok()?..usize::try_from(end).ok()?)
    }

    /// The next section, which has to hold `count` values.
    fn take<T: Pod>(&mut self, count: usize) -> Result<&'a [T], ModelError> {
        let section = self.next;
        let bytes = self.bytes()?;
        let expected = count.saturating_mul(size_of::<T>());
        let alignment = 1 << bytes.as_ptr().addr().trailing_zeros().min(6);
        let wrong = ModelError::Section { section, expected, found: bytes.len(), alignment };
        if bytes.len() != expected {
            return Err(wrong);
        }
        bytemuck::try_cast_slice(bytes).map_err(|_| wrong)
    }

    fn vocabulary(&mut self, words: usize) -> Result<Vocabulary<'a>, ModelError> {
        let offsets = self.take(words.saturating_add(1))?;
        let ids = self.take(words)?;
        Vocabulary::new(offsets, ids, self.bytes()?)
    }

    fn row(&mut self) -> Result<&'a [f32; WIDTH], ModelError> {
        let section = self.next;
        self.take::<[f32; WIDTH]>(1)?.first().ok_or(ModelError::Cut { section })
    }

    fn norm(&mut self) -> Result<Norm<'a>, ModelError> {
        Ok(Norm { weights: self.row()?, bias: self.row()?, epsilon: self.epsilon })
    }

    fn linear(&mut self, inputs: usize, outputs: usize) -> Result<Linear<'a>, ModelError> {
        let panels = outputs / PANEL;
        Ok(Linear {
            inputs,
            blocks: self.take(panels * (inputs / STEP))?,
            scales: self.take(panels)?,
            bias: self.take(panels)?,
            sums: self.take(panels)?,
        })
    }

    fn layer(&mut self) -> Result<Layer<'a>, ModelError> {
        Ok(Layer {
            projection: self.linear(WIDTH, 3 * WIDTH)?,
            attended: self.linear(WIDTH, WIDTH)?,
            attended_norm: self.norm()?,
            widen: self.linear(WIDTH, INNER)?,
            narrow: self.linear(INNER, WIDTH)?,
            norm: self.norm()?,
        })
    }
}

/// The value of a 16-bit float. The scales of the word table are all finite.
fn from_half(bits: u16) -> f32 {
    let sign = u32::from(bits & 0x8000) << 16;
    let magnitude = u32::from(bits & 0x7fff);
    // The exponent of a 16-bit float is 112 smaller; below the smallest normal number the fraction counts 2^-24.
    let value = if magnitude < 0x400 {
        f32::from(bits & 0x3ff) / 16_777_216.0
    } else {
        f32::from_bits((magnitude << 13) + (112 << 23))
    };
    f32::from_bits(value.to_bits() | sign)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::weights;
    use proptest::prelude::*;

    /// A copy of the shipped model that starts at a multiple of 64, as the shipped one does.
    struct Copy {
        bytes: Vec<[u64; 8]>,
    }

    impl Copy {
        fn with(change: impl FnOnce(&mut [u8])) -> Self {
            let mut bytes = vec![[0_u64; 8]; weights::file().len() / 64];
            bytemuck::cast_slice_mut(&mut bytes).copy_from_slice(weights::file());
            change(bytemuck::cast_slice_mut(&mut bytes));
            Self { bytes }
        }

        fn load(&self) -> Result<Model<'_>, ModelError> {
            Model::load(bytemuck::cast_slice(&self.bytes))
        }
    }

    #[test]
    fn the_shipped_model_loads() {
        let model = Model::load(weights::file()).expect("the shipped model");
        assert_eq!(model.words.len(), 30_522);
        assert_eq!(model.layers.len(), LAYERS);
        assert_eq!(model.layers[0].projection.panels().count(), 3 * WIDTH / PANEL);
    }

    #[test]
    fn a_file_without_its_mark_is_no_model() {
        for bytes in [&b""[..], b"MLMI8", &[0; 4096]] {
            assert_eq!(Model::load(bytes).expect_err("no model"), ModelError::NoModel);
        }
    }

    #[test]
    fn another_shape_is_named() {
        let narrow = Copy::with(|bytes| bytes[8..12].copy_from_slice(&256_u32.to_le_bytes()));
        let expected = ModelError::Shape { what: "the width", expected: 384, found: 256 };
        assert_eq!(narrow.load().expect_err("another shape"), expected);
    }

    #[test]
    fn a_cut_file_names_the_section_that_is_missing() {
        let file = weights::file();
        let last = HEADER + 127 * TABLE_ROW;
        assert_eq!(Model::load(&file[..file.len() - 1024]).err(), Some(ModelError::Cut { section: 127 }));
        assert_eq!(Model::load(&file[..last]).err(), Some(ModelError::Cut { section: 0 }));
        let beyond = Copy::with(|bytes| bytes[last..last + 8].copy_from_slice(&u64::MAX.to_le_bytes()));
        assert_eq!(beyond.load().err(), Some(ModelError::Cut { section: 127 }));
        let unlisted = Copy::with(|bytes| bytes[36..40].copy_from_slice(&5_u32.to_le_bytes()));
        assert_eq!(unlisted.load().err(), Some(ModelError::Cut { section: 5 }));
    }

    #[test]
    fn a_section_at_an_odd_address_is_refused() {
        let row = HEADER + 5 * TABLE_ROW;
        let odd = Copy::with(|bytes| bytes[row] += 1);
        let expected = 256 * 384 * 4;
        assert_eq!(odd.load().err(), Some(ModelError::Section { section: 5, expected, found: expected, alignment: 1 }));
        let short = Copy::with(|bytes| bytes[row + 8] = 4);
        assert!(matches!(short.load(), Err(ModelError::Section { section: 5, .. })));
    }

    #[test]
    fn what_the_vocabulary_does_not_have_means_nothing() {
        let model = Model::load(weights::file()).expect("the shipped model");
        let mut row = [1.0; WIDTH];
        model.look_up(u16::MAX, 0, &mut row);
        assert!(row.iter().all(|value| value.to_bits() == 0));
    }

    #[test]
    fn half_floats_are_read() {
        let known = [(0x0000, 0.0), (0x3c00, 1.0), (0xc000, -2.0), (0x3555, 0.333_251_95), (0x0001, 5.960_464_5e-8)];
        for (bits, value) in known {
            assert_eq!(from_half(bits).to_bits(), f32::to_bits(value), "{bits:#x}");
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: 64, failure_persistence: None, ..ProptestConfig::default() })]

        #[test]
        fn a_damaged_head_never_panics(at in 0_usize..HEADER + 128 * TABLE_ROW, byte: u8) {
            let damaged = Copy::with(|bytes| bytes[at] = byte);
            if let Ok(model) = damaged.load() {
                prop_assert_eq!(model.layers.len(), LAYERS);
            }
        }

        #[test]
        fn any_bytes_are_refused_in_words(mut bytes in prop::collection::vec(any::<u8>(), 0..3000), marked: bool) {
            if marked && bytes.len() > HEADER {
                bytes[..HEADER].copy_from_slice(&weights::file()[..HEADER]);
            }
            prop_assert!(Model::load(&bytes).is_err());
        }
    }
}
