/**
 * All surfaces of a detector in one numbering, laid out for the kernels (layout.ts).
 *
 * Surfaces come in the order of adding, static ones first; their vertices and triangles are numbered through in that
 * order, by the caller and, in the same ranges, by the kernels (inner-order.ts). The layout is made anew only when
 * surfaces come, go or change their triangles; moving writes in place.
 */
import { arena } from 'impinge/internal/base/arena.js';
import {
  CTX_BYTES,
  Ctx,
  GROUP_SHIFT,
  IS_LOOSE,
  IS_STATIC,
  LEFT_OUT,
  TESTS_ITSELF,
} from './layout.generated.js';
import type { DeformableSurface } from './surface.js';
import type { Surface } from './types.js';

/** Surfaces with as many vertices per triangle are no meshes whose parts stay together: those have about one half. */
const LOOSE = 2;

export class SurfaceTable {
  /** The block described by `Ctx`. */
  readonly block: number;
  /** The same for the end of the step alone: nothing moves. */
  readonly endBlock: number;
  readonly surfaces: readonly DeformableSurface[];
  /** First vertex and triangle of each surface, and one entry past the last. */
  readonly vertexBase: Uint32Array;
  readonly triangleBase: Uint32Array;
  /** u32: the surface, as a place in `surfaces`, of every vertex. */
  readonly surfaceOfVertexAt: number;
  /** Four u32 per surface: its id, its first vertex, its first triangle, 0. */
  readonly recordsAt: number;
  readonly #blocks: number[] = [];

  constructor(surfaces: readonly DeformableSurface[]) {
    this.surfaces = [
      ...surfaces.filter((surface) => surface.kind === 'static'),
      ...surfaces.filter((surface) => surface.kind !== 'static'),
    ];
    this.vertexBase = basesOf(this.surfaces, (surface) => surface.vertexCount);
    this.triangleBase = basesOf(this.surfaces, (surface) => surface.triangleCount);
    this.block = this.#alloc(CTX_BYTES);
    try {
      this.endBlock = this.#alloc(CTX_BYTES);
      this.surfaceOfVertexAt = this.#alloc(4 * this.vertexCount);
      this.recordsAt = this.#alloc(16 * this.surfaces.length);
      this.#layOut();
    } catch (error) {
      this.dispose();
      throw error;
    }
  }

  get vertexCount(): number {
    return this.vertexBase[this.surfaces.length];
  }

  get triangleCount(): number {
    return this.triangleBase[this.surfaces.length];
  }

  /** A view of the array at `surfaceOfVertexAt`. Stale after the next allocation in the arena. */
  get surfaceOfVertex(): Uint32Array {
    const from = this.surfaceOfVertexAt >>> 2;
    return arena()
      .u32()
      .subarray(from, from + this.vertexCount);
  }

  /** Writes the three vertices of a triangle, by the caller's numbers as it is. */
  corners(triangle: number, out: Uint32Array, at: number): void {
    const s = this.surfaceOfTriangle(triangle);
    const { indices } = this.surfaces[s];
    const from = 3 * (triangle - this.triangleBase[s]);
    for (let k = 0; k < 3; k++) out[at + k] = this.vertexBase[s] + indices[from + k];
  }

  /** The surface, as a place in `surfaces`, of a triangle. */
  surfaceOfTriangle(triangle: number): number {
    return arena().u32()[(this.word(Ctx.surfaceOf) >>> 2) + triangle];
  }

  /**
   * A query begins: only pairs count in which one of `of` takes part, or all without them, and none in which one of
   * `without` does.
   */
  attendTo(of: readonly Surface[] | undefined, without: readonly Surface[] | undefined): void {
    const asked = of && new Set<Surface>(of);
    const gone = without && new Set<Surface>(without);
    const words = arena().u32();
    const flags = this.word(Ctx.surfaceFlags) >>> 2;
    const revisions = this.word(Ctx.revisions) >>> 2;
    this.surfaces.forEach((surface, s) => {
      // surfaces outside the query, as if they stood still
      let bits = flagsOf(surface);
      if (asked && !asked.has(surface)) bits = (bits & ~TESTS_ITSELF) | IS_STATIC;
      if (gone?.has(surface)) bits = (bits & ~TESTS_ITSELF) | LEFT_OUT;
      words[flags + s] = bits;
      words[revisions + s] = surface.revision;
    });
  }

  /** Positions move into this layout; the one they were in can be freed. */
  adopt(): void {
    const start = this.word(Ctx.start);
    const end = this.word(Ctx.end);
    this.surfaces.forEach((surface, s) => {
      const from = 24 * this.vertexBase[s];
      arena()
        .f64()
        .set(surface.start(), (start + from) >>> 3);
      arena()
        .f64()
        .set(surface.end(), (end + from) >>> 3);
      surface.settle(start + from, end + from);
    });
  }

  /** An entry of the block. */
  word(field: number): number {
    return arena().u32()[(this.block >>> 2) + field];
  }

  dispose(): void {
    for (const block of this.#blocks.splice(0)) arena().free(block);
  }

  #alloc(bytes: number): number {
    const at = arena().alloc(bytes);
    this.#blocks.push(at);
    return at;
  }

  #layOut(): void {
    const { vertexCount, triangleCount, surfaces } = this;
    const staticCount = surfaces.findIndex((surface) => surface.kind !== 'static');
    const moving = staticCount < 0 ? surfaces.length : staticCount;
    const start = this.#alloc(24 * vertexCount);
    const end = this.#alloc(24 * vertexCount);
    const corners = this.#alloc(12 * triangleCount);
    const owned = this.#alloc(triangleCount);
    const surfaceOf = this.#alloc(4 * triangleCount);
    const vertexOf = this.#alloc(4 * vertexCount);
    const triangleOf = this.#alloc(4 * triangleCount);
    const innerOf = this.#alloc(4 * vertexCount);
    const surfaceFlags = this.#alloc(4 * surfaces.length);
    const ringStart = this.#alloc(4 * (vertexCount + 1));
    const ringLength = surfaces.reduce((sum, { inner }) => sum + inner.rings.length, 0);
    const rings = this.#alloc(4 * ringLength);
    const vertexBase = this.#alloc(4 * (surfaces.length + 1));
    const triangleBase = this.#alloc(4 * (surfaces.length + 1));
    const revisions = this.#alloc(4 * surfaces.length);
    const words = arena().u32();
    const bytes = arena().u8();
    words.set(this.vertexBase, vertexBase >>> 2);
    words.set(this.triangleBase, triangleBase >>> 2);
    const entries: [number, number][] = [
      [Ctx.vertexCount, vertexCount],
      [Ctx.triangleCount, triangleCount],
      [Ctx.staticTriangleCount, this.triangleBase[moving]],
      [Ctx.start, start],
      [Ctx.end, end],
      [Ctx.corners, corners],
      [Ctx.owned, owned],
      [Ctx.surfaceOf, surfaceOf],
      [Ctx.vertexOf, vertexOf],
      [Ctx.triangleOf, triangleOf],
      [Ctx.innerOf, innerOf],
      [Ctx.surfaceFlags, surfaceFlags],
      [Ctx.ringStart, ringStart],
      [Ctx.rings, rings],
      [Ctx.surfaceCount, surfaces.length],
      [Ctx.vertexBase, vertexBase],
      [Ctx.triangleBase, triangleBase],
      [Ctx.revisions, revisions],
    ];
    words.fill(0, this.block >>> 2, (this.block + CTX_BYTES) >>> 2);
    for (const [field, value] of entries) words[(this.block >>> 2) + field] = value;
    words.copyWithin(this.endBlock >>> 2, this.block >>> 2, (this.block + CTX_BYTES) >>> 2);
    words[(this.endBlock >>> 2) + Ctx.start] = end;
    let ringAt = 0;
    surfaces.forEach((surface, s) => {
      const { inner } = surface;
      const v0 = this.vertexBase[s];
      const t0 = this.triangleBase[s];
      copyShifted(inner.corners, words, (corners >>> 2) + 3 * t0, v0);
      copyShifted(inner.vertices, words, (vertexOf >>> 2) + v0, v0);
      copyShifted(inner.innerOf, words, (innerOf >>> 2) + v0, v0);
      copyShifted(inner.triangles, words, (triangleOf >>> 2) + t0, t0);
      copyShifted(inner.rings, words, (rings >>> 2) + ringAt, t0);
      copyShifted(inner.ringStart, words, (ringStart >>> 2) + v0, ringAt);
      bytes.set(inner.owned, owned + t0);
      words.fill(s, (surfaceOf >>> 2) + t0, (surfaceOf >>> 2) + this.triangleBase[s + 1]);
      words.fill(
        s,
        (this.surfaceOfVertexAt >>> 2) + v0,
        (this.surfaceOfVertexAt >>> 2) + this.vertexBase[s + 1],
      );
      words.set([surface.id, v0, t0, 0], (this.recordsAt >>> 2) + 4 * s);
      words[(surfaceFlags >>> 2) + s] = flagsOf(surface);
      ringAt += inner.rings.length;
    });
  }
}

/** Whether elements of these two surfaces of a table may meet. */
export function mayMeet(flagsA: number, flagsB: number, sameSurface: boolean): boolean {
  if (sameSurface) return (flagsA & TESTS_ITSELF) !== 0;
  if ((flagsA & flagsB & IS_STATIC) | ((flagsA | flagsB) & LEFT_OUT)) return false;
  const group = flagsA >>> GROUP_SHIFT;
  return group === 0 || group !== flagsB >>> GROUP_SHIFT;
}

function flagsOf(surface: DeformableSurface): number {
  const flags = (surface.self ? TESTS_ITSELF : 0) | (surface.kind === 'static' ? IS_STATIC : 0);
  const loose = surface.vertexCount >= LOOSE * surface.triangleCount ? IS_LOOSE : 0;
  return (flags | loose | (surface.collisionGroup << GROUP_SHIFT)) >>> 0;
}

function basesOf(
  surfaces: readonly DeformableSurface[],
  count: (s: DeformableSurface) => number,
): Uint32Array {
  const bases = new Uint32Array(surfaces.length + 1);
  surfaces.forEach((surface, s) => {
    bases[s + 1] = bases[s] + count(surface);
  });
  return bases;
}

function copyShifted(from: Uint32Array, to: Uint32Array, at: number, shift: number): void {
  for (let i = 0; i < from.length; i++) to[at + i] = from[i] + shift;
}
