/** Contact regions of solids with known curves, normals and depths. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { randomRotation, seededRandom, wavySheet } from '../../../../../lab/scenes/index.mjs';
import { FAST, full, least, runs, stride } from '../../../../../test/budget.js';
import { arena } from '../../../src/base/arena.js';
import { distanceSqPointTriangle } from '../../../src/geometry/distance/point-triangle.js';
import { invertPose, posePoint, toRigidPose } from '../../../src/math/pose.js';
import { Mesh } from '../../../src/mesh/mesh.js';
import { collide } from '../../../src/query/pair/collide.js';
import { contacts } from '../../../src/query/solid/contacts.js';
import {
  ball,
  bruteForceInside,
  cellSurface,
  cube,
  cylinder,
  gridBox,
  mesh,
  moved,
  sphere,
  torus,
  united,
} from './solids.js';

const at = (x: number, y = 0, z = 0) => ({ pose: { translation: [x, y, z] } });

function bruteForceDistance(surface: Mesh, p: readonly number[]): number {
  const { positions, indices, origin } = surface;
  const triangle = new Float64Array(9);
  const point = Float64Array.from(p);
  let best = Infinity;
  for (let t = 0; t < indices.length; t += 3) {
    for (let k = 0; k < 9; k++)
      triangle[k] = positions[3 * indices[t + Math.floor(k / 3)] + (k % 3)] + origin[k % 3];
    best = Math.min(best, distanceSqPointTriangle(point, 0, triangle, 0));
  }
  return Math.sqrt(best);
}

describe('two spheres', () => {
  const [r1, r2, d] = [1, 0.8, 1.4];
  const x = (d * d + r1 * r1 - r2 * r2) / (2 * d);
  const ring = Math.sqrt(r1 * r1 - x * x);

  full('meet in one ring, and length and depth converge under refinement', () => {
    const errors = [6, 12, 24, 48].map((frequency) => {
      const { regions } = contacts(ball(r1, frequency), ball(r2, frequency), at(d));
      expect(regions.length).toBe(1);
      const [region] = regions;
      expect(region.kind).toBe('crossing');
      expect(region.curves.length).toBe(1);
      expect(region.closed).toBe(true);
      expect(region.normal[0]).toBeGreaterThan(0.999);
      expect(region.depthBound).toBeLessThanOrEqual(region.depth * 1.0011);
      expect(region.point[0]).toBeCloseTo(x, 1);
      return {
        depth: Math.abs(region.depth - (r1 + r2 - d)),
        length: Math.abs(region.length - 2 * Math.PI * ring),
      };
    });
    expect(errors[0].depth).toBeLessThan(0.03);
    expect(errors[3].depth).toBeLessThan(0.002);
    expect(errors[3].length).toBeLessThan(0.01);
    expect(errors[3].depth).toBeLessThan(errors[0].depth / 8);
    expect(errors[3].length).toBeLessThan(errors[0].length / 8);
  });

  full('few evaluations find the depth among many triangles', () => {
    const frequency = FAST ? 30 : 60; // 18 000 or 72 000 triangles each
    const { regions, stats } = contacts(ball(r1, frequency), ball(r2, frequency), at(d));
    expect(Math.abs(regions[0].depth - (r1 + r2 - d))).toBeLessThan(0.002);
    expect(stats.depthEvaluations).toBeLessThan(4000);
  });

  it('the same from both sides but for the sign, also turned and far away (seed 12)', () => {
    const random = seededRandom(12);
    const a = mesh(moved(sphere(r1, 8), 5e6, -3e6, 10));
    const b = ball(r2, 8);
    for (let i = 0; i < 4; i++) {
      const poseA = { rotation: randomRotation(random), translation: [1, 2, 3] };
      const centre = [0, 0, 0];
      posePoint(toRigidPose(poseA), 5e6, -3e6, 10, centre, 0);
      const poseB = { rotation: randomRotation(random), translation: [centre[0] + d, centre[1], centre[2]] };
      const [there] = contacts(a, b, { poseA, poseB }).regions;
      const [back] = contacts(b, a, { poseA: poseB, poseB: poseA }).regions;
      expect(there.depth).toBeCloseTo(back.depth, 3);
      expect(there.length).toBeCloseTo(back.length, 6);
      for (let k = 0; k < 3; k++) {
        expect(there.normal[k]).toBeCloseTo(-back.normal[k], 6);
        expect(there.box.min[k]).toBeCloseTo(back.box.min[k], 5);
      }
      expect(there.normal[0]).toBeGreaterThan(0.99);
      expect(there.depth).toBeCloseTo(r1 + r2 - d, 1);
      expect(there.point[0] - centre[0]).toBeCloseTo(x, 1);
    }
  });

  it('an inside-out mesh gives the same normal', () => {
    const { positions, indices } = sphere(r2, 8);
    const turned = mesh({ positions, indices: Array.from(indices).reverse() });
    expect(contacts(ball(r1, 8), turned, at(d)).regions[0].normal[0]).toBeGreaterThan(0.99);
    expect(contacts(turned, ball(r1, 8), at(d)).regions[0].normal[0]).toBeGreaterThan(0.99);
  });

  it('apart: no regions', () => {
    expect(contacts(ball(1), ball(1), at(2.5)).regions).toEqual([]);
  });
});

describe('boxes', () => {
  it('sharing a face: coplanar, depth 0, pushed apart', () => {
    const { regions } = contacts(cube(1), cube(1), at(0, 0, 1));
    expect(regions.length).toBe(1);
    const [region] = regions;
    expect(region).toMatchObject({
      kind: 'coplanar',
      depth: 0,
      deepest: undefined,
      normal: [0, 0, 1],
      closed: true,
    });
    expect(region.curves.length).toBe(1);
    expect(region.length).toBeCloseTo(4, 9);
    expect(region.box).toEqual({ min: [-0.5, -0.5, 0.5], max: [0.5, 0.5, 0.5] });
    expect(region.point[2]).toBe(0.5);
  });

  it('sharing part of a face: the outline of the common part', () => {
    const [region] = contacts(cube(1), mesh(gridBox([0.1, 0.2, 0.5], [4, 4, 4], 0.25))).regions;
    expect(region.kind).toBe('coplanar');
    expect(region.length).toBeCloseTo(2 * (0.4 + 0.3), 6);
    expect(region.curves.length).toBe(1);
    expect(region.normal).toEqual([0, 0, 1]);
  });

  it('touching in a corner and along an edge', () => {
    const [corner] = contacts(cube(1), cube(1), at(1, 1, 1)).regions;
    expect(corner).toMatchObject({ kind: 'touching', depth: 0, curves: [], point: [0.5, 0.5, 0.5] });
    for (let k = 0; k < 3; k++) expect(corner.normal[k]).toBeGreaterThan(0.3);
    const [edge] = contacts(cube(1), cube(1), at(1, 1, 0)).regions;
    expect(edge.kind).toBe('touching');
    expect(edge.length).toBeCloseTo(1, 9);
    expect(edge.normal[2]).toBeCloseTo(0, 9);
  });

  it('crossing at a corner: one closed curve, depth of the corner', () => {
    const { regions } = contacts(cube(1), cube(1), at(0.9, 0.8, 0.7));
    expect(regions.length).toBe(1);
    expect(regions[0]).toMatchObject({ kind: 'crossing', closed: true });
    expect(regions[0].depth).toBeCloseTo(0.1, 6);
    expect(regions[0].length).toBeCloseTo(2 * (0.1 + 0.2 + 0.3), 6);
    for (const n of regions[0].normal) expect(n).toBeGreaterThan(0.1);
  });

  it('on aligned grids, where no two triangles pass through each other', () => {
    const a = mesh(gridBox([0, 0, 0], [4, 4, 4]));
    const b = mesh(gridBox([3, 3, 3], [3, 3, 3]));
    const [region] = contacts(a, b).regions;
    expect(region.kind).toBe('crossing');
    expect(region.depth).toBeCloseTo(1, 6);
  });

  it('bars that cross without a vertex inside each other are as deep as when refined', () => {
    const coarse = contacts(cube(1, 1, 10), cube(10, 1.5, 1.5)).regions;
    const fine = contacts(mesh(gridBox([-0.5, -0.5, -5], [8, 8, 80], 1 / 8)), cube(10, 1.5, 1.5)).regions;
    expect(coarse.length).toBe(2);
    expect(fine.length).toBe(2);
    // the bar's edges run 0.25 under the faces y = ±0.75; its faces' middles lie on the axis plane, 0.75 under z =
    // ±0.75
    for (const region of [...coarse, ...fine]) expect(region.depth).toBeCloseTo(0.75, 2);
  });

  it('a tolerance turns shallow crossings into touches', () => {
    const options = at(0, 0, 0.999);
    expect(contacts(cube(1), cube(1.5), options).regions[0].kind).toBe('crossing');
    const shallow = at(0, 0, 1.249);
    expect(contacts(cube(1), cube(1.5), shallow).regions[0].kind).toBe('crossing');
    expect(contacts(cube(1), cube(1.5), { ...shallow, tolerance: 0.01 }).regions[0].kind).not.toBe(
      'crossing',
    );
    expect(() => contacts(cube(1), cube(1), { tolerance: Number.NaN })).toThrowError(/tolerance/);
  });
});

describe('sets of cells', () => {
  it('depth bounds a brute-force search over points of both surfaces (fast-check, seed 62)', () => {
    const cell = fc.tuple(
      fc.integer({ min: 0, max: 3 }),
      fc.integer({ min: 0, max: 1 }),
      fc.integer({ min: 0, max: 1 }),
    );
    const set = fc.uniqueArray(cell, { minLength: 1, maxLength: 7, selector: String });
    const deepestSample = (from: Mesh, into: Mesh) => {
      let most = 0;
      const { positions, indices } = from;
      for (let t = 0; t < indices.length; t += 3) {
        for (const [u, v] of [
          [0, 0],
          [0.25, 0.25],
          [0.5, 0],
          [0, 0.5],
          [0.5, 0.5],
          [0.25, 0.5],
          [0.5, 0.25],
        ]) {
          const p = [0, 1, 2].map((k) => {
            const [x, y, z] = [0, 1, 2].map((c) => positions[3 * indices[t + c] + k]);
            return x + u * (y - x) + v * (z - x);
          });
          const depth = bruteForceDistance(into, p);
          if (depth > Math.max(most, 1e-9) && bruteForceInside(into, p)) most = depth;
        }
      }
      return most;
    };
    let crossing = 0;
    fc.assert(
      fc.property(set, set, (cellsA, cellsB) => {
        const [a, b] = [mesh(cellSurface(cellsA)), mesh(cellSurface(cellsB))];
        const { regions } = contacts(a, b);
        const samples = Math.max(deepestSample(a, b), deepestSample(b, a));
        const depth = Math.max(0, ...regions.map((region) => region.depth));
        const overlap = samples > 0;
        crossing += overlap ? 1 : 0;
        expect(depth > 0).toBe(overlap);
        expect(regions.some((region) => region.kind === 'crossing')).toBe(overlap);
        const bound = Math.max(0, ...regions.map((region) => region.depthBound));
        expect(bound).toBeGreaterThanOrEqual(samples * (1 - 1e-9));
        expect(depth).toBeGreaterThanOrEqual(samples * (1 - 1.1e-3));
        // no point of a triangle is farther than this from a sample
        expect(depth).toBeLessThanOrEqual(samples + 0.4);
        for (const region of regions)
          expect(region.depthBound).toBeLessThanOrEqual(region.depth * 1.0011 + 1e-9);
        const back = contacts(b, a).regions;
        expect(Math.max(0, ...back.map((region) => region.depth))).toBeCloseTo(depth, 2);
        expect(back.length).toBe(regions.length);
      }),
      { seed: 62, numRuns: runs(60) },
    );
    expect(crossing).toBeGreaterThan(least(20));
  });

  it('scaled by 1e±6: depth, length and normals follow', () => {
    const scaled = (m: ReturnType<typeof sphere>, s: number) =>
      mesh({ positions: Array.from(m.positions, (x) => x * s), indices: m.indices });
    const [unit] = contacts(ball(1, 8), ball(0.8, 8), at(1.4, 0.1)).regions;
    for (const s of [1e-6, 1e6]) {
      const [region] = contacts(
        scaled(sphere(1, 8), s),
        scaled(sphere(0.8, 8), s),
        at(1.4 * s, 0.1 * s),
      ).regions;
      expect(region.depth / s).toBeCloseTo(unit.depth, 5);
      expect(region.length / s).toBeCloseTo(unit.length, 5);
      for (let k = 0; k < 3; k++) expect(region.normal[k]).toBeCloseTo(unit.normal[k], 5);
      expect(region.closed).toBe(true);
    }
  });
});

describe('other shapes', () => {
  it('a cylinder through a wall: two loops, normals to both faces, depth half the wall or the radius', () => {
    const wall = cube(4, 4, 0.5);
    const { regions } = contacts(wall, mesh(cylinder(0.6, 3, 48)));
    expect(regions.length).toBe(2);
    const normals = regions.map((region) => region.normal[2]).sort();
    expect(normals[0]).toBeCloseTo(-1, 6);
    expect(normals[1]).toBeCloseTo(1, 6);
    for (const region of regions) {
      expect(region.curves.length).toBe(1);
      expect(region.closed).toBe(true);
      expect(region.length).toBeCloseTo(2 * 48 * 0.6 * Math.sin(Math.PI / 48), 5);
      expect(Math.abs(region.point[2])).toBeCloseTo(0.25, 9);
      // the wall's surface lies up to the radius under the cylinder's
      expect(region.depth).toBeCloseTo(0.6, 2);
    }
  });

  it('a torus and a ball through its hole: every curve lies on both surfaces', () => {
    const a = mesh(torus(1, 0.4, 48, 24));
    const b = ball(0.7, 16);
    const { regions } = contacts(a, b, at(0, 0, 0.1));
    expect(regions.length).toBe(2);
    for (const region of regions) {
      expect(region.closed).toBe(true);
      for (const { points } of region.curves) {
        for (let i = 0; i < points.length; i += 3 * 7 * stride) {
          const p = [points[i], points[i + 1], points[i + 2]];
          expect(bruteForceDistance(a, p)).toBeLessThan(1e-7);
          expect(bruteForceDistance(b, [p[0], p[1], p[2] - 0.1])).toBeLessThan(1e-7);
        }
      }
    }
  });

  full(
    'regions share out exactly the pairs of collide; depth is no less than at any vertex inside (seed 21)',
    () => {
      const random = seededRandom(21);
      const a = mesh(torus(1, 0.4, 32, 16));
      const b = mesh(torus(0.9, 0.35, 28, 14));
      for (let i = 0; i < runs(6); i++) {
        const pose = { rotation: randomRotation(random), translation: [random(), random(), 0] };
        const { regions } = contacts(a, b, { pose });
        const { pairs } = collide(a, b, { pose });
        const key = (list: Uint32Array) =>
          Array.from({ length: list.length / 2 }, (_, k) => `${list[2 * k]} ${list[2 * k + 1]}`);
        expect(regions.flatMap((region) => key(region.pairs)).sort()).toEqual(key(pairs).sort());
        const deepest = Math.max(...regions.map((region) => region.depth));
        const bound = Math.max(...regions.map((region) => region.depthBound));
        let most = 0;
        const back = invertPose(toRigidPose(pose));
        for (let v = 0; v < a.vertexCount; v++) {
          const p = [0, 0, 0];
          posePoint(back, a.positions[3 * v], a.positions[3 * v + 1], a.positions[3 * v + 2], p, 0);
          if (bruteForceInside(b, p)) most = Math.max(most, bruteForceDistance(b, p));
        }
        expect(deepest).toBeGreaterThanOrEqual(most * 0.999);
        expect(bound).toBeLessThanOrEqual(deepest * 1.0011);
      }
    },
  );

  it('open meshes: judged by the way their triangles face', () => {
    const { positions, indices } = sphere(1, 12);
    const bowl = Mesh.from({ positions, indices: Array.from(indices).slice(0, -60) });
    const [whole] = contacts(ball(1, 12), ball(0.8, 12), at(1.4, 0.2)).regions;
    const [open] = contacts(bowl, ball(0.8, 12), at(1.4, 0.2)).regions;
    expect(open.depth).toBeCloseTo(whole.depth, 2);
    const sheet = mesh(wavySheet(20));
    const [cut] = contacts(ball(0.4, 8), sheet, at(0, 0, 0)).regions;
    expect(cut.depth).toBeGreaterThan(0.1);
  });

  it('any soup, with degenerate and duplicate triangles (fast-check, seed 63)', () => {
    const soup = fc
      .array(fc.integer({ min: 0, max: 3 }), { minLength: 9, maxLength: 90 })
      .map((xs) => Mesh.from({ positions: xs.slice(0, 9 * Math.floor(xs.length / 9)) }));
    fc.assert(
      fc.property(soup, soup, (a, b) => {
        const { regions } = contacts(a, b);
        const { count } = collide(a, b);
        expect(regions.reduce((sum, region) => sum + region.count, 0)).toBe(count);
        for (const region of regions) {
          const size = Math.hypot(...region.normal);
          expect(size === 0 || Math.abs(size - 1) < 1e-12).toBe(true);
          expect(region.depth).toBeGreaterThanOrEqual(0);
          for (let k = 0; k < 3; k++) {
            expect(region.point[k]).toBeGreaterThanOrEqual(region.box.min[k] - 1e-12);
            expect(region.point[k]).toBeLessThanOrEqual(region.box.max[k] + 1e-12);
          }
          // the point of a region is a point of both surfaces
          expect(bruteForceDistance(a, region.point)).toBeLessThan(1e-12);
          expect(bruteForceDistance(b, region.point)).toBeLessThan(1e-12);
        }
      }),
      { seed: 63, numRuns: runs(300) },
    );
  });

  it('parts that hang together by a corner touch in one region', () => {
    const spike = (x: number) => [0, 0, 0, x, 0.2, 1, x, -0.2, 1, 2 * x, 0, 1];
    const indices = [0, 1, 2, 0, 3, 1, 0, 2, 3, 1, 3, 2];
    const spikes = mesh(united({ positions: spike(1), indices }, { positions: spike(-1), indices }));
    const { regions } = contacts(cube(1), spikes, at(0.1, 0.2, 0.5));
    expect(regions.length).toBe(1);
    expect(regions[0].point[2]).toBe(0.5);
    expect(contacts(cube(1), spikes, at(0.1, 0.2, 0.4)).regions.length).toBe(2);
  });

  it('an instance of the mesh itself, and nothing left in the arena', () => {
    const a = ball(1, 8);
    const run = () => contacts(a, a, at(1.5));
    expect(run().regions[0].depth).toBeCloseTo(0.5, 1);
    const used = arena().usedBytes;
    run();
    expect(arena().usedBytes).toBeLessThanOrEqual(used);
  });
});
