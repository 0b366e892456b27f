/** Decisions about clashes, and changes to them. */
import {
  type Comment,
  type Decision,
  type Decisions,
  REVIEW_STATUSES,
  type ReviewStatus,
  statusText,
} from '../../cli/src/wire/review.js';

export { REVIEW_STATUSES, type ReviewStatus, statusText };

/** A change: fields to set, and comments to add. */
export interface DecisionChange {
  readonly status?: ReviewStatus;
  readonly assignee?: string;
  readonly due?: string;
  readonly said?: readonly Comment[];
}

export type DecisionChanges = ReadonlyMap<string, DecisionChange>;

export function statusOf(decision: Decision | undefined): ReviewStatus {
  const status = decision?.status as ReviewStatus;
  return REVIEW_STATUSES.includes(status) ? status : 'new';
}

/** All comments, including the single plain one without an author. */
export function commentsOf(decision: Decision | undefined): readonly Comment[] {
  const plain = decision?.comment ? [{ text: decision.comment }] : [];
  return [...plain, ...(decision?.comments ?? [])];
}

/** Applies a change. Empty fields are omitted, as in review.json. */
export function changed(decision: Decision | undefined, change: DecisionChange): Decision {
  const { said = [], ...fields } = change;
  const { comment, comments, status = 'new', ...rest } = { ...decision, ...fields };
  const known = commentsOf(decision);
  // a change that is sent twice adds its comment once
  const news = said.filter(({ text, date }) => !known.some((one) => one.text === text && one.date === date));
  const all = [...known, ...news];
  const [first] = all;
  const isPlain = all.length === 1 && !first.author && !first.date;
  return {
    status,
    ...Object.fromEntries(Object.entries(rest).filter(([, value]) => value !== '')),
    ...(isPlain && { comment: first.text }),
    ...(!isPlain && all.length > 0 && { comments: all }),
  };
}

/** Decisions with unsaved changes applied. */
export function withChanges(decisions: Decisions, changes: DecisionChanges): Decisions {
  if (changes.size === 0) return decisions;
  const all: Record<string, Decision> = { ...decisions };
  for (const [id, change] of changes) all[id] = changed(ownOf(decisions, id), change);
  return all;
}

/** Merges a later change into an earlier one. */
export function joined(earlier: DecisionChange | undefined, later: DecisionChange): DecisionChange {
  const said = [...(earlier?.said ?? []), ...(later.said ?? [])];
  return { ...earlier, ...later, ...(said.length > 0 && { said }) };
}

/** Ids are untrusted: one may be `constructor`. */
export function ownOf(decisions: Decisions, id: string): Decision | undefined {
  return Object.hasOwn(decisions, id) ? decisions[id] : undefined;
}

/** The contents of a file for `impinge check --review`. */
export function reviewFile(decisions: Decisions): string {
  return `${JSON.stringify({ clashes: decisions }, undefined, 2)}\n`;
}
