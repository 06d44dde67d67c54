//! Options that only some values make sense for.

use std::ops::RangeInclusive;

/// A parser of seconds in a range.
pub fn seconds(range: RangeInclusive<f32>) -> impl Fn(&str) -> Result<f32, String> + Clone {
    move |text| match text.parse() {
        Ok(value) if range.contains(&value) => Ok(value),
        _ => Err(format!("expected seconds from {} to {}", range.start(), range.end())),
    }
}
