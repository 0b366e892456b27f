/** What people have decided about clashes, and how changes are put on top of it. */
import {
  type Comment,
  type Decision,
  type Decisions,
  REVIEW_STATUSES,
  type ReviewStatus,
  statusText,
} from '../../cli/src/wire/review.js';

export { REVIEW_STATUSES, type ReviewStatus, statusText };

/** What somebody changes: fields, and something said. */
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

/** All that was said, the one comment of nobody in particular included. */
export function commentsOf(decision: Decision | undefined): readonly Comment[] {
  const plain = decision?.comment ? [{ text: decision.comment }] : [];
  return [...plain, ...(decision?.comments ?? [])];
}

/** Fields that are empty are left out, as review.json has it. */
export function changed(decision: Decision | undefined, change: DecisionChange): Decision {
  const { said = [], ...fields } = change;
  const { comment, comments, status = 'new', ...rest } = { ...decision, ...fields };
  const known = commentsOf(decision);
  // sent twice, it is still said once
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

/** Decisions with changes that are not saved yet on top. */
export function withChanges(decisions: Decisions, changes: DecisionChanges): Decisions {
  if (changes.size === 0) return decisions;
  const all: Record<string, Decision> = { ...decisions };
  for (const [id, change] of changes) all[id] = changed(ownOf(decisions, id), change);
  return all;
}

/** The later change on top of an earlier one. */
export function joined(earlier: DecisionChange | undefined, later: DecisionChange): DecisionChange {
  const said = [...(earlier?.said ?? []), ...(later.said ?? [])];
  return { ...earlier, ...later, ...(said.length > 0 && { said }) };
}

/** Ids are untrusted: `constructor` is one like any other. */
export function ownOf(decisions: Decisions, id: string): Decision | undefined {
  return Object.hasOwn(decisions, id) ? decisions[id] : undefined;
}

/** The file that `impinge check --review` reads. */
export function reviewFile(decisions: Decisions): string {
  return `${JSON.stringify({ clashes: decisions }, undefined, 2)}\n`;
}
