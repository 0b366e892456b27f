// A plate falls on a ball that is fixed, and breaks: a simulation in which bodies come and go.
import { breakable, fixedBody, Simulation, shatter } from '@impinge/dynamics';
import { box, icosphere } from '../lab/scenes/index.mjs';

const raised = ({ positions, indices }, height, name) => ({
  name,
  indices,
  positions: positions.map((x, i) => (i % 3 === 1 ? x + height : x)),
});

// cut beforehand into closed pieces, a seam apart; until it breaks the body is one, with the surface of the plate
const plate = raised(box(1, 0.05, 1), 1.2, 'plate');
const fracture = shatter(plate, { pieces: 20, seed: 1 });
console.log(`${fracture.pieceCount} pieces`);

const simulation = new Simulation({ dt: 1 / 200, thickness: 0.001, friction: 0.4 });
simulation.add(fixedBody(raised(box(4, 0.1, 4), -0.05, 'floor')));
simulation.add(fixedBody(raised(icosphere(8, 0.3), 0.5, 'ball')));
simulation.add(breakable(fracture, { density: 2000 }));

const broken = [];
while (simulation.steps < 120) {
  const report = simulation.step();
  if (broken.length === 0 && report.broken.length > 0) console.log(`${report.broken} breaks`);
  broken.push(...report.broken);
}
// parts break further; the plate is gone, its parts are bodies of the simulation
console.log(`in more than ten parts: ${simulation.bodies.length - 2 > 10}`);
console.log(`whole: ${simulation.bodies.some(({ name }) => name === 'plate')}`);

// exact predicates, whatever happened
console.log(`${simulation.intersections()} pairs of triangles meet`);
simulation.dispose();

// > 20 pieces
// > plate breaks
// > in more than ten parts: true
// > whole: false
// > 0 pairs of triangles meet
