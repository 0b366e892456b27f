/** IFC as some programs write it: on grids, with shifted quotes, with references to nowhere, packed. */
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { strToU8, zipSync } from 'fflate';
import { describe, expect, test } from 'vitest';
import { leftOutLines } from '../../src/formats/left-out.js';
import { type Model, readModel } from '../../src/formats/read-model.js';
import { boundsOf, Files, objectsOf } from '../files.js';
import { ifcHouse } from '../ifc-text.js';

const files = new Files();

const WALL = "#40=IFCWALL('guid-40',$,'Wall',$,$,#10,#36,$,$);";

/** Name → minimum and maximum, rounded to a thousandth of the unit. */
function boxesOf({ shapes }: Model): Record<string, number[]> {
  const boxes: Record<string, number[]> = {};
  for (const { geometry, objects } of shapes) {
    for (const object of objects) {
      boxes[object.name] = boundsOf(geometry, object).map((x) => Math.round(1000 * x) / 1000 + 0);
    }
  }
  return boxes;
}

describe('products on a grid', () => {
  // the grid is turned by 90° and moved by (1000, 2000): (x, y) of it is (1000 − y, 2000 + x) of the world
  const grid = [
    '#50=IFCCARTESIANPOINT((1000.,2000.,0.));',
    '#51=IFCDIRECTION((0.,1.,0.));',
    '#52=IFCAXIS2PLACEMENT3D(#50,$,#51);',
    '#53=IFCLOCALPLACEMENT(#10,#52);',
    // A: x = 0 upwards; A': the same downwards; B: x = 2000 upwards; 1: y = 3000 to the right; R: a circle
    '#60=IFCCARTESIANPOINT((0.,0.));',
    '#61=IFCCARTESIANPOINT((0.,5000.));',
    '#62=IFCPOLYLINE((#60,#61));',
    "#63=IFCGRIDAXIS('A',#62,.T.);",
    "#64=IFCGRIDAXIS('A-',#62,.F.);",
    '#65=IFCCARTESIANPOINT((2000.,100.));',
    '#66=IFCDIRECTION((0.,1.));',
    '#67=IFCVECTOR(#66,50.);',
    '#68=IFCLINE(#65,#67);',
    "#69=IFCGRIDAXIS('B',#68,.T.);",
    '#70=IFCCARTESIANPOINT((-1000.,3000.));',
    '#71=IFCCARTESIANPOINT((1000.,3000.));',
    '#72=IFCCARTESIANPOINT((4000.,3000.));',
    '#73=IFCPOLYLINE((#70,#71,#72));',
    "#74=IFCGRIDAXIS('1',#73,.T.);",
    '#75=IFCCIRCLE(#31,1000.);',
    "#76=IFCGRIDAXIS('R',#75,.T.);",
    "#80=IFCGRID('grid',$,$,$,$,#53,$,(#63,#64,#69,#76),(#74),$,$);",
    '#81=IFCVIRTUALGRIDINTERSECTION((#63,#74),(0.,0.));',
    '#82=IFCVIRTUALGRIDINTERSECTION((#63,#74),(100.,200.,300.));',
    '#83=IFCVIRTUALGRIDINTERSECTION((#64,#74),(100.,200.));',
    '#84=IFCVIRTUALGRIDINTERSECTION((#69,#74),(0.,0.));',
    '#85=IFCVIRTUALGRIDINTERSECTION((#76,#74),(0.,0.));',
    '#86=IFCVIRTUALGRIDINTERSECTION((#63,#69),(0.,0.));',
    '#87=IFCDIRECTION((1.,0.));',
    // a place 500 further along x, and up by 10
    '#88=IFCCARTESIANPOINT((500.,0.,10.));',
    '#89=IFCAXIS2PLACEMENT3D(#88,$,$);',
  ];
  const placed = (relative: string) => [
    ...grid,
    `#100=IFCGRIDPLACEMENT(${relative}#81,$);`,
    `#101=IFCGRIDPLACEMENT(${relative}#82,$);`,
    `#102=IFCGRIDPLACEMENT(${relative}#83,$);`,
    `#103=IFCGRIDPLACEMENT(${relative}#81,#87);`,
    `#104=IFCGRIDPLACEMENT(${relative}#81,#84);`,
    `#105=IFCGRIDPLACEMENT(${relative}#85,$);`,
    `#106=IFCGRIDPLACEMENT(${relative}#86,$);`,
    '#107=IFCLOCALPLACEMENT(#100,#89);',
    ...[
      ['plain', 100],
      ['offset', 101],
      ['backwards', 102],
      ['directed', 103],
      ['aimed', 104],
      ['round', 105],
      ['parallel', 106],
      ['hanging', 107],
      ['elsewhere', 10],
    ].map(([name, at], i) => `#${110 + i}=IFCWALL('g${i}',$,'${name}',$,$,#${at},#36,$,$);`),
  ];

  test.each([
    ['IFC4', ''],
    ['IFC2X3', ''],
    ['IFC4X3_ADD2', '#53,'],
    ['IFC4X3_ADD2', '$,'],
  ])('%s %s', async (schema, relative) => {
    const entities = placed(relative);
    const text =
      schema === 'IFC2X3'
        ? entities.map((line) => line.replace(/(IFCWALL.*),\$\);$/, '$1);').replace('#74),$,$);', '#74),$);'))
        : entities;
    const model = await readModel(files.write('grid.ifc', ifcHouse(text, { schema })));
    expect(boxesOf(model)).toEqual({
      elsewhere: [-1000, -50, 0, 1000, 50, 3000],
      // at (0, 3000) of the grid, along axis A
      plain: [-3000, 1950, 0, -1000, 2050, 3000],
      // at (−100, 3200) of the grid: to the left of both axes
      offset: [-3200, 1850, 300, -1200, 1950, 3300],
      // at (100, 3200): the first axis runs the other way
      backwards: [-3200, 2050, 0, -1200, 2150, 3000],
      directed: [-2050, 1000, 0, -1950, 3000, 3000],
      aimed: [-2050, 1000, 0, -1950, 3000, 3000],
      // x of its place is −x of the world
      hanging: [-3500, 1950, 10, -1500, 2050, 3010],
    });
    expect(leftOutLines(model.leftOut)).toEqual([
      'left out, because not solid: 1 IfcGrid',
      'left out, because placed on an axis that is an IfcCircle: 1 IfcWall (round g5 #115)',
      'left out, because placed on axes that are parallel: 1 IfcWall (parallel g6 #116)',
    ]);
  });

  const SAMPLE = fileURLToPath(new URL('../../../../../shared/data/ifc/grid-placement.ifc', import.meta.url));
  test.skipIf(!existsSync(SAMPLE))('the columns of the sample stand on their grid', async () => {
    const columns = (await readModel(SAMPLE)).shapes.flatMap(({ geometry, objects }) =>
      objects
        .filter(({ type }) => type === 'IfcColumn')
        .map((object) => boundsOf(geometry, object))
        .map((box) => `${Math.round((box[0] + box[3]) / 2)},${Math.round((box[1] + box[4]) / 2)}`),
    );
    const expected = [-14, -10, -6, -2, 2].flatMap((x) =>
      [4, 8, 10, 14, 16].map((y) => `${1000 * x},${1000 * y}`),
    );
    expect(columns.sort()).toEqual(expected.sort());
  });
});

describe('text', () => {
  const NAMES = {
    "\\S\\'": '§',
    "nach \\S\\' 5": 'nach § 5',
    "\\S\\'\\S\\' 1, 2": '§§ 1, 2',
    "it''s \\S\\'x": "it's §x",
  };
  // whatever is cut by a window
  test.each([1 << 20, 64, 67])('shifted quotes, in windows of %i bytes', async (chunkBytes) => {
    const walls = Object.keys(NAMES).map(
      (written, i) => `#${40 + i}=IFCWALL('guid-${40 + i}',$,'${written}',$,$,#10,#36,$,$);`,
    );
    const model = await readModel(files.write('text.ifc', ifcHouse(walls)), { chunkBytes });
    expect(objectsOf(model).map(({ name }) => name)).toEqual(Object.values(NAMES));
  });

  test.each([
    ['a folder called S', 'C:\\S\\', 'C:/S/'],
    ['a doubled quote', "a\\S\\''b", 'a§ b'],
  ])('%s', async (_, written, name) => {
    const model = await readModel(
      files.write('text.ifc', ifcHouse([WALL.replace("'Wall'", `'${written}'`)])),
    );
    expect(objectsOf(model).map(({ name }) => name)).toEqual([name]);
  });
});

describe('references to nowhere', () => {
  test.each<[string, string[]]>([
    ['a style in a list', ['#70=IFCSTYLEDITEM(#34,(#99),$);']],
    ['what a style is of', ['#70=IFCSTYLEDITEM(#99,(#71),$);', "#71=IFCSURFACESTYLE('x',.BOTH.,(#98));"]],
    [
      'a colour',
      [
        '#70=IFCSTYLEDITEM(#34,(#71),$);',
        "#71=IFCSURFACESTYLE('x',.BOTH.,(#72));",
        '#72=IFCSURFACESTYLERENDERING(#99,0.,$,$,$,$,$,$,.FLAT.);',
      ],
    ],
    ['members of a storey', ["#70=IFCRELAGGREGATES('g',$,$,$,#1,(#99,#40,#98));"]],
    ['a property set', ["#73=IFCRELDEFINESBYPROPERTIES('d',$,$,$,(#40,#97),#96);"]],
    [
      'a material',
      ["#70=IFCRELASSOCIATESMATERIAL('m',$,$,$,(#40),#71);", '#71=IFCMATERIALLAYERSET((#99),$,$);'],
    ],
    ['a layer', ["#70=IFCPRESENTATIONLAYERASSIGNMENT('l',$,(#99,#35),$);"]],
  ])('%s', async (_, entities) => {
    const model = await readModel(files.write('dangling.ifc', ifcHouse([WALL, ...entities])));
    expect(boxesOf(model)).toEqual({ Wall: [-1000, -50, 0, 1000, 50, 3000] });
    const lines = leftOutLines(model.leftOut);
    expect(lines).toHaveLength(1);
    expect(lines[0]).toMatch(/^left out, because they refer to missing entities: #7\d IFC[A-Z]+ to #9\d/);
  });

  test('of a history, which no shape needs', async () => {
    const model = await readModel(
      files.write('owner.ifc', ifcHouse([WALL.replace("'guid-40',$", "'guid-40',#99")])),
    );
    expect(Object.keys(boxesOf(model))).toEqual(['Wall']);
  });

  test.each<[string, string[]]>([
    [
      'a shape',
      [
        "#41=IFCWALL('guid-41',$,'Lost',$,$,#10,#46,$,$);",
        '#44=IFCEXTRUDEDAREASOLID(#99,#5,#33,3000.);',
        "#45=IFCSHAPEREPRESENTATION(#12,'Body','SweptSolid',(#44));",
        '#46=IFCPRODUCTDEFINITIONSHAPE($,$,(#45));',
      ],
    ],
    ['a place', ["#41=IFCWALL('guid-41',$,'Lost',$,$,#47,#36,$,$);", '#47=IFCLOCALPLACEMENT(#10,#99);']],
    [
      'an opening',
      ["#41=IFCWALL('guid-41',$,'Lost',$,$,#10,#36,$,$);", "#42=IFCRELVOIDSELEMENT('v',$,$,$,#41,#99);"],
    ],
  ])('of %s leave its product out, by name', async (_, entities) => {
    const model = await readModel(files.write('lost.ifc', ifcHouse([WALL, ...entities])));
    expect(Object.keys(boxesOf(model))).toEqual(['Wall']);
    expect(leftOutLines(model.leftOut)[0]).toBe(
      'left out, because placement or shape refer to missing entities: 1 IfcWall (Lost guid-41 #41)',
    );
  });
});

test('packed: as ifcZIP, and by gzip', async () => {
  const text = ifcHouse([WALL]);
  const expected = { Wall: [-1000, -50, 0, 1000, 50, 3000] };
  for (const name of ['house.ifczip', 'house.zip', 'house']) {
    const zip = await readModel(files.write(name, zipSync({ 'some/house.ifc': strToU8(text) })));
    expect(boxesOf(zip)).toEqual(expected);
    expect(objectsOf(zip)[0].path).toBe('house/IfcWall/Wall');
  }
  expect(boxesOf(await readModel(files.write('house.ifc.gz', gzipSync(text))))).toEqual(expected);
});

describe('maps of maps', () => {
  const doubled = (levels: number, innermost = 35) => {
    const lines = ['#90=IFCCARTESIANTRANSFORMATIONOPERATOR3D($,$,#4,1.,$);'];
    let inner = innermost;
    for (let i = 0; i < levels; i++) {
      const id = 100 + 5 * i;
      lines.push(
        `#${id}=IFCREPRESENTATIONMAP(#5,#${inner});`,
        `#${id + 1}=IFCMAPPEDITEM(#${id},#90);`,
        `#${id + 2}=IFCMAPPEDITEM(#${id},#90);`,
        `#${id + 3}=IFCSHAPEREPRESENTATION(#12,'Body','MappedRepresentation',(#${id + 1},#${id + 2}));`,
      );
      inner = id + 3;
    }
    lines.push(
      `#91=IFCPRODUCTDEFINITIONSHAPE($,$,(#${inner}));`,
      "#92=IFCWALL('w',$,'Many',$,$,#10,#91,$,$);",
    );
    return ifcHouse(lines);
  };

  test('are unfolded', async () => {
    const model = await readModel(files.write('maps.ifc', doubled(3)));
    expect(model.shapes.map(({ geometry }) => geometry.indices.length)).toEqual([8 * 36]);
  });

  test('are refused where they multiply, or never end', async () => {
    const failure = await files.failure('rabbits.ifc', doubled(60));
    expect(failure).toMatch(/^#\d+: it unfolds into more than \d+ parts$/);
    // the innermost one is the outermost
    expect(await files.failure('circle.ifc', doubled(2, 108))).toMatch(/^#\d+: it unfolds into more than/);
  });
});

test('products without triangles are listed, but for those made of others', async () => {
  const model = await readModel(
    files.write(
      'without.ifc',
      ifcHouse([
        WALL,
        "#41=IFCSLAB('guid-41',$,'Idea',$,$,#10,$,$,$);",
        "#42=IFCSTAIR('guid-42',$,'Stair',$,$,#10,$,$,$);",
        "#43=IFCRELAGGREGATES('r',$,$,$,#42,(#40));",
        "#44=IFCBEAM('guid-44',$,'Line',$,$,#10,#46,$,$);",
        "#45=IFCSHAPEREPRESENTATION(#12,'Axis','Curve2D',(#47));",
        '#46=IFCPRODUCTDEFINITIONSHAPE($,$,(#45));',
        '#47=IFCPOLYLINE((#4,#4));',
      ]),
    ),
  );
  expect(model.leftOut).toEqual([
    { why: 'without a representation', type: 'IfcSlab', count: 1, objects: ['Idea guid-41 #41'] },
    { why: 'without triangles', type: 'IfcBeam', count: 1, objects: ['Line guid-44 #44'] },
  ]);
});
