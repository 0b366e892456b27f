/** Filters and theme in the address of the page, so that a link shows the same. Runs in the reader's browser. */
import type { PageData } from '../../wire/report.js';
import type { Filters } from './clash-view.js';

export function addressState(data: PageData, filters: Filters) {
  const root = document.documentElement;

  function write(): void {
    const { text, kinds, statuses, stillThere, rule, storey, group, pair, range } = filters;
    const said = new URLSearchParams();
    const set = (key: string, value: string) => value !== '' && said.set(key, value);
    set('search', text);
    set('kind', [...kinds].map((i) => data.kinds[i]).join());
    set('status', [...statuses].map((i) => data.statuses[i]).join());
    set('still-there', stillThere ? 'yes' : '');
    set('rule', rule < 0 ? '' : data.rules[rule]);
    set('storey', storey < 0 ? '' : data.storeys[storey]);
    set('issue', group < 0 ? '' : data.groups[group][0]);
    set('pair', pair?.join() ?? '');
    set('range', range ? `${range.of},${range.from},${range.below}` : '');
    set('theme', root.dataset['theme'] ?? '');
    // no entry in the history for each letter that is typed
    const address = said.size > 0 ? `#${said}` : location.pathname + location.search;
    if (location.hash !== (said.size > 0 ? `#${said}` : '')) history.replaceState(null, '', address);
  }

  /** What is not understood is left out. */
  function read(): void {
    const said = new URLSearchParams(location.hash.slice(1));
    const words = (key: string) => (said.get(key) ?? '').split(',').filter(Boolean);
    const among = (key: string, names: readonly string[]) =>
      said.has(key) ? names.indexOf(said.get(key)!) : -1;
    const several = (key: string, names: readonly string[]) =>
      new Set(words(key).flatMap((word) => (names.includes(word) ? [names.indexOf(word)] : [])));
    const pair = words('pair').map(Number);
    const sides = data.sides[pair[0]]?.length ?? 0;
    const [of, from, below] = words('range');
    Object.assign(filters, {
      text: said.get('search') ?? '',
      kinds: several('kind', data.kinds),
      statuses: several('status', data.statuses),
      stillThere: said.get('still-there') === 'yes',
      rule: among('rule', data.rules),
      storey: among('storey', data.storeys),
      group: among(
        'issue',
        data.groups.map(([id]) => id),
      ),
      pair: pair.length === 3 && pair.slice(1).every((side) => side >= 0 && side < sides) ? pair : undefined,
      range:
        (of === 'depth' || of === 'distance') && !Number.isNaN(Number(from) + Number(below))
          ? { of, from: Number(from), below: Number(below) }
          : undefined,
    });
    const theme = said.get('theme');
    if (theme === 'light' || theme === 'dark') root.dataset['theme'] = theme;
  }

  return { read, write };
}
