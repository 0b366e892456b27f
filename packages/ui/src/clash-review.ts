/** The state of a review: the listed clashes, the selected one, and the decisions. */
import { computed, type ReadonlySignal, signal } from '@preact/signals';
import {
  type ClashRow,
  type Filters,
  issueRows,
  NO_FILTERS,
  type Sort,
  selectClashes,
  sortClashes,
} from './clash-filter.js';
import { type DecisionChange, ownOf, REVIEW_STATUSES, statusOf } from './decisions.js';
import type { ListAddress } from './list-address.js';
import { printing } from './printing.js';
import type { Report } from './report.js';
import type { ReviewKeeper } from './review-keeper.js';

const NO_CLASH = -1;
/** All baseline states; empty without a baseline. */
const BASELINE_STATES = ['', 'new', 'persisting', 'renamed', 'gone'] as const;

export class ClashReview {
  readonly report: Report;
  readonly keeper: ReviewKeeper;
  readonly filters = signal<Filters>(NO_FILTERS);
  readonly sort = signal<Sort>('severity');
  readonly descending = signal(false);
  /** Whether clashes are grouped by issue. */
  readonly issues = signal(false);
  readonly closedIssues = signal<ReadonlySet<number>>(new Set());
  /** A clash that no longer passes the filters after a decision stays listed until another one is selected. */
  readonly #kept = signal(NO_CLASH);
  readonly #current = signal(NO_CLASH);

  /** The selected clash; -1: none. */
  readonly current: ReadonlySignal<number> = this.#current;
  readonly #selected = computed(() => {
    const rows = this.passing();
    const kept = this.#kept.value;
    if (kept === NO_CLASH || rows.includes(kept)) return rows;
    return [...rows, kept].sort((p, q) => p - q);
  });
  readonly #sorted = computed(() =>
    sortClashes(
      this.report,
      this.#selected.value,
      this.sort.value,
      this.descending.value,
      this.keeper.decisions.value,
    ),
  );
  /** The rows of the list. */
  readonly rows = computed<readonly ClashRow[]>(() =>
    this.issues.value
      ? // on paper nobody opens anything
        issueRows(this.report, this.#sorted.value, printing.value ? new Set() : this.closedIssues.value)
      : this.#sorted.value.map((clash) => ({ kind: 'clash', clash })),
  );
  /** The listed clashes in order, including those of closed issues. */
  readonly order = computed<readonly number[]>(() =>
    this.issues.value
      ? issueRows(this.report, this.#sorted.value, new Set()).flatMap((row) =>
          row.kind === 'clash' ? [row.clash] : [],
        )
      : this.#sorted.value,
  );
  /** Number of listed clashes. */
  readonly listed = computed(() => this.#sorted.value.length);
  /** The clashes that count, as in the report: those that exist and are not approved. */
  readonly counted = computed(() => selectClashes(this.report, NO_FILTERS, this.keeper.decisions.value));
  /** Counts among the clashes that pass all other filters: resolved but still existing, and hidden by default. */
  readonly apart = computed(() => {
    const decisions = this.keeper.decisions.value;
    const everything = { ...this.filters.value, review: REVIEW_STATUSES, baseline: BASELINE_STATES };
    const counts = { stillThere: 0, approved: 0, gone: 0 };
    for (const clash of selectClashes(this.report, everything, decisions)) {
      const status = statusOf(ownOf(decisions, this.report.data.clashes.id[clash]));
      if (this.report.baselineOf(clash) === 'gone') counts.gone++;
      else if (status === 'resolved') counts.stillThere++;
      else if (status === 'approved') counts.approved++;
    }
    return counts;
  });
  readonly position = computed(() => this.order.value.indexOf(this.current.value));

  constructor(report: Report, keeper: ReviewKeeper) {
    this.report = report;
    this.keeper = keeper;
  }

  /** The current state, for a link. */
  get address(): ListAddress {
    const clash = this.current.value;
    return {
      clash: clash === NO_CLASH ? '' : this.report.data.clashes.id[clash],
      filters: this.filters.value,
      sort: this.sort.value,
      descending: this.descending.value,
      issues: this.issues.value,
    };
  }

  /** Applies a link, except its selected clash: the page may need to do more to show that. */
  follow({ filters, sort, descending, issues }: ListAddress): void {
    this.filter(filters);
    this.sort.value = sort;
    this.descending.value = descending;
    this.issues.value = issues;
  }

  /** Clashes that pass all filters, or all but one. */
  passing(but?: keyof Filters): readonly number[] {
    // share the result if the excluded filter is not set
    if (but && !this.filters.value[but]?.length) return this.passing();
    let rows = this.#passing.get(but);
    if (!rows) {
      rows = computed(() => selectClashes(this.report, this.filters.value, this.keeper.decisions.value, but));
      this.#passing.set(but, rows);
    }
    return rows.value;
  }
  readonly #passing = new Map<keyof Filters | undefined, ReadonlySignal<readonly number[]>>();

  filter(change: Partial<Filters>): void {
    this.#kept.value = NO_CLASH;
    this.filters.value = { ...this.filters.value, ...change };
  }

  show(clash: number): void {
    if (clash === this.#current.value) return;
    this.#kept.value = NO_CLASH;
    this.#current.value = clash;
  }

  showNone(): void {
    this.show(NO_CLASH);
  }

  /** Selects the next or previous clash; without a selection the first or last. Stops at the ends. */
  step(by: 1 | -1): void {
    const order = this.order.value;
    if (order.length === 0) return;
    const at = this.position.value;
    const next = at < 0 ? (by > 0 ? 0 : order.length - 1) : Math.min(order.length - 1, Math.max(0, at + by));
    const clash = order[next];
    this.show(clash);
    this.openIssueOf(clash);
  }

  openIssueOf(clash: number): void {
    const issue = this.report.data.clashes.group[clash];
    if (this.closedIssues.value.has(issue)) this.toggleIssue(issue);
  }

  toggleIssue(issue: number): void {
    const closed = new Set(this.closedIssues.value);
    if (!closed.delete(issue)) closed.add(issue);
    this.closedIssues.value = closed;
  }

  decide(clashes: readonly number[], change: DecisionChange): void {
    if (clashes.includes(this.#current.value)) this.#kept.value = this.#current.value;
    this.keeper.change(this.#ids(clashes), change);
  }

  say(clashes: readonly number[], text: string): void {
    this.keeper.say(this.#ids(clashes), text);
  }

  /** All clashes of an issue. */
  clashesOf(issue: number): number[] {
    const { group } = this.report.data.clashes;
    return [...group.keys()].filter((clash) => group[clash] === issue);
  }

  #ids(clashes: readonly number[]): string[] {
    return clashes.map((clash) => this.report.data.clashes.id[clash]);
  }
}
