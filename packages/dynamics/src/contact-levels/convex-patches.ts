/**
 * A surface divided into convex patches: sets of triangles that are all faces of the patch's convex hull, whose
 * interior no other triangle enters.
 *
 * So the hull of a solid's patch lies in the solid: its interior meets no surface, and just below a triangle of the
 * patch it is inside. A patch in one plane has a hull without interior; it is required to be a convex polygon itself.
 * Triangles without area stay alone. Hulls have at most MAX_HULL_VERTICES, which keeps every test short.
 */
import { HullBuilder } from 'impinge/internal/geometry/hull/hull-builder.js';
import { intersectsTriangleTriangle } from 'impinge/internal/geometry/intersect/triangle-triangle.js';
import { orient2dAt } from 'impinge/internal/math/predicates.js';
import { MovingBoxes } from 'impinge/internal/scene/moving-boxes.js';
import type { ClosedSurface } from './closed-surface.js';
import { facePlanes, staysOut } from './hull-clearance.js';
import { sideOf } from './side.js';

export const MAX_HULL_VERTICES = 48;
/** More vertices of two hulls than this seldom become few enough in one. */
const NO_PLANES = new Float64Array(0);
const MOST_VERTICES = MAX_HULL_VERTICES + 16;

export interface ConvexPatch {
  readonly triangles: readonly number[];
  readonly vertices: Int32Array;
  readonly faces: Int32Array;
  readonly planes: Float64Array;
  /** Whether the hull has an interior. */
  readonly solid: boolean;
}

export class ConvexPatches {
  readonly surface: ClosedSurface;
  /** The patch of every triangle; patches are numbered by one of their initial triangles. */
  readonly patchOf: Int32Array;
  readonly patches: (ConvexPatch | undefined)[] = [];
  count = 0;
  /** For each patch removed, the one that absorbed it. */
  readonly mergedInto: Int32Array;
  readonly hull = new HullBuilder();
  #triangleTree!: MovingBoxes;
  #hullTree!: MovingBoxes;
  readonly #hullBoxes: Float64Array;
  readonly #triangleBoxes: Float64Array;
  readonly #member: Int32Array;
  #memberRound = 0;
  readonly #seen: Int32Array;
  #seenRound = 0;
  readonly #box = new Float64Array(6);
  readonly #pair = new Float64Array(18);
  /** No coordinate may become greater: twice the greatest at the start. */
  readonly most: number;
  readonly #versions: Uint32Array;
  readonly #refused = new Map<number, number>();

  /** Begins with a patch for every triangle. */
  constructor(surface: ClosedSurface) {
    this.surface = surface;
    const triangles = surface.alive.length;
    this.patchOf = new Int32Array(triangles).fill(-1);
    this.mergedInto = new Int32Array(triangles).fill(-1);
    this.#member = new Int32Array(triangles);
    this.#versions = new Uint32Array(triangles);
    this.#seen = new Int32Array(surface.x.length / 3);
    let most = 0;
    for (const value of surface.x) most = Math.max(most, Math.abs(value));
    this.most = 2 * most;
    this.#triangleBoxes = new Float64Array(6 * triangles);
    this.#hullBoxes = new Float64Array(6 * triangles);
    for (let t = 0; t < triangles; t++) {
      if (!surface.alive[t]) continue;
      this.patchOf[t] = t;
      this.patches[t] = this.single(t);
      this.count++;
      this.#measure(this.#triangleBoxes, t, surface.corner.subarray(3 * t, 3 * t + 3));
      this.#measure(this.#hullBoxes, t, surface.corner.subarray(3 * t, 3 * t + 3));
    }
    this.refresh();
  }

  /** Makes the trees tight again. */
  refresh(): void {
    const { alive } = this.surface;
    this.#refused.clear();
    this.#triangleTree = new MovingBoxes(() => this.#triangleBoxes);
    this.#hullTree = new MovingBoxes(() => this.#hullBoxes);
    for (let t = 0; t < alive.length; t++) {
      if (alive[t]) this.#triangleTree.touch(t);
      if (this.patches[t]) this.#hullTree.touch(t);
    }
  }

  single(t: number): ConvexPatch {
    const [a, b, c] = this.surface.corner.subarray(3 * t, 3 * t + 3);
    const faces = Int32Array.of(a, b, c, a, c, b);
    return { triangles: [t], vertices: Int32Array.of(a, b, c), faces, planes: NO_PLANES, solid: false };
  }

  #measure(boxes: Float64Array, item: number, vertices: ArrayLike<number>): void {
    const { x } = this.surface;
    const at = 6 * item;
    boxes.fill(Infinity, at, at + 3).fill(-Infinity, at + 3, at + 6);
    for (let i = 0; i < vertices.length; i++) {
      const v = 3 * vertices[i];
      for (let k = 0; k < 3; k++) {
        if (x[v + k] < boxes[at + k]) boxes[at + k] = x[v + k];
        if (x[v + k] > boxes[at + 3 + k]) boxes[at + 3 + k] = x[v + k];
      }
    }
  }

  /** To be called when a corner of the triangle has moved. */
  moved(t: number): void {
    this.#measure(this.#triangleBoxes, t, this.surface.corner.subarray(3 * t, 3 * t + 3));
    this.#triangleTree.touch(t);
  }

  /** To be called when a triangle has gone. */
  gone(t: number): void {
    this.#triangleTree.remove(t);
  }

  /** Replaces a patch by one that it has grown into. */
  replace(p: number, patch: ConvexPatch): void {
    this.patches[p] = patch;
    this.#versions[p]++;
    this.#measure(this.#hullBoxes, p, patch.vertices);
    this.#hullTree.touch(p);
  }

  /** Removes a patch that has become part of another. */
  remove(p: number, into: number): void {
    this.patches[p] = undefined;
    this.mergedInto[p] = into;
    this.#hullTree.remove(p);
    this.count--;
  }

  sizeOf(p: number): number {
    return (this.patches[p] as ConvexPatch).triangles.length;
  }

  /** Makes one of two patches, if that is a patch. */
  tryUnion(p: number, q: number): boolean {
    // a pair that has hardly changed since it was refused is not tried again
    const pair = p * this.patchOf.length + q;
    const version = this.#versions[p] + this.#versions[q];
    const refused = this.#refused.get(pair);
    if (refused !== undefined && version - refused <= (this.sizeOf(p) + this.sizeOf(q)) / 16) return false;
    if (this.#unite(p, q)) return true;
    this.#refused.set(pair, version);
    return false;
  }

  #unite(p: number, q: number): boolean {
    const a = this.patches[p] as ConvexPatch;
    const b = this.patches[q] as ConvexPatch;
    if (!this.#fitsBelow(a, b, q) || !this.#fitsBelow(b, a, p)) return false;
    const ids = this.#different(a.vertices, b.vertices);
    if (ids.length > MOST_VERTICES) return false;
    if (!this.#isBelow(a, b.vertices) || !this.#isBelow(b, a.vertices)) return false;
    const union = this.made(a.triangles.concat(b.triangles), ids);
    if (!union || !this.isClear(union)) return false;
    for (const t of b.triangles) this.patchOf[t] = p;
    this.remove(q, p);
    this.replace(p, union);
    return true;
  }

  #different(a: Int32Array, b: Int32Array): number[] {
    const round = ++this.#seenRound;
    const ids: number[] = [];
    for (const list of [a, b]) {
      for (let i = 0; i < list.length; i++) {
        if (this.#seen[list[i]] === round) continue;
        this.#seen[list[i]] = round;
        ids.push(list[i]);
      }
    }
    return ids;
  }

  /** The quick part: at the edges where a borders on patch q, q is not above it. */
  #fitsBelow(a: ConvexPatch, b: ConvexPatch, q: number): boolean {
    if (a.triangles.length > b.triangles.length) return true; // seen from the smaller side
    const { corner, across, x } = this.surface;
    for (const t of a.triangles) {
      for (let h = 3 * t; h < 3 * t + 3; h++) {
        const g = across[h];
        if (this.patchOf[Math.floor(g / 3)] !== q) continue;
        const far = corner[g % 3 === 0 ? g + 2 : g - 1];
        if (sideOf(x, corner[3 * t], corner[3 * t + 1], corner[3 * t + 2], far) > 0) return false;
      }
    }
    return true;
  }

  /** Whether vertices lie on or below the planes of all triangles of a patch. */
  #isBelow(a: ConvexPatch, vertices: Int32Array): boolean {
    const { corner, x } = this.surface;
    for (const t of a.triangles) {
      const i = corner[3 * t];
      const j = corner[3 * t + 1];
      const k = corner[3 * t + 2];
      for (let n = 0; n < vertices.length; n++) {
        const v = vertices[n];
        if (v !== i && v !== j && v !== k && sideOf(x, i, j, k, v) > 0) return false;
      }
    }
    return true;
  }

  /**
   * The patch of triangles known to lie on the hull of the vertices; undefined when it has too many, some triangle has
   * no area, or it is flat and not a convex polygon.
   */
  made(triangles: readonly number[], ids: readonly number[]): ConvexPatch | undefined {
    const { hull } = this;
    hull.build(this.surface.x, ids, ids.length);
    if (hull.dimension < 2 || hull.vertexCount > MAX_HULL_VERTICES) return undefined;
    if (hull.dimension === 2 ? !this.#isConvexPolygon(triangles) : this.#hasLine(triangles)) return undefined;
    const solid = hull.dimension === 3;
    const faces = hull.corners.slice(0, 3 * hull.faceCount);
    return {
      triangles,
      vertices: hull.vertices.slice(0, hull.vertexCount),
      faces,
      planes: solid ? facePlanes(this.surface.x, faces, this.most) : NO_PLANES,
      solid,
    };
  }

  #hasLine(triangles: readonly number[]): boolean {
    for (const t of triangles) if (this.isLine(t)) return true;
    return false;
  }

  /** Whether a triangle has no area: exact. */
  isLine(t: number): boolean {
    for (let axis = 0; axis < 3; axis++) if (this.#turn(t, axis) !== 0) return false;
    return true;
  }

  #turn(t: number, axis: number): number {
    const { corner, x } = this.surface;
    return orient2dAt(x, 3 * corner[3 * t], x, 3 * corner[3 * t + 1], x, 3 * corner[3 * t + 2], axis);
  }

  #isConvexPolygon(triangles: readonly number[]): boolean {
    const { corner, across, x } = this.surface;
    const { hull } = this;
    let axis = 0;
    while (axis < 3 && this.#turn(triangles[0], axis) === 0) axis++;
    if (axis === 3) return false;
    const way = this.#turn(triangles[0], axis);
    const round = this.#enlist(triangles);
    for (const t of triangles) {
      if (this.#turn(t, axis) !== way) return false;
      for (let h = 3 * t; h < 3 * t + 3; h++) {
        if (this.#member[Math.floor(across[h] / 3)] === round) continue;
        const from = 3 * corner[h];
        const to = 3 * corner[h % 3 === 2 ? h - 2 : h + 1];
        for (let i = 0; i < hull.vertexCount; i++) {
          if (orient2dAt(x, from, x, to, x, 3 * hull.vertices[i], axis) === -way) return false;
        }
      }
    }
    return true;
  }

  #enlist(triangles: readonly number[]): number {
    const round = ++this.#memberRound;
    for (const t of triangles) this.#member[t] = round;
    return round;
  }

  /** Whether no other triangle enters the hull. */
  isClear(patch: ConvexPatch): boolean {
    if (!patch.solid) return true;
    const { corner, x } = this.surface;
    const round = this.#enlist(patch.triangles);
    this.#measure(this.#box, 0, patch.vertices);
    for (const t of meeting(this.#triangleTree, this.#triangleBoxes, this.#box)) {
      if (this.#member[t] === round) continue;
      if (!staysOut(x, patch, corner[3 * t], corner[3 * t + 1], corner[3 * t + 2])) return false;
    }
    return true;
  }

  /**
   * The same after vertex u has moved: triangles that `moved` and are not part of the patch are compared with all of
   * the hull, the rest with the part about u. For the hull without u has not grown, and the rest of it lies between u
   * and its neighbours on the hull, because all triangles of the patch are faces.
   */
  staysClear(patch: ConvexPatch, u: number, moved: readonly number[]): boolean {
    if (!patch.solid) return true;
    const { corner, x } = this.surface;
    const { faces } = patch;
    const about: number[] = [];
    for (let f = 0; f < faces.length; f += 3) {
      if (faces[f] !== u && faces[f + 1] !== u && faces[f + 2] !== u) continue;
      about.push(faces[f], faces[f + 1], faces[f + 2]);
    }
    const round = this.#enlist(patch.triangles);
    for (const t of moved) {
      if (this.#member[t] === round) continue;
      this.#member[t] = round;
      if (!staysOut(x, patch, corner[3 * t], corner[3 * t + 1], corner[3 * t + 2])) return false;
    }
    if (about.length === 0) return true;
    this.#measure(this.#box, 0, about);
    for (const t of meeting(this.#triangleTree, this.#triangleBoxes, this.#box)) {
      if (this.#member[t] === round) continue;
      if (!staysOut(x, patch, corner[3 * t], corner[3 * t + 1], corner[3 * t + 2])) return false;
    }
    return true;
  }

  /** Whether a triangle enters the hull of no patch but those left out. */
  isOutside(t: number, leftOut: readonly number[]): boolean {
    const { corner, x } = this.surface;
    this.#measure(this.#box, 0, corner.subarray(3 * t, 3 * t + 3));
    for (const p of meeting(this.#hullTree, this.#hullBoxes, this.#box)) {
      const patch = this.patches[p] as ConvexPatch;
      if (!patch.solid || leftOut.includes(p)) continue;
      if (!staysOut(x, patch, corner[3 * t], corner[3 * t + 1], corner[3 * t + 2])) return false;
    }
    return true;
  }

  /** Whether a triangle meets no other but at the vertices they have in common. */
  isApart(t: number): boolean {
    const { corner, x } = this.surface;
    const [a, b, c] = [corner[3 * t], corner[3 * t + 1], corner[3 * t + 2]];
    readTriangle(x, a, b, c, this.#pair, 0);
    this.#measure(this.#box, 0, corner.subarray(3 * t, 3 * t + 3));
    for (const other of meeting(this.#triangleTree, this.#triangleBoxes, this.#box)) {
      const [d, e, f] = [corner[3 * other], corner[3 * other + 1], corner[3 * other + 2]];
      // neighbours are kept apart by the limit on their turning
      if (a === d || a === e || a === f || b === d || b === e || b === f || c === d || c === e || c === f)
        continue;
      readTriangle(x, d, e, f, this.#pair, 9);
      if (intersectsTriangleTriangle(this.#pair, 0, this.#pair, 9)) return false;
    }
    return true;
  }

  /** The vertices of triangles, each once. */
  verticesOf(triangles: readonly number[]): number[] {
    const { corner } = this.surface;
    const round = ++this.#seenRound;
    const ids: number[] = [];
    for (const t of triangles) {
      for (let h = 3 * t; h < 3 * t + 3; h++) {
        if (this.#seen[corner[h]] === round) continue;
        this.#seen[corner[h]] = round;
        ids.push(corner[h]);
      }
    }
    return ids;
  }
}

/** The slots of a tree whose boxes meet the interior of a box. */
export function meeting(tree: MovingBoxes, boxes: Float64Array, box: Float64Array): number[] {
  const found: number[] = [];
  tree.forEachNear(box, 0, 0, (slot) => {
    const at = 6 * slot;
    if (boxes[at] >= box[3] || boxes[at + 1] >= box[4] || boxes[at + 2] >= box[5]) return;
    if (boxes[at + 3] <= box[0] || boxes[at + 4] <= box[1] || boxes[at + 5] <= box[2]) return;
    found.push(slot);
  });
  return found;
}

function readTriangle(x: Float64Array, a: number, b: number, c: number, out: Float64Array, at: number): void {
  for (let k = 0; k < 3; k++) {
    out[at + k] = x[3 * a + k];
    out[at + 3 + k] = x[3 * b + k];
    out[at + 6 + k] = x[3 * c + k];
  }
}
