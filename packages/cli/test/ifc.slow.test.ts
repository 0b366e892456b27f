/** IFC: what comes out of small files written here and of the reference files, and what damaged ones are told. */
import { closeSync, existsSync, openSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { ShapeArrays, SourceObject } from '@impinge/model';
import { beforeAll, describe, expect, test } from 'vitest';
import { FormatError } from '../src/formats/format-error.js';
import { disciplineOf } from '../src/formats/ifc/discipline.js';
import { IfcEngine } from '../src/formats/ifc/engine.js';
import { ifcSource } from '../src/formats/ifc/ifc.js';
import { leftOutLines } from '../src/formats/left-out.js';
import type { ModelSource } from '../src/formats/model-source.js';
import type { LoadedShape } from '../src/formats/read-model.js';
import { placeOf } from '../src/formats/source-object.js';
import { boundsOf, Files } from './files.js';
import { ifcHouse } from './ifc-text.js';
import { shapesOf } from './source-triangles.js';

const files = new Files();
const MEMORY = { memoryBytes: 64e6 };

/** A box of 2000 × 100 × 3000 at (x, y, 0); takes five numbers from `id` on. */
function box(id: number, type: string, name: string, x: number, y: number, shape = '#36'): string[] {
  return [
    `#${id}=${type}('guid-${id}',$,'${name}',$,$,#${id + 1},${shape},$);`,
    `#${id + 1}=IFCLOCALPLACEMENT(#10,#${id + 2});`,
    `#${id + 2}=IFCAXIS2PLACEMENT3D(#${id + 3},$,$);`,
    `#${id + 3}=IFCCARTESIANPOINT((${x}.,${y}.,0.));`,
  ];
}

const contained = (...ids: number[]) =>
  `#90=IFCRELCONTAINEDINSPATIALSTRUCTURE('c',$,$,$,(${ids.map((id) => `#${id}`).join()}),#22);`;

interface Read {
  readonly source: ModelSource;
  readonly shapes: readonly LoadedShape[];
  readonly objects: readonly SourceObject[];
}

async function read(
  name: string,
  content: string,
  options: Partial<Parameters<typeof ifcSource>[1]> = {},
): Promise<Read> {
  return readPath(files.write(name, content), options);
}

async function readPath(path: string, options: Partial<Parameters<typeof ifcSource>[1]> = {}): Promise<Read> {
  const source = await ifcSource(path, { ...MEMORY, ...options });
  const shapes = await shapesOf(source);
  return { source, shapes, objects: shapes.flatMap(({ objects }) => objects) };
}

async function failure(name: string, content: string | Uint8Array, stallMs = 60_000): Promise<string> {
  const path = files.write(name, content);
  let source: ModelSource | undefined;
  try {
    source = await ifcSource(path, MEMORY, stallMs);
    for await (const _ of source.shapes());
  } catch (error) {
    expect(error).toBeInstanceOf(FormatError);
    expect((error as Error).message).not.toContain('\n');
    expect((error as Error).message.startsWith(`${path}: `)).toBe(true);
    return (error as Error).message.slice(path.length + 2);
  } finally {
    await source?.close();
  }
  throw new Error('it was read');
}

function volume({ positions, indices }: ShapeArrays): number {
  let sum = 0;
  for (let t = 0; t < indices.length; t += 3) {
    const [a, b, c] = [0, 1, 2].map((k) => positions.slice(3 * indices[t + k], 3 * indices[t + k] + 3));
    sum +=
      a[0] * (b[1] * c[2] - b[2] * c[1]) -
      a[1] * (b[0] * c[2] - b[2] * c[0]) +
      a[2] * (b[0] * c[1] - b[1] * c[0]);
  }
  return sum / 6;
}

describe('a small file', () => {
  const walls = [
    ...box(40, 'IFCWALL', 'North', 0, 0),
    ...box(50, 'IFCWALL', 'South\\X2\\00E4\\X0\\ 1/2', 5000, 7000),
    ...box(60, 'IFCOPENINGELEMENT', 'Hole', 0, 0),
    contained(40, 50),
    "#91=IFCPROPERTYSET('p',$,'Pset_WallCommon',$,(#92,#93,#94,#95));",
    "#92=IFCPROPERTYSINGLEVALUE('FireRating',$,IFCLABEL('60'),$);",
    "#93=IFCPROPERTYSINGLEVALUE('IsExternal',$,IFCBOOLEAN(.T.),$);",
    "#94=IFCPROPERTYSINGLEVALUE('Thickness',$,IFCLENGTHMEASURE(100.5),$);",
    "#95=IFCPROPERTYENUMERATEDVALUE('Status',$,(IFCLABEL('NEW'),IFCLABEL('OLD')),$);",
    "#96=IFCRELDEFINESBYPROPERTIES('d',$,$,$,(#50),#91);",
    "#97=IFCRELDEFINESBYTYPE('t',$,$,$,(#50),#98);",
    "#98=IFCWALLTYPE('wt',$,'Kind',$,$,(#99),$,$,$,.STANDARD.);",
    "#99=IFCPROPERTYSET('q',$,'Pset_WallCommon',$,(#100,#101));",
    "#100=IFCPROPERTYSINGLEVALUE('FireRating',$,IFCLABEL('30'),$);",
    "#101=IFCPROPERTYSINGLEVALUE('Reference',$,IFCIDENTIFIER('W1'),$);",
  ];

  let whole: Read;
  beforeAll(async () => {
    whole = await read('walls.ifc', ifcHouse(walls));
  });

  test('equal products share a shape, in Z-up world coordinates and the unit of the file', () => {
    const { source, shapes, objects } = whole;
    expect(source.format).toBe('IFC, IFC4');
    expect(source.metresPerUnit).toBe(1e-3);
    expect(shapes).toHaveLength(1);
    expect(objects.map(({ id }) => id)).toEqual(['guid-40', 'guid-50']);
    const { geometry } = shapes[0];
    expect(geometry.indices).toHaveLength(36);
    expect(geometry.positions).toHaveLength(24);
    expect(geometry.positions).toBeInstanceOf(Float32Array);
    expect(boundsOf(geometry, objects[0])).toEqual([-1000, -50, 0, 1000, 50, 3000]);
    expect(boundsOf(geometry, objects[1])).toEqual([4000, 6950, 0, 6000, 7050, 3000]);
    expect(
      placeOf(objects[1])!
        .slice(0, 9)
        .every((x) => Object.is(x, 0) || Math.abs(x) === 1),
    ).toBe(true);
    expect(volume(geometry)).toBeCloseTo(6e8, 0);
  });

  test('names, paths, storeys and properties', () => {
    const { source, objects } = whole;
    expect(objects[0]).toMatchObject({
      name: 'North',
      path: 'walls/The site/A_B/Level 1/IfcWall/North',
      type: 'IfcWall',
      discipline: 'walls',
      file: 'walls.ifc',
      storey: 'Level 1',
      properties: {},
    });
    expect(objects[1].name).toBe('Southä 1/2');
    expect(objects[1].path).toBe('walls/The site/A_B/Level 1/IfcWall/Southä 1_2');
    expect(objects[1].properties).toEqual({
      'Pset_WallCommon.FireRating': '60',
      'Pset_WallCommon.Reference': 'W1',
      'Pset_WallCommon.IsExternal': true,
      'Pset_WallCommon.Thickness': 100.5,
      'Pset_WallCommon.Status': 'NEW, OLD',
    });
    expect(leftOutLines(source.leftOut)).toEqual(['left out, because not solid: 1 IfcOpeningElement']);
  });

  test('a product of two parts is one shape of its own', async () => {
    const two = [
      '#70=IFCCARTESIANPOINT((0.,0.,3000.));',
      '#71=IFCAXIS2PLACEMENT3D(#70,$,$);',
      '#72=IFCEXTRUDEDAREASOLID(#32,#71,#33,500.);',
      "#73=IFCSHAPEREPRESENTATION(#12,'Body','SweptSolid',(#34,#72));",
      '#74=IFCPRODUCTDEFINITIONSHAPE($,$,(#73));',
      ...box(40, 'IFCBEAM', 'Two', 100, 0, '#74'),
    ];
    const { shapes, objects } = await read('two.ifc', ifcHouse(two));
    expect(shapes).toHaveLength(1);
    expect(objects[0].pose).toBeUndefined();
    expect(shapes[0].geometry.indices).toHaveLength(72);
    expect(boundsOf(shapes[0].geometry)).toEqual([-900, -50, 0, 1100, 50, 3500]);
    expect(volume(shapes[0].geometry)).toBeCloseTo(7e8, 0);
  });

  test('a mirrored product keeps its outside outside', async () => {
    const mirrored = [
      '#70=IFCREPRESENTATIONMAP(#5,#35);',
      '#71=IFCDIRECTION((-1.,0.,0.));',
      '#72=IFCDIRECTION((0.,1.,0.));',
      '#73=IFCCARTESIANTRANSFORMATIONOPERATOR3D(#71,#72,#4,1.,#33);',
      '#74=IFCMAPPEDITEM(#70,#73);',
      "#75=IFCSHAPEREPRESENTATION(#12,'Body','MappedRepresentation',(#74));",
      '#76=IFCPRODUCTDEFINITIONSHAPE($,$,(#75));',
      ...box(40, 'IFCDOOR', 'Left', 1000, 0, '#76').map((line) => line.replace(',$);', ',$,$,$,$,$,$);')),
    ];
    const { shapes, objects } = await read('mirrored.ifc', ifcHouse(mirrored));
    expect(shapes).toHaveLength(1);
    expect(boundsOf(shapes[0].geometry, objects[0])).toEqual([0, -50, 0, 2000, 50, 3000]);
    expect(volume(shapes[0].geometry)).toBeCloseTo(6e8, 0);
  });

  test('the parts of an assembly are in its folder', async () => {
    const parts = [
      "#80=IFCELEMENTASSEMBLY('asm',$,'Truss',$,$,#10,$,$,$,$);",
      ...box(40, 'IFCMEMBER', 'bar', 0, 0),
      ...box(50, 'IFCMEMBER', 'bar', 0, 500),
      "#81=IFCRELAGGREGATES('a',$,$,$,#80,(#40,#50));",
      contained(80),
    ];
    const { objects } = await read('parts.ifc', ifcHouse(parts));
    expect(objects.map(({ path, storey }) => [path, storey])).toEqual(
      Array(2).fill(['parts/The site/A_B/Level 1/IfcElementAssembly/Truss/bar', 'Level 1']),
    );
  });

  test.each([
    ['metres', 'IFCSIUNIT(*,.LENGTHUNIT.,$,.METRE.)', 1],
    ['centimetres', 'IFCSIUNIT(*,.LENGTHUNIT.,.CENTI.,.METRE.)', 0.01],
    [
      'feet',
      "IFCCONVERSIONBASEDUNIT(#16,.LENGTHUNIT.,'FOOT',#17);\n#16=IFCDIMENSIONALEXPONENTS(1,0,0,0,0,0,0);\n" +
        '#17=IFCMEASUREWITHUNIT(IFCLENGTHMEASURE(0.3048),#18);\n#18=IFCSIUNIT(*,.LENGTHUNIT.,$,.METRE.)',
      0.3048,
    ],
  ])('unit: %s', async (_, unit, metres) => {
    const { source, shapes, objects } = await read(
      'unit.ifc',
      ifcHouse(box(40, 'IFCWALL', 'w', 0, 0), { unit }),
    );
    expect(source.metresPerUnit).toBeCloseTo(metres, 12);
    expect(boundsOf(shapes[0].geometry, objects[0])).toEqual([-1000, -50, 0, 1000, 50, 3000]);
  });

  test('little memory: shapes held back go to a file and come back the same', async () => {
    const many = [];
    for (let i = 0; i < 5; i++) {
      many.push(
        `#${200 + 10 * i}=IFCEXTRUDEDAREASOLID(#32,#5,#33,${1000 + i}.);`,
        `#${201 + 10 * i}=IFCSHAPEREPRESENTATION(#12,'Body','SweptSolid',(#${200 + 10 * i}));`,
        `#${202 + 10 * i}=IFCPRODUCTDEFINITIONSHAPE($,$,(#${201 + 10 * i}));`,
        ...box(300 + 10 * i, 'IFCWALL', `w${i}`, 0, 0, `#${202 + 10 * i}`),
      );
    }
    const plenty = await read('many.ifc', ifcHouse(many));
    const little = await read('many.ifc', ifcHouse(many), { memoryBytes: 600 });
    expect(little.shapes).toHaveLength(5);
    expect(little.shapes).toEqual(plenty.shapes);
  });

  test('progress ends at the whole, and an abort stops', async () => {
    const seen: number[] = [];
    const content = ifcHouse(walls);
    await read('walls.ifc', content, { onProgress: ({ done, total }) => seen.push(done / total) });
    expect(seen.at(-1)).toBe(1);
    const reason = new Error('enough');
    const controller = new AbortController();
    const source = await ifcSource(files.write('walls.ifc', content), {
      ...MEMORY,
      signal: controller.signal,
    });
    controller.abort(reason);
    await expect(source.shapes()[Symbol.asyncIterator]().next()).rejects.toBe(reason);
    await source.close();
  });
});

describe('damaged files', () => {
  const whole = ifcHouse([...box(40, 'IFCWALL', "it''s /* no comment", 0, 0), contained(40)]);

  test.each<[name: string, content: string, message: RegExp]>([
    ['empty', '', /is empty/],
    ['not STEP', 'solid cube', /not an IFC file: it does not begin with "ISO-10303-21;"/],
    ['no schema', 'ISO-10303-21;\nDATA;\nENDSEC;\nEND-ISO-10303-21;\n', /names no schema/],
    [
      'other STEP',
      whole.replace('IFC4', 'AUTOMOTIVE_DESIGN'),
      /a STEP file of schema "AUTOMOTIVE_DESIGN", not IFC/,
    ],
    ['unknown IFC', whole.replace('IFC4', 'IFC99'), /its schema is not IFC2X3/],
    ['no data', whole.replace(/DATA;[\s\S]*?ENDSEC;\nEND/, 'END'), /it has no DATA section/],
    ['no project', whole.replace(/#1=.*\n/, ''), /it has no IfcProject/],
    ['no products', ifcHouse([]), /no product in it has triangles/],
    ['no end', whole.replace('END-ISO-10303-21;', ''), /cut off: END-ISO-10303-21 is missing/],
    [
      'reference to nowhere',
      whole.replace('(#3)', '(#777)'),
      /#1: its project or its units refer to missing entities/,
    ],
    ['defined twice', whole.replace('#3=', '#4='), /#4 at byte \d+: it is defined twice/],
    ['absurd number', whole.replace('(#3)', '(#99999999999)'), /a number from 1 to 4294967295/],
    [
      'open bracket',
      whole.replace('(0.,0.,0.))', '(0.,0.,0.)'),
      /#4 at byte \d+: cut off: 1 closing "\)" missing/,
    ],
    ['closing bracket', whole.replace('(#3)', '#3))'), /"\)" without "\("/],
    ['no comma', whole.replace('#30,$', '#30 $'), /"," is missing between values/],
    ['two commas', whole.replace('#30,$', '#30,,$'), /"," in the wrong place/],
    [
      'open string',
      whole.replace("'Model'", "'Model"),
      /"M?[^ ]*" outside of a string|missing between values|cut off in a string/,
    ],
    ['open comment', whole.replace('DATA;', 'DATA; /* on and on'), /cut off in a comment/],
    ['strange letters', whole.replace('(#3)', '(<3>)'), /"<" outside of a string/],
    [
      'deep lists',
      whole.replace('(#3)', `${'('.repeat(1e5)}#3${')'.repeat(1e5)}`),
      /lists nested more than 50 deep/,
    ],
    ['its own shape', whole.replace('#41,#36', '#40,#40'), /^#\d+: it cannot be read; the file is damaged/],
    ['unit of time', whole.replace('.METRE.', '.SECOND.'), /#3: its unit of length is not supported/],
    [
      'a number too large',
      whole.replace('2000.,100.', '1.E300,1.E300'),
      /not finite|no product in it has triangles/,
    ],
  ])('%s', async (name, content, message) => {
    expect(await failure(`${name.replaceAll(' ', '-')}.ifc`, content)).toMatch(message);
  });

  test('cut anywhere, it is refused', async () => {
    for (let length = 1; length < whole.length - 2; length += 97) {
      expect(await failure('cut.ifc', whole.slice(0, length))).toMatch(/./);
    }
  });

  test('relations in circles do no harm', async () => {
    const circle = ifcHouse([
      ...box(40, 'IFCWALL', 'w', 0, 0),
      "#81=IFCRELAGGREGATES('a',$,$,$,#40,(#22));",
      contained(40),
    ]);
    const { objects } = await read('circle.ifc', circle);
    expect(objects[0].storey).toBe('Level 1');
    expect(objects[0].path.length).toBeLessThan(2000);
  });
});

test('an engine that never comes back is given up', async () => {
  // one bracket turned round: `checkStep` would have refused it
  const path = files.write(
    'endless.ifc',
    ifcHouse([
      ...box(40, 'IFCWALL', 'w', 0, 0),
      "#80=IFCMATERIAL('m',$,$);",
      "#81=IFCRELASSOCIATESMATERIAL)'a',$,$,$,(#40),#80);",
    ]),
  );
  const fd = openSync(path, 'r');
  const engine = await IfcEngine.open(path, fd, 2000, {
    memoryBytes: 64e6,
    stallMs: 4000,
    segments: 13,
    limits: { mostParts: 10, mostPartBytes: 1e6 },
  });
  const ahead = engine.lines([1]);
  await expect(engine.parts(40)).rejects.toThrow(/^.*endless.ifc: #40: it cannot be read.*no end after 4 s/);
  await expect(ahead).resolves.toHaveLength(1);
  await expect(engine.lines([1])).rejects.toThrow(FormatError);
  await engine.close();
  closeSync(fd);
});

test('disciplines by words in names', () => {
  expect(disciplineOf('Clinic_STR_2', '')).toBe('structural');
  expect(disciplineOf('hospital-plumbing', 'electrical')).toBe('plumbing');
  expect(disciplineOf('b17', 'North wing HVAC')).toBe('hvac');
  expect(disciplineOf('Starch', 'Street')).toBe('Starch');
});

const folder = fileURLToPath(new URL('../../../../shared/data/ifc/', import.meta.url));

describe.skipIf(!existsSync(folder))('reference models', () => {
  const DUPLEX = 'Duplex_A_20110907.ifc';
  let duplex: Read;
  beforeAll(async () => {
    duplex = await readPath(folder + DUPLEX);
  });

  test.each([
    [DUPLEX, 215, 27_230, 1, 215],
    ['Schependomlaan_XELLA-Begane_grond.ifc', 750, 9_000, 1e-3, 300],
    ['wall-with-opening-and-window.ifc', 2, 44, 1e-3, 2],
  ])('%s', async (file, objectCount, triangles, metresPerUnit, mostShapes) => {
    const { source, shapes, objects } = file === DUPLEX ? duplex : await readPath(folder + file);
    expect(source.metresPerUnit).toBe(metresPerUnit);
    expect(objects).toHaveLength(objectCount);
    expect(new Set(objects.map(({ id }) => id)).size).toBe(objectCount);
    const counts = shapes.map(({ geometry, objects: users }) => (geometry.indices.length / 3) * users.length);
    expect(counts.reduce((a, b) => a + b)).toBe(triangles);
    expect(shapes.length).toBeLessThanOrEqual(mostShapes);
    expect(
      objects.every(({ path, type }) => path.startsWith(file.slice(0, -4)) && type.startsWith('Ifc')),
    ).toBe(true);
  });

  test('a door is about two metres high', () => {
    const heights = duplex.shapes.flatMap(({ geometry, objects }) =>
      objects
        .filter(({ type }) => type === 'IfcDoor')
        .map((object) => boundsOf(geometry, object))
        .map((box) => box[5] - box[2]),
    );
    expect(heights).toHaveLength(14);
    for (const height of heights) expect(height).toSatisfy((h: number) => h > 2 && h < 2.6);
  });
});
