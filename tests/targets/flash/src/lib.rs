//! The crate's functions as an archive, of which a linker keeps what it is asked for: how much
//! flash does each take, with all that it calls, and nothing besides?

#![no_std]
#![expect(
    improper_ctypes_definitions,
    clippy::missing_errors_doc,
    reason = "nobody calls them: the linker only follows what they call"
)]

/// A function for each name, in the plane (`_2d`) and in space (`_3d`).
macro_rules! functions {
    ($($name:ident($($arg:ident: $type:ty),*) -> $result:ty = $call:expr;)*) => {
        functions!(@ plane "_2d" Vec2: $($name($($arg: $type),*) -> $result = $call;)*);
        functions!(@ space "_3d" Vec3: $($name($($arg: $type),*) -> $result = $call;)*);
    };
    (@ $module:ident $suffix:literal $vector:ident:
        $($name:ident($($arg:ident: $type:ty),*) -> $result:ty = $call:expr;)*) => {
        #[expect(missing_docs, reason = "their names say it")]
        pub mod $module {
            use sinew::glam::$vector as V;
            use sinew::*;

            type R = <V as Vector>::Rotation;
            type J = <V as Vector>::Joint;
            type B = <V as TwoBone>::Bend;

            $(
                #[unsafe(export_name = concat!(stringify!($name), $suffix))]
                pub extern "C" fn $name($($arg: $type),*) -> $result {
                    $call
                }
            )*
        }
    };
}

functions! {
    chains(p: &mut [V], r: &mut [R], q: &mut [V], s: &mut [R], t: V, x: f32) -> Result<f32, Error> = {
        to_local(p, r)?;
        forward_kinematics(p, r, q, s)?;
        to_world(p, r)?;
        blend_chain(p, r, q, s, x)?;
        let reach = reach(p)?.longest;
        let t = soft_reach(t, t, reach, x)?;
        stretch_chain(p, t, x)
    };
    ccd(p: &mut [V], r: &mut [R], j: &[J], t: V, s: &CcdSettings) -> Result<Solution, Error>
        = ccd_solve(p, r, j, t, s);
    fabrik(p: &mut [V], r: &mut [R], j: &[J], t: V, s: &FabrikSettings) -> Result<Solution, Error>
        = fabrik_solve(p, r, j, t, s);
    fabrik_positions(p: &mut [V], t: V, s: &FabrikSettings) -> Result<Solution, Error>
        = sinew::fabrik_positions(p, t, s);
    least_squares(
        p: &mut [V], r: &mut [R], j: &[J], s: &LeastSquaresSettings<V>, m: &mut [JointMemory<V>]
    ) -> Result<Solution, Error> = least_squares_solve(p, r, j, s, m);
    two_bone(p: &mut [V], r: &mut [R], t: V, s: &TwoBoneSettings<B, R>) -> Result<Solution, Error>
        = two_bone_solve(p, r, t, s);
    aim(p: V, r: &mut R, j: &J, t: V, s: &AimSettings<V>) -> Result<Aimed, Error>
        = sinew::aim(p, r, j, t, s);
    aim_chain(p: &mut [V], r: &mut [R], j: &[J], t: V, s: &AimSettings<V>) -> Result<Aimed, Error>
        = sinew::aim_chain(p, r, j, t, s);
    verlet(p: &mut [V], q: &mut [V], s: &Verlet<'_, V>, dt: f32) -> Result<VerletReport, Error>
        = verlet_step(p, q, s, dt);
    constraints(
        p: &mut [V], q: &mut [V], d: &[DistanceConstraint], b: &[BendConstraint], l: &mut [f32],
        s: &Relaxation<'_>
    ) -> Result<Residual, Error> = {
        let _ = distance_constraints(p, d, l, s)?;
        let _ = bend_constraints(p, b, l, s)?;
        let _ = chain_constraints(p, q, l, s.dt)?;
        chain_residual(p, l)
    };
    colliders(
        p: &mut [V], q: &[V], a: &Sphere<V>, b: &Capsule<V>, c: &Plane<V>, d: &OrientedBox<V>,
        s: &Contact<'_>
    ) -> Result<Contacts, Error> = {
        let _ = sphere_collide(p, q, a, s)?;
        let _ = capsule_collide(p, q, b, s)?;
        let _ = plane_collide(p, q, c, s)?;
        let _ = box_collide(p, q, d, s)?;
        let _ = sphere_collide_bones(p, q, a, s)?;
        capsule_collide_bones(p, q, b, s)
    };
    spring_bones(
        p: &mut [V], r: &mut [R], m: &mut [SpringState<V>], s: &SpringBones<'_, V>, dt: f32
    ) -> Result<SpringReport, Error> = spring_bone_step(p, r, m, s, dt);
    wind(w: &Wind<V>, p: V, t: f64) -> Result<V, Error> = wind_at(w, p, t);
    curves(c: &[V; 4], q: &[V; 3], up: V, t: f32) -> Result<f32, Error> = {
        let a = [bezier_cubic(c, t)?, bezier_cubic_derivative(c, t)?, bezier_cubic_second_derivative(c, t)?];
        let (b, _) = bezier_cubic_split(c, t)?;
        let t = bezier_cubic_at_length(&b, bezier_cubic_length(c, t)?)?;
        let d = [bezier_quadratic(q, t)?, bezier_quadratic_derivative(q, t)?, up];
        let (e, _) = bezier_quadratic_split(&d, t)?;
        let t = bezier_quadratic_at_length(&e, bezier_quadratic_length(&a, t)?)?;
        let f = step_curve(e[0], e[1], up, t, t)?;
        Ok(f.position.dot(f.tangent))
    };
    gaits(
        g: &mut Gait, f: &mut [Stepper<V>], h: &[Home<V>], ground: fn(V) -> Option<Ground<V>>,
        b: &mut BodyMotion<V>, t: V, s: &BodySettings, dt: f32
    ) -> Result<GaitReport, Error> = {
        b.advance(t, s, dt)?;
        g.advance(f, h, ground, dt)
    };
}

/// Those without a plane or a space.
pub mod rest {
    use sinew::glam::{Quat, Vec3};
    use sinew::{
        Aimed, Ease, Error, FixedSteps, Joint3, Moving, Pole, Spring, Steps, cubic_bezier_ease,
        damp_slice, spring_step,
    };

    /// The bend of a chain.
    #[unsafe(no_mangle)]
    pub extern "C" fn align_pole(
        p: &mut [Vec3],
        r: &mut [Quat],
        j: &[Joint3],
        pole: Pole,
        x: f32,
    ) -> Result<Aimed, Error> {
        sinew::align_pole(p, r, j, pole, x)
    }

    /// Of vectors and of rotations.
    #[unsafe(no_mangle)]
    pub extern "C" fn damping(
        p: &mut [Vec3],
        q: &[Vec3],
        r: &mut [Quat],
        s: &[Quat],
        rate: f32,
        dt: f32,
    ) -> Result<(), Error> {
        damp_slice(p, q, rate, dt)?;
        damp_slice(r, s, rate, dt)
    }

    /// Of vectors and of rotations.
    #[unsafe(no_mangle)]
    pub extern "C" fn springs(
        p: &mut Moving<Vec3>,
        q: Moving<Vec3>,
        r: &mut Moving<Quat>,
        s: Moving<Quat>,
        spring: &Spring,
        dt: f32,
    ) -> Result<(), Error> {
        spring_step(p, q, spring, dt)?;
        spring_step(r, s, spring, dt)
    }

    /// Whole steps out of frames.
    #[unsafe(no_mangle)]
    pub extern "C" fn fixed_steps(steps: &mut FixedSteps, dt: f32) -> Result<Steps, Error> {
        steps.advance(dt)
    }

    /// By name and by two control points.
    #[unsafe(no_mangle)]
    pub extern "C" fn easing(ease: Ease, [a, b, c, d]: [f32; 4], t: f32) -> Result<f32, Error> {
        ease.at(cubic_bezier_ease(a, b, c, d, t)?)
    }
}

/// Keeps where the panic came from, so that the linked file can be asked.
#[panic_handler]
fn panic(info: &core::panic::PanicInfo) -> ! {
    core::hint::black_box(info.location());
    loop {}
}
