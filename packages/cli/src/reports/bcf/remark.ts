/**
 * A topic that a person made, about no clash. Its status, assignee, due date and comments are a decision like that
 * about a clash, kept under its GUID; the rest is here.
 */
import { oneLine } from '../../wire/text.js';
import { type ImportedText, statusOf } from '../review/bcf-import.js';
import type { Decision } from '../review/decision.js';
import { isoDate } from '../text.js';
import { type ExportedState, stateOf, stateText, textCode } from './exported-state.js';
import { TOPIC_STATUSES, type TopicComment, type TopicFields, topicComments } from './topic.js';

/** Texts that nobody has given are empty. */
export interface Remark extends ImportedText {
  readonly guid: string;
  readonly modified: string;
  readonly modifiedBy: string;
}

/** For topics without a type, which BCF 3.0 demands. */
const TYPE = 'Remark';
const NAME_MAX = 200;

export function remarkFields(remark: Remark, { status, assignee, due }: Decision): TopicFields {
  const { word, created, modified, ...rest } = remark;
  return {
    ...rest,
    type: remark.type || TYPE,
    // what has been decided since does not fit the word any more
    status: word !== '' && statusOf(word) === status ? word : TOPIC_STATUSES[status],
    created: isoDate(created),
    modified: isoDate(modified),
    assignee: oneLine(assignee, NAME_MAX),
    due: due === '' ? '' : isoDate(due),
  };
}

export function remarkComments({ guid, created }: Remark, decision: Decision): TopicComment[] {
  return topicComments({ id: guid, decision }, created);
}

/** For archives: with the exported state, as issues have it, and a code of its own words as if they were a comment. */
export function exportedRemark(remark: Remark, decision: Decision): TopicFields {
  const fields = remarkFields(remark, decision);
  const words = { author: '', date: '', text: wordsOf(remark) };
  const said = { ...decision, assignee: fields.assignee, comments: [...decision.comments, words] };
  const state = stateText(stateOf(said, [said]));
  return { ...fields, description: [fields.description, state].filter((text) => text !== '').join('\n') };
}

type Words = Pick<Remark, 'title' | 'description'>;

function wordsOf({ title, description }: Words): string {
  return `${title}\n${description}`;
}

/** Whether its words are those of the export. */
export function isAsExported(words: Words, { comments }: ExportedState): boolean {
  return comments.has(textCode(wordsOf(words)));
}
