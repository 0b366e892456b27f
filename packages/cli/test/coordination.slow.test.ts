/** docs/coordination.md, as it stands: its files of rules and decisions, and its commands one after the other. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { strFromU8, strToU8, unzipSync, zipSync } from 'fflate';
import { expect, test } from 'vitest';
import { temporaryFolder } from './files.js';
import { extruded, ifcHouse, rectangle } from './ifc-text.js';
import { clashesIn, type Ended, impinge } from './run-impinge.js';

const folder = temporaryFolder();
const at = (name: string) => join(folder, name);
const document = readFileSync(new URL('../../../docs/coordination.md', import.meta.url), 'utf8');

interface Block {
  readonly language: string;
  readonly text: string;
}

const blocks: Block[] = [...document.matchAll(/```(\w+)\n([\s\S]*?)```/g)].map(([, language, text]) => ({
  language,
  text,
}));
const commands = blocks.filter(({ language }) => language === 'sh').map(({ text }) => text.trim());

function element(
  entity: string,
  id: number,
  name: string,
  corner: readonly [number, number, number],
  size: string,
) {
  return extruded(id, name, corner, size).map((line) => line.replace('IFCBUILDINGELEMENTPROXY', entity));
}

const PROJECT = '0YvctVUKr0kugbFTf53O9L';

function house(entities: readonly string[]): string {
  return ifcHouse(entities).replace("'project'", `'${PROJECT}'`);
}

/** Four beams, and ducts through two and one of them. */
function writeModels(): void {
  const beam = (i: number) =>
    element('IFCBEAM', 200 + 10 * i, `beam ${i}`, [0, 2000 * i, 0], rectangle(6000, 300));
  const beams = [0, 1, 2, 3].flatMap(beam);
  writeFileSync(at('structure.ifc'), house(beams));
  // the same with other GUIDs
  writeFileSync(at('structure-2.ifc'), house(beams.map((line) => line.replace("'guid-", "'again-"))));
  const wall = element('IFCWALL', 300, 'wall', [5000, 3000, 0], rectangle(200, 8000));
  writeFileSync(at('architecture.ifc'), house(wall));
  const duct = (id: number, x: number, length: number) =>
    element('IFCDUCTSEGMENT', id, `duct ${id}`, [x, length / 2, 200], rectangle(400, length));
  writeFileSync(at('hvac-far.ifc'), house([...duct(400, 5_000_000, 3000), ...duct(410, 5_002_000, 1000)]));
  writeFileSync(at('hvac.ifc'), house([...duct(400, 0, 3000), ...duct(410, 2000, 1000)]));
  // the second duct is shorter now, and one has come that goes through the last beam
  const third = element('IFCDUCTSEGMENT', 420, 'duct 420', [1000, 6000, 200], rectangle(400, 1000));
  writeFileSync(at('hvac-2.ifc'), house([...duct(400, 0, 3000), ...duct(410, 8000, 1000), ...third]));
}

/** Runs a line of the document; names of files are meant in the test's folder. */
function run(line: string): Promise<Ended> {
  const words = line.replace(/\s+#.*$/, '').split(/\s+/);
  expect(words[0]).toBe('impinge');
  const isPlace = (word: string) => /\.(ifc|yaml|bcfzip)$|^week\d$|^ci$|^trial$/.test(word);
  return impinge(...words.slice(1).map((word) => (isPlace(word) ? at(word) : word)));
}

function writeYaml(file: string, change = (text: string) => text): void {
  const block = blocks.find(({ text }) => text.startsWith(`# ${file}\n`));
  expect(block, file).toBeDefined();
  writeFileSync(at(file), change(block!.text));
}

const clashes = (report: string) => clashesIn(at(report));

/** Answers a BCF file the way another tool does: every topic in progress, with somebody's name. */
function answered(bcf: Uint8Array): Uint8Array {
  const files = unzipSync(bcf);
  let topics = 0;
  for (const name of Object.keys(files).filter((file) => file.endsWith('markup.bcf'))) {
    const text = strFromU8(files[name]).replace(/TopicStatus="[^"]*"/, 'TopicStatus="In Progress"');
    expect(text).toContain(`IfcProject="${PROJECT}"`);
    files[name] = strToU8(text);
    topics++;
  }
  expect(topics).toBeGreaterThan(0);
  return zipSync(files);
}

test('the week runs as it is written', async () => {
  writeModels();
  writeYaml('rules.yaml');
  const [info, trial, preset, first, decided, meeting, next, ci] = commands;
  expect(commands).toHaveLength(8);

  expect((await run(info)).out).toMatch(/IfcDuctSegment +2/);
  const apart = await run(trial);
  expect(endsWith(trial)).toBe(apart.code);
  expect(apart.out).toContain('--place');

  expect((await run(preset)).out).toContain('matrix:');

  const monday = await run(first);
  expect(monday.err).toBe('');
  expect(endsWith(first)).toBe(monday.code);
  expect(monday.out).toContain('3 clashes in 2 issues');

  const approved = clashes('week1')[0].id;
  writeYaml('week1/review.yaml', (text) => text.replace('4f0c2a91d3b87e65', `"${approved}"`));
  const tuesday = await run(decided);
  expect(endsWith(decided)).toBe(tuesday.code);
  expect(tuesday.out).toContain('2 clashes');
  expect(tuesday.out).toContain('1 approved: listed, but not counted');

  const documents = await run(meeting);
  expect(endsWith(meeting)).toBe(documents.code);
  expect(Object.keys(unzipSync(readFileSync(at('week1/clashes.xlsx'))))).toContain('xl/workbook.xml');
  expect(readFileSync(at('week1/clashes.pdf')).subarray(0, 5).toString()).toBe('%PDF-');

  writeFileSync(at('answers.bcfzip'), answered(readFileSync(at('week1/clashes.bcfzip'))));
  const friday = await run(next);
  expect(endsWith(next)).toBe(friday.code);
  expect(friday.out).toContain(
    'since the baseline: 1 new, 0 persisting, 1 renamed (the ids of their objects have changed), 1 resolved',
  );
  const kept = clashes('week2');
  const renamed = kept.filter(({ status }) => status === 'renamed');
  expect(renamed).toHaveLength(2);
  const isApproved = ({ formerIds }: { formerIds: string[] }) => formerIds.includes(approved);
  expect(renamed.find(isApproved).review.status).toBe('approved');
  expect(renamed.find((one) => !isApproved(one)).review.status).toBe('active');

  const later = await run(ci);
  expect(later.out).toContain('persisting');
  expect(endsWith(ci)).toBe(later.code);
  expect(readFileSync(at('ci/clashes.junit.xml'), 'utf8')).toContain('<testsuite');
  expect(JSON.parse(readFileSync(at('ci/clashes.sarif'), 'utf8')).runs).toHaveLength(1);
});

function endsWith(command: string): number {
  return Number(/# ends with (\d)$/.exec(command)?.[1] ?? NaN);
}
