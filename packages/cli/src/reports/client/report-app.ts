/** The script of the report page: what the reader's clicks do. Runs in the reader's browser. */
import type { statusText } from '../../wire/review.js';
import type { lengthText } from '../../wire/text.js';
import type { PicturedData } from '../page-data.js';
import type { addressState } from './address.js';
import type { clashMap } from './clash-map.js';
import type { clashModels } from './clash-model.js';
import type { clashTable } from './clash-table.js';
import type { clashView } from './clash-view.js';
import type { figures } from './figures.js';
import type { issueList } from './issue-list.js';
import type { pageTools } from './page-tools.js';
import type { reviewForm } from './review-form.js';
import type { viewerLink } from './viewer-link.js';

export interface AppParts {
  readonly lengthText: typeof lengthText;
  readonly statusText: typeof statusText;
  readonly pageTools: typeof pageTools;
  readonly addressState: typeof addressState;
  readonly clashView: typeof clashView;
  readonly clashModels: typeof clashModels;
  readonly clashTable: typeof clashTable;
  readonly issueList: typeof issueList;
  readonly clashMap: typeof clashMap;
  readonly reviewForm: typeof reviewForm;
  readonly figures: typeof figures;
  readonly viewerLink: typeof viewerLink;
}

export function reportApp(parts: AppParts): void {
  const tools = parts.pageTools(parts.lengthText);
  const { make, button, count, byId, length } = tools;
  const data: PicturedData = JSON.parse(byId('report-data').textContent);
  const { clashes, objects, kinds, statuses, sides, rules, storeys, groups } = data;
  const maps: ReturnType<typeof clashMap>[] = [];
  setColours();
  if (clashes.id.length === 0) return;
  const view = parts.clashView(data, (i) => review.isStillThere(i));
  const { filters } = view;
  const address = parts.addressState(data, filters);
  address.read();
  const review = parts.reviewForm(data, tools, parts.statusText, () => table.refresh());
  const models = parts.clashModels(data, tools);
  const inViewer = parts.viewerLink(tools);
  const table = parts.clashTable(data, tools, view, review, models, inViewer, showGroup);
  const issues = parts.issueList(data, tools, table, review, models, showGroup);
  const caption = (i: number) =>
    `${kinds[clashes.kind[i]]} ${table.measure(i)}: ${objects[clashes.a[i]][0]} / ${objects[clashes.b[i]][0]}`;
  const pick = (i: number) => showGroup(clashes.group[i]);
  maps.push(
    parts.clashMap(data, tools, byId('plan') as HTMLCanvasElement, 'y', caption, pick),
    parts.clashMap(data, tools, byId('elevation') as HTMLCanvasElement, 'z', caption, pick),
  );

  /** Light or dark, as the reader's system is until they choose. */
  function setColours(): void {
    const redraw = () => {
      for (const map of maps) map.draw();
    };
    const dark = matchMedia('(prefers-color-scheme: dark)');
    dark.addEventListener('change', redraw);
    byId('theme').addEventListener('click', () => {
      const now = document.documentElement.dataset['theme'] ?? (dark.matches ? 'dark' : 'light');
      document.documentElement.dataset['theme'] = now === 'dark' ? 'light' : 'dark';
      redraw();
      if (clashes.id.length > 0) address.write();
    });
    byId('print').addEventListener('click', () => print());
    // printing has its own colours, and the maps are pixels already
    matchMedia('print').addEventListener('change', redraw);
  }

  function showGroup(group: number): void {
    filters.group = group;
    update();
    byId('clashes').scrollIntoView();
  }

  function update(): void {
    const selected = view.selected();
    table.show(selected);
    issues.show(selected);
    for (const map of maps) map.show(selected);
    byId('shown').textContent = `${count(selected.length)} shown`;
    parts.figures(data, tools, view, selected, review.isStillThere);
    showFilters();
    address.write();
  }

  /** What is filtered, as tags that take it back. */
  function showFilters(): void {
    const tags: HTMLElement[] = [];
    const tag = (label: string, clear: () => void) =>
      tags.push(
        button(`${label}  ×`, 'filter-tag', () => {
          clear();
          update();
        }),
      );
    if (filters.group >= 0) {
      tag(`issue: ${groups[filters.group][1]}`, () => {
        filters.group = -1;
      });
    }
    const { pair, range } = filters;
    if (pair) {
      tag(`${sides[pair[0]][pair[1]]} × ${sides[pair[0]][pair[2]]}`, () => {
        filters.pair = undefined;
      });
    }
    if (range) {
      const to = Number.isFinite(range.below) ? `– ${length(range.below)}` : 'and more';
      tag(`${range.of} ${length(range.from)} ${to}`, () => {
        filters.range = undefined;
      });
    }
    byId('filter-tags').replaceChildren(...tags);
    for (const one of document.querySelectorAll<HTMLElement>('[data-kind]')) {
      one.setAttribute('aria-pressed', String(filters.kinds.has(kinds.indexOf(dataOf(one, 'kind')))));
    }
    for (const one of document.querySelectorAll<HTMLElement>('[data-status]')) {
      one.setAttribute('aria-pressed', String(filters.statuses.has(statuses.indexOf(dataOf(one, 'status')))));
    }
    for (const one of document.querySelectorAll<HTMLElement>('[data-still-there]')) {
      one.setAttribute('aria-pressed', String(filters.stillThere));
    }
    for (const one of document.querySelectorAll<HTMLElement>('[data-pair]')) {
      one.setAttribute('aria-pressed', String(one.dataset['pair'] === pair?.join()));
    }
    for (const one of document.querySelectorAll<HTMLElement>('[data-range]')) {
      const own = range && `${range.of},${range.from},${range.below}`;
      one.setAttribute('aria-pressed', String(one.dataset['range'] === own));
    }
    (byId('search') as HTMLInputElement).value = filters.text;
    (byId('rule') as HTMLSelectElement).value = String(filters.rule);
    (byId('storey') as HTMLSelectElement).value = String(filters.storey);
  }

  function dataOf(one: HTMLElement, name: string): string {
    return one.dataset[name] ?? '';
  }

  function toggle(set: Set<number>, value: number): void {
    if (!set.delete(value)) set.add(value);
  }

  function onEach(selector: string, act: (element: HTMLElement) => void): void {
    for (const one of document.querySelectorAll<HTMLElement>(selector)) {
      one.addEventListener('click', () => {
        act(one);
        update();
      });
    }
  }

  onEach('[data-kind]', (one) => toggle(filters.kinds, kinds.indexOf(dataOf(one, 'kind'))));
  onEach('[data-status]', (one) => toggle(filters.statuses, statuses.indexOf(dataOf(one, 'status'))));
  onEach('[data-still-there]', () => {
    filters.stillThere = !filters.stillThere;
  });
  onEach('[data-pair]', (one) => {
    const pair = dataOf(one, 'pair').split(',').map(Number) as [number, number, number];
    filters.pair = filters.pair?.join() === pair.join() ? undefined : pair;
  });
  for (const one of document.querySelectorAll<HTMLElement>('[data-matrix]')) {
    one.addEventListener('click', () => {
      for (const tab of document.querySelectorAll<HTMLElement>('[data-matrix]')) {
        tab.setAttribute('aria-pressed', String(tab === one));
        byId(`matrix-${tab.dataset['matrix']}`).hidden = tab !== one;
      }
    });
  }
  onEach('[data-range]', (one) => {
    const [of, from, below] = dataOf(one, 'range').split(',') as ['depth' | 'distance', string, string];
    const same = filters.range?.of === of && filters.range.from === Number(from);
    filters.range = same ? undefined : { of, from: Number(from), below: Number(below) };
  });
  onEach('[data-clash]', (one) => {
    filters.group = clashes.group[Number(one.dataset['clash'])];
    byId('clashes').scrollIntoView();
  });
  onEach('#clear', () => {
    Object.assign(filters, { text: '', rule: -1, storey: -1, group: -1, pair: undefined, range: undefined });
    filters.stillThere = false;
    filters.kinds.clear();
    filters.statuses.clear();
  });

  function fill(id: string, names: readonly string[], none: string): void {
    const select = byId(id) as HTMLSelectElement;
    const entries = names.map((name, i) => [name, i] as const).sort((p, q) => (p[0] < q[0] ? -1 : 1));
    for (const [name, i] of entries) select.append(make('option', { value: String(i) }, name || none));
    select.hidden = names.length < 2;
  }

  fill('rule', rules, 'no rule');
  fill('storey', storeys, 'no storey');
  byId('rule').addEventListener('change', (event) => {
    filters.rule = Number((event.target as HTMLSelectElement).value);
    update();
  });
  byId('storey').addEventListener('change', (event) => {
    filters.storey = Number((event.target as HTMLSelectElement).value);
    update();
  });
  let typing = 0;
  byId('search').addEventListener('input', (event) => {
    filters.text = (event.target as HTMLInputElement).value;
    clearTimeout(typing);
    typing = setTimeout(update, 150) as unknown as number;
  });

  // another address, typed or followed
  addEventListener('hashchange', () => {
    address.read();
    update();
  });
  update();
}
