/** Storeys and rooms: of small files written here, and of the reference files. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { openStoreFile } from '@impinge/model/node';
import type { Vec3 } from 'impinge';
import { describe, expect, test } from 'vitest';
import { ifcSource } from '../src/formats/ifc/ifc.js';
import type { Landmarks } from '../src/formats/landmarks.js';
import { Places } from '../src/reports/places.js';
import { Files } from './files.js';
import { extruded, ifcHouse, rectangle } from './ifc-text.js';
import { clashesIn, impinge } from './run-impinge.js';

const files = new Files();
const DUPLEX = fileURLToPath(new URL('../../../../shared/data/ifc/Duplex_A_20110907.ifc', import.meta.url));

async function landmarksOf(path: string): Promise<Landmarks> {
  const source = await ifcSource(path, { memoryBytes: 64e6 });
  try {
    return await source.landmarks();
  } finally {
    await source.close();
  }
}

/** A storey at a height, by its placement, by its elevation. */
const storey = (id: number, name: string, placed: number, stated: string) => [
  `#${id}=IFCBUILDINGSTOREY('guid-${id}',$,'${name}',$,$,#${id + 1},$,$,.ELEMENT.,${stated});`,
  `#${id + 1}=IFCLOCALPLACEMENT(#10,#${id + 2});`,
  `#${id + 2}=IFCAXIS2PLACEMENT3D(#${id + 3},$,$);`,
  `#${id + 3}=IFCCARTESIANPOINT((0.,0.,${placed}.));`,
];

const space = (id: number, name: string, longName: string) =>
  `#${id}=IFCSPACE('guid-${id}',$,${name},$,$,#10,#36,${longName},.ELEMENT.,$,$);`;

describe('storeys', () => {
  test('are where their placements are, whatever they state', async () => {
    const text = ifcHouse([...storey(100, 'Upper', 3100, '-490000.'), ...storey(110, 'Cellar', -2500, '$')]);
    const { storeys } = await landmarksOf(files.write('placed.ifc', text));
    expect(storeys).toEqual([
      { name: 'Cellar', elevation: -2500 },
      { name: 'Level 1', elevation: 0 },
      { name: 'Upper', elevation: 3100 },
    ]);
  });

  test('are where they state if all placements are at one height', async () => {
    const text = ifcHouse([
      ...storey(100, 'Upper', 0, '3100.0000000004'),
      ...storey(110, 'Cellar', 0, '-2500.'),
    ]);
    const { storeys } = await landmarksOf(files.write('stated.ifc', text));
    expect(storeys.map(({ name, elevation }) => [name, elevation])).toEqual([
      ['Cellar', -2500],
      ['Level 1', 0],
      ['Upper', 3100],
    ]);
  });
});

test('a room is named by number and name, and is no object', async () => {
  const text = ifcHouse([
    space(100, "'A102'", "'Bathroom'"),
    space(101, "'Lobby'", "'Lobby'"),
    "#102=IFCSPACE('guid-102',$,'no shape',$,$,#10,$,$,.ELEMENT.,$,$);",
    ...extruded(200, 'pipe', [0, 0, 0], rectangle(300, 300)),
    ...extruded(210, 'beam', [100, 0, 500], rectangle(300, 300)),
  ]);
  const path = files.write('rooms.ifc', text);
  const { rooms } = await landmarksOf(path);
  expect(rooms.map(({ name }) => name)).toEqual(['A102 Bathroom', 'Lobby']);
  expect(Math.max(...rooms[0].positions)).toBe(3000);
  expect(rooms[0].indices).toHaveLength(36);
  const info = (await impinge('info', path)).out;
  expect(info).toMatch(/storeys +Level 1 0 m\n/);
  expect(info).toMatch(/rooms +2\n/);
  const report = join(files.folder, 'rooms');
  const asked = ['--formats', 'jsonl', '--group-by', 'room', '--place', 'rooms.ifc: t=0,0,5'];
  expect((await impinge('check', path, '-o', report, ...asked)).err).toBe('');
  expect(clashesIn(report)).toMatchObject([{ storey: 'Level 1', room: 'A102 Bathroom' }]);
  await using model = await openStoreFile(`${report}/model.impinge`);
  expect(model.meta.files[0].storeys).toEqual([{ name: 'Level 1', elevation: 5000 }]);
});

describe.skipIf(!existsSync(DUPLEX))('the Duplex', () => {
  test('has the heights and rooms of its text', async () => {
    const { storeys, rooms } = await landmarksOf(DUPLEX);
    expect(storeys).toEqual([
      { name: 'T/FDN', elevation: -1.25 },
      { name: 'Level 1', elevation: 0 },
      { name: 'Level 2', elevation: 3.1 },
      { name: 'Roof', elevation: 6 },
    ]);
    expect(rooms).toHaveLength(21);
    const files = [{ name: 'x', byteLength: 0, modified: '', objects: 0, triangles: 0, storeys, rooms }];
    const places = new Places({ meta: { metresPerUnit: 1, files } });
    // half a metre above the middle of the floor; the hallways go around that
    for (const { name, positions } of rooms.filter((room) => !room.name.endsWith('Hallway'))) {
      const of = (k: number) => positions.filter((_, i) => i % 3 === k);
      const middle = (k: number) => 0.5 * (Math.min(...of(k)) + Math.max(...of(k)));
      const point: Vec3 = [middle(0), middle(1), Math.min(...of(2)) + 0.5];
      const box = { min: point, max: point };
      const found = places.of({ a: OBJECT, b: OBJECT, point, box, kind: 'hard', form: undefined });
      expect(found.room, name).toBe(name);
    }
  });
});

const OBJECT = {
  id: '',
  name: '',
  path: '',
  type: '',
  discipline: '',
  file: 'x',
  storey: '',
  rounding: 0,
  curveError: 0,
  box: { min: [0, 0, 0], max: [0, 0, 0] },
} as const;
