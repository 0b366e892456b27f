// Is there room enough? A pipe beside a wall, both in survey coordinates: 5 000 km from the origin, in metres.
import { distance, Mesh, within } from 'impinge';
import { box, torus } from '../lab/scenes/index.mjs';

/** Moves a model to its place on the map; float64, because float32 has no millimetres there. */
const placed = ({ positions, indices }, [x, y, z], name) => {
  const at = [5_000_000.123 + x, 4_200_000.456 + y, 80 + z];
  return Mesh.from({ positions: Float64Array.from(positions, (p, i) => p + at[i % 3]), indices, name });
};
const bend = placed(torus(0.5, 0.05, 128, 32), [0, 0, 0], 'pipe bend');
const wall = placed(box(0.2, 4, 3), [0.72, 0, 0], 'wall');

const { distance: gap, pointA, pointB } = distance(bend, wall);
console.log(`${bend.name} and ${wall.name} are ${(gap * 1000).toFixed(2)} mm apart`);
console.log(`closest at ${pointA.map((x) => x.toFixed(3))} and ${pointB.map((x) => x.toFixed(3))}`);

for (const clearance of [0.05, 0.1]) {
  const tooClose = within(bend, wall, { distance: clearance, mode: 'any' }).within;
  console.log(`clearance of ${clearance * 1000} mm: ${tooClose ? 'VIOLATED' : 'kept'}`);
}

// which triangles are too close
const near = within(bend, wall, { distance: 0.1 });
console.log(`${near.count} pairs of triangles are closer than 100 mm`);

// questions that only matter nearby are cheaper with a bound
console.log('farther than 10 mm:', distance(bend, wall, { atMost: 0.01 }).distance === Infinity);

// > pipe bend and wall are 70.00 mm apart
// > closest at 5000000.673,4200000.456,80.000 and 5000000.743,4200000.456,80.000
// > clearance of 50 mm: kept
// > clearance of 100 mm: VIOLATED
// > 450 pairs of triangles are closer than 100 mm
// > farther than 10 mm: true
