/** Pages of reports for the tests: written to a folder of their own, and what they hold. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { compareWithBaseline } from '../src/reports/baseline.js';
import { groupClashes } from '../src/reports/group-clashes.js';
import { PainterHere } from '../src/reports/painter.js';
import type { ReportClash } from '../src/reports/report-data.js';
import { Scenery } from '../src/reports/scenery.js';
import { writeReports } from '../src/reports/write-reports.js';
import type { PageData } from '../src/wire/report.js';
import { temporaryFolder } from './files.js';
import { clash, DATE, grouped, plantClashes, plantObject, reportInput } from './reports-clashes.js';
import { cuboid, stored } from './stored-objects.js';

const root = temporaryFolder();

/** Writes report.html for these clashes; what is in it. */
export async function writtenPage(
  name: string,
  clashes: readonly ReportClash[],
  resolved?: readonly ReportClash[],
  scenery?: Scenery,
) {
  const plain = reportInput(clashes, ['html'], resolved);
  const input = { ...plain, scenery, painter: new PainterHere(plain.model.box, scenery) };
  const [path] = await writeReports(join(root, name), input);
  const html = readFileSync(path, 'utf8');
  const json = /<script type="application\/json" id="report-data">(.*?)<\/script>/s.exec(html)![1];
  return { path: path, html, data: JSON.parse(json) as PageData };
}

/** Clashes of this run beside those of an earlier one: new, known and resolved. */
export function withBaseline() {
  const all = plantClashes(400, 31);
  return compareWithBaseline(groupClashes(all.slice(50), DATE), grouped(all.slice(0, 300)));
}

/** A page with one clash whose objects are at hand: two beams that cross. */
export async function crossedPage(name: string) {
  const [a, b] = [plantObject(0, 1, 1), plantObject(1, 1, 1)];
  const model = await stored([
    [cuboid([0, 9.9, 4.9], [20, 10.1, 5.1]), a],
    [cuboid([9.95, 5, 4.95], [10.05, 15, 5.05]), b],
  ]);
  const clashes = grouped([clash({ a, b, depth: 0.1, point: [10, 10, 5] })]);
  return { ...(await writtenPage(name, clashes, undefined, new Scenery(model))), clashes };
}

const INJECTION = `"><img src=x onerror="document.title='owned'"></script><script>document.title='owned'</script><!--`;

/** Clashes whose every text tries to run a script. */
export function hostile(): ReportClash[] {
  const text = { id: INJECTION, name: INJECTION, path: INJECTION, type: INJECTION, file: INJECTION };
  const a = { ...plantObject(0, 1, 1), ...text, discipline: INJECTION, storey: INJECTION };
  return grouped([
    clash({ a, b: { ...plantObject(1, 1, 1), name: 'n'.repeat(100_000) }, rule: INJECTION }),
    ...plantClashes(30, 32),
  ]);
}
