//! The only door to std or libm.
//!
//! Everything here exists in both; `libm` wins when both features are on, so that the
//! choice never depends on what else a build pulls in.

#[cfg(feature = "libm")]
pub(crate) use libm::{
    atan2f as atan2, expf as exp, expm1f as expm1, log1pf as ln_1p, sqrt as sqrt_f64, sqrtf as sqrt,
};

#[cfg(all(feature = "std", not(feature = "libm")))]
pub(crate) use of_std::*;

#[cfg(all(feature = "std", not(feature = "libm")))]
mod of_std {
    macro_rules! through {
        ($($name:ident($($arg:ident),*) = $method:ident;)*) => {
            $(#[inline]
            pub(crate) fn $name(x: f32 $(, $arg: f32)*) -> f32 {
                x.$method($($arg),*)
            })*
        };
    }
    through! {
        sqrt() = sqrt;
        exp() = exp;
        expm1() = exp_m1;
        ln_1p() = ln_1p;
        atan2(x_axis) = atan2;
    }

    #[inline]
    pub(crate) fn sqrt_f64(x: f64) -> f64 {
        x.sqrt()
    }
}
