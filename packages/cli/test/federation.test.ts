/**
 * What a check says about its files and rules before anybody trusts it: files out of place, in other units, not read.
 */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { full, runs } from '../../../test/budget.js';
import { parsePlace } from '../src/asked-files.js';
import { type Box, distanceBoxBox } from '../src/box.js';
import { boxOfAll, type FileExtent, longestSide } from '../src/federation/file-extents.js';
import { ruleFindings } from '../src/federation/findings.js';
import { farFindings } from '../src/federation/places.js';
import { unitFindings } from '../src/federation/units.js';
import type { Finding } from '../src/wire/finding.js';
import { Files } from './files.js';
import { junitFaults } from './junit-structure.js';
import { childrenOf, parseXml } from './reports-bcf-schema.js';
import { boxesObj, impinge, type NamedBox } from './run-impinge.js';

const files = new Files();
const SEED = 31;

/** Boxes as an OBJ file, each an object: where its least corner is, and its size. */
function obj(name: string, boxes: readonly (readonly number[])[], folder = ''): string {
  const list = boxes.map(
    ([x, y, z, w, d, h], i): NamedBox => [`part${i}`, [x, x + w], [y, y + d], [z, z + h]],
  );
  return files.write(join(folder, name), boxesObj(...list));
}

const WALLS = [0, 1, 2, 3].map((i) => [3 * i, 0, 0, 0.3, 5, 3]);
const BEAMS = [0, 1, 2, 3].map((i) => [3 * i - 0.5, 2, 2, 1.5, 0.2, 0.2]);
const moved = (boxes: readonly number[][], dx: number, dy: number) =>
  boxes.map(([x, y, ...rest]) => [x + dx, y + dy, ...rest]);

function folderOf(name: string): string {
  const path = join(files.folder, name);
  mkdirSync(path, { recursive: true });
  return path;
}

describe('a check that cannot find anything', () => {
  full('steel in national coordinates is red everywhere, and is put right by what is said', async () => {
    const masonry = obj('masonry.obj', WALLS);
    const steel = obj('steel.obj', moved(BEAMS, 155_000, 463_000));
    const output = folderOf('far');
    const formats = ['--formats', 'jsonl,html,junit,sarif'];
    const checked = await impinge('check', masonry, steel, '-o', output, ...formats);
    expect(checked.out).toContain('▌ red: far from the others\n▌ steel.obj is 488 km from masonry.obj\n');
    expect(checked.out).toContain('No clashes found, but 1 finding above is red\n');
    expect(checked.code).toBe(0);
    expect((await impinge('check', masonry, steel, '-o', output, ...formats, '--strict')).code).toBe(3);

    const html = readFileSync(join(output, 'report.html'), 'utf8');
    expect(html).toContain('<section class="findings red">');
    expect(html).toContain('steel.obj is 488 km from masonry.obj');
    expect(html).not.toContain('<h2>No clashes</h2>');
    const junit = parseXml(readFileSync(join(output, 'clashes.junit.xml'), 'utf8'));
    expect(junitFaults(junit)).toEqual([]);
    expect(junit.attributes['failures']).toBe('1');
    const failures = childrenOf(junit, 'testsuite', 'testcase', 'failure').map((one) => one.attributes);
    expect(failures).toMatchObject([{ type: 'far', message: expect.stringContaining('488 km') }]);
    const [run] = JSON.parse(readFileSync(join(output, 'clashes.sarif'), 'utf8')).runs;
    const [said, ...others] = run.invocations[0].toolConfigurationNotifications;
    expect(said).toMatchObject({ level: 'error', descriptor: { id: 'far' } });
    expect(run.tool.driver.notifications[said.descriptor.index].id).toBe('far');
    expect(others).toMatchObject([{ level: 'warning', descriptor: { id: 'idle' } }]);
    const record = JSON.parse(readFileSync(join(output, 'report.json'), 'utf8'));
    expect(record.run.findings.map(({ kind }: Finding) => kind)).toEqual(['far', 'idle']);

    const [, place] = /--place "([^"]*)"/.exec(checked.out)!;
    const right = await impinge(
      'check',
      masonry,
      steel,
      '-o',
      output,
      '--place',
      place,
      '--json',
      '--strict',
    );
    expect(JSON.parse(right.out)).toMatchObject({ clashes: 4, findings: [] });
    expect(right.code).toBe(1);
  });

  full('a pump in millimetres is red, and is put right by what is said', async () => {
    const masonry = obj('masonry.obj', WALLS);
    const pump = obj(
      'pump.obj',
      WALLS.map(([x]) => [1000 * x - 100, 1000, 500, 400, 800, 300]),
    );
    const output = folderOf('unit');
    const wrong = await impinge('check', masonry, pump, '-o', output, '--formats', 'jsonl', '--strict');
    expect(wrong.out).toContain('▌ red: in another unit\n▌ pump.obj is 9400 m long');
    expect(wrong.code).toBe(3);
    const [, unit] = /--unit "([^"]*)"/.exec(wrong.out)!;
    expect(unit).toBe('pump.obj: mm');
    const right = await impinge('check', masonry, pump, '-o', output, '--unit', unit, '--json', '--strict');
    expect(JSON.parse(right.out)).toMatchObject({ clashes: 4, findings: [] });
  });

  full('models of other formats in a folder are named, and so are files without geometry', async () => {
    const folder = folderOf('mixed');
    obj('masonry.obj', WALLS, 'mixed');
    obj('steel.obj', BEAMS, 'mixed');
    for (const name of ['hvac.nwd', 'plan.dwg', 'all.ifcxml', 'notes.pdf'])
      writeFileSync(join(folder, name), 'x');
    // what cannot be compared is left out, which leaves nothing of this one
    obj('nothing.obj', [[1e20, 0, 0, 1e19, 1, 1]], 'mixed');
    const output = join(files.folder, 'mixed-out');
    const { out, code } = await impinge('check', folder, '-o', output, '--json', '--strict');
    expect(code).toBe(3);
    const { findings, clashes } = JSON.parse(out);
    expect(clashes).toBe(4);
    expect(findings).toMatchObject([
      { kind: 'empty', severity: 'red', files: ['nothing.obj'] },
      { kind: 'skipped', severity: 'red' },
    ]);
    expect(findings[1].files).toEqual(
      ['all.ifcxml', 'hvac.nwd', 'plan.dwg'].map((name) => join(folder, name)),
    );
    // who names files means these
    const named = await impinge(
      'check',
      join(folder, '{masonry,steel}.obj'),
      '-o',
      output,
      '--json',
      '--strict',
    );
    expect([named.code, JSON.parse(named.out).findings]).toEqual([1, []]);
    const packed = await impinge('pack', folder, '-o', join(files.folder, 'mixed.impinge'));
    expect(packed.out).toContain('▌ red: not read\n▌ 3 files in the folders given were not read');
  });
});

const seven = { objectCount: 7, lacksTypes: false, isOptional: () => false };

test('a rule that has objects and nothing near is told from one that leaves its pairs out', () => {
  const rule = { name: 'r', ignore: false, a: 3, b: 4, pairs: 0, excluded: 0, unmatched: [] };
  expect(ruleFindings({ rules: [rule] }, seven)).toMatchObject([{ kind: 'idle', severity: 'amber' }]);
  for (const other of [{ pairs: 1 }, { excluded: 1 }, { a: 0 }, { ignore: true }])
    expect(ruleFindings({ rules: [{ ...rule, ...other }] }, seven)).toEqual([]);
  expect(ruleFindings({ rules: [rule] }, { ...seven, objectCount: 1 })).toEqual([]);
  const many = ruleFindings({ rules: ['p', 'q', 'r', 's'].map((name) => ({ ...rule, name })) }, seven);
  expect(many.map(({ message }) => message)).toEqual([
    '4 rules have objects of which no two are near each other: "p", "q", "r", "s"',
  ]);
  // one that may select nothing may have nothing to compare, unless no rule has
  const optional = { ...seven, isOptional: (index: number) => index === 1 };
  expect(ruleFindings({ rules: [{ ...rule, pairs: 1 }, rule] }, optional)).toEqual([]);
  expect(ruleFindings({ rules: [{ ...rule, pairs: 1 }, rule, rule] }, optional)).toHaveLength(1);
  expect(ruleFindings({ rules: [rule, rule] }, optional)).toHaveLength(2);
});

test('rules by type of a model without types are red, not green', () => {
  const rule = { name: 'r', ignore: false, a: 3, b: 4, pairs: 2, excluded: 0, unmatched: [] };
  const rules = [{ ...rule, a: 0 }, rule];
  expect(ruleFindings({ rules }, seven)).toEqual([]);
  expect(ruleFindings({ rules: [rule] }, { ...seven, lacksTypes: true })).toEqual([]);
  expect(ruleFindings({ rules }, { ...seven, lacksTypes: true })).toMatchObject([
    { severity: 'red', message: 'rules select by type, and no object has one: 1 of 2 rules select nothing' },
  ]);
});

/** A file as a box in metres; `stated`: it says its unit. */
function file(name: string, box: readonly number[], stated: boolean, place?: readonly number[]): FileExtent {
  const extent = longestSide(Float64Array.from(box));
  const source = {
    ...{ name, byteLength: 1, modified: '', objects: 1, triangles: 12 },
    ...{ unit: { metres: 1, stated }, ...(place && { place }) },
  };
  return {
    ...{ name, source, objects: 1, box: Float64Array.from(box), extent },
    largest: { name: 'part', extent },
  };
}

/** Files of one building, here or in survey coordinates: each reaches through a good part of it. */
const building = fc
  .record({
    at: fc.tuple(
      fc.constantFrom(0, 155_000, -20_000),
      fc.constantFrom(0, 463_000, 5000),
      fc.integer({ min: -50, max: 500 }),
    ),
    size: fc.integer({ min: 8, max: 200 }),
    parts: fc.array(
      fc.record({
        low: fc.tuple(...[0, 1, 2].map(() => fc.double({ min: 0, max: 0.4, noNaN: true }))),
        high: fc.tuple(...[0, 1, 2].map(() => fc.double({ min: 0.5, max: 1, noNaN: true }))),
        stated: fc.boolean(),
      }),
      { minLength: 2, maxLength: 7 },
    ),
  })
  .map(({ at, size, parts }) =>
    parts.map(({ low, high, stated }, i) =>
      file(
        `f${i}`,
        [...low.map((x, k) => at[k] + x * size), ...high.map((x, k) => at[k] + x * size)],
        stated,
      ),
    ),
  );

const told = (all: readonly FileExtent[]) => [...unitFindings(all), ...farFindings(all)];
const options = { seed: SEED, numRuns: runs(300) };

describe(`files of one building (seed ${SEED})`, () => {
  test('have nothing said about them', () => {
    fc.assert(
      fc.property(building, (all) => {
        expect(told(all)).toEqual([]);
      }),
      options,
    );
  });

  test('one that is moved far away is the one that is told, with a place that brings it back', () => {
    const far = fc.tuple(
      fc.integer({ min: 20, max: 2000 }),
      fc.nat(6),
      fc.double({ min: 0, max: 6.28, noNaN: true }),
    );
    fc.assert(
      fc.property(building, far, (all, [times, which, angle]) => {
        const strayed = all[which % all.length];
        const away = 1000 + times * longestSide(boxOfAll(all));
        const by = [away * Math.cos(angle), away * Math.sin(angle), 0];
        const box = strayed.box.map((x, i) => x + by[i % 3]);
        const now = all.map((one) => (one === strayed ? file(one.name, [...box], true) : one));
        const [finding, ...more] = farFindings(now);
        expect(more).toEqual([]);
        expect(finding).toMatchObject({ kind: 'far', severity: 'red' });
        // of two, nobody knows which one is wrong
        if (all.length > 2) expect(finding.files).toEqual([strayed.name]);
        const back = now.map((one) => (finding.files.includes(one.name) ? placed(one, finding) : one));
        expect(farFindings(back)).toEqual([]);
        // whatever their order
        const reversed = farFindings([...now].reverse());
        if (all.length > 2) expect(reversed).toMatchObject([{ files: finding.files, severity: 'red' }]);
      }),
      options,
    );
  });

  test('one whose numbers are millimetres, and who does not say so, is the one that is told', () => {
    const near = building.filter((all) => Math.abs(all[0].box[0]) < 1000 && Math.abs(all[0].box[1]) < 1000);
    fc.assert(
      fc.property(near, fc.nat(6), (all, which) => {
        const wrong = all[which % all.length];
        const now = all.map((one) =>
          file(one.name, one === wrong ? [...one.box].map((x) => 1000 * x) : [...one.box], one !== wrong),
        );
        expect(unitFindings(now)).toMatchObject([
          { kind: 'unit', files: [wrong.name], suggestion: expect.stringContaining(`"${wrong.name}: mm"`) },
        ]);
      }),
      options,
    );
  });
});

/** The file as --place puts it. */
function placed(one: FileExtent, { suggestion }: Finding): FileExtent {
  const text = [...suggestion.matchAll(/--place "([^:]*): ([^"]*)"/g)].find(
    ([, name]) => name === one.name,
  )![2];
  const pose = parsePlace(text, '--place');
  const box: Box = one.box.map((x, i) => x + pose[9 + (i % 3)]);
  return { ...one, box };
}

test('what is placed already is placed from where its own origin is', () => {
  const place = [0, -1, 0, 1, 0, 0, 0, 0, 1, 500_000, 10, 0];
  const all = [
    file('a', [0, 0, 0, 10, 10, 3], true),
    file('b', [1, 1, 0, 9, 9, 3], true),
    file('c', [500_000, 0, 0, 500_008, 9, 3], true, place),
  ];
  const [{ suggestion, files: names }] = farFindings(all);
  expect(names).toEqual(['c']);
  const [, text] = /"c: ([^"]*)"/.exec(suggestion)!;
  const pose = parsePlace(text, '--place');
  expect(pose.slice(0, 9)).toEqual(place.slice(0, 9));
  expect(Math.abs(pose[9])).toBeLessThan(10);
  expect(pose.slice(10)).toEqual([10, 0]);
});

test('the ground around a building, and small parts in their place, are as they should be', () => {
  const house = file('house', [0, 0, 0, 20, 20, 9], true);
  const ground = file('ground', [-400, -400, -5, 400, 400, 4], false);
  expect(told([house, ground]).filter(({ severity }) => severity === 'red')).toEqual([]);
  expect(told([house, file('road', [-900, 10, -1, 900, 18, 0], true)])).toEqual([]);
  expect(told([house, file('bolt', [12, 7, 3, 12.02, 7.02, 3.05], false)])).toEqual([]);
  const next = file('next', [60, 0, 0, 80, 20, 9], true);
  expect(told([house, next])).toEqual([]);
  expect(distanceBoxBox(house.box, next.box)).toBe(40);
});
