/** The table of clashes, a page at a time. Runs in the reader's browser. */
import type { PageData } from '../../wire/report.js';
import type { ClashModels } from './clash-model.js';
import type { ClashView } from './clash-view.js';
import type { PageTools } from './page-tools.js';
import type { ReviewForm } from './review-form.js';
import type { ViewerLink } from './viewer-link.js';

export type ClashTable = ReturnType<typeof clashTable>;

export function clashTable(
  data: PageData,
  tools: PageTools,
  view: ClashView,
  review: ReviewForm,
  models: ClashModels,
  inViewer: ViewerLink,
  showGroup: (group: number) => void,
) {
  const { clashes, objects, kinds, measures, statuses, groups } = data;
  const { make, button, copyButton, count, length, byId } = tools;
  const pageRows = 50;
  // a thousand sheets of paper
  const printedRows = 20_000;
  const body = byId('rows');
  // what is the same everywhere is said in the list of rules
  byId('table').classList.toggle('one-rule', data.rules.length < 2);
  let rows: number[] = [];
  let shown: number[] = [];
  let page = 0;
  let column = '';
  let descending = false;

  function measure(i: number): string {
    const of = measures[clashes.kind[i]];
    if (of === 'none') return '–';
    const least = length(clashes[of][i], clashes.error[i]);
    return clashes.atMost[i] > 0 ? `${least} to ${length(clashes.atMost[i], clashes.error[i])}` : least;
  }

  function kindTag(i: number): HTMLElement {
    const kind = kinds[clashes.kind[i]];
    return make('span', { class: `tag ${kind}` }, kind);
  }

  function objectCell(label: string, index: number): HTMLElement {
    const [name, path, , type] = objects[index];
    const folder = path.slice(0, Math.max(0, path.lastIndexOf('/')));
    const small = [type, folder].filter(Boolean).join(' · ');
    return make(
      'td',
      { 'data-label': label },
      make('span', { class: 'name' }, name),
      make('small', {}, small),
    );
  }

  function statusTag(i: number): HTMLElement | string {
    const status = statuses[clashes.status[i]];
    return status === '' ? '' : make('span', { class: `status ${status}` }, status);
  }

  function tags(i: number): (HTMLElement | string)[] {
    return [kindTag(i), ' ', statusTag(i), ' ', review.tag(i)];
  }

  function objectDetail(label: string, index: number): HTMLElement[] {
    const [name, path, id, type, file] = objects[index];
    const line = [type, file].filter(Boolean).join(' · ');
    const value = make(
      'dd',
      {},
      make('b', {}, name),
      make('div', {}, path),
      make('div', { class: 'quiet' }, line),
    );
    if (id) value.append(copyButton(id));
    return [make('dt', {}, label), value];
  }

  function detail(i: number): HTMLElement {
    const at = [clashes.x[i], clashes.y[i], clashes.z[i]].map((x) => x.toFixed(3)).join(', ');
    const kind = kinds[clashes.kind[i]];
    const form = clashes.form[i] ? ` (${clashes.form[i]})` : '';
    const title = groups[clashes.group[i]][1];
    const pairs = clashes.pairs[i] > 0 ? `, ${count(clashes.pairs[i])} triangle pairs` : '';
    const list = make('dl', {});
    list.append(
      make('dt', {}, 'Clash'),
      make('dd', {}, `${kind}${form}, ${measure(i)}${pairs} `, copyButton(clashes.id[i])),
      ...objectDetail('A', clashes.a[i]),
      ...objectDetail('B', clashes.b[i]),
      make('dt', {}, 'At'),
      make('dd', {}, `x, y, z = ${at} m `, copyButton(at)),
      make('dt', {}, 'In 3-D'),
      make('dd', {}, inViewer(clashes.id[i])),
      make('dt', {}, 'Rule'),
      make('dd', {}, data.rules[clashes.rule[i]] || '–'),
      make('dt', {}, 'Decision'),
      make('dd', {}, review.form([i])),
      make('dt', {}, 'Issue'),
      make(
        'dd',
        {},
        button(title, 'link', () => showGroup(clashes.group[i])),
      ),
    );
    return make(
      'tr',
      { class: 'detail' },
      make(
        'td',
        { colspan: data.rules.length < 2 ? '6' : '7' },
        make('div', { class: 'beside' }, list, models.picture(i)),
      ),
    );
  }

  function row(i: number): HTMLElement {
    const storey = data.storeys[clashes.storey[i]];
    const at = [clashes.x[i], clashes.y[i], clashes.z[i]].map((x) => x.toFixed(2)).join(', ');
    const line = make(
      'tr',
      { class: 'clash', tabindex: '0', 'aria-expanded': 'false' },
      make('td', { 'data-label': 'Kind' }, ...tags(i)),
      make('td', { 'data-label': 'Depth or distance', class: 'number' }, measure(i)),
      objectCell('A', clashes.a[i]),
      objectCell('B', clashes.b[i]),
      make('td', { 'data-label': 'Where' }, storey, make('small', { title: 'x, y, z in metres' }, at)),
      make('td', { 'data-label': 'Rule', class: 'wide' }, data.rules[clashes.rule[i]] || '–'),
      make('td', { 'data-label': 'Id', class: 'wide id' }, copyButton(clashes.id[i])),
    );
    const toggle = () => {
      const open = line.getAttribute('aria-expanded') === 'true';
      line.setAttribute('aria-expanded', String(!open));
      if (open) line.nextElementSibling?.remove();
      else line.after(detail(i));
    };
    line.addEventListener('click', () => {
      // selecting text is not a click
      if (!getSelection()?.toString()) toggle();
    });
    line.addEventListener('keydown', (event) => {
      if (event.key === 'Enter' && event.target === line) toggle();
    });
    return line;
  }

  function render(rowCount = pageRows): void {
    const last = Math.max(0, Math.ceil(shown.length / pageRows) - 1);
    page = Math.min(page, last);
    const first = page * pageRows;
    body.replaceChildren(...shown.slice(first, first + rowCount).map(row));
    const to = Math.min(first + rowCount, shown.length);
    byId('pager-text').textContent =
      shown.length === 0
        ? 'No clash matches the filters.'
        : `${count(first + 1)}–${count(to)} of ${count(shown.length)}`;
    byId('pager').classList.toggle('single', last === 0);
    for (const [id, off] of [
      ['first', page === 0],
      ['previous', page === 0],
      ['next', page === last],
      ['last', page === last],
    ] as const) {
      byId(`page-${id}`).toggleAttribute('disabled', off);
    }
  }

  function turnTo(target: () => number): void {
    page = Math.max(0, target());
    render();
    if (byId('clashes').getBoundingClientRect().top < 0) byId('clashes').scrollIntoView();
  }

  function order(): void {
    shown = view.sorted(rows, column, descending);
  }

  for (const head of document.querySelectorAll<HTMLElement>('#table th[data-sort]')) {
    head.querySelector('button')?.addEventListener('click', () => {
      const same = column === head.dataset['sort'];
      descending = same && !descending;
      column = head.dataset['sort'] ?? column;
      for (const other of document.querySelectorAll('#table th')) other.removeAttribute('aria-sort');
      head.setAttribute('aria-sort', descending ? 'descending' : 'ascending');
      page = 0;
      order();
      render();
    });
  }
  byId('page-first').addEventListener('click', () => turnTo(() => 0));
  byId('page-previous').addEventListener('click', () => turnTo(() => page - 1));
  byId('page-next').addEventListener('click', () => turnTo(() => page + 1));
  byId('page-last').addEventListener('click', () => turnTo(() => Math.ceil(shown.length / pageRows) - 1));
  // on paper nobody turns pages
  let before = 0;
  addEventListener('beforeprint', () => {
    before = page;
    page = 0;
    render(printedRows);
  });
  addEventListener('afterprint', () => {
    page = before;
    render();
  });

  /** The words beside the kinds of the rows on this page, when decisions have changed. */
  function refresh(): void {
    const lines = body.querySelectorAll<HTMLTableRowElement>('tr.clash');
    lines.forEach((line, k) => {
      line.cells[0].replaceChildren(...tags(shown[page * pageRows + k]));
    });
  }

  return {
    measure,
    kindTag,
    refresh,
    show(selected: number[]): void {
      rows = selected;
      page = 0;
      order();
      render();
    },
  };
}
