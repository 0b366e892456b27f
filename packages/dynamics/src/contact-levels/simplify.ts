/**
 * Filtered edge collapse: the surface becomes coarser while its patches stay convex and grow together.
 *
 * Edges are collapsed in the order of their resolution, the shortest first. One vertex replaces two at the minimum of
 * their quadrics, is smoothed, projected onto the constraints that keep its patches convex, and moved back by halves
 * until all constraints hold: exactly those of convex-patches.ts, so every state on the way is a division into convex
 * patches, and no triangle meets another that it was apart from. An edge that cannot collapse waits until something
 * beside it has changed.
 *
 * The collapses of packages/model/kernels/levels/simplify.ts cannot serve: they go by quadrics alone, take any soup and
 * know no patches. Both are measured by the same bound (MeshDeviation).
 */
import { PairHeap } from 'impinge/internal/base/heap.js';
import { beforeOf, type ClosedSurface, NONE, nextOf, partsOf } from './closed-surface.js';
import type { ConvexPatch, ConvexPatches } from './convex-patches.js';
import { LocalConstraints, ringOf, smoothPlace } from './placement.js';
import { Quadrics } from './quadrics.js';
import { sideOf } from './side.js';

/** A part keeps this share of its volume, and so cannot turn inside out. */
const LEAST_VOLUME = 0.05;
/** Cosine of the maximum turn of a triangle in one step. */
const LEAST_TURN = 0.2;

export class Simplifier {
  readonly #surface: ClosedSurface;
  readonly #patches: ConvexPatches;
  readonly #quadrics: Quadrics;
  readonly #constraints = new LocalConstraints();
  readonly #edges = new PairHeap();
  readonly #stamps: Uint32Array;
  readonly #ring: number[] = [];
  readonly #otherRing: number[] = [];
  readonly #near: Int32Array;
  #nearRound = 0;
  /** Normals of the triangles about the edge before it went, in the order of #turned. */
  readonly #normals: number[] = [];
  readonly #turned: number[] = [];
  readonly #undo = {
    corners: [] as number[],
    across: [] as number[],
    first: [] as number[],
    place: new Float64Array(3),
  };
  readonly #start = new Float64Array(3);
  readonly #goal = new Float64Array(3);
  readonly #affected: number[] = [];
  readonly #partOf: Int32Array;
  readonly #volumes: Float64Array;
  readonly #leastVolumes: Float64Array;
  /** The volume of the current component, without the triangles about the edge. */
  #otherVolume = 0;
  readonly #renewed: (ConvexPatch | undefined)[] = [];

  constructor(patches: ConvexPatches) {
    this.#patches = patches;
    this.#surface = patches.surface;
    this.#quadrics = new Quadrics(this.#surface);
    this.#stamps = new Uint32Array(this.#surface.corner.length);
    const { partOf, volumes } = partsOf(this.#surface);
    this.#partOf = partOf;
    this.#volumes = volumes;
    this.#leastVolumes = volumes.map((volume) => LEAST_VOLUME * volume);
    this.#near = new Int32Array(this.#surface.x.length / 3);
    const { across, alive } = this.#surface;
    for (let h = 0; h < across.length; h++) if (alive[Math.floor(h / 3)] && h < across[h]) this.#push(h);
  }

  /**
   * Continues until there are no more patches and triangles than wanted; false when no edge can be collapsed any more.
   */
  runTo(patchCount: number, triangleCount: number): boolean {
    while (this.#patches.count > patchCount && this.#surface.triangleCount > triangleCount) {
      if (!this.#edges.pop()) return false;
      if (
        this.#stamps[this.#edges.a] === this.#edges.b &&
        this.#surface.alive[Math.floor(this.#edges.a / 3)]
      ) {
        this.#stamps[this.#edges.a]++;
        this.#collapse(this.#edges.a);
      }
    }
    return true;
  }

  #push(h: number): void {
    const { x, corner, across } = this.#surface;
    const edge = Math.min(h, across[h]);
    const a = 3 * corner[edge];
    const b = 3 * corner[nextOf(edge)];
    const [dx, dy, dz] = [x[a] - x[b], x[a + 1] - x[b + 1], x[a + 2] - x[b + 2]];
    this.#edges.push(dx * dx + dy * dy + dz * dz, edge, ++this.#stamps[edge]);
  }

  #collapse(h: number): boolean {
    const surface = this.#surface;
    const { x, corner, across } = surface;
    const u = corner[h];
    const v = corner[nextOf(h)];
    if (!this.#isFree(h, u, v)) return false;
    this.#quadrics.place(x, u, v, this.#start);
    const other = [x[3 * v], x[3 * v + 1], x[3 * v + 2]];
    const dying = [Math.floor(h / 3), Math.floor(across[h] / 3)];
    this.#otherVolume =
      this.#volumes[this.#partOf[dying[0]]] - this.#volumeOf(this.#turned) - this.#volumeOf(dying);
    this.#join(h, u, v, dying);
    const ring = this.#ring;
    ringOf(surface, u, ring);
    this.#gather(dying);
    if (this.#place(u, other)) {
      this.#commit(u, v, dying);
      return true;
    }
    this.#takeBack(h, u, dying);
    return false;
  }

  /** Whether the surface stays one without the edge, and notes the normals about it. */
  #isFree(h: number, u: number, v: number): boolean {
    const surface = this.#surface;
    const { corner, across } = surface;
    if (surface.triangleCount <= 4) return false;
    ringOf(surface, u, this.#ring);
    ringOf(surface, v, this.#otherRing);
    const round = ++this.#nearRound;
    for (const g of this.#ring) this.#near[corner[nextOf(g)]] = round;
    let common = 0;
    for (const g of this.#otherRing) if (this.#near[corner[nextOf(g)]] === round) common++;
    if (common !== 2) return false;
    for (const w of [corner[beforeOf(h)], corner[beforeOf(across[h])]]) {
      // three triangles about w would become two on top of each other
      const first = surface.firstOf[w];
      const third = across[beforeOf(across[beforeOf(across[beforeOf(first)])])];
      if (third === first) return false;
    }
    const [t1, t2] = [Math.floor(h / 3), Math.floor(across[h] / 3)];
    this.#turned.length = 0;
    this.#normals.length = 0;
    for (const list of [this.#ring, this.#otherRing]) {
      for (const g of list) {
        const t = Math.floor(g / 3);
        if (t === t1 || t === t2) continue;
        this.#turned.push(t);
        this.#pushNormal(t);
      }
    }
    return true;
  }

  /** Six times the volume between triangles and the origin. */
  #volumeOf(triangles: readonly number[]): number {
    const { x, corner } = this.#surface;
    let sum = 0;
    for (const t of triangles) {
      const [a, b, c] = [3 * corner[3 * t], 3 * corner[3 * t + 1], 3 * corner[3 * t + 2]];
      sum += x[a] * (x[b + 1] * x[c + 2] - x[b + 2] * x[c + 1]);
      sum += x[a + 1] * (x[b + 2] * x[c] - x[b] * x[c + 2]);
      sum += x[a + 2] * (x[b] * x[c + 1] - x[b + 1] * x[c]);
    }
    return sum;
  }

  #keepsVolume(): boolean {
    const least = this.#leastVolumes[this.#partOf[this.#turned[0]]];
    const volume = this.#otherVolume + this.#volumeOf(this.#turned);
    return least < 0 ? volume <= least : volume >= least;
  }

  #pushNormal(t: number): void {
    const { x, corner } = this.#surface;
    const [a, b, c] = [3 * corner[3 * t], 3 * corner[3 * t + 1], 3 * corner[3 * t + 2]];
    const [ux, uy, uz] = [x[b] - x[a], x[b + 1] - x[a + 1], x[b + 2] - x[a + 2]];
    const [vx, vy, vz] = [x[c] - x[a], x[c + 1] - x[a + 1], x[c + 2] - x[a + 2]];
    this.#normals.push(uy * vz - uz * vy, uz * vx - ux * vz, ux * vy - uy * vx);
  }

  /** Takes two triangles out and gives those of v to u. */
  #join(h: number, u: number, v: number, dying: readonly number[]): void {
    const { corner, across, alive, firstOf, x } = this.#surface;
    const undo = this.#undo;
    undo.corners.length = 0;
    undo.across.length = 0;
    undo.first.length = 0;
    for (let k = 0; k < 3; k++) undo.place[k] = x[3 * u + k];
    for (const g of this.#otherRing) {
      undo.corners.push(g, v);
      corner[g] = u;
    }
    for (const w of [u, v, corner[beforeOf(h)], corner[beforeOf(across[h])]]) undo.first.push(w, firstOf[w]);
    for (const g of [h, across[h]]) {
      const [one, two] = [across[nextOf(g)], across[beforeOf(g)]];
      undo.across.push(one, across[one], two, across[two]);
      across[one] = two;
      across[two] = one;
      // both are outer half-edges: one runs from the far corner to u, the other back
      firstOf[corner[two]] = two;
      firstOf[corner[one]] = one;
    }
    firstOf[v] = NONE;
    for (const t of dying) alive[t] = 0;
  }

  #takeBack(h: number, u: number, dying: readonly number[]): void {
    const { corner, across, alive, firstOf, x } = this.#surface;
    const { corners, first, place } = this.#undo;
    for (let i = 0; i < corners.length; i += 2) corner[corners[i]] = corners[i + 1];
    const links = this.#undo.across;
    for (let i = 0; i < links.length; i += 2) across[links[i]] = links[i + 1];
    for (let i = 0; i < first.length; i += 2) firstOf[first[i]] = first[i + 1];
    for (let k = 0; k < 3; k++) x[3 * u + k] = place[k];
    for (const t of dying) alive[t] = 1;
    for (const t of this.#turned) this.#patches.moved(t);
    for (const t of dying) this.#patches.moved(t);
    this.#stamps[h]++;
  }

  /** The patches about the vertex, those of the triangles that went among them. */
  #gather(dying: readonly number[]): void {
    const affected = this.#affected;
    affected.length = 0;
    for (const g of this.#ring) {
      const p = this.#patches.patchOf[Math.floor(g / 3)];
      if (!affected.includes(p)) affected.push(p);
    }
    for (const t of dying) {
      const p = this.#patches.patchOf[t];
      const { triangles } = this.#patches.patches[p] as ConvexPatch;
      if (!affected.includes(p) && triangles.some((other) => this.#surface.alive[other])) affected.push(p);
      this.#patches.gone(t);
    }
  }

  /** Tries places for u, the best first. */
  #place(u: number, other: readonly number[]): boolean {
    const { x } = this.#surface;
    const ring = this.#ring;
    const start = this.#start;
    const goal = this.#goal;
    for (let k = 0; k < 3; k++) x[3 * u + k] = start[k];
    smoothPlace(this.#surface, u, ring, goal);
    this.#constraints.take(this.#surface, ring, this.#patches.patchOf);
    this.#constraints.project(goal);
    for (const share of [1, 0.5, 0.25]) {
      if (
        this.#tryAt(
          u,
          start[0] + share * (goal[0] - start[0]),
          start[1] + share * (goal[1] - start[1]),
          start[2] + share * (goal[2] - start[2]),
        )
      )
        return true;
    }
    this.#constraints.project(start);
    if (this.#tryAt(u, start[0], start[1], start[2])) return true;
    const { place } = this.#undo;
    return this.#tryAt(u, other[0], other[1], other[2]) || this.#tryAt(u, place[0], place[1], place[2]);
  }

  #tryAt(u: number, px: number, py: number, pz: number): boolean {
    const { x } = this.#surface;
    const { most } = this.#patches;
    if (!(Math.abs(px) < most && Math.abs(py) < most && Math.abs(pz) < most)) return false;
    x[3 * u] = Math.fround(px);
    x[3 * u + 1] = Math.fround(py);
    x[3 * u + 2] = Math.fround(pz);
    return this.#keepsItsWay() && this.#keepsVolume() && this.#isLocallyConvex() && this.#isGloballyConvex(u);
  }

  #keepsItsWay(): boolean {
    const normals = this.#normals;
    const count = this.#turned.length;
    for (let i = 0; i < count; i++) {
      const at = normals.length;
      this.#pushNormal(this.#turned[i]);
      const [nx, ny, nz] = [normals[at], normals[at + 1], normals[at + 2]];
      normals.length = at;
      const dot = nx * normals[3 * i] + ny * normals[3 * i + 1] + nz * normals[3 * i + 2];
      const was = normals[3 * i] ** 2 + normals[3 * i + 1] ** 2 + normals[3 * i + 2] ** 2;
      const is = nx * nx + ny * ny + nz * nz;
      if (!(dot > LEAST_TURN * Math.sqrt(was * is))) return false;
    }
    return true;
  }

  #isLocallyConvex(): boolean {
    const { x, corner, across } = this.#surface;
    const { patchOf } = this.#patches;
    for (const h of this.#ring) {
      const t = Math.floor(h / 3);
      const [a, b, c] = [corner[3 * t], corner[3 * t + 1], corner[3 * t + 2]];
      for (const edge of [h, nextOf(h)]) {
        const g = across[edge];
        if (patchOf[Math.floor(g / 3)] !== patchOf[t]) continue;
        if (sideOf(x, a, b, c, corner[beforeOf(g)]) > 0) return false;
      }
    }
    return true;
  }

  #isGloballyConvex(u: number): boolean {
    const patches = this.#patches;
    const renewed = this.#renewed;
    renewed.length = 0;
    for (const p of this.#affected) {
      const patch = this.#renew(p, u);
      if (!patch) return false;
      renewed.push(patch);
    }
    for (const t of this.#turned) patches.moved(t);
    for (const patch of renewed) {
      if (!patches.staysClear(patch as ConvexPatch, u, this.#turned)) return false;
    }
    for (const t of this.#turned)
      if (!patches.isOutside(t, this.#affected) || !patches.isApart(t)) return false;
    return true;
  }

  /** The patch with u where it is now, if all its triangles are faces of its hull. */
  #renew(p: number, u: number): ConvexPatch | undefined {
    const patches = this.#patches;
    const { x, corner, alive } = this.#surface;
    const triangles = (patches.patches[p] as ConvexPatch).triangles.filter((t) => alive[t]);
    if (triangles.length === 1)
      return patches.isLine(triangles[0]) ? undefined : patches.single(triangles[0]);
    const vertices = patches.verticesOf(triangles);
    for (const t of triangles) {
      const [a, b, c] = [corner[3 * t], corner[3 * t + 1], corner[3 * t + 2]];
      if (a !== u && b !== u && c !== u) {
        if (sideOf(x, a, b, c, u) > 0) return undefined;
        continue;
      }
      for (const w of vertices)
        if (w !== a && w !== b && w !== c && sideOf(x, a, b, c, w) > 0) return undefined;
    }
    return patches.made(triangles, vertices);
  }

  #commit(u: number, v: number, dying: readonly number[]): void {
    const surface = this.#surface;
    const patches = this.#patches;
    surface.triangleCount -= 2;
    this.#volumes[this.#partOf[dying[0]]] = this.#otherVolume + this.#volumeOf(this.#turned);
    this.#quadrics.add(u, v);
    for (let i = 0; i < this.#affected.length; i++)
      patches.replace(this.#affected[i], this.#renewed[i] as ConvexPatch);
    for (let i = 0; i < 2; i++) {
      const p = patches.patchOf[dying[i]];
      if (!patches.patches[p] || this.#affected.includes(p)) continue;
      // all its triangles have gone: a neighbour stands for it
      patches.remove(p, patches.patchOf[Math.floor(this.#undo.across[4 * i] / 3)]);
    }
    this.#mergeAround();
    for (const g of this.#ring) {
      this.#push(g);
      this.#push(nextOf(g));
    }
  }

  /** Merges patches that have become convex together. */
  #mergeAround(): void {
    const patches = this.#patches;
    const { across } = this.#surface;
    for (const p of this.#affected) {
      for (let again = true; again && patches.patches[p]; ) {
        again = false;
        for (const t of (patches.patches[p] as ConvexPatch).triangles) {
          for (let h = 3 * t; h < 3 * t + 3 && !again; h++) {
            const q = patches.patchOf[Math.floor(across[h] / 3)];
            if (q !== p && patches.tryUnion(p, q)) again = true;
          }
          if (again) break;
        }
      }
    }
  }
}
