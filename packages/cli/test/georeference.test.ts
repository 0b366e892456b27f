/** What IFC files say about the map, and how files that say so are placed to each other. */
import { describe, expect, test } from 'vitest';
import { assertUsed, settingOf } from '../src/formats/file-settings.js';
import type { Georeference } from '../src/formats/georeference.js';
import type { StepLine, StepValue } from '../src/formats/ifc/engine.js';
import { readGeoreference } from '../src/formats/ifc/map-conversion.js';
import { ModelFrame } from '../src/formats/model-frame.js';
import { type HouseOptions, ifcHouse, onMap } from './ifc-text.js';

const KNOWN = ['IfcProjectedCRS', 'IfcSIUnit', 'IfcConversionBasedUnit', 'IfcAxis2Placement3D'];

/** The entities of a small file, without the engine: numbers, texts, references and lists. */
function entitiesOf(text: string) {
  const lines = new Map<number, StepLine & { readonly keyword: string }>();
  for (const [, id, keyword, list] of text.matchAll(/^#(\d+)=([A-Z0-9]+)\((.*)\);$/gm)) {
    const type = KNOWN.find((name) => name.toUpperCase() === keyword) ?? keyword;
    // its first attribute is derived, and the engine leaves it out
    const values = (valuesOf(list) as StepValue[]).filter((_, i) => keyword !== 'IFCSIUNIT' || i > 0);
    lines.set(Number(id), { id: Number(id), keyword, type, values });
  }
  return {
    idsOf: async (type: string) =>
      [...lines.values()].filter(({ keyword }) => keyword === type).map(({ id }) => id),
    lines: async (ids: readonly number[]) => ids.flatMap((id) => lines.get(id) ?? []),
  };
}

function valuesOf(list: string): StepValue[] {
  const json = list
    .replace(/'([^']*)'/g, '"$1"')
    .replace(/IFC[A-Z]+\(("[^"]*"|[-+.0-9E]+)\)/g, '$1')
    .replace(/#(\d+)/g, '{"ref":$1}')
    .replace(/\.([A-Z]+)\./g, '"$1"')
    .replace(/(?<=[,(]|^)[$*](?=[,)]|$)/g, 'null')
    .replace(/(\d)\.(?=[,)\]E]|$)/g, '$1')
    .replaceAll('(', '[')
    .replaceAll(')', ']');
  return JSON.parse(`[${json}]`);
}

async function read(entities: readonly string[], options: HouseOptions = {}, metresPerUnit = 0.001) {
  const found = await readGeoreference(entitiesOf(ifcHouse(entities, options)), metresPerUnit);
  if (found === undefined) throw new Error('it says nothing');
  return found;
}

/** Where the second is in the coordinates of the first. */
function placed(...georeferences: readonly (Georeference | undefined)[]) {
  const frame = new ModelFrame();
  const places = georeferences.map((georeference, i) =>
    frame.add(`${'abc'[i]}.ifc`, { georeference, mayBeGeoreferenced: true, isTurnedUp: false }, {}),
  );
  return places.at(-1)!;
}

const shift = (pose: ArrayLike<number> | undefined) => Array.from(pose ?? []).slice(9);
const E = '729013348.8297';
const N = '9063992684.6973';
const A = await read(onMap(`${E},${N},1300.,1.,0.,1.`));

describe('a second file', () => {
  test('is as far from the first as both say, though the map begins 9 000 km away', async () => {
    const { pose, notes } = placed(A, await read(onMap(`729018348.8297,${N},1300.,1.,0.,1.`)));
    expect(shift(pose)).toEqual([expect.closeTo(5, 6), 0, 0]);
    expect(notes).toEqual(['placed by its map conversion, 5 m from a.ifc']);
  });

  test('is turned by its x axis, and seen from the first one', async () => {
    const turned = await read(onMap(`729018348.8297,${N},1300.,1.,1.,1.`));
    const forth = placed(A, turned);
    const [cos, sin] = [Math.SQRT1_2, Math.SQRT1_2];
    expect(Array.from(forth.pose!).slice(0, 3)).toEqual([expect.closeTo(cos), expect.closeTo(-sin), 0]);
    expect(forth.notes).toEqual(['placed by its map conversion, 5 m away and turned by 45° from a.ifc']);
    const back = placed(turned, A);
    expect(shift(back.pose)).toEqual([expect.closeTo(-5 * cos, 6), expect.closeTo(5 * sin, 6), 0]);
  });

  test('that says the same stays where it is, to the bit', async () => {
    expect(placed(A, await read(onMap(`${E},${N},1300.,1.,0.,1.`)))).toEqual({ pose: undefined, notes: [] });
  });

  test('has the height of the map', async () => {
    expect(shift(placed(A, await read(onMap(`${E},${N},3800.,1.,0.,1.`))).pose)).toEqual([0, 0, 2.5]);
  });

  test.each([
    ['by the book', '0.001'],
    ['with the units forgotten', '1.'],
    ['without a scale', '$'],
  ])('may have a map in metres, %s', async (_, scale) => {
    const unit = '#102=IFCSIUNIT(*,.LENGTHUNIT.,$,.METRE.);';
    const values = `729018.3488297,9063992.6846973,1.3,1.,0.,${scale}`;
    const own = await read([unit, ...onMap(values, "'EPSG:32760',$,$,$,$,$,#102")]);
    expect(shift(placed(A, own).pose)).toEqual([expect.closeTo(5, 6), expect.closeTo(0, 6), 0]);
  });

  test('may be in feet itself', async () => {
    const feet = [
      '#110=IFCDIMENSIONALEXPONENTS(1,0,0,0,0,0,0);',
      '#111=IFCMEASUREWITHUNIT(0.3048,#112);',
      '#112=IFCSIUNIT(*,.LENGTHUNIT.,$,.METRE.);',
      '#113=IFCCONVERSIONBASEDUNIT(#110,.LENGTHUNIT.,$,#111);',
    ];
    const inMetres = onMap('729018.3488297,9063992.6846973,1.3,1.,0.,0.3048', "'EPSG:32760',$,$,$,$,$,#112");
    const own = await read([...feet, ...inMetres], {}, 0.3048);
    expect(shift(placed(A, own).pose)).toEqual([expect.closeTo(5, 6), expect.closeTo(0, 6), 0]);
    const inFeet = onMap('2391792.48452,29737508.1518,4.2650918635,1.,0.,1.', "'EPSG:32760',$,$,$,$,$,#113");
    const other = await read([...feet, ...inFeet], {}, 0.3048);
    expect(shift(placed(A, other).pose)[0]).toBeCloseTo(2391792.48452 * 0.3048 - 729013.3488297, 5);
  });

  test('keeps its lengths where the map shrinks: origins are apart by what it is on the ground', async () => {
    const scaled = (east: string) => read(onMap(`${east},${N},1300.,1.,0.,0.9996`));
    const [first, second] = [await scaled(E), await scaled('729018346.8297')];
    expect(shift(placed(first, second).pose)[0]).toBeCloseTo(4.998 / 0.9996, 6);
    expect(placed(A, second).notes).toContain('its map scale is 0.9996, that of a.ifc is 1');
  });

  test('may scale each axis (IFC4X3)', async () => {
    const values = `729018348.8297,${N},1300.,1.,0.,1.,1.,1.,1.`;
    const own = await read(onMap(values, undefined, 'IFCMAPCONVERSIONSCALED'), { schema: 'IFC4X3_ADD2' });
    expect(shift(placed(A, own).pose)[0]).toBeCloseTo(5, 6);
    const uneven = values.replace(/1\.,1\.,1\.$/, '0.9,1.,1.');
    const odd = await read(onMap(uneven, undefined, 'IFCMAPCONVERSIONSCALED'));
    expect(odd.notes).toEqual(['its map conversion scales x by 0.9 and y by 1; the mean is used']);
  });

  test('may say it by a rigid operation (IFC4X3)', async () => {
    const own = await read(onMap(`729018348.8297,${N},1300.`, undefined, 'IFCRIGIDOPERATION'));
    expect(shift(placed(A, own).pose)).toEqual([expect.closeTo(5, 6), 0, 0]);
  });

  test('may say it in property sets (IFC2X3)', async () => {
    const single = (id: number, name: string, value: string) =>
      `#${id}=IFCPROPERTYSINGLEVALUE('${name}',$,${value},$);`;
    const own = await read(
      [
        single(120, 'Eastings', 'IFCLENGTHMEASURE(729018348.8297)'),
        single(121, 'Northings', `IFCLENGTHMEASURE(${N})`),
        single(122, 'OrthogonalHeight', 'IFCLENGTHMEASURE(1300.)'),
        single(123, 'Name', "IFCLABEL('EPSG:32760')"),
        "#124=IFCPROPERTYSET('p1',$,'ePSet_MapConversion',$,(#120,#121,#122));",
        "#125=IFCPROPERTYSET('p2',$,'ePSet_ProjectedCRS',$,(#123));",
      ],
      { schema: 'IFC2X3' },
    );
    expect(own.crs).toBe('EPSG:32760');
    expect(shift(placed(A, own).pose)).toEqual([expect.closeTo(5, 6), 0, 0]);
  });

  test('counts from the world coordinate system of its context', async () => {
    const own = await read(onMap(`${E},${N},1300.,1.,0.,1.`), { world: '0.,3000.,0.' });
    expect(shift(placed(A, own).pose)).toEqual([0, expect.closeTo(3, 6), 0]);
  });

  test('of another system is told so, however that is spelt', async () => {
    const crs = (name: string) => read(onMap(`${E},${N},1300.,1.,0.,1.`, `'${name}',$,$,$,$,$,$`));
    expect(placed(A, await crs('EPSG:2193')).notes[0]).toMatch(
      /^it is in EPSG:2193, a\.ifc in EPSG:32760: no conversion/,
    );
    expect(placed(A, await crs('epsg 32760')).notes).toEqual([]);
  });

  test('that says nothing is told so, whichever comes first', () => {
    const note = expect.stringMatching(/^it has no map position, and [ab]\.ifc has one/);
    expect(placed(A, undefined).notes).toEqual([note]);
    const frame = new ModelFrame();
    const source = { mayBeGeoreferenced: true, isTurnedUp: false };
    const { notes } = frame.add('a.ifc', { ...source, georeference: undefined }, {});
    expect(notes).toEqual([]);
    frame.add('b.ifc', { ...source, georeference: A }, {});
    expect(notes).toEqual([note]);
  });

  test('has a scale that means something, or 1', async () => {
    const own = await read(onMap(`${E},${N},1300.,1.,0.,17.`));
    expect(own.scale).toBe(1);
    expect(own.notes).toEqual([
      'the scale of its map conversion, 17, fits neither its units nor a map; 1 is used',
    ]);
  });
});

test('a file without any of that says nothing', async () => {
  expect(await readGeoreference(entitiesOf(ifcHouse([])), 0.001)).toBeUndefined();
});

describe('what is said about single files', () => {
  const patterns = [
    { pattern: 'b?.stl', from: '--unit', unit: 0.001 },
    { pattern: '*.{stl,obj}', from: 'files', unit: 1, up: 'y' as const },
  ];

  test('is what the first pattern says that fits', () => {
    expect(settingOf('x/b1.stl', patterns)).toEqual({ unit: 0.001, up: 'y' });
    expect(settingOf('b11.stl', patterns)).toEqual({ unit: 1, up: 'y' });
    expect(settingOf('b1.ifc', patterns)).toEqual({});
  });

  test('is about a file that is there', () => {
    expect(() => assertUsed(['x/b1.stl'], patterns)).not.toThrow();
    expect(() => assertUsed(['x/a1.stl'], patterns)).toThrow(
      '--unit: no file is called "b?.stl"; the files are a1.stl',
    );
  });
});
