/** How exact stored objects are: never less than they say, measured on what is stored. */
import fc from 'fast-check';
import { toRigidPose } from 'impinge/internal/math/pose.js';
import { expect, test } from 'vitest';
import { runs } from '../../../../test/budget.js';
import { openStore } from '../../src/store/open.js';
import { PieceCache } from '../../src/store/piece-cache.js';
import type { SourceShape } from '../../src/store/source.js';
import { moved, named, storeOf } from './fixtures.js';

const indices = Uint32Array.of(0, 1, 2);

async function modelOf(shape: SourceShape) {
  return openStore(await storeOf([shape]));
}

test('float32 numbers that are meant as they are have no error', async () => {
  const positions = Float32Array.of(0, 0, 0, 0.1, 0, 0, 0, 1e6, 0);
  const model = await modelOf({ geometry: { positions, indices }, objects: [named('a')] });
  expect(model.object(0)).toMatchObject({ rounding: 0, curveError: 0 });
});

test('float64 numbers that float32 holds have none, either', async () => {
  const positions = Float64Array.of(0, 0, 0, 0.5, 0, 0, 0, 2 ** 20, 0);
  const model = await modelOf({ geometry: { positions, indices }, objects: [named('a')] });
  expect(model.object(0).rounding).toBe(0);
});

test('what a source says is kept, with half a unit in the last place of float32 on top', async () => {
  const positions = Float32Array.of(0, 0, 0, 3, 0, 0, 0, -5, 0);
  const object = { ...named('a'), rounding: 0.25, curveError: 0.125 };
  const model = await modelOf({ geometry: { positions, indices }, objects: [object], precision: 2 ** -24 });
  expect(model.object(0).rounding).toBeCloseTo(0.25 + 4 * 2 ** -24, 12);
  expect(model.object(0).curveError).toBe(0.125);
  const far = { ...named('b'), pose: moved(1000, 0, 0) };
  const other = await modelOf({ geometry: { positions, indices }, objects: [far], precision: 2 ** -24 });
  expect(other.object(0).rounding).toBeCloseTo((2 + 512) * 2 ** -24, 10);
});

test('no stored corner is farther from where it was put than the object says (seed 41)', async () => {
  const number = fc.double({ min: -50, max: 50, noNaN: true });
  const corners = fc.array(number, { minLength: 9, maxLength: 9 });
  const far = fc.constantFrom(0, 100, 7e5, 9e9);
  const skew = fc.constantFrom(0, 1e-7, 2e-6);
  await fc.assert(
    fc.asyncProperty(
      corners,
      far,
      fc.double({ min: 0, max: 6, noNaN: true }),
      skew,
      async (c, at, turn, off) => {
        const positions = Float64Array.from(c, (x) => x + at);
        const [cos, sin] = [Math.cos(turn), Math.sin(turn)];
        // as files have them: not quite a rotation
        const rotation = [cos + off, -sin, 0, sin, cos, 0, 0, 0, 1];
        const pose = toRigidPose({ rotation, translation: [at / 3, 0, -at] });
        const model = await modelOf({ geometry: { positions, indices }, objects: [named('a', pose)] });
        const cache = new PieceCache(model, { limit: 1e8, onLoad: () => {} });
        await cache.acquire([0]);
        const mesh = cache.mesh(0);
        const stored = model.pose(0);
        let most = 0;
        for (let v = 0; v < 9; v += 3) {
          const put = place(pose, positions.subarray(v, v + 3), [0, 0, 0]);
          // vertices keep their order in so small a mesh, or come in another: the nearest will do
          const places = [0, 3, 6].map((w) => place(stored, mesh.positions.subarray(w, w + 3), mesh.origin));
          most = Math.max(
            most,
            Math.min(...places.map((p) => Math.max(...p.map((x, k) => Math.abs(x - put[k]))))),
          );
        }
        cache.release([0]);
        await cache.dispose();
        expect(most).toBeLessThanOrEqual(model.object(0).rounding);
        // and it is no guess: a few units of the numbers that are there
        const largest = Math.max(...positions.map(Math.abs), 1);
        expect(model.object(0).rounding).toBeLessThan(
          1e-4 + 1e-5 * 200 + 20 * off * largest + 1e-14 * largest,
        );
      },
    ),
    { seed: 41, numRuns: runs(200) },
  );
});

function place(pose: ArrayLike<number>, point: ArrayLike<number>, origin: ArrayLike<number>): number[] {
  return [0, 1, 2].map((row) => {
    let sum = pose[9 + row];
    for (let k = 0; k < 3; k++) sum += pose[3 * row + k] * (point[k] + origin[k]);
    return sum;
  });
}

test.each([
  ['a negative rounding', { rounding: -1 }],
  ['a curve error that is no number', { curveError: Number.NaN }],
])('%s is refused', async (_, errors) => {
  const positions = Float32Array.of(0, 0, 0, 1, 0, 0, 0, 1, 0);
  const shape = { geometry: { positions, indices }, objects: [{ ...named('a'), ...errors }] };
  await expect(modelOf(shape)).rejects.toThrow(/must be a length of at least 0/);
});
