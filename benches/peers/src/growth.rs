pub fn table(_: crate::measure::Pace) -> String {
    String::new()
}
