/** Cells of solids compared with points located one by one. */
import { Mesh, pointInMesh } from 'impinge';
import { IDENTITY, type RigidPose } from 'impinge/internal/math/pose.js';
import { expect, test } from 'vitest';
import { box, icosphere, seededRandom, torus } from '../../../lab/scenes/index.mjs';
import { FAST } from '../../../test/budget.js';
import { SolidCells } from '../src/solid-cells.js';

test.each([
  ['a torus', torus(1, 0.4, 24, 12)],
  ['a ball', icosphere(3)],
  ['a plate', box(2, 1.5, 0.01)],
])('of %s: specks are inside where their corners are', (_, arrays) => {
  const solid = Mesh.from(arrays);
  const cells = new SolidCells(solid);
  const random = seededRandom(1);
  let inside = 0;
  for (let i = 0; i < (FAST ? 100 : 1000); i++) {
    const near = [0, 1, 2].map((k) => {
      const [low, high] = [solid.box.min[k], solid.box.max[k]];
      return low + (high - low) * (1.2 * random() - 0.1);
    });
    const speck = Mesh.from({ positions: [0, 0, 0, 1e-6, 0, 0, 0, 1e-6, 0].map((d, k) => near[k % 3] + d) });
    const { positions: p, origin } = speck;
    const corners = [0, 3, 6].map((at) =>
      pointInMesh(solid, [p[at] + origin[0], p[at + 1] + origin[1], p[at + 2] + origin[2]]),
    );
    if (corners.some((one) => one !== corners[0])) continue; // it crosses the surface
    const isInside = corners[0] === 'inside';
    expect(cells.holdsAny(speck, IDENTITY as RigidPose)).toBe(isInside);
    if (isInside) inside++;
  }
  expect(inside).toBeGreaterThan(FAST ? 0 : 5);
});
