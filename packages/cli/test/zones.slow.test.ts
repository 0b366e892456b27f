/** Rules about space: of small IFC files written here, through the whole command, and of the Duplex. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { Files } from './files.js';
import { ifcHouse, product } from './ifc-text.js';
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

test('headroom, doors and access, in the axes of placements, in every report', async () => {
  const path = files.write(
    'space.ifc',
    ifcHouse([
      ...product(100, {
        type: 'IFCSLAB',
        name: 'floor',
        at: [0, 0, -200],
        size: [9000, 9000, 200],
        more: ',$',
      }),
      ...product(110, {
        type: 'IFCBEAM',
        name: 'low beam',
        at: [0, 0, 1850],
        size: [9000, 100, 300],
        more: ',$',
      }),
      ...product(120, {
        type: 'IFCBEAM',
        name: 'high beam',
        at: [0, 1000, 2000],
        size: [9000, 100, 300],
        more: ',$',
      }),
      ...product(130, {
        type: 'IFCBEAM',
        name: 'sill',
        at: [0, 2000, 0],
        size: [9000, 100, 200],
        more: ',$',
      }),
      // turned by a quarter: it opens towards −x
      ...product(140, {
        ...{
          type: 'IFCDOOR',
          name: 'door',
          at: [-3000, -3000, 0],
          along: [0, 1, 0],
          size: [1000, 100, 2000],
        },
        more: ',$,$,.DOOR.,.SINGLE_SWING_LEFT.,$',
      }),
      ...product(150, {
        type: 'IFCFURNITURE',
        name: 'chair',
        at: [-3400, -3300, 0],
        size: [100, 100, 500],
        more: ',$',
      }),
      ...product(160, {
        type: 'IFCFURNITURE',
        name: 'desk',
        at: [-2600, -3300, 0],
        size: [100, 100, 500],
        more: ',$',
      }),
      ...product(170, {
        type: 'IFCBUILDINGELEMENTPROXY',
        name: 'panel',
        at: [3000, -3000, 0],
        along: [-1, 0, 0],
        size: [800, 200, 2000],
        more: ',$',
      }),
      ...product(180, {
        type: 'IFCFURNITURE',
        name: 'shelf',
        at: [3000, -2400, 0],
        size: [100, 100, 500],
        more: ',$',
      }),
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
  const boxes = (gap: number) =>
    [
      // 900 mm wide and high enough, in front of a door that opens to the other side
      { type: 'IFCDOOR', name: 'exit', at: [0, 0, 0], size: [1000, 100, 2100], more: ',$,$,$,$,$' },
      { type: 'IFCFURNITURE', name: 'locker', at: [0, -800 - gap, 0], size: [300, 500, 1800], more: ',$' },
      {
        type: 'IFCFURNITURE',
        name: 'bench beside',
        at: [700 + gap, -400, 0],
        size: [500, 300, 400],
        more: ',$',
      },
      // turned by a quarter, so that its left is towards −y: a filter is pulled out there
      {
        type: 'IFCFILTER',
        name: 'unit',
        at: [5000, 0, 0],
        along: [0, 1, 0],
        size: [800, 600, 1000],
        more: ',$',
      },
      {
        type: 'IFCPIPESEGMENT',
        name: 'riser',
        at: [5000, -1560 - gap, 0],
        size: [100, 100, 3000],
        more: ',$',
      },
      // lifted out by a hoist
      { type: 'IFCPUMP', name: 'pump', at: [9000, 0, 0], size: [600, 600, 800], more: ',$' },
      { type: 'IFCDUCTSEGMENT', name: 'duct', at: [9000, 0, 2260 + gap], size: [3000, 300, 300], more: ',$' },
      {
        type: 'IFCDUCTSEGMENT',
        name: 'duct beside',
        at: [9000, 500 + gap, 1000],
        size: [3000, 300, 300],
        more: ',$',
      },
    ] as const;
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
    const house = boxes(gap).flatMap((box, i) => product(100 + 10 * i, box));
    const report = join(files.folder, name);
    await impinge(
      'check',
      files.write(`${name}.ifc`, ifcHouse(house)),
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
