/** What IFC files say about systems, materials and the like, and about which products belong together. */
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { SourceObject } from '@impinge/model';
import { describe, expect, test } from 'vitest';
import { ifcSource } from '../src/formats/ifc/ifc.js';
import { Files } from './files.js';
import { ifcHouse } from './ifc-text.js';
import { shapesOf } from './source-triangles.js';

const files = new Files();

async function readPath(path: string): Promise<Map<string, SourceObject>> {
  const shapes = await shapesOf(await ifcSource(path, { memoryBytes: 64e6 }));
  return new Map(shapes.flatMap(({ objects }) => objects.map((object) => [object.id, object])));
}

const readHouse = (entities: readonly string[]) => readPath(files.write('house.ifc', ifcHouse(entities)));

/** A product with the shape that every file has. */
const product = (id: number, type: string, tail = '') =>
  `#${id}=${type}('g${id}',$,'p${id}',$,$,#10,#36,$${tail});`;
const port = (id: number) => `#${id}=IFCDISTRIBUTIONPORT('g${id}',$,$,$,$,$,$,$,$,$);`;

describe('relations', () => {
  test('a door fills an opening of its wall, also of one that is made of parts', async () => {
    const objects = await readHouse([
      product(40, 'IFCWALL', ',$'),
      product(50, 'IFCDOOR', ',$,$,$,$,$'),
      product(60, 'IFCBUILDINGELEMENTPART', ',$'),
      "#70=IFCOPENINGELEMENT('g70',$,$,$,$,#10,$,$,$);",
      "#71=IFCRELVOIDSELEMENT('v',$,$,$,#40,#70);",
      "#72=IFCRELFILLSELEMENT('f',$,$,$,#70,#50);",
      "#73=IFCRELAGGREGATES('a',$,$,$,#40,(#60));",
    ]);
    expect(objects.get('g50')?.relations).toEqual({ fills: ['g40'] });
    expect(objects.get('g60')?.relations).toEqual({ partOf: ['g40'] });
    expect(objects.get('g40')?.relations).toBeUndefined();
  });

  test('parts know their assembly, and what that is a part of, but not the storey', async () => {
    const objects = await readHouse([
      product(40, 'IFCPLATE', ',$'),
      product(50, 'IFCMEMBER', ',$'),
      "#60=IFCELEMENTASSEMBLY('truss',$,$,$,$,#10,$,$,$,$);",
      "#61=IFCELEMENTASSEMBLY('roof',$,$,$,$,#10,$,$,$,$);",
      "#62=IFCRELAGGREGATES('a',$,$,$,#60,(#40,#50));",
      "#63=IFCRELAGGREGATES('b',$,$,$,#61,(#60));",
      "#64=IFCRELCONTAINEDINSPATIALSTRUCTURE('c',$,$,$,(#61),#22);",
    ]);
    expect(objects.get('g40')?.relations).toEqual({ partOf: ['truss', 'roof'] });
    expect(objects.get('g50')?.relations).toEqual({ partOf: ['truss', 'roof'] });
  });

  test.each([
    ['nested', ["#80=IFCRELNESTS('n1',$,$,$,#40,(#70));", "#81=IFCRELNESTS('n2',$,$,$,#50,(#71));"]],
    [
      'by a relation of their own',
      [
        "#80=IFCRELCONNECTSPORTTOELEMENT('n1',$,$,$,#70,#40);",
        "#81=IFCRELCONNECTSPORTTOELEMENT('n2',$,$,$,#71,#50);",
      ],
    ],
  ])('elements are connected by ports, %s', async (_, ofPorts) => {
    const objects = await readHouse([
      product(40, 'IFCPIPESEGMENT', ',$'),
      product(50, 'IFCPIPEFITTING', ',$'),
      product(60, 'IFCVALVE', ',$'),
      port(70),
      port(71),
      ...ofPorts,
      "#82=IFCRELCONNECTSPORTS('p',$,$,$,#70,#71,$);",
    ]);
    expect(objects.get('g40')?.relations).toEqual({ connectedTo: ['g50'] });
    expect(objects.get('g50')?.relations).toEqual({ connectedTo: ['g40'] });
    expect(objects.get('g60')?.relations).toBeUndefined();
  });

  test('insulation covers its pipe', async () => {
    const objects = await readHouse([
      product(40, 'IFCPIPESEGMENT', ',$'),
      product(50, 'IFCCOVERING', ',.INSULATION.'),
      "#60=IFCRELCOVERSBLDGELEMENTS('c',$,$,$,#40,(#50));",
    ]);
    expect(objects.get('g50')?.relations).toEqual({ covers: ['g40'] });
  });

  test('what refers to nothing, to itself or in circles says nothing', async () => {
    const objects = await readHouse([
      product(40, 'IFCWALL', ',$'),
      product(50, 'IFCDOOR', ',$,$,$,$,$'),
      "#60=IFCRELFILLSELEMENT('f',$,$,$,#40,#50);",
      "#61=IFCRELCOVERSBLDGELEMENTS('c',$,$,$,#50,(#50));",
      "#62=IFCRELAGGREGATES('a',$,$,$,#40,(#50));",
      "#63=IFCRELAGGREGATES('b',$,$,$,#50,(#40));",
    ]);
    expect(objects.get('g50')?.relations?.fills).toBeUndefined();
    expect(objects.get('g50')?.relations?.covers).toBeUndefined();
    expect(objects.size).toBe(2);
  });
});

test('labels: systems, groups, classifications, materials and layers, of products and of their types', async () => {
  const objects = await readHouse([
    product(40, 'IFCPIPESEGMENT', ',$'),
    product(50, 'IFCWALL', ',$'),
    "#60=IFCDISTRIBUTIONSYSTEM('s',$,'Cold water',$,$,$,$);",
    "#61=IFCRELASSIGNSTOGROUP('g',$,$,$,(#40),$,#60);",
    "#62=IFCGROUP('g2',$,'Phase 2',$,$);",
    "#63=IFCRELASSIGNSTOGROUP('g3',$,$,$,(#40,#50),$,#62);",
    "#64=IFCCLASSIFICATIONREFERENCE($,'21.22','External walls',$,$,$);",
    "#65=IFCRELASSOCIATESCLASSIFICATION('k',$,$,$,(#50),#64);",
    "#66=IFCMATERIAL('Brick',$,$);",
    "#67=IFCMATERIAL('Plaster',$,$);",
    '#68=IFCMATERIALLAYER(#66,100.,$,$,$,$,$);',
    '#69=IFCMATERIALLAYER(#67,10.,$,$,$,$,$);',
    '#70=IFCMATERIALLAYERSET((#68,#69),$,$);',
    "#71=IFCWALLTYPE('t',$,'Wall type',$,$,$,$,$,$,.STANDARD.);",
    "#72=IFCRELDEFINESBYTYPE('d',$,$,$,(#50),#71);",
    "#73=IFCRELASSOCIATESMATERIAL('m',$,$,$,(#71),#70);",
    "#74=IFCMATERIAL('Copper',$,$);",
    '#75=IFCMATERIALPROFILE($,$,#74,#32,$,$);',
    '#76=IFCMATERIALPROFILESET($,$,(#75),$);',
    "#77=IFCRELASSOCIATESMATERIAL('m2',$,$,$,(#40),#76);",
    "#78=IFCPRESENTATIONLAYERASSIGNMENT('A-WALL',$,(#35),$);",
  ]);
  expect(objects.get('g40')?.labels).toEqual({
    system: ['Cold water'],
    group: ['Phase 2'],
    material: ['Copper'],
    layer: ['A-WALL'],
  });
  expect(objects.get('g50')?.labels).toEqual({
    group: ['Phase 2'],
    classification: ['21.22 External walls'],
    material: ['Brick', 'Plaster'],
    layer: ['A-WALL'],
  });
});

test('labels of a whole hold for its parts, at any level, but for materials', async () => {
  const objects = await readHouse([
    product(40, 'IFCELEMENTASSEMBLY', ',$,$'),
    product(50, 'IFCELEMENTASSEMBLY', ',$,$'),
    product(55, 'IFCPIPESEGMENT', ',$'),
    "#60=IFCRELAGGREGATES('a',$,$,$,#40,(#50));",
    "#61=IFCRELAGGREGATES('b',$,$,$,#50,(#55));",
    "#62=IFCDISTRIBUTIONSYSTEM('s',$,'Cold water',$,$,$,$);",
    "#63=IFCRELASSIGNSTOGROUP('g',$,$,$,(#40),$,#62);",
    "#64=IFCCLASSIFICATIONREFERENCE($,'53.11','Pipes',$,$,$);",
    "#65=IFCRELASSOCIATESCLASSIFICATION('k',$,$,$,(#50),#64);",
    "#66=IFCMATERIAL('Steel',$,$);",
    "#67=IFCRELASSOCIATESMATERIAL('m',$,$,$,(#40),#66);",
  ]);
  expect(objects.get('g55')?.labels).toEqual({ system: ['Cold water'], classification: ['53.11 Pipes'] });
});

const duplex = fileURLToPath(new URL('../../../../shared/data/ifc/Duplex_A_20110907.ifc', import.meta.url));
test.skipIf(!existsSync(duplex))('the doors and windows of the duplex know their walls', async () => {
  const objects = await readPath(duplex);
  const fillers = [...objects.values()].filter(({ type }) => /^Ifc(Door|Window)$/.test(type));
  expect(fillers).toHaveLength(38);
  const wholes = new Set([...objects.values()].flatMap(({ relations }) => relations?.partOf ?? []));
  const hosts = fillers.map(({ relations }) => relations!.fills![0]);
  const ofWalls = hosts.filter((id) => /^IfcWall/.test(objects.get(id)?.type ?? ''));
  // the skylights are in a roof that is made of slabs
  expect([ofWalls.length, hosts.filter((id) => wholes.has(id)).length]).toEqual([36, 2]);
});
