/** Which clashes are shown, and in which order. Runs in the reader's browser. */
import type { PageData } from '../../wire/report.js';

export interface Filters {
  text: string;
  /** Indices of kinds and statuses; none selected means all, but resolved and approved ones only when asked for. */
  kinds: Set<number>;
  statuses: Set<number>;
  /** Only those that are said to be resolved and are not. */
  stillThere: boolean;
  /** -1 for all. */
  rule: number;
  storey: number;
  group: number;
  /** A matrix and two of its sides. */
  pair: readonly [number, number, number] | undefined;
  /** Of depths or of distances, in metres: from, below. */
  range: { readonly of: 'depth' | 'distance'; readonly from: number; readonly below: number } | undefined;
}

export type ClashView = ReturnType<typeof clashView>;

export function clashView(
  { clashes, measures, objects, groups, rules, statuses }: PageData,
  isStillThere: (i: number) => boolean,
) {
  // not shown unless asked for
  const apart = [statuses.indexOf('resolved'), statuses.indexOf('approved')];
  const filters: Filters = {
    text: '',
    kinds: new Set(),
    statuses: new Set(),
    stillThere: false,
    rule: -1,
    storey: -1,
    group: -1,
    pair: undefined,
    range: undefined,
  };
  let searchable: { objects: string[]; groups: string[]; rules: string[] } | undefined;

  /** For each word, which objects, issues and rules have it. */
  function found(text: string) {
    searchable ??= {
      objects: objects.map(([name, path, id, type]) => `${name}\n${path}\n${id}\n${type}`.toLowerCase()),
      groups: groups.map(([id]) => id.toLowerCase()),
      rules: rules.map((rule) => rule.toLowerCase()),
    };
    const lists = searchable;
    const words = text.toLowerCase().split(/\s+/).filter(Boolean);
    return words.map((word) => ({
      word,
      objects: lists.objects.map((entry) => entry.includes(word)),
      groups: lists.groups.map((entry) => entry.includes(word)),
      rules: lists.rules.map((entry) => entry.includes(word)),
    }));
  }

  /** Indices of the clashes that pass the filters, all but one of them, worst first. */
  function selected(but?: Partial<Filters>): number[] {
    const { kinds, statuses: chosen, stillThere, rule, storey, group, pair, range } = { ...filters, ...but };
    const words = found(filters.text);
    const side = (object: number) => objects[object][5][pair![0]];
    const passes = (i: number): boolean => {
      const [a, b] = [clashes.a[i], clashes.b[i]];
      const status = clashes.status[i];
      if (chosen.size > 0 ? !chosen.has(status) : apart.includes(status)) return false;
      if (stillThere && !isStillThere(i)) return false;
      if (kinds.size > 0 && !kinds.has(clashes.kind[i])) return false;
      if (rule >= 0 && clashes.rule[i] !== rule) return false;
      if (storey >= 0 && clashes.storey[i] !== storey) return false;
      if (group >= 0 && clashes.group[i] !== group) return false;
      if (pair) {
        const [p, q] = [side(a), side(b)];
        if (!((p === pair[1] && q === pair[2]) || (p === pair[2] && q === pair[1]))) return false;
      }
      if (range) {
        if (measures[clashes.kind[i]] !== range.of) return false;
        const value = clashes[range.of][i];
        if (value < range.from || value >= range.below) return false;
      }
      return words.every(
        (word) =>
          word.objects[a] ||
          word.objects[b] ||
          word.groups[clashes.group[i]] ||
          word.rules[clashes.rule[i]] ||
          clashes.id[i].toLowerCase().includes(word.word),
      );
    };
    const rows: number[] = [];
    for (let i = 0; i < clashes.id.length; i++) if (passes(i)) rows.push(i);
    return rows;
  }

  const keys: Record<string, (i: number) => string | number> = {
    kind: (i) => clashes.kind[i],
    // deep overlaps come before shallow ones, and these before what only comes close
    measure: (i) => (measures[clashes.kind[i]] === 'depth' ? -clashes.depth[i] : clashes.distance[i]),
    a: (i) => objects[clashes.a[i]][0],
    b: (i) => objects[clashes.b[i]][0],
    storey: (i) => clashes.storey[i],
    rule: (i) => rules[clashes.rule[i]],
    group: (i) => clashes.group[i],
    status: (i) => clashes.status[i],
  };

  /** Sorts rows that come worst first; equal ones stay in that order. */
  function sorted(rows: number[], column: string, descending: boolean): number[] {
    const key = keys[column];
    if (!key) return rows;
    const sign = descending ? -1 : 1;
    return rows
      .map((i) => ({ i, value: key(i) }))
      .sort((p, q) => (p.value < q.value ? -sign : p.value > q.value ? sign : p.i - q.i))
      .map(({ i }) => i);
  }

  return { filters, selected, sorted };
}
