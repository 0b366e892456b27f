/** Services through a floor: with an opening, without one, with one that does not fit. */
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { Files } from './files.js';
import { circle, extruded, ifcHouse, rectangle } from './ifc-text.js';
import { clashesIn, impinge } from './run-impinge.js';

const files = new Files();
type Point = readonly [number, number, number];

const made = (type: string, id: number, name: string, at: Point, profile: string, height: number) =>
  extruded(id, name, at, profile, height).map((line) => line.replace('IFCBUILDINGELEMENTPROXY', type));
const pipe = (id: number, name: string, x: number, y: number) =>
  made('IFCPIPESEGMENT', id, name, [x, y, -500], circle(50), 1000);
const opening = (id: number, size: number, x: number, y: number) =>
  made('IFCOPENINGELEMENT', id, `hole ${size}`, [x, y, -50], rectangle(size, size), 300);
const cut = (id: number, hole: number) => `#${id}=IFCRELVOIDSELEMENT('v${id}',$,$,$,#100,#${hole});`;

const floor = made('IFCSLAB', 100, 'floor', [0, 0, 0], rectangle(4000, 4000), 200);
const house = files.write(
  'house.ifc',
  ifcHouse([
    ...floor,
    ...opening(110, 200, 0, 0),
    ...opening(120, 80, 1000, 0),
    ...opening(130, 120, 0, 1000),
    ...[cut(140, 110), cut(141, 120), cut(142, 130)],
  ]),
);
const services = files.write(
  'services.ifc',
  ifcHouse([
    ...pipe(200, 'in its opening', 0, 0),
    ...pipe(210, 'in a small one', 1000, 0),
    ...pipe(220, 'in a tight one', 0, 1000),
    ...pipe(230, 'in none', -1000, 0),
    ...pipe(240, 'in a proposed one', 0, -1000),
    ...opening(250, 150, 0, -1000),
    ...made('IFCPIPESEGMENT', 260, 'that ends in the floor', [-1000, 1000, 100], circle(50), 1000),
    ...made('IFCFURNITURE', 270, 'furniture', [-1000, -1000, -500], circle(50), 1000),
  ]),
);

test('penetrations are told apart, also where the files are moved', async () => {
  const report = join(files.folder, 'report');
  for (const place of [
    [],
    ['--place', 'house.ifc: t=7,8,9 rz=30', '--place', 'services.ifc: t=7,8,9 rz=30'],
  ]) {
    const args = [house, services, '-o', report, '--clearance', '25mm', '--formats', 'jsonl,csv', ...place];
    const { out, err } = await impinge('check', ...args);
    expect(err).not.toContain('impinge:');
    const found = clashesIn(report).map(({ a, b, kind, penetration }) => {
      const { name } = [a, b].find((one) => one.name !== 'floor')!;
      return [name, kind, penetration];
    });
    expect(found.sort()).toEqual([
      ['furniture', 'hard', ''],
      ['in a proposed one', 'hard', 'opening proposed'],
      ['in a small one', 'hard', 'opening too small'],
      ['in a tight one', 'clearance', 'opening too tight'],
      ['in none', 'hard', 'without an opening'],
      ['that ends in the floor', 'hard', ''],
    ]);
    expect(out).toContain(
      '  services through walls, floors and the frame: 1 without an opening, 1 opening too small, ' +
        '1 opening too tight, 1 opening proposed\n',
    );
  }
});
