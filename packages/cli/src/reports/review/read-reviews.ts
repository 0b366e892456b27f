/** All decisions of a check: those of its folder or of the baseline, and those named on the command line. */
import { extname } from 'node:path';
import { CommandError } from '../../command-error.js';
import { topicGuid } from '../bcf/topic.js';
import type { ReportClash } from '../report-data.js';
import { topicChanges } from './apply-topic.js';
import { type ImportedTopic, readBcf } from './bcf-import.js';
import { type Decision, mergedReviews, type Review } from './decision.js';
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

export interface MergedReviews {
  readonly decisions: Review;
  /** By their ids of now: the ids under which decisions about renamed clashes were kept. */
  readonly moved: ReadonlyMap<string, string>;
  /** The number of topics without a known clash. */
  readonly strangers: number;
}

/** All decisions merged, by the ids that clashes have now. */
export function decisionsFor(
  { kept, named }: GivenReviews,
  clashes: readonly ReportClash[],
  baseline: readonly ReportClash[],
): MergedReviews {
  const present = new Set(clashes.map(({ id }) => id));
  const idNow = new Map(
    clashes.flatMap(({ id, formerIds }) =>
      formerIds.filter((one) => !present.has(one)).map((one) => [one, id]),
    ),
  );
  const moved = new Map([...kept.keys()].flatMap((id) => (idNow.has(id) ? [[idNow.get(id)!, id]] : [])));
  let known: ReadonlyMap<string, readonly string[]> | undefined;
  let decisions = mergedReviews(renamed(kept, idNow), new Map());
  let strangers = 0;
  for (const one of named) {
    if (one instanceof Map) {
      decisions = mergedReviews(decisions, renamed(one, idNow));
      continue;
    }
    for (const topic of one as readonly ImportedTopic[]) {
      // a topic applies to the clashes it had when exported; nobody has reviewed later ones of its issue
      known ??= clashesByTopic(baseline.length > 0 ? baseline : clashes, (id) =>
        decisions.get(idNow.get(id) ?? id),
      );
      const isNamed = topic.exports.some((one) => one.clashes.length > 0);
      const exports = isNamed
        ? topic.exports
        : [{ state: topic.exports[0].state, clashes: known.get(topic.guid) ?? [] }];
      if (exports.every((one) => one.clashes.length === 0)) strangers++;
      for (const { state, clashes: ids } of exports) {
        const here = [...new Set(ids.map((id) => idNow.get(id) ?? id))].filter((id) => present.has(id));
        for (const [id, one] of topicChanges(topic.decision, state, here, decisions)) decisions.set(id, one);
      }
    }
  }
  return { decisions, moved, strangers };
}

/** Decisions by the ids of now; where there are two about one clash, that under its own id. */
function renamed(review: Review, idNow: ReadonlyMap<string, string>): Review {
  const entries = [...review].map(([id, decision]) => ({ id, now: idNow.get(id) ?? id, decision }));
  return new Map(
    entries
      .filter(({ id, now }) => id === now || !review.has(now))
      .map(({ now, decision }) => [now, decision] as const),
  );
}

/** The clashes of topics without a description: as in an export, approved ones only if an issue has no others. */
function clashesByTopic(
  clashes: readonly ReportClash[],
  decisionOf: (id: string) => Decision | undefined,
): Map<string, readonly string[]> {
  const issues = new Map<string, { readonly open: string[]; readonly approved: string[] }>();
  for (const { id, group } of clashes) {
    let issue = issues.get(group);
    if (issue === undefined) issues.set(group, (issue = { open: [], approved: [] }));
    issue[decisionOf(id)?.status === 'approved' ? 'approved' : 'open'].push(id);
  }
  return new Map(
    [...issues].map(([id, { open, approved }]) => [topicGuid({ id }), open.length > 0 ? open : approved]),
  );
}
