// Where two solids overlap, how deep, and how to get them apart.
import { contacts, contains, Mesh, penetration } from 'impinge';
import { box, icosphere, torus } from '../lab/scenes/index.mjs';

const ring = Mesh.from(torus(1, 0.3, 96, 48), { name: 'ring' });
const bar = Mesh.from(box(4, 0.3, 0.3), { name: 'bar' });
const show = (v) => v.map((x) => (Math.round(10 * x) / 10 + 0).toFixed(1)).join(' ');

// the bar goes through the ring twice: four times the surfaces cross along a closed curve
const pose = { translation: [0, 0, 0.1] };
for (const { kind, curves, length, depth, normal } of contacts(ring, bar, { pose }).regions) {
  const shape = `${curves.length} ${curves[0].closed ? 'closed' : 'open'} curve of length ${length.toFixed(1)}`;
  console.log(`${kind}: ${shape}, ${depth.toFixed(1)} deep, push along ${show(normal)}`);
}

// the shortest way out for convex solids; for others one that was tried, and what none can undercut
const ball = Mesh.from(icosphere(16, 1), { name: 'ball' });
const cube = Mesh.from(box(1), { name: 'cube' });
for (const [a, b, at] of [
  [ball, cube, { translation: [1.2, 0, 0] }],
  [ring, bar, pose],
]) {
  const { depth, direction, exact, atLeast } = penetration(a, b, { pose: at });
  const quality = exact ? 'exactly' : `a shorter way is at least ${atLeast.toFixed(1)} long`;
  console.log(`${b.name} out of ${a.name}: ${depth.toFixed(2)} along ${show(direction)}, ${quality}`);
  const moved = { translation: direction.map((x, k) => 1.001 * depth * x + at.translation[k]) };
  console.log(`  then they are ${contains(a, b, { pose: moved }).relation}`);
}
// surfaces that do not meet may still bound solids that overlap
console.log('in the middle:', contains(ball, cube).relation);

// > crossing: 1 closed curve of length 1.3, 0.3 deep, push along 0.9 0.0 0.4
// > crossing: 1 closed curve of length 1.3, 0.3 deep, push along -0.9 0.0 0.4
// > crossing: 1 closed curve of length 1.3, 0.3 deep, push along 0.9 0.0 0.4
// > crossing: 1 closed curve of length 1.3, 0.3 deep, push along -0.9 0.0 0.4
// > cube out of ball: 0.30 along 1.0 0.0 0.0, exactly
// >   then they are disjoint
// > bar out of ring: 0.35 along 0.0 0.0 1.0, a shorter way is at least 0.3 long
// >   then they are disjoint
// > in the middle: b-inside-a
