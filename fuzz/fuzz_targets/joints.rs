//! Joints of any numbers clamp any rotation: an error or a unit rotation within the limit, the
//! same when it is clamped again. Their outlines are on the edge of what they allow.
#![no_main]

use libfuzzer_sys::fuzz_target;
use sinew::glam::{Vec2, Vec3};
use sinew::{
    Rot2, clamp_joint_2d, clamp_joint_2d_soft, clamp_joint_3d, clamp_joint_3d_soft, limit_outline,
};
use sinew_fuzz::bits::Bits;
use sinew_fuzz::joints::{Spec, Spec2, Spec3};
use sinew_fuzz::oracle::{assert_unit, gap};
use sinew_fuzz::space::Space;

/// What the crate promises, in radians.
const EXCESS: f64 = 1e-5;

fuzz_target!(|bytes: &[u8]| {
    let mut bits = Bits::new(bytes);
    match bits.below(4) {
        0 => {
            space(&mut bits, true);
            outline::<Vec3>(&mut bits, true);
        }
        1 => {
            plane(&mut bits, true);
            outline::<Vec2>(&mut bits, true);
        }
        2 => {
            plane(&mut bits, false);
            outline::<Vec2>(&mut bits, false);
        }
        _ => {
            space(&mut bits, false);
            outline::<Vec3>(&mut bits, false);
        }
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

/// The lines end where the joint can take its bone, at the bone's length, and each curve is in one
/// piece.
fn outline<V: Space>(bits: &mut Bits, wild: bool) {
    let spec = V::Spec::draw(bits, wild);
    let (at, parent, bone) = (V::point(bits, wild), V::rotation(bits, wild), V::point(bits, wild));
    let segments = if wild { bits.below(256) } else { 1 + bits.below(16) };
    let Ok(lines) = limit_outline(&spec.joint(), at, parent, bone, segments) else {
        return assert!(wild, "{spec:?}");
    };
    let lines: Vec<_> = lines.collect();
    assert!(lines.iter().flatten().all(|p| p.largest().is_finite()), "{spec:?} {lines:?}");
    // Up to two curves, with two or four spokes each.
    assert!(lines.len() <= 2 * (segments + 4));
    if wild {
        return;
    }
    let length = bone.double().length();
    let grain = 16.0 * f64::from(f32::EPSILON * at.largest().max(bone.largest()));
    let mut before = None;
    for [from, to] in lines {
        // A spoke begins at the joint, as no curve of a bone with any length does.
        if from == at || length <= grain {
            continue;
        }
        let way = to.double() - at.double();
        let fits = |share: f64| (way.length() - share * length).abs() <= 1e-5 * length + grain;
        assert!(fits(1.0) || fits(0.5), "{way} of {length}: {spec:?}");
        if let Some(off) = spec.off_rim(parent, bone, way) {
            assert!(off <= 1e-5 + 2.0 * grain / length, "{off} rad off the rim: {spec:?}");
        }
        assert!(before.is_none_or(|end| end == from) || spec.has_twist(), "a gap in {spec:?}");
        before = Some(to);
    }
}
