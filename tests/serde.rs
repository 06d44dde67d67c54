//! Joints and settings go into a file and come back the same; what a file gets wrong is an error
//! when it is used.
#![cfg(feature = "serde")]

use sinew::glam::{Quat, Vec2, Vec3};
use sinew::{
    AimSettings, CcdSettings, FabrikSettings, Fault, FixedSteps, Joint2, Joint3,
    LeastSquaresSettings, Order, Rot2, clamp_joint_3d,
};

#[test]
fn joints_come_back_the_same() {
    let rest = Quat::from_rotation_z(0.4);
    let joints = [
        Joint3::free(),
        Joint3::hinge(Vec3::new(1.0, 2.0, 3.0), -0.5, 4.0).with_rest(rest),
        Joint3::cone(Vec3::Y, 0.7).with_twist(-0.1, 0.3).with_weight(0.5),
        Joint3::ellipse(Vec3::Y, Vec3::X, [-0.2, 1.0], [-0.4, 0.6]),
        Joint3::yaw_pitch(Vec3::Z, Vec3::Y, [-0.4, 0.8], [-0.3, 0.3]),
    ];
    let text = serde_json::to_string(&joints).unwrap();
    assert_eq!(serde_json::from_str::<[Joint3; 5]>(&text).unwrap(), joints);
    let joint = Joint2::range(-0.5, 2.0).with_rest(Rot2::from_angle(0.3));
    let text = serde_json::to_string(&joint).unwrap();
    assert_eq!(serde_json::from_str::<Joint2>(&text).unwrap(), joint);
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
#[test]
fn a_rounded_axis_is_found() {
    let text = serde_json::to_string(&Joint3::hinge(Vec3::new(1.0, 0.0, 1.0), -0.5, 1.0)).unwrap();
    let rounded = text.replace("0.70710677", "0.707");
    assert_ne!(rounded, text);
    let joint: Joint3 = serde_json::from_str(&rounded).unwrap();
    let error = clamp_joint_3d(Quat::IDENTITY, &joint).unwrap_err();
    assert_eq!((error.argument, error.fault), ("joint.axis", Fault::NotUnit));
}

#[test]
fn settings_come_back_the_same_and_may_be_partial() {
    let ccd = CcdSettings { order: Order::RootFirst, ..CcdSettings::default() };
    let text = serde_json::to_string(&ccd).unwrap();
    assert_eq!(serde_json::from_str::<CcdSettings>(&text).unwrap(), ccd);
    let fabrik: FabrikSettings = serde_json::from_str(r#"{ "max_iterations": 7 }"#).unwrap();
    assert_eq!(fabrik, FabrikSettings { max_iterations: 7, ..FabrikSettings::default() });
    let aim: AimSettings = serde_json::from_str(r#"{ "weight": 0.5 }"#).unwrap();
    assert_eq!(aim, AimSettings { weight: 0.5, ..AimSettings::default() });
    let settings = LeastSquaresSettings::at(Vec2::X).with_rotation(Rot2::from_angle(0.2));
    let text = serde_json::to_string(&settings).unwrap();
    assert_eq!(serde_json::from_str::<LeastSquaresSettings<Vec2>>(&text).unwrap(), settings);
}
