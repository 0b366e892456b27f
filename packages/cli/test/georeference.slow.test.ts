/** Files of one project are placed to each other by what they say about the map, or by hand. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { Files } from './files.js';
import { extruded, ifcHouse, onMap, rectangle } from './ifc-text.js';
import { boxesObj, clashesIn, impinge } from './run-impinge.js';

const files = new Files();
const BOX = extruded(40, 'box', [0, 0, 0], rectangle(1000, 1000));

const house = (name: string, entities: readonly string[]) =>
  files.write(name, ifcHouse([...BOX, ...entities]));

interface Distance {
  readonly distance: number;
  readonly b: { readonly notes?: { readonly note: string }[] };
}

/** How far the boxes of two files are from each other, and what is said about the second. */
async function between(a: string, b: string, ...more: string[]): Promise<[metres: number, notes: string]> {
  const { code, out, err } = await impinge('distance', a, b, '--json', ...more);
  expect([code, err]).toEqual([0, '']);
  const { distance, b: side } = JSON.parse(out) as Distance;
  return [distance, (side.notes ?? []).map(({ note }) => note).join('; ')];
}

describe('two files with a box of 1 m each at their origins', () => {
  // far enough that float32 would know nothing of it: 729 km east, 9 064 km north
  const origin = house('a.ifc', onMap('729013348.8297,9063992684.6973,1300.,1.,0.,1.'));

  test('are where their map conversions say', async () => {
    const turned = house('turned.ifc', onMap('729018348.8297,9063992684.6973,1300.,1.,1.,1.'));
    const [metres, notes] = await between(origin, turned);
    // the corner of a square that stands on it
    expect(metres).toBeCloseTo(5 - 0.5 - Math.SQRT1_2, 6);
    expect(notes).toMatch(/5 m away and turned by 45° from a\.ifc/);
  });

  test('of which one says nothing share coordinates, and that is said; or are placed by hand', async () => {
    const plain = house('plain.ifc', []);
    const { out } = await impinge('distance', plain, origin);
    expect(out).toContain('plain.ifc: it has no map position, and a.ifc has one');
    expect(await between(origin, plain, '--place', 'plain.ifc: t=0,7,0, r=90')).toEqual([
      6,
      'placed by hand',
    ]);
  });
});

describe('a file of rules', () => {
  const obj = (name: string) => files.write(name, boxesObj(['cube', [0, 1], [0, 1], [0, 1]]));

  test('says unit, place and discipline of single files', async () => {
    const [a, b] = [obj('a.obj'), obj('b1.obj')];
    const rules = files.write(
      'rules.yaml',
      'files:\n  "b*.obj": { unit: mm, place: "t=0.5,0.5,0.9995", discipline: piping }\nrules: [{ name: all }]\n',
    );
    const output = join(files.folder, 'out');
    const { out } = await impinge('check', a, b, '--rules', rules, '-o', output, '--json');
    expect(JSON.parse(out)).toMatchObject({
      clashes: 1,
      notes: [{ file: 'b1.obj', note: 'placed by hand' }],
    });
    const [clash] = clashesIn(output);
    expect(clash.depth).toBeCloseTo(0.0005, 6);
    expect([clash.a.discipline, clash.b.discipline]).toEqual(['a', 'piping']);
    // the store that is kept is that of these settings
    const again = await impinge('check', a, b, '-o', output, '--json');
    expect(JSON.parse(again.out)).toMatchObject({ clashes: 1, notes: [], kinds: { duplicate: 1 } });
  });

  test('has its mistakes named', async () => {
    const rules = files.write(
      'wrong.yaml',
      'files:\n  "*.obj": { unit: parsec, up: x, place: "t=1", colour: red }\nrules: [{ name: all }]\n',
    );
    const { code, err } = await impinge('check', obj('a.obj'), '--rules', rules);
    expect(code).toBe(2);
    expect(err.replaceAll(rules, 'R').split('\n').slice(0, -1)).toEqual([
      'impinge: R:2:20: unit: "parsec": unknown unit "parsec"; mm, cm, m, km, in and ft are known',
      'impinge: R:2:32: up: "x" is neither y nor z',
      'impinge: R:2:42: place: "t=1": t= takes 3 numbers separated by commas',
      'impinge: R:2:49: the entry of a file has no "colour"; use unit, up, place, discipline',
    ]);
    const idle = files.write('idle.yaml', 'files: { "*.stl": { unit: mm } }\nrules: [{ name: all }]\n');
    const none = await impinge('check', obj('a.obj'), '--rules', idle, '-o', join(files.folder, 'x'));
    expect(none.err).toBe('impinge: files: no file is called "*.stl"; the files are a.obj\n');
  });
});

const federated = fileURLToPath(new URL('../../../../shared/data/ifc/federated/', import.meta.url));
const isThere = existsSync(federated);
if (!isThere) process.stderr.write('\n*** SKIPPED: files of one project; ../shared/data is not there ***\n');

test.skipIf(!isThere)('the files of one project lie where they belong', async () => {
  const output = join(files.folder, 'federated');
  const { code } = await impinge(
    'check',
    federated,
    '-o',
    output,
    '--formats',
    'jsonl',
    '--include',
    'copies',
  );
  expect(code).toBe(1);
  const isBuilding = ({ file }: { file: string }) => file.startsWith('Building');
  const across = clashesIn(output).filter(({ a, b }) => isBuilding(a) !== isBuilding(b));
  // each file has a mark of the same point of the map; nothing else of the house meets the roads
  expect(across.map(({ kind, a, b }) => `${kind} ${a.name} ${b.name}`)).toEqual(
    Array(6).fill('duplicate geo-reference geo-reference'),
  );
});
