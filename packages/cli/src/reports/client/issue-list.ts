/**
 * The issues that have clashes among those shown, worst first, each opening on demand. Runs in the reader's browser.
 */
import type { PageData } from '../../wire/report.js';
import type { ClashModels } from './clash-model.js';
import type { ClashTable } from './clash-table.js';
import type { PageTools } from './page-tools.js';
import type { ReviewForm } from './review-form.js';

export function issueList(
  data: PageData,
  tools: PageTools,
  table: ClashTable,
  review: ReviewForm,
  models: ClashModels,
  showGroup: (group: number) => void,
) {
  const { clashes, objects, kinds, statuses, groups } = data;
  const { make, button, copyButton, count, byId } = tools;
  const listed = 8;
  const step = 20;
  const printed = 100;
  const list = byId('issue-list');
  let issues: [number, number[]][] = [];
  let shown = step;

  function clashItem(i: number): HTMLElement {
    const [a, b] = [objects[clashes.a[i]][0], objects[clashes.b[i]][0]];
    return make('li', {}, table.kindTag(i), ' ', make('b', {}, table.measure(i)), ` ${a} / ${b}`);
  }

  function content(group: number, members: number[]): HTMLElement {
    const label =
      members.length > listed ? `Show all ${count(members.length)} in the table` : 'Show in the table';
    const words = make(
      'div',
      {},
      make('ol', {}, ...members.slice(0, listed).map(clashItem)),
      review.form(members),
      make(
        'p',
        { class: 'row' },
        button(label, 'plain', () => showGroup(group)),
        copyButton(groups[group][0]),
      ),
    );
    return make('div', { class: 'issue-body beside' }, words, models.picture(members[0]));
  }

  function kindCounts(members: number[]): HTMLElement[] {
    return kinds
      .map((kind, k) => [kind, members.filter((i) => clashes.kind[i] === k).length] as const)
      .filter(([, n]) => n > 0)
      .map(([kind, n]) => make('span', { class: `tag ${kind}` }, `${count(n)} ${kind}`));
  }

  function statusOf(members: number[]): HTMLElement | string {
    const found = new Set(members.map((i) => statuses[clashes.status[i]]));
    if (found.has('')) return '';
    const status = found.size === 1 ? [...found][0] : 'persisting';
    return make('span', { class: `status ${status}` }, status);
  }

  function issue([group, members]: [number, number[]]): HTMLElement {
    const worst = table.measure(members[0]);
    const details = make(
      'details',
      { class: 'issue' },
      make(
        'summary',
        {},
        make('span', { class: 'issue-title' }, groups[group][1]),
        make('span', { class: 'issue-tags' }, ...kindCounts(members), statusOf(members)),
        make('span', { class: 'issue-worst', title: 'Depth or distance of the worst clash' }, worst),
      ),
    );
    details.addEventListener('toggle', () => {
      if (details.children.length === 1) details.append(content(group, members));
    });
    return details;
  }

  function render(limit = shown): void {
    list.replaceChildren(...issues.slice(0, limit).map(issue));
    const left = issues.length - limit;
    byId('issue-count').textContent = count(issues.length);
    const more = byId('issue-more');
    more.hidden = left <= 0;
    more.textContent = `Show ${count(Math.min(step * 2, left))} more of ${count(issues.length)} issues`;
  }

  byId('issue-more').addEventListener('click', () => {
    shown += step * 2;
    render();
  });
  addEventListener('beforeprint', () => render(printed));
  addEventListener('afterprint', () => render());

  return {
    show(selected: number[]): void {
      const members = new Map<number, number[]>();
      for (const i of selected) {
        const own = members.get(clashes.group[i]);
        if (own) own.push(i);
        else members.set(clashes.group[i], [i]);
      }
      issues = [...members];
      shown = step;
      render();
    },
  };
}
