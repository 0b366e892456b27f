/** Moving an object: from pointers to moves, and from answers to marks. */
import { Random } from '@impinge/scenes/random';
import { describe, expect, test } from 'vitest';
import type { ExactClient } from '../src/exact/exact-client.js';
import type { DragAnswer, FreePlace, LiveAnswer, Violation } from '../src/exact/types.js';
import { stateOf } from '../src/picture/camera-state.js';
import { type Depths, lensOf, placeOf, rayThrough } from '../src/picture/lens.js';
import type { Picture } from '../src/picture/picture.js';
import type { Box, Point, View } from '../src/picture/types.js';
import { draggedTo, meetsBox, WAYS, type Way } from '../src/tools/drag-ray.js';
import { Dragging } from '../src/tools/dragging.js';

const SIZE = [800, 600] as const;
const DEPTHS: Depths = { reach: 10, middle: [0, 0, 0], isReversed: true };
const VIEW: View = { eye: [8, -6, 5], target: [0, 0, 1], up: [0, 0, 1], fieldOfView: 45, height: 10 };

const rayAt = (view: View, x: number, y: number) =>
  rayThrough({ state: stateOf(view), width: SIZE[0], height: SIZE[1] }, x, y);

/** The position of a point in the picture. */
function placeIn(view: View, point: Point): [number, number] {
  const { x, y } = placeOf(lensOf(stateOf(view), ...SIZE, DEPTHS), point);
  return [x, y];
}

describe('a pointer', () => {
  test.each([45, 0])('drags what it grabbed to where it is, field of view %i', (fieldOfView) => {
    const view = { ...VIEW, fieldOfView };
    const random = new Random(9);
    const some = (): Point => [random.next() - 0.5, random.next() - 0.5, random.next()];
    for (let i = 0; i < 40; i++) {
      const grabbed = some();
      for (const way of Object.keys(WAYS) as Way[]) {
        // a reachable point
        const moved = some();
        const xy = [1, 1, 0];
        const free = { xy, turn: xy, x: [1, 0, 0], y: [0, 1, 0], z: [0, 0, 1], view: [0, 0, 0] }[way];
        const to = grabbed.map((x, k) => x + free[k] * moved[k]) as unknown as Point;
        const found = draggedTo(way, grabbed, rayAt(view, ...placeIn(view, to)), view)!;
        for (let k = 0; k < 3; k++) expect(found[k]).toBeCloseTo(to[k], 9);
      }
    }
  });

  test('that says nothing about an axis moves nothing', () => {
    const above: View = { ...VIEW, eye: [0, 0, 9], target: [0, 0, 0], up: [0, 1, 0], fieldOfView: 0 };
    const ray = rayAt(above, 500, 200);
    expect(draggedTo('z', [0, 0, 0], ray, above)).toBeUndefined();
    expect(draggedTo('xy', [0, 0, 0], ray, above)).toBeDefined();
    const along: View = { ...VIEW, eye: [-9, 0, 0], target: [0, 0, 0] };
    expect(draggedTo('xy', [0, 0, 0], rayAt(along, 400, 300), along)).toBeUndefined();
  });

  test('is on a box or not', () => {
    const ray = rayAt(VIEW, ...placeIn(VIEW, [0.2, 0.1, 1]));
    expect(meetsBox(ray, [0, 0, 0], [1, 1, 2])).toBe(true);
    expect(meetsBox(ray, [3, 3, 0], [4, 4, 2])).toBe(false);
    expect(meetsBox({ from: [0, 0, 5], direction: [0, 0, 1] }, [-1, -1, 0], [1, 1, 1])).toBe(false);
  });
});

describe('what is moved', () => {
  const near: Violation = {
    ...{ object: 4, kind: 'clearance', distance: 0.02, depth: 0, before: false },
    ...{
      point: [0, 0, 0],
      pointOther: [0.02, 0, 0],
      curve: { segments: new Float64Array(0), complete: true },
    },
  };

  /** `answer` gives the violations at a position. */
  function host(
    answer: (x: number) => readonly Violation[],
    free: FreePlace | null,
    live?: (x: number) => LiveAnswer,
  ) {
    const calls: string[] = [];
    const faults: string[] = [];
    const exact = {
      take: async (object: number) => {
        calls.push(`take ${object}`);
        return Float64Array.of(1, 0, 0, 0, 1, 0, 0, 0, 1, 10, 0, 0);
      },
      drag: async (pose: Float64Array): Promise<DragAnswer> => {
        calls.push(`drag ${pose[9]}`);
        return { violations: answer(pose[9]) };
      },
      live: async (pose: Float64Array, _: number, error: number): Promise<LiveAnswer> => {
        calls.push(`live ${pose[9]} ± ${error}`);
        return live!(pose[9]);
      },
      nearestFree: async () => free,
      putBack: async () => {
        calls.push('put back');
      },
    };
    const picture = {
      boxOf: () => ({ min: [0, 0, 0], max: [1, 1, 1] }),
      move: (object: number, pose: Float64Array | null) =>
        calls.push(`draw ${object} ${pose?.[9] ?? 'back'}`),
      pixelAt: () => 0.5,
      refine: (around: { readonly box: Box; readonly error: number } | null) => {
        if (live) calls.push(around ? `refine ${around.box.min[0]} ± ${around.error}` : 'refine nothing');
      },
    };
    const dragging = new Dragging({
      picture: () => picture as unknown as Picture,
      exact: () => exact as unknown as ExactClient,
      metresPerUnit: () => 0.001,
      hasLevels: () => live !== undefined,
      asked: () => undefined,
      fail: (what, error) => faults.push(`${what}: ${error}`),
    });
    return { dragging, calls, faults };
  }

  test('is drawn, asked about, freed and put back', async () => {
    const way: FreePlace = { move: [-30, 0, 0], length: 30 };
    const { dragging, calls, faults } = host((x) => (x > 15 ? [near] : []), way);
    await dragging.take(7);
    await dragging.take(7); // no second call
    expect(dragging.free.value).toEqual({ move: [0, 0, 0], length: 0 });
    await dragging.moveTo([20, 0, 0]);
    expect(dragging.violations.value).toEqual([near]);
    expect(dragging.free.value).toBeUndefined();
    await expect.poll(() => dragging.free.value).toEqual(way);
    const kinds = dragging.marks.value.map(({ kind, label }) => `${kind} ${label}`);
    expect(kinds).toEqual(['line 0.02 mm', 'arrow 30 mm']);
    await dragging.goFree();
    expect(dragging.move.value).toEqual([-10, 0, 0]);
    expect(dragging.violations.value).toEqual([]);
    await dragging.turnTo([0, 0, 450]); // around the centre of its box, which stays in place
    expect(dragging.turn.value).toEqual([0, 0, 90]);
    expect(dragging.box).toEqual({ min: [-10, 0, 0], max: [-9, 1, 1] });
    await dragging.putBack();
    expect(dragging.turn.value).toEqual([0, 0, 0]);
    expect(dragging.object.value).toBeUndefined();
    expect(dragging.marks.value).toEqual([]);
    expect(calls).toEqual([
      ...['take 7', 'drag 10', 'draw 7 30', 'drag 30', 'draw 7 0', 'drag 0'],
      ...['draw 7 -9', 'drag -9', 'draw 7 back', 'put back'],
    ]);
    expect(faults).toEqual([]);
  });

  test('is answered from levels while it moves, and exactly when it rests', async () => {
    const apart = { object: 4, bounds: [10, 10.4], point: [0, 0, 0], pointOther: [10, 0, 0] } as const;
    const live = (x: number): LiveAnswer => ({
      ...{ error: 0.5, next: undefined },
      tooNear: x > 15 ? [apart, { ...apart, object: 5, bounds: [0, 0.3] }] : [],
    });
    const { dragging, calls, faults } = host((x) => (x > 15 ? [near] : []), null, live);
    await dragging.take(7);
    expect(dragging.live.value).toBeUndefined(); // where it is stored, it rests
    await dragging.moveTo([20, 0, 0]);
    expect(dragging.live.value).toEqual(live(30));
    expect(dragging.violations.value).toEqual([]); // of before
    const kinds = dragging.marks.value.map(({ kind, label }) => `${kind} ${label}`);
    expect(kinds).toEqual(['dot undefined', 'line ≥ 10 mm']);
    await expect.poll(() => dragging.live.value).toBeUndefined();
    expect(dragging.violations.value).toEqual([near]);
    // let go: the exact answer does not wait
    await dragging.moveTo([30, 0, 0]);
    await dragging.rest();
    expect(dragging.live.value).toBeUndefined();
    await dragging.rest();
    await dragging.putBack();
    expect(calls).toEqual([
      ...['take 7', 'drag 10', 'draw 7 30', 'refine -30 ± 0.5', 'live 30 ± 0.5', 'drag 30'],
      ...[
        'draw 7 40',
        'refine -20 ± 0.5',
        'live 40 ± 0.5',
        'drag 40',
        'draw 7 back',
        'refine nothing',
        'put back',
      ],
    ]);
    expect(faults).toEqual([]);
  });

  test('makes room for another, and moves nowhere that is no place', async () => {
    const { dragging, calls } = host(() => [], null);
    await dragging.take(1);
    await dragging.take(2);
    await dragging.moveTo([Number.NaN, 0, 0]);
    expect(dragging.object.value).toBe(2);
    expect(calls).toEqual(['take 1', 'drag 10', 'draw 1 back', 'put back', 'take 2', 'drag 10']);
  });

  test('says what went wrong', async () => {
    const { dragging, faults } = host(() => {
      throw new Error('the store is gone');
    }, null);
    await dragging.take(1);
    expect(faults).toEqual(['Could not check the object: Error: the store is gone']);
  });
});
