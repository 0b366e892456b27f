/** Locates points between the axes of a building grid: `B–C / 3–4`. */
import type { StoreGrid } from '@impinge/model';
import type { Vec3 } from 'impinge';
import { compareText, oneLine } from '../wire/text.js';

/** Axes are parallel if the sine of their angle is less. */
const PARALLEL = 1e-3;
const TAG_MAX = 20;

interface Family {
  /** Perpendicular to its axes, seen from above. */
  readonly normal: readonly [number, number];
  /** In the direction of the normal. */
  readonly axes: readonly { readonly tag: string; readonly at: number }[];
}

export class GridCells {
  readonly #grids: readonly (readonly Family[])[];

  /** Lengths are in units of `metres`. */
  constructor(grids: readonly StoreGrid[], metres: number) {
    this.#grids = grids
      .map(({ axes }) => {
        const numbers = [...new Set(axes.map(({ family }) => family))].sort((p, q) => p - q);
        return numbers.flatMap(
          (number) =>
            familyOf(
              axes.filter(({ family }) => family === number),
              metres,
            ) ?? [],
        );
      })
      .filter((families) => families.length > 0);
  }

  /**
   * The cell in the first grid whose outermost axes enclose the point, else in the first grid; empty without a grid.
   */
  cellOf(point: Vec3): string {
    const found = this.#grids.map((families) => families.map((family) => between(family, point)));
    const cell = found.find((parts) => parts.every(({ inside }) => inside)) ?? found[0] ?? [];
    return cell.map(({ text }) => text).join(' / ');
  }
}

function familyOf(axes: StoreGrid['axes'], metres: number): Family | undefined {
  const length = Math.hypot(axes[0].along[0], axes[0].along[1]);
  if (!(length > 0)) return undefined; // vertical
  const along = [axes[0].along[0] / length, axes[0].along[1] / length] as const;
  // independent of the direction in which axes are drawn
  const sign = along[0] > PARALLEL || (Math.abs(along[0]) <= PARALLEL && along[1] < 0) ? 1 : -1;
  const normal = [-along[1] * sign, along[0] * sign] as const;
  const parallel = axes.filter(
    ({ along: d }) => Math.abs(d[0] * normal[0] + d[1] * normal[1]) <= PARALLEL * Math.hypot(d[0], d[1]),
  );
  return {
    normal,
    axes: parallel
      .map(({ tag, point }) => ({
        tag: oneLine(tag, TAG_MAX) || '?',
        at: metres * (point[0] * normal[0] + point[1] * normal[1]),
      }))
      .sort((p, q) => p.at - q.at || compareText(p.tag, q.tag)),
  };
}

/** A point outside is at the outermost axis. */
function between({ normal, axes }: Family, point: Vec3): { readonly text: string; readonly inside: boolean } {
  const at = point[0] * normal[0] + point[1] * normal[1];
  const next = axes.findIndex((axis) => axis.at > at);
  if (next < 0) return { text: axes[axes.length - 1].tag, inside: false };
  if (next === 0) return { text: axes[0].tag, inside: false };
  return { text: `${axes[next - 1].tag}–${axes[next].tag}`, inside: true };
}
