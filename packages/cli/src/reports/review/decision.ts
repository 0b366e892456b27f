/** A decision about a clash: status, assignee, due date and comments. */

import { REVIEW_STATUSES, type ReviewStatus, type Decision as WrittenDecision } from '../../wire/review.js';
import { compareText } from '../../wire/text.js';

/** Author and date are empty if unknown. */
export interface ReviewComment {
  readonly author: string;
  /** ISO 8601. */
  readonly date: string;
  readonly text: string;
}

export interface Decision {
  readonly status: ReviewStatus;
  /** Empty: unassigned. */
  readonly assignee: string;
  /** `2026-12-24`; empty: no due date. */
  readonly due: string;
  readonly comments: readonly ReviewComment[];
}

/** Decisions by clash id. */
export type Review = ReadonlyMap<string, Decision>;

export const UNDECIDED: Decision = { status: 'new', assignee: '', due: '', comments: [] };

export function isUndecided({ status, assignee, due, comments }: Decision): boolean {
  return status === 'new' && assignee === '' && due === '' && comments.length === 0;
}

/** Merges two decisions: the later one takes precedence except for its empty fields; all comments are kept. */
export function merged(earlier: Decision, later: Decision): Decision {
  return {
    status: later.status,
    assignee: later.assignee || earlier.assignee,
    due: later.due || earlier.due,
    comments: joined([...earlier.comments, ...later.comments]),
  };
}

/** Merges all decisions of two files; empty ones are omitted. */
export function mergedReviews(earlier: Review, later: Review): Map<string, Decision> {
  const all = new Map(earlier);
  for (const [id, decision] of later) all.set(id, merged(all.get(id) ?? UNDECIDED, decision));
  // an existing decision that is reset is a decision, too
  for (const [id, decision] of all) if (isUndecided(decision) && !earlier.has(id)) all.delete(id);
  return all;
}

/** The decision about an issue: the least settled status, all assignees, the earliest date, and all comments. */
export function commonDecision(decisions: readonly (Decision | undefined)[]): Decision {
  const all = decisions.map((decision) => decision ?? UNDECIDED);
  const rank = ({ status }: Decision) => REVIEW_STATUSES.indexOf(status);
  const least = all.reduce((least, one) => (rank(one) < rank(least) ? one : least), all[0] ?? UNDECIDED);
  const names = [...new Set(all.map(({ assignee }) => assignee).filter((name) => name !== ''))];
  const dates = all.map(({ due }) => due).filter((due) => due !== '');
  return {
    status: least.status,
    assignee: names.sort(compareText).join(', '),
    due: dates.sort(compareText)[0] ?? '',
    comments: joined(all.flatMap(({ comments }) => comments)),
  };
}

/** Each text once, with the first known author and date; sorted by date. */
export function joined(comments: readonly ReviewComment[]): ReviewComment[] {
  const byText = new Map<string, ReviewComment>();
  for (const comment of comments) {
    const known = byText.get(comment.text);
    if (!known || (known.date === '' && comment.date !== '')) byText.set(comment.text, comment);
  }
  return [...byText.values()].sort(byDate);
}

export function byDate(p: ReviewComment, q: ReviewComment): number {
  return compareText(p.date, q.date);
}

/** The file format: a single comment without author and date is a `comment`. */
export function record({ status, assignee, due, comments }: Decision): WrittenDecision {
  const [first, ...more] = comments;
  const isPlain = more.length === 0 && first?.author === '' && first.date === '';
  return {
    status,
    ...(assignee !== '' && { assignee }),
    ...(due !== '' && { due }),
    ...(isPlain && { comment: first.text }),
    ...(!isPlain &&
      comments.length > 0 && {
        comments: comments.map(({ author, date, text }) => ({
          ...(author !== '' && { author }),
          ...(date !== '' && { date }),
          text,
        })),
      }),
  };
}

export function isSameDecision(p: Decision, q: Decision): boolean {
  return p === q || JSON.stringify(record(p)) === JSON.stringify(record(q));
}
