/**
 * What happens where surfaces meet along edges: do they pass through each other there, and on which sides do they lie?
 *
 * Idea: a hinge is a line along which an edge or a face of a meets an edge or a face of b. Seen along the line, each
 * surface is a set of rays: one per triangle at an edge, two for a face. One surface passes through the other when its
 * rays lie in sectors between the other's rays that are not of the same kind, inside and outside taking turns. All
 * triangles at the edges meet the other surface, so the meeting pairs alone tell all rays, however the objects were
 * split into pieces. Errs: never about the order of rays, it is decided by exact signs. Triangles that lie along the
 * same line but do not share an edge are taken for different hinges.
 */
import { ALL_ON, sidesOfPlane } from '../../geometry/intersect/plane-sides.js';
import { orient3dValueAt } from '../../math/determinants.js';
import { orient2dAt, orient3dAt } from '../../math/predicates.js';
import { Meeting } from './layout.generated.js';
import { PAIR_STRIDE } from './pair-listing.js';
import type { PlacedPair } from './placed-pair.js';
import { normalOf, type PlacedSolid, solidsOf } from './placed-solid.js';
import { PointIds } from './point-ids.js';
import type { SharedPlanes } from './shared-planes.js';
import { MeetingReader, type SurfaceContact } from './surface-contact.js';

export interface Ray {
  readonly part: number;
  readonly triangle: number;
  /** A corner of the triangle on this side of the line. */
  readonly apex: Float64Array;
}

export interface Hinge {
  /** The first meeting pair at it. */
  readonly pair: number;
  /** Two points of the line. */
  readonly line: Float64Array;
  /** Where the surfaces meet along it: two points. */
  readonly segment: Float64Array;
  readonly raysA: Ray[];
  readonly raysB: Ray[];
}

/** Where a ray lies among other rays that is not in a sector, but on one of them. */
export const ON_RAY = -1;

/** Corners closer than this share of their coordinates are one. */
const SAME_CORNER = 1e-13;
const FEATURES = 2 ** 26;

/** The lines along which surfaces meet at an edge of one of them. */
export function findHinges(pair: PlacedPair, contact: SurfaceContact): Hinge[] {
  return new HingeFinder(pair, contact).find();
}

class HingeFinder {
  readonly #contact: SurfaceContact;
  readonly #corners: PointIds;
  /** Features of a and of b, edges and faces, by the corners or the triangle; hinges by the two features. */
  readonly #features = [new Map<number, number>(), new Map<number, number>()];
  readonly #hinges = new Map<number, Hinge>();
  readonly #reader: MeetingReader;
  readonly #solids: readonly [PlacedSolid, PlacedSolid];

  constructor(pair: PlacedPair, contact: SurfaceContact) {
    this.#contact = contact;
    this.#solids = solidsOf(pair);
    this.#reader = new MeetingReader(pair, contact.pairs);
    let largest = 0;
    for (const x of contact.segments) largest = Math.max(largest, Math.abs(x));
    this.#corners = new PointIds(SAME_CORNER * (largest || 1), 64);
  }

  find(): Hinge[] {
    const { count, meeting } = this.#contact;
    const edges = Meeting.edgeA | Meeting.edgeB;
    for (let i = 0; i < count; i++) if (meeting[i] & edges) this.#addEdgePair(i);
    // triangles in one plane open no hinge, but may be part of one
    if (this.#hinges.size > 0) {
      for (let i = 0; i < count; i++) if (meeting[i] & Meeting.coplanar) this.#addCoplanarPair(i);
      this.#addPlanes();
    }
    return [...this.#hinges.values()];
  }

  #addEdgePair(i: number): void {
    const { meeting, segments } = this.#contact;
    const c = this.#reader.read(i);
    const offA = meeting[i] & Meeting.edgeA ? cornerOff(c, 9, 0) : -1;
    const offB = meeting[i] & Meeting.edgeB ? cornerOff(c, 0, 9) : -1;
    const featureA = offA < 0 ? this.#face(i, 0, true) : this.#edge(c, 0, offA, true);
    const featureB = offB < 0 ? this.#face(i, 1, true) : this.#edge(c, 1, offB, true);
    const key = featureA * FEATURES + featureB;
    let hinge = this.#hinges.get(key);
    if (!hinge) {
      const [t, off] = offA < 0 ? [9, offB] : [0, offA];
      const [p, q] = [t + 3 * ((off + 1) % 3), t + 3 * ((off + 2) % 3)];
      hinge = {
        pair: i,
        line: Float64Array.of(c[p], c[p + 1], c[p + 2], c[q], c[q + 1], c[q + 2]),
        segment: segments.slice(6 * i, 6 * i + 6),
        raysA: [],
        raysB: [],
      };
      this.#hinges.set(key, hinge);
    }
    if (offA >= 0) this.#addRay(hinge.raysA, i, 0, c, 3 * offA);
    else this.#addFace(hinge.raysA, hinge.line, i, 0, c, 9 + 3 * offB);
    if (offB >= 0) this.#addRay(hinge.raysB, i, 1, c, 9 + 3 * offB);
    else this.#addFace(hinge.raysB, hinge.line, i, 1, c, 3 * offA);
  }

  #addCoplanarPair(i: number): void {
    const c = this.#reader.read(i);
    const faces = [this.#face(i, 0, false), this.#face(i, 1, false)];
    const edges = [0, 1].map((side) => [0, 1, 2].map((off) => this.#edge(c, side, off, false)));
    const hingeOf = (featureA: number, featureB: number) =>
      featureA < 0 || featureB < 0 ? undefined : this.#hinges.get(featureA * FEATURES + featureB);
    for (let j = 0; j < 3; j++) {
      const atFaceB = hingeOf(edges[0][j], faces[1]);
      if (atFaceB) this.#addRay(atFaceB.raysA, i, 0, c, 3 * j);
      const atFaceA = hingeOf(faces[0], edges[1][j]);
      if (atFaceA) this.#addRay(atFaceA.raysB, i, 1, c, 9 + 3 * j);
      for (let k = 0; k < 3; k++) {
        const atEdges = hingeOf(edges[0][j], edges[1][k]);
        if (!atEdges) continue;
        this.#addRay(atEdges.raysA, i, 0, c, 3 * j);
        this.#addRay(atEdges.raysB, i, 1, c, 9 + 3 * k);
      }
    }
  }

  /**
   * The rays of triangles whose pairs are not listed. Triangles of both sides at the features of a hinge meet along it:
   * if they are in one plane, the ones at edges are rays.
   */
  #addPlanes(): void {
    const { planes } = this.#contact;
    if (!planes) return;
    const atFeature = ([0, 1] as const).map((side) => this.#trianglesAtFeatures(planes, side));
    for (const [key, hinge] of this.#hinges) {
      const ofA = atFeature[0].get(Math.floor(key / FEATURES));
      const ofB = atFeature[1].get(key % FEATURES);
      if (!ofA || !ofB) continue;
      for (const side of [0, 1] as const) {
        const others = side === 0 ? ofB : ofA;
        for (const { plane, ray } of side === 0 ? ofA : ofB) {
          if (ray && others.some((other) => other.plane === plane)) {
            pushRay(side === 0 ? hinge.raysA : hinge.raysB, ray);
          }
        }
      }
    }
  }

  /** Of triangles in planes, those at edges that are features, as rays, and those that are features themselves. */
  #trianglesAtFeatures(planes: SharedPlanes, side: 0 | 1): Map<number, PlaneTriangle[]> {
    const found = new Map<number, PlaneTriangle[]>();
    const enter = (feature: number, triangle: PlaneTriangle) => {
      if (feature < 0) return;
      const known = found.get(feature);
      if (known) known.push(triangle);
      else found.set(feature, [triangle]);
    };
    const c = new Float64Array(18);
    for (let plane = 0; plane < planes.count; plane++) {
      const members = planes.members(plane, side);
      for (let i = 0; i < members.length; i += 2) {
        const [part, triangle] = [members[i], members[i + 1]];
        this.#solids[side].writeTriangle(part, triangle, c.subarray(9 * side, 9 * side + 9));
        enter(this.#feature(side, faceKey(part, triangle), false), { plane, ray: undefined });
        for (let off = 0; off < 3; off++) {
          const apex = 9 * side + 3 * off;
          const ray = { part, triangle, apex: c.slice(apex, apex + 3) };
          enter(this.#edge(c, side, off, false), { plane, ray });
        }
      }
    }
    return found;
  }

  /** The number of a triangle as a feature; −1 when it is not one yet and `enter` is false. */
  #face(i: number, side: number, enter: boolean): number {
    const at = PAIR_STRIDE * i + 2 * side;
    const { pairs } = this.#contact;
    return this.#feature(side, faceKey(pairs[at], pairs[at + 1]), enter);
  }

  /** The number of the edge opposite corner `off`. */
  #edge(c: Float64Array, side: number, off: number, enter: boolean): number {
    const [p, q] = [9 * side + 3 * ((off + 1) % 3), 9 * side + 3 * ((off + 2) % 3)];
    const ids = this.#corners;
    const from = enter ? ids.add(c, p) : ids.find(c, p);
    const to = enter ? ids.add(c, q) : ids.find(c, q);
    if (from < 0 || to < 0) return -1;
    return this.#feature(side, Math.min(from, to) * FEATURES + Math.max(from, to), enter);
  }

  #feature(side: number, key: number, enter: boolean): number {
    const features = this.#features[side];
    let feature = features.get(key);
    if (feature === undefined && enter) features.set(key, (feature = features.size));
    return feature ?? -1;
  }

  #addRay(rays: Ray[], i: number, side: number, c: Float64Array, apex: number): void {
    const at = PAIR_STRIDE * i + 2 * side;
    const [part, triangle] = [this.#contact.pairs[at], this.#contact.pairs[at + 1]];
    pushRay(rays, { part, triangle, apex: c.slice(apex, apex + 3) });
  }

  /** The two rays of a triangle that the line runs through; `beside` is a corner off its plane. */
  #addFace(rays: Ray[], line: Float64Array, i: number, side: number, c: Float64Array, beside: number): void {
    if (rays.length > 0) return;
    const at = PAIR_STRIDE * i + 2 * side;
    const [part, triangle] = [this.#contact.pairs[at], this.#contact.pairs[at + 1]];
    const signs = [0, 3, 6].map((k) => orient3dAt(line, 0, line, 3, c, beside, c, 9 * side + k));
    for (const sign of [1, -1]) {
      const corner = 9 * side + 3 * signs.indexOf(sign);
      rays.push({ part, triangle, apex: c.slice(corner, corner + 3) });
    }
  }
}

/** A triangle in a plane: the ray that it is at an edge, or undefined where it is the feature itself. */
interface PlaneTriangle {
  readonly plane: number;
  readonly ray: Ray | undefined;
}

function faceKey(part: number, triangle: number): number {
  return -1 - (part * 2 ** 28 + triangle);
}

/** Adds the ray of a triangle, once. */
function pushRay(rays: Ray[], ray: Ray): void {
  if (!rays.some(({ part, triangle }) => triangle === ray.triangle && part === ray.part)) rays.push(ray);
}

/** The corner of the triangle at `t` that does not lie in the plane of the one at `p`, given that the others do. */
function cornerOff(c: Float64Array, p: number, t: number): number {
  const signs = sidesOfPlane(c, p, c, t) - ALL_ON;
  return Math.abs(signs) === 1 ? 0 : Math.abs(signs) === 3 ? 1 : 2;
}

/** Whether one of the surfaces passes through the other at the hinge, by more than `slack`. */
export function passesThrough(hinge: Hinge, slack: number): boolean {
  const [x, y, z, u, v, w] = hinge.segment;
  if (slack > 0 && Math.hypot(u - x, v - y, w - z) <= slack) return false;
  return (
    inDifferentSectors(hinge.line, hinge.raysA, hinge.raysB, slack) ||
    inDifferentSectors(hinge.line, hinge.raysB, hinge.raysA, slack)
  );
}

function inDifferentSectors(
  line: Float64Array,
  rays: readonly Ray[],
  others: readonly Ray[],
  slack: number,
): boolean {
  if (rays.length < 2) return false;
  const closed = rays.length % 2 === 0;
  let known = ON_RAY;
  for (const { apex } of others) {
    const sector = sectorOf(line, rays, apex);
    if (sector === ON_RAY || (slack > 0 && rays.some((ray) => isNear(line, ray.apex, apex, slack)))) continue;
    const kind = closed ? sector % 2 : sector;
    if (known === ON_RAY) known = kind;
    else if (known !== kind) return true;
  }
  return false;
}

/** Whether one of two points lies within `slack` of the plane through the line and the other one. */
function isNear(line: Float64Array, p: Float64Array, q: Float64Array, slack: number): boolean {
  const volume = Math.abs(orient3dValueAt(line, 0, line, 3, p, 0, q, 0));
  const area = (r: Float64Array) => {
    const normal = normalOf(line, 0, line, 3, r, 0);
    return Math.hypot(normal[0], normal[1], normal[2]);
  };
  return volume <= slack * Math.max(area(p), area(q));
}

/** The number of rays up to a point, counted with the turn from the first on; `ON_RAY` when it lies on one of them. */
export function sectorOf(line: Float64Array, rays: readonly Ray[], point: Float64Array): number {
  const start = rays[0].apex;
  const turn = turnOf(line, start, point);
  if (turn === SAME) return ON_RAY;
  let before = 1;
  for (let i = 1; i < rays.length; i++) {
    const { apex } = rays[i];
    const other = turnOf(line, start, apex);
    if (other !== turn) {
      if (other < turn) before++;
      continue;
    }
    if (turn === OPPOSITE) return ON_RAY;
    const side = orient3dAt(line, 0, line, 3, apex, 0, point, 0);
    if (side === 0) return ON_RAY;
    if (side > 0) before++;
  }
  return before;
}

/** How many rays lead to a point: more than one where triangles lie on each other. */
export function raysAlong(line: Float64Array, rays: readonly Ray[], point: Float64Array): number {
  return rays.reduce((count, { apex }) => (turnOf(line, apex, point) === SAME ? count + 1 : count), 0);
}

/** How far to turn about the line from one point to another: not at all, less than half way, half way, more. */
const SAME = 0;
const OPPOSITE = 2;

function turnOf(line: Float64Array, from: Float64Array, to: Float64Array): number {
  const side = orient3dAt(line, 0, line, 3, from, 0, to, 0);
  if (side !== 0) return side > 0 ? 1 : 3;
  for (let axis = 0; axis < 3; axis++) {
    const way = orient2dAt(line, 0, line, 3, from, 0, axis);
    if (way !== 0) return way === orient2dAt(line, 0, line, 3, to, 0, axis) ? SAME : OPPOSITE;
  }
  return SAME;
}
