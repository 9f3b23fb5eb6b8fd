//! The seam behind which context engines live. For now one engine: `layered`.
