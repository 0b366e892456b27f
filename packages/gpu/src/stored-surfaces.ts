/**
 * Surfaces of a detector as objects of a culler, and the error of their stored positions.
 *
 * Positions of surfaces are float64, those of the culler float32 about an origin. If e is the largest error of a
 * coordinate, a stored vertex is off by at most √3 e, and two triangles d apart are stored at most d + 2√3 e apart. The
 * detector reports pairs up to d + 1e-13 of their extents, which together are at most 4 m if no coordinate is farther
 * than m from its origin. So a distance of d + 4 e + 1e-12 m finds them all.
 */
import type { CandidatePairs, StandingSurface } from '@impinge/dynamics/internal/deform/types.js';
import type { Mesh } from 'impinge/internal/mesh/mesh.js';
import type { VisibilityCuller } from './culler.js';
import type { CulledCandidates, CulledObject } from './types.js';

/** A surface whose coordinates are off by more than this share of its size gets a new origin. */
const COARSE = 2 ** -21;

/** Far below the resolution of float32; a distance of 0 would be a different query. */
const LEAST_DISTANCE = 2 ** -120;

interface Stored {
  readonly object: CulledObject;
  readonly surface: StandingSurface;
  indices: Uint32Array;
  revision: number;
  /** The largest error of a coordinate, and the largest distance of one from the origin. */
  error: number;
  far: number;
}

export class StoredSurfaces {
  readonly #culler: VisibilityCuller;
  readonly #stored = new Map<number, Stored>();
  /** Ids of surfaces by ids of the culler. */
  readonly #names = new Map<number, number>();

  constructor(culler: VisibilityCuller) {
    this.#culler = culler;
  }

  /** Updates the culler; returns the length to add to a query's distance. */
  follow(surfaces: readonly StandingSurface[]): number {
    if (this.#stored.size > 0) this.#dropAllBut(surfaces);
    let error = 0;
    let far = 0;
    for (const surface of surfaces) {
      const stored = this.#stored.get(surface.id) ?? this.#add(surface);
      if (stored.revision !== surface.revision) update(stored);
      error = Math.max(error, stored.error);
      far = Math.max(far, stored.far);
    }
    return Math.max(4 * error + 1e-12 * far, LEAST_DISTANCE);
  }

  /** Pairs of the culler in terms of surfaces; in its own arrays. */
  named({ count, objects, triangles }: CulledCandidates): CandidatePairs {
    let [last, name] = [-1, -1];
    for (let i = 0; i < 2 * count; i++) {
      if (objects[i] !== last) {
        last = objects[i];
        name = this.#names.get(last)!;
      }
      objects[i] = name;
    }
    return { count, surfaces: objects, triangles };
  }

  #dropAllBut(surfaces: readonly StandingSurface[]): void {
    const kept = new Set(surfaces.map(({ id }) => id));
    for (const [id, { object }] of this.#stored) {
      if (kept.has(id)) continue;
      this.#stored.delete(id);
      this.#names.delete(object.id);
      object.remove();
    }
  }

  #add(surface: StandingSurface): Stored {
    const { id, indices, revision, self } = surface;
    const object = this.#culler.add(shapeOf(surface), { self });
    const stored = { object, surface, indices, revision, ...errorOf(object.mesh, surface) };
    this.#stored.set(id, stored);
    this.#names.set(object.id, id);
    return stored;
  }
}

/** Writes the current positions of a surface, with a new origin where the old one has become unsuitable. */
function update(stored: Stored): void {
  const { object, surface } = stored;
  if (stored.indices === surface.indices) {
    object.deform(surface.end());
    Object.assign(stored, errorOf(object.mesh, surface));
  } else stored.error = Infinity;
  if (stored.error > COARSE * sizeOf(object.mesh)) {
    object.replace(shapeOf(surface));
    Object.assign(stored, errorOf(object.mesh, surface));
  }
  stored.indices = surface.indices;
  stored.revision = surface.revision;
}

/** A copy of the positions: a view would not outlive that the mesh is laid out. */
function shapeOf(surface: StandingSurface) {
  return { positions: surface.end().slice(), indices: surface.indices, name: surface.name };
}

/** Differences from the origin are rounded themselves, by 2⁻⁵³ of `far`. */
function errorOf({ origin }: Mesh, surface: StandingSurface): { error: number; far: number } {
  const positions = surface.end();
  let error = 0;
  let far = 0;
  for (let c = 0; c < 3; c++) {
    const from = origin[c];
    for (let i = c; i < positions.length; i += 3) {
      const x = positions[i] - from;
      const off = Math.abs(Math.fround(x) - x);
      if (off > error) error = off;
      if (x > far) far = x;
      else if (-x > far) far = -x;
    }
  }
  return { error: error + 2 ** -53 * far, far };
}

function sizeOf({ box: { min, max } }: Mesh): number {
  return Math.max(max[0] - min[0], max[1] - min[1], max[2] - min[2]);
}
