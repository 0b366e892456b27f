/** Changes of a project's decisions: from pages, from programs, from files. All merge as the command does. */
import { isAsExported, remarkComments } from '@impinge/cli/internal/reports/bcf/remark.js';
import { topicChanges } from '@impinge/cli/internal/reports/review/apply-topic.js';
import type { ImportedTopic } from '@impinge/cli/internal/reports/review/bcf-import.js';
import { type Decision, type Review, UNDECIDED } from '@impinge/cli/internal/reports/review/decision.js';
import {
  type Changed,
  isSameComment,
  mergedChange,
} from '@impinge/cli/internal/reports/review/merge-change.js';
import { decisionsFor, type GivenReviews } from '@impinge/cli/internal/reports/review/read-reviews.js';
import { parseReview } from '@impinge/cli/internal/reports/review/review-file.js';
import { ARCHIVE_BYTES_MAX, importedTopics } from '@impinge/cli/internal/server/bcf-requests.js';
import type { RecordedReport } from '@impinge/cli/internal/server/recorded-report.js';
import { RequestError } from '@impinge/cli/internal/server/request-error.js';
import { cleanText } from '@impinge/cli/internal/wire/text.js';
import type { Run } from './api/schemas.js';
import { pictureType } from './bcf/viewpoints.js';
import { BYTES_MAX, textOf } from './request-body.js';
import type { ServiceParts } from './service-parts.js';
import type { DecisionAt, Decided as Known } from './state/decisions.js';

export type Decided = Known & { readonly changed: readonly string[] };

/** Comments of a page keep the time at which they were written if it is at most so long ago. */
const WRITTEN_MS = 3600_000;

const GUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
/** For topics without a title, which BCF demands. */
const UNTITLED = 'untitled';

export function changedBy(name: string): Changed {
  return { author: name, date: new Date().toISOString() };
}

/** Writes what `make` returns, and tells pages and webhooks. New comments without an author are by who changes it. */
export async function updateReview(
  { decisions, events, sender }: ServiceParts,
  project: string,
  by: Changed,
  make: (now: Review, earlier: DecisionAt) => Review,
  base?: number,
): Promise<Decided> {
  const signing = (now: Review, earlier: DecisionAt) =>
    new Map(
      [...make(now, earlier)].map(([id, decision]) => [id, undersigned(decision, now.get(id), by)] as const),
    );
  const decided = await decisions.update(project, by, signing, base);
  if (decided.changed.length > 0) {
    events.decided(project, decided.revision);
    sender.wake();
  }
  return decided;
}

function undersigned(decision: Decision, now: Decision | undefined, { author, date }: Changed): Decision {
  const isUnsigned = (one: Decision['comments'][number]) => one.author === '' && one.date === '';
  if (decision === now || !decision.comments.some(isUnsigned)) return decision;
  const known = new Set(now?.comments.filter(isUnsigned).map(({ text }) => text));
  const comments = decision.comments.map((one) =>
    isUnsigned(one) && !known.has(one.text) ? { author, date, text: one.text } : one,
  );
  return { ...decision, comments };
}

/** `mine` makes the decision that someone wants of the one at revision `base`, or of that of now without one. */
export function changeReview(
  parts: ServiceParts,
  project: string,
  by: Changed,
  mine: ReadonlyMap<string, (earlier: Decision) => Decision>,
  base?: number,
): Promise<Decided> {
  const make = (now: Review, earlierOf: DecisionAt) =>
    new Map(
      [...mine].map(([id, wanted]) => {
        const [theirs, earlier] = [now.get(id) ?? UNDECIDED, earlierOf(id)];
        return [id, mergedChange(earlier, signed(wanted(earlier), theirs, by), theirs, by)];
      }),
    );
  return updateReview(parts, project, by, make, base);
}

/** New comments have the author of the change, whatever is claimed. */
function signed(mine: Decision, theirs: Decision, { author, date }: Changed): Decision {
  const now = Date.parse(date);
  const comments = mine.comments.map((one) => {
    if (theirs.comments.some((known) => isSameComment(one, known))) return one;
    const ago = now - Date.parse(one.date);
    return { text: one.text, author, date: Math.abs(ago) < WRITTEN_MS ? one.date : date };
  });
  return { ...mine, comments };
}

/** The database keeps no control characters. */
function assertIds(clashes: Iterable<string>): void {
  for (const id of clashes)
    if (/\p{Cc}/u.test(id))
      throw new RequestError(400, `not the id of a clash: ${JSON.stringify(id.slice(0, 40))}`);
}

/** Texts without characters that nothing can show. */
function cleaned(review: Review): Review {
  assertIds(review.keys());
  return new Map(
    [...review].map(([id, { assignee, comments, ...rest }]) => [
      id,
      {
        ...rest,
        assignee: cleanText(assignee),
        comments: comments.map(({ author, date, text }) => ({
          author: cleanText(author),
          date,
          text: cleanText(text),
        })),
      },
    ]),
  );
}

/** Throws if a clash has never been found in the project, nor in the given run. */
export async function assertClashes(
  { decisions, reports }: ServiceParts,
  project: string,
  clashes: readonly string[],
  run?: Run,
): Promise<void> {
  assertIds(clashes);
  const unknown = await decisions.unknown(project, clashes);
  if (unknown.length === 0) return;
  const report = run && (await reports.of(run));
  const stranger = unknown.find((id) => !report?.has(id));
  if (stranger !== undefined) throw new RequestError(400, `there is no clash ${stranger.slice(0, 40)}`);
}

export interface ImportedReview {
  readonly decided: Decided;
  /** Undefined for other files than archives. */
  readonly topics: number | undefined;
  /** Topics about clashes that the latest run has not. */
  readonly strangers: number;
  /** Topics about no clash. */
  readonly remarks: number;
}

/**
 * A BCF archive, or decisions in YAML or JSON, merged as `impinge check --review` merges it. Topics about no clash are
 * kept as remarks.
 */
export async function importReview(
  parts: ServiceParts,
  project: string,
  by: Changed,
  bytes: Buffer,
): Promise<ImportedReview> {
  const isArchive = bytes.subarray(0, 2).toString('latin1') === 'PK';
  if (!isArchive && bytes.length > BYTES_MAX)
    throw new RequestError(
      413,
      `decisions may have at most ${BYTES_MAX >> 20} MB, and archives ${ARCHIVE_BYTES_MAX >> 20}`,
    );
  const latest = await parts.reports.latest(project);
  const topics = isArchive ? await importedTopics(bytes, true) : [];
  const said = topics.filter((topic) => isRemark(topic, latest?.report));
  const others = topics.filter((topic) => !said.includes(topic));
  const named: GivenReviews['named'][number] = isArchive
    ? others
    : cleaned(parseReview(textOf(bytes), 'the file'));
  const lost = await keepRemarks(parts, project, by, said);
  let strangers = 0;
  const make = (kept: Review) => {
    const merged = decisionsFor({ own: undefined, kept, named: [named] }, latest?.report.clashes ?? [], []);
    ({ strangers } = merged);
    const decisions = new Map(merged.decisions);
    for (const { guid, decision, exports } of said) {
      const was = lost.get(guid);
      const comments = was === undefined ? [] : [{ author: '', date: '', text: was }];
      const given = { ...decision, comments: [...decision.comments, ...comments] };
      for (const [id, one] of topicChanges(given, exports[0].state, [guid], decisions))
        decisions.set(id, one);
    }
    return decisions;
  };
  const decided = await updateReview(parts, project, by, make);
  await keepViewsOfComments(parts, project, said);
  return { decided, topics: isArchive ? topics.length : undefined, strangers, remarks: said.length };
}

/** Whether a topic is about no clash, neither by its description nor by its GUID. */
function isRemark({ guid, exports }: ImportedTopic, report: RecordedReport | undefined): boolean {
  if (!GUID.test(guid) || exports.some(({ clashes }) => clashes.length > 0)) return false;
  return !report?.hasTopic(guid);
}

/**
 * Adds those that are new, and takes title and description where another tool has changed them. Returns what they were
 * where they have been changed here, too.
 */
async function keepRemarks(
  { remarks }: ServiceParts,
  project: string,
  by: Changed,
  topics: readonly ImportedTopic[],
): Promise<Map<string, string>> {
  const lost = new Map<string, string>();
  for (const { guid, text, views, exports } of topics) {
    const { created, author, ...said } = text;
    const known = await remarks.find(project, guid);
    const [{ state }] = exports;
    if (!known) {
      await remarks.create(project, guid, { ...said, title: said.title || UNTITLED }, by, {
        created,
        author,
      });
    } else if (state && !isAsExported(text, state)) {
      const words = { title: text.title || known.title, description: text.description || known.description };
      const isChanged = await remarks.change(project, guid, { ...known, ...words }, by);
      if (isChanged && !isAsExported(known, state))
        lost.set(
          guid,
          `"${known.title}": ${known.description}\nbecame other words, both set at the same time`,
        );
    }
    const seen = await remarks.views(project, guid);
    for (const { view, picture } of views) {
      if (seen.some((one) => one.view.guid === view.guid)) continue;
      const type = picture && pictureType(Buffer.from(picture));
      await remarks.addView(project, guid, { view, picture: type && { type, bytes: picture } });
    }
  }
  return lost;
}

async function keepViewsOfComments(
  { remarks, decisions }: ServiceParts,
  project: string,
  topics: readonly ImportedTopic[],
): Promise<void> {
  for (const { guid, views } of topics) {
    if (views.every(({ comments }) => comments.length === 0)) continue;
    const decision = await decisions.one(project, guid);
    const remark = await remarks.find(project, guid);
    if (!decision || !remark) continue;
    for (const one of remarkComments(remark, decision)) {
      const about = views.find(({ comments }) => comments.includes(one.text));
      if (about) await remarks.setViewOfComment(project, one.guid, about.view.guid);
    }
  }
}
