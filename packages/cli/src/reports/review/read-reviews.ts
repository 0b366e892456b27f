/** All decisions of a check: those of its folder or of the baseline, and those named on the command line. */
import { extname } from 'node:path';
import { CommandError } from '../../command-error.js';
import { topicGuid } from '../bcf/topic.js';
import type { ReportClash } from '../report-data.js';
import { topicChanges } from './apply-topic.js';
import { type ImportedTopic, readBcf } from './bcf-import.js';
import { mergedReviews, type Review } from './decision.js';
import { type ReviewFile, readFolderReview, readReview } from './review-file.js';

export interface GivenReviews {
  /** The file in the report's folder. */
  readonly own: ReviewFile | undefined;
  /** Its decisions; without it, those of the baseline. */
  readonly kept: Review;
  /** The files named on the command line, in order. */
  readonly named: readonly (Review | readonly ImportedTopic[])[];
}

export async function readReviews(
  output: string,
  baseline: string | undefined,
  named: readonly string[],
): Promise<GivenReviews> {
  const own = await readFolderReview(output);
  const earlier = own || baseline === undefined ? undefined : await readFolderReview(baseline);
  const files: (Review | readonly ImportedTopic[])[] = [];
  for (const path of named) files.push(await readNamed(path));
  return { own, kept: (own ?? earlier)?.decisions ?? new Map(), named: files };
}

async function readNamed(path: string): Promise<Review | readonly ImportedTopic[]> {
  const extension = extname(path).toLowerCase();
  if (['.bcfzip', '.bcf'].includes(extension)) return readBcf(path);
  if (['.yaml', '.yml', '.json'].includes(extension)) return (await readReview(path)).decisions;
  throw new CommandError(`${path}: --review takes .bcfzip, .bcf, .yaml, .yml and .json`);
}

/** All decisions merged, and the number of topics without a known clash. */
export function decisionsFor(
  { kept, named }: GivenReviews,
  clashes: readonly ReportClash[],
  baseline: readonly ReportClash[],
): { readonly decisions: Review; readonly strangers: number } {
  const present = new Set(clashes.map(({ id }) => id));
  let known: ReadonlyMap<string, readonly string[]> | undefined;
  let decisions = mergedReviews(kept, new Map());
  let strangers = 0;
  for (const one of named) {
    if (one instanceof Map) {
      decisions = mergedReviews(decisions, one);
      continue;
    }
    for (const topic of one as readonly ImportedTopic[]) {
      // a topic applies to the clashes it had when exported; nobody has reviewed later ones of its issue
      known ??= clashesByTopic(baseline.length > 0 ? baseline : clashes, decisions);
      const ids = topic.clashes.length > 0 ? topic.clashes : (known.get(topic.guid) ?? []);
      if (ids.length === 0) strangers++;
      const here = ids.filter((id) => present.has(id));
      for (const [id, decision] of topicChanges(topic, here, decisions)) decisions.set(id, decision);
    }
  }
  return { decisions, strangers };
}

/** The clashes of topics without a description: as in an export, approved ones only if an issue has no others. */
function clashesByTopic(clashes: readonly ReportClash[], decisions: Review): Map<string, readonly string[]> {
  const issues = new Map<string, { readonly open: string[]; readonly approved: string[] }>();
  for (const { id, group } of clashes) {
    let issue = issues.get(group);
    if (issue === undefined) issues.set(group, (issue = { open: [], approved: [] }));
    issue[decisions.get(id)?.status === 'approved' ? 'approved' : 'open'].push(id);
  }
  return new Map(
    [...issues].map(([id, { open, approved }]) => [topicGuid({ id }), open.length > 0 ? open : approved]),
  );
}
