/**
 * Applies an imported topic to its clashes: only the differences to its exported state. A topic summarises many
 * clashes, with the least settled status and all assignees, so applying it literally would overwrite decisions that
 * nobody has changed. Where both sides have changed a field, that of the topic counts, and a comment keeps the other.
 */
import { type ExportedState, isSameDue, stateOf, textCode } from '../bcf/exported-state.js';
import { commonDecision, type Decision, isUndecided, joined, type Review, UNDECIDED } from './decision.js';
import { lostText } from './merge-change.js';

/** The decisions about clashes `ids` that the topic changes; `exported` is undefined where a tool has dropped it. */
export function topicChanges(
  decision: Decision,
  exported: ExportedState | undefined,
  ids: readonly string[],
  known: Review,
): Map<string, Decision> {
  // without one: as it would be exported now
  const state = exported ?? stateNow(ids.map((id) => known.get(id) ?? UNDECIDED));
  const changes = new Map<string, Decision>();
  for (const id of ids) {
    const own = known.get(id);
    const next = applied(decision, state, own ?? sharedPart(decision, state));
    if (own ? next !== own : !isUndecided(next)) changes.set(id, next);
  }
  return changes;
}

function stateNow(decisions: readonly Decision[]): ExportedState {
  return stateOf(commonDecision(decisions), decisions);
}

/** The part of the state that all clashes of the topic shared; the start for a clash without a decision here. */
function sharedPart(topic: Decision, { status, assignee, due, comments }: ExportedState): Decision {
  return {
    status: status.isOfAll ? status.value : 'new',
    assignee: assignee.isOfAll && textCode(topic.assignee) === assignee.value ? topic.assignee : '',
    due: due.isOfAll && due.value !== '' ? due.value.slice(0, 10) : '',
    comments: topic.comments.filter(({ text }) => comments.get(textCode(text)) === true),
  };
}

/** Returns `own` if nothing differs. Empty fields of a topic are ignored: the tool may not support them. */
function applied(topic: Decision, exported: ExportedState, own: Decision): Decision {
  const { status, assignee, due } = topic;
  const known = new Set([...exported.comments.keys(), ...own.comments.map(({ text }) => textCode(text))]);
  const said = topic.comments.filter(({ text }) => !known.has(textCode(text)));
  const set: Partial<Record<(typeof FIELDS)[number], string>> = {
    ...(status !== exported.status.value && status !== own.status && { status }),
    ...(assignee !== '' &&
      textCode(assignee) !== exported.assignee.value &&
      assignee !== own.assignee && { assignee }),
    ...(due !== '' &&
      !(exported.due.value !== '' && isSameDue(due, exported.due.value)) &&
      due.slice(0, 10) !== own.due && { due: due.slice(0, 10) }),
  };
  for (const field of FIELDS) {
    const value = set[field];
    if (value !== undefined && own[field] !== '' && isChanged(field, own, exported))
      said.push({ author: '', date: '', text: lostText(field, own[field], value) });
  }
  if (Object.keys(set).length === 0 && said.length === 0) return own;
  return { ...own, ...set, comments: joined([...own.comments, ...said]) } as Decision;
}

const FIELDS = ['status', 'assignee', 'due'] as const;

/** Whether it is certain that this has been changed here since the export. */
function isChanged(field: (typeof FIELDS)[number], own: Decision, exported: ExportedState): boolean {
  const { value, isOfAll } = exported[field];
  if (!isOfAll) return false;
  if (field === 'status') return own.status !== value;
  if (field === 'assignee') return textCode(own.assignee) !== value;
  return value === '' || !isSameDue(own.due, value);
}
