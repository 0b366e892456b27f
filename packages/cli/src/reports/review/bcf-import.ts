/**
 * Reads decisions from a BCF 2.0, 2.1 or 3.0 archive of another tool: status, assignee, date and comments of topics
 * exported by impinge, matched by the clash ids in their descriptions or by their GUIDs; and what else there is of
 * topics that name no clashes. Archives are untrusted: unpacked size, number of topics and length of texts are limited,
 * whatever they declare.
 */
import { SaxesParser } from 'saxes';
import { CommandError } from '../../command-error.js';
import { asFormatError, FormatError, quoted } from '../../formats/format-error.js';
import { SourceFile } from '../../formats/source-file.js';
import { ZipArchive } from '../../formats/zip-archive.js';
import type { ReviewStatus } from '../../wire/review.js';
import { cleanText, cut, oneLine } from '../../wire/text.js';
import type { BcfView } from '../bcf/bcf-view.js';
import { type ExportedState, stateIn, withoutState } from '../bcf/exported-state.js';
import { readViewpoint } from '../bcf/read-viewpoint.js';
import type { Decision, ReviewComment } from './decision.js';

const TOPICS_MAX = 50_000;
const MARKUP_BYTES_MAX = 4 << 20;
/** Of all topics together: far more than any genuine archive has. */
const MARKUPS_BYTES_MAX = 1 << 28;
const DEPTH_MAX = 32;
const COMMENTS_MAX = 500;
const TEXT_MAX = 20_000;
const NAME_MAX = 200;
const LABELS_MAX = 100;
/** Of one topic; and bytes of one view or picture, and of all. */
export const VIEWS_MAX = 50;
const VIEW_BYTES_MAX = 4 << 20;
const VIEWS_BYTES_MAX = 64 << 20;
const GUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

export interface ImportedTopic {
  readonly guid: string;
  /** The due date includes its original time. */
  readonly decision: Decision;
  /** What its description says of its export; of several where another tool has made one topic of several. */
  readonly exports: readonly TopicExport[];
  readonly text: ImportedText;
  /** Those that can be read, if they were asked for, of topics that name no clashes. */
  readonly views: readonly ImportedView[];
}

/** What a topic says besides its decision. Dates are ISO 8601; empty if unknown. */
export interface ImportedText {
  readonly title: string;
  readonly type: string;
  /** The word for its status. */
  readonly word: string;
  readonly priority: string;
  readonly labels: readonly string[];
  readonly stage: string;
  readonly links: readonly string[];
  /** Without the exported state. */
  readonly description: string;
  readonly created: string;
  readonly author: string;
}

export interface ImportedView {
  readonly view: BcfView;
  /** A PNG or JPEG, as the archive calls it. */
  readonly picture: Uint8Array | undefined;
  /** The texts of the comments about it. */
  readonly comments: readonly string[];
}

/** A topic as it was exported. */
export interface TopicExport {
  /** Undefined if the description has none. */
  readonly state: ExportedState | undefined;
  /** The ids of its clashes; none if the description has none. */
  readonly clashes: readonly string[];
}

/** Words of other tools for our statuses; all others count as active. */
const STATUSES: readonly (readonly [ReviewStatus, RegExp])[] = [
  ['new', /^(|new|open|opened|todo|to do)$/],
  ['reviewed', /^(reviewed|in review|review|ready)$/],
  ['approved', /^(approved|accepted|ignored|void|wont fix|won't fix|no issue|not an issue)$/],
  ['resolved', /^(resolved|closed|done|fixed|completed?|solved)$/],
];

export function statusOf(word: string): ReviewStatus {
  const plain = word.trim().toLowerCase().replace(/[_-]+/g, ' ');
  return STATUSES.find(([, words]) => words.test(plain))?.[0] ?? 'active';
}

/** All topics of an archive; throws a one-line error if it is invalid. */
export async function readBcf(path: string, withViews = false): Promise<ImportedTopic[]> {
  let file: SourceFile;
  try {
    file = await SourceFile.open(path, { memoryBytes: 16e6 });
  } catch (error) {
    throw asFormatError(error, path);
  }
  try {
    const archive = ZipArchive.open(file);
    const names = archive.names(/^[^/]+\/markup\.bcf$/i);
    if (!archive.has('bcf.version')) throw new CommandError(`${path}: ${withoutVersion(names.length)}`);
    if (names.length > TOPICS_MAX) throw new CommandError(`${path}: has more than ${TOPICS_MAX} topics`);
    const byteLength = names.reduce((sum, name) => sum + archive.byteLength(name), 0);
    if (byteLength > MARKUPS_BYTES_MAX)
      throw new CommandError(`${path}: its topics come to more than ${MARKUPS_BYTES_MAX >> 20} MiB`);
    const topics: ImportedTopic[] = [];
    const left = { bytes: VIEWS_BYTES_MAX };
    for (const name of names) {
      if (archive.byteLength(name) > MARKUP_BYTES_MAX) {
        throw new FormatError(path, `is larger than ${MARKUP_BYTES_MAX >> 20} MiB`, quoted(name));
      }
      const { topic, viewFiles } = parseMarkup((await bytesOf(archive, name)).toString('utf8'), path, name);
      const isAboutClashes = topic.exports.some(({ clashes }) => clashes.length > 0);
      const views =
        withViews && !isAboutClashes
          ? await readViews(archive, name.slice(0, name.indexOf('/') + 1), viewFiles, left)
          : [];
      topics.push({ ...topic, views });
    }
    return topics;
  } finally {
    await file.close();
  }
}

async function bytesOf(archive: ZipArchive, name: string): Promise<Buffer> {
  const parts: Uint8Array[] = [];
  for await (const part of archive.read(name)) parts.push(part);
  return Buffer.concat(parts);
}

interface ViewFile {
  guid: string;
  file: string;
  snapshot: string;
  readonly comments: string[];
}

/** `left` is what the views of the archive may still take. */
async function readViews(
  archive: ZipArchive,
  folder: string,
  files: readonly ViewFile[],
  left: { bytes: number },
): Promise<ImportedView[]> {
  const views: ImportedView[] = [];
  const read = async (name: string) => {
    if (name === '' || !archive.has(folder + name)) return undefined;
    const byteLength = archive.byteLength(folder + name);
    if (byteLength > Math.min(VIEW_BYTES_MAX, left.bytes)) return undefined;
    left.bytes -= byteLength;
    return bytesOf(archive, folder + name);
  };
  for (const { guid, file, snapshot, comments } of files.slice(0, VIEWS_MAX)) {
    const text = await read(file);
    const view = text && readViewpoint(text.toString('utf8'));
    if (view && GUID.test(guid))
      views.push({ view: { ...view, guid }, picture: await read(snapshot), comments });
  }
  return views;
}

function parseMarkup(
  text: string,
  path: string,
  name: string,
): { readonly topic: Omit<ImportedTopic, 'views'>; readonly viewFiles: readonly ViewFile[] } {
  const fail = (why: string) => new FormatError(path, why, quoted(name));
  const elements: { name: string; text: string }[] = [];
  const comments: { author: string; date: string; text: string; view: string }[] = [];
  const viewFiles: ViewFile[] = [];
  const found = { guid: '', status: '', type: '', assignee: '', due: '', description: '' };
  const named = { Title: '', Priority: '', Stage: '', CreationDate: '', CreationAuthor: '' };
  const labels: string[] = [];
  const links: string[] = [];
  let isTopicThere = false;
  const parser = new SaxesParser();
  parser.on('error', (error) => {
    throw fail(`is not XML: ${error.message.split('\n')[0]}`);
  });
  parser.on('opentag', ({ name: tag, attributes }) => {
    const given = attributes as Record<string, string>;
    if (elements.length >= DEPTH_MAX) throw fail(`elements are nested more than ${DEPTH_MAX} deep`);
    elements.push({ name: tag, text: '' });
    if (tag === 'Topic' && elements.length === 2) {
      isTopicThere = true;
      found.guid = (given['Guid'] ?? '').toLowerCase();
      found.status = given['TopicStatus'] ?? '';
      found.type = given['TopicType'] ?? '';
    }
    if (isViewEntry(elements)) {
      if (viewFiles.length < VIEWS_MAX)
        viewFiles.push({ guid: (given['Guid'] ?? '').toLowerCase(), file: '', snapshot: '', comments: [] });
    }
    if (tag === 'Viewpoint' && isEntry(elements.slice(0, -1)))
      comments.at(-1)!.view = (given['Guid'] ?? '').toLowerCase();
    if (tag === 'Comment' && isEntry(elements)) {
      if (comments.length >= COMMENTS_MAX) throw fail(`has more than ${COMMENTS_MAX} comments`);
      comments.push({ author: '', date: '', text: '', view: '' });
    }
  });
  const take = (more: string) => {
    const element = elements.at(-1);
    if (element && element.text.length < TEXT_MAX) element.text += more;
  };
  parser.on('text', take);
  parser.on('cdata', take);
  parser.on('closetag', () => {
    const { name: tag, text: raw } = elements.pop()!;
    const value = cleanText(cut(raw, TEXT_MAX)).trim();
    const parent = elements.at(-1)?.name;
    if (parent === 'Topic' && elements.length === 2) {
      if (tag === 'AssignedTo') found.assignee = value;
      else if (tag === 'DueDate') found.due = value;
      else if (tag === 'Description') found.description = value;
      else if (tag === 'TopicStatus') found.status = value;
      else if (tag === 'TopicType') found.type = value;
      else if (tag === 'ReferenceLink') addTo(links, value);
      else if (tag === 'Labels') addTo(labels, value);
      else if (Object.hasOwn(named, tag)) named[tag as keyof typeof named] = value;
    } else if (tag === 'Label' && parent === 'Labels') addTo(labels, value);
    else if (tag === 'ReferenceLink' && parent === 'ReferenceLinks') addTo(links, value);
    else if (isViewEntry(elements)) {
      const view = viewFiles.at(-1)!;
      if (tag === 'Viewpoint') view.file = value;
      else if (tag === 'Snapshot') view.snapshot = value;
    } else if (parent === 'Comment' && isEntry(elements)) {
      const comment = comments.at(-1)!;
      if (tag === 'Author') comment.author = value;
      else if (tag === 'Date') comment.date = value;
      else if (tag === 'Comment') comment.text = value;
    }
  });
  parser.write(text).close();
  if (!isTopicThere) throw fail('has no Topic');
  const isDate = (date: string) => /^\d{4}-\d\d-\d\d/.test(date) && !Number.isNaN(Date.parse(date));
  for (const { view, text: said } of comments) {
    if (said !== '') viewFiles.find(({ guid }) => guid === view)?.comments.push(said);
  }
  const topic = {
    guid: found.guid,
    decision: {
      status: statusOf(found.status),
      assignee: found.assignee,
      due: isDate(found.due) ? found.due : '',
      comments: comments
        .filter((comment) => comment.text !== '')
        .map(
          ({ author, date, text: said }): ReviewComment => ({
            author,
            date: isDate(date) ? date : '',
            text: said,
          }),
        ),
    },
    exports: exportsIn(found.description),
    text: {
      title: oneLine(named.Title, NAME_MAX),
      type: oneLine(found.type, NAME_MAX),
      word: oneLine(found.status, NAME_MAX),
      priority: oneLine(named.Priority, NAME_MAX),
      labels: labels.map((label) => oneLine(label, NAME_MAX)),
      stage: oneLine(named.Stage, NAME_MAX),
      links,
      description: withoutState(found.description),
      created: isDate(named.CreationDate) ? new Date(named.CreationDate).toISOString() : '',
      author: oneLine(named.CreationAuthor, NAME_MAX),
    },
  };
  return { topic, viewFiles };
}

function addTo(list: string[], value: string): void {
  if (value !== '' && list.length < LABELS_MAX) list.push(value);
}

/** Whether the innermost element is an entry of the list of views, or in one. */
function isViewEntry(elements: readonly { readonly name: string }[]): boolean {
  const path = elements.map(({ name }) => name).join('/');
  return path === 'Markup/Viewpoints' || path === 'Markup/Topic/Viewpoints/ViewPoint';
}

function withoutVersion(topics: number): string {
  return topics === 0
    ? 'is not BCF: it has no bcf.version'
    : 'is BCF 1.0, whose topics have no status and nobody assigned; export it as BCF 2.0, 2.1 or 3.0';
}

/** The ids after each state belong to it. */
function exportsIn(description: string): TopicExport[] {
  const [head, ...parts] = description.split(/(?=\[as exported:)/);
  const [first = '', ...others] = parts;
  return [head + first, ...others].map((part) => ({
    state: stateIn(part),
    clashes: [...part.matchAll(/\[([0-9a-f]{16})\]/g)].map(([, id]) => id),
  }));
}

/** Whether the innermost element is an entry of the list of comments; before 3.0 that is in the root. */
function isEntry(elements: readonly { readonly name: string }[]): boolean {
  const path = elements.map(({ name }) => name).join('/');
  return path === 'Markup/Comment' || path === 'Markup/Topic/Comments/Comment';
}
