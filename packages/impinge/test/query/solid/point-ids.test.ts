/** Points get the same number where they are equal but for rounding, however large their coordinates are. */
import { describe, expect, test } from 'vitest';
import { seededRandom } from '../../../../../lab/scenes/index.mjs';
import { IDENTITY, type RigidPose } from '../../../src/math/pose.js';
import { Mesh } from '../../../src/mesh/mesh.js';
import { collide } from '../../../src/query/pair/collide.js';
import { contacts } from '../../../src/query/solid/contacts.js';
import { PlacedPair } from '../../../src/query/solid/placed-pair.js';
import { PointIds } from '../../../src/query/solid/point-ids.js';
import { SolidRelation } from '../../../src/query/solid/solid-relation.js';
import { meetingOfParts } from '../../../src/query/solid/surface-contact.js';

describe('point numbers', () => {
  test.each([1e-3, 1, 1e6, 1e12, 1e17, 1e30, 1e300])(
    'agree with comparing all points up to %d (seed 3)',
    (size) => {
      const random = seededRandom(3);
      const tolerance = 1e-13;
      const ids = new PointIds(tolerance, 4);
      const known: number[][] = [];
      for (let i = 0; i < 400; i++) {
        // some coordinates at the sides of cells, some points again, some of them a little off
        const again =
          known.length > 0 && random() < 0.5 ? known[Math.floor(random() * known.length)] : undefined;
        const point = [0, 1, 2].map((k) => {
          if (again) return again[k] + (random() < 0.3 ? 0.9 * tolerance * (2 * random() - 1) : 0);
          return random() < 0.3 ? 0 : size * (2 * random() - 1) ** 9;
        });
        const near = known.findIndex((p) => p.every((x, k) => Math.abs(x - point[k]) <= tolerance));
        const at = ids.add(Float64Array.from(point), 0);
        if (near < 0) known.push(point);
        expect(at < 0 ? at : known[at].every((x, k) => Math.abs(x - point[k]) <= tolerance)).toBe(true);
        expect(ids.count).toBe(known.length);
      }
      expect(known.length).toBeGreaterThan(100);
    },
  );
});

test('a corner a million times farther out than the contact does not keep the search from ending', () => {
  const triangle = (...positions: number[]) => Mesh.from({ positions: Float32Array.from(positions) });
  const a = triangle(0, 0, 0, 1e6, 0, 0, 0, 1, 1);
  const b = triangle(0, 0, 0, 1, 0, 0, 0, 1, 2);
  const pair = PlacedPair.ofMeshes(a, b, IDENTITY as RigidPose);
  const relation = new SolidRelation(pair, meetingOfParts(collide(a, b).pairs));
  expect(relation.hinges).toHaveLength(1);
  expect(relation.crossing).toBe(false);
  expect(contacts(a, b).regions).toHaveLength(1);
});
