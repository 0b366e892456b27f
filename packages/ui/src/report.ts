/** The clashes of a report, with derived data that is computed once. */
import type { PageData } from '../../cli/src/wire/report.js';
import { lengthText } from './text.js';

/** Lower-case text for the search. */
interface Searchable {
  readonly objects: readonly string[];
  readonly groups: readonly string[];
  readonly rules: readonly string[];
  readonly storeys: readonly string[];
  readonly rooms: readonly string[];
  readonly grids: readonly string[];
}

export class Report {
  readonly data: PageData;
  /** Whether it was compared with a baseline. */
  readonly hasBaseline: boolean;
  /** States against it that the list can be filtered by; empty without one. */
  readonly baselineStates: readonly string[];
  /** The types of the clashing objects, sorted. */
  readonly types: readonly string[];
  #byId: ReadonlyMap<string, number> | undefined;
  #searchable: Searchable | undefined;

  constructor(data: PageData) {
    this.data = data;
    this.hasBaseline = data.clashes.status.some((status) =>
      ['new', 'persisting', 'renamed', 'resolved'].includes(data.statuses[status]),
    );
    const renamed = data.clashes.status.some((status) => data.statuses[status] === 'renamed');
    this.baselineStates = this.hasBaseline
      ? ['new', 'persisting', ...(renamed ? ['renamed'] : []), 'gone']
      : [];
    this.types = [...new Set(data.objects.map(([, , , type]) => type))].filter(Boolean).sort();
  }

  get count(): number {
    return this.data.clashes.id.length;
  }

  get searchable(): Searchable {
    const { objects, groups, rules, storeys, rooms, grids } = this.data;
    const lower = (names: readonly string[]) => names.map((name) => name.toLowerCase());
    this.#searchable ??= {
      objects: objects.map(([name, path, id, type]) => `${name}\n${path}\n${id}\n${type}`.toLowerCase()),
      groups: groups.map(([id, title]) => `${id}\n${title}`.toLowerCase()),
      rules: lower(rules),
      storeys: lower(storeys),
      rooms: lower(rooms),
      grids: lower(grids),
    };
    return this.#searchable;
  }

  clashOf(id: string): number | undefined {
    this.#byId ??= new Map(this.data.clashes.id.map((own, i) => [own, i]));
    return this.#byId.get(id);
  }

  pointOf(clash: number): readonly [number, number, number] {
    const { x, y, z } = this.data.clashes;
    return [x[clash], y[clash], z[clash]];
  }

  kindOf(clash: number): string {
    return this.data.kinds[this.data.clashes.kind[clash]];
  }

  /** Depth, distance or excess, as text. */
  measureOf(clash: number): string {
    const { clashes, measures } = this.data;
    const of = measures[clashes.kind[clash]];
    if (of === 'none') return '–';
    const least = lengthText(clashes[of === 'depth' ? of : 'distance'][clash], clashes.error[clash]);
    return clashes.atMost[clash] > 0
      ? `${least} to ${lengthText(clashes.atMost[clash], clashes.error[clash])}`
      : least;
  }

  /** The state against the baseline; the data calls clashes that no longer exist `resolved`. */
  baselineOf(clash: number): string {
    const status = this.data.statuses[this.data.clashes.status[clash]];
    return status === 'resolved' ? 'gone' : status === 'approved' ? '' : status;
  }

  namesOf(clash: number): readonly [a: string, b: string] {
    const { clashes, objects } = this.data;
    return [objects[clashes.a[clash]][0], objects[clashes.b[clash]][0]];
  }
}
