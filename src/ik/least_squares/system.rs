//! Symmetric systems of a few numbers, as large as the goal.

/// J·W·Jᵀ of the joints that are still free to move, and what is left to the goal.
#[derive(Clone, Copy)]
pub(super) struct System<const M: usize> {
    matrix: [[f32; M]; M],
    pub(super) rest: [f32; M],
}

impl<const M: usize> System<M> {
    pub(super) fn new(rest: [f32; M]) -> Self {
        Self { matrix: [[0.0; M]; M], rest }
    }

    /// Adds `weight · column · columnᵀ`; a negative weight takes it off again.
    #[inline]
    pub(super) fn add(&mut self, column: [f32; M], weight: f32) {
        for (row, a) in self.matrix.iter_mut().zip(column) {
            let a = weight * a;
            for (entry, b) in row.iter_mut().zip(column) {
                *entry += a * b;
            }
        }
    }

    /// The mean of the diagonal: the size of its numbers.
    pub(super) fn size(&self) -> f32 {
        let diagonal = self.matrix.iter().enumerate().filter_map(|(i, row)| row.get(i));
        diagonal.sum::<f32>() / M as f32
    }

    /// x with `(matrix + damping) x = rest`, by elimination: the matrix has no negative
    /// eigenvalue, and a positive damping leaves no pivot at 0. Rounding may; such a row counts
    /// for nothing.
    #[expect(clippy::needless_range_loop, reason = "rows and columns below M, a constant")]
    pub(super) fn solve(&self, damping: f32) -> [f32; M] {
        let (mut a, mut x) = (self.matrix, self.rest);
        for i in 0..M {
            a[i][i] += damping;
        }
        for i in 0..M {
            let inverse = if a[i][i] > 0.0 { 1.0 / a[i][i] } else { 0.0 };
            for j in i + 1..M {
                let factor = a[i][j] * inverse;
                for k in j..M {
                    a[j][k] -= factor * a[i][k];
                }
                x[j] -= factor * x[i];
            }
            // From here on the diagonal holds the pivots' inverses.
            a[i][i] = inverse;
        }
        for i in (0..M).rev() {
            let mut sum = x[i];
            for k in i + 1..M {
                sum -= a[i][k] * x[k];
            }
            x[i] = sum * a[i][i];
        }
        x
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn solve_undoes_the_product() {
        let mut system = System::new([0.0; 3]);
        for (column, weight) in
            [([1.0, 2.0, 0.5], 1.0), ([0.3, -1.0, 2.0], 2.0), ([1.0, 0.0, 1.0], 0.5)]
        {
            system.add(column, weight);
        }
        let x = [0.7, -0.2, 1.5];
        for (rest, row) in system.rest.iter_mut().zip(system.matrix) {
            *rest = row.iter().zip(x).map(|(a, b)| a * b).sum();
        }
        for (got, wanted) in system.solve(0.0).into_iter().zip(x) {
            assert!((got - wanted).abs() < 1e-5);
        }
    }

    #[test]
    fn a_row_without_a_pivot_counts_for_nothing() {
        let mut system = System::new([1.0, 1.0]);
        system.add([2.0, 0.0], 1.0);
        assert_eq!(system.solve(0.0), [0.25, 0.0]);
    }
}
