/** Two revisions of a model in which objects have other ids, from files to reports. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { strFromU8, unzipSync } from 'fflate';
import { expect, test } from 'vitest';
import { alteredGlb, temporaryFolder } from './files.js';
import { extruded, ifcHouse, rectangle } from './ifc-text.js';
import { clashesIn, impinge, impingeJson } from './run-impinge.js';

const folder = temporaryFolder();
const at = (name: string) => join(folder, name);

interface Column {
  readonly guid: string;
  readonly name?: string;
  readonly tag?: string;
  readonly x?: number;
}

/** Columns of 300 × 300, and a beam through all places of them. */
function house(columns: readonly Column[]): string {
  const standing = columns.flatMap(({ guid, name = 'column', tag, x = 0 }, i) =>
    extruded(200 + 10 * i, name, [x, 0, 0], rectangle(300, 300)).map((line) =>
      line
        .replace('IFCBUILDINGELEMENTPROXY', 'IFCCOLUMN')
        .replace(/'guid-\d+'/, `'${guid}'`)
        .replace(/,\$,\$\);$/, `,${tag === undefined ? '$' : `'${tag}'`},$);`),
    ),
  );
  const beam = extruded(400, 'beam', [0, 0, 400], rectangle(9000, 100), 200).map((line) =>
    line.replace('IFCBUILDINGELEMENTPROXY', 'IFCBEAM').replace("'guid-400'", `'${GUID('b')}'`),
  );
  return ifcHouse([...standing, ...beam]);
}

const GUID = (letter: string) => `1${letter.repeat(21)}`;
const ELSEWHERE = { guid: GUID('e'), name: 'another', x: 3000 };

let runs = 0;

/** The statuses of the clashes of a week later, without the column elsewhere. */
async function weekLater(before: readonly Column[], after: readonly Column[]) {
  const [first, second] = ['first', 'second'].map((name) => at(`${name} ${runs++}`));
  writeFileSync(at('before.ifc'), house([...before, ELSEWHERE]));
  writeFileSync(at('after.ifc'), house([...after, ELSEWHERE]));
  await impinge('check', at('before.ifc'), '-o', first, '--kinds', 'hard,inside');
  const summary = await impingeJson(
    ...['check', at('after.ifc'), '-o', second, '--kinds', 'hard,inside', '--baseline', first],
  );
  const [was, is] = [first, second].map(clashesIn);
  expect(is.find(({ a, b }) => [a.name, b.name].includes('another')).status).toBe('persisting');
  const own = is.filter(({ a, b }) => ![a.name, b.name].includes('another'));
  const { new: fresh, renamed, resolved } = summary;
  return { first, second, was, own, counts: { fresh, renamed, resolved } };
}

test('a column with another GUID keeps its clash, decision and topic', async () => {
  const { first, second, was, own, counts } = await weekLater([{ guid: GUID('c') }], [{ guid: GUID('d') }]);
  expect(counts).toEqual({ fresh: 0, renamed: 1, resolved: 0 });
  const before = was.find(({ a, b }) => [a.id, b.id].includes(GUID('c')));
  expect(own).toMatchObject([{ status: 'renamed', formerIds: [before.id] }]);
  const topicsOf = (report: string) =>
    Object.entries(unzipSync(new Uint8Array(readFileSync(join(report, 'clashes.bcfzip')))))
      .filter(([name]) => name.endsWith('markup.bcf'))
      .map(([name, bytes]) => ({ topic: name.split('/')[0], text: strFromU8(bytes) }));
  expect(topicsOf(second).map(({ topic }) => topic)).toEqual(topicsOf(first).map(({ topic }) => topic));

  // decided, and answered by another tool, under the id of the first week
  writeFileSync(
    join(first, 'review.yaml'),
    `clashes:\n  "${before.id}": { status: reviewed, assignee: ann }\n`,
  );
  const again = ['check', at('after.ifc'), '-o', second, '--kinds', 'hard,inside', '--baseline', first];
  const archive = join(first, 'clashes.bcfzip');
  const out = await impinge(...again, '--formats', 'jsonl,csv,html', '--review', archive, '--fail-on', 'new');
  expect(out.code).toBe(0);
  expect(out.out).toContain(
    'since the baseline: 0 new, 1 persisting, 1 renamed (the ids of their objects have changed), 0 resolved',
  );
  const { id, review } = clashesIn(second).find(({ status }) => status === 'renamed');
  expect(review).toMatchObject({ status: 'reviewed', assignee: 'ann' });
  expect(readFileSync(join(second, 'review.yaml'), 'utf8')).toContain(id);
  expect(readFileSync(join(second, 'review.yaml'), 'utf8')).not.toContain(before.id);
  expect(readFileSync(join(second, 'clashes.csv'), 'utf8')).toMatch(new RegExp(`,${before.id}\r?\n`));
  expect(readFileSync(join(second, 'report.html'), 'utf8')).toContain(before.id);
});

test('a column that is elsewhere too is new; so are two that nothing tells apart', async () => {
  const moved = await weekLater([{ guid: GUID('c') }], [{ guid: GUID('d'), x: 50 }]);
  expect(moved.counts).toEqual({ fresh: 1, renamed: 0, resolved: 1 });
  const twins = await weekLater(
    ['c', 'd'].map((letter) => ({ guid: GUID(letter) })),
    ['f', 'g'].map((letter) => ({ guid: GUID(letter) })),
  );
  // the third clash is that of the columns with each other
  expect(twins.counts).toEqual({ fresh: 2, renamed: 0, resolved: 2 });
  const tagged = await weekLater(
    ['c', 'd'].map((letter, i) => ({ guid: GUID(letter), tag: `C${i}` })),
    ['f', 'g'].map((letter, i) => ({ guid: GUID(letter), tag: `C${i}` })),
  );
  expect(tagged.counts).toEqual({ fresh: 0, renamed: 2, resolved: 0 });
  expect(tagged.own.map(({ a, b }) => [a, b].find(({ tag }) => tag !== '').tag).sort()).toEqual(['C0', 'C1']);
});

test('nodes of glTF with other names are known by their places', async () => {
  const [first, second] = [at('glb 1'), at('glb 2')];
  const file = (...nodes: readonly (readonly [string, number])[]) =>
    alteredGlb(({ json }) => {
      json.nodes = nodes.map(([name, x]) => ({ name, mesh: 0, translation: [x, 0, 0] }));
      json.scenes = [{ nodes: nodes.map((_, i) => i) }];
    });
  writeFileSync(at('m.glb'), file(['slab', 0], ['post 1', 0.25], ['post 2', 9], ['rest', 9.25]));
  writeFileSync(at('n.glb'), file(['slab', 0], ['P-71', 0.25], ['P-72', 9.125], ['rest', 9.25]));
  await impinge('check', at('m.glb'), '-o', first);
  await impinge('check', at('n.glb'), '-o', second, '--baseline', first);
  const [was, is] = [first, second].map(clashesIn);
  const named = (of: typeof is, name: string) => of.find(({ a, b }) => [a.name, b.name].includes(name));
  expect(named(is, 'P-71')).toMatchObject({ status: 'renamed', formerIds: [named(was, 'post 1').id] });
  expect(named(is, 'P-72').status).toBe('new');
});
