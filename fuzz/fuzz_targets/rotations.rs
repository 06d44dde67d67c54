//! Arcs, swing and twist, look rotations, wrapped and clamped angles: unit rotations out of any
//! finite numbers, and the rotation that was asked for.
#![no_main]

use core::f64::consts::TAU;

use libfuzzer_sys::fuzz_target;
use sinew::glam::{Quat, Vec3};
use sinew::{
    Rot2, Rotation, clamp_angle, look_rotation, perpendicular, rotate_towards, shortest_arc_2d,
    shortest_arc_3d, signed_angle_2d, signed_angle_3d, swing_twist, wrap_angle,
};
use sinew_fuzz::bits::Bits;
use sinew_fuzz::oracle::{angle_between, assert_unit, direction, gap};

fuzz_target!(|bytes: &[u8]| {
    let mut bits = Bits::new(bytes);
    match bits.below(6) {
        0 => arc(bits.any_vec3(), bits.any_vec3()),
        1 => arc_in_the_plane(&mut bits),
        2 => swing_and_twist(bits.quat(), bits.any_vec3()),
        3 => look(&mut bits),
        4 => angles(bits.any(), bits.any(), bits.any()),
        _ => towards(&mut bits),
    }
});

fn arc(from: Vec3, to: Vec3) {
    let arc = shortest_arc_3d(from, to);
    let across = perpendicular(from);
    let signed = signed_angle_3d(from, to, across);
    if !(from.is_finite() && to.is_finite()) {
        return;
    }
    assert_unit(arc);
    assert!(arc.w >= 0.0);
    assert!(signed.abs() <= core::f32::consts::PI);
    assert!((across.as_dvec3().length() - 1.0).abs() < 1e-6);
    let (Some(a), Some(b)) = (direction(from), direction(to)) else {
        assert_eq!(arc, Quat::IDENTITY);
        return;
    };
    assert!(across.as_dvec3().dot(a).abs() < 1e-6, "{across} is not across {from}");
    let angle = angle_between(a, b);
    let turned = f64::from(Rotation::angle(arc));
    assert!((turned - angle).abs() <= 1e-6 * angle + 1e-12, "{from} to {to}: {turned} not {angle}");
    let miss = angle_between(arc.as_dquat().normalize() * a, b);
    assert!(miss < 1e-6, "{from} to {to}: {arc} misses by {miss}");
}

fn arc_in_the_plane(bits: &mut Bits) {
    let (from, to) = (bits.any_vec2(), bits.any_vec2());
    let arc = shortest_arc_2d(from, to);
    let signed = signed_angle_2d(from, to);
    if !(from.is_finite() && to.is_finite()) {
        return;
    }
    assert!((f64::from(arc.cos).hypot(f64::from(arc.sin)) - 1.0).abs() < 1e-6);
    let (a, b) = (from.as_dvec2(), to.as_dvec2());
    let angle = a.perp_dot(b).atan2(a.dot(b));
    // Next to half a turn the sign is rounding's to choose.
    if core::f64::consts::PI - angle.abs() > 1e-3 {
        let error = (f64::from(signed) - angle).abs();
        assert!(error <= 1e-6 * angle.abs() + 1e-12, "{from} to {to}: {signed} not {angle}");
    }
}

fn swing_and_twist(rotation: Quat, axis: Vec3) {
    let (swing, twist) = swing_twist(rotation, axis);
    if !axis.is_finite() {
        return;
    }
    assert_unit(swing);
    assert_unit(twist);
    assert!(swing.w >= 0.0 && twist.w >= 0.0);
    assert!(gap((swing * twist).as_dquat(), rotation.as_dquat()) < 2e-6);
    if let Some(axis) = direction(axis) {
        assert!(twist.xyz().as_dvec3().cross(axis).length() < 1e-6, "{twist} is not about {axis}");
        // In a swing of nearly half a turn the twist drowns in rounding.
        if swing.w > 1e-3 {
            assert!(swing.xyz().as_dvec3().dot(axis).abs() < 1e-3, "{swing} twists about {axis}");
        }
    }
}

fn look(bits: &mut Bits) {
    let (to, up, forward, local_up) =
        (bits.any_vec3(), bits.any_vec3(), bits.any_vec3(), bits.any_vec3());
    let rotation = look_rotation(to, up, forward, local_up);
    if [to, up, forward, local_up].iter().all(|v| v.is_finite()) {
        assert_unit(rotation);
        if let (Some(to), Some(forward)) = (direction(to), direction(forward)) {
            let miss = angle_between(rotation.as_dquat().normalize() * forward, to);
            assert!(miss < 2e-6, "{forward} goes {miss} rad past {to}");
        }
    }
}

/// The distance between two angles on the circle.
fn on_circle(a: f64, b: f64) -> f64 {
    let turn = (a - b).rem_euclid(TAU);
    turn.min(TAU - turn)
}

fn angles(angle: f32, min: f32, max: f32) {
    let wrapped = wrap_angle(angle);
    if angle.is_finite() {
        assert!(wrapped.abs() <= core::f32::consts::PI);
        assert_eq!(wrap_angle(wrapped).to_bits(), wrapped.to_bits());
        // Beyond, the difference itself has lost the turns.
        if angle.abs() < 1e6 {
            assert!(on_circle(f64::from(wrapped), f64::from(angle)) < 1e-6);
        }
    }
    let Ok(clamped) = clamp_angle(angle, min, max) else {
        assert!(!(angle.is_finite() && min.is_finite() && max.is_finite() && min <= max));
        return;
    };
    assert!(min <= clamped && clamped <= max, "{angle} in {min}..{max} gave {clamped}");
    assert_eq!(clamp_angle(clamped, min, max).map(f32::to_bits), Ok(clamped.to_bits()));
    // Nearest: no farther than either bound, as far as numbers of this size can say. Four units
    // from half a turn still count as a tie, and the bounds' distances differ by twice that.
    let size = angle.abs().max(min.abs()).max(max.abs()).max(core::f32::consts::PI);
    let slack = f64::from(size) * 8.0 * f64::from(f32::EPSILON);
    let (angle, min, max) = (f64::from(angle), f64::from(min), f64::from(max));
    let nearest = on_circle(angle, min).min(on_circle(angle, max));
    let off = on_circle(angle, f64::from(clamped));
    assert!(off <= nearest + slack, "{angle} in {min}..{max} gave {clamped}: {off}, not {nearest}");
}

fn towards(bits: &mut Bits) {
    let step = bits.any();
    let (from, to) = (bits.quat(), bits.quat());
    let (flat_from, flat_to) = (bits.rot2(), bits.rot2());
    let (turned, flat) =
        (rotate_towards(from, to, step), rotate_towards::<Rot2>(flat_from, flat_to, step));
    let (Ok(turned), Ok(flat)) = (turned, flat) else {
        assert!(turned.is_err() && flat.is_err() && (step.is_nan() || step < 0.0));
        return;
    };
    assert_unit(turned);
    assert!((f64::from(flat.cos).hypot(f64::from(flat.sin)) - 1.0).abs() < 1e-6);
    let went = gap(from.as_dquat(), turned.as_dquat());
    assert!(went <= f64::from(step) * (1.0 + 1e-5) + 1e-6);
    let whole = gap(from.as_dquat(), to.as_dquat());
    let left = gap(turned.as_dquat(), to.as_dquat());
    let wanted = (whole - f64::from(step)).max(0.0);
    assert!((left - wanted).abs() < 2e-6, "{from} to {to} by {step}: {left} left of {whole}");
    shares(bits, from, flat_from);
}

/// Rotation vectors and back, and parts of a turn.
fn shares(bits: &mut Bits, turn: Quat, flat: Rot2) {
    let there = Quat::exp(turn.log());
    assert!(gap(there.as_dquat(), turn.as_dquat()) < 1e-6, "{turn} became {there}");
    let back = Rot2::exp(flat.log());
    assert!((back.cos - flat.cos).abs() + (back.sin - flat.sin).abs() < 1e-6, "{flat:?}, {back:?}");
    let share = bits.share();
    let part = f64::from(share) * gap(Quat::IDENTITY.as_dquat(), turn.as_dquat());
    let scaled = turn.scaled(share);
    assert_unit(scaled);
    assert!(
        (f64::from(Rotation::angle(scaled)) - part).abs() < 1e-6,
        "{share} of {turn}: {scaled}"
    );
    let scaled = flat.scaled(share);
    assert!(
        (scaled.angle() - share * flat.angle()).abs() < 1e-6,
        "{share} of {flat:?}: {scaled:?}"
    );
    // No rotation of any numbers is a panic.
    let _ = (bits.any_quat().log(), bits.any_quat().scaled(bits.any()), Quat::exp(bits.any_vec3()));
}
