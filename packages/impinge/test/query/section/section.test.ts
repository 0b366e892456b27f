/** Sections of meshes by planes: closed where the mesh is, oriented, and of nothing but what is cut. */
import fc from 'fast-check';
import { describe, expect, test, vi } from 'vitest';
import { randomDirection, seededRandom } from '../../../../../lab/scenes/index.mjs';
import { least, runs } from '../../../../../test/budget.js';
import { mainKernels } from '../../../src/kernel/kernels.generated.js';
import { Mesh } from '../../../src/mesh/mesh.js';
import { type SectionCurve, section } from '../../../src/query/section/section.js';
import { ball, cube, mesh, torus } from '../solid/solids.js';

type Triple = [number, number, number];

const small = fc.integer({ min: -3, max: 3 });
const point = fc.tuple(small, small, small);
const normal = point.filter((n) => n.some((x) => x !== 0));

/** What a curve encloses, counter-clockwise about the normal, times the normal's length. */
function areaOf({ points }: SectionCurve, n: readonly number[]): number {
  let sum = 0;
  const count = points.length / 3;
  for (let i = 0; i < count; i++) {
    const [a, b] = [points.subarray(3 * i, 3 * i + 3), points.subarray(3 * ((i + 1) % count)).subarray(0, 3)];
    const cross = [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
    sum += cross[0] * n[0] + cross[1] * n[1] + cross[2] * n[2];
  }
  return sum / 2;
}

/** Which triangles have corners above and corners that are not; exact for small integers. */
function cutTriangles(
  { positions, indices, triangleCount }: Mesh,
  n: readonly number[],
  offset: number,
): number[] {
  const above = (t: number, k: number) => {
    const v = 3 * indices[3 * t + k];
    return n[0] * positions[v] + n[1] * positions[v + 1] + n[2] * positions[v + 2] > offset;
  };
  return Array.from({ length: triangleCount }, (_, t) => t).filter((t) => {
    const count = [0, 1, 2].filter((k) => above(t, k)).length;
    return count === 1 || count === 2;
  });
}

function expectOnPlane({ points }: SectionCurve, n: readonly number[], offset: number, size: number): void {
  const length = Math.hypot(...n);
  for (let i = 0; i < points.length; i += 3) {
    const off = (n[0] * points[i] + n[1] * points[i + 1] + n[2] * points[i + 2] - offset) / length;
    expect(Math.abs(off)).toBeLessThan(1e-13 * size);
  }
}

describe('a section', () => {
  test('of tetrahedra at few places is closed and runs around them (seed 1761)', () => {
    let loops = 0;
    fc.assert(
      fc.property(
        fc.array(fc.tuple(point, point, point, point), { minLength: 1, maxLength: 6 }),
        normal,
        fc.integer({ min: -6, max: 6 }),
        (tetrahedra, n, offset) => {
          // every triangle has vertices of its own, as in many a model; places join them
          const triangles = tetrahedra.flatMap(([a, b, c, d]) => {
            const turn = orientation(a as Triple, b as Triple, c as Triple, d as Triple) > 0;
            const [p, q] = turn ? [c, b] : [b, c];
            return [a, p, q, a, q, d, q, p, d, p, a, d];
          });
          const model = Mesh.from({ positions: triangles.flat() });
          const curves = section(model, { normal: n, offset });
          const cut = new Set(cutTriangles(model, n, offset));
          for (const curve of curves) {
            loops++;
            expect(curve.closed).toBe(true);
            expect(curve.triangles.length).toBe(curve.points.length / 3);
            expectOnPlane(curve, n, offset, 10);
            for (const t of curve.triangles) expect(cut.has(t)).toBe(true);
          }
          const used = curves.flatMap(({ triangles: on }) => [...on]);
          expect(new Set(used).size).toBe(used.length);
          // all solids face outward: together the loops enclose what the tetrahedra do one by one
          const area = curves.reduce((sum, curve) => sum + areaOf(curve, n), 0);
          const parts = tetrahedra.map((_, i) => {
            const one = Mesh.from({ positions: triangles.slice(12 * i, 12 * i + 12).flat() });
            const each = section(one, { normal: n, offset }).reduce(
              (sum, curve) => sum + areaOf(curve, n),
              0,
            );
            expect(each).toBeGreaterThan(-1e-12);
            one.dispose();
            return each;
          });
          expect(area).toBeCloseTo(
            parts.reduce((sum, x) => sum + x, 0),
            9,
          );
          model.dispose();
        },
      ),
      { numRuns: runs(200), seed: 1761 },
    );
    expect(loops).toBeGreaterThan(least(100));
  });

  test('of a soup has a stretch for each triangle that is cut (seed 1762)', () => {
    fc.assert(
      fc.property(
        fc.array(fc.tuple(point, point, point), { minLength: 1, maxLength: 20 }),
        normal,
        fc.integer({ min: -6, max: 6 }),
        fc.constantFrom(1, 2 ** -20, 2 ** 20),
        (soup, n, offset, by) => {
          const model = Mesh.from({ positions: soup.flat(2).map((x) => x * by) });
          const curves = section(model, { normal: n, offset: offset * by });
          const used = curves.flatMap(({ triangles }) => [...triangles]);
          expect(new Set(used).size).toBe(used.length);
          const cut = cutTriangles(model, n, offset * by);
          for (const t of used) expect(cut).toContain(t);
          for (const curve of curves) {
            expectOnPlane(curve, n, offset * by, 10 * by);
            expect(curve.triangles.length).toBe(curve.points.length / 3 - (curve.closed ? 0 : 1));
          }
          vi.spyOn(mainKernels, 'supported').mockReturnValue(false);
          expect(section(model, { normal: n, offset: offset * by })).toEqual(curves);
          vi.restoreAllMocks();
          model.dispose();
        },
      ),
      { numRuns: runs(200), seed: 1762 },
    );
  });

  test('of round solids: circles, holes the other way round (seed 1763)', () => {
    const random = seededRandom(1763);
    const round = ball(1, 12);
    for (let i = 0; i < runs(40); i++) {
      const n = randomDirection(random);
      const offset = 1.6 * random() - 0.8;
      const curves = section(round, { normal: n, offset });
      expect(curves.length).toBe(1);
      expect(curves[0].closed).toBe(true);
      const area = areaOf(curves[0], n);
      expect(area).toBeGreaterThan(0.97 * Math.PI * (1 - offset * offset));
      expect(area).toBeLessThan(Math.PI * (1 - offset * offset));
    }
    const ring = section(mesh(torus(1, 0.25, 64, 32)), { normal: [0, 0, 2], offset: 0 });
    expect(ring.length).toBe(2);
    const areas = ring.map((curve) => areaOf(curve, [0, 0, 1])).sort((a, b) => a - b);
    expect(areas[0] / -Math.PI).toBeCloseTo(0.75 ** 2, 1);
    expect(areas[1] / Math.PI).toBeCloseTo(1.25 ** 2, 1);
  });

  test('of a cube: through corners, along faces, posed and mirrored', () => {
    const solid = cube(2);
    const [hexagon, ...others] = section(solid, { normal: [1, 1, 1], offset: 0 });
    expect(others).toEqual([]);
    expect(
      areaOf(
        hexagon,
        [1, 1, 1].map((x) => x / Math.sqrt(3)),
      ),
    ).toBeCloseTo(3 * Math.sqrt(3), 12);
    // a face in the plane: an outline where the solid goes on above
    expect(section(solid, { normal: [0, 0, 1], offset: 1 })).toEqual([]);
    const [bottom] = section(solid, { normal: [0, 0, 1], offset: -1 });
    expect(areaOf(bottom, [0, 0, 1])).toBe(4);
    expect([...bottom.points].filter((_, i) => i % 3 === 2).every((z) => z === -1)).toBe(true);
    for (const pose of [
      { scale: [2, 1, 1], translation: [0, 0, 3] },
      { scale: [-2, 1, 1], translation: [0, 0, 3] },
    ]) {
      const [curve] = section(solid, { normal: [0, 0, 1], offset: 3.5 }, { pose });
      expect(areaOf(curve, [0, 0, 1])).toBe(8);
    }
    // an edge that only touches from above leaves nothing
    const wedge = Mesh.from({ positions: [0, 0, 0, 1, 0, 0, 0, 1, 1, 0, 0, 0, 0, -1, 1, 1, 0, 0] });
    expect(section(wedge, { normal: [0, 0, 1], offset: 0 }).every(({ closed }) => !closed)).toBe(true);
    const open = section(wedge, { normal: [0, 0, 1], offset: 0.5 });
    expect(open.length).toBe(2);
    expect(open.every(({ closed }) => !closed)).toBe(true);
  });
});

function orientation(a: Triple, b: Triple, c: Triple, d: Triple): number {
  const [u, v, w] = [b, c, d].map((p) => p.map((x, k) => x - a[k]));
  return (
    w[0] * (u[1] * v[2] - u[2] * v[1]) +
    w[1] * (u[2] * v[0] - u[0] * v[2]) +
    w[2] * (u[0] * v[1] - u[1] * v[0])
  );
}
