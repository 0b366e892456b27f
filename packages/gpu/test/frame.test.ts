/** The frame's bounds against exact arithmetic: where vertices are, where a device and the queries think they are. */
import fc from 'fast-check';
import { posePoint, type RigidPose, relativePose, toRigidPose } from 'impinge/internal/math/pose.js';
import { Mesh } from 'impinge/internal/mesh/mesh.js';
import { storedPose } from 'impinge/internal/mesh/stored-pose.js';
import { describe, expect, test } from 'vitest';
import { runs } from '../../../test/budget.js';
import { type InputObject, Row, TABLE_STRIDE } from '../src/backend.js';
import type { Frame } from '../src/frame.js';
import { InputTables } from '../src/input-tables.js';
import { PoseTable } from '../src/pose-table.js';

/** Exact numbers: integers over 2^EXACT, enough for products of two doubles and a scale. */
const EXACT = 2400n;
type Exact = bigint;

function exact(x: number): Exact {
  if (x === 0) return 0n;
  const exponent = Math.max(-1022, Math.floor(Math.log2(Math.abs(x))));
  const shift = Math.max(-1074, exponent - 54); // x is an integer over 2^-shift
  return BigInt(scaleBy(x, -shift)) << (EXACT + BigInt(shift));
}
/** x · 2^power without overflow on the way. */
function scaleBy(x: number, power: number): number {
  const step = Math.trunc(power / 3);
  return x * 2 ** step * 2 ** step * 2 ** (power - 2 * step);
}
const times = (x: Exact, y: Exact): Exact => (x * y) >> EXACT;
const dot = (r: RigidPose, row: number, v: readonly Exact[]): Exact =>
  times(exact(r[3 * row]), v[0]) + times(exact(r[3 * row + 1]), v[1]) + times(exact(r[3 * row + 2]), v[2]);

/** R v + t, exactly. */
const posed = (r: RigidPose, v: readonly Exact[]): Exact[] =>
  [0, 1, 2].map((row) => dot(r, row, v) + exact(r[9 + row]));

const sumSq = (v: readonly Exact[]): Exact => v.reduce((sum, x) => sum + times(x, x), 0n);
const vertex = (mesh: Mesh, i: number): number[] => [...mesh.positions.subarray(3 * i, 3 * i + 3)];
const inMesh = (mesh: Mesh, p: ArrayLike<number>): Exact[] =>
  [0, 1, 2].map((k) => exact(p[k]) + exact(mesh.origin[k]));

const flush = (x: number) => (Math.abs(x) < 2 ** -126 ? 0 : x);
const f32 = (x: number) => flush(Math.fround(x));
/** A float32 next to x, on the side that `up` says: what a device may give instead of the nearest. */
function f32Toward(x: number, up: boolean): number {
  const nearest = Math.fround(x);
  if (nearest === x || nearest > x === up || nearest === 0) return flush(nearest);
  const bits = new Int32Array(Float32Array.of(nearest).buffer);
  bits[0] += nearest > 0 === up ? 1 : -1;
  return flush(new Float32Array(bits.buffer)[0]);
}

/** Ways to compute M p + T in float32: order of the sums, fused or not, rounded to either side. */
const DEVICES: ((m: Float32Array, p: readonly number[]) => number)[] = [
  (m, [x, y, z]) => f32(f32(f32(f32(m[0] * x) + f32(m[1] * y)) + f32(m[2] * z)) + m[3]),
  (m, [x, y, z]) => f32(m[0] * x + f32(m[1] * y + f32(m[2] * z + m[3]))), // fused
  ...[true, false].map(
    (up) => (m: Float32Array, p: readonly number[]) =>
      [0, 1, 2].reduce(
        (sum, k) => f32Toward(f32Toward(flush(m[k]) * flush(p[k]), up) + sum, up),
        flush(m[3]),
      ),
  ),
];

interface TestObject {
  readonly mesh: Mesh;
  readonly pose: RigidPose;
}

/** An input that can be asked for again and again. */
class Inputs {
  readonly #poses = new PoseTable();
  readonly #tables = new InputTables(64);
  readonly #things: readonly TestObject[];

  constructor(things: readonly TestObject[]) {
    this.#things = things;
    this.#poses.reserve(things.length);
    things.forEach(({ pose }, i) => {
      this.#poses.write(i, pose);
    });
    this.#tables.layOut(things.map(({ mesh, pose }, id): InputObject => ({ id, mesh, pose, self: false })));
  }

  move(i: number, pose: RigidPose): void {
    this.#poses.write(i, pose);
  }

  take(distance = 0) {
    return this.#tables.take(this.#poses.current, distance, true);
  }

  /** Holds every vertex of every object, as devices would place it, to the table's numbers. */
  check(distance = 0): Frame {
    const { input, frame } = this.take(distance);
    for (const half of frame.half) {
      expect(half).toBeGreaterThan(0);
      expect(half).toBeLessThanOrEqual(1);
      expect(Math.fround(half)).toBe(half);
    }
    this.#things.forEach(({ mesh }, o) => {
      const pose = this.#poses.current.poses.subarray(12 * o, 12 * o + 12);
      checkObject({ mesh, pose }, input.table.subarray(TABLE_STRIDE * o, TABLE_STRIDE * (o + 1)), frame);
    });
    return frame;
  }
}

function checkObject({ mesh, pose }: TestObject, row: Float32Array, frame: Frame): void {
  const rounding = row[Row.rounding];
  const margin = row[Row.margin];
  expect(margin).toBeGreaterThanOrEqual(rounding + frame.distance / 2);
  for (let i = 0; i < mesh.vertexCount; i++) {
    const p = vertex(mesh, i);
    const place = posed(pose, inMesh(mesh, p)).map((w, k) =>
      times(w - exact(frame.origin[k]), exact(frame.scale)),
    );
    for (const device of DEVICES) {
      const given = [0, 1, 2].map((k) => device(row.subarray(4 * k, 4 * k + 4), p));
      const errorSq = sumSq(given.map((x, k) => exact(x) - place[k]));
      if (errorSq > times(exact(rounding), exact(rounding))) {
        expect.fail(`vertex ${i}: off by ${Math.sqrt(toNumber(errorSq))}, bound ${rounding}`);
      }
      given.forEach((x, k) => {
        expect(Math.abs(x) + margin).toBeLessThan(frame.half[k]);
      });
    }
  }
}

const take = (things: readonly TestObject[], distance = 0) => new Inputs(things).take(distance);
const checkPlaces = (things: readonly TestObject[], distance = 0) => new Inputs(things).check(distance);

const toNumber = (x: Exact): number => Number(x >> (EXACT - 300n)) * 2 ** -300;

/** For vertices of two objects at one place: how far the queries' numbers move them apart is within both margins. */
function checkQueryNumbers(a: TestObject, b: TestObject): void {
  const { input, frame } = take([a, b]);
  const bToA = storedPose(a.mesh, b.mesh, relativePose(a.pose, b.pose));
  const allowed = (input.table[Row.rounding] + input.table[TABLE_STRIDE + Row.rounding]) / frame.scale;
  const out = new Float64Array(3);
  for (let i = 0; i < b.mesh.vertexCount; i++) {
    const p = vertex(b.mesh, i);
    posePoint(bToA, p[0], p[1], p[2], out, 0);
    const queried = posed(a.pose, inMesh(a.mesh, out));
    const real = posed(b.pose, inMesh(b.mesh, p));
    const errorSq = sumSq(queried.map((x, k) => x - real[k]));
    if (errorSq > times(exact(allowed), exact(allowed))) {
      expect.fail(`vertex ${i}: off by ${Math.sqrt(toNumber(errorSq))}, bound ${allowed}`);
    }
  }
}

const unit = fc.double({ min: -1, max: 1, noNaN: true });
const triple = fc.tuple(unit, unit, unit);
const quaternion = fc
  .tuple(unit, unit, unit, unit)
  .filter((q) => Math.hypot(...q) > 0.1)
  .map((q) => q.map((c) => c / Math.hypot(...q)));
const magnitude = fc.integer({ min: -20, max: 20 }).map((e) => 2 ** e);
const offset = fc.constantFrom(0, 0, 1, 1e3, 1e7, 1e12);

/** A pose with entries off by up to `noise`. */
const pose = (noise: number) =>
  fc
    .tuple(quaternion, triple, magnitude, fc.array(unit, { minLength: 9, maxLength: 9 }), fc.boolean())
    .map(([rotation, direction, far, wobble, rigid]) => {
      const out = toRigidPose({ rotation, translation: direction.map((x) => far * x) });
      if (!rigid) for (let i = 0; i < 9; i++) out[i] += noise * wobble[i];
      return toRigidPose({ rotation: out.slice(0, 9), translation: out.slice(9) });
    });
const points = fc
  .tuple(fc.array(triple, { minLength: 3, maxLength: 3 }), magnitude, triple, offset, fc.boolean())
  .map(([corners, size, direction, far, single]) => {
    const positions = corners.flatMap((c) => c.map((x, k) => size * x + far * direction[k]));
    return single ? Float32Array.from(positions) : Float64Array.from(positions);
  });

const triangles = fc.array(unit, { minLength: 9, maxLength: 9 });

/** Frees the meshes made for a property. */
function withMeshes<T>(positions: readonly ArrayLike<number>[], run: (meshes: Mesh[]) => T): T {
  const meshes = positions.map((p) => Mesh.from({ positions: p }));
  try {
    return run(meshes);
  } finally {
    for (const mesh of meshes) mesh.dispose();
  }
}

describe('the frame', () => {
  test('bounds where devices place vertices (seed 1)', () => {
    const things = fc.array(fc.tuple(points, pose(2e-6)), { minLength: 1, maxLength: 4 });
    fc.assert(
      fc.property(things, fc.constantFrom(0, 0, 1e-3, 1, 1e6), (list, distance) => {
        withMeshes(
          list.map(([p]) => p),
          (meshes) =>
            checkPlaces(
              meshes.map((mesh, i) => ({ mesh, pose: list[i][1] })),
              distance,
            ),
        );
      }),
      { seed: 1, numRuns: runs(300) },
    );
  });

  test("bounds where devices place vertices of an object about the frame's middle (seed 2)", () => {
    const positions = [...[0.7, 0.6, 0.5], ...[-0.7, -0.6, -0.5], ...[0.3, -0.6, 0.5]];
    fc.assert(
      fc.property(quaternion, (rotation) =>
        withMeshes([[...positions, ...positions.map((x) => -x)]], ([mesh]) => {
          checkPlaces([{ mesh: mesh, pose: toRigidPose({ rotation }) }]);
        }),
      ),
      { seed: 2, numRuns: runs(500) },
    );
  });

  /** The vertices of an object as seen from another pose, as far as float64 can say so. */
  function seenFrom(poseB: RigidPose, positionsA: ArrayLike<number>, poseA: RigidPose): Float64Array {
    const positionsB = new Float64Array(9);
    const world = new Float64Array(3);
    for (let i = 0; i < 9; i += 3) {
      posePoint(poseA, positionsA[i], positionsA[i + 1], positionsA[i + 2], world, 0);
      for (let k = 0; k < 3; k++) {
        for (let j = 0; j < 3; j++) positionsB[i + k] += poseB[3 * j + k] * (world[j] - poseB[9 + j]);
      }
    }
    return positionsB;
  }

  function checkAtOnePlace(positionsA: ArrayLike<number>, poseA: RigidPose, poseB: RigidPose): void {
    withMeshes([positionsA, seenFrom(poseB, positionsA, poseA)], ([a, b]) => {
      checkQueryNumbers({ mesh: a, pose: poseA }, { mesh: b, pose: poseB });
    });
  }

  test('bounds what the queries round, and what poses that are not quite rigid do (seed 3)', () => {
    fc.assert(fc.property(points, pose(2e-6), pose(2e-6), checkAtOnePlace), { seed: 3, numRuns: runs(500) });
  });

  test('bounds what the queries round far from the origin (seed 4)', () => {
    fc.assert(
      fc.property(triangles, quaternion, quaternion, triple, (positions, turnA, turnB, direction) => {
        // not the same for both: the roundings would cancel
        const [poseA, poseB] = [turnA, turnB].map((rotation, side) =>
          toRigidPose({ rotation, translation: direction.map((x, k) => 1e13 * x + side * (k + 1)) }),
        );
        checkAtOnePlace(positions, poseA, poseB);
      }),
      { seed: 4, numRuns: runs(300) },
    );
  });

  const triangle = (size: number, at: readonly number[] = [0, 0, 0]) =>
    [0, 0, 0, 1, 0.3, 0, 0, 1, 0.1].map((x, i) => size * x + at[i % 3]);
  const here = toRigidPose(undefined);

  test.each([
    ['tiny', [triangle(1e-6), triangle(1e-6, [1e-6, 0, 0])]],
    ['below what float32 holds without loss', [triangle(1e-40), triangle(3e-40)]],
    ['huge', [triangle(1e30), triangle(2e30, [1e30, 0, 0])]],
    ['tiny beside huge', [triangle(1e-30), triangle(1e30)]],
    ['flat', [[0, 0, 0, 1, 0, 0, 0, 1, 0]]],
    ['a point', [[0, 0, 0, 0, 0, 0, 0, 0, 0]]],
    ['a point far off', [Array.from({ length: 9 }, () => 12345678.9)]],
    ['float32 far from 0', [triangle(64, [1e7, -1e7, 1e7]), triangle(64, [1e7 + 32, -1e7, 1e7])]],
    ['survey coordinates', [triangle(0.37, [4e6 + 0.1, 5e6, 1e3]), triangle(0.37, [4e6, 5e6, 1e3 + 0.3])]],
  ])('holds what is %s', (_, shapes) => {
    withMeshes(shapes, (meshes) => {
      for (const distance of [0, 1e-9, 1, 1e30]) {
        checkPlaces(
          meshes.map((mesh) => ({ mesh, pose: here })),
          distance,
        );
      }
    });
  });

  test('is not wasted: the longest side fills at least half of it', () => {
    withMeshes([triangle(1), triangle(1, [3, 0, 0])], (meshes) => {
      const { frame } = take(meshes.map((mesh) => ({ mesh, pose: here })));
      expect(Math.max(...frame.half)).toBeGreaterThan(0.49);
      expect(Math.log2(frame.scale)).toSatisfy(Number.isInteger);
    });
  });

  test('a distance beyond all objects asks for no more than they extend', () => {
    withMeshes([triangle(1), triangle(1, [3, 0, 0])], (meshes) => {
      const things = meshes.map((mesh) => ({ mesh, pose: here }));
      const { frame } = take(things, 1e30);
      expect(frame.distance / frame.scale).toBeGreaterThan(Math.hypot(4, 1.3, 0.1)); // all pairs
      expect(frame.distance / frame.scale).toBeLessThan(5);
    });
  });

  test('is kept while it fits, and no longer', () => {
    withMeshes([triangle(1), triangle(1), triangle(1)], (meshes) => {
      const inputs = new Inputs(meshes.map((mesh) => ({ mesh, pose: here })));
      const move = (i: number, x: number, y: number) => {
        inputs.move(i, toRigidPose({ translation: [x, y, 0] }));
      };
      move(0, -10, 0);
      move(1, 10, 5);
      const first = inputs.check();
      let kept = 0;
      for (let step = 0; step < 12; step++) {
        move(2, step - 6, 0.3 * step);
        move(1, 10 + 0.05 * step, 5);
        const next = inputs.check();
        if (next.origin === first.origin) kept++;
      }
      expect(kept).toBe(12);
      // a distance, a scene that grew, moved on, shrank: other frames
      const frames = [first, inputs.check(3), inputs.check()];
      move(1, 100, 5);
      frames.push(inputs.check());
      for (let i = 0; i < 3; i++) move(i, 1000 + i, 5 * i);
      frames.push(inputs.check());
      for (let i = 0; i < 3; i++) move(i, 1000 + 0.1 * i, 0);
      frames.push(inputs.check());
      const reaches = frames.map(({ distance, scale }) => distance / scale > 2.9);
      expect(reaches).toEqual([false, true, false, false, false, false]);
      for (const { half } of frames) expect(Math.max(...half)).toBeGreaterThan(0.39);
      // in the middle
      const [x] = frames.at(-1)!.origin;
      expect(Math.abs(x - 1000.6)).toBeLessThan(0.1);
    });
  });

  test('refuses extents that float32 cannot hold', () => {
    withMeshes([triangle(1), triangle(3e38)], (meshes) => {
      const things = meshes.map((mesh) => ({ mesh, pose: here }));
      expect(() => take(things)).toThrow(expect.objectContaining({ code: 'bad-input' }));
      const away = toRigidPose({ translation: [1e308, 0, 0] });
      const back = toRigidPose({ translation: [-1e308, 0, 0] });
      expect(() =>
        take([
          { ...things[0], pose: away },
          { ...things[0], pose: back },
        ]),
      ).toThrow(/float32/);
    });
  });
});
