//! What a user keeps goes into a file and comes back the same; what a file gets wrong is an error
//! when it is used.
#![cfg(feature = "serde")]

use core::f32::consts::PI;
use core::fmt::Debug;

use serde::{Serialize, de::DeserializeOwned};
use sinew::glam::{Quat, Vec2, Vec3};
use sinew::{
    AimSettings, Bend, BendConstraint, BodyMotion, BodySettings, Capsule, CcdSettings, Collider,
    Contact, DistanceConstraint, Ease, Effector, FabrikSettings, Fault, FixedSteps, Gait, Ground,
    Hold, Home, Joint2, Joint3, LeastSquaresSettings, Moving, Order, OrientedBox, Plane, Pole,
    Pose, Relaxation, Roll, Rot2, SecondOrder, Side, Sphere, Spring, SpringBones, SpringJoint,
    SpringRule, SpringState, StepSettings, StepShape, Stepper, TwoBoneSettings, Verlet, Wind, aim,
    ccd_solve, clamp_joint_3d, distance_constraints, reach, sphere_collide, spring_bone_step,
    step_curve, verlet_step,
};

fn comes_back<T: Serialize + DeserializeOwned + PartialEq + Debug>(value: &T) {
    let text = serde_json::to_string(value).unwrap();
    assert_eq!(serde_json::from_str::<T>(&text).unwrap(), *value, "{text}");
}

#[test]
fn joints_come_back_the_same() {
    let rest = Quat::from_rotation_z(0.4);
    comes_back(&[
        Joint3::free(),
        Joint3::hinge(Vec3::new(1.0, 2.0, 3.0), -0.5, 4.0).with_rest(rest),
        Joint3::cone(Vec3::Y, 0.7).with_twist(-0.1, 0.3).with_weight(0.5),
        Joint3::ellipse(Vec3::Y, Vec3::X, [-0.2, 1.0], [-0.4, 0.6]),
        Joint3::yaw_pitch(Vec3::Z, Vec3::Y, [-0.4, 0.8], [-0.3, 0.3]),
    ]);
    comes_back(&[Joint2::free(), Joint2::range(-0.5, 2.0).with_rest(Rot2::from_angle(0.3))]);
}

#[test]
fn colliders_come_back_the_same() {
    let turn = Quat::from_rotation_x(0.3);
    comes_back(&[
        Collider::Sphere(Sphere::inside(Vec3::ONE, 2.0)),
        Collider::Capsule(Capsule::new(Vec3::ZERO, Vec3::Y, 0.2)),
        Collider::Plane(Plane::new(Vec3::ZERO, Vec3::Y)),
        Collider::Box(OrientedBox::new(Vec3::X, Vec3::ONE).with_rotation(turn)),
    ]);
    comes_back(&Collider::Box(
        OrientedBox::new(Vec2::X, Vec2::ONE).with_rotation(Rot2::from_angle(0.3)),
    ));
    comes_back(&Pose::new(Vec2::X, Rot2::from_angle(0.3)));
}

#[test]
fn settings_come_back_the_same() {
    comes_back(&CcdSettings { order: Order::RootFirst, ..CcdSettings::default() });
    comes_back(&FabrikSettings { max_iterations: 7, ..FabrikSettings::default() });
    comes_back(&LeastSquaresSettings::at(Vec2::X).with_rotation(Rot2::from_angle(0.2)));
    comes_back(&AimSettings { roll: Roll::Least, ..AimSettings::<Vec3>::default() });
    comes_back(&TwoBoneSettings {
        bend: Bend { pole: Pole::Point(Vec3::Z), axis: Some(Vec3::X) },
        lengths: Some([0.3, 0.2]),
        effector: Effector::Set(Quat::from_rotation_x(0.3)),
        ..TwoBoneSettings::default()
    });
    comes_back(&TwoBoneSettings { bend: Side::Left, ..TwoBoneSettings::<Side, Rot2>::default() });
    comes_back(&Spring::from_half_life(0.2));
    comes_back(&SecondOrder::default());
    comes_back(&SpringJoint { gravity: Vec3::NEG_Y, ..SpringJoint::default() });
    comes_back(&[SpringRule::Steady, SpringRule::Vrm]);
    comes_back(&Wind { direction: Vec3::X, ..Wind::default() });
    comes_back(&Gait { turn: 1, ..Gait::default() });
    comes_back(&StepSettings { ease: Ease::BackOut, ..StepSettings::default() });
    comes_back(&StepShape { up: Vec3::Y, lift: 0.2, flat_start: true, flat_landing: false });
    comes_back(&BodySettings::default());
    comes_back(&DistanceConstraint { particles: [1, 2], rest: 0.3, ..Default::default() });
    comes_back(&BendConstraint { particles: [1, 2, 3], hold: Hold::AtMost, ..Default::default() });
}

/// State goes on from a file as if it had never stopped: a foot in the air, a bone on its way.
#[test]
fn state_comes_back_the_same() {
    comes_back(&Moving { position: Vec3::X, velocity: Vec3::Y });
    let mut clock = FixedSteps::new(0.01, 8).unwrap();
    let _ = clock.advance(0.025).unwrap();
    comes_back(&clock);
    let mut body = BodyMotion::on_ground(Vec3::ZERO, Vec3::Z, Vec3::Y).unwrap();
    body.advance(Vec3::X * 9.0, &BodySettings::default(), 0.1).unwrap();
    comes_back(&body);
    let home = |x| Home { position: Vec3::X * x, rotation: Quat::IDENTITY, up: Vec3::Y };
    let floor = Ground { point: Vec3::ZERO, normal: Vec3::Y };
    comes_back(&(home(0.0), floor));
    let mut foot = Stepper::planted(home(0.0)).with_group(1);
    let step = StepSettings::default();
    comes_back(&foot.advance(&home(0.5), &step, |p| Some(floor.nearest(p)), 0.1).unwrap());
    assert!(foot.phase().is_some());
    comes_back(&foot);
    let mut state = [SpringState::default(); 2];
    let (mut positions, mut rotations) = ([Vec3::ZERO, Vec3::X], [Quat::IDENTITY; 2]);
    let bones = SpringBones::default();
    let report =
        spring_bone_step(&mut positions, &mut rotations, &mut state, &bones, 0.02).unwrap();
    assert!(state[0].started && state[0].clock > 0.0);
    comes_back(&state);
    comes_back(&report);
}

#[test]
fn reports_come_back_the_same() {
    let (mut positions, mut rotations) =
        ([Vec3::ZERO, Vec3::X, Vec3::X * 2.0], [Quat::IDENTITY; 3]);
    let settings = CcdSettings::default();
    comes_back(&ccd_solve(&mut positions, &mut rotations, &[], Vec3::Y, &settings).unwrap());
    let (mut eye, up) = (Quat::IDENTITY, AimSettings::default());
    comes_back(&aim(Vec3::ZERO, &mut eye, &Joint3::cone(Vec3::Z, 0.2), Vec3::X, &up).unwrap());
    comes_back(&reach(&positions).unwrap());
    comes_back(&step_curve(Vec3::ZERO, Vec3::X, Vec3::Y, 0.1, 0.3).unwrap());
    comes_back(&FixedSteps::new(0.01, 8).unwrap().advance(2.0).unwrap());
    let ball = Sphere::new(Vec3::ZERO, 0.5);
    comes_back(&sphere_collide(&mut positions, &[], &ball, &Contact::default()).unwrap());
    let fall = Verlet { acceleration: Vec3::NEG_Y, ..Verlet::default() };
    let mut previous = positions;
    comes_back(&verlet_step(&mut positions, &mut previous, &fall, 0.1).unwrap());
    let rod = DistanceConstraint { particles: [0, 1], rest: 0.3, ..Default::default() };
    let rough = Relaxation { iterations: 0, ..Relaxation::default() };
    comes_back(&distance_constraints(&mut positions, &[rod], &mut [], &rough).unwrap());
}

/// A file says what it wants otherwise and no more, and one of before a setting was added stays
/// good.
#[test]
fn settings_that_a_file_does_not_name_are_the_defaults() {
    fn is_default<T: DeserializeOwned + Default + PartialEq + Debug>() {
        assert_eq!(serde_json::from_str::<T>("{}").unwrap(), T::default());
    }
    is_default::<CcdSettings>();
    is_default::<FabrikSettings>();
    is_default::<AimSettings<Vec3>>();
    is_default::<AimSettings<Vec2>>();
    is_default::<TwoBoneSettings>();
    is_default::<TwoBoneSettings<Side, Rot2>>();
    is_default::<Bend>();
    is_default::<Spring>();
    is_default::<SecondOrder>();
    is_default::<SpringJoint<Vec2>>();
    is_default::<Wind<Vec3>>();
    is_default::<Gait>();
    is_default::<StepSettings>();
    is_default::<BodySettings>();
    // What a constraint is about has no default.
    let rod = serde_json::from_str(r#"{ "particles": [1, 2], "rest": 0.3 }"#).unwrap();
    assert_eq!(DistanceConstraint { particles: [1, 2], rest: 0.3, ..Default::default() }, rod);
    assert!(serde_json::from_str::<DistanceConstraint>(r#"{ "particles": [1, 2] }"#).is_err());
    let row = serde_json::from_str(r#"{ "particles": [1, 2, 3] }"#).unwrap();
    assert_eq!(BendConstraint { particles: [1, 2, 3], ..Default::default() }, row);
    assert!(serde_json::from_str::<BendConstraint>("{}").is_err());
}

#[test]
fn a_files_mistakes_are_found_when_the_joint_is_used() {
    let text = serde_json::to_string(&Joint3::hinge(Vec3::X, -0.5, 1.0)).unwrap();
    let long = text.replace("[1.0,0.0,0.0]", "[2.0,0.0,0.0]");
    assert_ne!(long, text);
    let joint: Joint3 = serde_json::from_str(&long).unwrap();
    let error = clamp_joint_3d(Quat::IDENTITY, &joint).unwrap_err();
    assert_eq!((error.argument, error.fault), ("joint.axis", Fault::NotUnit));
    let swapped = text.replace("-0.5", "7.5");
    let joint: Joint3 = serde_json::from_str(&swapped).unwrap();
    let error = clamp_joint_3d(Quat::IDENTITY, &joint).unwrap_err();
    assert_eq!((error.argument, error.fault), ("joint.min", Fault::AboveMax));
}

#[test]
fn a_files_mistakes_are_found_when_the_clock_is_used() {
    let text = serde_json::to_string(&FixedSteps::new(0.5, 8).unwrap()).unwrap();
    for (field, wrong, argument) in [
        ("\"step\":0.5", "\"step\":0.0", "step"),
        ("\"max_steps\":8", "\"max_steps\":0", "max_steps"),
        ("\"remainder\":0.0", "\"remainder\":2.0", "remainder"),
    ] {
        let spoilt = text.replace(field, wrong);
        assert_ne!(spoilt, text);
        let mut clock: FixedSteps = serde_json::from_str(&spoilt).unwrap();
        let before = clock;
        let error = clock.advance(0.05).unwrap_err();
        assert_eq!((error.argument, error.fault), (argument, Fault::OutOfRange));
        assert_eq!(clock, before);
    }
}

/// What follows from the two axes of an ellipse or an eye is not written, and so cannot contradict
/// them; that they are across each other is looked at.
#[test]
fn an_axis_that_is_not_across_the_other_is_found() {
    let ellipse = Joint3::ellipse(Vec3::Y, Vec3::X, [-0.2, 1.0], [-0.4, 0.6]);
    let eye = Joint3::yaw_pitch(Vec3::Z, Vec3::Y, [-0.4, 0.8], [-0.3, 0.3]);
    for (joint, across, argument) in [
        (ellipse, "\"across\":[1.0,0.0,0.0]", "joint.across"),
        (eye, "\"up\":[0.0,1.0,0.0]", "joint.up"),
    ] {
        let text = serde_json::to_string(&joint).unwrap();
        // The two axes, and the rest rotation of four numbers.
        assert_eq!(text.matches('[').count(), 3, "{text}");
        let name = across.split(':').next().unwrap();
        let skewed = text.replace(across, &format!("{name}:[0.0,0.6,0.8]"));
        assert_ne!(skewed, text);
        let joint: Joint3 = serde_json::from_str(&skewed).unwrap();
        let error = clamp_joint_3d(Quat::IDENTITY, &joint).unwrap_err();
        assert_eq!((error.argument, error.fault), (argument, Fault::NotAcross));
    }
}

/// Three digits of an axis are too few for limits that hold to 1e-5 rad.
/// π and its half, to four decimals.
#[test]
fn rounded_bounds_are_taken() {
    let half = Joint3::ellipse(Vec3::Y, Vec3::X, [-PI, PI], [-1.0, PI]);
    let quarter = Joint3::yaw_pitch(Vec3::Z, Vec3::Y, [-PI, PI], [-0.5 * PI, 0.5 * PI]);
    for (joint, digits, rounded) in
        [(half, "3.1415927", "3.1416"), (quarter, "1.5707964", "1.5708")]
    {
        let file = serde_json::to_string(&joint).unwrap();
        assert!(file.contains(digits), "{file}");
        let read: Joint3 = serde_json::from_str(&file.replace(digits, rounded)).unwrap();
        assert!(clamp_joint_3d(Quat::IDENTITY, &read).is_ok(), "{file}");
    }
}

#[test]
fn a_rounded_axis_is_found() {
    let text = serde_json::to_string(&Joint3::hinge(Vec3::new(1.0, 0.0, 1.0), -0.5, 1.0)).unwrap();
    let rounded = text.replace("0.70710677", "0.707");
    assert_ne!(rounded, text);
    let joint: Joint3 = serde_json::from_str(&rounded).unwrap();
    let error = clamp_joint_3d(Quat::IDENTITY, &joint).unwrap_err();
    assert_eq!((error.argument, error.fault), ("joint.axis", Fault::NotUnit));
}
