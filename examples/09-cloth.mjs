// A cloth comes down on a ball: every contact of the step.
import { Deformables, EDGE_EDGE } from '@impinge/dynamics';
import { icosphere } from '../lab/scenes/index.mjs';

const N = 40;
const positions = [];
const indices = [];
for (let i = 0; i < N * N; i++) positions.push(((i % N) - N / 2) / 8, 1.1, (Math.floor(i / N) - N / 2) / 8);
for (let i = 0; i < N * (N - 1); i++) {
  if (i % N < N - 1) indices.push(i, i + N, i + 1, i + 1, i + N, i + N + 1);
}

const detector = new Deformables();
detector.add({ ...icosphere(16, 1), kind: 'static', name: 'ball' }); // hashed once
const cloth = detector.add({ positions, indices, name: 'cloth' }); // meets itself as well

// the step: every vertex moves in a straight line to where the solver wants it
cloth.moveTo(positions.map((x, i) => (i % 3 === 1 ? x - 0.2 : x)));
const { count, kinds, times, surfaces, normals } = detector.continuous();
const edges = kinds.filter((kind) => kind === EDGE_EDGE).length;
console.log(`${count} contacts: ${count - edges} of vertices and faces, ${edges} of edges`);

// each with its time, its place and the direction from the second element to the first
const first = times.indexOf(Math.min(...times));
const along = Array.from(normals.subarray(3 * first, 3 * first + 3), Math.round);
console.log(
  `the first at ${times[first].toFixed(3)} of the step, of surface ${surfaces[2 * first]}, along ${along}`,
);

// where it would stand at the end of the step: triangles that meet, and triangles that are close
console.log(`${detector.intersecting().count} pairs of triangles would meet`);
console.log(`${detector.within({ distance: 0.02 }).count} would be closer than 0.02`);
detector.dispose();

// > 762 contacts: 194 of vertices and faces, 568 of edges
// > the first at 0.500 of the step, of surface 0, along 0,-1,0
// > 126 pairs of triangles would meet
// > 688 would be closer than 0.02
