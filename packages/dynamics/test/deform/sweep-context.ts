/** A context of the culling stages, made by hand, and the stages run one after the other. */
import { arena } from 'impinge/internal/base/arena.js';
import { runHere } from 'impinge/internal/kernel/schedule.js';
import { ElementCulling } from '../../src/deform/element-culling.js';
import { Grid } from '../../src/deform/grid.js';
import {
  COMMON_VERTEX,
  CTX_BYTES,
  Ctx,
  OPPOSITE_ONLY,
  TRIANGLE,
  VERTEX_FACE,
} from '../../src/deform/layout.generated.js';
import { PrimitiveCulling } from '../../src/deform/primitive-culling.js';
import { VertexSweep } from '../../src/deform/sweep.js';
import { topologyOf } from '../../src/deform/topology.js';
import type { Moving } from './surfaces.js';

export interface Scene {
  readonly start: Float64Array;
  readonly end: Float64Array;
  readonly indices: Uint32Array;
  readonly surfaceOf: Uint32Array;
  readonly flags: Uint32Array;
  /** Of each surface the first, and one more. */
  readonly vertexBase: Uint32Array;
  readonly triangleBase: Uint32Array;
  readonly staticVertices: number;
  readonly staticTriangles: number;
}

/** Surfaces in one numbering, static ones first. */
export function sceneOf(surfaces: readonly Moving[]): Scene {
  const ordered = [
    ...surfaces.filter((s) => s.kind === 'static'),
    ...surfaces.filter((s) => s.kind !== 'static'),
  ];
  const start: number[] = [];
  const end: number[] = [];
  const indices: number[] = [];
  const surfaceOf: number[] = [];
  const vertexBase: number[] = [];
  const triangleBase: number[] = [];
  let staticVertices = 0;
  let staticTriangles = 0;
  const flags = ordered.map((surface, s) => {
    const base = start.length / 3;
    vertexBase.push(base);
    triangleBase.push(indices.length / 3);
    start.push(...surface.positions);
    end.push(...(surface.end ?? surface.positions));
    for (const v of surface.indices) indices.push(base + v);
    while (surfaceOf.length < indices.length / 3) surfaceOf.push(s);
    const isStatic = surface.kind === 'static';
    if (isStatic) [staticVertices, staticTriangles] = [start.length / 3, indices.length / 3];
    const testsItself = !isStatic && (surface.self ?? surface.kind !== 'rigid');
    return ((testsItself ? 1 : 0) | (isStatic ? 2 : 0) | ((surface.group ?? 0) << 8)) >>> 0;
  });
  return {
    start: Float64Array.from(start),
    end: Float64Array.from(end),
    indices: Uint32Array.from(indices),
    surfaceOf: Uint32Array.from(surfaceOf),
    flags: Uint32Array.from(flags),
    vertexBase: Uint32Array.from([...vertexBase, start.length / 3]),
    triangleBase: Uint32Array.from([...triangleBase, indices.length / 3]),
    staticVertices,
    staticTriangles,
  };
}

/** The stages on a context of their own; `dispose` gives everything back. */
export class Stages {
  readonly ctx: number;
  readonly sweep = new VertexSweep();
  readonly moving = new Grid('moving');
  readonly still = new Grid('static');
  readonly primitives = new PrimitiveCulling();
  readonly elements = new ElementCulling();
  readonly #blocks: number[] = [];

  constructor(scene: Scene) {
    const { owned, ringStart, rings } = topologyOf(scene.start.length / 3, scene.indices);
    this.ctx = this.#put(new Uint32Array(CTX_BYTES / 4));
    const entries: [number, number][] = [
      [Ctx.vertexCount, scene.start.length / 3],
      [Ctx.staticVertexCount, scene.staticVertices],
      [Ctx.triangleCount, scene.indices.length / 3],
      [Ctx.staticTriangleCount, scene.staticTriangles],
      [Ctx.start, this.#put(scene.start)],
      [Ctx.end, this.#put(scene.end)],
      [Ctx.corners, this.#put(scene.indices)],
      [Ctx.owned, this.#put(owned)],
      [Ctx.surfaceOf, this.#put(scene.surfaceOf)],
      [Ctx.surfaceFlags, this.#put(scene.flags)],
      [Ctx.ringStart, this.#put(ringStart)],
      [Ctx.rings, this.#put(rings)],
      [Ctx.surfaceCount, scene.flags.length],
      [Ctx.vertexBase, this.#put(scene.vertexBase)],
      [Ctx.triangleBase, this.#put(scene.triangleBase)],
      [Ctx.revisions, this.#put(new Uint32Array(scene.flags.length))],
    ];
    for (const [field, value] of entries) arena().u32()[(this.ctx >>> 2) + field] = value;
  }

  word(field: number): number {
    return arena().u32()[(this.ctx >>> 2) + field];
  }

  /** Positions of the next step. */
  move(start: Float64Array, end: Float64Array): void {
    arena()
      .f64()
      .set(start, this.word(Ctx.start) >>> 3);
    arena()
      .f64()
      .set(end, this.word(Ctx.end) >>> 3);
    const revisions = this.word(Ctx.revisions) >>> 2;
    for (let s = 0; s < this.word(Ctx.surfaceCount); s++) arena().u32()[revisions + s]++;
  }

  /** Sweeps what has moved, and writes the quantised DOPs of all vertices. */
  runSweep(thickness = 0, options = 0, parts = 1): number {
    const bad = runHere(this.sweep.run(this.ctx, thickness, options, parts));
    runHere(this.sweep.finish(this.ctx, false, parts));
    return bad;
  }

  /** Grids and primitive culling; pairs with their marks. */
  runPrimitives(parts = 1) {
    runHere(this.moving.fill(this.ctx, parts));
    if (!this.moving.clustered && !this.still.serves(this.ctx)) runHere(this.still.fill(this.ctx, parts));
    return runHere(this.primitives.run(this.ctx, this.moving, parts));
  }

  /** All stages: sorted lists of triangle pairs, vertex–face and edge–edge pairs, as text. */
  run(thickness = 0, options = 0, parts = 1) {
    this.runSweep(thickness, options, parts);
    const lists = this.runPrimitives(parts);
    const elements = runHere(this.elements.run(this.ctx, lists, parts));
    const words = arena().u32();
    const pairs: number[][] = [];
    for (const { pairs: at, count } of lists) {
      for (let i = 0; i < count; i++) {
        pairs.push([words[(at >>> 2) + 2 * i], words[(at >>> 2) + 2 * i + 1]]);
      }
    }
    const quads = (kind: number) =>
      elements
        .filter((list) => list.kind === kind)
        .flatMap(({ pairs: at, faces, count }) =>
          Array.from({ length: count }, (_, i) => {
            const quad = [...words.subarray((at >>> 2) + 4 * i, (at >>> 2) + 4 * i + 4)];
            return faces ? [...quad, words[(faces >>> 2) + i]] : quad;
          }),
        );
    return {
      marked: pairs,
      trianglePairs: sortedText(pairs.map(([t, u]) => lowFirst(t, u & TRIANGLE))),
      vertexFaces: sortedText(quads(VERTEX_FACE)),
      edgeEdges: sortedText(quads(1 - VERTEX_FACE)),
    };
  }

  dispose(): void {
    for (const stage of [this.sweep, this.moving, this.still, this.primitives, this.elements])
      stage.dispose();
    for (const block of this.#blocks.splice(0)) arena().free(block);
  }

  #put(array: Uint32Array | Uint8Array | Float64Array): number {
    const at = arena().alloc(array.byteLength);
    this.#blocks.push(at);
    arena()
      .u8()
      .set(new Uint8Array(array.buffer, array.byteOffset, array.byteLength), at);
    return at;
  }
}

export function lowFirst(t: number, u: number): number[] {
  return [Math.min(t, u), Math.max(t, u)];
}

export function sortedText(rows: readonly (readonly number[])[]): string[] {
  return rows.map((row) => row.join(' ')).sort();
}

export const MARKS = (COMMON_VERTEX | OPPOSITE_ONLY) >>> 0;
