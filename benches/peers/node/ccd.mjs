// three's CCDIKSolver: a skinned mesh for each target, all in the same start pose.

import { Bone, BufferGeometry, MeshBasicMaterial, Skeleton, SkinnedMesh } from 'three';
import { CCDIKSolver } from 'three/addons/animation/CCDIKSolver.js';

import { serve } from './laps.mjs';

serve(({ bones, targets, iterations }) => {
    const limbs = targets.map((target) => limb(bones, target, iterations));
    return {
        prepare() {
            for (const { chain, mesh } of limbs) {
                for (const bone of chain) bone.quaternion.identity();
                mesh.updateMatrixWorld(true);
            }
        },
        work() {
            for (const { solver } of limbs) solver.update();
        },
        result: () => limbs.map(({ chain }) => chain.map((bone) => ({
            position: bone.matrixWorld.elements.slice(12, 15),
            rotation: worldRotation(bone),
        }))),
    };
});

/** Joints from the root to the effector; the target is a bone of its own, as the solver wants it. */
function limb(bones, target, iterations) {
    const chain = [new Bone()];
    for (const bone of bones) {
        const joint = new Bone();
        joint.position.fromArray(bone);
        chain.at(-1).add(joint);
        chain.push(joint);
    }
    const goal = new Bone();
    goal.position.fromArray(target);
    const mesh = new SkinnedMesh(new BufferGeometry(), new MeshBasicMaterial());
    mesh.add(chain[0], goal);
    mesh.updateMatrixWorld(true);
    mesh.bind(new Skeleton([...chain, goal]));
    const effector = chain.length - 1;
    const links = [];
    for (let index = effector - 1; index >= 0; index--) links.push({ index });
    const ik = { target: effector + 1, effector, links, iteration: iterations };
    return { chain, mesh, solver: new CCDIKSolver(mesh, [ik]) };
}

function worldRotation(bone) {
    const rotation = bone.quaternion.clone();
    for (let up = bone.parent; up?.isBone; up = up.parent) rotation.premultiply(up.quaternion);
    return rotation.toArray();
}
