// When do two moving things first touch? Fast and thin things are found as surely as slow and thick ones.
import { collide, Mesh, poseAt, timeOfImpact } from 'impinge';
import { box, icosphere, torus } from '../lab/scenes/index.mjs';

const show = (v) => v.map((x) => (Math.round(100 * x) / 100 + 0).toFixed(2)).join(' ');
const aboutZ = (half) => [0, 0, Math.sin(half), Math.cos(half)];
const turn = (degrees) => aboutZ((degrees * Math.PI) / 360);

// a pellet goes through a thin wall between two frames
const wall = Mesh.from(box(4, 4, 0.01), { name: 'wall' });
const pellet = Mesh.from(icosphere(8, 0.05), { name: 'pellet' });
const flight = { from: { translation: [0.3, 0.2, 3] }, to: { translation: [0.3, 0.2, -2] } };
const frames = [0, 1].map((t) => collide(wall, pellet, { poseB: poseAt(flight, t) }).colliding);
console.log('in contact at either frame:', frames.join(' '));
const hit = timeOfImpact(wall, pellet, { motionB: flight });
console.log(`hit at ${hit.time.toFixed(3)}, at ${show(hit.pointA)}, from ${show(hit.normal)}`);

// a gate turns about its hinge: where does it stop, and where 5 cm before?
const gate = Mesh.from(box(2, 0.1, 1), { name: 'gate' });
const post = Mesh.from(box(0.2, 0.2, 1), { name: 'post' });
const hinge = [-1, 0, 0]; // of the gate, in its own coordinates: it stays where it is
const opening = { to: { rotation: turn(120), translation: [-1.5, Math.sqrt(3) / 2, 0] }, centre: hinge };
const standing = { from: { translation: [-1, 1.5, 0] } };
for (const distance of [0, 0.05]) {
  const { time } = timeOfImpact(post, gate, { motionA: standing, motionB: opening, distance });
  console.log(`${distance} before the post: opened by ${(120 * time).toFixed(1)} degrees`);
}

// a ring goes over a bolt like a screw: it turns, advances, and passes
const ring = Mesh.from(torus(0.5, 0.1, 48, 16), { name: 'ring' });
const bolt = Mesh.from(box(0.4, 0.4, 3), { name: 'bolt' });
const over = { from: { translation: [0, 0, 4] }, to: { rotation: turn(150) }, kind: 'screw' };
console.log('the ring touches the bolt:', timeOfImpact(bolt, ring, { motionB: over }).time <= 1);

// > in contact at either frame: false false
// > hit at 0.589, at 0.30 0.20 0.00, from 0.00 0.00 1.00
// > 0 before the post: opened by 83.9 degrees
// > 0.05 before the post: opened by 81.8 degrees
// > the ring touches the bolt: false
