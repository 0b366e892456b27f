/** Rules about space: of small IFC files written here, through the whole command, and of the Duplex. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { Files } from './files.js';
import { ifcHouse, real, rectangle } from './ifc-text.js';
import { clashesIn, impinge } from './run-impinge.js';

const files = new Files();
const DUPLEX = fileURLToPath(new URL('../../../../shared/data/ifc/Duplex_A_20110907.ifc', import.meta.url));

interface Placed {
  readonly type: string;
  readonly name: string;
  readonly at: readonly [number, number, number];
  /** The x axis. */
  readonly along?: readonly [number, number, number];
  /** Of a box in the middle of the origin, from there upwards. */
  readonly size: readonly [number, number, number];
  readonly more?: string;
}

/** A product with a placement of its own; takes ten numbers from `id` on. */
function product(id: number, { type, name, at, along = [1, 0, 0], size, more = '' }: Placed): string[] {
  const list = (xs: readonly number[]) => `(${xs.map(real).join()})`;
  return [
    `#${id}=${type}('guid-${id}',$,'${name}',$,$,#${id + 1},#${id + 5},$${more});`,
    `#${id + 1}=IFCLOCALPLACEMENT(#10,#${id + 2});`,
    `#${id + 2}=IFCAXIS2PLACEMENT3D(#${id + 3},#33,#${id + 4});`,
    `#${id + 3}=IFCCARTESIANPOINT(${list(at)});`,
    `#${id + 4}=IFCDIRECTION(${list(along)});`,
    `#${id + 5}=IFCPRODUCTDEFINITIONSHAPE($,$,(#${id + 6}));`,
    `#${id + 6}=IFCSHAPEREPRESENTATION(#12,'Body','SweptSolid',(#${id + 7}));`,
    `#${id + 7}=IFCEXTRUDEDAREASOLID(#${id + 8},#5,#33,${real(size[2])});`,
    `#${id + 8}=${rectangle(size[0], size[1])};`,
  ];
}

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
});

describe.skipIf(!existsSync(DUPLEX))('the Duplex', () => {
  test('two metres above its stairs: not what is beside them', async () => {
    const ask = async (name: string, rule: string) => {
      const rules = files.write(
        `${name}.yaml`,
        `tolerance: 10mm\nrules:\n  - { name: stairs, a: { type: "IfcStair*" }, ${rule} }\n`,
      );
      await impinge('check', DUPLEX, '--rules', rules, '-o', join(files.folder, name), '--formats', 'jsonl');
      return clashesIn(join(files.folder, name));
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
