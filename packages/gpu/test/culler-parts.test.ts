/** What the culler is made of: the order of pairs, views, poses that are lent. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { runs } from '../../../test/budget.js';
import { emptyColumns, mergeColumns, slotOf, toColumns } from '../src/answer.js';
import { VisibilityCuller } from '../src/culler.js';
import { PairSorter } from '../src/pair-order.js';
import { PoseTable } from '../src/pose-table.js';
import { makeViews } from '../src/views.js';
import { asDevice, EveryPair } from './fake-backends.js';

describe('PairSorter', () => {
  test('sorts by the first, then the second (seed 4)', () => {
    const small = fc.nat(20);
    const any = fc
      .constantFrom(10, 2 ** 11, 2 ** 22, 2 ** 32 - 1)
      .chain((max) => fc.integer({ min: 0, max }));
    const pairs = fc.array(
      fc.oneof(fc.tuple(small, small), fc.tuple(any, any), fc.tuple(fc.constant(7), any)),
      {
        maxLength: 300,
      },
    );
    const sorter = new PairSorter();
    fc.assert(
      fc.property(pairs, (list) => {
        const sorted = Uint32Array.from(list.flat());
        sorter.sort(sorted);
        expect([...sorted]).toEqual(list.sort((p, q) => p[0] - q[0] || p[1] - q[1]).flat());
      }),
      { seed: 4, numRuns: runs(300) },
    );
  });
});

describe('columns', () => {
  // objects 2, 3 and 7 with one, two and one parts of 16 slots
  const lookup = {
    partShift: 4,
    partOwner: Uint32Array.of(0, 1, 1, 2),
    partIds: Uint32Array.of(2, 3, 3, 7),
    partStarts: Uint32Array.of(0, 16, 16, 48),
    meshOf: Uint32Array.of(0, 0, 0),
    extents: new Float64Array(0),
    geometryAt: new Uint32Array(0),
  };
  const inOrder = (slots: [number, number][]) =>
    Uint32Array.from(slots.sort((p, q) => p[0] - q[0] || p[1] - q[1]).flat());

  test('of slots, and back', () => {
    const { objects, triangles } = toColumns(lookup, Uint32Array.of(3, 40, 16, 50));
    expect([...objects]).toEqual([2, 3, 3, 7]);
    expect([...triangles]).toEqual([3, 24, 0, 2]);
    expect([...objects].map((id, i) => slotOf(lookup, id, triangles[i]))).toEqual([3, 40, 16, 50]);
  });

  test('merged are those of all slots in order, in other memory (seed 5)', () => {
    const slot = fc.nat(63);
    const pair = fc.tuple(slot, slot);
    const all = fc.uniqueArray(fc.tuple(pair, fc.nat(9)), {
      maxLength: 200,
      selector: ([p]) => 64 * p[0] + p[1],
    });
    fc.assert(
      fc.property(all, fc.nat(10), (entries, share) => {
        const part = (few: boolean) =>
          toColumns(lookup, inOrder(entries.filter(([, n]) => n < share === few).map(([p]) => p)));
        const [many, few] = [part(false), part(true)];
        const merged = mergeColumns(many, few);
        expect(merged).toEqual(toColumns(lookup, inOrder(entries.map(([p]) => p))));
        if (many.count > 0) expect(merged.objects.buffer).not.toBe(many.objects.buffer);
      }),
      { seed: 5, numRuns: runs(200) },
    );
    expect(mergeColumns(emptyColumns(0), emptyColumns(0)).count).toBe(0);
  });

  test('that were gone with their device before they were read are refused', async () => {
    const gone = { count: 1, objects: new Uint32Array(0), triangles: new Uint32Array(0) };
    const backend = new EveryPair();
    const ask = backend.ask.bind(backend);
    backend.ask = async (input, request) => ({ ...(await ask(input, request)), columns: gone });
    const culler = new VisibilityCuller(asDevice(backend));
    for (let i = 0; i < 2; i++) culler.add({ positions: [0, 0, 0, 1, 0, 0, 0, 1, i] });
    await expect(culler.collide()).rejects.toMatchObject({ code: 'device-lost' });
    culler.dispose();
  });
});

describe('views', () => {
  test('are rotations whose rows are no longer than 1, the axes first, the same for the same seed', () => {
    const views = makeViews(20, 7);
    expect([...views.subarray(0, 27)]).toEqual([
      ...[0, 1, 0, 0, 0, 1, 1, 0, 0],
      ...[0, 0, 1, 1, 0, 0, 0, 1, 0],
      ...[1, 0, 0, 0, 1, 0, 0, 0, 1],
    ]);
    for (let at = 0; at < views.length; at += 9) {
      const row = (k: number) => Array.from(views.subarray(at + 3 * k, at + 3 * k + 3));
      const dot = (p: number[], q: number[]) => p.reduce((sum, x, i) => sum + x * q[i], 0);
      for (let i = 0; i < 3; i++) {
        expect(dot(row(i), row(i))).toBeLessThanOrEqual(1);
        expect(dot(row(i), row(i))).toBeCloseTo(1, 5);
        expect(dot(row(i), row((i + 1) % 3))).toBeCloseTo(0, 5);
      }
      const [u, v, w] = [row(0), row(1), row(2)] as [number[], number[], number[]];
      expect(u[0] * v[1] - u[1] * v[0]).toBeCloseTo(w[2], 5);
    }
    expect(makeViews(20, 7)).toEqual(views);
    expect(makeViews(20, 8)).not.toEqual(views);
  });
});

describe('PoseTable', () => {
  const pose = (x: number) => Float64Array.of(1, 0, 0, 0, 1, 0, 0, 0, 1, x, 0, 0);
  const fail = (_: number, error: unknown): never => {
    throw error;
  };

  test('what is lent does not change; what is given back is used again', () => {
    const table = new PoseTable();
    table.write(0, pose(1));
    const first = table.borrow();
    table.write(0, pose(2));
    const second = table.borrow();
    table.writeAll(pose(3), 1, fail);
    expect([first, second, table.current].map(({ poses }) => poses[9])).toEqual([1, 2, 3]);
    table.giveBack(first);
    table.giveBack(second);
    const buffers = new Set([first, second, table.current]);
    for (let i = 0; i < 5; i++) {
      const lent = table.borrow();
      table.writeAll(pose(i), 1, fail);
      expect(buffers.has(table.current)).toBe(true);
      table.giveBack(lent);
    }
  });

  test('grows, and keeps how far rotations are off', () => {
    const table = new PoseTable();
    for (let i = 0; i < 100; i++) {
      table.reserve(i + 1);
      table.write(i, pose(i));
    }
    const skewed = pose(0);
    skewed[1] = 1e-6;
    table.write(40, skewed);
    const { poses, deviations } = table.current;
    expect(poses[12 * 99 + 9]).toBe(99);
    expect(deviations[40]).toBeGreaterThan(9e-7);
    expect(deviations[41]).toBe(0);
  });
});
