/**
 * Products placed on a grid: at the crossing of two of its axes, which web-ifc ignores. It places such a product as if
 * the crossing were the origin; this file computes the missing motion.
 *
 * The place is in the coordinates of the grid that has the axes. Offsets move each axis to its left, as seen along it;
 * a third one goes up. The x axis points to a second crossing, along a given direction, or along the first axis. Axes
 * must be straight; placements that cannot be resolved are reported, and their products are left out.
 */
import type { StoreGrid, StoreGridAxis } from '@impinge/model';
import { type Matrix, multiply } from '../../matrix.js';
import { axisPlacement, numbers, PlacementProblem, unitVector, type Vector } from './axis-placement.js';
import type { IfcEngine, StepLine } from './engine.js';
import { refs } from './step-lines.js';

/** Local placements above each other; files have about five. */
const MAX_DEPTH = 100;
const LINES_PER_CALL = 1024;
/** Limit on lines and places that are kept. */
const MOST_KEPT = 100_000;
/** Limits on the data kept of a file: buildings have a grid or two of some ten axes. */
const MAX_GRIDS = 100;
const MAX_AXES = 500;
const IDENTITY: Matrix = [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1];
/** Sines and relative lengths below this count as 0. */
const TINY = 1e-9;

/** A straight axis: a point and the direction, of length 1. */
interface Axis {
  readonly point: Vector;
  readonly along: Vector;
}

export class GridPlacements {
  readonly #engine: IfcEngine;
  readonly #lines = new Map<number, StepLine>();
  /** Axis → the grid that has it. */
  readonly #gridOf = new Map<number, StepLine>();
  readonly #places = new Map<number, Matrix | PlacementProblem>();
  /** Cut element → its openings. */
  readonly #openingsOf = new Map<number, number[]>();
  #isUsed = false;

  private constructor(engine: IfcEngine) {
    this.#engine = engine;
  }

  static async read(engine: IfcEngine): Promise<GridPlacements> {
    const placements = new GridPlacements(engine);
    if ((await engine.idsOf('IFCGRIDPLACEMENT')).length === 0) return placements;
    placements.#isUsed = true;
    for (const grid of await placements.#load(await engine.idsOf('IFCGRID'))) {
      for (const axis of refs([grid.values[7] ?? null, grid.values[8] ?? null, grid.values[9] ?? null])) {
        placements.#gridOf.set(axis, grid);
      }
    }
    for (const { values } of await placements.#load(await engine.idsOf('IFCRELVOIDSELEMENT'))) {
      const [cut] = refs(values[4]);
      if (cut !== undefined)
        placements.#openingsOf.set(cut, [...(placements.#openingsOf.get(cut) ?? []), ...refs(values[5])]);
    }
    return placements;
  }

  /** The straight axes of all grids, as far as they can be resolved. */
  async axes(): Promise<StoreGrid[]> {
    const ids = await this.#engine.idsOf('IFCGRID');
    const grids: StoreGrid[] = [];
    for (const { values } of await this.#load(ids.slice(0, MAX_GRIDS))) {
      try {
        const [place] = refs(values[5]);
        const base = place === undefined ? IDENTITY : await this.place(place);
        const axes: StoreGridAxis[] = [];
        for (const [family, list] of values.slice(7, 10).entries()) {
          for (const id of refs(list).slice(0, MAX_AXES)) {
            const tag = String((await this.#line(id))?.values[0] ?? '');
            const { point, along } = await this.#axis(id);
            axes.push({ tag, family, point: moved(base, point, 1), along: moved(base, along, 0) });
          }
        }
        grids.push({ axes });
      } catch (error) {
        // people will have to do without it
        if (!(error instanceof PlacementProblem)) throw error;
      }
    }
    return grids;
  }

  /** For products on a grid: the motion from their apparent position, Z up, or the reason why there is none. */
  async of(products: readonly number[]): Promise<Map<number, Matrix | string>> {
    const found = new Map<number, Matrix | string>();
    if (!this.#isUsed) return found;
    const openings = products.flatMap((id) => this.#openingsOf.get(id) ?? []);
    await this.#load([...products, ...openings]);
    for (const id of products) {
      try {
        const grid = await this.#gridPlacementOf(id);
        for (const opening of this.#openingsOf.get(id) ?? []) {
          if ((await this.#gridPlacementOf(opening)) !== grid)
            throw new PlacementProblem('on a different grid than one of its openings');
        }
        if (grid !== undefined) found.set(id, await this.place(grid));
      } catch (error) {
        if (!(error instanceof PlacementProblem)) throw error;
        found.set(id, error.message);
      }
    }
    return found;
  }

  /** The grid placement that a product hangs on, undefined if none. */
  async #gridPlacementOf(product: number): Promise<number | undefined> {
    let [at] = refs((await this.#line(product))?.values[5]);
    for (let depth = 0; at !== undefined && depth < MAX_DEPTH; depth++) {
      const line = await this.#line(at);
      if (line?.type === 'IfcGridPlacement') return at;
      if (line?.type !== 'IfcLocalPlacement') return undefined;
      [at] = refs(line.values[0]);
    }
    return undefined;
  }

  /** Reads placements, and those that they are relative to, many at a time. */
  async load(ids: readonly number[]): Promise<void> {
    if (this.#lines.size + this.#places.size > MOST_KEPT) {
      this.#lines.clear();
      this.#places.clear();
    }
    let next = ids.filter((id) => !this.#places.has(id));
    for (let depth = 0; next.length > 0 && depth < MAX_DEPTH; depth++) {
      const lines = await this.#load(next);
      next = lines.flatMap(({ type, values }) =>
        /^Ifc(LocalPlacement|Axis2Placement)/.test(type)
          ? refs([...values]).filter((id) => !this.#lines.has(id) && !this.#places.has(id))
          : [],
      );
    }
  }

  /** Where a placement is in the world; the same for all products that hang on it. Throws a `PlacementProblem`. */
  async place(id: number, depth = 0): Promise<Matrix> {
    let place = this.#places.get(id);
    if (place === undefined) {
      place = await this.#compute(id, depth).catch((error: unknown) => {
        if (error instanceof PlacementProblem) return error;
        throw error;
      });
      this.#places.set(id, place);
    }
    if (place instanceof PlacementProblem) throw place;
    return place;
  }

  async #compute(id: number, depth: number): Promise<Matrix> {
    const line = await this.#line(id);
    if (depth > MAX_DEPTH || line === undefined)
      throw new PlacementProblem('placed by placements that form a cycle');
    if (line.type === 'IfcLocalPlacement') {
      const [parent] = refs(line.values[0]);
      const own = await axisPlacement(refs(line.values[1])[0], (id) => this.#line(id));
      return parent === undefined ? own : multiply(await this.place(parent, depth + 1), own);
    }
    if (line.type !== 'IfcGridPlacement')
      throw new PlacementProblem(`placed by an ${line.type}, which is not supported`);
    return this.#gridPlace(line, depth);
  }

  /** PlacementRelTo, the first of three attributes, came with IFC4X3; it can only repeat the grid's own placement. */
  async #gridPlace({ values }: StepLine, depth: number): Promise<Matrix> {
    const [relative, location, direction] = values.length > 2 ? values : [null, ...values];
    const crossing = await this.#line(refs(location)[0]);
    const axes = refs(crossing?.values[0]);
    const grid = this.#gridOf.get(axes[0]);
    const bases = [...refs(grid?.values[5]), ...refs(relative)];
    if (!crossing || axes.length !== 2 || bases.length === 0)
      throw new PlacementProblem('placed on axes of no grid');
    const base = await this.place(bases[0], depth + 1);
    for (const other of bases.slice(1)) {
      const there = await this.place(other, depth + 1);
      const size = Math.max(1, ...Array.from(base, Math.abs));
      if (Array.from(there).some((x, i) => Math.abs(x - base[i]) > TINY * size)) {
        throw new PlacementProblem('placed relative to something else than its grid');
      }
    }
    const { point, along } = await this.#crossing(crossing);
    const x = await this.#direction(refs(direction)[0], point, along);
    const own = [x[0], x[1], 0, 0, -x[1], x[0], 0, 0, 0, 0, 1, 0, point[0], point[1], point[2], 1];
    return multiply(base, own);
  }

  /** Where two axes cross, and the direction of the first. */
  async #crossing({ values }: StepLine): Promise<{ point: Vector; along: Vector }> {
    const [first, second] = await Promise.all(refs(values[0]).map((id) => this.#axis(id)));
    const offsets = numbers(values[1]);
    const p = shifted(first, offsets[0] ?? 0);
    const q = shifted(second, offsets[1] ?? 0);
    const { along } = first;
    const sine = along[0] * second.along[1] - along[1] * second.along[0];
    if (!(Math.abs(sine) > TINY)) throw new PlacementProblem('placed on axes that are parallel');
    const t = ((q[0] - p[0]) * second.along[1] - (q[1] - p[1]) * second.along[0]) / sine;
    return { point: [p[0] + t * along[0], p[1] + t * along[1], offsets[2] ?? 0], along };
  }

  async #direction(id: number | undefined, point: Vector, along: Vector): Promise<Vector> {
    if (id === undefined) return along;
    const line = await this.#line(id);
    if (line?.type === 'IfcVirtualGridIntersection') {
      const other = await this.#crossing(line);
      return unitVector([other.point[0] - point[0], other.point[1] - point[1]]);
    }
    return unitVector(numbers(line?.values[0]));
  }

  async #axis(id: number): Promise<Axis> {
    const { values } = (await this.#line(id)) ?? { values: [] };
    const { point, along } = await this.#straight(refs(values[1])[0], 0);
    return { point, along: values[2] === false ? along.map((x) => -x) : along };
  }

  async #straight(id: number | undefined, depth: number): Promise<Axis> {
    const line = id === undefined ? undefined : await this.#line(id);
    const { type, values } = line && depth <= MAX_DEPTH ? line : { type: undefined, values: [] };
    switch (type) {
      case 'IfcPolyline':
        return throughPoints(await this.#points(refs(values[0])));
      case 'IfcLine': {
        const [point] = await this.#points(refs(values[0]));
        const vector = await this.#line(refs(values[1])[0]);
        const direction = await this.#line(refs(vector?.values[0])[0]);
        return { point, along: unitVector(numbers(direction?.values[0])) };
      }
      case 'IfcTrimmedCurve': {
        const { point, along } = await this.#straight(refs(values[0])[0], depth + 1);
        return { point, along: values[3] === false ? along.map((x) => -x) : along };
      }
      default:
        throw new PlacementProblem(`placed on an axis that is an ${line?.type || 'unknown curve'}`);
    }
  }

  async #points(ids: readonly number[]): Promise<Vector[]> {
    const lines = await Promise.all(ids.map((id) => this.#line(id)));
    return lines.map((line) => numbers(line?.values[0]));
  }

  async #line(id: number): Promise<StepLine | undefined> {
    return this.#lines.get(id) ?? (await this.#load([id]))[0];
  }

  async #load(ids: readonly number[]): Promise<StepLine[]> {
    const missing = [...new Set(ids)].filter((id) => !this.#lines.has(id));
    for (let i = 0; i < missing.length; i += LINES_PER_CALL) {
      for (const line of await this.#engine.lines(missing.slice(i, i + LINES_PER_CALL)))
        this.#lines.set(line.id, line);
    }
    return ids.map((id) => this.#lines.get(id)).filter((line) => line !== undefined);
  }
}

/** A point (w = 1) or a direction (w = 0). */
function moved(m: Matrix, [x, y, z = 0]: Vector, w: 0 | 1): [number, number, number] {
  const row = (k: number) => m[k] * x + m[4 + k] * y + m[8 + k] * z + m[12 + k] * w;
  return [row(0), row(1), row(2)];
}

/** A line through points that lie on one. */
function throughPoints(points: readonly Vector[]): Axis {
  if (points.length < 2) throw new PlacementProblem('placed on an axis of one point');
  const [point] = points;
  const last = points[points.length - 1];
  const along = unitVector([last[0] - point[0], last[1] - point[1]]);
  const length = Math.hypot(last[0] - point[0], last[1] - point[1]);
  for (const [x, y, z = 0] of points) {
    const aside = (x - point[0]) * along[1] - (y - point[1]) * along[0];
    if (!(Math.abs(aside) <= TINY * length) || z !== 0)
      throw new PlacementProblem('placed on an axis that is not straight');
  }
  return { point, along };
}

/** A point of the axis, moved to its left. */
function shifted({ point, along }: Axis, offset: number): Vector {
  return [point[0] - offset * along[1], point[1] + offset * along[0]];
}
