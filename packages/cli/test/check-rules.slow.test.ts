/** `impinge check` with rules: sides that select nothing, what they select, what belongs together. */
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, test } from 'vitest';
import { patternProblem } from '../../model/src/check/rules/glob-pattern.js';
import { parseRules } from '../src/rules/read-rules.js';
import { Files } from './files.js';
import { ifcHouse } from './ifc-text.js';
import { clashesIn, impinge } from './run-impinge.js';

const files = new Files();
let serial = 0;
const folder = () => join(files.folder, `report ${serial++}`);

const product = (id: number, type: string, tail = ',$') =>
  `#${id}=${type}('g${id}',$,'p${id}',$,$,#10,#36,$${tail});`;
/** Two walls and a door, all in one place; one wall bears loads, and the door is in it. */
const houseFile = files.write(
  'house.ifc',
  ifcHouse([
    product(40, 'IFCWALL'),
    product(50, 'IFCWALL'),
    product(60, 'IFCDOOR', ',$,$,$,$,$'),
    "#70=IFCOPENINGELEMENT('g70',$,$,$,$,#10,$,$,$);",
    "#71=IFCRELVOIDSELEMENT('v',$,$,$,#40,#70);",
    "#72=IFCRELFILLSELEMENT('f',$,$,$,#70,#60);",
    "#73=IFCPROPERTYSINGLEVALUE('LoadBearing',$,IFCBOOLEAN(.T.),$);",
    "#74=IFCPROPERTYSET('s',$,'Pset_WallCommon',$,(#73));",
    "#75=IFCRELDEFINESBYPROPERTIES('d',$,$,$,(#40),#74);",
  ]),
);
const house = join(files.folder, 'house.impinge');
const plant = join(files.folder, 'plant.impinge');
beforeAll(async () => {
  await impinge('pack', houseFile, '-o', house);
  await impinge('generate', '-o', plant, '--triangles', '100k');
});
const rules = (text: string) => files.write(`rules ${serial++}.yaml`, text);

describe('a side that selects nothing', () => {
  test.each([
    ['{type: IfcWal}', 'no object has type "IfcWal"; did you mean "IfcWall"?'],
    ['{type: IfcBeam}', 'no object has type "IfcBeam"; there are "IfcWall" (2), "IfcDoor" (1)'],
    ['{storey: Level 1}', 'no object has storey "Level 1"; none has a storey'],
    [
      '{property: {LoadBaering: true}}',
      'no object has property LoadBaering: "true"; did you mean "LoadBearing"? (Pset_WallCommon.LoadBearing)',
    ],
    [
      '{property: {LoadBearing: false}}',
      'no object has property LoadBearing: "false"; Pset_WallCommon.LoadBearing of 1 object: "true" (1)',
    ],
    [
      '{type: IfcDoor, property: {LoadBearing: true}}',
      'no object has all of type "IfcDoor" (1), property LoadBearing: "true" (1)',
    ],
    ['{type: IfcWall, except: {name: "*"}}', 'everything is excepted'],
  ])('%s is an error that says what there is', async (selector, why) => {
    const [file, out] = [rules(`rules:\n  - name: walls\n    a: ${selector}\n`), folder()];
    const { code, err } = await impinge('check', house, '--rules', file, '-o', out);
    expect(err.split('\n').slice(0, 2)).toEqual([
      `impinge: ${file}:3:8: rule "walls": side a selects no object: ${why}`,
      `impinge: ${file}: --allow-empty-rules checks the rest; "optional: true" allows it for one rule`,
    ]);
    expect(code).toBe(2);
    expect(readdirSync(out)).toEqual([]);
  });

  test('is left alone where that is allowed, and shows', async () => {
    const text = 'rules:\n  - {name: beams, a: {type: IfcBeam}}\n  - {name: walls, a: {type: IfcWall}}\n';
    const allowed = await impinge(
      'check',
      house,
      '--rules',
      rules(text),
      '-o',
      folder(),
      '--allow-empty-rules',
    );
    expect(allowed.out).toContain('  beams  0 × 3 objects  0 pairs  selects nothing\n');
    const optional = text.replace('IfcBeam}', 'IfcBeam}, optional: true');
    expect((await impinge('check', house, '--rules', rules(optional), '-o', folder())).code).toBe(1);
    const alone = 'rules: [{a: {type: IfcBeam}, optional: true}]';
    expect((await impinge('check', house, '--rules', rules(alone), '-o', folder())).code).toBe(2);
  });
});

test('properties match without their set, and the summary says what was selected', async () => {
  const file = rules('rules: [{name: bearing, a: {property: {LoadBearing: true}}}]');
  const { out, code } = await impinge('check', house, '--rules', file, '-o', folder(), '--json');
  const { stats } = JSON.parse(out);
  expect(stats.rules).toEqual([
    { name: 'bearing', ignore: false, a: 1, b: 3, pairs: 1, excluded: 1, unmatched: [] },
  ]);
  expect(stats.excluded).toMatchObject({ openings: 1, assemblies: 0 });
  expect(code).toBe(1);
});

test.each<[string[], string, number]>([
  [[], 'rules: [{}]', 2],
  [['--exclusions', 'none'], 'rules: [{}]', 3],
  [['--exclusions', 'assemblies'], 'rules: [{}]', 3],
  [[], 'exclusions: false', 3],
  [[], 'exclusions: {openings: false}', 3],
  [['--exclusions', 'all'], 'exclusions: false', 2],
])('a door and its wall, with %j and %s', async (options, text, clashes) => {
  const args = ['check', house, '--rules', rules(text), '-o', folder(), ...options];
  const { out } = await impinge(...args);
  expect(out).toContain(`${clashes} clashes`);
  expect(
    out.includes('left out, 1 pair: a door or window, and the element with its opening (openings)'),
  ).toBe(clashes === 2);
});

test('--exclusions refuses what it does not know', async () => {
  const { err } = await impinge('check', house, '--exclusions', 'doors');
  expect(err).toMatch(/^impinge: --exclusions: "doors" is not one of places, copies, openings, /);
});

test('the example is about the plant that the command makes: every side of every rule selects something', async () => {
  const example = fileURLToPath(new URL('../../../examples/rules.yaml', import.meta.url));
  const { code, out } = await impinge('check', plant, '--rules', example, '-o', folder(), '--json');
  expect(code).toBe(1);
  const empty = JSON.parse(out).stats.rules.filter(
    ({ ignore, a, b }: { ignore: boolean; a: number; b: number }) => !ignore && (a === 0 || b === 0),
  );
  expect(empty).toEqual([]);
});

test('a part of a side that finds nothing is told', async () => {
  const file = rules('rules: [{name: doors, a: {type: [IfcDoor, IfcDor]}, b: [{type: IfcWall}, "x/**"]}]');
  const { out } = await impinge('check', house, '--rules', file, '-o', folder());
  expect(out).toContain('  doors: no object has side a: type "IfcDor", side b: path "x/**"\n');
});

describe('presets', () => {
  test.each(['coordination', 'mep-structure', 'architecture', 'plant'])(
    '%s can be printed, and is a file of rules',
    async (name) => {
      const { out, code } = await impinge('check', '--preset', name, '--print');
      expect(code).toBe(0);
      const { rules: list } = parseRules(out, name, patternProblem);
      expect(list.length).toBeGreaterThan(4);
      expect(out).toContain(`--preset ${name} --print > rules.yaml`);
    },
  );

  test('the one for plants fits the plant that the command makes', async () => {
    const { out, code } = await impinge('check', plant, '--preset', 'plant', '-o', folder(), '--json');
    expect(code).toBe(1);
    for (const { a, b } of JSON.parse(out).stats.rules) expect(Math.min(a, b)).toBeGreaterThan(0);
  });

  test('one about what the model has not is an error, and so are two files of rules', async () => {
    const { err, code } = await impinge('check', house, '--preset', 'plant', '-o', folder());
    expect(code).toBe(2);
    expect(err).toMatch(/^impinge: preset plant:\d+:8: rule "piping and cables": side a selects no object/);
    const both = await impinge('check', house, '--preset', 'plant', '--rules', 'r.yaml');
    expect(both.err).toBe('impinge: --preset and --rules exclude each other\n');
    expect((await impinge('check', '--print')).err).toBe('impinge: --print: which --preset?\n');
  });
});

const duplexFile = fileURLToPath(
  new URL('../../../../shared/data/ifc/Duplex_A_20110907.ifc', import.meta.url),
);
describe.skipIf(!existsSync(duplexFile))('the duplex', () => {
  const duplex = join(files.folder, 'duplex.impinge');
  beforeAll(async () => {
    await impinge('pack', duplexFile, '-o', duplex);
  });

  test('no door or window clashes with its own wall', async () => {
    const [plain, all] = [folder(), folder()];
    const { out } = await impinge(
      ...['check', duplex, '-o', plain, '--formats', 'jsonl'],
      ...['--exclusions', 'openings,assemblies'],
    );
    expect(out).toContain(
      'left out, 36 pairs: a door or window, and the element with its opening (openings)',
    );
    expect(out).toContain('left out, 5 pairs: parts of one assembly (assemblies)');
    await impinge('check', duplex, '-o', all, '--formats', 'jsonl', '--exclusions', 'none');
    const kept = new Set(clashesIn(plain).map(({ id }) => id));
    const left = clashesIn(all).filter(({ id }) => !kept.has(id));
    expect(left.length).toBeGreaterThan(0);
    const own = left.filter(({ a, b }) => [a, b].some(({ type }) => /^Ifc(Door|Window)$/.test(type)));
    expect(left.length - own.length).toBeLessThanOrEqual(5);
  });

  test('the preset for architecture fits it', async () => {
    const { out } = await impinge('check', duplex, '--preset', 'architecture', '-o', folder(), '--json');
    for (const { a, b } of JSON.parse(out).stats.rules) expect(Math.min(a, b)).toBeGreaterThan(0);
  });
});
