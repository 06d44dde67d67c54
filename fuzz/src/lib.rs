//! What the fuzz targets share: numbers out of bytes, and what must hold of any answer.

pub mod animated;
pub mod bits;
pub mod chains;
pub mod joints;
pub mod oracle;
pub mod space;
