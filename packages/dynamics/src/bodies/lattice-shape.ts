/**
 * A closed or open surface inside a lattice of cubic cells: nodes at the corners of occupied cells, surface vertices
 * following the corners of their cell trilinearly, and one region around each occupied cell.
 *
 * FastLSM has a region around every node and sums over them along the axes. Here regions are around cells: a letter has
 * a quarter as many, and regions of one or two cells' width are small enough to sum directly.
 */

import { ImpingeError } from 'impinge/internal/base/errors.js';
import type { Point } from 'impinge/internal/math/point.js';
import { type MatchedShape, matchedShape, type VertexWeights } from './matched-shape.js';
import { checkOption, readSurface, readVector, type SurfaceSource } from './surface-input.js';

export interface Lattice {
  readonly cellSize: number;
  /** The least corner of cell (0, 0, 0). */
  readonly origin: Point;
  /** Three cell coordinates per occupied cell. */
  readonly cells: ArrayLike<number>;
}

export interface LatticeShapeOptions {
  /** Kilograms. */
  readonly mass: number;
  /** A region holds the corners of all occupied cells at most this many cells away. */
  readonly halfWidth: number;
}

/** Embeds a surface. Every vertex must lie in, or within rounding of, an occupied cell. */
export function latticeShape(
  surface: SurfaceSource,
  lattice: Lattice,
  options: LatticeShapeOptions,
): MatchedShape {
  const { name, positions, indices, vertexCount } = readSurface(surface, 'lattice body');
  const { cellSize, cells } = lattice;
  const origin = readVector(`${name}: origin`, lattice.origin);
  checkOption(`${name}: mass`, options.mass, options.mass > 0);
  checkOption(`${name}: halfWidth`, options.halfWidth, options.halfWidth >= 0);
  const cellCount = cells.length / 3;
  const cellAt = new Map<string, number>();
  for (let c = 0; c < cellCount; c++) cellAt.set(key(cells[3 * c], cells[3 * c + 1], cells[3 * c + 2]), c);

  const nodeAt = new Map<string, number>();
  const rest: number[] = [];
  const corners = Array.from({ length: cellCount }, (_, c) =>
    Array.from({ length: 8 }, (_, corner) => {
      const place = [0, 1, 2].map((k) => cells[3 * c + k] + ((corner >> k) & 1));
      const at = key(place[0], place[1], place[2]);
      let node = nodeAt.get(at);
      if (node === undefined) {
        nodeAt.set(at, (node = nodeAt.size));
        for (let k = 0; k < 3; k++) rest.push(origin[k] + cellSize * place[k]);
      }
      return node;
    }),
  );
  const masses = new Float64Array(nodeAt.size);
  for (const node of corners.flat()) masses[node] += options.mass / (8 * cellCount);

  const vertices = Array.from({ length: vertexCount }, (_, v): VertexWeights => {
    const place = [0, 1, 2].map((k) => (positions[3 * v + k] - origin[k]) / cellSize);
    const cell = cellOf(place, cellAt);
    if (cell < 0) {
      throw new ImpingeError('bad-input', `${name}: vertex ${v} lies in no cell of the lattice`, {
        object: name,
        vertex: v,
      });
    }
    return trilinear(
      corners[cell],
      place.map((p, k) => p - cells[3 * cell + k]),
    );
  });

  const regions = Array.from({ length: cellCount }, (_, c) => {
    const members = new Set<number>();
    for (let other = 0; other < cellCount; other++) {
      const far = [0, 1, 2].some(
        (k) => Math.abs(cells[3 * c + k] - cells[3 * other + k]) > options.halfWidth,
      );
      if (!far) for (const node of corners[other]) members.add(node);
    }
    return [...members].sort((a, b) => a - b);
  });
  return matchedShape({ rest: Float64Array.from(rest), masses, regions, vertices, indices });
}

function key(x: number, y: number, z: number): string {
  return `${x} ${y} ${z}`;
}

/** The occupied cell of a point; of several that touch it any does, so the nearest is taken. */
function cellOf(place: readonly number[], cellAt: ReadonlyMap<string, number>): number {
  const [x, y, z] = place.map(Math.floor);
  let best = -1;
  let nearest = 1e-3;
  for (let i = 0; i < 27; i++) {
    const at = [x - 1 + (i % 3), y - 1 + (Math.floor(i / 3) % 3), z - 1 + Math.floor(i / 9)];
    const cell = cellAt.get(key(at[0], at[1], at[2]));
    const outside = Math.max(...at.map((c, k) => Math.max(c - place[k], place[k] - c - 1)), 0);
    if (cell !== undefined && outside < nearest) {
      nearest = outside;
      best = cell;
    }
  }
  return best;
}

/** Weights of the eight corners for a point at `place`, from 0 to 1 along each axis. */
function trilinear(corners: readonly number[], place: readonly number[]): VertexWeights {
  return corners.flatMap((node, corner) => {
    let weight = 1;
    for (let k = 0; k < 3; k++) weight *= (corner >> k) & 1 ? place[k] : 1 - place[k];
    return [node, weight];
  });
}
