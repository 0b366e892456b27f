/** The patches that an answer names on one side, each once, and their corners where they are in the world. */
import { arena } from 'impinge/internal/base/arena.js';
import { completeHierarchy } from 'impinge/internal/hierarchy/build-obb.js';
import { TreeView } from 'impinge/internal/hierarchy/tree-view.js';
import { composePoses, posePoint, type RigidPose } from 'impinge/internal/math/pose.js';
import { orientationOf } from 'impinge/internal/mesh/closed.js';
import type { Mesh } from 'impinge/internal/mesh/mesh.js';
import { hierarchyOf } from 'impinge/internal/query/pair/hierarchy-of.js';
import type { WithinResult } from 'impinge/internal/query/pair/results.js';
import type { PartsTarget } from 'impinge/internal/query/target.js';
import { isPieceTarget, type PieceSide } from './piece-target.js';

/**
 * Rotations as callers give them may stretch: RᵀR is off by up to 1e-5, so lengths by 1.5e-5. Up to four of them lie
 * between two parts.
 */
export const STRETCH = 1.0001;
/** Coordinates that were posed are off by less than this share of them and of what they were made of. */
const ROUNDING = 2 ** -44;

export class PatchIndex {
  readonly count: number;
  /** Pairs of the answer; those of patch p are at first[p] … first[p + 1]. */
  readonly pairs: Uint32Array;
  readonly first: Uint32Array;
  /** Of each pair of the answer, its patch. */
  readonly patchOf: Uint32Array;
  /** No corner is off by more because of rounding; known once the corners were read. */
  rounding = 0;
  /** Of each patch twice the vector of its area, outwards where triangles tell; known once the corners were read. */
  readonly facing: Float64Array;
  readonly #found: WithinResult<PartsTarget>;
  /** 0: the side of a, 1: of b. */
  readonly #which: 0 | 1;
  readonly #side: PieceSide;
  readonly #toWorld: RigidPose;
  /** 1, or −1 where triangles face inwards; those of stored models are taken to face outwards. */
  readonly #outward: number;

  constructor(found: WithinResult<PartsTarget>, which: 0 | 1, side: PieceSide, toWorld: RigidPose) {
    this.#found = found;
    this.#which = which;
    this.#side = side;
    this.#toWorld = toWorld;
    const { count, objects, pieces, pairs, patches } = found;
    const columns = patches ? [objects, pieces, patches.firsts, patches.counts] : [objects, pieces, pairs];
    const compare = (p: number, q: number) => {
      for (const column of columns) {
        const difference = column[2 * p + which] - column[2 * q + which];
        if (difference !== 0) return difference;
      }
      return 0;
    };
    this.pairs = Uint32Array.from({ length: count }, (_, i) => i).sort((p, q) => compare(p, q) || p - q);
    const starts = Array.from(this.pairs.keys()).filter(
      (i) => i === 0 || compare(this.pairs[i - 1], this.pairs[i]) !== 0,
    );
    this.first = Uint32Array.from([...starts, count]);
    this.count = starts.length;
    this.facing = new Float64Array(3 * this.count);
    this.#outward = (!isPieceTarget(side) && orientationOf(side)) || 1;
    this.patchOf = new Uint32Array(count);
    for (let patch = 0; patch < this.count; patch++) {
      for (let i = this.first[patch]; i < this.first[patch + 1]; i++) this.patchOf[this.pairs[i]] = patch;
    }
  }

  /** How far a patch may be from what it stands for, in the world. */
  errorsOf(patch: number): { readonly out: number; readonly in: number } {
    if (!isPieceTarget(this.#side)) return { out: 0, in: 0 };
    const at = this.#at(patch);
    const errors = this.#side.errorsOf(this.#found.objects[at], this.#found.pieces[at]);
    return { out: STRETCH * errors.out, in: STRETCH * errors.in };
  }

  /** Hands over the corners of one patch after the other; they are overwritten by those of the next. */
  async each(visit: (patch: number, corners: Float64Array) => void): Promise<void> {
    const { objects, pieces } = this.#found;
    for (let patch = 0; patch < this.count; ) {
      const from = patch;
      const at = this.#at(from);
      while (patch < this.count && objects[this.#at(patch)] === objects[at]) {
        if (pieces[this.#at(patch)] !== pieces[at]) break;
        patch++;
      }
      const end = patch;
      const visitAll = (mesh: Mesh, pose: RigidPose) => {
        for (let p = from; p < end; p++) visit(p, this.#corners(p, mesh, pose));
      };
      const side = this.#side;
      if (!isPieceTarget(side)) visitAll(side, this.#toWorld);
      else {
        await side.withPiece(objects[at], pieces[at], (mesh, pose) => {
          completeHierarchy(hierarchyOf(mesh)); // it may have been read again: only then is the order of triangles final
          visitAll(mesh, composePoses(this.#toWorld, pose));
        });
      }
    }
  }

  #corners(patch: number, mesh: Mesh, pose: RigidPose): Float64Array {
    const triangles = this.#triangles(patch, mesh);
    const { storedIndices: indices, storedPositions: positions, origin } = mesh;
    const corners = new Float64Array(9 * triangles.length);
    const far = [pose, this.#toWorld].reduce(
      (sum, p) => sum + Math.abs(p[9]) + Math.abs(p[10]) + Math.abs(p[11]),
      0,
    );
    for (let i = 0; i < 3 * triangles.length; i++) {
      const v = 3 * indices[3 * triangles[Math.floor(i / 3)] + (i % 3)];
      const x = positions[v] + origin[0];
      const y = positions[v + 1] + origin[1];
      const z = positions[v + 2] + origin[2];
      posePoint(pose, x, y, z, corners, 3 * i);
      const reach = far + Math.abs(x) + Math.abs(y) + Math.abs(z);
      if (ROUNDING * reach > this.rounding) this.rounding = ROUNDING * reach;
    }
    this.#face(patch, corners);
    return corners;
  }

  #face(patch: number, corners: Float64Array): void {
    const facing = this.facing.subarray(3 * patch, 3 * patch + 3).fill(0);
    for (let i = 0; i < corners.length; i += 9) {
      const edge = (from: number, k: number) => corners[i + from + k] - corners[i + k];
      for (let k = 0; k < 3; k++) {
        const [l, m] = [(k + 1) % 3, (k + 2) % 3];
        facing[k] += this.#outward * (edge(3, l) * edge(6, m) - edge(3, m) * edge(6, l));
      }
    }
  }

  #triangles(patch: number, mesh: Mesh): Uint32Array {
    const { pairs, patches } = this.#found;
    const at = this.#at(patch);
    if (!patches) return pairs.subarray(at, at + 1);
    const { words, orderWord } = new TreeView(arena(), hierarchyOf(mesh).block);
    const first = orderWord + patches.firsts[at];
    return words.slice(first, first + patches.counts[at]);
  }

  /** Where the columns of the answer tell of a patch. */
  #at(patch: number): number {
    return 2 * this.pairs[this.first[patch]] + this.#which;
  }
}
