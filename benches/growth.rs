//! How time grows: a joint's share of it over longer and longer chains, and a chain's share over
//! larger and larger crowds. Both should be level.
//!
//! `cargo bench --bench growth`

use std::time::Duration;

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};

#[path = "growth/cases.rs"]
mod cases;

fn grow(criterion: &mut Criterion, name: &str, sizes: &[usize], of: fn(usize) -> Vec<cases::Case>) {
    let mut group = criterion.benchmark_group(name);
    group.warm_up_time(Duration::from_millis(200));
    group.measurement_time(Duration::from_millis(800));
    group.sample_size(20);
    for size in sizes {
        for mut case in of(*size) {
            group.throughput(Throughput::Elements(case.work as u64));
            group.bench_function(BenchmarkId::new(case.family, size), |b| b.iter(|| case.run()));
        }
    }
    group.finish();
}

fn growth(criterion: &mut Criterion) {
    grow(criterion, "growth, joints", &cases::JOINTS, cases::joints);
    grow(criterion, "growth, chains of eight", &cases::CHAINS, cases::chains);
}

criterion_group!(benches, growth);
criterion_main!(benches);
