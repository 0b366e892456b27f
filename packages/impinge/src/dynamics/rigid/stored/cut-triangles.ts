/**
 * The triangles that two fronts have near each other.
 *
 * Promise: of any two originals within reach of each other, the triangles of the fronts that they stand on are among them.
 * So are others: patches are taken as they are.
 */
import { posePoint, type RigidPose } from '../../../math/pose.js';
import type { Part } from '../../../query/levels/batch-query.js';
import type { NearParts } from '../../../query/levels/near-parts.js';
import { findPatches, trianglesInOrder } from '../../../query/levels/near-patches.js';
import { PatchList } from '../../../query/levels/patch-list.js';
import type { Side } from '../../../query/levels/side.js';
import { UNLIMITED } from '../../../query/pair/collide.js';

/** Of the reach: how much farther apart patches may be, and how large; the walk ends the earlier. */
const FARTHER = 0.5;
const PATCH_RADIUS = 0.5;
/** More than the triangles of a piece, or of a mesh. */
const PIECE = 2 ** 24;

/** Triangles of one side, in its coordinates, rounded to float32. */
export interface CutTriangles {
  readonly positions: Float64Array;
  readonly indices: Uint32Array;
  /** How far a point was moved by rounding, at most. */
  readonly rounding: number;
}

/** The triangles of both sides that originals within `reach` stand on; undefined where there are none. */
export function cutTriangles(
  near: NearParts,
  bToA: RigidPose,
  reach: number,
): readonly [CutTriangles, CutTriangles] | undefined {
  const ofA = new Cutting(near.a);
  const ofB = new Cutting(near.b);
  const off = near.a.out + near.b.out;
  const error = off + near.a.in + near.b.in + FARTHER * reach;
  const ask = { distance: reach, error, radius: PATCH_RADIUS * reach, limit: UNLIMITED };
  const list = new PatchList();
  for (const batch of near.within(bToA, reach + off)) {
    // nothing of it is under way, since nothing is fetched ahead: it is there at once
    near.hold(batch);
    try {
      const parts = near.parts(batch, bToA);
      list.clear();
      findPatches(parts, ask, list);
      ofA.take(parts.a, list, 0);
      ofB.take(parts.b, list, 1);
    } finally {
      near.release(batch);
    }
  }
  return ofA.isEmpty ? undefined : [ofA.triangles(), ofB.triangles()];
}

class Cutting {
  readonly #side: Side;
  readonly #parts = new Map<number, CutPart>();
  readonly #positions: number[] = [];
  readonly #indices: number[] = [];
  #rounding = 0;

  constructor(side: Side) {
    this.#side = side;
  }

  get isEmpty(): boolean {
    return this.#indices.length === 0;
  }

  /** Takes the patches of one side of a list, which are of these parts. */
  take(parts: readonly Part[], { count, parts: numbers, firsts, counts }: PatchList, side: number): void {
    const held = new Map(parts.map((part) => [part.part, part]));
    const seen = new Set<number>();
    for (let i = side; i < 2 * count; i += 2) {
      const part = held.get(numbers[i]) as Part;
      const patch = (numbers[i] * PIECE + firsts[i]) * PIECE + counts[i];
      if (seen.has(patch)) continue;
      seen.add(patch);
      this.#takePatch(part, firsts[i], counts[i]);
    }
  }

  #takePatch({ part, tree }: Part, first: number, count: number): void {
    let known = this.#parts.get(part);
    if (!known) {
      known = { taken: new Uint8Array(tree.mesh.triangleCount), vertices: new Map() };
      this.#parts.set(part, known);
    }
    const { taken, vertices } = known;
    const fresh = trianglesInOrder(tree, first, count).filter((triangle) => taken[triangle] === 0);
    if (fresh.length === 0) return;
    const { positions: p, indices, origin } = tree.mesh;
    const pose = this.#side.poseOf(part);
    const place = new Float64Array(3);
    for (const triangle of fresh) {
      taken[triangle] = 1;
      for (let i = 3 * triangle; i < 3 * triangle + 3; i++) {
        const v = 3 * indices[i];
        let vertex = vertices.get(v);
        if (vertex === undefined) {
          posePoint(pose, p[v] + origin[0], p[v + 1] + origin[1], p[v + 2] + origin[2], place, 0);
          vertices.set(v, (vertex = this.#enter(place)));
        }
        this.#indices.push(vertex);
      }
    }
  }

  triangles(): CutTriangles {
    return {
      positions: Float64Array.from(this.#positions),
      indices: Uint32Array.from(this.#indices),
      rounding: this.#rounding,
    };
  }

  #enter(place: Float64Array): number {
    let sq = 0;
    for (const value of place) {
      const rounded = Math.fround(value);
      sq += (rounded - value) ** 2;
      this.#positions.push(rounded);
    }
    this.#rounding = Math.max(this.#rounding, Math.sqrt(sq));
    return this.#positions.length / 3 - 1;
  }
}

/** Of a part: which of its triangles were taken, and where its vertices are in the cut. */
interface CutPart {
  readonly taken: Uint8Array;
  readonly vertices: Map<number, number>;
}
