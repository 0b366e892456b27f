/**
 * First stage: the motion of every vertex in float32 about a centre, its quantised DOPs, and the margins beyond which
 * things are out of reach of each other.
 *
 * The 26-DOP of a motion, a triangle or an edge is not stored but computed from these on demand; the margins include
 * rounding and the thickness. Surfaces that have not moved since they were swept keep their data; quantised DOPs are
 * written later, for vertices that may meet something.
 * Errs: a stored coordinate is off by 2^-24 R, R = 2^range bounding all of them; a sum of two by 4 · 2^-24 R, of three
 * by 8 · 2^-24 R. Two of these and the addition of the margin stay below 4, 16 and 32 times 2^-24 R. A quantised DOP is
 * rounded, so a difference of quantised DOPs is too large by at most one step: it must exceed the margin in steps,
 * rounded up, by one.
 */
import { arena } from 'impinge/internal/base/arena.js';
import { ranges, type Work } from 'impinge/internal/kernel/schedule.js';
import { arenaBuffers, disposeAll } from './arena-buffers.js';
import { deformKernels } from './kernels.generated.js';
import {
  COARSE_DOPS,
  Ctx,
  DOP_BYTES,
  HAS_THICKNESS,
  MOTION_BYTES,
  PIECE_BYTES,
  PieceWord,
} from './layout.generated.js';
import { callsFor, selfTestingTriangles, selfTestingVertices } from './self-testing.js';

/** Smaller scenes are judged as if they were of this size (2^-60), far from where float32 runs out of exponents. */
const LEAST_RANGE = -60;
/** 2^128 is more than float32 holds. */
const MOST_RANGE = 128;
/** A centre is kept while no coordinate about it is larger than this many half extents. */
const ECCENTRIC = 4;
/** Quantised DOPs are coarse where a mean edge is shorter than this many steps. */
const FINE_STEPS = 24;

export class VertexSweep {
  readonly #buffers = arenaBuffers('motions', 'dops', 'triangleDops', 'fresh', 'sweeps', 'pieces');
  /** The context whose surfaces are in the buffers. */
  #sweptFor = 0;
  #sweep = 0;
  /** By surface: the revision that was swept, undefined for none; the box around its motion. */
  #seen: (number | undefined)[] = [];
  #boxes = new Float32Array(0);

  /** Writes the motions of all vertices that may have moved, the margins for `thickness`, and the options. */
  *run(ctx: number, thickness: number, options: number, parts: number): Work<void> {
    this.#reserve(ctx);
    const box = new Float32Array(8);
    // the first time, and where the scene has left its frame, repeat in the new frame
    for (let tries = 0; ; tries++) {
      const first = this.#seen.every((revision) => revision === undefined);
      yield* this.#sweepMoved(ctx, parts);
      box.fill(Infinity, 0, 4).fill(-Infinity, 4);
      for (let s = 0; s < this.#seen.length; s++) widen(box, 0, this.#boxes, 8 * s);
      if (!moveFrame(ctx, box, first, tries < 4)) break;
      this.#seen.fill(undefined);
    }
    writeMargins(ctx, thickness, options);
  }

  /**
   * Writes the quantised DOPs of surfaces that test themselves, but for vertices for which clusters did that; then
   * those of their triangles.
   */
  *finish(ctx: number, parts: number): Work<void> {
    yield callsFor('writeDops', ctx, selfTestingVertices(ctx), parts);
    const triangles = selfTestingTriangles(ctx);
    if (triangles.length === 0) return;
    // their first is where the block begins
    const first = triangles[0][0];
    const at = this.#buffers.triangleDops.reserve(DOP_BYTES * (triangles[triangles.length - 1][1] - first));
    setWord(ctx, Ctx.triangleDops, at - DOP_BYTES * first);
    yield callsFor('writeTriangleDops', ctx, triangles, parts);
  }

  dispose(): void {
    disposeAll(this.#buffers);
  }

  #reserve(ctx: number): void {
    const isNew = this.#sweptFor !== ctx || wordAt(ctx, Ctx.motions) === 0;
    const count = wordAt(ctx, Ctx.vertexCount);
    const surfaces = wordAt(ctx, Ctx.surfaceCount);
    setWord(ctx, Ctx.motions, this.#buffers.motions.reserve(MOTION_BYTES * count));
    setWord(ctx, Ctx.dops, this.#buffers.dops.reserve(DOP_BYTES * count));
    setWord(ctx, Ctx.freshDops, this.#buffers.fresh.reserve(count));
    setWord(ctx, Ctx.sweeps, this.#buffers.sweeps.reserve(4 * surfaces));
    if (!isNew) return;
    this.#sweptFor = ctx;
    this.#seen = Array.from({ length: surfaces }, () => undefined);
    this.#boxes = new Float32Array(8 * surfaces);
  }

  /** Sweeps the surfaces that have moved, in pieces of at most a part of them, and gathers the boxes around them. */
  *#sweepMoved(ctx: number, parts: number): Work<void> {
    const seen = this.#seen;
    const words = arena().u32();
    const base = wordAt(ctx, Ctx.vertexBase) >>> 2;
    const revisions = wordAt(ctx, Ctx.revisions) >>> 2;
    const moved: number[] = [];
    let total = 0;
    for (let s = 0; s < seen.length; s++) {
      if (seen[s] === words[revisions + s]) continue;
      moved.push(s);
      total += words[base + s + 1] - words[base + s];
    }
    if (moved.length === 0) return;
    const share = Math.max(1, Math.ceil(total / parts));
    const cut = moved.flatMap((s) => {
      const first = words[base + s];
      const count = words[base + s + 1] - first;
      return ranges(count, Math.ceil(count / share)).map(([from, to]) => ({
        s,
        from: first + from,
        to: first + to,
      }));
    });
    const pieces = this.#buffers.pieces.reserve(PIECE_BYTES * cut.length);
    const tasks: [number, number][] = [];
    let room = 0;
    cut.forEach(({ from, to }, i) => {
      const at = (pieces + PIECE_BYTES * i) >>> 2;
      arena().u32()[at + PieceWord.from] = from;
      arena().u32()[at + PieceWord.to] = to;
      if (room <= 0) {
        tasks.push([i, i]);
        room = share;
      }
      room -= to - from;
      tasks[tasks.length - 1][1] = i + 1;
    });
    yield tasks.map(([from, to]) => deformKernels.call('sweepPieces', ctx, pieces, from, to));
    this.#sweep++;
    const sweeps = wordAt(ctx, Ctx.sweeps) >>> 2;
    for (const s of moved) {
      this.#boxes.fill(Infinity, 8 * s, 8 * s + 4).fill(-Infinity, 8 * s + 4, 8 * s + 8);
      arena().u32()[sweeps + s] = this.#sweep;
      seen[s] = arena().u32()[revisions + s];
    }
    const floats = arena().f32();
    cut.forEach(({ s }, i) => {
      widen(this.#boxes, 8 * s, floats, ((pieces + PIECE_BYTES * i) >>> 2) + PieceWord.box);
    });
  }
}

function wordAt(block: number, field: number): number {
  return arena().u32()[(block >>> 2) + field];
}

function setWord(block: number, field: number, value: number): void {
  arena().u32()[(block >>> 2) + field] = value;
}

function widen(boxes: Float32Array, to: number, other: Float32Array, at: number): void {
  for (let k = 0; k < 4; k++) {
    boxes[to + k] = Math.min(boxes[to + k], other[at + k]);
    boxes[to + 4 + k] = Math.max(boxes[to + 4 + k], other[at + 4 + k]);
  }
}

/**
 * Moves centre and range to the box where they do not fit it well; `first`: where they could be better at all. Extents
 * near the resolution of float64 end the moves of the centre; those of the range end by themselves.
 */
function moveFrame(ctx: number, box: Float32Array, first: boolean, mayMove: boolean): boolean {
  let half = 0;
  for (let k = 0; k < 3; k++) half = Math.max(half, (box[4 + k] - box[k]) / 2);
  const range = arena().i32()[(ctx >>> 2) + Ctx.range];
  const reach = largest(box);
  const moves = mayMove && reach > (first ? 1.01 : ECCENTRIC) * half;
  if (moves) {
    const centre = (ctx >>> 3) + Ctx.centre / 2;
    for (let k = 0; k < 3; k++) arena().f64()[centre + k] += (box[k] + box[4 + k]) / 2;
  }
  const wanted = rangeOf(moves ? 1.001 * half : reach);
  if (!moves && (wanted === range || (!first && wanted < range && wanted > range - 2))) return false;
  setWord(ctx, Ctx.range, wanted);
  return true;
}

/** The least exponent of a power of two that is larger. */
function rangeOf(reach: number): number {
  let range = LEAST_RANGE;
  while (range < MOST_RANGE && 2 ** range <= reach) range++;
  return range;
}

function largest(box: Float32Array): number {
  return box.reduce((most, x) => Math.max(most, Math.abs(x)), 0);
}

function writeMargins(ctx: number, thickness: number, options: number): void {
  const word = ctx >>> 2;
  const range = arena().i32()[word + Ctx.range];
  const reached = thickness * (1 + 2 ** -20);
  const margins = arena().f32();
  margins[word + Ctx.boxMargin] = reached + 2 ** (range - 22);
  margins[word + Ctx.sideMargin] = Math.SQRT2 * reached + 2 ** (range - 20);
  margins[word + Ctx.cornerMargin] = Math.sqrt(3) * reached + 2 ** (range - 19);
  // steps are 2^-15 of R, 2 R, 4 R; scaling is exact but for the last bit of a coordinate
  const [box, side, corner] = [0, 1, 2].map((k) => {
    const steps = margins[word + Ctx.boxMargin + k] * 2 ** (15 - range - k);
    return Math.min(32767, Math.ceil(steps + 0.01));
  });
  const dop = [
    side,
    side,
    side,
    side,
    side,
    side,
    corner,
    corner,
    box,
    box,
    box,
    box,
    corner,
    corner,
    corner,
    corner,
  ];
  for (let k = 0; k < 8; k++) setWord(ctx, Ctx.steps + k, (dop[2 * k] | (dop[2 * k + 1] << 16)) >>> 0);
  const flags = (thickness > 0 ? HAS_THICKNESS : 0) | (isCoarse(ctx, range) ? COARSE_DOPS : 0);
  setWord(ctx, Ctx.options, options | flags);
}

/** Judged by the first edge of some triangles, spread over all. */
function isCoarse(ctx: number, range: number): boolean {
  const triangles = wordAt(ctx, Ctx.triangleCount);
  const still = wordAt(ctx, Ctx.staticTriangleCount);
  const corners = wordAt(ctx, Ctx.corners) >>> 2;
  const motions = wordAt(ctx, Ctx.motions) >>> 2;
  const samples = Math.min(64, triangles - still);
  let sum = 0;
  for (let i = 0; i < samples; i++) {
    const t = corners + 3 * (still + Math.floor(((triangles - still) * i) / samples));
    const a = motions + (MOTION_BYTES / 4) * arena().u32()[t];
    const b = motions + (MOTION_BYTES / 4) * arena().u32()[t + 1];
    const at = arena().f32();
    sum += Math.hypot(at[a] - at[b], at[a + 1] - at[b + 1], at[a + 2] - at[b + 2]);
  }
  return sum * 2 ** (15 - range) < FINE_STEPS * samples;
}
