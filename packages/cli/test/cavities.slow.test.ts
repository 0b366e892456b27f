/** Services in walls of layers: between studs, in a board, and which side is which. */
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { Files } from './files.js';
import { circle, extruded, ifcHouse, rectangle } from './ifc-text.js';
import { clashesIn, impinge, impingeJson } from './run-impinge.js';

const files = new Files();
type Point = readonly [number, number, number];

const made = (type: string, id: number, name: string, at: Point, profile: string, height: number) =>
  extruded(id, name, at, profile, height).map((line) => line.replace('IFCBUILDINGELEMENTPROXY', type));
const wall = (id: number, name: string, y: number, thickness: number) =>
  made('IFCWALL', id, name, [0, y, 0], rectangle(4000, thickness), 3000);
const pipe = (id: number, name: string, y: number) =>
  made('IFCPIPESEGMENT', id, name, [0, y, -500], circle(20), 4000);

test('services in cavities are left out, by the layers and the sense in which they are laid', async () => {
  const house = files.write(
    'house.ifc',
    ifcHouse([
      "#300=IFCMATERIAL('Plasterboard',$,$);",
      "#301=IFCMATERIAL('Metal - Stud Layer',$,$);",
      "#302=IFCMATERIAL('Beton',$,$);",
      '#310=IFCMATERIALLAYER(#300,16.,$,$,$,$,$);',
      '#311=IFCMATERIALLAYER(#301,92.,$,$,$,$,$);',
      "#312=IFCMATERIALLAYER(#302,100.,.F.,'Tragschicht',$,$,$);",
      "#313=IFCMATERIALLAYER(#300,60.,.F.,'Hohlraum',$,$,$);",
      '#314=IFCMATERIALLAYER(#302,100.,.T.,$,$,$,$);',
      '#320=IFCMATERIALLAYERSET((#310,#311,#310),$,$);',
      '#321=IFCMATERIALLAYERSET((#312,#313),$,$);',
      '#322=IFCMATERIALLAYERSET((#314,#312),$,$);',
      '#330=IFCMATERIALLAYERSETUSAGE(#320,.AXIS2.,.NEGATIVE.,62.,$);',
      '#331=IFCMATERIALLAYERSETUSAGE(#321,.AXIS2.,.POSITIVE.,-80.,$);',
      '#332=IFCMATERIALLAYERSETUSAGE(#321,.AXIS2.,.NEGATIVE.,80.,$);',
      '#333=IFCMATERIALLAYERSETUSAGE(#322,.AXIS2.,.POSITIVE.,-100.,$);',
      "#340=IFCRELASSOCIATESMATERIAL('m0',$,$,$,(#100),#330);",
      "#341=IFCRELASSOCIATESMATERIAL('m1',$,$,$,(#110),#331);",
      "#342=IFCRELASSOCIATESMATERIAL('m2',$,$,$,(#120),#332);",
      "#343=IFCRELASSOCIATESMATERIAL('m3',$,$,$,(#130),#333);",
      ...wall(100, 'studs', 0, 124),
      ...wall(110, 'hollow above', 1000, 160),
      ...wall(120, 'hollow below', 2000, 160),
      ...wall(130, 'ventilated below', 3000, 200),
      ...pipe(200, 'between studs', 0),
      ...pipe(210, 'out of the studs', 40),
      ...pipe(220, 'above', 1045),
      ...pipe(230, 'not above', 955),
      ...pipe(240, 'below', 1955),
      ...pipe(250, 'not below', 2045),
      ...pipe(260, 'in the air', 2950),
    ]),
  );
  const report = join(files.folder, 'report');
  const { excluded } = await impingeJson('check', house, '-o', report, '--formats', 'jsonl');
  const pairs = clashesIn(report).map(({ a, b }) => [a.name, b.name].sort().join(', '));
  expect(pairs.sort()).toEqual([
    'hollow above, not above',
    'hollow below, not below',
    'out of the studs, studs',
  ]);
  expect(excluded).toMatchObject([{ name: 'cavities', pairs: 4 }]);
  const { out } = await impinge('info', house, '--types');
  expect(out.match(/^ {2}\S+ of \d+ mm/gm)?.sort()).toEqual([
    '  0-100 of 200 mm',
    '  0-60 of 160 mm',
    '  100-160 of 160 mm',
    '  16-108 of 124 mm',
  ]);
});
