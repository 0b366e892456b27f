/** Weeks of decisions: by hand, through BCF, on to the next revision of a model; ids that last. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from './files.js';
import { ifcHouse } from './ifc-text.js';
import { boxesObj, impinge, clashesIn as linesOf } from './run-impinge.js';

const folder = temporaryFolder();
const at = (...names: string[]) => join(folder, ...names);

const clashesIn = (report: string) => linesOf(at(report));

const check = (model: string, report: string, ...options: string[]) =>
  impinge('check', at(model), '-o', at(report), ...options);

test('decisions last through weeks and leave the counts, and BCF brings back those of others', async () => {
  const bar = (name: string, x: number, z = 0) => [name, [x, x + 0.2], [-1, 1], [z, z + 0.2]] as const;
  const wall = ['wall', [0, 9], [-0.1, 0.1], [-1, 1]] as const;
  writeFileSync(at('one.obj'), boxesObj(wall, bar('p', 1), bar('q', 3), bar('r', 5)));
  const first = await check('one.obj', 'week1');
  expect({ code: first.code, out: first.out }).toMatchObject({
    code: 1,
    out: expect.stringContaining('3 clashes in 1 issue'),
  });
  const idOf = (name: string) =>
    clashesIn('week1').find(({ a, b }) => a.name === name || b.name === name)!.id;
  const [p, q] = ['p', 'q'].map(idOf);
  writeFileSync(at('week1', 'review.yaml'), `clashes:\n  ${p}: { status: approved, comment: sleeve }\n`);

  // the same again, with a decision
  const again = await check('one.obj', 'week1');
  expect(again.out).toContain('2 clashes in 1 issue');
  expect(again.out).toContain('1 approved: listed, but not counted');
  expect(clashesIn('week1')).toHaveLength(3);

  // another tool closes the issue of what was open
  const bcf = readFileSync(at('week1', 'clashes.bcfzip'));
  writeFileSync(at('open.bcfzip'), bcf);

  // next week: q is moved, r is gone, s is new
  writeFileSync(at('two.obj'), boxesObj(wall, bar('p', 1.1), bar('q', 3, 0.3), bar('s', 7)));
  const second = await check('two.obj', 'week2', '--baseline', at('week1'), '--review', at('open.bcfzip'));
  expect(second.out).toContain('since the baseline: 1 new, 1 persisting, 1 resolved');
  expect(second.out).toContain('1 approved');
  expect(second.code).toBe(1);
  expect(readFileSync(at('week2', 'review.yaml'), 'utf8')).toContain('comment: sleeve');
  const kept = new Map(clashesIn('week2').map((one) => [one.id, one]));
  expect(kept.get(p)?.review?.status).toBe('approved');
  expect(kept.get(q)?.status).toBe('persisting');

  // everything is approved
  const all = clashesIn('week2').map(({ id }) => `  "${id}": { status: approved }\n`);
  writeFileSync(at('all.yaml'), `clashes:\n${all.join('')}`);
  const third = await check('two.obj', 'week3', '--baseline', at('week2'), '--review', at('all.yaml'));
  expect(third.code).toBe(0);
  expect(third.out).toContain('No clashes');
  const summary = await check('two.obj', 'week3', '--baseline', at('week2'), '--json');
  expect(JSON.parse(summary.out)).toMatchObject({ clashes: 0, approved: 3, new: 0, resolved: 0 });
});

test('what is marked as resolved and found again is resolved, still there: the same in all reports', async () => {
  const wall = ['wall', [0, 9], [-0.1, 0.1], [-1, 1]] as const;
  const bar = (x: number) => [`bar ${x}`, [x, x + 0.2], [-1, 1], [0, 0.2]] as const;
  writeFileSync(at('claimed.obj'), boxesObj(wall, bar(1), bar(3), bar(5)));
  const formats = ['--formats', 'jsonl,html,bcf,junit,sarif'];
  await check('claimed.obj', 'claimed', ...formats);
  const [first, second] = clashesIn('claimed').map(({ id }) => id);
  const decided = [first, second].map((id) => `  "${id}": { status: resolved, assignee: ann }\n`);
  writeFileSync(at('claimed', 'review.yaml'), `clashes:\n${decided.join('')}`);
  const { out, code } = await check('claimed.obj', 'claimed', ...formats);
  expect(code).toBe(1);
  expect(out).toMatch(/3 clashes[\s\S]*\n {2}2 resolved, still there\n( {4}hard.*ann\n){2}/);
  const texts = ['report.html', 'clashes.junit.xml', 'clashes.sarif'].map((name) =>
    readFileSync(at('claimed', name), 'utf8'),
  );
  expect(texts[0]).toContain('aria-pressed="false"><b>2</b><span>resolved, still there</span>');
  for (const text of texts.slice(1)) expect(text.split('resolved, still there')).toHaveLength(3);
  const summary = JSON.parse((await check('claimed.obj', 'claimed', '--json')).out);
  expect(summary).toMatchObject({ clashes: 3, stillThere: 2 });
});

test('--fail-on says which clashes the exit code is about', async () => {
  const wall = ['wall', [0, 9], [-0.1, 0.1], [-1, 1]] as const;
  const bar = (x: number) => [`bar ${x}`, [x, x + 0.2], [-1, 1], [0, 0.2]] as const;
  writeFileSync(at('known.obj'), boxesObj(wall, bar(1)));
  writeFileSync(at('more.obj'), boxesObj(wall, bar(1), bar(3)));
  const code = async (model: string, report: string, ...options: string[]) =>
    (await check(model, report, '--formats', 'jsonl', ...options)).code;
  expect(await code('known.obj', 'known', '--fail-on', 'new')).toBe(1); // nothing to compare with
  expect(await code('known.obj', 'known', '--fail-on', 'never')).toBe(0);
  const baseline = ['--baseline', at('known')];
  expect(await code('known.obj', 'same', ...baseline, '--fail-on', 'new')).toBe(0);
  expect(await code('known.obj', 'same', ...baseline)).toBe(1);
  expect(await code('more.obj', 'more', ...baseline, '--fail-on', 'new')).toBe(1);
  expect(existsSync(at('more', 'review.yaml'))).toBe(false);
});

test('a mistake in a review comes before the work', async () => {
  writeFileSync(at('broken.yaml'), 'clashes:\n  x: { status: maybe }\n');
  const { code, err } = await check('known.obj', 'broken', '--review', at('broken.yaml'));
  expect(code).toBe(2);
  expect(err).toContain('broken.yaml:2:16: status: expected one of new, active');
  expect(existsSync(at('broken'))).toBe(false);
});

test('clashes keep their ids in an IFC file that is exported again, with other numbers and small moves', async () => {
  const placement = (id: number, x: number) => [
    `#${id}=IFCCARTESIANPOINT((${x.toFixed(1)},0.,0.));`,
    `#${id + 1}=IFCAXIS2PLACEMENT3D(#${id},$,$);`,
    `#${id + 2}=IFCLOCALPLACEMENT($,#${id + 1});`,
  ];
  const wall = (id: number, guid: string, place: number) =>
    `#${id}=IFCWALL('${guid}',$,'${guid} ${id}',$,$,#${place},#36,$,$);`;
  const [one, two] = ['0DWgwt6o1FOx7466fPk$jl', '3cUkl32yn9qRSPvBJVyWYp'];
  writeFileSync(
    at('monday.ifc'),
    ifcHouse([...placement(50, 0), ...placement(60, 900), wall(70, one, 52), wall(71, two, 62)]),
  );
  // the other way round, renumbered, renamed, and 12 mm aside
  writeFileSync(
    at('tuesday.ifc'),
    ifcHouse([...placement(250, 912), ...placement(160, 0), wall(80, two, 252), wall(91, one, 162)]),
  );
  await check('monday.ifc', 'monday', '--formats', 'jsonl');
  const [before] = clashesIn('monday');
  const { out } = await check('tuesday.ifc', 'tuesday', '--baseline', at('monday'), '--formats', 'jsonl');
  expect(out).toContain('0 new, 1 persisting, 0 resolved');
  const [after] = clashesIn('tuesday');
  expect(after.id).toBe(before.id);
  expect(after.since).toBe(before.since);
});

test('clashes are in cells of the grid of an IFC file, and are grouped by these', async () => {
  const axis = (id: number, tag: string, x0: number, y0: number, x1: number, y1: number) => [
    `#${id}=IFCCARTESIANPOINT((${x0}.,${y0}.));`,
    `#${id + 1}=IFCCARTESIANPOINT((${x1}.,${y1}.));`,
    `#${id + 2}=IFCPOLYLINE((#${id},#${id + 1}));`,
    `#${id + 3}=IFCGRIDAXIS('${tag}',#${id + 2},.T.);`,
  ];
  const wall = (id: number, x: number, y: number) => [
    `#${id}=IFCCARTESIANPOINT((${x.toFixed(1)},${y.toFixed(1)},0.));`,
    `#${id + 1}=IFCAXIS2PLACEMENT3D(#${id},$,$);`,
    `#${id + 2}=IFCLOCALPLACEMENT($,#${id + 1});`,
    `#${id + 3}=IFCWALL('wall${id}',$,'wall ${id}',$,$,#${id + 2},#36,$,$);`,
  ];
  writeFileSync(
    at('grid.ifc'),
    ifcHouse([
      ...axis(100, 'A', 0, 0, 9000, 0),
      ...axis(110, 'B', 0, 6000, 9000, 6000),
      ...axis(120, 'C', 0, 12000, 9000, 12000),
      ...axis(130, '1', 0, 0, 0, 9000),
      ...axis(140, '2', 9000, 0, 9000, 9000),
      '#150=IFCCARTESIANPOINT((0.,1000.,0.));',
      '#151=IFCAXIS2PLACEMENT3D(#150,$,$);',
      '#152=IFCLOCALPLACEMENT($,#151);',
      "#153=IFCGRID('grid',$,$,$,$,#152,$,(#103,#113,#123),(#133,#143),$,$);",
      // pairs in A–B, and two of them in B–C
      ...wall(200, 2000, 3000),
      ...wall(210, 3000, 3040),
      ...wall(220, 2000, 9000),
      ...wall(230, 3000, 9040),
      ...wall(240, 6000, 11000),
      ...wall(250, 7000, 11040),
    ]),
  );
  const { out } = await check('grid.ifc', 'grid', '--group-by', 'grid', '--formats', 'jsonl,csv,bcf');
  expect(out).toContain('3 clashes in 2 issues');
  expect(
    clashesIn('grid')
      .map(({ grid }) => grid)
      .sort(),
  ).toEqual(['A–B / 1–2', 'B–C / 1–2', 'B–C / 1–2']);
});
