/**
 * Where clashes are, as people say it: storey, room, cell of the grid.
 *
 * Two objects of one storey clash on it. Otherwise, and where a storey is not known, the height of the point decides:
 * among the storeys of both files, or, if they have none, of all. A point that is in no room, such as in a wall or
 * above a ceiling, is near one.
 */
import type { Clash, StoreMeta, StoreStorey } from '@impinge/model';
import { closestPoint, Mesh, pointInMesh, type Vec3 } from 'impinge';
import { compareText } from '../wire/text.js';
import { GridCells } from './grid-cells.js';
import { type Penetration, Penetrations } from './penetrations.js';

export interface Place {
  readonly storey: string;
  /** `A102 Bathroom`, or `near A102 Bathroom`. */
  readonly room: string;
  /** `B–C / 3–4`. */
  readonly grid: string;
  /** Of a service that goes through another element: whether there is an opening for it; else empty. */
  readonly penetration: Penetration | '';
}

/** How far a room may be that a point is near, in metres. */
const NEAR = 1;
/** Storeys whose floors differ by less are equally high: that of one of the objects is meant. */
const SAME_FLOOR = 0.05;
/** A floor may be above what stands on it by rounding. */
const ROUNDING = 1e-6;

interface Room {
  readonly name: string;
  readonly mesh: Mesh;
  /** Of its box. */
  readonly size: number;
}

/** What is asked of a model. */
interface Located {
  readonly meta: Pick<StoreMeta, 'files' | 'metresPerUnit'>;
}

/** Lengths are in metres. */
export class Places {
  readonly #cells: GridCells;
  readonly #storeys = new Map<string, StoreStorey[]>();
  readonly #rooms: readonly Room[];
  readonly #penetrations: Penetrations;

  constructor({ meta: { files, metresPerUnit } }: Located) {
    this.#penetrations = new Penetrations({ meta: { files, metresPerUnit } });
    this.#cells = new GridCells(
      files.flatMap(({ grids = [] }) => grids),
      metresPerUnit,
    );
    for (const { name, storeys = [] } of files) {
      const own = storeys.map((one) => ({ name: one.name, elevation: metresPerUnit * one.elevation }));
      this.#storeys.set(name, [...(this.#storeys.get(name) ?? []), ...own]);
    }
    this.#rooms = files
      .flatMap(({ rooms = [] }) => rooms)
      .map(({ name, positions, indices }) => {
        const scaled = Float64Array.from(positions, (x) => metresPerUnit * x);
        const mesh = Mesh.from({ positions: scaled, indices: Uint32Array.from(indices), name });
        const { min, max } = mesh.box;
        return { name, mesh, size: (max[0] - min[0]) * (max[1] - min[1]) * (max[2] - min[2]) };
      })
      // the smallest that holds a point is meant: a flat has rooms
      .sort((p, q) => p.size - q.size || compareText(p.name, q.name));
  }

  of(clash: Pick<Clash, 'a' | 'b' | 'kind' | 'form' | 'box' | 'point'>): Place {
    const { point } = clash;
    return {
      storey: this.#storeyOf(clash),
      room: this.#roomOf(point),
      grid: this.#cells.cellOf(point),
      penetration: this.#penetrations.of(clash),
    };
  }

  #storeyOf({ a, b, point }: Pick<Clash, 'a' | 'b' | 'point'>): string {
    if (a.storey !== '' && a.storey === b.storey) return a.storey;
    const ofFiles = [...new Set([a.file, b.file])].flatMap((file) => this.#storeys.get(file) ?? []);
    const known = ofFiles.length > 0 ? ofFiles : [...this.#storeys.values()].flat();
    if (known.length === 0)
      return [a.storey, b.storey]
        .filter((name) => name !== '')
        .sort(compareText)
        .join(' – ');
    const below = known.filter(({ elevation }) => elevation <= point[2] + ROUNDING);
    const heights = (below.length > 0 ? below : known).map(({ elevation }) => elevation);
    const floor = below.length > 0 ? Math.max(...heights) : Math.min(...heights);
    const names = known
      .filter(({ elevation }) => Math.abs(elevation - floor) < SAME_FLOOR)
      .map(({ name }) => name)
      .sort(compareText);
    return names.find((name) => name === a.storey || name === b.storey) ?? names[0];
  }

  #roomOf(point: Vec3): string {
    const near = this.#rooms.filter(({ mesh: { box } }) => gapOf(box, point) < NEAR);
    const around = near.find(
      ({ mesh }) => gapOf(mesh.box, point) === 0 && pointInMesh(mesh, point) !== 'outside',
    );
    if (around) return around.name;
    let nearest = '';
    let least = NEAR;
    for (const { name, mesh } of near) {
      const distance = closestPoint(mesh, point, { atMost: least })?.distance ?? Infinity;
      if (distance < least) [nearest, least] = [name, distance];
    }
    return nearest === '' ? '' : `near ${nearest}`;
  }
}

function gapOf({ min, max }: Mesh['box'], point: Vec3): number {
  return Math.hypot(...point.map((x, k) => Math.max(0, min[k] - x, x - max[k])));
}
