/** All decisions that a check knows of: those of its folder, or of the baseline, and those named besides. */
import { extname } from 'node:path';
import { CommandError } from '../../command-error.js';
import { topicGuid } from '../bcf/topic.js';
import type { ReportClash } from '../report-data.js';
import { topicChanges } from './apply-topic.js';
import { type ImportedTopic, readBcf } from './bcf-import.js';
import { mergedReviews, type Review } from './decision.js';
import { type ReviewFile, readFolderReview, readReview } from './review-file.js';

export interface GivenReviews {
  /** The file in the folder of the report. */
  readonly own: ReviewFile | undefined;
  /** What it says; without it, what the baseline's says. */
  readonly kept: Review;
  /** What was named on the command line, in that order. */
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

/** All decisions together, and how many topics are about none of the clashes. */
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
      // a topic is about the clashes it had when it was written; a new one of its issue has not been seen by anybody
      known ??= clashesByTopic(baseline.length > 0 ? baseline : clashes, decisions);
      const ids = topic.clashes.length > 0 ? topic.clashes : (known.get(topic.guid) ?? []);
      if (ids.length === 0) strangers++;
      const here = ids.filter((id) => present.has(id));
      for (const [id, decision] of topicChanges(topic, here, decisions)) decisions.set(id, decision);
    }
  }
  return { decisions, strangers };
}

/**
 * What topics without a description are about: as they are exported, approved clashes only where an issue has no
 * others.
 */
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
