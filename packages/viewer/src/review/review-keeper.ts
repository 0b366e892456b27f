/**
 * Saves decisions. What was changed lies on top of what the server last said until it has it, so that nothing that
 * others decide meanwhile is undone. In an exported folder the browser keeps the changes.
 */
import { signal } from '@preact/signals';
import type { ReviewAnswer, ReviewChanges } from '../../../cli/src/wire/review.js';
import type { ViewManifest } from '../../../cli/src/wire/view-manifest.js';
import { type DecisionChange, type DecisionChanges, ownOf, withChanges } from '../../../ui/src/decisions.js';
import { ReviewKeeper, type SavingState } from '../../../ui/src/review-keeper.js';
import type { ModelReport } from './report.js';

const RETRY_MS = 5000;

export class SavingKeeper extends ReviewKeeper {
  readonly #url: string;
  readonly #live: boolean;
  readonly #storageKey: string;
  readonly #saving = signal<SavingState>({ kind: 'saved' });
  #sending = false;
  #retry: ReturnType<typeof setTimeout> | undefined;

  /** Begins with what the report says; `load` asks for what was decided since. */
  constructor(
    { review, live }: Pick<ViewManifest, 'review' | 'live'>,
    report: Pick<ModelReport, 'data' | 'date'>,
  ) {
    super(report.data.review);
    this.#url = review!;
    this.#live = live;
    this.#storageKey = `impinge-review ${location.pathname} ${report.date}`;
    this.author.value = stored('impinge-author') ?? '';
  }

  protected override saving(): SavingState {
    return this.#live
      ? this.#saving.value
      : { kind: 'here', count: this.pending.value.size, where: 'browser' };
  }

  /** Throws an `Error` with one line for people. */
  async load(): Promise<void> {
    if (!this.#live) this.pending.value = readChanges(this.#storageKey);
    const response = await fetch(this.#url, { cache: 'no-store' });
    if (!response.ok) throw new Error(`cannot read decisions: the server responded ${response.status}`);
    const answer = (await response.json()) as ReviewAnswer;
    // an answer that was asked for before something was sent may be older than that
    if (!this.#sending) this.known.value = answer;
  }

  override change(ids: readonly string[], change: DecisionChange): void {
    super.change(ids, change);
    if (this.#live) void this.#send();
    else store(this.#storageKey, JSON.stringify([...this.pending.value]));
  }

  override say(ids: readonly string[], text: string): void {
    store('impinge-author', this.author.value.trim());
    super.say(ids, text);
  }

  /** Sends what is not saved, one request after the other; tries again where that fails. */
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
          headers: { 'Content-Type': 'application/json' },
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

/** What was changed while something was sent. */
function withoutSent(pending: DecisionChanges, sent: DecisionChanges): DecisionChanges {
  // a change is never altered, only replaced; what it says a second time is known to be the same
  return new Map([...pending].filter(([id, change]) => sent.get(id) !== change));
}

function readChanges(key: string): DecisionChanges {
  try {
    return new Map(JSON.parse(stored(key) ?? '[]') as [string, DecisionChange][]);
  } catch {
    return new Map();
  }
}

/** Browsers may refuse to keep anything. */
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
