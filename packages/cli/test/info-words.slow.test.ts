/** `impinge info --types --properties`: what rules can select by, of files of every format and of stores. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { Files } from './files.js';
import { ifcHouse } from './ifc-text.js';
import { MODEL_FILES } from './model-files.js';
import { impinge, impingeJson } from './run-impinge.js';

const files = new Files();
const house = files.write(
  'house STR.ifc',
  ifcHouse([
    "#40=IFCWALL('g40',$,'w',$,$,#10,#36,$,$);",
    "#50=IFCWALL('g50',$,'w',$,$,#10,#36,$,$);",
    "#60=IFCSLAB('g60',$,'s',$,$,#10,#36,$,$);",
    "#70=IFCMATERIAL('Concrete',$,$);",
    "#71=IFCRELASSOCIATESMATERIAL('m',$,$,$,(#40,#60),#70);",
    "#73=IFCPROPERTYSINGLEVALUE('LoadBearing',$,IFCBOOLEAN(.T.),$);",
    "#74=IFCPROPERTYSINGLEVALUE('Width',$,IFCLENGTHMEASURE(0.2500000001),$);",
    "#75=IFCPROPERTYSET('s',$,'Pset_WallCommon',$,(#73,#74));",
    "#76=IFCRELDEFINESBYPROPERTIES('d',$,$,$,(#40,#50),#75);",
  ]),
);

const EXPECTED = {
  objects: 3,
  words: {
    type: [
      { text: 'IfcWall', count: 2 },
      { text: 'IfcSlab', count: 1 },
    ],
    discipline: [{ text: 'structural', count: 3 }],
    file: [{ text: 'house STR.ifc', count: 3 }],
    material: [{ text: 'Concrete', count: 2 }],
    storey: [],
    system: [],
  },
  properties: [
    {
      name: 'Pset_WallCommon.LoadBearing',
      count: 2,
      values: [{ text: 'true', count: 2 }],
    },
    {
      name: 'Pset_WallCommon.Width',
      count: 2,
      values: [{ text: '0.2500000001', count: 2 }],
      range: { min: 0.2500000001, max: 0.2500000001 },
    },
  ],
};

describe('words of a model', () => {
  test('of an IFC file and of its store are the same', async () => {
    const ofFile = await impingeJson('info', house, '--types', '--properties');
    expect(ofFile).toMatchObject(EXPECTED);
    const store = join(files.folder, 'house.impinge');
    await impinge('pack', house, '-o', store);
    const ofStore = await impingeJson('info', store, '--types', '--properties');
    expect(ofStore).toEqual({ ...ofFile, files: [store] });
  });

  test('as text', async () => {
    const { out, code } = await impinge('info', house, '--types', '--properties');
    expect(code).toBe(0);
    expect(out.slice(out.indexOf('\n') + 1)).toBe(`
  type     objects
  IfcWall        2
  IfcSlab        1

  discipline  objects
  structural        3

  file           objects
  house STR.ifc        3

  material  objects
  Concrete        2

  no object has: storey, system, classification, layer, group, operation, period, cavities, tag

  property                     objects  values
  Pset_WallCommon.LoadBearing        2  true
  Pset_WallCommon.Width              2  0.25
`);
    const types = await impinge('info', house, '--types');
    expect(types.out).not.toContain('Pset');
    expect((await impinge('info', house, '--properties')).out).not.toContain('IfcSlab');
  });

  test.each(MODEL_FILES.map(([name, bytes]) => [name, bytes] as const))('of %s', async (name, bytes) => {
    const path = files.write(name, bytes);
    const { out, code } = await impinge('info', path, '--types', '--properties', '--json');
    expect(code).toBe(0);
    const { objects, words } = JSON.parse(out);
    expect(objects).toBeGreaterThan(0);
    expect(words.file).toEqual([{ text: name, count: objects }]);
  });

  test('of several files together', async () => {
    const other = files.write('wall.ifc', MODEL_FILES.find(([name]) => name === 'wall.ifc')![1]);
    const { out } = await impinge('info', house, other, '--types', '--json');
    expect(JSON.parse(out).words.type[0]).toEqual({ text: 'IfcWall', count: 3 });
  });

  const shared = fileURLToPath(new URL('../../../../shared/data/ifc/Duplex_A_20110907.ifc', import.meta.url));
  test.skipIf(!existsSync(shared))('of the duplex fit a terminal', async () => {
    const { out } = await impinge('info', shared, '--types', '--properties', '--all');
    expect(out).toMatch(/Pset_WallCommon\.LoadBearing +57 {2}false, true/);
    expect(out).not.toMatch(/ (-?\d\S*), \1(,|$)/m); // two that differ, printed alike
    const widest = Math.max(
      ...out
        .split('\n')
        .slice(1)
        .map(({ length }) => length),
    );
    expect(widest).toBeLessThanOrEqual(110);
  });
});
