/** What is kept of one mesh, whatever it is asked for in between, against a new mesh at the same places. */
import {
  buildHierarchy,
  hierarchyFromBytes,
  hierarchyToBytes,
  refitHierarchy,
  sahCost,
  traversePair,
  traverseSelf,
  VOLUME_KINDS,
} from 'impinge/hierarchy';
import { IDENTITY, type RigidPose } from 'impinge/internal/math/pose.js';
import { isClosed } from 'impinge/internal/mesh/closed.js';
import { isConvex } from 'impinge/internal/mesh/convex.js';
import { Mesh } from 'impinge/internal/mesh/mesh.js';
import { collide } from 'impinge/internal/query/pair/collide.js';
import { distance } from 'impinge/internal/query/pair/distance.js';
import { useHierarchy } from 'impinge/internal/query/pair/hierarchy-of.js';
import { selfIntersect } from 'impinge/internal/query/pair/self-intersect.js';
import { within } from 'impinge/internal/query/pair/within.js';
import { raycast } from 'impinge/internal/query/ray/raycast.js';
import { closestPoint } from 'impinge/internal/query/scene/ask-points.js';
import { section } from 'impinge/internal/query/section/section.js';
import { trianglesInShape } from 'impinge/internal/query/shape/meets-shape.js';
import { contains } from 'impinge/internal/query/solid/containment.js';
import { describe, expect, test } from 'vitest';
import { seededRandom } from '../../lab/scenes/index.mjs';
import { runs } from '../budget.js';
import { below, deform, type Random, someMatrix, someMesh } from './lattice.js';

/** Questions; other is a mesh that stays as it is. */
const ASKS: Record<string, (mesh: Mesh, other: Mesh, random: Random) => unknown> = {
  box: (mesh) => mesh.box,
  bytes: (mesh) => Array.from(mesh.toBytes()),
  isClosed: (mesh) => isClosed(mesh),
  isConvex: (mesh) => isConvex(mesh),
  collide: (mesh, other, random) => [...collide(mesh, other, { pose: someMatrix(random) }).pairs],
  scaled: (mesh, other, random) => [...collide(mesh, other, { pose: someMatrix(random, [2]) }).pairs],
  within: (mesh, other) => [...within(other, mesh, { distance: 0.3 }).pairs],
  distance: (mesh, other, random) => distance(mesh, other, { pose: someMatrix(random) }).distance.toFixed(12),
  selfIntersect: (mesh) => [...selfIntersect(mesh).pairs],
  raycast: (mesh, _, random) => raycast(mesh, { origin: [random(), random(), 9], direction: [0, 0, -1] }),
  closestPoint: (mesh, _, random) => closestPoint(mesh, [random(), random(), random()])!.distance.toFixed(12),
  section: (mesh) => section(mesh, { normal: [0, 0, 1], offset: 0.1 }).length,
  trianglesInShape: (mesh) => [...trianglesInShape(mesh, { centre: [0, 0, 0.3], radius: 0.4 })],
  contains: (mesh, other) => (isClosed(mesh) && isClosed(other) ? contains(mesh, other).relation : 'open'),
};

describe('a mesh that deforms', () => {
  test('is known as a new one is, whatever was asked before (seed 3111)', () => {
    const random = seededRandom(3111);
    for (let round = 0; round < runs(40); round++) {
      const [mesh, other] = [someMesh(random), someMesh(random)];
      if (random() < 0.3) useHierarchy(buildHierarchy(mesh, { volume: 'obb' }));
      for (let step = 0; step < 6; step++) {
        const positions = Float64Array.from(mesh.positions, (x, i) => x + mesh.origin[i % 3]);
        const fresh = Mesh.from({ positions, indices: mesh.indices });
        for (const [name, ask] of Object.entries(ASKS)) {
          if (random() < 0.3) continue;
          const seed = below(random, 1e6);
          const answer = ask(mesh, other, seededRandom(seed));
          expect([name, answer]).toEqual([name, ask(fresh, other, seededRandom(seed))]);
        }
        fresh.dispose();
        deform(mesh, random);
      }
      mesh.dispose();
      other.dispose();
    }
  });
});

describe.each(VOLUME_KINDS)('a tree of %s', (volume) => {
  test('is refused where its mesh has deformed since, and fits once it is refitted (seed 3112)', () => {
    const random = seededRandom(3112);
    const refused = expect.objectContaining({
      code: 'bad-input',
      message: expect.stringMatching(/refitHierarchy/),
    });
    for (let round = 0; round < runs(20); round++) {
      const mesh = someMesh(random);
      const tree = buildHierarchy(mesh, { volume });
      const uses = [
        () => traverseSelf(tree, { bound: 0, leafPair: () => false }),
        () => traversePair(tree, tree, IDENTITY as RigidPose, { bound: 0, leafPair: () => false }),
        () => hierarchyToBytes(tree),
        () => sahCost(tree),
      ].slice(0, volume === 'obb' ? 4 : 3);
      for (let step = 0; step < 3; step++) {
        for (const use of uses) use();
        deform(mesh, random);
        for (const use of uses) expect(use).toThrowError(refused);
        refitHierarchy(tree);
        // what is read is checked: every volume holds its triangles where they are now
        hierarchyFromBytes(mesh, hierarchyToBytes(tree)).dispose();
      }
      tree.dispose();
      mesh.dispose();
    }
  });
});
