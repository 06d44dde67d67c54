//! Where a picture goes.

use std::path::Path;

use anyhow::{Context, Result};
use svg::Document;

/// Writes a picture into a folder that need not be there yet, and names it where it cannot get
/// into a table that is kept.
pub fn picture(path: &Path, document: &Document) -> Result<()> {
    let cannot = |path: &Path| format!("cannot write {}", path.display());
    if let Some(folder) = path.parent() {
        std::fs::create_dir_all(folder).with_context(|| cannot(folder))?;
    }
    svg::save(path, document).with_context(|| cannot(path))?;
    eprintln!("wrote {}", path.display());
    Ok(())
}
