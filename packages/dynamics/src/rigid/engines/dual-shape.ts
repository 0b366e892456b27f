/**
 * A surface in memory with contact levels: each usable level is a separate surface, whose triangles are sorted by the
 * node whose patch they are. Level 0 is the surface itself.
 *
 * All in the frame about the centre. `out`: no point of the surface is farther outside of the hulls of level 0 that it
 * is below than this: the levels may have been made of coordinates that were rounded in another way.
 */
import { arena } from 'impinge/internal/base/arena.js';
import { ImpingeError } from 'impinge/internal/base/errors.js';
import type { Vec3 } from 'impinge/internal/math/pose.js';
import type { ContactLevels } from '../../contact-levels/contact-levels.js';
import { hullsKernels } from '../../contact-pairs/kernels.generated.js';
import { ContactShape, type RigidSurface } from '../contact-shape.js';

/** See kernels/hulls/along.ts; rows are rounded, too. */
const ROUNDING = 2 ** -21 + 2 ** -23;
/** Maximum number of surfaces that contact ids distinguish. */
export const MOST_LEVELS = 16;
/** Relative to the largest coordinate: more than the difference of two float32 roundings of one place. */
const ROUNDED = 2 ** -21;

export class DualShape extends ContactShape {
  readonly levels: ContactLevels;
  readonly out: number;
  /** Of the levels, by node. */
  readonly childStart: Uint32Array;
  readonly parent: Uint32Array;
  readonly h: Float32Array;
  readonly s: Float32Array;
  /** For each node, the first and last node of level 0 below it; all between them are below it, too. */
  readonly #firstLeaf: Uint32Array;
  readonly #lastLeaf: Uint32Array;
  readonly #levelStart: Uint32Array;
  readonly #triangleStart: Uint32Array;
  readonly #originalStart: Uint32Array;
  readonly #originals: Uint32Array;
  readonly #points: (Points | undefined)[] = [];
  /** Above level 0. */
  readonly #ofLevel: (ContactShape | undefined)[] = [];

  constructor(surface: RigidSurface, centre: Vec3, levels: ContactLevels) {
    super(surface, centre);
    this.levels = levels;
    const childStart = (this.childStart = levels.array('childStart').slice());
    this.parent = levels.array('parent').slice();
    this.h = levels.array('h').slice();
    this.s = levels.array('s').slice();
    this.#levelStart = levels.array('levelStart').slice();
    const leaves = this.#levelStart[1];
    this.#triangleStart = levels.array('triangleStart').slice();
    this.#originalStart = levels.array('originalStart').slice();
    this.#originals = levels.array('originals').slice();
    this.#firstLeaf = new Uint32Array(levels.nodeCount);
    this.#lastLeaf = new Uint32Array(levels.nodeCount);
    for (let n = 0; n < levels.nodeCount; n++) {
      this.#firstLeaf[n] = n < leaves ? n : this.#firstLeaf[childStart[n]];
      this.#lastLeaf[n] = n < leaves ? n : this.#lastLeaf[childStart[n + 1] - 1];
    }
    let out = 0;
    for (const h of this.h.subarray(0, leaves)) out = Math.max(out, h);
    this.out = out + deviationOf(surface, levels);
    for (let level = 1; level < Math.min(levels.usableLevels, MOST_LEVELS); level++)
      this.#ofLevel[level] = this.#levelSurface(level);
  }

  override dispose(): void {
    super.dispose();
    for (const shape of this.#ofLevel) shape?.dispose();
    for (const points of this.#points) if (points) arena().free(points.at);
  }

  levelOf(node: number): number {
    let level = 0;
    while (this.#levelStart[level + 1] <= node) level++;
    return level;
  }

  /** Whether two nodes have originals in common. */
  overlap(one: number, other: number): boolean {
    const [first, last] = [this.#firstLeaf, this.#lastLeaf];
    return first[one] <= last[other] && first[other] <= last[one];
  }

  /** The surface of a usable level. */
  surfaceOf(level: number): ContactShape {
    return this.#ofLevel[level] ?? this;
  }

  /** Calls for every triangle of a node's patch, as it is numbered in the surface of its level; a box may have none. */
  eachTriangle(node: number, level: number, visit: (triangle: number) => void): void {
    if (level === 0) {
      for (let i = this.#originalStart[node]; i < this.#originalStart[node + 1]; i++)
        visit(this.#originals[i]);
      return;
    }
    if (!this.#ofLevel[level]) return;
    const base = this.#triangleStart[this.#levelStart[level]];
    for (let i = this.#triangleStart[node]; i < this.#triangleStart[node + 1]; i++) visit(i - base);
  }

  /** The extent of a node's patch along a direction; -Infinity where it has none. */
  patchFarthest(node: number, dx: number, dy: number, dz: number): number {
    const level = this.levelOf(node);
    const { vertices, corners } = this.surfaceOf(level);
    let most = -Infinity;
    this.eachTriangle(node, level, (t) => {
      for (let i = 3 * t; i < 3 * t + 3; i++) {
        const v = 3 * corners[i];
        most = Math.max(most, dx * vertices[v] + dy * vertices[v + 1] + dz * vertices[v + 2]);
      }
    });
    return most;
  }

  /** Undefined where nothing is left of it. */
  #levelSurface(level: number): ContactShape | undefined {
    const { levels } = this;
    const { origin } = levels;
    const [start, end] = [this.#levelStart[level], this.#levelStart[level + 1]];
    const surfaceStart = levels.array('surfaceStart');
    const positions = Float64Array.from(
      levels.array('surfaceVertices').subarray(3 * surfaceStart[level], 3 * surfaceStart[level + 1]),
      (x, i) => x + origin[i % 3],
    );
    const indices = levels
      .array('triangles')
      .slice(3 * this.#triangleStart[start], 3 * this.#triangleStart[end]);
    if (indices.length === 0) return undefined;
    return new ContactShape({ name: `${this.name}, level ${level}`, positions, indices }, this.centre);
  }

  /** No original below a node reaches farther along a direction. */
  farthest(node: number, dx: number, dy: number, dz: number): number {
    const { at, stride, middle, rounding } = this.#points[node] ?? this.#gather(node);
    const along = hullsKernels.kernels().farthestAlong(at, stride, dx, dy, dz);
    return along + rounding + dx * middle[0] + dy * middle[1] + dz * middle[2];
  }

  /** The vertices of the originals below a node, each once, as rows about one of them. */
  #gather(node: number): Points {
    const { vertices, corners } = this;
    const ids = new Set<number>();
    const first = this.#originalStart[this.#firstLeaf[node]];
    const end = this.#originalStart[this.#lastLeaf[node] + 1];
    for (let i = first; i < end; i++) {
      for (let c = 3 * this.#originals[i]; c < 3 * this.#originals[i] + 3; c++) ids.add(corners[c]);
    }
    const stride = 4 * Math.ceil(ids.size / 4);
    const at = arena().alloc(12 * stride);
    const rows = arena()
      .f32()
      .subarray(at >>> 2, (at >>> 2) + 3 * stride);
    const v = 3 * corners[3 * this.#originals[first]];
    const middle = [vertices[v], vertices[v + 1], vertices[v + 2]] as const;
    rows.fill(0);
    let [i, size] = [0, 0];
    for (const id of ids) {
      let sum = 0;
      for (let k = 0; k < 3; k++) {
        rows[k * stride + i] = vertices[3 * id + k] - middle[k];
        sum += Math.abs(rows[k * stride + i]);
      }
      size = Math.max(size, sum);
      i++;
    }
    return (this.#points[node] = { at, stride, middle, rounding: ROUNDING * size });
  }
}

/** Rows x, y, z of float32 in the arena, about `middle`; `farthestAlong` is off by at most `rounding` for them. */
interface Points {
  readonly at: number;
  readonly stride: number;
  readonly middle: readonly [number, number, number];
  readonly rounding: number;
}

/** Throws unless contact levels are those of a surface. */
export function assertContactLevelsOf(surface: RigidSurface, levels: ContactLevels): void {
  const { name } = surface;
  const refuse = (why: string) => {
    throw new ImpingeError('bad-input', `${name}: ${why}`, { object: name });
  };
  if (typeof Object(levels).array !== 'function') refuse('its contact levels are not ContactLevels');
  if (!(deviationOf(surface, levels) < Infinity)) refuse('its contact levels belong to another mesh');
}

/** The distance of corners of level 0's patches from those of the mesh; Infinity where they are different triangles. */
function deviationOf({ positions, indices }: RigidSurface, levels: ContactLevels): number {
  const { origin } = levels;
  const originals = levels.array('originals');
  const starts = levels.array('originalStart');
  const patches = levels.array('triangleStart');
  const [triangles, vertices] = [levels.array('triangles'), levels.array('surfaceVertices')];
  if (3 * originals.length !== indices.length) return Infinity;
  let size = 0;
  for (const x of positions) size = Math.max(size, Math.abs(x));
  for (const x of origin) size = Math.max(size, Math.abs(x));
  const apart = (i: number, t: number): number => {
    let most = 0;
    for (let c = 0; c < 9; c++) {
      const corner = Math.floor(c / 3);
      const [v, w] = [3 * triangles[3 * i + corner], 3 * indices[3 * t + corner]];
      const off = Math.abs(vertices[v + (c % 3)] + origin[c % 3] - positions[w + (c % 3)]);
      if (off > ROUNDED * size) return Infinity;
      most = Math.max(most, off);
    }
    return most;
  };
  let most = 0;
  for (let n = 0; n < starts.length - 1; n++) {
    for (let j = starts[n]; j < starts[n + 1]; j++) {
      if (!(3 * originals[j] < indices.length)) return Infinity;
      let least = Infinity;
      // the two lists of a patch have orders of their own
      for (let i = patches[n]; i < patches[n + 1] && least > most; i++) {
        least = Math.min(least, apart(i, originals[j]));
      }
      most = Math.max(most, least);
    }
    if (most > ROUNDED * size) return Infinity;
  }
  return Math.sqrt(3) * most;
}
