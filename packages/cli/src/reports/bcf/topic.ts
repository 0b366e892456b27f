/** A BCF topic: the title, status and clashes of an issue. */
import { CLASH_KIND_TABLE, CLASH_KINDS, type ClashKindInfo, isIfcGuid } from '@impinge/model';
import type { ReportRun } from '../../wire/report.js';
import { type ReviewStatus, statusText } from '../../wire/review.js';
import { cleanText, oneLine, plural } from '../../wire/text.js';
import type { Issue, Issues } from '../issue-summary.js';
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

export const TOPIC_AUTHOR = 'impinge';
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

/** Topics of all issues, the worst first; those that are gone come last, as closed. */
export function topicsOf({ open, approved, closed }: Issues): Topic[] {
  return [
    ...[...open, ...approved].map(
      (issue): Topic => ({ issue, status: TOPIC_STATUSES[issue.decision.status] }),
    ),
    ...closed.map((issue): Topic => ({ issue, status: 'Closed' })),
  ];
}

/** The values that topics use. */
export interface Extensions {
  readonly types: readonly string[];
  readonly statuses: readonly string[];
  readonly priorities: readonly string[];
  readonly labels: readonly string[];
  readonly users: readonly string[];
}

export function extensionsOf(topics: readonly Topic[]): Extensions {
  const sorted = (words: readonly string[]) => [...new Set(words)].sort();
  const issues = topics.map(({ issue }) => issue);
  return {
    types: sorted(issues.map(typeOf)),
    statuses: sorted([...Object.values(TOPIC_STATUSES), 'Closed']),
    priorities: sorted(PRIORITIES),
    labels: sorted(issues.flatMap(labels)),
    users: sorted([TOPIC_AUTHOR, ...issues.flatMap(users)]),
  };
}

export function extensionsDocument(topics: readonly Topic[]): string {
  const { types, statuses, priorities, labels, users } = extensionsOf(topics);
  const list = (plural: string, one: string, words: readonly string[]) =>
    element(plural, {}, ...words.map((word) => element(one, {}, word)));
  return document(
    element(
      'Extensions',
      {},
      list('TopicTypes', 'TopicType', types),
      list('TopicStatuses', 'TopicStatus', statuses),
      list('Priorities', 'Priority', priorities),
      list('TopicLabels', 'TopicLabel', labels),
      list('Users', 'User', users),
    ),
  );
}

/** A topic as text, for every form of BCF. Times are ISO 8601; the assignee and the due date are empty if unknown. */
export interface TopicFields {
  readonly guid: string;
  readonly type: string;
  readonly status: TopicStatus;
  readonly title: string;
  readonly priority: string;
  readonly labels: readonly string[];
  readonly created: string;
  readonly modified: string;
  readonly author: string;
  readonly assignee: string;
  readonly due: string;
  readonly description: string;
}

export function topicFields(
  { issue, status }: Topic,
  { model, run }: Pick<ReportInput, 'model' | 'run'>,
): TopicFields {
  const { due } = issue.decision;
  return {
    guid: topicGuid(issue),
    type: typeOf(issue),
    status,
    title: oneLine(issue.title, TITLE_MAX),
    priority: priority(issue),
    labels: labels(issue),
    created: isoDate(issue.since),
    modified: isoDate(model.date),
    author: TOPIC_AUTHOR,
    assignee: oneLine(issue.decision.assignee, TITLE_MAX),
    due: due === '' ? '' : isoDate(due),
    description: description(issue, status, run),
  };
}

export function markupDocument(
  topic: Topic,
  index: number,
  hasSnapshot: boolean,
  input: Pick<ReportInput, 'model' | 'run'>,
  layout: BcfLayout,
): string {
  const { issue } = topic;
  const { model } = input;
  const fields = topicFields(topic, input);
  const { guid, type, status, title, created, modified, author, due, assignee } = fields;
  const markup = layout.markupRoot({
    header: header(issue, model, layout),
    topic: [
      { Guid: guid, TopicType: type, TopicStatus: status },
      element('Title', {}, title),
      element('Priority', {}, fields.priority),
      element('Index', {}, index),
      ...layout.labels(fields.labels),
      element('CreationDate', {}, created),
      element('CreationAuthor', {}, author),
      element('ModifiedDate', {}, modified),
      element('ModifiedAuthor', {}, author),
      due === '' ? undefined : element('DueDate', {}, due),
      assignee === '' ? undefined : element('AssignedTo', {}, assignee),
      element('Description', {}, fields.description),
    ],
    comments: topicComments(issue, model).map(({ guid: own, date, author: by, text }) =>
      element(
        'Comment',
        { Guid: own },
        element('Date', {}, date),
        element('Author', {}, by),
        element('Comment', {}, text),
      ),
    ),
    viewpoint: [
      { Guid: viewpointGuid(issue) },
      element('Viewpoint', {}, 'viewpoint.bcfv'),
      hasSnapshot ? element('Snapshot', {}, 'snapshot.png') : undefined,
      element('Index', {}, 0),
    ],
  });
  return document(markup);
}

export interface TopicComment {
  readonly guid: string;
  readonly date: string;
  readonly author: string;
  readonly text: string;
}

export function topicComments({ id, decision }: Issue, model: ReportModel): TopicComment[] {
  return decision.comments.flatMap(({ author, date, text }) => {
    const said = cleanText(text).trim();
    if (said === '') return [];
    return {
      guid: nameUuid(`comment ${id} ${date} ${author} ${text}`),
      date: isoDate(date || model.date),
      author: oneLine(author, TITLE_MAX) || TOPIC_AUTHOR,
      text: said,
    };
  });
}

function users({ decision: { assignee, comments } }: Issue): string[] {
  const names = [assignee, ...comments.map(({ author }) => author)];
  return names.map((name) => oneLine(name, TITLE_MAX)).filter((name) => name !== '');
}

export interface TopicFile {
  readonly name: string;
  /** The GUID of its IfcProject; undefined if it has none. */
  readonly project: string | undefined;
  readonly date: string;
}

/** The source files of the issue's objects. */
export function topicFiles(issue: Issue, model: ReportModel): TopicFile[] {
  const names = new Set(issue.clashes.flatMap(({ a, b }) => [a.file, b.file]));
  return [...names]
    .filter((name) => oneLine(name, TITLE_MAX) !== '')
    .sort()
    .map((name) => {
      const { projectId: project = '', modified = '' } = model.files.find((file) => file.name === name) ?? {};
      return {
        name,
        project: isIfcGuid(project) ? project : undefined,
        date: isoDate(modified || model.date),
      };
    });
}

function header(issue: Issue, model: ReportModel, layout: BcfLayout): Xml | undefined {
  const files = topicFiles(issue, model).map(({ name, project, date }) =>
    element(
      'File',
      { IfcProject: project, [layout.isExternal]: 'true' },
      element('Filename', {}, name),
      element('Date', {}, date),
    ),
  );
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
  const { kind, form, a, b, id, penetration } = clash;
  const length = measureText(clash);
  const way = CLASH_KIND_TABLE[kind].figure;
  const measure = length === undefined ? '' : `, ${length} ${way}`;
  const stands = !isGone && isStillThere(clash) ? ` ${statusText('resolved', true)}` : '';
  const opening = penetration === '' ? '' : `, ${penetration}`;
  return `${form ? `${kind} (${form})` : kind}${measure}${opening}: ${objectName(a)} / ${objectName(b)} [${oneLine(id, 80)}]${stands}`;
}
