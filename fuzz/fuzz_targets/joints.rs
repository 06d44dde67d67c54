//! Joints of any numbers clamp any rotation: an error or a unit rotation within the limit, the
//! same when it is clamped again.
#![no_main]
#![allow(missing_docs)]

use libfuzzer_sys::fuzz_target;
use sinew::{Rot2, clamp_joint_2d, clamp_joint_2d_soft, clamp_joint_3d, clamp_joint_3d_soft};
use sinew_fuzz::bits::Bits;
use sinew_fuzz::joints::{Spec, Spec2, Spec3};
use sinew_fuzz::oracle::{assert_unit, gap};

/// What the crate promises, in radians.
const EXCESS: f64 = 1e-5;

fuzz_target!(|bytes: &[u8]| {
    let mut bits = Bits::new(bytes);
    match bits.below(4) {
        0 => space(&mut bits, true),
        1 => plane(&mut bits, true),
        2 => plane(&mut bits, false),
        _ => space(&mut bits, false),
    }
});

fn space(bits: &mut Bits, wild: bool) {
    let local = if wild { bits.any_quat() } else { bits.quat() };
    let softness = if wild { bits.any() } else { bits.share() };
    let spec = Spec3::new(bits, wild);
    let soft = clamp_joint_3d_soft(local, &spec.joint, softness);
    let clamped = match clamp_joint_3d(local, &spec.joint) {
        Ok(clamped) => clamped,
        Err(error) => {
            assert!(wild, "{error}: {spec:?}");
            return;
        }
    };
    // A rotation that is allowed to be a little off unit length comes back as it is.
    if !wild {
        assert_unit(clamped);
        let excess = spec.excess(clamped.as_dquat());
        assert!(excess < EXCESS, "{local} clamped to {clamped}, {excess} rad outside {spec:?}");
        let soft = soft.expect("sound numbers");
        assert_unit(soft);
        let excess = spec.excess(soft.as_dquat());
        assert!(excess < EXCESS, "{local} eased to {soft}, {excess} rad outside {spec:?}");
    }
    assert!(clamped.is_finite());
    let again = clamp_joint_3d(clamped, &spec.joint).expect("a rotation");
    if spec.is_regular() {
        assert_eq!(again, clamped, "{local} clamped by {spec:?}");
    } else if !wild {
        // Where a shape's own coordinates break down, rounding moves what was clamped along
        // its limit: by a tenth of a milliradian on the flattest ellipses.
        let apart = gap(again.as_dquat(), clamped.as_dquat());
        assert!(apart < 1e-4, "{local} clamped by {spec:?}: {clamped}, then {again}");
    }
}

fn plane(bits: &mut Bits, wild: bool) {
    let local = if wild { Rot2 { cos: bits.any(), sin: bits.any() } } else { bits.rot2() };
    let softness = if wild { bits.any() } else { bits.share() };
    let spec = Spec2::new(bits, wild);
    let soft = clamp_joint_2d_soft(local, &spec.joint, softness);
    let clamped = match clamp_joint_2d(local, &spec.joint) {
        Ok(clamped) => clamped,
        Err(error) => {
            assert!(wild, "{error}: {spec:?}");
            return;
        }
    };
    assert!(clamped.cos.is_finite() && clamped.sin.is_finite());
    if !wild {
        let excess = spec.excess(clamped).max(spec.excess(soft.expect("sound numbers")));
        assert!(excess < EXCESS, "{local:?} ends {excess} rad outside {spec:?}");
    }
    assert_eq!(clamp_joint_2d(clamped, &spec.joint), Ok(clamped), "{local:?} by {spec:?}");
}
