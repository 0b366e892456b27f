/**
 * `review.yaml` or `review.json`: decisions by the ids of clashes, written by people, by the page and by the check.
 * What was there stays as it was written, comments included; only decisions that changed are set.
 */

import { existsSync } from 'node:fs';
import { extname, join } from 'node:path';
import { Document, type Node, parseDocument } from 'yaml';
import { CommandError } from '../../command-error.js';
import { readBytes } from '../../regular-file.js';
import { NodeReader } from '../../rules/node-reader.js';
import { MAX_CHARACTERS, YamlDocument } from '../../rules/yaml-document.js';
import { compareText } from '../text.js';
import {
  type Decision,
  isUndecided,
  REVIEW_STATUSES,
  type Review,
  type ReviewComment,
  type ReviewStatus,
  record,
} from './decision.js';
import { REVIEW_NAMES } from './review-names.js';

const KEYS = ['status', 'assignee', 'due', 'comment', 'comments'] as const;
const COMMENT_KEYS = ['author', 'date', 'text'] as const;

const HEAD = ` Decisions about clashes, by their ids; docs/review.md of impinge says more.
 status: ${REVIEW_STATUSES.join(', ')} (approved ones are not counted); assignee, due, comment as you like.`;

export interface ReviewFile {
  readonly path: string;
  readonly text: string;
  readonly decisions: Review;
}

/** The file of a folder; undefined where there is none. */
export async function readFolderReview(folder: string): Promise<ReviewFile | undefined> {
  const paths = REVIEW_NAMES.map((name) => join(folder, name)).filter((path) => existsSync(path));
  if (paths.length > 1) {
    throw new CommandError(`${paths.join(' and ')} are both there; keep one, or name one with --review`);
  }
  return paths.length === 0 ? undefined : readReview(paths[0]);
}

/** Throws a CommandError with a line for each mistake. */
export async function readReview(path: string): Promise<ReviewFile> {
  // a little more than is allowed, so that it shows
  const bytes = await readBytes(path, 4 * MAX_CHARACTERS + 1);
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new CommandError(`${path}: is not a text in UTF-8, or a very long one`);
  }
  return { path, text, decisions: parseReview(text, path) };
}

/** The decisions in a text; `name` stands for it in errors. */
export function parseReview(text: string, name: string): Map<string, Decision> {
  const nodes = new NodeReader(new YamlDocument(text), () => undefined);
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

function readDecision(nodes: NodeReader, id: string, node: Node): Decision {
  const given = nodes.map(node, `clash ${id.slice(0, 40)}`, KEYS);
  const text = (key: (typeof KEYS)[number]) => {
    const value = given.get(key);
    return value === undefined ? '' : (nodes.text(value, key, 'a text', true) ?? '');
  };
  const status = text('status') || 'new';
  if (!(REVIEW_STATUSES as readonly string[]).includes(status)) {
    nodes.problem(given.get('status')!, `status: there are ${REVIEW_STATUSES.join(', ')}`);
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

function isDate(text: string): boolean {
  return /^\d{4}-\d\d-\d\d/.test(text) && !Number.isNaN(Date.parse(text));
}

/**
 * What to write into a folder so that it holds these decisions: nothing where its file does already, or where there are
 * none. Without a file of its own it gets a `review.yaml`.
 */
export function reviewUpdate(
  own: ReviewFile | undefined,
  decisions: Review,
): { readonly name: string; readonly text: string } | undefined {
  const changed = [...decisions]
    .filter(([id, decision]) => !isSame(own?.decisions.get(id), decision))
    .sort(([p], [q]) => compareText(p, q));
  if (changed.length === 0) return undefined;
  const name = own && extname(own.path) === '.json' ? 'review.json' : 'review.yaml';
  if (name === 'review.json') {
    const all = [...(own?.decisions ?? []), ...changed].map(([id, decision]) => [id, record(decision)]);
    return { name, text: `${JSON.stringify({ clashes: Object.fromEntries(all) }, undefined, 2)}\n` };
  }
  const document = own && own.decisions.size > 0 ? parseDocument(own.text) : new Document({ clashes: {} });
  if (!own) document.commentBefore = HEAD;
  for (const [id, decision] of changed)
    document.setIn(['clashes', id], document.createNode(record(decision)));
  return { name, text: document.toString({ lineWidth: 0 }) };
}

function isSame(p: Decision | undefined, q: Decision): boolean {
  return p === undefined ? isUndecided(q) : JSON.stringify(record(p)) === JSON.stringify(record(q));
}
