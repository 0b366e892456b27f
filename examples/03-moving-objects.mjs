// Things that move: a new pose costs nothing. Things that deform: setPositions, and the next query follows.
import { collide, distance, Mesh } from 'impinge';
import { torusKnot, wavySheet } from '../scenes/index.mjs';

const knot = Mesh.from(torusKnot(2, 3, 0.2, 0.05, 400, 24), { name: 'knot' });
const start = wavySheet(80);
const sheet = Mesh.from(start, { name: 'sheet' });

/** The knot turns about z while it sinks towards the sheet. */
function poseAt(frame) {
  const angle = frame * 0.05;
  return {
    rotation: [0, 0, Math.sin(angle / 2), Math.cos(angle / 2)], // a quaternion: x, y, z, w
    translation: [0, 0, 0.5 - frame * 0.01],
  };
}

let frame = 0;
while (!collide(sheet, knot, { pose: poseAt(frame), mode: 'any' }).colliding) frame++;
console.log(`first touch in frame ${frame}`);
const before = distance(sheet, knot, { pose: poseAt(frame - 1) });
console.log(`one frame before, ${before.distance.toFixed(4)} was left`);

// the sheet gives way: the same triangles in other places
const dented = start.positions.map((p, i) => (i % 3 === 2 ? p - 0.05 : p));
sheet.setPositions(dented);
console.log(
  'after the sheet gave way:',
  collide(sheet, knot, { pose: poseAt(frame), mode: 'any' }).colliding,
);

// memory goes back when the collector comes by, or now
knot.dispose();
sheet.dispose();

// > first touch in frame 32
// > one frame before, 0.0044 was left
// > after the sheet gave way: false
