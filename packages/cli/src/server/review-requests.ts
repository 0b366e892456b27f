/** Decisions as the page sends and receives them; input may come from anyone who has the URL, so it is checked. */
import * as v from 'valibot';
import { type Decision, record, UNDECIDED } from '../reports/review/decision.js';
import type { Changed } from '../reports/review/merge-change.js';
import { isDate } from '../reports/review/review-file.js';
import { REVIEW_STATUSES, type ReviewAnswer } from '../wire/review.js';
import { cleanText } from '../wire/text.js';
import { RequestError } from './request-error.js';
import type { ReviewState } from './review-desk.js';

/** Enough for some thousand decisions at a time. */
export const CHANGES_BYTES_MAX = 16 << 20;

const NAME_MAX = 300;
const TEXT_MAX = 20_000;
const COMMENTS_MAX = 1000;

const name = v.optional(v.pipe(v.string(), v.maxLength(NAME_MAX), v.transform(cleanText), v.trim()), '');
const text = v.pipe(v.string(), v.maxLength(TEXT_MAX), v.transform(cleanText), v.trim());
const date = v.optional(
  v.pipe(
    v.string(),
    v.maxLength(NAME_MAX),
    v.check((given) => given === '' || isDate(given), 'a date is written like 2026-12-24'),
  ),
  '',
);

const decision = v.pipe(
  v.strictObject({
    status: v.optional(v.picklist(REVIEW_STATUSES), 'new'),
    assignee: name,
    due: date,
    comment: v.optional(text, ''),
    comments: v.optional(
      v.pipe(v.array(v.strictObject({ author: name, date, text })), v.maxLength(COMMENTS_MAX)),
      [],
    ),
  }),
  v.transform(
    ({ comment, comments, ...fields }): Decision => ({
      ...fields,
      comments: [{ author: '', date: '', text: comment }, ...comments].filter((one) => one.text !== ''),
    }),
  ),
);

const change = v.strictObject({
  base: v.pipe(v.string(), v.maxLength(NAME_MAX)),
  author: name,
  changes: v.record(v.string(), v.nullable(decision)),
});

export interface ReviewChange {
  readonly base: string;
  readonly changes: ReadonlyMap<string, Decision>;
  readonly by: Changed;
}

/** Throws a RequestError if the input is not a change, or is about an unknown clash. */
export function reviewChange(given: unknown, isKnown: (id: string) => boolean): ReviewChange {
  const result = v.safeParse(change, given);
  if (!result.success) {
    const [issue] = result.issues;
    throw new RequestError(400, `${v.getDotPath(issue) ?? 'it'}: ${issue.message}`);
  }
  const { base, author, changes } = result.output;
  const unknown = Object.keys(changes).find((id) => !isKnown(id));
  if (unknown !== undefined) throw new RequestError(400, `there is no clash ${unknown.slice(0, 40)}`);
  return {
    base,
    changes: new Map(Object.entries(changes).map(([id, one]) => [id, one ?? UNDECIDED])),
    by: { author, date: new Date().toISOString() },
  };
}

export function reviewAnswer({ revision, decisions }: ReviewState): ReviewAnswer {
  return {
    revision,
    decisions: Object.fromEntries([...decisions].map(([id, one]) => [id, record(one)])),
  };
}
