/**
 * Rays against one mesh: the kernel finds what floating point can tell, exact arithmetic decides the rest.
 *
 * Triangles in doubt are no reason to stop: the kernel goes on as if they were not met, and they are decided
 * afterwards. Where they, or all hits, are more than there is room for, the ray is asked again with more. Without
 * kernels every triangle is in doubt that boxes and float64 cannot rule out.
 */
import { arena } from '../../base/arena.js';
import { type Facing, hitRayTriangle, RAY_CROSSES, RAY_MISSES } from '../../geometry/intersect/ray-hit.js';
import { kernelSupported } from '../../kernel/kernel.js';
import type { Mesh } from '../../mesh/mesh.js';
import { boxTreeOf } from './box-tree.js';
import { raysKernels } from './kernels.generated.js';
import { HIT_BYTES, Mode, R, RAY_BYTES, RayStatus } from './layout.generated.js';
import { Hit, NO_TRIANGLE, type RayBlock } from './ray-block.js';

import { trianglesAlong } from './triangle-runs.js';

export type { Hit } from './ray-block.js';

/** By the numbers of `FACES`. */
const FACINGS: readonly Facing[] = [0, -1, 1];

/**
 * The first triangle that each of the first `count` rays of a block meets, or any: in the block's hits.
 */
export function castFirst(mesh: Mesh, query: RayBlock, count: number, mode: number, faces: number): void {
  if (!kernelSupported()) {
    for (let ray = 0; ray < count; ray++) {
      writeNone(query, ray);
      const exact = new ExactRay(mesh, query, ray, faces);
      exact.along(mode, (t) => exact.meets(t) && exact.offer(t, mode));
    }
    return;
  }
  let from = 0;
  for (;;) {
    const status = run(mesh, query, count, from, mode, faces);
    const words = arena().u32();
    const next = words[(query.block + R.next) >>> 2];
    const doubts = words[(query.block + R.doubtCount) >>> 2];
    if (doubts > 0) decideDoubts(mesh, query, doubts, mode, faces);
    if (status === RayStatus.done) return;
    if (next === from) query.grow();
    from = next;
  }
}

/**
 * Which of two hits of a ray is first: the nearer; at the same distance, what `places` says of the objects and pieces
 * that they are on, then the triangle with the lower number. Kernels keep the same order (kernels/rays/cast.ts).
 */
export function compareHits(p: Ordered, q: Ordered, places = 0): number {
  return p.distance - q.distance || places || p.triangle - q.triangle;
}

type Ordered = Pick<Hit, 'distance' | 'triangle'>;

/** Appends all triangles that the first ray of a block meets, in order. */
export function castAll(mesh: Mesh, query: RayBlock, faces: number, found: Hit[]): void {
  const before = found.length;
  castUnsorted(mesh, query, faces, found);
  const sorted = found.splice(before).sort((p, q) => compareHits(p, q));
  for (const hit of sorted) found.push(hit);
}

/** The same, in any order. */
export function castUnsorted(mesh: Mesh, query: RayBlock, faces: number, found: Hit[]): void {
  if (kernelSupported()) {
    while (run(mesh, query, 1, 0, Mode.all, faces) !== RayStatus.done) query.grow();
    const words = arena().u32();
    const hitCount = words[(query.block + R.hitCount) >>> 2];
    for (let i = 0; i < hitCount; i++) found.push(readHit(query, i));
    const doubts = words[(query.block + R.doubtCount) >>> 2];
    if (doubts > 0) {
      const exact = new ExactRay(mesh, query, 0, faces);
      for (let i = 0; i < doubts; i++) {
        const triangle = words[(query.doubts >>> 2) + 2 * i];
        if (exact.meets(triangle)) found.push(exact.hit(triangle));
      }
    }
  } else {
    const exact = new ExactRay(mesh, query, 0, faces);
    exact.along(Mode.all, (t) => exact.meets(t) && found.push(exact.hit(t)));
  }
}

/** A hit that the kernel has written. */
export function readHit({ hits }: RayBlock, i: number, out: Hit = new Hit()): Hit {
  const doubles = arena().f64();
  const at = (hits + HIT_BYTES * i) >>> 3;
  const words = arena().i32();
  out.distance = doubles[at];
  out.triangle = words[2 * at + 6];
  out.u = doubles[at + 1];
  out.v = doubles[at + 2];
  out.corners = words[2 * at + 8];
  out.row = words[2 * at + 9];
  return out;
}

/** Calls the kernel; returns its status. */
export function run(
  mesh: Mesh,
  { block }: RayBlock,
  count: number,
  from: number,
  mode: number,
  faces: number,
): number {
  const tree = boxTreeOf(mesh);
  const words = arena().u32();
  const at = block >>> 2;
  words[at + R.mesh / 4] = mesh.block;
  words[at + R.tree / 4] = tree;
  words[at + R.count / 4] = count;
  words[at + R.next / 4] = from;
  words[at + R.mode / 4] = mode;
  words[at + R.faces / 4] = faces;
  words[at + R.hitCount / 4] = 0;
  words[at + R.doubtCount / 4] = 0;
  return raysKernels.kernels().castRays(block);
}

/** Puts what is met of the triangles in doubt into the hits, where it is better. */
function decideDoubts(mesh: Mesh, query: RayBlock, count: number, mode: number, faces: number): void {
  const list = query.doubts >>> 2;
  const words = arena().u32();
  let exact: ExactRay | undefined;
  for (let i = 0; i < count; i++) {
    const ray = words[list + 2 * i + 1];
    if (exact?.ray !== ray) exact = new ExactRay(mesh, query, ray, faces);
    if (exact.meets(words[list + 2 * i])) exact.offer(words[list + 2 * i], mode);
  }
}

function writeNone({ hits }: RayBlock, ray: number): void {
  arena().i32()[((hits + HIT_BYTES * ray) >>> 2) + 6] = NO_TRIANGLE;
}

/** One ray of a block against triangles of the mesh, without rounding. */
export class ExactRay {
  readonly ray: number;
  readonly #mesh: Mesh;
  readonly #hits: number;
  readonly #numbers: Float64Array;
  readonly #length: number;
  readonly #facing: Facing;
  readonly #corners = new Float64Array(9);
  readonly #out = new Float64Array(3);
  #meeting = RAY_MISSES;

  constructor(mesh: Mesh, { rays, hits }: RayBlock, ray: number, faces: number) {
    this.ray = ray;
    this.#mesh = mesh;
    this.#hits = hits;
    const at = (rays + RAY_BYTES * ray) >>> 3;
    this.#numbers = arena()
      .f64()
      .slice(at, at + 8);
    this.#length = Math.hypot(this.#numbers[3], this.#numbers[4], this.#numbers[5]);
    this.#facing = FACINGS[faces];
  }

  /**
   * Calls `visit` with every triangle that it may meet; with the mode `first` none behind the best that was offered,
   * with `any` none after it.
   */
  along(mode: number, visit: (triangle: number) => unknown): void {
    const at = (this.#hits + HIT_BYTES * this.ray) >>> 3;
    const within = () => {
      if (mode > Mode.any || arena().i32()[2 * at + 6] === NO_TRIANGLE) return Infinity;
      return mode === Mode.any ? -1 : arena().f64()[at];
    };
    trianglesAlong(this.#mesh, this.#numbers, within, visit);
  }

  /** Whether it is met, and from the side and within the distances asked for. */
  meets(triangle: number): boolean {
    const { storedPositions: positions, storedIndices: indices } = this.#mesh;
    for (let k = 0; k < 9; k++)
      this.#corners[k] = positions[3 * indices[3 * triangle + Math.floor(k / 3)] + (k % 3)];
    if (certainlyMisses(this.#numbers, this.#corners)) return false;
    const least = this.#numbers[6] / this.#length;
    this.#meeting = hitRayTriangle(this.#numbers, 0, this.#corners, 0, this.#facing, least, this.#out);
    return this.#meeting !== RAY_MISSES && this.distance <= this.#numbers[7];
  }

  /**
   * Of what was met last: whether the ray passes through it, away from its rim and the ray's origin; and how far away.
   */
  get crosses(): boolean {
    return this.#meeting === RAY_CROSSES;
  }
  get distance(): number {
    return this.#out[0] * this.#length;
  }

  /** What was met last. */
  hit(triangle: number): Hit {
    const [, u, v] = this.#out;
    return { distance: this.distance, triangle, u, v, corners: 0, row: 0 };
  }

  /** Writes what was met last where the kernel writes, if it is better than what is there. */
  offer(triangle: number, mode: number): void {
    const doubles = arena().f64();
    const words = arena().i32();
    const at = (this.#hits + HIT_BYTES * this.ray) >>> 3;
    const { distance, u, v } = this.hit(triangle);
    const other = { distance: doubles[at], triangle: words[2 * at + 6] };
    const isMet = other.triangle !== NO_TRIANGLE;
    if (isMet && (mode === Mode.any || compareHits({ distance, triangle }, other) > 0)) return;
    doubles[at] = distance;
    doubles[at + 1] = u;
    doubles[at + 2] = v;
    words[2 * at + 6] = triangle;
    words[2 * at + 8] = 0;
  }
}

/** Rounding of the products below, several times over, and what underflow may hide. */
const ROUNDING = 2 ** -48;
const UNDERFLOW = 1e-290;

/**
 * Whether float64 alone shows that a line passes a triangle: d·(B×C) and its like have two different signs, by more
 * than they may be off. A corner seen from the origin is off by one unit, and each of the six products of d, B and C by
 * less than eight units of itself, which is 2⁻⁴⁹ of it: the bound is twice that for all of them.
 */
function certainlyMisses(ray: Float64Array, t: Float64Array): boolean {
  const [ox, oy, oz, dx, dy, dz] = ray;
  const least = UNDERFLOW * (1 + Math.abs(dx) + Math.abs(dy) + Math.abs(dz));
  let positive = false;
  let negative = false;
  for (let edge = 0; edge < 9; edge += 3) {
    const next = edge === 6 ? 0 : edge + 3;
    const bx = t[edge] - ox;
    const by = t[edge + 1] - oy;
    const bz = t[edge + 2] - oz;
    const cx = t[next] - ox;
    const cy = t[next + 1] - oy;
    const cz = t[next + 2] - oz;
    const side = dx * (by * cz - bz * cy) + dy * (bz * cx - bx * cz) + dz * (bx * cy - by * cx);
    const sum =
      Math.abs(dx) * (Math.abs(by * cz) + Math.abs(bz * cy)) +
      Math.abs(dy) * (Math.abs(bz * cx) + Math.abs(bx * cz)) +
      Math.abs(dz) * (Math.abs(bx * cy) + Math.abs(by * cx));
    if (side > ROUNDING * sum + least) positive = true;
    else if (side < -ROUNDING * sum - least) negative = true;
  }
  return positive && negative;
}
