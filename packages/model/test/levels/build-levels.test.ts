/** How levels hang together: that every front is the whole surface, once. */
import { Random } from '@impinge/scenes/random';
import { isClosed } from 'impinge/internal/mesh/closed.js';
import { Mesh } from 'impinge/internal/mesh/mesh.js';
import { describe, expect, test } from 'vitest';
import { every, FAST, full } from '../../../../test/budget.js';
import { frontOf } from '../../src/store/front.js';
import { NONE } from '../../src/store/layout.js';
import type { StoredModel } from '../../src/store/model.js';
import { triangleTexts } from '../store/fixtures.js';
import { FAMILIES } from './families.js';
import { errorOf, errorsOf, frontAt, levelsOf } from './stored.js';

/** Most triangles per piece: few, so that small meshes have many groups. */
const FEW = 128;

/**
 * How many pieces of a front lie on the ways from each piece up to the top, at least and at most. A way goes from a
 * piece through the steps of the group that takes it up to one of the pieces at the group's end.
 */
function frontOnWays(
  { directory: d, pieceCount }: StoredModel,
  front: ReadonlySet<number>,
): [number, number][] {
  const made = new Map<number, number[]>();
  for (let piece = 0; piece < pieceCount; piece++) {
    made.set(d.pieceGroup[piece], [...(made.get(d.pieceGroup[piece]) ?? []), piece]);
  }
  const ways: [number, number][] = [];
  for (let piece = pieceCount; piece-- > 0; ) {
    const into = d.pieceInto[piece];
    const of = into === NONE ? [] : made.get(into)!.filter((other) => other > piece);
    const next = of.filter((other) => d.pieceLevel[other] === d.pieceLevel[of[0]]);
    const above = next.map((other) => ways[other]);
    const own = front.has(piece) ? 1 : 0;
    ways[piece] = [
      own + (above.length ? Math.min(...above.map(([least]) => least)) : 0),
      own + (above.length ? Math.max(...above.map(([, most]) => most)) : 0),
    ];
  }
  return ways;
}

describe.each(every(Object.keys(FAMILIES), 3))('levels of %s', async (name) => {
  const shape = FAMILIES[name](FAST ? 14 : 28, new Random(7));
  const levels = await levelsOf(shape, FEW);
  const { model } = levels;
  const { directory: d } = model;
  const exact = d.shapeExactPieces[0];

  test('begin with the originals, every one of them once', () => {
    const front = frontOf(model, 0, 0);
    expect([...front]).toEqual(Array.from({ length: exact }, (_, i) => i));
    const { positions, indices } = frontAt(levels, 0);
    expect(triangleTexts(positions, indices)).toEqual(triangleTexts(shape.positions, shape.indices));
  });

  test('have every original on every front, once', () => {
    for (const error of errorsOf(model)) {
      const ways = frontOnWays(model, new Set(frontOf(model, 0, error)));
      expect(ways.slice(0, exact)).toEqual(Array.from({ length: exact }, () => [1, 1]));
    }
  });

  test('have errors that only grow, and fewer triangles with every step', () => {
    const of = (group: number) =>
      Array.from({ length: model.pieceCount }, (_, i) => i).filter((i) => d.pieceGroup[i] === group);
    const count = (pieces: readonly number[]) => pieces.reduce((sum, i) => sum + d.pieceTriangles[i], 0);
    const groups = new Set(d.pieceGroup.filter((group) => group !== NONE));
    for (const group of groups) {
      const made = of(group);
      const between = made.filter((i) => d.pieceInto[i] === group).map((i) => [i]);
      const end = made.filter((i) => d.pieceInto[i] !== group);
      const from = Array.from(d.pieceInto.keys()).filter(
        (i) => d.pieceInto[i] === group && d.pieceGroup[i] !== group,
      );
      const steps = [from, ...between, end];
      expect(from.length * end.length).toBeGreaterThan(0);
      for (let i = 1; i < steps.length; i++) {
        expect(count(steps[i])).toBeLessThan(count(steps[i - 1]));
        for (const before of steps[i - 1]) {
          expect(d.pieceNext[before]).toBe(errorOf(model, steps[i][0]));
          for (const bounds of [d.pieceOut, d.pieceIn]) {
            expect(bounds[steps[i][0]]).toBeGreaterThanOrEqual(bounds[before]);
          }
        }
      }
    }
  });

  test('lie in their boxes', () => {
    levels.pieces.forEach(({ positions }, piece) => {
      const outside = positions.findIndex((x, i) => {
        const at = 6 * piece + (i % 3);
        return !(d.pieceBox[at] <= x && x <= d.pieceBox[at + 3]);
      });
      expect(outside).toBe(-1);
    });
  });
});

test('levels are the same every time', async () => {
  const shape = FAMILIES['crumbs'](FAST ? 14 : 28, new Random(7));
  const { model } = await levelsOf(shape, FEW);
  expect(model.hasLevels).toBe(true);
  expect((await levelsOf(shape, FEW)).model.fingerprint).toBe(model.fingerprint);
});

test('a closed surface stays closed on every front', async () => {
  const levels = await levelsOf(FAMILIES['torus'](FAST ? 12 : 24, new Random(3)), 64);
  expect(Math.max(...levels.model.directory.pieceLevel)).toBeGreaterThan(4);
  for (const error of errorsOf(levels.model)) {
    const front = Mesh.from(frontAt(levels, error));
    expect(`${error}: ${isClosed(front)}`).toBe(`${error}: true`);
    front.dispose();
  }
});

full('a connected surface comes down to few triangles', async () => {
  const shape = FAMILIES['torus'](60, new Random(1));
  const levels = await levelsOf(shape, 1024);
  expect(shape.indices.length / 3).toBe(14_400);
  expect(frontAt(levels, Infinity).indices.length / 3).toBeLessThan(100);
});
