/**
 * `review.yaml` or `review.json`: decisions by clash id, written by people, by the page and by the check. Existing text
 * stays unchanged, comments included; only changed decisions are set.
 */

import { existsSync } from 'node:fs';
import { extname, join } from 'node:path';
import * as v from 'valibot';
import { Document, isScalar, type Node, Pair, parseDocument, visit, type YAMLMap } from 'yaml';
import { CommandError } from '../../command-error.js';
import { readBytes } from '../../regular-file.js';
import { asWritten, NodeReader } from '../../rules/node-reader.js';
import { YamlDocument } from '../../rules/yaml-document.js';
import { REVIEW_STATUSES, type ReviewStatus } from '../../wire/review.js';
import { compareText } from '../../wire/text.js';
import { type Decision, isUndecided, type Review, type ReviewComment, record } from './decision.js';
import { REVIEW_NAMES } from './review-names.js';

const KEYS = ['status', 'assignee', 'due', 'comment', 'comments'] as const;
const COMMENT_KEYS = ['author', 'date', 'text'] as const;

/** Maximum length of hand-written text, some ten thousand decisions; and of any file, in bytes. */
const WRITTEN_CHARACTERS_MAX = 8_000_000;
const BYTES_MAX = 1 << 27;

const HEAD = ` Decisions about clashes, by their ids; see docs/review.md of impinge.
 status: ${REVIEW_STATUSES.join(', ')} (approved clashes are not counted); assignee, due and comment are optional.`;

const TEXT = v.optional(v.string(), '');
const DATE = v.optional(v.pipe(v.string(), v.check(isDate)), '');

/** A decision in JSON. */
const SAVED = v.pipe(
  v.object({
    status: v.picklist(REVIEW_STATUSES),
    assignee: TEXT,
    due: DATE,
    comment: TEXT,
    comments: v.optional(
      v.array(v.object({ author: TEXT, date: DATE, text: v.pipe(v.string(), v.nonEmpty()) })),
      [],
    ),
  }),
  v.transform(
    ({ comment, comments, ...fields }): Decision => ({
      ...fields,
      comments: [...(comment === '' ? [] : [{ author: '', date: '', text: comment }]), ...comments],
    }),
  ),
);

export interface ReviewFile {
  readonly path: string;
  readonly text: string;
  readonly decisions: Review;
}

/** The review file of a folder, if any. Unchanged text is not parsed again. */
export async function readFolderReview(folder: string, before?: ReviewFile): Promise<ReviewFile | undefined> {
  const paths = REVIEW_NAMES.map((name) => join(folder, name)).filter((path) => existsSync(path));
  if (paths.length > 1) {
    throw new CommandError(`${paths.join(' and ')} both exist; keep one, or pass one with --review`);
  }
  return paths.length === 0 ? undefined : readReview(paths[0], before);
}

/** Throws a CommandError with a line per mistake. */
export async function readReview(path: string, before?: ReviewFile): Promise<ReviewFile> {
  // one byte more than allowed, to detect larger files
  const bytes = await readBytes(path, BYTES_MAX + 1);
  if (bytes.length > BYTES_MAX) throw new CommandError(`${path}: is larger than ${BYTES_MAX >> 20} MiB`);
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new CommandError(`${path}: is not UTF-8 text`);
  }
  if (before?.path === path && before.text === text) return before;
  return { path, text, decisions: parseReview(text, path) };
}

/** Parses decisions; errors mention `name`. */
export function parseReview(text: string, name: string): Map<string, Decision> {
  const saved = savedDecisions(text);
  if (saved) return saved;
  const nodes = new NodeReader(new YamlDocument(text, WRITTEN_CHARACTERS_MAX), () => undefined);
  const decisions = new Map<string, Decision>();
  const root = nodes.root && nodes.map(nodes.root, 'a review', ['clashes']).get('clashes');
  if (root) {
    for (const [id, node] of nodes.map(root, 'clashes', undefined)) {
      decisions.set(id, readDecision(nodes, id, node));
    }
  }
  if (nodes.problems.length === 0) return decisions;
  throw new CommandError(
    [...nodes.problems]
      .sort((a, b) => a.line - b.line || a.column - b.column)
      .map(({ line, column, message }) => `${name}:${line}:${column}: ${message}`),
  );
}

/**
 * A fast path for JSON exactly as written here: it needs no positions for errors and is parsed a hundred times faster;
 * undefined for any other text.
 */
function savedDecisions(text: string): Map<string, Decision> | undefined {
  if (!text.startsWith('{')) return undefined;
  try {
    const given = JSON.parse(text) as { readonly clashes: Readonly<Record<string, unknown>> };
    const decisions = new Map<string, Decision>();
    for (const [id, one] of Object.entries(given.clashes)) decisions.set(id, v.parse(SAVED, one));
    return jsonText(decisions) === text ? decisions : undefined;
  } catch {
    return undefined;
  }
}

function jsonText(decisions: Review): string {
  const all = [...decisions].map(([id, decision]) => [id, record(decision)]);
  return `${JSON.stringify({ clashes: Object.fromEntries(all) }, undefined, 2)}\n`;
}

function readDecision(nodes: NodeReader, id: string, node: Node): Decision {
  const given = nodes.map(node, `clash ${id.slice(0, 40)}`, KEYS);
  const text = (key: (typeof KEYS)[number]) => {
    const value = given.get(key);
    return value === undefined ? '' : (nodes.text(value, key, 'a text', true) ?? '');
  };
  const status = text('status') || 'new';
  if (!(REVIEW_STATUSES as readonly string[]).includes(status)) {
    nodes.problem(given.get('status')!, `status: expected one of ${REVIEW_STATUSES.join(', ')}`);
  }
  const due = text('due');
  if (due !== '' && !isDate(due)) nodes.problem(given.get('due')!, 'due: write a date like 2026-12-24');
  const comment = text('comment');
  return {
    status: status as ReviewStatus,
    assignee: text('assignee'),
    due,
    comments: [
      ...(comment === '' ? [] : [{ author: '', date: '', text: comment }]),
      ...nodes.list(given.get('comments'), 'comments').flatMap((one) => readComment(nodes, one)),
    ],
  };
}

function readComment(nodes: NodeReader, node: Node): ReviewComment[] {
  const given = nodes.map(node, 'a comment', COMMENT_KEYS);
  const [author, date, text] = COMMENT_KEYS.map((key) => {
    const value = given.get(key);
    return value === undefined ? '' : (nodes.text(value, key, 'a text', true) ?? '');
  });
  if (date !== '' && !isDate(date)) nodes.problem(given.get('date')!, 'date: write a date like 2026-12-24');
  return text === '' ? [] : [{ author, date, text }];
}

export function isDate(text: string): boolean {
  return /^\d{4}-\d\d-\d\d/.test(text) && !Number.isNaN(Date.parse(text));
}

/**
 * The file to write into a folder for these decisions; undefined if it is up to date or there are none. `first` is the
 * name of a new file; `moved` has the earlier ids of clashes whose entries get others.
 */
export function reviewUpdate(
  own: ReviewFile | undefined,
  decisions: Review,
  first: (typeof REVIEW_NAMES)[number] = 'review.yaml',
  moved: ReadonlyMap<string, string> = new Map(),
): { readonly name: string; readonly text: string } | undefined {
  const changed = [...decisions]
    .filter(([id, decision]) => !isSame(own?.decisions.get(id), decision))
    .sort(([p], [q]) => compareText(p, q));
  if (changed.length === 0) return undefined;
  const name = own === undefined ? first : extname(own.path) === '.json' ? 'review.json' : 'review.yaml';
  const all = new Map([...(own?.decisions ?? []), ...changed]);
  for (const former of moved.values()) all.delete(former);
  if (name === 'review.json') {
    return { name, text: jsonText(all) };
  }
  const document = own && editable(own);
  const written = document ?? new Document({ clashes: {} });
  if (!own) written.commentBefore = HEAD;
  setEntries(written, document || !own ? changed : [...all], moved);
  return { name, text: written.toString({ lineWidth: 0 }) };
}

/** The parsed document; undefined if aliases make it impossible to change single decisions. */
function editable({ text, decisions }: ReviewFile): Document | undefined {
  if (decisions.size === 0) return undefined;
  const document = parseDocument(text, { uniqueKeys: false });
  let hasAliases = false;
  visit(document, {
    Alias() {
      hasAliases = true;
      return visit.BREAK;
    },
  });
  return hasAliases ? undefined : document;
}

/** Sets decisions; existing entries keep their place, also under another id. */
function setEntries(
  document: Document,
  changed: readonly (readonly [string, Decision])[],
  moved: ReadonlyMap<string, string>,
): void {
  const { items } = document.get('clashes') as YAMLMap<Node, Node | null>;
  const known = new Map(items.map((pair) => [isScalar(pair.key) ? asWritten(pair.key) : '', pair]));
  for (const [id, decision] of changed) {
    const value = document.createNode(record(decision));
    const former = known.get(moved.get(id) ?? '');
    const pair = known.get(id) ?? former;
    if (former && pair === former) pair.key = document.createNode(id);
    else if (former) items.splice(items.indexOf(former), 1);
    if (pair) pair.value = value;
    else items.push(new Pair<Node, Node | null>(document.createNode(id), value));
  }
}

function isSame(p: Decision | undefined, q: Decision): boolean {
  return p === undefined ? isUndecided(q) : JSON.stringify(record(p)) === JSON.stringify(record(q));
}
