/** All decisions that a check knows of: those of its folder, or of the baseline, and those named besides. */
import { extname } from 'node:path';
import { CommandError } from '../../command-error.js';
import { topicGuid } from '../bcf/topic.js';
import type { ReportClash } from '../report-data.js';
import { escapeMarkup } from '../text.js';
import { type ImportedTopic, readBcf } from './bcf-import.js';
import { type Decision, mergedReviews, type Review } from './decision.js';
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
    const imported = new Map<string, Decision>();
    for (const { guid, clashes: listed, decision } of one as readonly ImportedTopic[]) {
      // a topic is about the clashes it had when it was written; a new one of its issue has not been seen by anybody
      known ??= clashesByTopic(baseline.length > 0 ? baseline : clashes);
      const ids = listed.length > 0 ? listed : (known.get(guid) ?? []);
      if (ids.length === 0) strangers++;
      for (const id of ids) if (present.has(id)) imported.set(id, withoutEchoes(decision, decisions.get(id)));
    }
    decisions = mergedReviews(decisions, imported);
  }
  return { decisions, strangers };
}

/** Tools that escape what is escaped already return other texts: what they made of a comment that is known says nothing new. */
function withoutEchoes(decision: Decision, known: Decision | undefined): Decision {
  if (!known || known.comments.length === 0) return decision;
  const echoes = new Set(known.comments.map(({ text }) => escapeMarkup(text)));
  return { ...decision, comments: decision.comments.filter(({ text }) => !echoes.has(text)) };
}

function clashesByTopic(clashes: readonly ReportClash[]): Map<string, string[]> {
  const topics = new Map<string, string[]>();
  const guids = new Map<string, string>();
  for (const { id, group } of clashes) {
    let guid = guids.get(group);
    if (guid === undefined) guids.set(group, (guid = topicGuid({ id: group })));
    const own = topics.get(guid);
    if (own) own.push(id);
    else topics.set(guid, [id]);
  }
  return topics;
}
