//! Numbers as runs of bits, lowest bit first: fixed widths, Rice codes for differences whose
//! mean is known, gamma codes for small counts.

/// Zeros of a Rice code before its number is written in full.
const MAX_UNARY: u32 = 24;
/// Bits of a number that is written in full.
const FULL_BITS: u32 = 40;

/// Appends bits.
#[derive(Debug, Default)]
pub(super) struct BitWriter {
    bytes: Vec<u8>,
    /// Bits that do not fill a byte yet, and how many.
    pending: u64,
    used: u32,
}

impl BitWriter {
    /// How many bits were written.
    pub(super) fn len(&self) -> u64 {
        self.bytes.len() as u64 * 8 + u64::from(self.used)
    }

    /// Appends the lowest bits of a number, 32 at most.
    pub(super) fn put(&mut self, number: u64, width: u32) {
        let number = number & ((1 << width) - 1);
        self.pending |= number << self.used;
        self.used += width;
        if self.used >= 32 {
            let word = self.pending as u32;
            self.bytes.extend_from_slice(&word.to_le_bytes());
            self.pending >>= 32;
            self.used -= 32;
        }
    }

    /// Appends a number of up to 40 bits, best one of about two to the power of `shift`.
    pub(super) fn put_rice(&mut self, number: u64, shift: u32) {
        let high = number >> shift;
        if high >= u64::from(MAX_UNARY) {
            self.put(0, MAX_UNARY);
            self.put(number, FULL_BITS / 2);
            self.put(number >> (FULL_BITS / 2), FULL_BITS / 2);
            return;
        }
        let unary = high as u32 + 1;
        if unary + shift <= 32 {
            let low = number & ((1 << shift) - 1);
            self.put(1 << high | low << unary, unary + shift);
        } else {
            self.put(1 << high, unary);
            self.put(number, shift / 2);
            self.put(number >> (shift / 2), shift - shift / 2);
        }
    }

    /// Appends a number from 1 on; small ones take few bits.
    pub(super) fn put_gamma(&mut self, number: u64) {
        let width = number.max(1).ilog2().min(31);
        self.put(1 << width, width + 1);
        self.put(number, width);
    }

    /// The bits, without room to spare.
    pub(super) fn finish(mut self) -> Box<[u8]> {
        let rest = self.pending.to_le_bytes();
        let used = self.used.div_ceil(8) as usize;
        self.bytes.extend(rest.iter().take(used));
        self.bytes.into_boxed_slice()
    }
}

/// Reads bits; after the end `None`.
#[derive(Clone, Debug)]
pub(super) struct BitReader<'a> {
    bytes: &'a [u8],
    /// The next byte.
    at: usize,
    buffer: u64,
    /// Valid bits of the buffer, at least.
    bits: u32,
}

impl<'a> BitReader<'a> {
    /// A reader from a bit on.
    pub(super) fn new(bytes: &'a [u8], from: u64) -> Self {
        let mut reader = Self {
            bytes,
            at: (from / 8) as usize,
            buffer: 0,
            bits: 0,
        };
        reader.fill();
        reader.take((from % 8) as u32);
        reader
    }

    /// The position, in bits.
    pub(super) fn position(&self) -> u64 {
        self.at as u64 * 8 - u64::from(self.bits)
    }

    /// Goes forward.
    pub(super) fn skip(&mut self, bits: u64) {
        *self = Self::new(self.bytes, self.position() + bits);
    }

    /// At least 56 bits are in the buffer, unless the end is nearer.
    #[inline]
    fn fill(&mut self) {
        let next = self.bytes.get(self.at..self.at + 8);
        if let Some(next) = next.and_then(|next| <[u8; 8]>::try_from(next).ok()) {
            let taken = (63 - self.bits) / 8;
            let word = u64::from_le_bytes(next) & (u64::MAX >> (64 - 8 * taken).min(63));
            if taken > 0 {
                self.buffer |= word << self.bits;
                self.at += taken as usize;
                self.bits += 8 * taken;
            }
            return;
        }
        while self.bits <= 55
            && let Some(&byte) = self.bytes.get(self.at)
        {
            self.buffer |= u64::from(byte) << self.bits;
            self.at += 1;
            self.bits += 8;
        }
    }

    fn take(&mut self, width: u32) -> Option<u64> {
        if self.bits < width {
            return None;
        }
        let number = self.buffer & ((1 << width) - 1);
        self.buffer >>= width;
        self.bits -= width;
        Some(number)
    }

    /// The next bits, 40 at most.
    pub(super) fn read(&mut self, width: u32) -> Option<u64> {
        if self.bits < width {
            self.fill();
        }
        self.take(width)
    }

    /// A number that was written with the same `shift`.
    pub(super) fn read_rice(&mut self, shift: u32) -> Option<u64> {
        if self.bits < 48 {
            self.fill();
        }
        let zeros = self.buffer.trailing_zeros();
        if zeros >= MAX_UNARY {
            self.take(MAX_UNARY)?;
            return self.read(FULL_BITS);
        }
        self.take(zeros + 1)?;
        Some(u64::from(zeros) << shift | self.read(shift)?)
    }

    /// A number that was written with the same `shift`, of 24 at most, and a bit behind it.
    #[inline]
    pub(super) fn read_rice_and_bit(&mut self, shift: u32) -> Option<(u64, bool)> {
        if self.bits < 50 {
            self.fill();
        }
        let zeros = self.buffer.trailing_zeros();
        let width = zeros + shift + 2;
        if zeros >= MAX_UNARY || width > self.bits {
            let number = self.read_rice(shift)?;
            return Some((number, self.read(1)? == 1));
        }
        let rest = self.buffer >> (zeros + 1);
        let low = rest & ((1 << shift) - 1);
        let bit = rest >> shift & 1 == 1;
        self.buffer >>= width;
        self.bits -= width;
        Some((u64::from(zeros) << shift | low, bit))
    }

    /// A number that was written as a gamma code.
    #[inline]
    pub(super) fn read_gamma(&mut self) -> Option<u64> {
        if self.bits < 48 {
            self.fill();
        }
        let width = self.buffer.trailing_zeros();
        if 2 * width < self.bits {
            let number = self.buffer >> (width + 1) & ((1 << width) - 1);
            self.buffer >>= 2 * width + 1;
            self.bits -= 2 * width + 1;
            return Some(1 << width | number);
        }
        self.take(width + 1).filter(|_| width <= FULL_BITS)?;
        Some(1 << width | self.read(width)?)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[derive(Clone, Debug)]
    enum Code {
        Fixed(u64, u32),
        Rice(u64, u32),
        RiceAndBit(u64, u32, bool),
        Gamma(u64),
    }

    fn code() -> impl Strategy<Value = Code> {
        let number = (0u32..40).prop_flat_map(|bits| 0..(1u64 << bits));
        prop_oneof![
            (any::<u32>(), 0u32..=32).prop_map(|(number, width)| {
                Code::Fixed(u64::from(number) & ((1 << width) - 1), width)
            }),
            (number.clone(), 0u32..=38).prop_map(|(number, shift)| Code::Rice(number, shift)),
            (number, 0u32..=24, any::<bool>())
                .prop_map(|(number, shift, bit)| Code::RiceAndBit(number, shift, bit)),
            (1u64..=u64::from(u32::MAX)).prop_map(Code::Gamma),
        ]
    }

    proptest! {
        #[test]
        fn what_was_written_is_read(codes in prop::collection::vec(code(), 0..60), skipped in 0usize..60) {
            let mut writer = BitWriter::default();
            let mut starts = Vec::new();
            for code in &codes {
                starts.push(writer.len());
                match *code {
                    Code::Fixed(number, width) => writer.put(number, width),
                    Code::Rice(number, shift) => writer.put_rice(number, shift),
                    Code::RiceAndBit(number, shift, bit) => {
                        writer.put_rice(number, shift);
                        writer.put(u64::from(bit), 1);
                    }
                    Code::Gamma(number) => writer.put_gamma(number),
                }
            }
            let end = writer.len();
            let bytes = writer.finish();
            let skipped = skipped.min(codes.len());
            let mut reader = BitReader::new(&bytes, 0);
            reader.skip(starts.get(skipped).copied().unwrap_or(end));
            for (code, start) in codes.iter().zip(&starts).skip(skipped) {
                prop_assert_eq!(reader.position(), *start);
                match *code {
                    Code::Fixed(number, width) => prop_assert_eq!(reader.read(width), Some(number)),
                    Code::Rice(number, shift) => {
                        prop_assert_eq!(reader.read_rice(shift), Some(number));
                    }
                    Code::RiceAndBit(number, shift, bit) => {
                        prop_assert_eq!(reader.read_rice_and_bit(shift), Some((number, bit)));
                    }
                    Code::Gamma(number) => prop_assert_eq!(reader.read_gamma(), Some(number)),
                }
            }
            prop_assert_eq!(reader.position(), end);
        }

        #[test]
        fn nothing_is_read_behind_the_end(bytes in prop::collection::vec(any::<u8>(), 0..40), from in 0u64..400) {
            let mut reader = BitReader::new(&bytes, from);
            while reader.read_rice_and_bit(3).is_some() && reader.read_gamma().is_some() {}
            prop_assert!(reader.position() <= (bytes.len() as u64 * 8).max(from));
        }
    }
}
