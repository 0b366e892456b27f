/** BCF archives for tests: written by the command, and written again by another tool. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { strFromU8, strToU8, unzipSync, zipSync } from 'fflate';
import { issueView } from '../src/reports/bcf/bcf-view.js';
import type { BcfVersion } from '../src/reports/bcf/layout.js';
import { writeBcf } from '../src/reports/bcf/write-bcf.js';
import { issuesOf } from '../src/reports/issue-summary.js';
import type { ReportClash } from '../src/reports/report-data.js';
import type { Review } from '../src/reports/review/decision.js';
import { reviewClashes } from '../src/reports/review/review-clashes.js';
import { plainView } from '../src/reports/view.js';
import { reportInput } from './reports-clashes.js';

let archives = 0;

/** The path of an archive with these decisions. */
export async function exported(
  folder: string,
  clashes: readonly ReportClash[],
  review: Review,
  bcf: BcfVersion,
): Promise<string> {
  const reviewed = reviewClashes({ own: undefined, kept: review, named: [] }, clashes, []);
  const input = { ...reportInput(reviewed.clashes), approved: reviewed.approved };
  const path = join(folder, `${archives++}.bcfzip`);
  const parts: Uint8Array[] = [];
  await writeBcf(
    async (data) => void parts.push(Buffer.from(data)),
    input,
    issuesOf(input),
    bcf,
    (issue) => ({ view: issueView(issue, plainView(issue.box, input.model.box)), picture: undefined }),
  );
  writeFileSync(path, Buffer.concat(parts));
  return path;
}

/** Another tool: has read all topics and written them again in its own way. */
export function rewritten(path: string, change: (markup: string, topic: number) => string): string {
  const entries = unzipSync(new Uint8Array(readFileSync(path)));
  const names = Object.keys(entries).filter((name) => name.endsWith('markup.bcf'));
  names.forEach((name, i) => {
    entries[name] = strToU8(change(strFromU8(entries[name]), i));
  });
  const other = path.replace('.bcfzip', `-${archives++}.bcfzip`);
  // in another order
  writeFileSync(other, zipSync(Object.fromEntries(Object.entries(entries).reverse())));
  return other;
}

export const TAG = (name: string) => new RegExp(`<${name}(\\s[^>]*)?>[\\s\\S]*?</${name}>`, 'g');
