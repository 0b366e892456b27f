/**
 * First stage: the motion of every vertex in float32 about a centre, its quantised DOPs, and how far apart things must
 * be to be out of reach of each other.
 *
 * The 26-DOP of a motion, a triangle or an edge is not stored but worked out from these where it is needed; what
 * rounding may hide is in the margins, and so is the thickness, so static vertices are swept once.
 * Errs: a stored coordinate is off by 2^-24 R, R = 2^range bounding all of them; a sum of two by 4 · 2^-24 R, of three
 * by 8 · 2^-24 R. Two of these and the addition of the margin stay below 4, 16 and 32 times 2^-24 R. A quantised DOP is
 * rounded down, so a difference of quantised DOPs is short by less than one step: the margin in steps, rounded up,
 * makes up for it.
 */
import { arena } from '../base/arena.js';
import { ArenaBuffer } from '../base/arena-buffer.js';
import { ranges, type Work } from '../kernel/schedule.js';
import { deformKernels } from './deform-kernel.js';
import { COARSE_DOPS, Ctx, DOP_BYTES, HAS_THICKNESS, MOTION_BYTES, NONE, ONE_SURFACE } from './layout.js';

const REPORT_BYTES = 32;
/** Smaller scenes are judged as if they were of this size (2^-60), far from where float32 runs out of exponents. */
const LEAST_RANGE = -60;
/** 2^128 is more than float32 holds. */
const MOST_RANGE = 128;
/** A centre is kept while no coordinate about it is larger than this many half extents. */
const ECCENTRIC = 4;
/** Quantised DOPs are coarse where a mean edge is shorter than this many steps. */
const FINE_STEPS = 24;

export class VertexSweep {
  readonly #motions = new ArenaBuffer();
  readonly #dops = new ArenaBuffer();
  readonly #reports = new ArenaBuffer();
  /** Whose static vertices are in the buffers. */
  #sweptFor = 0;

  /**
   * Writes the motions of all vertices that may have moved, the margins for `thickness`, and the options. Returns the
   * first vertex that is not finite or beyond 1e30, or NONE.
   */
  *run(ctx: number, thickness: number, options: number, parts: number): Work<number> {
    const count = wordAt(ctx, Ctx.vertexCount);
    const still = wordAt(ctx, Ctx.staticVertexCount);
    setWord(ctx, Ctx.motions, this.#motions.reserve(MOTION_BYTES * count));
    setWord(ctx, Ctx.dops, this.#dops.reserve(DOP_BYTES * count));
    if (this.#sweptFor !== ctx) setWord(ctx, Ctx.staticSwept, 0);
    this.#sweptFor = ctx;
    const box = new Float32Array(8);
    // the first time and where the scene has left its frame, once more in the new frame
    for (let tries = 0; ; tries++) {
      if (wordAt(ctx, Ctx.staticSwept) === 0) {
        const bad = yield* this.#sweep(ctx, 0, still, parts, box);
        if (bad !== NONE) return bad;
        arena()
          .f32()
          .set(box, (ctx >>> 2) + Ctx.staticBox);
      }
      const bad = yield* this.#sweep(ctx, still, count, parts, box);
      if (bad !== NONE) return bad;
      if (still > 0) widen(box, arena().f32(), (ctx >>> 2) + Ctx.staticBox);
      const first = wordAt(ctx, Ctx.staticSwept) === 0;
      setWord(ctx, Ctx.staticSwept, 1);
      if (!moveFrame(ctx, box, first, tries < 4)) break;
      setWord(ctx, Ctx.staticSwept, 0);
    }
    writeMargins(ctx, thickness, options);
    return NONE;
  }

  dispose(): void {
    this.#motions.dispose();
    this.#dops.dispose();
    this.#reports.dispose();
  }

  /** Sweeps vertices [from, to) and gathers the box around them. */
  *#sweep(ctx: number, from: number, to: number, parts: number, box: Float32Array): Work<number> {
    const tasks = ranges(to - from, parts);
    const reports = this.#reports.reserve(REPORT_BYTES * tasks.length);
    const bad = yield tasks.map(([a, b], i) =>
      deformKernels.call('sweepVertices', ctx, from + a, from + b, reports + REPORT_BYTES * i),
    );
    box.fill(Infinity, 0, 4).fill(-Infinity, 4);
    for (let i = 0; i < tasks.length; i++) widen(box, arena().f32(), (reports + REPORT_BYTES * i) >>> 2);
    return bad.reduce((least, vertex) => Math.min(least, vertex >>> 0), NONE);
  }
}

function wordAt(block: number, field: number): number {
  return arena().u32()[(block >>> 2) + field];
}

function setWord(block: number, field: number, value: number): void {
  arena().u32()[(block >>> 2) + field] = value;
}

function widen(box: Float32Array, other: Float32Array, at: number): void {
  for (let k = 0; k < 4; k++) {
    box[k] = Math.min(box[k], other[at + k]);
    box[4 + k] = Math.max(box[4 + k], other[at + 4 + k]);
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
  setWord(ctx, Ctx.frame, wordAt(ctx, Ctx.frame) + 1);
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
  setWord(ctx, Ctx.options, options | flags | (hasOneSurface(ctx) ? ONE_SURFACE : 0));
}

/** Whether everything is of one surface that tests itself, so that surfaces need not be looked at. */
function hasOneSurface(ctx: number): boolean {
  const triangles = wordAt(ctx, Ctx.triangleCount);
  const surfaceOf = wordAt(ctx, Ctx.surfaceOf) >>> 2;
  const words = arena().u32();
  const surface = words[surfaceOf];
  if (words[surfaceOf + triangles - 1] !== surface) return false; // surfaces are numbered through
  return (words[(wordAt(ctx, Ctx.surfaceFlags) >>> 2) + surface] & 1) !== 0;
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
