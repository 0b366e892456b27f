/** What webhooks are told about changed decisions: one message for all clashes that changed together. */
import { type Decision, type Review, UNDECIDED } from '@impinge/cli/internal/reports/review/decision.js';
import type { Changed } from '@impinge/cli/internal/reports/review/merge-change.js';
import type { WebhookEvent } from './api/schemas.js';
import type { Message } from './state/webhooks.js';

/** Clashes named in a message; it counts the others. */
const NAMED_MAX = 500;

type Change = readonly [clash: string, decision: Decision];

/** By event: whether a change is one, and the fields that say what it was before. */
const EVENTS: Readonly<
  Partial<
    Record<WebhookEvent, (was: Decision, now: Decision) => Readonly<Record<string, unknown>> | undefined>
  >
> = {
  'clash-decided': (was, now) =>
    was.status !== now.status || was.due !== now.due
      ? { was: { status: was.status, due: was.due } }
      : undefined,
  'clash-assigned': (was, now) =>
    was.assignee !== now.assignee ? { was: { assignee: was.assignee } } : undefined,
  'clash-commented': ({ comments }, now) => {
    const said = now.comments.slice();
    for (const known of comments) {
      const at = said.findIndex(({ text, author, date }) => isOf(known, { text, author, date }));
      if (at >= 0) said.splice(at, 1);
    }
    return said.length > 0 ? { comments: said } : undefined;
  },
};

function isOf(p: Decision['comments'][number], q: Decision['comments'][number]): boolean {
  return p.text === q.text && p.author === q.author && p.date === q.date;
}

export function messagesOf(
  project: string,
  revision: number,
  { author, date }: Changed,
  before: Review,
  changed: readonly Change[],
): Message[] {
  return Object.entries(EVENTS).flatMap(([event, differs]) => {
    const clashes = changed.flatMap(([clash, now]) => {
      const difference = differs(before.get(clash) ?? UNDECIDED, now);
      const { status, assignee, due } = now;
      return difference ? [{ clash, status, assignee, due, ...difference }] : [];
    });
    if (clashes.length === 0) return [];
    const told = { event, project, revision: String(revision), by: author, date };
    const body = JSON.stringify({ ...told, count: clashes.length, clashes: clashes.slice(0, NAMED_MAX) });
    return [{ event: event as WebhookEvent, body }];
  });
}
