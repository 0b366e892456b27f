/**
 * Saves decisions. Unsaved changes are applied on top of the server's last answer, so that concurrent decisions of
 * others are not undone. In an exported folder, the browser stores the changes.
 */
import { signal } from '@preact/signals';
import type { PageData } from '../../cli/src/wire/report.js';
import type { ReviewAnswer, ReviewChanges } from '../../cli/src/wire/review.js';
import type { Saving, ViewManifest } from '../../cli/src/wire/view-manifest.js';
import { type DecisionChange, type DecisionChanges, ownOf, withChanges } from './decisions.js';
import { ReviewKeeper, type SavingState } from './review-keeper.js';

const RETRY_MS = 5000;

export class SavingKeeper extends ReviewKeeper {
  readonly #url: string;
  readonly #live: boolean;
  readonly #by: Saving | undefined;
  override readonly isAuthorKnown: boolean;
  override readonly readOnly: string | null;
  readonly #storageKey: string;
  readonly #saving = signal<SavingState>({ kind: 'saved' });
  #sending = false;
  #retry: ReturnType<typeof setTimeout> | undefined;

  /** Starts with the report's decisions; `load` fetches later ones. */
  constructor(
    { review, live, saving }: Pick<ViewManifest, 'review' | 'live' | 'saving'>,
    report: { readonly data: Pick<PageData, 'review'>; readonly date: string },
  ) {
    super(report.data.review);
    this.#url = review!;
    this.#live = live;
    this.#storageKey = `impinge-review ${location.pathname} ${report.date}`;
    this.#by = saving;
    this.isAuthorKnown = saving !== undefined;
    this.readOnly = saving?.readOnly ?? null;
    this.author.value = saving?.author ?? stored('impinge-author') ?? '';
  }

  protected override saving(): SavingState {
    if (this.readOnly !== null) return { kind: 'fixed', why: this.readOnly };
    return this.#live
      ? this.#saving.value
      : { kind: 'here', count: this.pending.value.size, where: 'browser' };
  }

  /** Throws an `Error` with a one-line message. */
  async load(): Promise<void> {
    if (!this.#live) this.pending.value = readChanges(this.#storageKey);
    const response = await fetch(this.#url, { cache: 'no-store' });
    if (!response.ok) throw new Error(`cannot read decisions: the server responded ${response.status}`);
    const answer = (await response.json()) as ReviewAnswer;
    // an answer requested before a change was sent may be older than the change
    if (!this.#sending) this.known.value = answer;
  }

  override change(ids: readonly string[], change: DecisionChange): void {
    super.change(ids, change);
    if (this.#live) void this.#send();
    else store(this.#storageKey, JSON.stringify([...this.pending.value]));
  }

  override say(ids: readonly string[], text: string): void {
    if (!this.isAuthorKnown) store('impinge-author', this.author.value.trim());
    super.say(ids, text);
  }

  /** Sends unsaved changes, one request after the other, and retries on failure. */
  async #send(): Promise<void> {
    if (this.#sending) return;
    this.#sending = true;
    clearTimeout(this.#retry);
    this.#saving.value = { kind: 'saving' };
    try {
      while (this.pending.value.size > 0) {
        const sent = this.pending.value;
        const decided = withChanges(this.known.value.decisions, sent);
        const changes = Object.fromEntries([...sent.keys()].map((id) => [id, ownOf(decided, id)!]));
        const body: ReviewChanges = {
          base: this.known.value.revision,
          changes,
          author: this.author.value.trim(),
        };
        const response = await fetch(this.#url, {
          method: 'POST',
          headers: { 'Content-Type': 'application/json', ...csrfHeader(this.#by) },
          body: JSON.stringify(body),
        });
        if (!response.ok) throw new Error(`the server responded ${response.status}`);
        this.known.value = (await response.json()) as ReviewAnswer;
        this.pending.value = withoutSent(this.pending.value, sent);
      }
      this.#saving.value = { kind: 'saved' };
    } catch (error) {
      const why = error instanceof TypeError ? 'the server does not respond' : (error as Error).message;
      this.#saving.value = { kind: 'failed', why };
      this.#retry = setTimeout(() => void this.#send(), RETRY_MS);
    } finally {
      this.#sending = false;
    }
  }
}

/** The proof to a service that a request comes from one of its pages. */
export function csrfHeader(saving: Saving | undefined): Record<string, string> {
  return saving ? { 'X-CSRF-Token': saving.csrf } : {};
}

/** The changes made while a request was under way. */
function withoutSent(pending: DecisionChanges, sent: DecisionChanges): DecisionChanges {
  // changes are immutable; a repeated comment is recognised
  return new Map([...pending].filter(([id, change]) => sent.get(id) !== change));
}

function readChanges(key: string): DecisionChanges {
  try {
    return new Map(JSON.parse(stored(key) ?? '[]') as [string, DecisionChange][]);
  } catch {
    return new Map();
  }
}

/** Browsers may refuse storage. */
function stored(key: string): string | undefined {
  try {
    return localStorage.getItem(key) ?? undefined;
  } catch {
    return undefined;
  }
}

function store(key: string, text: string): void {
  try {
    localStorage.setItem(key, text);
  } catch {
    // then it lasts as long as the page
  }
}
