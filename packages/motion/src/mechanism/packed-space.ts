/** A mechanism among obstacles as kernels have it (kernels/motion/configurations.ts): as it is at one time. */

import type { Mesh } from 'impinge';
import { arena } from 'impinge/internal/base/arena.js';
import { IDENTITY } from 'impinge/internal/math/pose.js';
import {
  LINK,
  LINK_BYTES,
  LinkType,
  S,
  SOLID,
  SOLID_BYTES,
  SPACE_BYTES,
  SURFACE_BYTES,
  THING,
  THING_BYTES,
} from '../layout.generated.js';
import { completeTree, knownOf, writeSurface } from '../surfaces.js';
import { ROUNDING } from './body-pair.js';
import type { ConvexSolid } from './convex-solid.js';
import type { LinkBody } from './link-body.js';
import type { Mechanism } from './mechanism.js';
import type { MechanismSpace } from './mechanism-space.js';
import type { Obstacle } from './obstacle-set.js';
import type { Joint } from './read-mechanism.js';

const EXACT = 1;
const HALF_SPACE = 2;
/** Of the reach: more than rounding changes in it. */
const SURELY = 1e-9;

export class PackedSpace {
  /** Where it begins in the arena. */
  readonly at: number;
  readonly #solids = new Map<ConvexSolid, number>();
  /** Whose triangles kernels may ask for, and where they are. */
  readonly #surfaces = new Map<Mesh, number>();
  #bytes = SPACE_BYTES;

  constructor(space: MechanismSpace, clearance: number) {
    const { bodies, mechanism } = space;
    const own = space.own.filter(({ depth }) => depth === 0);
    const near = obstaclesNear(space, clearance);
    const things = [...bodies.bodies, ...near.map(({ obstacle }) => obstacle)];
    const linksAt = this.#take(LINK_BYTES * mechanism.links.length);
    const limitsAt = this.#take(16 * mechanism.variables);
    const thingsAt = this.#take(THING_BYTES * things.length);
    const ownAt = this.#take(8 * own.length);
    const allowedAt = this.#take(bodies.count * near.length);
    for (const { solid, inner } of things) for (const one of [solid, inner]) if (one) this.#place(one);
    for (const { surface } of things)
      if (surface && !this.#surfaces.has(surface.mesh))
        this.#surfaces.set(surface.mesh, this.#take(SURFACE_BYTES));
    // what is known of meshes takes memory of its own, which may move the views
    for (const mesh of this.meshes) completeTree(mesh);
    const known = this.meshes.map(knownOf);
    const at = (this.at = arena().alloc(this.#bytes));
    const [numbers, words] = [arena().f64(), arena().u32()];
    const put = (field: number, value: number) => {
      words[(at + field) >>> 2] = value;
    };
    put(S.bodies, at + thingsAt);
    put(S.bodyCount, bodies.count);
    put(S.obstacles, at + thingsAt + THING_BYTES * bodies.count);
    put(S.obstacleCount, near.length);
    put(S.own, at + ownAt);
    put(S.ownCount, own.length);
    put(S.allowed, at + allowedAt);
    put(S.links, at + linksAt);
    put(S.linkCount, mechanism.links.length);
    put(S.variables, mechanism.variables);
    put(S.limits, at + limitsAt);
    for (let i = 0; i < mechanism.variables; i++) {
      numbers.set([mechanism.lower[i], mechanism.upper[i]], (at + limitsAt + 16 * i) >>> 3);
    }
    numbers[(at + S.clearance) >>> 3] = clearance;
    numbers[(at + S.reach) >>> 3] = bodies.reach;
    numbers.set(IDENTITY, (at + S.identity) >>> 3);
    mechanism.jointOf.forEach((joint, link) => {
      writeLink(joint, mechanism, at + linksAt + LINK_BYTES * link);
    });
    things.forEach((thing, i) => {
      this.#writeThing(thing, at + thingsAt + THING_BYTES * i);
    });
    near.forEach(({ box }, i) => {
      numbers.set(box, (at + thingsAt + THING_BYTES * (bodies.count + i) + THING.box) >>> 3);
    });
    words.set(
      own.flatMap(({ a, b }) => [a, b]),
      (at + ownAt) >>> 2,
    );
    const may = bodies.bodies.flatMap((_, body) =>
      near.map(({ index }) => Number(space.isExempt(body, index))),
    );
    arena()
      .u8()
      .set(may, at + allowedAt);
    for (const [solid, from] of this.#solids) writeSolid(solid, at + from);
    for (const one of known) writeSurface(one, at + this.#surfaces.get(one.mesh)!);
  }

  /** Meshes that threads may read. */
  get meshes(): readonly Mesh[] {
    return [...this.#surfaces.keys()];
  }

  dispose(): void {
    arena().free(this.at);
  }

  #take(bytes: number): number {
    const from = this.#bytes;
    this.#bytes += (bytes + 7) & -8;
    return from;
  }

  #place(solid: ConvexSolid): void {
    if (this.#solids.has(solid)) return;
    const lists = solid.farthest?.all() ?? [];
    const words =
      lists.length === 0 ? 0 : lists.length + 1 + lists.reduce((sum, { length }) => sum + length, 0);
    this.#solids.set(solid, this.#take(SOLID_BYTES + 8 * solid.points.length + 4 * words));
  }

  #writeThing(thing: LinkBody | Obstacle, at: number): void {
    const [numbers, words] = [arena().f64(), arena().u32()];
    const { solid, inner, isExact } = thing;
    const normal = 'normal' in thing ? thing.normal : undefined;
    words[(at + THING.solid) >>> 2] = this.at + this.#solids.get(solid)!;
    words[(at + THING.inner) >>> 2] = inner ? this.at + this.#solids.get(inner)! : 0;
    words[(at + THING.link) >>> 2] = 'link' in thing ? thing.link : 0;
    words[(at + THING.kind) >>> 2] = normal ? HALF_SPACE : isExact ? EXACT : 0;
    if (normal) numbers.set(normal, (at + THING.normal) >>> 3);
    const { surface } = thing;
    words[(at + THING.surface) >>> 2] = surface ? this.at + this.#surfaces.get(surface.mesh)! : 0;
    numbers.set(surface?.pose ?? IDENTITY, (at + THING.surfacePose) >>> 3);
    numbers[(at + THING.skin) >>> 3] = inner?.skin ?? 0;
    numbers[(at + THING.width) >>> 3] = inner && !normal ? inner.width : Infinity;
    numbers[(at + THING.rounding) >>> 3] = 'link' in thing ? 0 : roundingOf(solid);
  }
}

const TYPES = {
  fixed: LinkType.fixed,
  revolute: LinkType.turns,
  continuous: LinkType.turns,
  prismatic: LinkType.slides,
  planar: LinkType.planar,
  floating: LinkType.floats,
} as const;

function writeLink(joint: Joint | undefined, { base }: Mechanism, at: number): void {
  const [numbers, words] = [arena().f64(), arena().u32()];
  numbers.set(joint?.before ?? base, (at + LINK.before) >>> 3);
  if (!joint) return;
  words[(at + LINK.parent) >>> 2] = joint.parent;
  words[(at + LINK.type) >>> 2] = TYPES[joint.type];
  words[(at + LINK.first) >>> 2] = joint.first;
  numbers.set([joint.factor, joint.offset, ...joint.axis], (at + LINK.factor) >>> 3);
}

/** As of a `BodyPair` with an obstacle. */
function roundingOf({ centre, reach }: ConvexSolid): number {
  return ROUNDING * (Math.hypot(...centre) + reach);
}

/** Obstacles that some body may get near to. */
function obstaclesNear(
  { bodies: { reach }, mechanism: { base }, obstacles }: MechanismSpace,
  clearance: number,
) {
  const far = reach + clearance + SURELY * (reach + Math.hypot(base[9], base[10], base[11]));
  return obstacles.all.flatMap((obstacle, index) => {
    const box = obstacles.boxOf(index);
    const isNear = [0, 1, 2].every((k) => box[k] - base[9 + k] <= far && base[9 + k] - box[3 + k] <= far);
    return isNear ? [{ obstacle, index, box }] : [];
  });
}

function writeSolid({ radius, disk, reach, centre, axis, points, farthest }: ConvexSolid, at: number): void {
  const [numbers, words] = [arena().f64(), arena().u32()];
  numbers[(at + SOLID.radius) >>> 3] = radius;
  numbers[(at + SOLID.disk) >>> 3] = disk;
  numbers[(at + SOLID.reach) >>> 3] = reach;
  numbers.set(centre, (at + SOLID.centre) >>> 3);
  numbers.set(axis, (at + SOLID.axis) >>> 3);
  numbers.set(points, (at + SOLID.points) >>> 3);
  words[(at + SOLID.count) >>> 2] = points.length / 3;
  const lists = farthest?.all() ?? [];
  const cells = at + SOLID_BYTES + 8 * points.length;
  words[(at + SOLID.cells) >>> 2] = lists.length > 0 ? cells : 0;
  let next = 4 * (lists.length + 1);
  lists.forEach((list, cell) => {
    words[(cells >>> 2) + cell] = next;
    for (const point of list) {
      words[(cells + next) >>> 2] = 8 * point;
      next += 4;
    }
  });
  if (lists.length > 0) words[(cells >>> 2) + lists.length] = next;
}
