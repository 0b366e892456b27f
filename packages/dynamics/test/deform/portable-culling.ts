/**
 * Twin of the culling kernels (grid, primitives, elements): the same lists, in another order.
 *
 * What survives culling depends on boxes, quantised DOPs, surfaces and rings alone, not on the grid that brought the
 * pairs together; so here pairs come from sorting boxes along x, and everything after is as in the kernels, written for
 * reading.
 */
import { arena } from 'impinge/internal/base/arena.js';
import {
  COARSE_DOPS,
  Ctx,
  DOP_BYTES,
  HAS_THICKNESS,
  LEAVE_OUT_NEIGHBOURS,
  MOTION_BYTES,
} from '../../src/deform/layout.generated.js';
import { type Motions, motionsOf, partedAtVertex, unfoldedAtEdge, verdictOnFan } from './portable-normals.js';
import { alongAxes, shortness } from './portable-sweep.js';

const fround = Math.fround;

/** Element pairs as lists of vertices: v, f0, f1, f2 and a0, a1, b0, b1. */
export interface CulledElements {
  readonly trianglePairs: [number, number][];
  readonly vertexFaces: number[][];
  /** The triangle of each vertex–face pair. */
  readonly faces: number[];
  readonly edgeEdges: number[][];
}

/** Culls the step that was last swept for a context. */
export function cullPortably(ctx: number): CulledElements {
  const scene = new Scene(ctx);
  const found: CulledElements = { trianglePairs: [], vertexFaces: [], faces: [], edgeEdges: [] };
  scene.forEachBoxPair((t, u) => {
    if (!scene.mayMeet(t, u) || scene.dopsApart(scene.corners(t), scene.corners(u), 8)) return;
    const common = scene.corners(t).filter((v) => scene.corners(u).includes(v));
    let oppositeOnly = false;
    if (common.length > 0) {
      if (scene.options & LEAVE_OUT_NEIGHBOURS) return;
      if (scene.areClear(t, u)) {
        oppositeOnly = common.length === 1 && (scene.options & HAS_THICKNESS) !== 0;
        if (!oppositeOnly || scene.verdictOn(common[0]).room) return;
        const [a, b] = [t, u].map((triangle) => scene.corners(triangle).filter((v) => v !== common[0]));
        if (scene.dopsApart(a, b, 16)) return;
      }
    }
    found.trianglePairs.push([t, u]);
    scene.cullElements(t, u, oppositeOnly, found);
  });
  return found;
}

class Scene {
  readonly options: number;
  readonly #word: (field: number) => number;
  readonly #dops: Int16Array;
  readonly #steps: Int16Array;
  readonly #margins: readonly number[];
  readonly #motions: Motions;
  readonly #rings = new Map<number, ReturnType<typeof verdictOnFan>>();

  constructor(ctx: number) {
    this.#word = (field) => arena().u32()[(ctx >>> 2) + field];
    this.options = this.#word(Ctx.options);
    this.#dops = new Int16Array(arena().memory.buffer, this.#word(Ctx.dops));
    this.#steps = new Int16Array(arena().memory.buffer, ctx + 4 * Ctx.steps, 16);
    const margin = (ctx >>> 2) + Ctx.boxMargin;
    this.#margins = [
      ...arena()
        .f32()
        .subarray(margin, margin + 3),
    ];
    this.#motions = motionsOf(ctx);
  }

  corners(t: number): number[] {
    const at = (this.#word(Ctx.corners) >>> 2) + 3 * t;
    return [
      ...arena()
        .u32()
        .subarray(at, at + 3),
    ];
  }

  /** Calls for every pair of triangles, not both static, whose boxes are not on one side of each other at both ends. */
  forEachBoxPair(visit: (t: number, u: number) => void): void {
    const count = this.#word(Ctx.triangleCount);
    const still = this.#word(Ctx.staticTriangleCount);
    const [margin] = this.#margins;
    const boxes = Array.from({ length: count }, (_, t) => this.#boxOf(t));
    const least = (t: number) => Math.min(boxes[t][0], boxes[t][3]);
    const most = (t: number) => Math.max(boxes[t][6], boxes[t][9]);
    const order = boxes.map((_, t) => t).sort((t, u) => least(t) - least(u));
    order.forEach((t, i) => {
      for (let j = i + 1; j < count && least(order[j]) <= fround(most(t) + margin); j++) {
        const u = order[j];
        if (t < still && u < still) continue;
        if (!boxesApart(boxes[t], boxes[u], margin)) visit(Math.min(t, u), Math.max(t, u));
      }
    });
  }

  mayMeet(t: number, u: number): boolean {
    const surfaceOf = this.#word(Ctx.surfaceOf) >>> 2;
    const flags = this.#word(Ctx.surfaceFlags) >>> 2;
    const words = arena().u32();
    const [a, b] = [words[surfaceOf + t], words[surfaceOf + u]];
    if (a === b) return (words[flags + a] & 1) !== 0;
    const [one, other] = [words[flags + a], words[flags + b]];
    return (one & other & 2) === 0 && (one >>> 8 === 0 || one >>> 8 !== other >>> 8);
  }

  /** Whether two sets of vertices lie on one side of each other at both ends along one of the first lanes. */
  dopsApart(a: readonly number[], b: readonly number[], lanes: number): boolean {
    const value = (v: number, lane: number, end: number) => this.#dops[(DOP_BYTES / 2) * v + 16 * end + lane];
    for (let lane = 0; lane < lanes; lane++) {
      if (isApart(a, b, this.#steps[lane], (v, end) => value(v, lane, end), saturated)) return true;
    }
    return false;
  }

  /** The same by float32 positions along all axes. */
  #positionsApart(a: readonly number[], b: readonly number[]): boolean {
    const floats = arena().f32();
    const motions = this.#word(Ctx.motions) >>> 2;
    const axes = new Map(
      [...a, ...b].map((v) => {
        const at = motions + (MOTION_BYTES / 4) * v;
        const ends = [at, at + 4].map((p) => alongAxes(floats[p], floats[p + 1], floats[p + 2]));
        return [v, ends] as const;
      }),
    );
    for (let lane = 0; lane < 16; lane++) {
      const margin = this.#margins[shortness(lane)];
      if (isApart(a, b, margin, (v, end) => axes.get(v)![end][lane], fround)) return true;
    }
    return false;
  }

  /** Whether two triangles with a common vertex are proved to meet nowhere else. */
  areClear(t: number, u: number): boolean {
    const a = this.corners(t);
    const b = this.corners(u);
    const common = a.filter((v) => b.includes(v));
    if (new Set(a).size < 3 || new Set(b).size < 3) return false;
    if (common.length === 3 || common.some((v) => this.verdictOn(v).clear)) return true;
    const k = b.findIndex((v) => a.includes(v) === (common.length === 1));
    const [next, last] = [b[(k + 1) % 3], b[(k + 2) % 3]];
    if (common.length === 2) {
      const apex = a.find((v) => !b.includes(v))!;
      return unfoldedAtEdge(this.#motions, next, last, apex, b[k]);
    }
    const j = a.indexOf(b[k]);
    return partedAtVertex(this.#motions, b[k], a[(j + 1) % 3], a[(j + 2) % 3], next, last);
  }

  cullElements(t: number, u: number, oppositeOnly: boolean, found: CulledElements): void {
    for (const [own, other] of [
      [t, u],
      [u, t],
    ] as const) {
      const face = this.corners(other);
      this.corners(own).forEach((v, k) => {
        if (oppositeOnly || !this.#owns(own, k) || face.includes(v) || this.#apart([v], face)) return;
        found.vertexFaces.push([v, ...face]);
        found.faces.push(other);
      });
    }
    const common = this.corners(t).filter((v) => this.corners(u).includes(v));
    for (let k = 0; k < 3; k++) {
      for (let l = 0; l < 3; l++) {
        const a = this.#edge(t, k);
        const b = this.#edge(u, l);
        if (!this.#owns(t, 3 + k) || !this.#owns(u, 3 + l) || a.some((v) => b.includes(v))) continue;
        if (oppositeOnly && [...a, ...b].some((v) => common.includes(v))) continue;
        if (!this.#apart(a, b)) found.edgeEdges.push([...a, ...b]);
      }
    }
  }

  #apart(a: readonly number[], b: readonly number[]): boolean {
    return this.dopsApart(a, b, 16) || ((this.options & COARSE_DOPS) !== 0 && this.#positionsApart(a, b));
  }

  #edge(t: number, k: number): [number, number] {
    const c = this.corners(t);
    return [c[k], c[(k + 1) % 3]];
  }

  #owns(t: number, bit: number): boolean {
    return ((arena().u8()[this.#word(Ctx.owned) + t] >> bit) & 1) !== 0;
  }

  /** What is proved about the triangles around a vertex. */
  verdictOn(v: number): ReturnType<typeof verdictOnFan> {
    let verdict = this.#rings.get(v);
    if (verdict === undefined) {
      const ring = this.#ringOf(v);
      verdict = ring ? verdictOnFan(this.#motions, v, ring, this.#margins[0]) : { clear: false, room: false };
      this.#rings.set(v, verdict);
    }
    return verdict;
  }

  /** The neighbours of a vertex in their order, if its triangles form one closed fan. */
  #ringOf(v: number): number[] | undefined {
    const words = arena().u32();
    const starts = (this.#word(Ctx.ringStart) >>> 2) + v;
    const rings = this.#word(Ctx.rings) >>> 2;
    const triangles = [...words.subarray(rings + words[starts], rings + words[starts + 1])];
    if (triangles.length < 3 || triangles.length > 32) return undefined;
    const fan = triangles.map((t) => {
      const c = this.corners(t);
      const k = c.indexOf(v);
      return [c[(k + 1) % 3], c[(k + 2) % 3]] as const;
    });
    const after = new Map(fan);
    if (after.size < fan.length || fan.some(([b, c]) => b === v || c === v || b === c)) return undefined;
    const ring = [fan[0][0]];
    for (let at = after.get(ring[0]); at !== ring[0]; at = after.get(at)) {
      if (at === undefined || ring.includes(at)) return undefined;
      ring.push(at);
    }
    return ring.length === fan.length ? ring : undefined;
  }

  /** lo0, lo1, hi0, hi1: x, y, z each. */
  #boxOf(t: number): number[] {
    const floats = arena().f32();
    const motions = this.#word(Ctx.motions) >>> 2;
    const box = [...Array(6).fill(Infinity), ...Array(6).fill(-Infinity)] as number[];
    for (const v of this.corners(t)) {
      for (let c = 0; c < 6; c++) {
        const x = floats[motions + (MOTION_BYTES / 4) * v + (c < 3 ? c : c + 1)];
        box[c] = Math.min(box[c], x);
        box[6 + c] = Math.max(box[6 + c], x);
      }
    }
    return box;
  }
}

const saturated = (x: number): number => Math.max(-32768, Math.min(32767, x));

function boxesApart(a: readonly number[], b: readonly number[], margin: number): boolean {
  for (let c = 0; c < 3; c++) {
    const above = (end: number) => b[c + end] > fround(a[6 + c + end] + margin);
    const below = (end: number) => b[6 + c + end] < fround(a[c + end] - margin);
    if ((above(0) && above(3)) || (below(0) && below(3))) return true;
  }
  return false;
}

/** Whether b, along an axis, is beyond a and the margin on one side at both ends. */
function isApart(
  a: readonly number[],
  b: readonly number[],
  margin: number,
  value: (vertex: number, end: number) => number,
  rounded: (x: number) => number,
): boolean {
  const range = (set: readonly number[], end: number) => {
    const values = set.map((v) => value(v, end));
    return [Math.min(...values), Math.max(...values)] as const;
  };
  const [a0, a1, b0, b1] = [range(a, 0), range(a, 1), range(b, 0), range(b, 1)];
  const above = b0[0] > rounded(a0[1] + margin) && b1[0] > rounded(a1[1] + margin);
  const below = b0[1] < rounded(a0[0] - margin) && b1[1] < rounded(a1[0] - margin);
  return above || below;
}
