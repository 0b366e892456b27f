/** Rules about space: of small IFC files written here, through the whole command, and of the Duplex. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { Files } from './files.js';
import { ifcHouse, type Placed, product } from './ifc-text.js';
import { clashesIn, impinge } from './run-impinge.js';

const files = new Files();
const DUPLEX = fileURLToPath(new URL('../../../../shared/data/ifc/Duplex_A_20110907.ifc', import.meta.url));

const RULES = `
tolerance: 5mm
rules:
  - { name: headroom, a: { type: IfcSlab }, b: { type: IfcBeam }, zone: { above: 2m, from: 300mm } }
  - { name: doors open, a: { type: IfcDoor }, b: { type: IfcFurniture }, zone: { swing: true } }
  - { name: access, a: { name: panel }, zone: { front: 900mm } }
`;

/** What follows the common attributes of a door that swings to the left. */
const LEFT_SWING = ',$,$,.DOOR.,.SINGLE_SWING_LEFT.,$';

/** A class, a name, where it stands and how large; its x axis and further attributes. */
type Standing = [
  ...[type: string, name: string, at: Placed['at'], size: Placed['size']],
  more?: Pick<Placed, 'along' | 'more'>,
];

function houseOf(standing: readonly Standing[]): string {
  return ifcHouse(
    standing.flatMap(([type, name, at, size, more], i) =>
      product(100 + 10 * i, { type, name, at, size, more: ',$', ...more }),
    ),
  );
}

test('headroom, doors and access, in the axes of placements, in every report', async () => {
  const path = files.write(
    'space.ifc',
    houseOf([
      ['IFCSLAB', 'floor', [0, 0, -200], [9000, 9000, 200]],
      ['IFCBEAM', 'low beam', [0, 0, 1850], [9000, 100, 300]],
      ['IFCBEAM', 'high beam', [0, 1000, 2000], [9000, 100, 300]],
      ['IFCBEAM', 'sill', [0, 2000, 0], [9000, 100, 200]],
      // turned by a quarter: it opens towards −x
      ['IFCDOOR', 'door', [-3000, -3000, 0], [1000, 100, 2000], { along: [0, 1, 0], more: LEFT_SWING }],
      ['IFCFURNITURE', 'chair', [-3400, -3300, 0], [100, 100, 500]],
      ['IFCFURNITURE', 'desk', [-2600, -3300, 0], [100, 100, 500]],
      ['IFCBUILDINGELEMENTPROXY', 'panel', [3000, -3000, 0], [800, 200, 2000], { along: [-1, 0, 0] }],
      ['IFCFURNITURE', 'shelf', [3000, -2400, 0], [100, 100, 500]],
    ]),
  );
  const rules = files.write('rules.yaml', RULES);
  const report = join(files.folder, 'space');
  const { out, err, code } = await impinge(
    'check',
    path,
    '--rules',
    rules,
    '-o',
    report,
    '--formats',
    'html,csv,jsonl,bcf,junit,sarif',
  );
  expect(err).toBe('');
  expect(code).toBe(1);
  const found = clashesIn(report).map(({ kind, rule, a, b, distance }) => [
    rule,
    kind,
    a.name,
    b.name,
    distance,
  ]);
  expect(found.sort()).toEqual([
    ['access', 'obstruction', 'panel', 'shelf', expect.closeTo(0.45, 5)],
    ['doors open', 'obstruction', 'door', 'chair', expect.closeTo(0.3, 5)],
    ['headroom', 'obstruction', 'floor', 'low beam', expect.closeTo(1.85, 5)],
  ]);
  expect(out).toMatch(/obstruction +3 +least 300 mm free/);
  // a store that is packed again, as the viewer does to have levels, keeps the axes
  const again = join(files.folder, 'levels.impinge');
  await impinge('pack', join(report, 'model.impinge'), '--levels', '-o', again);
  const recheck = join(files.folder, 'levels');
  await impinge('check', again, '--rules', rules, '-o', recheck, '--formats', 'jsonl');
  const ids = (folder: string) => clashesIn(folder).map(({ id, distance }) => [id, distance]);
  expect(ids(recheck)).toEqual(ids(report));
});

test('ways out, maintenance and removal: in the way, and nearly', async () => {
  const boxes = (gap: number): Standing[] => [
    // 900 mm wide and high enough, in front of a door that opens to the other side
    ['IFCDOOR', 'exit', [0, 0, 0], [1000, 100, 2100], { more: ',$,$,$,$,$' }],
    ['IFCFURNITURE', 'locker', [0, -800 - gap, 0], [300, 500, 1800]],
    ['IFCFURNITURE', 'bench beside', [700 + gap, -400, 0], [500, 300, 400]],
    // turned by a quarter, so that its left is towards −y: a filter is pulled out there
    ['IFCFILTER', 'unit', [5000, 0, 0], [800, 600, 1000], { along: [0, 1, 0] }],
    ['IFCPIPESEGMENT', 'riser', [5000, -1560 - gap, 0], [100, 100, 3000]],
    // lifted out by a hoist
    ['IFCPUMP', 'pump', [9000, 0, 0], [600, 600, 800]],
    ['IFCDUCTSEGMENT', 'duct', [9000, 0, 2260 + gap], [3000, 300, 300]],
    ['IFCDUCTSEGMENT', 'duct beside', [9000, 500 + gap, 1000], [3000, 300, 300]],
  ];
  const rules = files.write(
    'ways.yaml',
    `tolerance: 5mm
rules:
  - { name: egress, a: { type: IfcDoor }, zone: { front: 600mm, back: 1.2m, width: 900mm, height: 2m } }
  - { name: maintenance, a: { type: IfcFilter }, zone: { left: 1.2m } }
  - { name: removal, a: { type: IfcPump }, zone: { above: 1.5m } }
`,
  );
  const found = async (name: string, gap: number) => {
    const report = join(files.folder, name);
    await impinge(
      'check',
      files.write(`${name}.ifc`, houseOf(boxes(gap))),
      '--rules',
      rules,
      '-o',
      report,
      '--formats',
      'jsonl',
    );
    return clashesIn(report)
      .map(({ kind, rule, a, b, distance }) => [rule, kind, a.name, b.name, distance])
      .sort();
  };
  expect(await found('ways', 0)).toEqual([
    ['egress', 'obstruction', 'exit', 'locker', expect.closeTo(0.5, 5)],
    ['maintenance', 'obstruction', 'unit', 'riser', expect.closeTo(1.11, 5)],
    ['removal', 'obstruction', 'pump', 'duct', expect.closeTo(1.46, 5)],
  ]);
  expect(await found('nearly', 100)).toEqual([]);
});

describe.skipIf(!existsSync(DUPLEX))('the Duplex', () => {
  // packed once
  const duplex = join(files.folder, 'duplex');

  test('a way out is 880 mm wide: the guard rail of the stair is opposite the door', async () => {
    const ask = async (depth: string) => {
      const rules = files.write(
        `egress-${depth}.yaml`,
        `tolerance: 5mm
rules:
  - name: ways out
    a: { type: IfcDoor }
    b: { type: "Ifc{Furniture,Furnishing,Stair,Column,Railing}*" }
    zone: { front: ${depth}, back: ${depth}, width: 800mm, height: 2m }
`,
      );
      await impinge('check', DUPLEX, '--rules', rules, '-o', duplex, '--formats', 'jsonl');
      return clashesIn(duplex);
    };
    const narrow = await ask('900mm');
    expect(narrow.map(({ kind, a, b }) => [kind, a.tag, b.tag]).sort()).toEqual([
      ['obstruction', '160065', '198972'],
      ['obstruction', '160208', '151166'],
    ]);
    // the two flats are mirrored, and doors and rails are along y
    for (const { a, b, distance } of narrow) {
      const gap = Math.max(b.box.min[0] - a.box.max[0], a.box.min[0] - b.box.max[0]);
      expect(distance).toBeCloseTo(gap, 5);
      expect(distance).toBeCloseTo(0.8806, 4);
    }
    expect(await ask('880mm')).toEqual([]);
  });

  test('two metres above its stairs: not what is beside them', async () => {
    const ask = async (name: string, rule: string) => {
      const rules = files.write(
        `${name}.yaml`,
        `tolerance: 10mm\nrules:\n  - { name: stairs, a: { type: "IfcStair*" }, ${rule} }\n`,
      );
      await impinge('check', DUPLEX, '--rules', rules, '-o', duplex, '--formats', 'jsonl');
      return clashesIn(duplex);
    };
    const all = await ask('around', 'clearance: 2m, kinds: [clearance]');
    const above = await ask('above', 'b: { type: "Ifc{Slab,Beam,Roof}*" }, zone: { above: 2m }');
    expect(all.length).toBeGreaterThan(50);
    expect(above.length).toBeLessThan(0.1 * all.length);
    for (const { kind, distance } of above) {
      expect(kind).toBe('obstruction');
      expect(distance).toBeLessThan(2);
    }
  });
});
