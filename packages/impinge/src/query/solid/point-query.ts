/**
 * Questions about points of objects: the block of memory that the kernels work in. An object is a list of parts, the
 * pieces it was split into; a mesh by itself is an object of one part.
 *
 * Layout: the fields of kernels/solid/point-context.ts; the planes of both sides, the doubts, the cells that wait, the
 * heap, the cells, and the list of parts. Queries nest: each takes its own block from a pool and gives it back; one
 * that searches has room for cells, others have none. A search keeps at most four cells per part before its budget of
 * evaluations counts; when there is no room for more it ends as if the budget were used up.
 */
import { arena } from '../../base/arena.js';
import { growBoxesAt } from '../../hierarchy/build-obb.js';
import type { Hierarchy } from '../../hierarchy/hierarchy.js';
import { slotAt } from '../../hierarchy/layout.js';
import { MeshHeader, Status } from '../../kernel/layout.generated.js';
import type { RigidPose } from '../../math/pose.js';
import type { Mesh } from '../../mesh/mesh.js';
import { hierarchyOf } from '../pair/hierarchy-of.js';
import { solidKernels } from './kernels.generated.js';
import {
  CELL_BYTES,
  HEAP_ENTRY_BYTES,
  P,
  P_HEADER_BYTES,
  PART_BYTES,
  PLANE_BYTES,
  PLANE_CAPACITY,
} from './layout.generated.js';

export interface Parts {
  /** Pieces that together are the surface, or the part of it that matters; all have the same origin. */
  readonly meshes: readonly Mesh[];
  /** Whether the whole surface is closed: every edge is shared by an even number of triangles. */
  readonly closed: boolean;
}

const DOUBT_CAPACITY = 64;
/** Triangles of a leaf at most. */
const WAITING = 8;
const PARTS = 64;
/** Cells that a search has room for, beside four for each part: 0.7 MB. */
const SEARCH_CELLS = 2048;

/** Blocks without cells, and blocks of searches. */
const pools: readonly [number[], number[]] = [[], []];

const bytesFor = (parts: number, cells: number) =>
  P_HEADER_BYTES +
  2 * PLANE_CAPACITY * PLANE_BYTES +
  8 * DOUBT_CAPACITY +
  WAITING * CELL_BYTES +
  cells * (HEAP_ENTRY_BYTES + CELL_BYTES) +
  parts * PART_BYTES;

/** Take one, set what the kernel needs, run it, read it, release it. */
export class PointQuery {
  readonly block: number;
  readonly #kernels = solidKernels.kernels();
  readonly #sides: readonly (readonly Hierarchy[])[];
  /** Where it came from and goes back to, unless it is too large. */
  readonly #pool: number[] | undefined;

  /** With two objects, there is room for a search. */
  constructor(a: Parts, b?: Parts) {
    const sides = [a, ...(b ? [b] : [])];
    this.#sides = sides.map(({ meshes }) => meshes.map((mesh) => hierarchyOf(mesh)));
    const count = this.#sides.reduce((sum, side) => sum + side.length, 0);
    this.#pool = count <= PARTS ? pools[b ? 1 : 0] : undefined;
    const parts = Math.max(count, PARTS);
    const cellCapacity = b ? SEARCH_CELLS + 4 * parts : 0;
    const memory = arena();
    this.block = this.#pool?.pop() ?? memory.alloc(bytesFor(parts, cellCapacity));
    const words = memory.u32();
    const at = this.block >>> 2;
    words.fill(0, at, at + P_HEADER_BYTES / 4);
    let free = this.block + P_HEADER_BYTES;
    const take = (field: number, bytes: number) => {
      words[(this.block + field) >>> 2] = free;
      free += bytes;
    };
    take(P.planes, 2 * PLANE_CAPACITY * PLANE_BYTES);
    take(P.doubts, 8 * DOUBT_CAPACITY);
    take(P.work, WAITING * CELL_BYTES);
    take(P.heap, cellCapacity * HEAP_ENTRY_BYTES);
    take(P.cells, cellCapacity * CELL_BYTES);
    words[at + P.doubtCapacity / 4] = DOUBT_CAPACITY;
    words[at + P.cellCapacity / 4] = cellCapacity;
    sides.forEach((object, side) => {
      const trees = this.#sides[side];
      words[at + P.closedA / 4 + side] = object.closed ? 1 : 0;
      words[at + P.countA / 4 + side] = trees.length;
      take(P.partsA + 4 * side, trees.length * PART_BYTES);
      const list = words[at + P.partsA / 4 + side] >>> 2;
      trees.forEach((tree, part) => {
        words[list + 3 * part] = tree.block;
        words[list + 3 * part + 1] = tree.mesh.block;
        words[list + 3 * part + 2] = 0;
      });
      this.#writeBox(object.meshes, side);
    });
  }

  /** To be called where other queries have run since the last one: they may have built more of a tree, and moved it. */
  refresh(): void {
    const words = arena().u32();
    this.#sides.forEach((trees, side) => {
      const list = this.word(P.partsA + 4 * side) >>> 2;
      for (let part = 0; part < trees.length; part++) words[list + 3 * part] = trees[part].block;
    });
  }

  /** Gives a part marks, a word per triangle at an address of the arena. */
  setMarks(side: number, part: number, marks: number): void {
    arena().u32()[(this.word(P.partsA + 4 * side) >>> 2) + 3 * part + 2] = marks;
  }

  /** The box around all parts of a side, in their stored numbers. */
  #writeBox(meshes: readonly Mesh[], side: number): void {
    const floats = arena().f32();
    const doubles = arena().f64();
    const box = (this.block + P.boxA + 48 * side) >>> 3;
    for (let k = 0; k < 3; k++) {
      let min = Infinity;
      let max = -Infinity;
      for (const mesh of meshes) {
        const at = (mesh.block >>> 2) + MeshHeader.box + k;
        min = Math.min(min, floats[at]);
        max = Math.max(max, floats[at + 3]);
      }
      doubles[box + k] = min;
      doubles[box + 3 + k] = max;
    }
  }

  word(field: number): number {
    return arena().u32()[(this.block + field) >>> 2];
  }
  setWord(field: number, value: number): void {
    arena().u32()[(this.block + field) >>> 2] = value;
  }
  number(field: number): number {
    return arena().f64()[(this.block + field) >>> 3];
  }
  setNumber(field: number, value: number): void {
    arena().f64()[(this.block + field) >>> 3] = value;
  }
  setNumbers(field: number, values: RigidPose): void {
    arena()
      .f64()
      .set(values, (this.block + field) >>> 3);
  }

  /** Runs a kernel until it needs no more treelets; one that asks about one object asks about the first. */
  run(kernel: 'closestTo' | 'crossRay' | 'deepest', side = 0): void {
    while (this.#kernels[kernel](this.block, side) === Status.needTreelet) this.#expand();
  }

  /** How wide the space that both share is at most, see kernels/solid/shared-width.ts. */
  sharedWidth(sides: number, enough: number): number {
    return this.#kernels.sharedWidth(this.block, sides, enough);
  }

  #expand(): void {
    const side = this.word(P.pendingSide);
    const part = this.word(P.pendingPart);
    const tree = this.#sides[side][part];
    growBoxesAt(tree, slotAt(this.word(P.pendingSlot)));
    this.#sides.forEach((trees, s) => {
      const list = this.word(P.partsA + 4 * s) >>> 2;
      trees.forEach((other, p) => {
        if (other === tree) arena().u32()[list + 3 * p] = tree.block;
      });
    });
  }

  release(): void {
    if (this.#pool) this.#pool.push(this.block);
    else arena().free(this.block);
  }
}
