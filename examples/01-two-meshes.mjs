// Two meshes: do they collide, and where? Run it with: node examples/01-two-meshes.mjs
import { collide, Mesh } from 'impinge';
import { icosphere, torus } from '../lab/scenes/index.mjs';

// any arrays will do: { positions: x y z per vertex, indices: three per triangle }
const ring = Mesh.from(torus(1, 0.3, 96, 48), { name: 'ring' });
const ball = Mesh.from(icosphere(24, 0.6), { name: 'ball' });
console.log(`${ring.name} ${ring.triangleCount} triangles, ${ball.name} ${ball.triangleCount}`);

// a pose is where the second mesh is, seen from the first
console.log('in the hole:', collide(ring, ball).colliding);

const moved = collide(ring, ball, { pose: { translation: [0.5, 0, 0] } });
console.log(`moved aside: ${moved.count} pairs of triangles meet`);
console.log(`the first pair: triangle ${moved.pairs[0]} of the ring, ${moved.pairs[1]} of the ball`);

// one answer is cheaper than all
console.log(
  'any at all:',
  collide(ring, ball, { pose: { translation: [0.5, 0, 0] }, mode: 'any' }).colliding,
);

// what it took: far fewer tests than the 106 million pairs of triangles there are
const share = moved.stats.triangleTests / (ring.triangleCount * ball.triangleCount);
console.log(`triangle tests: less than ${share < 0.001 ? '0.1' : '100'} % of all pairs`);

// > ring 9216 triangles, ball 11520
// > in the hole: false
// > moved aside: 512 pairs of triangles meet
// > the first pair: triangle 22 of the ring, 3362 of the ball
// > any at all: true
// > triangle tests: less than 0.1 % of all pairs
