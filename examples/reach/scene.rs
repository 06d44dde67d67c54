//! A rig's start, its limits, a pose that the solver came to, and the target.

use anyhow::Result;
use sinew::glam::{DQuat, DVec3};
use sinew::{Joint3, limit_outline};
use svg::node::element::{Group, Path, path::Data};

use crate::draw::{MARGIN, Window, chain, cross, ground, pair};
use crate::marks::line;
use crate::rig::{Hinge, Pose, Rig};
use crate::solve::Outcome;

/// The lines of a limit's arc.
const SEGMENTS: usize = 24;

/// The start as a ghost, the limits, the pose and the target.
pub fn scene(
    window: &Window,
    rig: &Rig,
    start: &Pose,
    outcome: &Outcome,
    class: &str,
) -> Result<Group> {
    let mut group = Group::new().set("class", class).add(ground(window, start.positions[0]));
    for node in fans(window, rig, outcome)? {
        group = group.add(node);
    }
    group = group.add(chain(window, start).set("class", "ghost"));
    let tip = outcome.pose.positions[rig.joints.len()];
    let (tip, target) = (window.at(tip), window.at(outcome.target));
    if tip.distance(target) > 8.0 {
        group = group.add(line(tip, target, "gap"));
    }
    Ok(group.add(chain(window, &outcome.pose)).add(cross(target)))
}

fn fans(window: &Window, rig: &Rig, outcome: &Outcome) -> Result<Vec<Group>> {
    let mut fans = Vec::new();
    let (mut parent, mut radius, mut before) = (DQuat::IDENTITY, MARGIN, None);
    for (i, hinge) in rig.joints.iter().enumerate() {
        let (at, own) = (outcome.pose.positions[i], outcome.pose.rotations[i]);
        radius = if before == Some(at) { 0.74 * radius } else { MARGIN };
        if hinge.is_limited() {
            let ahead = outcome.pose.positions.iter().skip(i + 1);
            let ahead = ahead.map(|p| *p - at).find(|bone| bone.length() * window.scale() > 1.0);
            let hand = own.conjugate() * ahead.unwrap_or(DVec3::ZERO);
            let hand = hand_of(hinge, hand) * (radius / window.scale());
            let held = hinge.is_held(outcome.measured.angles[i]);
            let fan = fan(window, &hinge.joint_3d(), hand, [parent, own], at)?;
            fans.push(fan.set("class", if held { "fan held" } else { "fan" }));
        }
        (parent, before) = (own, Some(at));
    }
    Ok(fans)
}

/// The direction that shows a hinge's angle: the bone's part across the axis, or any across it
/// where the bone runs along the axis.
fn hand_of(hinge: &Hinge, bone: DVec3) -> DVec3 {
    let axis = hinge.axis();
    let across = bone - axis * bone.dot(axis);
    if across.length() > 0.25 * bone.length() {
        across.normalize()
    } else {
        axis.any_orthonormal_vector()
    }
}

/// What the range lets the hand sweep, as the library outlines it, and where the hand stands.
///
/// `hand` is a bone in the joint's own frame.
fn fan(
    window: &Window,
    joint: &Joint3,
    hand: DVec3,
    [parent, own]: [DQuat; 2],
    at: DVec3,
) -> Result<Group> {
    let lines = limit_outline(joint, at.as_vec3(), parent.as_quat(), hand.as_vec3(), SEGMENTS)?;
    let centre = window.at(at);
    let mut data = Data::new().move_to(pair(centre));
    for end in lines.take(SEGMENTS).flatten() {
        data = data.line_to(pair(window.at(end.as_dvec3())));
    }
    let range = Path::new().set("d", data.close()).set("class", "range");
    Ok(Group::new().add(range).add(line(centre, window.at(at + own * hand), "hand")))
}
