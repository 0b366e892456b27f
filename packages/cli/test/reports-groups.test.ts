import type { Clash } from '@impinge/model';
import { seededRandom } from '@impinge/scenes/random';
import fc from 'fast-check';
import type { Vec3 } from 'impinge';
import { describe, expect, test } from 'vitest';
import { runs } from '../../../test/budget.js';
import type { Grouping } from '../src/reports/choices.js';
import { CLUSTER_DISTANCES, clusterPoints } from '../src/reports/cluster-points.js';
import { groupClashes, objectKey } from '../src/reports/group-clashes.js';
import { summariseIssues } from '../src/reports/issue-summary.js';
import { objectName } from '../src/reports/object-name.js';
import { clash, DATE, grouped, plantClashes, plantObject } from './reports-clashes.js';

/** Few objects and few places, so that elements share clashes and places. */
const clashes = fc
  .array(
    fc.record({
      a: fc.nat(7),
      b: fc.nat(7),
      x: fc.integer({ min: 0, max: 200 }),
      kind: fc.constantFrom('hard', 'clearance', 'touch', 'duplicate'),
      rule: fc.constantFrom('p', 'q'),
    }),
    { maxLength: 60 },
  )
  .map((rows): Clash[] => {
    const made = rows.map(({ a, b, x, kind, rule }) =>
      clash({
        a: plantObject(0, 1, a),
        b: plantObject(1, 1, b),
        kind: kind as 'hard',
        rule,
        point: [x, x % 7, 0],
      }),
    );
    return [...new Map(made.map((one) => [one.id, one])).values()];
  });

const groupById = (list: readonly Clash[]) =>
  new Map(groupClashes(list, DATE).map(({ id, group }) => [id, group]));

test('names that differ at their ends, as those of Revit do, stay different', () => {
  const name = (id: number) =>
    `Basic Wall:Party Wall - CMU Residential Unit Dimising Wall with a long name:${id}`;
  const [p, q] = [139_347, 139_374].map((id) => objectName({ ...plantObject(0, 1, 1), name: name(id) }));
  expect(p).not.toBe(q);
  expect(p).toMatch(/^Basic Wall:Party Wall - CMU .*…\S.*:139347$/);
  expect(p.length).toBeLessThanOrEqual(72);
  expect(objectName({ ...plantObject(0, 1, 1), name: `${'a'.repeat(1e5)}\ud83d\ude00 7` })).toMatch(
    /^a+….* 7$/,
  );
});

describe('issues', () => {
  test('hold every clash once, do not mix rules, and have at most 100 (seed 31)', () => {
    fc.assert(
      fc.property(clashes, (list) => {
        const result = groupClashes(list, DATE);
        expect(result.map(({ id }) => id)).toEqual(list.map(({ id }) => id));
        for (const { clashes: members } of summariseIssues(
          result.map((one) => ({ ...one, status: undefined })),
        )) {
          expect(new Set(members.map(({ rule }) => rule)).size).toBe(1);
          expect(new Set(members.map(({ kind }) => kind === 'touch')).size).toBe(1);
          expect(members.length).toBeLessThanOrEqual(100);
        }
      }),
      { seed: 31, numRuns: runs(100) },
    );
  });

  test('do not depend on the order of the clashes (seed 32)', () => {
    fc.assert(
      fc.property(clashes, fc.nat(), (list, seed) => {
        const random = seededRandom(seed);
        const shuffled = list
          .map((one) => [random(), one] as const)
          .sort((p, q) => p[0] - q[0])
          .map(([, one]) => one);
        expect(groupById(shuffled)).toEqual(new Map(shuffled.map(({ id }) => [id, groupById(list).get(id)])));
      }),
      { seed: 32, numRuns: runs(100) },
    );
  });

  test('do not depend on clashes of other objects and assemblies (seed 33)', () => {
    fc.assert(
      fc.property(clashes, fc.integer({ min: 1, max: 60 }), (list, count) => {
        const others = plantClashes(count, 8).map((one) => {
          const a = { ...one.a, path: `elsewhere/${one.a.path}`, file: 'other.ifc' };
          const b = { ...one.b, path: `elsewhere/${one.b.path}`, file: 'other.ifc' };
          return { ...one, id: `other ${one.id}`, a, b, rule: 'p' };
        });
        const alone = groupById(list);
        const together = groupById([...others, ...list]);
        for (const [id, group] of alone) expect(together.get(id)).toBe(group);
      }),
      { seed: 33, numRuns: runs(100) },
    );
  });

  test('are never two of one clash each that share an element (seed 34)', () => {
    fc.assert(
      fc.property(clashes, (list) => {
        const issues = summariseIssues(groupClashes(list, DATE));
        const singles = issues.filter(({ clashCount }) => clashCount === 1).map((issue) => issue.clashes[0]);
        const elements = singles.flatMap(({ a, b, rule, kind }) => {
          const family = kind === 'touch' || kind === 'duplicate' ? kind : 'clash';
          return [a, b].map((object) => `${rule} ${family} ${objectKey(object)}`);
        });
        // an element whose other clashes went to larger issues may be left with one
        const left = new Map<string, number>();
        for (const element of elements) left.set(element, (left.get(element) ?? 0) + 1);
        expect([...left.values()].every((n) => n === 1)).toBe(true);
      }),
      { seed: 34, numRuns: runs(300) },
    );
  });

  test('an element gathers what meets it, wherever it is along it', () => {
    const beam = plantObject(0, 2, 4);
    const list = Array.from({ length: 12 }, (_, i) =>
      clash({ a: plantObject(1, 2, i), b: beam, point: [5 * i, 0, 5], depth: 0.01 * i }),
    );
    const [issue, ...more] = summariseIssues(grouped(list));
    expect(more).toEqual([]);
    expect(issue.hub).toEqual(beam);
    expect(issue.title).toBe('Beam B-2004 / 12 pipe segments, Level 2');
    expect(issue).toMatchObject({
      clashCount: 12,
      kinds: { hard: 12 },
      worstDepth: 0.11,
      storey: 'Level 2',
    });
    expect(issue.disciplines).toEqual(['piping', 'structure']);
    expect(issue.box.min[0]).toBeCloseTo(-0.01);
    expect(issue.point).toEqual([55, 0, 5]);
  });

  test('a duct through forty beams is one issue where elements are asked for', () => {
    const duct = plantObject(2, 2, 4);
    const list = Array.from({ length: 40 }, (_, i) =>
      clash({ a: plantObject(0, 2, i), b: duct, point: [5 * i, 0, 5] }),
    );
    const other = clash({ a: plantObject(1, 1, 1), b: plantObject(3, 1, 1) });
    expect(summariseIssues(groupClashes([...list, other], DATE)).length).toBeGreaterThan(3);
    const issues = summariseIssues(groupClashes([...list, other], DATE, 'element'));
    expect(issues.map(({ title }) => title).sort()).toEqual([
      'Duct D-2004 / 40 beams, Level 2',
      'Pipe P-1001 / Tray T-1001, Level 1',
    ]);
    // named after the element: it keeps its id whichever of its clashes are left
    const idOf = (some: readonly Clash[]) => groupClashes(some, DATE, 'element')[0].group;
    expect(idOf(list.slice(0, 5))).toBe(idOf(list.slice(20)));
  });

  test('storeys, systems and types make issues of all that two of them have', () => {
    const air = (number: number) => ({
      ...plantObject(2, 1, number),
      labels: { system: [number < 3 ? 'supply air' : 'exhaust air'] },
    });
    const pipe = (number: number, storey = 1) => ({
      ...plantObject(1, storey, number),
      labels: { system: ['heating'] },
    });
    const list = [0, 1, 2, 3, 4].map((i) =>
      clash({ a: air(i), b: pipe(i, i === 4 ? 2 : 1), point: [20 * i, 0, 0] }),
    );
    const sizes = (by: Grouping) =>
      summariseIssues(groupClashes(list, DATE, by)).map(({ clashCount, title }) => [clashCount, title]);
    expect(sizes('type')).toEqual([[5, expect.stringContaining('and 4 more')]]);
    expect(sizes('system').sort()).toEqual([
      [2, expect.stringMatching(/^exhaust air \/ heating: .* and 1 more$/)],
      [3, expect.stringMatching(/^heating \/ supply air: .* and 2 more, Level 1$/)],
    ]);
    expect(sizes('storey').sort()).toEqual([
      [1, expect.stringMatching(/, Level 1 – Level 2$/)],
      [4, expect.stringMatching(/, Level 1$/)],
    ]);
    // the same ids whatever the order and whichever clashes are there
    const idsOf = (some: readonly Clash[]) =>
      new Set(groupClashes(some, DATE, 'system').map(({ group }) => group));
    expect(idsOf([list[4], list[1]])).toEqual(idsOf(list));
  });

  test('a slab with hundreds of pipes is divided by place', () => {
    const slab = plantObject(4, 1, 0);
    const list = [0, 30, 60].flatMap((x, shaft) =>
      Array.from({ length: 70 }, (_, i) =>
        clash({ a: plantObject(1, 1, 100 * shaft + i), b: slab, point: [x + 0.02 * i, 0, 0] }),
      ),
    );
    expect(summariseIssues(grouped(list)).map(({ clashCount }) => clashCount)).toEqual([70, 70, 70]);
  });

  test('single pairs of two assemblies in one place are one issue', () => {
    const list = [0, 9, 18].map((i, k) =>
      clash({ a: plantObject(1, 1, i), b: plantObject(0, 1, i), point: [0.5 * k, 0, 0] }),
    );
    expect(summariseIssues(grouped(list)).map(({ title }) => title)).toEqual([
      'Pipe P-1009 / Beam B-1009 and 2 more, Level 1',
    ]);
    const apart = list.map((one, k): Clash => ({ ...one, point: [100 * k, 0, 0] }));
    expect(summariseIssues(grouped(apart))).toHaveLength(3);
  });

  test('a dense field of clashes of one element is divided, and no part is small', () => {
    const ground = plantObject(4, 1, 0);
    const list = Array.from({ length: 1000 }, (_, i) =>
      clash({ a: plantObject(0, 1, i), b: ground, point: [(i % 40) * 0.5, Math.floor(i / 40) * 0.5, 0] }),
    );
    const sizes = summariseIssues(grouped(list)).map(({ clashCount }) => clashCount);
    expect(Math.max(...sizes)).toBeLessThanOrEqual(100);
    expect(Math.min(...sizes)).toBeGreaterThanOrEqual(25);
  });

  test('keep their ids while their least clash is there', () => {
    const beam = plantObject(0, 1, 1);
    const list = Array.from({ length: 6 }, (_, i) => clash({ a: plantObject(1, 1, i), b: beam }));
    list.sort((p, q) => (p.id < q.id ? -1 : 1));
    const id = groupById(list).get(list[0].id);
    expect(new Set(groupById(list.slice(0, 3)).values())).toEqual(new Set([id]));
    expect(groupById(list.slice(1)).get(list[1].id)).not.toBe(id);
  });
});

describe('clusters', () => {
  const points = fc.array(
    fc.tuple(
      fc.double({ min: -20, max: 20, noNaN: true }),
      fc.double({ min: -20, max: 20, noNaN: true }),
      fc.constant(0),
    ),
    { minLength: 1, maxLength: 40 },
  );
  const distance = (p: Vec3, q: Vec3) => Math.hypot(p[0] - q[0], p[1] - q[1], p[2] - q[2]);

  test('hold points within the distance together, and leave none alone that has company (seed 35)', () => {
    fc.assert(
      fc.property(points, (list: Vec3[]) => {
        const clusters = clusterPoints(list, 1);
        const sizes = new Map<number, number>();
        for (const c of clusters) sizes.set(c, (sizes.get(c) ?? 0) + 1);
        list.forEach((p, i) => {
          list.forEach((q, j) => {
            if (distance(p, q) <= 1) expect(clusters[i]).toBe(clusters[j]);
            if (i !== j && distance(p, q) <= CLUSTER_DISTANCES)
              expect(sizes.get(clusters[i])).toBeGreaterThan(1);
          });
        });
      }),
      { seed: 35, numRuns: runs(100) },
    );
  });
});
