/** The kernel's own distance of two triangles, before the reference computes it once more: held to its twin. */
import { expect, test } from 'vitest';
import { seededRandom } from '../../../../../lab/scenes/index.mjs';
import { runs } from '../../../../../test/budget.js';
import { distanceSqTriangleTriangle } from '../../../src/geometry/distance/triangle-triangle.js';
import { intersectsTriangleTriangle } from '../../../src/geometry/intersect/triangle-triangle.js';
import { IDENTITY, type RigidPose } from '../../../src/math/pose.js';
import { Mesh } from '../../../src/mesh/mesh.js';
import { PairReader } from '../../../src/mesh/pair-reader.js';
import { QueryContext } from '../../../src/query/pair/context.js';
import { hierarchyOf } from '../../../src/query/pair/hierarchy-of.js';
import { pairKernels } from '../../../src/query/pair/kernels.generated.js';
import { randomPose } from '../../hierarchy/fixtures.js';

const SHAPES = ['any', 'sliver', 'needle', 'flat', 'lattice'] as const;
const RELATIONS = ['turned', 'nearly parallel', 'nearly equal'] as const;

function triangle(shape: (typeof SHAPES)[number], random: () => number): number[] {
  const p = [random(), random(), random()];
  const q = [random(), random(), random()];
  const r = [random(), random(), random()];
  const width = 10 ** (-10 * random());
  const middle = p.map((x, k) => (x + q[k]) / 2);
  switch (shape) {
    case 'any':
      return [...p, ...q, ...r];
    case 'sliver':
      return [...p, ...q, ...middle.map((x) => x + width * (random() - 0.5))];
    case 'needle':
      return [...p, ...p.map((x) => x + width * (random() - 0.5)), ...q];
    case 'flat':
      return [
        [...p, ...p, ...p],
        [...p, ...q, ...p],
        [...p, ...middle, ...q],
      ][Math.floor(3 * random())];
    case 'lattice':
      return [...p, ...q, ...r].map((x) => Math.round(4 * x) / 4);
  }
}

test.each(SHAPES.flatMap((one) => SHAPES.map((other) => [one, other] as const)))(
  '%s against %s, seed 61',
  (one, other) => {
    const random = seededRandom(61);
    const a = Mesh.from({ positions: new Float32Array(9) });
    const b = Mesh.from({ positions: new Float32Array(9) });
    let worst = 0;
    let compared = 0;
    for (let n = 0; n < runs(1500); n++) {
      const p = triangle(one, random);
      const q = triangle(other, random);
      const relation = RELATIONS[n % 3];
      const off = 10 ** (-9 * random());
      if (relation === 'nearly parallel') {
        for (let k = 0; k < 3; k++) q[k] = p[k] + random() - 0.5;
        for (let k = 0; k < 3; k++) q[3 + k] = q[k] + 1.3 * (p[3 + k] - p[k]) + off * (random() - 0.5);
      }
      if (relation === 'nearly equal') for (let k = 0; k < 9; k++) q[k] = p[k] + off * (random() - 0.5);
      const shift = [random() - 0.5, random() - 0.5, random() - 0.5];
      const pose = relation === 'turned' ? randomPose(random, 3 * random(), shift) : (IDENTITY as RigidPose);
      a.setPositions(p);
      b.setPositions(q);
      const query = new QueryContext(hierarchyOf(a), hierarchyOf(b), pose, { limit: 1, bound: 100 });
      expect(pairKernels.kernels().closest(query.block)).toBe(0);
      const undecided = query.takeDoubts().length > 0;
      const corners = new PairReader(a, b, query.pose).read(0, 0);
      const meet = intersectsTriangleTriangle(corners, 0, corners, 9);
      const expected = Math.sqrt(distanceSqTriangleTriangle(corners, 0, corners, 9));
      const found = query.bound;
      query.release();
      if (undecided && meet) continue; // the host decides
      compared++;
      worst = Math.max(worst, Math.abs(found - expected));
      if (!undecided) expect(found === 0).toBe(meet);
    }
    expect(worst).toBeLessThan(4e-15);
    expect(compared).toBeGreaterThan(0);
  },
);
