// Many things that move or deform. A new pose costs next to nothing; after setPositions the next query follows.
import { collideAll, Mesh, Scene } from 'impinge';
import { icosphere, torusKnot, wavySheet } from '../lab/scenes/index.mjs';

const flat = wavySheet(80);
const sheet = Mesh.from(flat, { name: 'sheet' });
const knot = Mesh.from(torusKnot(2, 3, 0.2, 0.05, 400, 24), { name: 'knot' });
const ball = Mesh.from(icosphere(12, 0.1), { name: 'ball' });

// one mesh may serve any number of objects
const scene = new Scene();
scene.add(sheet);
const falling = scene.add(knot);
for (const x of [-0.4, -0.2, 0.2, 0.4]) scene.add(ball, { pose: { translation: [x, x, 0.2] } });

/** The knot turns about z while it sinks towards the sheet. */
function poseAt(frame) {
  const angle = frame * 0.05;
  return {
    rotation: [0, 0, Math.sin(angle / 2), Math.cos(angle / 2)], // a quaternion: x, y, z, w
    translation: [0, 0, 0.6 - frame * 0.01],
  };
}
const names = ({ a, b }) => `${a.mesh.name} and ${b.mesh.name}`;

for (let frame = 0, before = ''; frame <= 50; frame++) {
  falling.move(poseAt(frame));
  const found = collideAll(scene).pairs.map(names).join(', ');
  if (found !== before) console.log(`frame ${frame}: ${found}`);
  before = found;
}

// the sheet gives way: the same triangles in other places
sheet.setPositions(flat.positions.map((p, i) => (i % 3 === 2 ? p - 0.5 : p)));
console.log('after the sheet gave way:', collideAll(scene).pairs.map(names).join(', '));

// > frame 18: knot and ball
// > frame 21: knot and ball, knot and ball
// > frame 41: sheet and knot, knot and ball, knot and ball
// > after the sheet gave way: knot and ball, knot and ball
