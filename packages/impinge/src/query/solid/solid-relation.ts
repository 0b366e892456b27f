/**
 * Do two objects share space, though no surface passes through the other? One may lie inside the other, touching it or
 * not; or their faces coincide, as where boxes of one height overlap.
 *
 * Idea: where surfaces do not pass through each other, the places where they meet cut each of them into regions that lie
 * inside or outside the other as a whole. A region that borders on a line of contact shows at a hinge on which side it
 * lies; one that touches in points only, by any other point of it; one that touches nowhere, by a seed. What
 * is left are solids whose surfaces coincide all around: these lie on the same side of the shared faces.
 * Errs: only a closed object has an inside. An open one can lie in a closed one.
 */

import { intersectionTriangleTriangle } from '../../geometry/intersect/triangle-triangle-segment.js';
import { IDENTITY, posePoint, type RigidPose } from '../../math/pose.js';
import { componentSeedsOf } from './component-seeds.js';
import { type Hinge, ON_RAY, type Ray, raysAlong, sectorOf } from './contact-hinges.js';
import type { PlacedPair } from './placed-pair.js';
import { heightOf, normalOf, PlacedSolid } from './placed-solid.js';
import { Meeting, MeetingReader, PAIR_STRIDE, type SurfaceContact } from './surface-contact.js';

/** How far to step from a line or a face, relative to the size of the triangle there. */
const STEP_ASIDE = 1e-6;
/** Triangles below which to look for a core, and how far below, relative to the depth. */
const CORE_SAMPLES = 64;
const CORE_STEP = 2.5;
/** A point of a triangle where nothing else is likely to be. */
const SOMEWHERE = [0.371, 0.338, 0.291];

export class SolidRelation {
  readonly #pair: PlacedPair;
  readonly #contact: SurfaceContact;
  readonly #solids: readonly [PlacedSolid, PlacedSolid];
  readonly #world = new Float64Array(3);

  constructor(pair: PlacedPair, contact: SurfaceContact) {
    this.#pair = pair;
    this.#contact = contact;
    this.#solids = [
      new PlacedSolid(pair.a.parts, IDENTITY as RigidPose, IDENTITY as RigidPose),
      new PlacedSolid(pair.b.parts, pair.pose, pair.inverse),
    ];
  }

  get pointTests(): number {
    return this.#solids[0].pointTests + this.#solids[1].pointTests;
  }

  /** Whether there is space inside both. `hinges` are all of the contact; no surface passes through at any of them. */
  sharesSpace(hinges: readonly Hinge[]): boolean {
    return (
      hinges.some((hinge) => this.entersAt(hinge, 0) || this.entersAt(hinge, 1)) ||
      this.facesCoincide() ||
      this.#touchesFromInside(0) ||
      this.#touchesFromInside(1) ||
      this.hasSeedInside()
    );
  }

  /** Whether a component of one that does not meet the other lies inside it. */
  hasSeedInside(): boolean {
    return this.#hasSeedInside(0) || this.#hasSeedInside(1);
  }

  /** Whether some ray of one side (0: a, 1: b) leads into the other solid. */
  entersAt({ line, segment, raysA, raysB }: Hinge, side: 0 | 1): boolean {
    const [own, others] = side === 0 ? [raysA, raysB] : [raysB, raysA];
    const other = this.#solids[1 - side];
    if (!other.parts.closed) return false;
    // without all rays of the other there are no sectors: a point near the line has to do
    if (others.length % 2 === 1) return own.some((ray) => this.#stepsInto(other, segment, ray));
    const { part, triangle, apex } = others[0];
    const start = raysAlong(line, others, apex);
    let first: boolean | undefined;
    for (const ray of own) {
      const sector = sectorOf(line, others, ray.apex);
      if (sector === ON_RAY) continue;
      first ??= other.isInsideBeside(part, triangle, normalOf(line, 0, line, 3, apex, 0));
      if (first === ((sector - start) % 2 === 0)) return true;
    }
    return false;
  }

  #stepsInto(other: PlacedSolid, segment: Float64Array, { apex }: Ray): boolean {
    const middle = new Float64Array(3);
    for (let k = 0; k < 3; k++) middle[k] = 0.5 * (segment[k] + segment[3 + k]);
    const along = apex.map((x, k) => x - middle[k]);
    return other.isInside(middle, along, STEP_ASIDE * Math.hypot(along[0], along[1], along[2]));
  }

  /** Whether the solids lie on the same side of a face that both have. */
  facesCoincide(): boolean {
    const { a, b } = this.#pair;
    if (!a.parts.closed || !b.parts.closed) return false;
    const [solidA, solidB] = this.#solids;
    const { pairs, meeting } = this.#contact;
    const corners = new Float64Array(18);
    const shared = new Float64Array(18);
    let reader = new MeetingReader(this.#pair, pairs);
    let tests = this.pointTests;
    for (let i = 0; i < meeting.length; i++) {
      if (!(meeting[i] & Meeting.coplanar)) continue;
      // points located since may have moved what the reader looks at
      if (this.pointTests !== tests) reader = new MeetingReader(this.#pair, pairs);
      tests = this.pointTests;
      corners.set(reader.read(i));
      const count = intersectionTriangleTriangle(corners, 0, corners, 9, shared, 0);
      const polygon = shared.subarray(0, 3 * count);
      if (count < 3 || (this.#pair.slack > 0 && widthOf(polygon) <= this.#pair.slack)) continue;
      const at = PAIR_STRIDE * i;
      const normal = normalOf(corners, 0, corners, 3, corners, 6);
      const middle = new Float64Array(3);
      for (let c = 0; c < polygon.length; c++) middle[c % 3] += polygon[c] / count;
      const step = STEP_ASIDE * heightOf(corners, normal);
      for (const side of [normal, normal.map((x) => -x)]) {
        const both =
          solidA.isInsideBeside(pairs[at], pairs[at + 1], side) &&
          solidB.isInsideBeside(pairs[at + 2], pairs[at + 3], side);
        // make sure at the very place
        if (both && solidA.isInside(middle, side, step) && solidB.isInside(middle, side, step)) return true;
      }
    }
    return false;
  }

  /** Whether a component that meets the other in points only lies inside it. */
  #touchesFromInside(side: 0 | 1): boolean {
    const other = this.#solids[1 - side];
    if (!other.parts.closed) return false;
    const { pairs, meeting } = this.#contact;
    const lines = new Set<number>();
    const dots = new Map<number, number>();
    for (let i = 0; i < meeting.length; i++) {
      const at = PAIR_STRIDE * i + 2 * side;
      const key = pairs[at] * 2 ** 28 + pairs[at + 1];
      if (meeting[i] & (Meeting.edgeA | Meeting.edgeB)) lines.add(key);
      else if (meeting[i] === 0) dots.set(key, at);
    }
    // a single component that meets the other along lines is judged there
    if (lines.size > 0 && this.#componentCount(side) === 1) return false;
    const corners = new Float64Array(9);
    const point = new Float64Array(3);
    for (const [key, at] of dots) {
      if (lines.has(key)) continue;
      this.#solids[side].writeTriangle(pairs[at], pairs[at + 1], corners);
      point.fill(0);
      for (let k = 0; k < 9; k++) point[k % 3] += SOMEWHERE[Math.floor(k / 3)] * corners[k];
      if (other.locate(point, 0) === 'inside') return true;
    }
    return false;
  }

  /** Whether some point inside both is farther than `depth` from both surfaces; judged by samples below the triangles. */
  hasCore(depth: number): boolean {
    const { a, b } = this.#pair;
    if (!a.parts.closed || !b.parts.closed || this.#pair.depthLimit <= 2 * depth) return false;
    return this.#hasCoreBelow(0, depth) || this.#hasCoreBelow(1, depth);
  }

  #hasCoreBelow(side: 0 | 1, depth: number): boolean {
    const own = this.#solids[side];
    const other = this.#solids[1 - side];
    const { box } = side === 0 ? this.#pair.b : this.#pair.a;
    const corners = new Float64Array(9);
    const point = new Float64Array(3);
    const count = own.parts.meshes.reduce((sum, mesh) => sum + mesh.triangleCount, 0);
    const stride = Math.ceil(count / CORE_SAMPLES);
    let next = 0;
    for (let part = 0; part < own.parts.meshes.length; part++) {
      const { triangleCount } = own.parts.meshes[part];
      for (; next < triangleCount; next += stride) {
        own.writeTriangle(part, next, corners);
        const normal = normalOf(corners, 0, corners, 3, corners, 6);
        const length = Math.hypot(normal[0], normal[1], normal[2]);
        if (length === 0) continue;
        for (const way of [-1, 1]) {
          const step = (way * CORE_STEP * depth) / length;
          for (let k = 0; k < 3; k++)
            point[k] = (corners[k] + corners[3 + k] + corners[6 + k]) / 3 + step * normal[k];
          if (!this.#isWithin(box, point)) continue;
          if (other.locate(point, 0) !== 'inside' || own.locate(point, 0) !== 'inside') continue;
          if (other.isFartherThan(depth, point) && own.isFartherThan(depth, point)) return true;
        }
      }
      next -= triangleCount;
    }
    return false;
  }

  #isWithin(box: Float64Array, point: Float64Array): boolean {
    this.#pair.writeWorld(point, 0, this.#world, 0);
    return this.#world.every((x, k) => x >= box[k] && x <= box[3 + k]);
  }

  #componentCount(side: 0 | 1): number {
    let count = 0;
    for (const mesh of this.#solids[side].parts.meshes) count += componentSeedsOf(mesh).length / 3;
    return count;
  }

  #hasSeedInside(side: 0 | 1): boolean {
    const other = this.#solids[1 - side];
    if (!other.parts.closed) return false;
    const { box } = side === 0 ? this.#pair.b : this.#pair.a;
    const { meshes } = this.#solids[side].parts;
    if (this.#contact.pairCount > 0 && this.#componentCount(side) === 1) return false;
    const point = new Float64Array(3);
    for (let part = 0; part < meshes.length; part++) {
      const seeds = componentSeedsOf(meshes[part]);
      for (let s = 0; s < seeds.length; s += 3) {
        if (side === 0) point.set(seeds.subarray(s, s + 3));
        else posePoint(this.#pair.pose, seeds[s], seeds[s + 1], seeds[s + 2], point, 0);
        if (!this.#isWithin(box, point)) continue;
        if (other.locate(point, 0) === 'inside' && !this.#isMeeting(side, part, seeds, s)) return true;
      }
    }
    return false;
  }

  /** Whether a vertex belongs to a triangle that meets the other surface: its component is judged there. */
  #isMeeting(side: 0 | 1, part: number, seeds: Float64Array, s: number): boolean {
    const { pairs, pairCount } = this.#contact;
    const { positions, indices } = this.#solids[side].parts.meshes[part];
    for (let i = 0; i < pairCount; i++) {
      const at = PAIR_STRIDE * i + 2 * side;
      if (pairs[at] !== part) continue;
      for (let h = 3 * pairs[at + 1]; h < 3 * pairs[at + 1] + 3; h++) {
        const v = 3 * indices[h];
        if (
          positions[v] === seeds[s] &&
          positions[v + 1] === seeds[s + 1] &&
          positions[v + 2] === seeds[s + 2]
        )
          return true;
      }
    }
    return false;
  }
}

/** About how wide a polygon is: its area by half its outline. */
function widthOf(polygon: Float64Array): number {
  let area = 0;
  let outline = 0;
  for (let c = 0; c < polygon.length; c += 3) {
    const next = (c + 3) % polygon.length;
    const normal = normalOf(polygon, 0, polygon, c, polygon, next);
    area += 0.5 * Math.hypot(normal[0], normal[1], normal[2]);
    outline += Math.hypot(
      polygon[next] - polygon[c],
      polygon[next + 1] - polygon[c + 1],
      polygon[next + 2] - polygon[c + 2],
    );
  }
  return outline > 0 ? (2 * area) / outline : 0;
}
