/**
 * Three-way merge of decisions that two people change concurrently. A field that only one has changed has that value.
 * If both have, the later value wins, and a comment records the other. No comment is lost.
 */
import { byDate, type Decision, type ReviewComment } from './decision.js';

/** The author and time of a change. */
export interface Changed {
  readonly author: string;
  /** ISO 8601. */
  readonly date: string;
}

const FIELDS = ['status', 'assignee', 'due'] as const;

/** `earlier` is the base of `mine`, `theirs` the current decision. */
export function mergedChange(earlier: Decision, mine: Decision, theirs: Decision, by: Changed): Decision {
  const decided = { status: mine.status, assignee: mine.assignee, due: mine.due } as Record<string, string>;
  const lost: string[] = [];
  for (const field of FIELDS) {
    if (mine[field] === earlier[field]) decided[field] = theirs[field];
    else if (theirs[field] !== earlier[field] && theirs[field] !== mine[field])
      lost.push(lostText(field, theirs[field], mine[field]));
  }
  const comments = [...theirs.comments];
  for (const one of mine.comments)
    if (!comments.some((other) => isSameComment(one, other))) comments.push(stamped(one, by));
  for (const text of lost) comments.push({ ...by, text });
  return { ...(decided as Pick<Decision, (typeof FIELDS)[number]>), comments: comments.sort(byDate) };
}

/** Says what a field was, for a comment. */
export function lostText(field: (typeof FIELDS)[number], was: string, is: string): string {
  return `${field}: "${was}" became "${is}", both set at the same time`;
}

/** A comment that is sent twice, and got its author or date when it was saved, is recognised by its text. */
export function isSameComment(one: ReviewComment, known: ReviewComment): boolean {
  const isKnown = (key: 'author' | 'date') => one[key] === '' || one[key] === known[key];
  return one.text === known.text && isKnown('author') && isKnown('date');
}

function stamped({ author, date, text }: ReviewComment, by: Changed): ReviewComment {
  return { author: author || by.author, date: date || by.date, text };
}
