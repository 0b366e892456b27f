/**
 * The state of a topic at its export, written into its description, so that an import can tell what has changed since,
 * whatever was decided here meanwhile. Most tools preserve descriptions; they do not preserve dates, the order of
 * elements and entities.
 *
 * Layout: `[as exported: active~ 1a2b3c4d 2026-12-24T00:00:00.000Z 5e6f7a8b 9c0d1e2f~]`: the status, a code of the
 * assignee, the date, a code of each comment; `-` for empty values, and `~` after values that not all clashes of the
 * topic have.
 */
import { createHash } from 'node:crypto';
import { REVIEW_STATUSES, type ReviewStatus } from '../../wire/review.js';
import type { Decision } from '../review/decision.js';
import { isoDate } from '../text.js';

interface Said<T> {
  readonly value: T;
  /** Whether every clash of the topic had it. */
  readonly isOfAll: boolean;
}

export interface ExportedState {
  readonly status: Said<ReviewStatus>;
  /** A `textCode`; empty: unassigned. */
  readonly assignee: Said<string>;
  /** ISO 8601; empty: no due date. */
  readonly due: Said<string>;
  /** By `textCode`: whether every clash had it. */
  readonly comments: ReadonlyMap<string, boolean>;
}

const HASHED_MAX = 10_000;
/** The error of tools that write local times without a zone is at most this. */
const ZONES_MS = 14 * 3600 * 1000;

/** Independent of escaping and line breaks. */
export function textCode(text: string): string {
  let plain = text.replace(/\s+/g, ' ').trim().slice(0, HASHED_MAX);
  for (let before = ''; before !== plain; ) {
    before = plain;
    plain = unescaped(plain);
  }
  return plain === '' ? '' : createHash('sha256').update(plain).digest('hex').slice(0, 8);
}

function unescaped(text: string): string {
  return text
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replace(/&apos;|&#39;|&#x27;/g, "'")
    .replaceAll('&amp;', '&');
}

/** The exported state of a topic with these decisions, summarised as `common`. */
export function stateOf(common: Decision, decisions: readonly Decision[]): ExportedState {
  const codes = decisions.map(({ comments }) => new Set(comments.map(({ text }) => textCode(text))));
  const said = <T>(value: T, isOf: (decision: Decision) => boolean): Said<T> => ({
    value,
    isOfAll: decisions.every(isOf),
  });
  return {
    status: said(common.status, ({ status }) => status === common.status),
    assignee: said(textCode(common.assignee), ({ assignee }) => assignee === common.assignee),
    due: said(common.due && isoDate(common.due), ({ due }) => due === common.due),
    comments: new Map(
      common.comments
        .map(({ text }) => textCode(text))
        .map((code) => [code, codes.every((own) => own.has(code))]),
    ),
  };
}

/** Formats the state for a description. */
export function stateText({ status, assignee, due, comments }: ExportedState): string {
  const word = ({ value, isOfAll }: Said<string>) => `${value || '-'}${isOfAll ? '' : '~'}`;
  const said = [...comments].map(([value, isOfAll]) => word({ value, isOfAll }));
  return `[as exported: ${[status, assignee, due].map(word).concat(said).join(' ')}]`;
}

/** The state in a description; undefined without one. */
export function stateIn(description: string): ExportedState | undefined {
  const [, text] = /\[as exported:\s*([^\]]*)\]/.exec(description) ?? [];
  const [status, assignee, due, ...comments] = (text ?? '').trim().split(/\s+/).map(readWord);
  if (!assignee || !due || !isStatus(status)) return undefined;
  return { status, assignee, due, comments: new Map(comments.map(({ value, isOfAll }) => [value, isOfAll])) };
}

/** A description without the states in it. */
export function withoutState(description: string): string {
  return description.replace(/\s*\[as exported:[^\]]*\]\s*/g, '\n').trim();
}

function readWord(word: string): Said<string> {
  const isOfAll = !word.endsWith('~');
  const value = isOfAll ? word : word.slice(0, -1);
  return { value: value === '-' ? '' : value, isOfAll };
}

function isStatus(said: Said<string>): said is Said<ReviewStatus> {
  return (REVIEW_STATUSES as readonly string[]).includes(said.value);
}

/** Whether two due dates mean the same day: the same time in any zone, or the same day with another time. */
export function isSameDue(p: string, q: string): boolean {
  if (p.slice(0, 10) === q.slice(0, 10)) return true;
  return Math.abs(Date.parse(isoDate(p)) - Date.parse(isoDate(q))) <= ZONES_MS;
}
