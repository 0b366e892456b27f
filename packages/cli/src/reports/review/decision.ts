/** What people have decided about a clash: where it stands, who sees to it, until when, and what was said. */

import { REVIEW_STATUSES, type ReviewStatus, type Decision as WrittenDecision } from '../../wire/review.js';
import { compareText } from '../../wire/text.js';

/** Author and date are empty where nobody wrote them down. */
export interface ReviewComment {
  readonly author: string;
  /** ISO 8601. */
  readonly date: string;
  readonly text: string;
}

export interface Decision {
  readonly status: ReviewStatus;
  /** Empty: nobody. */
  readonly assignee: string;
  /** `2026-12-24`; empty: whenever. */
  readonly due: string;
  readonly comments: readonly ReviewComment[];
}

/** Decisions by the ids of clashes. */
export type Review = ReadonlyMap<string, Decision>;

export const UNDECIDED: Decision = { status: 'new', assignee: '', due: '', comments: [] };

/** Whether it says nothing. */
export function isUndecided({ status, assignee, due, comments }: Decision): boolean {
  return status === 'new' && assignee === '' && due === '' && comments.length === 0;
}

/** Both: the later one decides, and what it leaves open stays; everything that was said is kept. */
export function merged(earlier: Decision, later: Decision): Decision {
  return {
    status: later.status,
    assignee: later.assignee || earlier.assignee,
    due: later.due || earlier.due,
    comments: joined([...earlier.comments, ...later.comments]),
  };
}

/** The same for all clashes of two files; what never said anything is left out. */
export function mergedReviews(earlier: Review, later: Review): Map<string, Decision> {
  const all = new Map(earlier);
  for (const [id, decision] of later) all.set(id, merged(all.get(id) ?? UNDECIDED, decision));
  // what was decided before may be taken back, and that is a decision, too
  for (const [id, decision] of all) if (isUndecided(decision) && !earlier.has(id)) all.delete(id);
  return all;
}

/**
 * Of an issue: where the least of its clashes stands, who has any of them, the earliest date, and all that was said.
 */
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

/** Each text once, with the first author and date that are known; in the order of dates. */
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

/** As people write it: one comment of nobody in particular is a `comment`. */
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
