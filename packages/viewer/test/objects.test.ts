import { describe, expect, test } from 'vitest';
import { COLOUR_A, COLOUR_B, COLOUR_SELECTED, objectStyles } from '../src/app/object-styles.js';
import { boxAround, type ObjectColumns, type TreeText } from '../src/model/object-columns.js';
import { buildTree, pathTo, treeRows } from '../src/model/object-tree.js';
import { boxPlanes, grown, leastOfPlan, planPlanes, sectionPlanes } from '../src/model/sections.js';
import { storeysOf } from '../src/model/storeys.js';
import { GHOSTED, HIDDEN, isolated, reaching, SHOWN, toggled, withMode } from '../src/model/visibility.js';

interface Given {
  readonly name: string;
  readonly storey?: string;
  readonly type?: string;
  /** Heights of its bottom and top. */
  readonly z?: readonly [number, number];
}

function columnsOf(objects: readonly Given[], elevations: Record<string, number> = {}): ObjectColumns {
  const shared = (text: TreeText) => {
    const own = objects.map((object) => (text === 'storey' || text === 'type' ? (object[text] ?? '') : ''));
    const list = [...new Set(own)];
    return { list, of: Uint32Array.from(own, (one) => list.indexOf(one)) };
  };
  return {
    count: objects.length,
    title: 'test',
    metresPerUnit: 1,
    names: objects.map(({ name }) => name),
    ids: objects.map(({ name }) => `id ${name}`),
    texts: {
      file: shared('file'),
      discipline: shared('discipline'),
      storey: shared('storey'),
      type: shared('type'),
    },
    boxes: Float64Array.from(objects.flatMap(({ z = [0, 1] }, i) => [i, 0, z[0], i + 1, 1, z[1]])),
    triangles: new Float64Array(objects.length).fill(12),
    elevations,
  };
}

describe('the tree of objects', () => {
  const columns = columnsOf([
    { name: 'Wall 10', storey: 'Level 10', type: 'Wall' },
    { name: 'Wall 9', storey: 'Level 2', type: 'Wall' },
    { name: 'Wall 2', storey: 'Level 2', type: 'Wall' },
    { name: 'Door 1', storey: 'Level 2', type: 'Door' },
    { name: 'Site' },
  ]);

  test('has branches in the order of their numbers, and these have types where there are several', () => {
    const tree = buildTree(columns, 'storey', [0, 1, 2, 3, 4]);
    expect(tree.map(({ label, objects }) => [label, objects.length])).toEqual([
      ['no storey', 1],
      ['Level 2', 3],
      ['Level 10', 1],
    ]);
    expect(tree[1].children.map(({ label, objects }) => [label, objects])).toEqual([
      ['Door', [3]],
      ['Wall', [2, 1]],
    ]);
    expect(tree[2].children).toEqual([]);
  });

  test('shows what is open', () => {
    const tree = buildTree(columns, 'storey', [0, 1, 2, 3, 4]);
    expect(treeRows(tree, new Set())).toHaveLength(3);
    const rows = treeRows(tree, new Set(pathTo(tree, 2)));
    const shown = ['no storey', 'Level 2', 'Door', 'Wall', 2, 1, 'Level 10'];
    expect(rows.map((row) => (row.kind === 'branch' ? row.branch.label : row.object))).toEqual(shown);
    expect(rows[4].depth).toBe(2);
    expect(new Set(rows.flatMap((row) => (row.kind === 'branch' ? [row.branch.key] : []))).size).toBe(5);
  });
});

describe('what is seen', () => {
  test('hiding, ghosting and isolating by hand', () => {
    const all = new Uint8Array(4);
    const hidden = toggled(all, [1, 2], HIDDEN);
    expect([...hidden]).toEqual([SHOWN, HIDDEN, HIDDEN, SHOWN]);
    expect([...toggled(hidden, [1], HIDDEN)]).toEqual([SHOWN, SHOWN, HIDDEN, SHOWN]);
    expect([...toggled(hidden, [0, 1], GHOSTED)]).toEqual([GHOSTED, GHOSTED, HIDDEN, SHOWN]);
    expect([...isolated(4, [3])]).toEqual([HIDDEN, HIDDEN, HIDDEN, SHOWN]);
    expect([...all]).toEqual([0, 0, 0, 0]);
  });

  test('the two of a clash stand out of ghosts; what was hidden stays hidden', () => {
    const visibility = withMode(new Uint8Array(5), [4], HIDDEN);
    const { styles, ofObject } = objectStyles(visibility, new Set([3]), [0, 1], 'ghost');
    expect([...ofObject].map((style) => styles[style])).toEqual([
      { colour: COLOUR_A },
      { colour: COLOUR_B },
      { ghost: true },
      { colour: COLOUR_SELECTED },
      { hidden: true },
    ]);
    const hide = objectStyles(new Uint8Array(3), new Set(), [0, -1], 'hide');
    expect([...hide.ofObject].map((style) => styles[style].hidden ?? false)).toEqual([false, true, true]);
    expect([...objectStyles(new Uint8Array(2), new Set(), undefined, 'ghost').ofObject]).toEqual([0, 0]);
    const hit = objectStyles(
      Uint8Array.of(0, 0, 1, 0),
      new Set([1]),
      undefined,
      'show',
      undefined,
      [0, 1, 2],
    );
    expect([...hit.ofObject]).toEqual([8, 8, 1, 0]); // what is hidden stays so
    expect(hit.styles[8].colour).toBeGreaterThan(0);
    // an object that encloses the other is transparent
    const inside = objectStyles(new Uint8Array(2), new Set(), [0, 1], 'ghost', 1);
    expect([...inside.ofObject].map((style) => styles[style])).toEqual([
      { colour: COLOUR_A },
      { ghost: true, colour: COLOUR_B },
    ]);
  });
});

describe('sections and plans', () => {
  /** Whether a point is not cut away. */
  const left = (planes: ReturnType<typeof boxPlanes>, point: readonly number[]) =>
    planes.every(({ normal, offset }) => normal.reduce((sum, x, axis) => sum + x * point[axis], 0) <= offset);

  test('a box leaves what is inside', () => {
    const planes = boxPlanes([1, 2, 3, 4, 5, 6]);
    expect(planes).toHaveLength(6);
    const inside = [2, 3, 4];
    expect(left(planes, inside)).toBe(true);
    for (const axis of [0, 1, 2]) {
      for (const by of [-3, 3]) {
        expect(
          left(
            planes,
            inside.map((x, i) => (i === axis ? x + by : x)),
          ),
        ).toBe(false);
      }
    }
    expect(grown([0, 0, 0, 2, 1, 1], 0.5, 0.1)).toEqual([-1, -1, -1, 3, 2, 2]);
  });

  test('planes cut above or below', () => {
    const off = { on: false, offset: 0, flipped: false };
    const section = {
      kind: 'planes',
      box: [],
      planes: [off, off, { on: true, offset: 2, flipped: false }],
    } as const;
    expect(left(sectionPlanes(section), [0, 0, 1])).toBe(true);
    expect(left(sectionPlanes(section), [0, 0, 3])).toBe(false);
    const flipped = { ...section, planes: [off, off, { on: true, offset: 2, flipped: true }] } as const;
    expect(left(sectionPlanes(flipped), [0, 0, 1])).toBe(false);
    expect(sectionPlanes({ ...section, kind: 'none' })).toEqual([]);
  });

  test('a storey stands where its file says', () => {
    const columns = columnsOf([{ name: 'slab', storey: 'Level 2', z: [2.675, 3] }], { 'Level 2': 3 });
    expect(storeysOf(columns)).toMatchObject([{ name: 'Level 2', floor: 3 }]);
  });

  test('a storey stands where most of its lower half do, and is cut above that', () => {
    const columns = columnsOf([
      { name: 'slab', storey: 'Level 1', z: [2.7, 3] },
      ...['a', 'b', 'c'].map((name) => ({ name, storey: 'Level 1', z: [3, 5.5] as const })),
      ...['p', 'q', 'r', 's'].map((name) => ({ name, storey: 'Level 1', z: [5.2, 5.3] as const })),
      { name: 'base', storey: 'Ground', z: [0, 3] },
      { name: 'tree' },
    ]);
    expect(storeysOf(columns).map(({ name, floor }) => [name, floor])).toEqual([
      ['Ground', 0],
      ['Level 1', 3],
    ]);
    const planes = planPlanes(3, 1);
    expect([2.5, 2.7, 4.1, 4.3].map((z) => left(planes, [0, 0, z]))).toEqual([true, true, true, false]);
    expect(left(planPlanes(3000, 0.001), [0, 0, 4100])).toBe(true);
    // slabs below the floor are seen from above, the tree that ends below them is not
    const shown = reaching(new Uint8Array(10), columns.boxes, leastOfPlan(3, 1));
    expect([...shown]).toEqual([...Array(9).fill(SHOWN), HIDDEN]);
    expect(leastOfPlan(3000, 0.001)).toBe(2600);
    expect(boxAround(columns, [0, 1])).toEqual([0, 0, 2.7, 2, 1, 5.5]);
    expect(boxAround(columns, [])).toBeUndefined();
  });
});
