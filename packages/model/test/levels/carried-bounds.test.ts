/**
 * What each triangle of a simplified group carries on to the next level, against samples: not only the largest holds.
 */
import { Random } from '@impinge/scenes/random';
import { distanceSqPointTriangle } from 'impinge/internal/geometry/distance/point-triangle.js';
import { describe, expect } from 'vitest';
import { full } from '../../../../test/budget.js';
import { type GroupTask, joinClusters, type SimplifiedGroup } from '../../src/levels/group-task.js';
import { simplifyGroup } from '../../src/levels/simplify-group.js';
import { VertexTable } from '../../src/levels/vertex-table.js';
import { FAMILIES, type Shape, trianglesOf } from './families.js';

/** Some triangles the other way round: neighbours whose common edge runs the same way in both. */
function turned({ positions, indices }: Shape, random: Random): Shape {
  const out = Uint32Array.from(indices);
  for (let t = 0; t < out.length; t += 3) {
    if (random.next() < 0.15) [out[t], out[t + 1]] = [out[t + 1], out[t]];
  }
  return { positions, indices: out };
}

const random = new Random(11);
const SHAPES: Record<string, Shape> = {
  terrain: FAMILIES['terrain'](8, random),
  torus: FAMILIES['torus'](8, random),
  'turned terrain': turned(FAMILIES['terrain'](8, random), random),
  'turned sheet': turned(FAMILIES['flat'](8, random), random),
  book: FAMILIES['book'](7, random),
};

/** Points of triangle t: its corners, points of its sides, points inside. */
function samples(corners: Float64Array, t: number): Float64Array[] {
  return Array.from({ length: 16 }, (_, i) => {
    const u = i < 8 ? i / 8 : Math.sqrt(random.next());
    const v = i < 3 ? 0 : i < 8 ? i % 2 : random.next();
    const weights = [1 - u, u * (1 - v), u * v];
    return Float64Array.from({ length: 3 }, (_, k) =>
      weights.reduce((sum, weight, corner) => sum + weight * corners[9 * t + 3 * corner + k], 0),
    );
  });
}

/** Simplifies again what is left, without locks; `finer`: with what each mesh was made of. */
function again(task: GroupTask, finer: boolean): SimplifiedGroup {
  const group = simplifyGroup(task)!;
  const input = joinClusters(group.end.clusters, () => false, new VertexTable());
  const { out, in: inward } = group.end;
  const next = { input: finer ? input : { ...input, finer: undefined }, least: { out, in: inward } };
  return simplifyGroup({ ...next, shares: [0.4] })!;
}

describe('every triangle of a torus simplified twice', () => {
  const shape = FAMILIES['torus'](14, random);
  const count = shape.indices.length / 3;
  const nothing = () => new Float32Array(count);
  const input = {
    ...shape,
    locked: new Uint8Array(shape.positions.length / 3),
    out: nothing(),
    in: nothing(),
  };
  const task = { input, least: { out: 0, in: 0 }, shares: [0.5] };
  const { end } = again(task, true);
  const originals = trianglesOf(shape);
  const coarse = end.clusters.map(trianglesOf);
  const distance = (point: Float64Array, corners: Float64Array, t: number) =>
    Math.sqrt(distanceSqPointTriangle(point, 0, corners, 9 * t));

  full('is no farther from the originals than it says', () => {
    let spare = Infinity;
    end.clusters.forEach((cluster, c) => {
      for (let t = 0; t < cluster.in.length; t++) {
        for (const point of samples(coarse[c], t)) {
          let best = Infinity;
          for (let s = 0; s < count; s++) best = Math.min(best, distance(point, originals, s));
          spare = Math.min(spare, cluster.in[t] - best);
        }
      }
    });
    expect(spare).toBeGreaterThanOrEqual(-1e-12);
  });

  full('or another one is no farther from an original than it says', () => {
    let spare = Infinity;
    for (let s = 0; s < count; s++) {
      for (const point of samples(originals, s)) {
        let most = -Infinity;
        end.clusters.forEach((cluster, c) => {
          for (let t = 0; t < cluster.out.length; t++)
            most = Math.max(most, cluster.out[t] - distance(point, coarse[c], t));
        });
        spare = Math.min(spare, most);
      }
    }
    expect(spare).toBeGreaterThanOrEqual(-1e-12);
  });

  full('has better bounds than sums', () => {
    const { end: sums } = again(task, false);
    expect(end.clusters.map(({ indices }) => [...indices])).toEqual(
      sums.clusters.map(({ indices }) => [...indices]),
    );
    expect(end.out).toBeLessThan(0.9 * sums.out);
    expect(end.in).toBeLessThan(0.9 * sums.in);
  });
});

describe.each(Object.keys(SHAPES))('every triangle of a simplified %s', (name) => {
  const { positions, indices } = SHAPES[name];
  const count = indices.length / 3;
  // originals that are some way off already
  const carried = () => Float32Array.from({ length: count }, (_, t) => (t % 7 === 0 ? 0.02 : 0.001));
  const [out, inward] = [carried(), carried()];
  const locked = new Uint8Array(positions.length / 3);
  const least = { out: 0.02, in: 0.02 };
  const { end } = simplifyGroup({
    input: { positions, indices, locked, out: out.slice(), in: inward.slice() },
    least,
    shares: [0.5, 0.25],
  })!;
  const fine = trianglesOf({ positions, indices });
  const coarse = end.clusters.map(trianglesOf);
  const distance = (point: Float64Array, corners: Float64Array, t: number) =>
    Math.sqrt(distanceSqPointTriangle(point, 0, corners, 9 * t));

  full('is no farther from the finest mesh than it says, with what that carries', () => {
    let spare = Infinity;
    end.clusters.forEach((cluster, c) => {
      for (let t = 0; t < cluster.in.length; t++) {
        for (const point of samples(coarse[c], t)) {
          let best = Infinity;
          for (let s = 0; s < count; s++) best = Math.min(best, distance(point, fine, s) + inward[s]);
          spare = Math.min(spare, cluster.in[t] - best);
        }
      }
    });
    expect(spare).toBeGreaterThanOrEqual(-1e-12);
  });

  full('or another one is no farther from a point of the finest mesh than it says', () => {
    let spare = Infinity;
    for (let s = 0; s < count; s++) {
      for (const point of samples(fine, s)) {
        let most = -Infinity;
        end.clusters.forEach((cluster, c) => {
          for (let t = 0; t < cluster.out.length; t++) {
            most = Math.max(most, cluster.out[t] - distance(point, coarse[c], t) - out[s]);
          }
        });
        spare = Math.min(spare, most);
      }
    }
    expect(spare).toBeGreaterThanOrEqual(-1e-12);
  });
});
