// three-vrm-springbone: chains that hang on moving parents, one manager for all.

import { Object3D, Vector3 } from 'three';
import { VRMSpringBoneJoint, VRMSpringBoneManager } from '@pixiv/three-vrm-springbone';

import { serve } from './laps.mjs';

serve(({ bones, roots, dt, joint }) => {
    const scene = new Object3D();
    const manager = new VRMSpringBoneManager();
    const settings = { ...joint, gravityDir: new Vector3(0, -1, 0) };
    const chains = roots[0].map((root) => chain(scene, manager, root, bones, settings));
    scene.updateMatrixWorld(true);
    manager.setInitState();
    const move = (frame) => chains.forEach(([first], i) => first.parent.position.fromArray(frame[i]));
    return {
        prepare() {
            move(roots[0]);
            scene.updateMatrixWorld(true);
            manager.reset();
        },
        work() {
            for (const frame of roots) {
                move(frame);
                manager.update(dt);
            }
        },
        result: () => chains.map((nodes) => nodes.map((node) => node.matrixWorld.elements.slice(12, 15))),
    };
});

/** A parent moves, for a joint must stay where it is in its parent; the last node is only a tail. */
function chain(scene, manager, root, bones, settings) {
    const holder = new Object3D();
    holder.position.fromArray(root);
    scene.add(holder);
    const nodes = [new Object3D()];
    holder.add(nodes[0]);
    for (const bone of bones) {
        const node = new Object3D();
        node.position.fromArray(bone);
        nodes.at(-1).add(node);
        nodes.push(node);
    }
    for (let i = 0; i + 1 < nodes.length; i++) {
        manager.addJoint(new VRMSpringBoneJoint(nodes[i], nodes[i + 1], settings));
    }
    return nodes;
}
