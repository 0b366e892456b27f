/** A BCF topic: the title, status and clashes of an issue, or what a person remarked. */
import { CLASH_KIND_TABLE, CLASH_KINDS, type ClashKindInfo, isIfcGuid } from '@impinge/model';
import type { ReportRun } from '../../wire/report.js';
import { type ReviewStatus, statusText } from '../../wire/review.js';
import { cleanText, oneLine, plural } from '../../wire/text.js';
import type { Issue, Issues } from '../issue-summary.js';
import { objectName } from '../object-name.js';
import { isStillThere, measureText, type ReportClash, type ReportModel } from '../report-data.js';
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

/** What archives say of the model. */
export type ArchiveModel = Pick<ReportModel, 'title' | 'date' | 'files'>;

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

export function projectDocument({ title }: ArchiveModel, layout: BcfLayout): string {
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
  readonly stages: readonly string[];
}

/** A topic without what only its archive has. */
export type SaidTopic = Pick<WrittenTopic, 'fields' | 'comments'>;

export function extensionsOf(topics: readonly Topic[], remarks: readonly SaidTopic[] = []): Extensions {
  const sorted = (words: readonly string[]) => [...new Set(words)].filter((word) => word !== '').sort();
  const issues = topics.map(({ issue }) => issue);
  const said = remarks.map(({ fields }) => fields);
  return {
    types: sorted([...issues.map(typeOf), ...said.map(({ type }) => type)]),
    statuses: sorted([...Object.values(TOPIC_STATUSES), 'Closed', ...said.map(({ status }) => status)]),
    priorities: sorted([...PRIORITIES, ...said.map(({ priority }) => priority)]),
    labels: sorted([...issues.flatMap(labels), ...said.flatMap((one) => one.labels)]),
    users: sorted([
      TOPIC_AUTHOR,
      ...issues.flatMap(users),
      ...said.flatMap(({ author, assignee }) => [author, assignee]),
      ...remarks.flatMap(({ comments }) => comments.map(({ author }) => author)),
    ]),
    stages: sorted(said.map(({ stage }) => stage)),
  };
}

export function extensionsDocument(topics: readonly Topic[], remarks: readonly SaidTopic[]): string {
  const { types, statuses, priorities, labels, users, stages } = extensionsOf(topics, remarks);
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
      stages.length > 0 ? list('Stages', 'Stage', stages) : undefined,
    ),
  );
}

/** A topic as text, for every form of BCF. Times are ISO 8601; texts that nobody has given are empty. */
export interface TopicFields {
  readonly guid: string;
  readonly type: string;
  readonly status: string;
  readonly title: string;
  readonly priority: string;
  readonly labels: readonly string[];
  readonly created: string;
  readonly modified: string;
  readonly author: string;
  readonly modifiedBy: string;
  readonly assignee: string;
  readonly due: string;
  readonly stage: string;
  readonly links: readonly string[];
  readonly description: string;
}

/** The content of a topic in an archive. */
export interface WrittenTopic {
  readonly fields: TopicFields;
  readonly files: readonly TopicFile[];
  readonly comments: readonly TopicComment[];
  /** The names of files: the view, and its picture if there is one. */
  readonly views: readonly { readonly guid: string; readonly file: string; readonly snapshot?: string }[];
}

export function topicFields(
  { issue, status }: Topic,
  { model, run }: { readonly model: ArchiveModel; readonly run: Pick<ReportRun, 'rules'> },
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
    modifiedBy: TOPIC_AUTHOR,
    assignee: oneLine(issue.decision.assignee, TITLE_MAX),
    due: due === '' ? '' : isoDate(due),
    stage: '',
    links: [],
    description: description(issue, status, run),
  };
}

export function markupDocument(
  { fields, files, comments, views }: WrittenTopic,
  index: number,
  layout: BcfLayout,
): string {
  const { guid, type, status, title } = fields;
  const text = (name: string, value: string) => (value === '' ? undefined : element(name, {}, value));
  const markup = layout.markupRoot({
    header: header(files, layout),
    topic: [
      { Guid: guid, TopicType: type, TopicStatus: status },
      ...layout.links(fields.links),
      element('Title', {}, title),
      text('Priority', fields.priority),
      element('Index', {}, index),
      ...layout.labels(fields.labels),
      element('CreationDate', {}, fields.created),
      element('CreationAuthor', {}, fields.author),
      element('ModifiedDate', {}, fields.modified),
      element('ModifiedAuthor', {}, fields.modifiedBy),
      text('DueDate', fields.due),
      text('AssignedTo', fields.assignee),
      text('Stage', fields.stage),
      text('Description', fields.description),
    ],
    comments: comments.map(({ guid: own, date, author, text: said, view }) =>
      element(
        'Comment',
        { Guid: own },
        element('Date', {}, date),
        element('Author', {}, author),
        element('Comment', {}, said),
        view === undefined ? undefined : element('Viewpoint', { Guid: view }),
      ),
    ),
    viewpoints: views.map(({ guid: own, file, snapshot }, at) => [
      { Guid: own },
      element('Viewpoint', {}, file),
      snapshot === undefined ? undefined : element('Snapshot', {}, snapshot),
      element('Index', {}, at),
    ]),
  });
  return document(markup);
}

export interface TopicComment {
  readonly guid: string;
  readonly date: string;
  readonly author: string;
  readonly text: string;
  /** The GUID of the view that it is about. */
  readonly view?: string | undefined;
}

/** `since` is the date of those without one. */
export function topicComments(
  { id, decision }: Pick<Issue, 'id' | 'decision'>,
  since: string,
): TopicComment[] {
  return decision.comments.flatMap(({ author, date, text }) => {
    const said = cleanText(text).trim();
    if (said === '') return [];
    return {
      guid: nameUuid(`comment ${id} ${date} ${author} ${text}`),
      date: isoDate(date || since),
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
export function topicFiles(issue: Issue, model: ArchiveModel): TopicFile[] {
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

function header(files: readonly TopicFile[], layout: BcfLayout): Xml | undefined {
  const named = files.map(({ name, project, date }) =>
    element(
      'File',
      { IfcProject: project, [layout.isExternal]: 'true' },
      element('Filename', {}, name),
      element('Date', {}, date),
    ),
  );
  return named.length === 0 ? undefined : layout.header(named);
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

function description(issue: Issue, status: TopicStatus, run: Pick<ReportRun, 'rules'>): string {
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
