/** Decisions made on the page, and how they get into a file. Runs in the reader's browser. */
import type { PageData } from '../../wire/report.js';
import type { Decision, statusText } from '../../wire/review.js';
import type { PageTools } from './page-tools.js';

export type ReviewForm = ReturnType<typeof reviewForm>;

export function reviewForm(
  data: PageData,
  tools: PageTools,
  textOf: typeof statusText,
  onChange: () => void,
) {
  const { clashes, reviewStatuses, statuses } = data;
  const { make, byId, count } = tools;
  const decisions: Record<string, Decision> = { ...data.review };
  const changed = new Set<string>();

  function decisionOf(i: number): Decision | undefined {
    return decisions[clashes.id[i]];
  }

  function set(rows: readonly number[], change: Decision): void {
    for (const i of rows) {
      const id = clashes.id[i];
      decisions[id] = { status: 'new', ...decisions[id], ...change };
      changed.add(id);
    }
    const saving = byId('save-review');
    saving.hidden = false;
    saving.textContent = `Save review.json (${count(changed.size)} changed)`;
    onChange();
  }

  /** What all of them have, or nothing. */
  function common(rows: readonly number[], key: 'status' | 'assignee' | 'due' | 'comment'): string {
    const values = new Set(rows.map((i) => decisionOf(i)?.[key] ?? ''));
    return values.size === 1 ? ([...values][0] ?? '') : '';
  }

  function field(
    label: string,
    element: HTMLElement,
    rows: readonly number[],
    key: keyof Decision,
  ): HTMLElement {
    element.addEventListener('change', () => {
      set(rows, { [key]: (element as HTMLInputElement).value.trim() });
    });
    // what is typed is for the field, not for the row it is in
    for (const type of ['click', 'keydown'])
      element.addEventListener(type, (event) => event.stopPropagation());
    return make('label', {}, make('span', {}, label), element);
  }

  function input(type: string, value: string): HTMLElement {
    const element = make('input', { type, value });
    (element as HTMLInputElement).value = value;
    return element;
  }

  /** Fields for a clash, or for all clashes of an issue at once. */
  function form(rows: readonly number[]): HTMLElement {
    const select = make(
      'select',
      {},
      ...reviewStatuses.map((status) => make('option', { value: status }, status)),
    ) as HTMLSelectElement;
    select.value = common(rows, 'status') || 'new';
    const said = rows.length === 1 ? (decisionOf(rows[0])?.comments ?? []) : [];
    return make(
      'div',
      { class: 'review' },
      field('Review', select, rows, 'status'),
      field('Assignee', input('text', common(rows, 'assignee')), rows, 'assignee'),
      field('Due', input('date', common(rows, 'due').slice(0, 10)), rows, 'due'),
      field('Comment', input('text', common(rows, 'comment')), rows, 'comment'),
      ...said.map(({ author, date, text }) =>
        make(
          'p',
          { class: 'said' },
          make('b', {}, [author, date?.slice(0, 10)].filter(Boolean).join(', ')),
          ` ${text}`,
        ),
      ),
    );
  }

  function tag(i: number): HTMLElement | string {
    const status = decisionOf(i)?.status;
    if (status === undefined || status === 'new') return '';
    const look = isStillThere(i) ? 'status still-there' : 'status review';
    return make('span', { class: look }, textOf(status, isFound(i)));
  }

  function isFound(i: number): boolean {
    return statuses[clashes.status[i]] !== 'resolved';
  }

  /** Whether somebody says that it is resolved, and it is not. */
  function isStillThere(i: number): boolean {
    return isFound(i) && decisionOf(i)?.status === 'resolved';
  }

  /** A file with all decisions, those that were there before and those made here. */
  function save(): void {
    const isEmpty = ([, value]: [string, unknown]) => value === '' || value === undefined;
    const records = Object.entries(decisions).map(([id, decision]) => [
      id,
      Object.fromEntries(Object.entries(decision).filter((entry) => !isEmpty(entry))),
    ]);
    const text = JSON.stringify({ clashes: Object.fromEntries(records) }, undefined, 2);
    const url = URL.createObjectURL(new Blob([`${text}\n`], { type: 'application/json' }));
    const link = make('a', { href: url, download: 'review.json' });
    link.click();
    setTimeout(() => URL.revokeObjectURL(url), 10_000);
  }

  byId('save-review').addEventListener('click', save);
  addEventListener('beforeunload', (event) => {
    if (changed.size > 0) event.preventDefault();
  });

  return { form, tag, isStillThere };
}
