/**
 * Of several components, one inside is enough: objects in many pieces, neither box within the other, surfaces that do
 * not meet; in memory as a whole, and too large for it.
 */
import { describe, expect, test } from 'vitest';
import { box, icosphere } from '../../../../lab/scenes/index.mjs';
import { full } from '../../../../test/budget.js';
import { type Arrays, moved, united } from '../../../impinge/test/query/solid/solids.js';
import { type CheckOptions, check } from '../../src/check/check.js';
import type { Clash } from '../../src/check/clash.js';
import { LEAST_MEMORY } from '../../src/check/planning.js';
import { openStore } from '../../src/store/open.js';
import type { ShapeArrays, SourceShape } from '../../src/store/source.js';
import { named, storeOf } from '../store/fixtures.js';
import { poseOf } from './support.js';

/** Several surfaces as one. */
function joined(...parts: readonly Arrays[]): ShapeArrays {
  const { positions, indices } = united(...parts);
  return { positions: Float32Array.from(positions), indices: Uint32Array.from(indices) };
}

const cube = (half: number) => box(2 * half) as ShapeArrays;
const ball = (frequency: number, radius = 1) => icosphere(frequency, radius) as ShapeArrays;
const TURNED = poseOf([0.3, 1, 0.2], 0.7, [5, -3, 2]);

/** A cube at a place, of one object with a ball that is elsewhere. */
const cubeAndBall = (at: readonly number[], frequency: number) =>
  joined(moved(cube(0.2), at[0], at[1], at[2]), moved(ball(frequency), 4));

async function clashesOf(
  shapes: readonly SourceShape[],
  pieceTriangles: number,
  options: CheckOptions = {},
): Promise<Clash[]> {
  const found: Clash[] = [];
  for await (const clash of check(await openStore(await storeOf(shapes, { pieceTriangles })), options)) {
    found.push(clash);
  }
  return found;
}

const shape = (name: string, geometry: ShapeArrays, ...poses: Float64Array[]): SourceShape => ({
  geometry,
  objects: poses.length === 0 ? [named(name)] : poses.map((pose, i) => named(`${name} ${i}`, pose)),
});

/** The walls of a large room: a ball within a ball, so that the room itself is outside. */
const hollow = (frequency: number) => joined(ball(frequency, 1.5), ball(frequency, 1.2));

describe.each([
  ['in memory', 6, 64, {}],
  ['too large for it', 44, 4096, { memory: LEAST_MEMORY }],
] as const)('%s', (_, frequency, pieceTriangles, options) => {
  test('a component in a box, whichever comes first, turned or not', async () => {
    const inner = cubeAndBall([0.1, 0, 0], frequency);
    for (const pose of [undefined, TURNED]) {
      const shapes = [
        shape('inner', inner, ...(pose ? [pose] : [])),
        shape('outer', cube(1), ...(pose ? [pose] : [])),
      ];
      for (const list of [shapes, [...shapes].reverse()]) {
        const [clash, ...others] = await clashesOf(list, pieceTriangles, options);
        expect(others).toEqual([]);
        expect(clash.kind).toBe('inside');
        // the far side of the cube: 0.2 from its middle, 0.9 or 0.8 from the walls
        expect(clash.depth).toBeGreaterThan(0.6);
        expect(clash.depth).toBeLessThan(1);
        expect(clash.depthBound).toBeGreaterThanOrEqual(clash.depth);
      }
    }
  });

  full('both in many pieces, and an instance of each', async () => {
    const shapes = [
      shape(
        'inner',
        cubeAndBall([0, 0, 0], frequency),
        poseOf([0, 0, 1], 0),
        poseOf([0, 1, 0], 1.1, [0, 9, 0]),
      ),
      shape('outer', ball(frequency, 1.5), poseOf([0, 0, 1], 0), poseOf([1, 0, 0], 0.4, [0, 9, 0])),
    ];
    const clashes = await clashesOf(shapes, pieceTriangles, options);
    expect(clashes.map(({ kind }) => kind)).toEqual(['inside', 'inside']);
    for (const { a, b } of clashes) expect(a.name.at(-1)).toBe(b.name.at(-1));
  });

  full('nothing where the component lies in a hollow, beside the other, or the other is open', async () => {
    const inner = shape('inner', cubeAndBall([0, 0, 0], frequency));
    expect(await clashesOf([inner, shape('room', hollow(frequency))], pieceTriangles, options)).toEqual([]);
    const beside = shape('beside', cubeAndBall([1.2, 1.2, 1.2], frequency));
    expect(await clashesOf([beside, shape('outer', ball(frequency, 1.5))], pieceTriangles, options)).toEqual(
      [],
    );
    const { positions, indices } = ball(frequency, 1.5);
    const open = { positions, indices: indices.slice(3) };
    expect(await clashesOf([inner, shape('open', open)], pieceTriangles, options)).toEqual([]);
  });

  test('also where it is nearer than a clearance', async () => {
    const inner = shape('inner', cubeAndBall([0.7, 0, 0], frequency));
    const [clash] = await clashesOf([inner, shape('outer', cube(1))], pieceTriangles, {
      ...options,
      clearance: 0.2,
    });
    expect(clash.kind).toBe('inside');
  });
});
