/** Decisions with unsaved changes applied. Here they last as long as the page; the viewer's subclass saves them. */
import { computed, type ReadonlySignal, signal } from '@preact/signals';
import type { Decision, Decisions, ReviewAnswer } from '../../cli/src/wire/review.js';
import { type DecisionChange, type DecisionChanges, joined, ownOf, withChanges } from './decisions.js';

export type SavingState =
  | { readonly kind: 'saved' | 'saving' }
  | { readonly kind: 'failed' | 'fixed'; readonly why: string }
  /** Not saved because there is no server: the number of changed clashes, and where they are kept. */
  | { readonly kind: 'here'; readonly count: number; readonly where: 'page' | 'browser' };

export class ReviewKeeper {
  protected readonly known;
  protected readonly pending = signal<DecisionChanges>(new Map());
  /** The name that the user enters, unless the server knows it. */
  readonly author = signal('');
  readonly isAuthorKnown: boolean = false;
  /** Why nothing can be decided; null: it can. */
  readonly readOnly: string | null = null;

  readonly decisions = computed<Decisions>(() => withChanges(this.known.value.decisions, this.pending.value));
  readonly state: ReadonlySignal<SavingState> = computed(() => this.saving());
  /** Everyone who has been assigned a clash. */
  readonly people = computed(() =>
    [...new Set(Object.values(this.decisions.value).map(({ assignee }) => assignee ?? ''))]
      .filter(Boolean)
      .sort(),
  );

  constructor(decisions: Decisions) {
    this.known = signal<ReviewAnswer>({ revision: '', decisions });
  }

  protected saving(): SavingState {
    return { kind: 'here', count: this.pending.value.size, where: 'page' };
  }

  decisionOf(id: string): Decision | undefined {
    return ownOf(this.decisions.value, id);
  }

  change(ids: readonly string[], change: DecisionChange): void {
    const pending = new Map(this.pending.value);
    for (const id of ids) pending.set(id, joined(pending.get(id), change));
    this.pending.value = pending;
  }

  say(ids: readonly string[], text: string): void {
    const author = this.author.value.trim();
    const date = new Date().toISOString();
    this.change(ids, { said: [{ ...(author !== '' && { author }), date, text }] });
  }
}
