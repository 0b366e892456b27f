/**
 * Applies an imported topic to its clashes: only the differences to its exported state. A topic summarises many
 * clashes, with the least settled status and all assignees, so applying it literally would overwrite decisions that
 * nobody has changed.
 */
import { type ExportedState, isSameDue, stateOf, textCode } from '../bcf/exported-state.js';
import type { ImportedTopic } from './bcf-import.js';
import { commonDecision, type Decision, isUndecided, joined, type Review, UNDECIDED } from './decision.js';

/** The decisions about clashes `ids` that the topic changes. */
export function topicChanges(
  { decision, exported }: ImportedTopic,
  ids: readonly string[],
  known: Review,
): Map<string, Decision> {
  // if a tool has dropped the state: as it would be exported now
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
  const changed = {
    ...(status !== exported.status.value && status !== own.status && { status }),
    ...(assignee !== '' &&
      textCode(assignee) !== exported.assignee.value &&
      assignee !== own.assignee && { assignee }),
    ...(due !== '' &&
      !(exported.due.value !== '' && isSameDue(due, exported.due.value)) &&
      due.slice(0, 10) !== own.due && { due: due.slice(0, 10) }),
    ...(said.length > 0 && { comments: joined([...own.comments, ...said]) }),
  };
  return Object.keys(changed).length === 0 ? own : { ...own, ...changed };
}
