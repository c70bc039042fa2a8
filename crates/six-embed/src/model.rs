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
        let found = (self.words.get(usize::from(id)), self.word_scales.get(usize::from(id)), self.positions.get(position));
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
        blocks
            .zip(self.scales)
            .zip(self.bias)
            .zip(self.sums)
            .map(|(((blocks, scales), bias), sums)| Panel { blocks, scales, bias, sums })
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
        let header = file.first_chunk::<HEADER>().filter(|header| header.starts_with(MARK)).ok_or(ModelError::NoModel)?;
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
