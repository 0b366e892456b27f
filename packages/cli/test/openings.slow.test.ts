/** Openings for services: too small, too large and as they should be, of a small IFC file, in the reports. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { Files } from './files.js';
import { circle, extruded, ifcHouse, rectangle } from './ifc-text.js';
import { clashesIn, impinge } from './run-impinge.js';

const files = new Files();
type Point = readonly [number, number, number];

const made = (type: string, id: number, name: string, at: Point, profile: string, height: number) =>
  extruded(id, name, at, profile, height).map((line) => line.replace('IFCBUILDINGELEMENTPROXY', type));
const pipe = (id: number, name: string, x: number, radius: number) =>
  made('IFCPIPESEGMENT', id, name, [x, 0, -500], circle(radius), 1500);
/** An opening in the slab, #100. */
const hole = (id: number, name: string, x: number, profile: string) => [
  ...made('IFCOPENINGELEMENT', id, name, [x, 0, -100], profile, 400),
  `#${id + 9}=IFCRELVOIDSELEMENT('v${id}',$,$,$,#100,#${id});`,
];

test('pipes through openings that are too small, too large, and as they should be', async () => {
  const house = files.write(
    'slab.ifc',
    ifcHouse([
      ...made('IFCSLAB', 100, 'slab', [0, 0, 0], rectangle(9000, 3000), 200),
      ...hole(200, 'small', -4000, rectangle(90, 300)),
      ...pipe(210, 'squeezed', -4000, 50),
      ...hole(220, 'fitting', -2000, rectangle(250, 250)),
      ...pipe(230, 'at ease', -2000, 50),
      ...hole(240, 'large', 0, rectangle(400, 350)),
      ...pipe(250, 'lost', 0, 50),
      ...hole(260, 'shared', 2000, rectangle(600, 300)),
      ...pipe(270, 'one of two', 1800, 50),
      ...pipe(280, 'two of two', 2200, 50),
      ...hole(290, 'core', 4000, circle(200)),
      ...pipe(300, 'in a core', 4000, 50),
    ]),
  );
  const rules = files.write(
    'rules.yaml',
    'rules: [{ name: services, a: { type: IfcPipe* }, clearance: 20mm }]\n',
  );
  const report = join(files.folder, 'report');
  const check = async (...options: string[]) => {
    const { out, err } = await impinge('check', house, '-o', report, '--formats', 'jsonl,csv', ...options);
    expect(err).toBe('');
    const found = clashesIn(report).map(({ kind, a, b, distance, penetration }) => {
      const names = [a.name, b.name].filter((one) => one !== 'slab');
      return [...names, kind, penetration, Math.round(1000 * distance)];
    });
    return { out, found: found.sort() };
  };
  const { out, found } = await check('--rules', rules);
  // 400 − 100 − 2 × 20; of the core, 400 − 100 − 2 × 20 by the circle
  expect(found).toEqual([
    ['in a core', 'oversized', 'opening too large', 260],
    ['lost', 'oversized', 'opening too large', 260],
    ['squeezed', 'hard', 'opening too small', 0],
  ]);
  expect(out).toMatch(/oversized +2 +most 260 mm more opening than needed/);
  expect(out).toContain('1 opening too small, 2 opening too large');
  expect(readFileSync(join(report, 'clashes.csv'), 'utf8')).toMatch(/oversized.*opening too large/);
  // what is allowed is said in a file of rules, for all of them or for one
  const strict = files.write('strict.yaml', 'allowance: 100mm\n');
  expect((await check('--rules', strict)).found.map(([name]) => name)).toEqual([
    'at ease',
    'in a core',
    'lost',
    'one of two',
    'squeezed',
  ]);
  const lax = files.write(
    'lax.yaml',
    'allowance: 50mm\nrules: [{ name: services, a: { type: IfcPipe* }, allowance: 1m }]\n',
  );
  expect((await check('--rules', lax)).found.map(([name]) => name)).toEqual(['squeezed']);
  const hard = await check('--kinds', 'hard,clearance');
  expect(hard.found.map(([name]) => name)).toEqual(['squeezed']);
});
