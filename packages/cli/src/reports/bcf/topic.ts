/** A BCF topic: the title, status and clashes of an issue. */
import { CLASH_KIND_TABLE, CLASH_KINDS, type ClashKindInfo } from '@impinge/model';
import type { ReportRun } from '../../wire/report.js';
import { type ReviewStatus, statusText } from '../../wire/review.js';
import { cleanText, oneLine, plural } from '../../wire/text.js';
import type { Issue } from '../issue-summary.js';
import { objectName } from '../object-name.js';
import {
  isStillThere,
  measureText,
  type ReportClash,
  type ReportInput,
  type ReportModel,
} from '../report-data.js';
import { UNDECIDED } from '../review/decision.js';
import { isoDate } from '../text.js';
import { nameUuid } from '../uuid.js';
import { document, element, type Xml } from '../xml.js';
import { isIfcGuid } from './component.js';
import { stateOf, stateText } from './exported-state.js';
import type { BcfLayout } from './layout.js';

export type TopicStatus = 'Open' | 'Active' | 'Reviewed' | 'Approved' | 'Resolved' | 'Closed';

/** The words of other tools for our statuses; an issue that is gone is closed. */
export const TOPIC_STATUSES: Readonly<Record<ReviewStatus, TopicStatus>> = {
  new: 'Open',
  active: 'Active',
  reviewed: 'Reviewed',
  approved: 'Approved',
  resolved: 'Resolved',
};

export interface Topic {
  readonly issue: Issue;
  readonly status: TopicStatus;
}

const AUTHOR = 'impinge';
const TITLE_MAX = 200;
/** Maximum number of clashes in a description; viewers are slow with more. */
const LISTED_MAX = 50;

const PRIORITIES = ['High', 'Medium', 'Low'] as const;

export function topicGuid({ id }: Pick<Issue, 'id'>): string {
  return nameUuid(`topic ${id}`);
}

export function viewpointGuid({ id }: Issue): string {
  return nameUuid(`viewpoint ${id}`);
}

export function projectDocument({ title }: ReportModel, layout: BcfLayout): string {
  const name = oneLine(title, TITLE_MAX);
  const project = element(
    'Project',
    { ProjectId: nameUuid(`project ${title}`) },
    name === '' ? undefined : element('Name', {}, name),
  );
  return document(layout.projectRoot(project));
}

/** The values that the topics use. */
export function extensionsDocument(topics: readonly Topic[]): string {
  const list = (plural: string, one: string, words: readonly string[]) =>
    element(plural, {}, ...[...new Set(words)].sort().map((word) => element(one, {}, word)));
  const issues = topics.map(({ issue }) => issue);
  return document(
    element(
      'Extensions',
      {},
      list('TopicTypes', 'TopicType', issues.map(typeOf)),
      list('TopicStatuses', 'TopicStatus', [...Object.values(TOPIC_STATUSES), 'Closed']),
      list('Priorities', 'Priority', PRIORITIES),
      list('TopicLabels', 'TopicLabel', issues.flatMap(labels)),
      list('Users', 'User', [AUTHOR, ...issues.flatMap(users)]),
    ),
  );
}

export function markupDocument(
  { issue, status }: Topic,
  index: number,
  hasSnapshot: boolean,
  { model, run }: Pick<ReportInput, 'model' | 'run'>,
  layout: BcfLayout,
): string {
  const { due } = issue.decision;
  const assignee = oneLine(issue.decision.assignee, TITLE_MAX);
  const markup = layout.markupRoot({
    header: header(issue, model, layout),
    topic: [
      { Guid: topicGuid(issue), TopicType: typeOf(issue), TopicStatus: status },
      element('Title', {}, oneLine(issue.title, TITLE_MAX)),
      element('Priority', {}, priority(issue)),
      element('Index', {}, index),
      ...layout.labels(labels(issue)),
      element('CreationDate', {}, isoDate(issue.since)),
      element('CreationAuthor', {}, AUTHOR),
      element('ModifiedDate', {}, isoDate(model.date)),
      element('ModifiedAuthor', {}, AUTHOR),
      due === '' ? undefined : element('DueDate', {}, isoDate(due)),
      assignee === '' ? undefined : element('AssignedTo', {}, assignee),
      element('Description', {}, description(issue, status, run)),
    ],
    comments: comments(issue, model),
    viewpoint: [
      { Guid: viewpointGuid(issue) },
      element('Viewpoint', {}, 'viewpoint.bcfv'),
      hasSnapshot ? element('Snapshot', {}, 'snapshot.png') : undefined,
      element('Index', {}, 0),
    ],
  });
  return document(markup);
}

function comments({ id, decision }: Issue, model: ReportModel): Xml[] {
  return decision.comments.flatMap(({ author, date, text }) => {
    const said = cleanText(text).trim();
    if (said === '') return [];
    return element(
      'Comment',
      { Guid: nameUuid(`comment ${id} ${date} ${author} ${text}`) },
      element('Date', {}, isoDate(date || model.date)),
      element('Author', {}, oneLine(author, TITLE_MAX) || AUTHOR),
      element('Comment', {}, said),
    );
  });
}

function users({ decision: { assignee, comments } }: Issue): string[] {
  const names = [assignee, ...comments.map(({ author }) => author)];
  return names.map((name) => oneLine(name, TITLE_MAX)).filter((name) => name !== '');
}

/** The source files of the issue's objects. */
function header(issue: Issue, model: ReportModel, layout: BcfLayout): Xml | undefined {
  const names = new Set(issue.clashes.flatMap(({ a, b }) => [a.file, b.file]));
  const files = [...names]
    .filter((name) => oneLine(name, TITLE_MAX) !== '')
    .sort()
    .map((name) => {
      const project = model.files.find((file) => file.name === name)?.projectId ?? '';
      return element(
        'File',
        { IfcProject: isIfcGuid(project) ? project : undefined, [layout.isExternal]: 'true' },
        element('Filename', {}, name),
        element('Date', {}, isoDate(model.date)),
      );
    });
  return files.length === 0 ? undefined : layout.header(files);
}

/** The type of its worst clash. */
function typeOf({ clashes }: Issue): ClashKindInfo['bcf']['type'] {
  return CLASH_KIND_TABLE[clashes[0].kind].bcf.type;
}

function labels({ kinds, rule }: Issue): string[] {
  const name = oneLine(rule, TITLE_MAX);
  return [...CLASH_KINDS.filter((kind) => kinds[kind]), ...(name === '' ? [] : [name])];
}

function priority({ worstDepth, kinds }: Issue): (typeof PRIORITIES)[number] {
  if (worstDepth >= 0.05) return 'High';
  const least = CLASH_KINDS.some((kind) => kinds[kind] && CLASH_KIND_TABLE[kind].bcf.priority === 'Medium');
  return worstDepth >= 0.01 || least ? 'Medium' : 'Low';
}

function description(issue: Issue, status: TopicStatus, run: ReportRun): string {
  const count = plural(issue.clashCount, 'clash', 'clashes');
  const isGone = status === 'Closed';
  const lines = issue.clashes.slice(0, LISTED_MAX).map((clash) => clashText(clash, isGone));
  const left = issue.clashCount - lines.length;
  // an import applies to the clashes named in the description
  const unnamed = issue.clashes.slice(LISTED_MAX).map(({ id }) => `[${oneLine(id, 80)}]`);
  if (left > 0) lines.push(`… and ${left} more: ${unnamed.join(' ')}`);
  const gone = isGone ? ', no longer there' : '';
  const rule = run.rules.find(({ name }) => name === issue.rule);
  const objects = rule === undefined ? '' : ` (${rule.objects.join(' × ')} objects)`;
  return [
    `${count}${gone}. Rule: ${oneLine(issue.rule, TITLE_MAX)}${objects}.`,
    exportedText(issue, status),
    ...lines,
  ].join('\n');
}

/** The exported state of a topic; an issue that is gone counts as resolved. */
function exportedText({ decision, clashes }: Issue, status: TopicStatus): string {
  const own = clashes.map(({ review }) => review ?? UNDECIDED);
  const common = { ...decision, assignee: oneLine(decision.assignee, TITLE_MAX) };
  return stateText(stateOf(status === 'Closed' ? { ...common, status: 'resolved' } : common, own));
}

function clashText(clash: ReportClash, isGone: boolean): string {
  const { kind, form, a, b, id } = clash;
  const length = measureText(clash);
  const way = CLASH_KIND_TABLE[kind].measure === 'depth' ? 'deep' : 'apart';
  const measure = length === undefined ? '' : `, ${length} ${way}`;
  const stands = !isGone && isStillThere(clash) ? ` ${statusText('resolved', true)}` : '';
  return `${form ? `${kind} (${form})` : kind}${measure}: ${objectName(a)} / ${objectName(b)} [${oneLine(id, 80)}]${stands}`;
}
