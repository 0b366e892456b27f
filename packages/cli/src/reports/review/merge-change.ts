/**
 * What becomes of a decision that two have changed at the same time, each knowing the same earlier one. What only one
 * has changed is as that one has it. Where both have, the later one holds, and a comment says what the other was.
 * Nothing that was said is lost.
 */
import { byDate, type Decision, type ReviewComment } from './decision.js';

/** Whose change it is, and when. */
export interface Changed {
  readonly author: string;
  /** ISO 8601. */
  readonly date: string;
}

const FIELDS = ['status', 'assignee', 'due'] as const;

/** `earlier` is what `mine` was made of, `theirs` what there is now. */
export function mergedChange(earlier: Decision, mine: Decision, theirs: Decision, by: Changed): Decision {
  const decided = { status: mine.status, assignee: mine.assignee, due: mine.due } as Record<string, string>;
  const lost: string[] = [];
  for (const field of FIELDS) {
    if (mine[field] === earlier[field]) decided[field] = theirs[field];
    else if (theirs[field] !== earlier[field] && theirs[field] !== mine[field])
      lost.push(`${field}: "${theirs[field]}" became "${mine[field]}", both set at the same time`);
  }
  const comments = [...theirs.comments];
  for (const one of mine.comments)
    if (!comments.some((other) => isSame(one, other))) comments.push(stamped(one, by));
  for (const text of lost) comments.push({ ...by, text });
  return { ...(decided as Pick<Decision, (typeof FIELDS)[number]>), comments: comments.sort(byDate) };
}

/** What was sent twice, and had no author or date before it was kept, is known by its text. */
function isSame(one: ReviewComment, known: ReviewComment): boolean {
  const isKnown = (key: 'author' | 'date') => one[key] === '' || one[key] === known[key];
  return one.text === known.text && isKnown('author') && isKnown('date');
}

function stamped({ author, date, text }: ReviewComment, by: Changed): ReviewComment {
  return { author: author || by.author, date: date || by.date, text };
}
