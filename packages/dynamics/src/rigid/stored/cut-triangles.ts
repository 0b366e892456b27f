/**
 * The triangles that two fronts have near each other.
 *
 * Promise: they include the triangles of the fronts that represent any two originals within reach of each other. They
 * include more: patches are taken as a whole.
 */
import type { Part } from '@impinge/model/internal/level-queries/batch-query.js';
import type { NearParts } from '@impinge/model/internal/level-queries/near-parts.js';
import { findPatches, orderAt } from '@impinge/model/internal/level-queries/near-patches.js';
import { PatchList } from '@impinge/model/internal/level-queries/patch-list.js';
import { MeshSide, type Side } from '@impinge/model/internal/level-queries/side.js';
import { arena } from 'impinge/internal/base/arena.js';
import type { Hierarchy } from 'impinge/internal/hierarchy/hierarchy.js';
import { posePoint, type RigidPose } from 'impinge/internal/math/pose.js';
import { UNLIMITED } from 'impinge/internal/query/pair/collide.js';

/** Additional distance and size of patches, as a share of the reach; the walk ends earlier. */
const FARTHER = 0.5;
const PATCH_RADIUS = 0.5;

/** Triangles of one side, in its coordinates, rounded to float32; none of a mesh. */
export interface CutTriangles {
  readonly positions: Float64Array;
  readonly indices: Uint32Array;
  /** Maximum displacement of a point by rounding. */
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
  #positions = new Float64Array(1024);
  #indices = new Uint32Array(1024);
  #coordinates = 0;
  #corners = 0;
  #rounding = 0;
  isEmpty = true;

  constructor(side: Side) {
    this.#side = side;
  }

  /** Takes the patches of one side of a list, which are of these parts. */
  take(parts: readonly Part[], { count, parts: numbers, firsts, counts }: PatchList, side: number): void {
    if (count > 0) this.isEmpty = false;
    // meshes are compared as a whole
    if (this.#side instanceof MeshSide) return;
    for (const { part, tree } of parts) {
      const known = this.#parts.get(part);
      if (known) known.tree = tree;
      else this.#parts.set(part, new CutPart(tree));
    }
    let last = -1;
    let known: CutPart | undefined;
    for (let i = side; i < 2 * count; i += 2) {
      if (numbers[i] !== last) known = this.#parts.get((last = numbers[i]));
      const { longest } = known as CutPart;
      if (counts[i] <= longest[firsts[i]]) continue;
      longest[firsts[i]] = counts[i];
      this.#takePatch(last, known as CutPart, firsts[i], firsts[i] + counts[i]);
    }
  }

  /** The triangles between two positions in the order of a tree. */
  #takePatch(part: number, { tree, taken, vertices }: CutPart, from: number, to: number): void {
    const words = arena().u32();
    const order = orderAt(tree);
    const { storedPositions: p, storedIndices: indices, origin } = tree.mesh;
    const pose = this.#side.poseOf(part);
    for (let position = from; position < to; position++) {
      const triangle = words[order + position];
      if (taken[triangle] !== 0) continue;
      taken[triangle] = 1;
      if (this.#corners + 3 > this.#indices.length) this.#indices = twice(this.#indices);
      for (let i = 3 * triangle; i < 3 * triangle + 3; i++) {
        const v = indices[i];
        if (vertices[v] < 0) {
          vertices[v] = this.#coordinates / 3;
          posePoint(pose, p[3 * v] + origin[0], p[3 * v + 1] + origin[1], p[3 * v + 2] + origin[2], PLACE, 0);
          this.#enter();
        }
        this.#indices[this.#corners++] = vertices[v];
      }
    }
  }

  triangles(): CutTriangles {
    return {
      positions: this.#positions.slice(0, this.#coordinates),
      indices: this.#indices.slice(0, this.#corners),
      rounding: this.#rounding,
    };
  }

  /** A vertex that is at `PLACE`. */
  #enter(): void {
    if (this.#coordinates + 3 > this.#positions.length) this.#positions = twice(this.#positions);
    let sq = 0;
    for (let k = 0; k < 3; k++) {
      const rounded = Math.fround(PLACE[k]);
      sq += (rounded - PLACE[k]) * (rounded - PLACE[k]);
      this.#positions[this.#coordinates++] = rounded;
    }
    if (sq > this.#rounding * this.#rounding) this.#rounding = Math.sqrt(sq) * (1 + 1e-15);
  }
}

const PLACE = /* @__PURE__ */ new Float64Array(3);

/** The triangles of a part in a cut. */
class CutPart {
  tree: Hierarchy;
  /** By position in the order of the tree: the number taken from there on. */
  readonly longest: Uint32Array;
  /** By triangle: whether it was; by vertex: where it is in the cut, or -1. */
  readonly taken: Uint8Array;
  readonly vertices: Int32Array;

  constructor(tree: Hierarchy) {
    const { triangleCount, vertexCount } = tree.mesh;
    this.tree = tree;
    this.longest = new Uint32Array(triangleCount);
    this.taken = new Uint8Array(triangleCount);
    this.vertices = new Int32Array(vertexCount).fill(-1);
  }
}

function twice<T extends Uint32Array | Float64Array>(array: T): T {
  const larger = new (array.constructor as new (length: number) => T)(2 * array.length);
  larger.set(array);
  return larger;
}
