/**
 * Contact data of triangles in memory, in their own frame: planes of faces, convex edges, neighbouring vertices. Many
 * bodies may share one.
 *
 * Layout: coordinates are counted from `centre`, the centre of mass of a solid. Vertices at equal positions are one.
 * Edge e joins `edgeEnds[2 e]` and `edgeEnds[2 e + 1]`; `edgeInward[6 e …]` are two unit vectors at right angles to it
 * that lead into the faces beside it, twice the same at a border. Each vertex and each edge belongs to one triangle,
 * its owner: a loop over owners visits each of them once.
 * A plane is four numbers, unit normal and offset; a side of a face is the plane through an edge at right angles to it.
 */
import type { Vec3 } from 'impinge/internal/math/pose.js';
import { adjacencyOf, NO_EDGE } from 'impinge/internal/mesh/adjacency.js';
import { isClosed } from 'impinge/internal/mesh/closed.js';
import { Mesh } from 'impinge/internal/mesh/mesh.js';
import type { Meeting } from '../bodies/body-surfaces.js';
import type { BodyShape } from './contact-engine.js';
import { OWNS_EDGE } from './exact/layout.generated.js';
import { OwnedMemory } from './exact/owned-memory.js';
import { layOutShape } from './exact/shape-block.js';
import { distanceOf } from './exact/shape-distance.js';
import { type FlatFacets, flatFacets } from './flat-facets.js';
import { type ConvexRows, convexRows } from './shapes/convex-rows.js';

/** Folds that are this flat (the sine of the angle) count as edges from any side. */
const BLUNT = 1e-6;
/** Relative to the radius: more than float64 rounding does to the plane of a facet. */
const ROUNDING = 1e-12;

/**
 * The amount by which two surfaces may be nearer than their relevant features. None are inside of a facet. Facets are
 * within `flatness` of their planes, so over the planes of two, or of one and an edge, the distance is linear but for
 * twice the sum of that. Linear, it is least where the rim of one crosses that of the other, or at a corner; and planes
 * give the heights of corners as well.
 */
export function flatnessOf({ flatness: p }: ContactShape, { flatness: q }: ContactShape): number {
  return 3 * (p + q);
}

export interface RigidSurface {
  readonly name: string;
  /** At rest, on the float32 grid. */
  readonly positions: Float64Array;
  readonly indices: Uint32Array;
}

export class ContactShape implements BodyShape {
  readonly name: string;
  readonly mesh: Mesh;
  readonly box: BodyShape['box'];
  readonly centre: Vec3;
  /** Faces have an outer side. */
  readonly closed: boolean;
  readonly arm: number;
  /** No point is farther from the centre. */
  readonly radius: number;
  /** The surface is this far from the triangles, all around: a point is a ball, and a segment a capsule. */
  readonly round: number;
  readonly vertices: Float64Array;
  /** Three vertices per triangle, and the vertices and edges it owns. */
  readonly corners: Uint32Array;
  readonly owned: Uint8Array;
  /** The same of a triangle by itself: its vertices, and its edges that stick out. */
  readonly whole: Uint8Array;
  /** The plane of each triangle's facet; all zero where it has no area. */
  readonly planes: Float64Array;
  /** No corner is farther from the plane of its facet, and no gap between borders inside of one is wider. */
  readonly flatness: number;
  /** The plane of side i of triangle t (from corner i to the next) is at 4 (3 t + i) …, positive inside. */
  readonly sides: Float64Array;
  /** Faces in one plane that hang together have the same number (flat-facets.ts). */
  readonly facet: Uint32Array;
  /** The edge of each side, or `NO_EDGE`. */
  readonly edgeOf: Uint32Array;
  readonly edgeEnds: Uint32Array;
  readonly edgeInward: Float64Array;
  /** Whether the surface is bent outwards there, or ends. */
  readonly edgeSharp: Uint8Array;
  /** Unit vectors along the edges from vertex v: 3 · `spokeStart[v]` … 3 · `spokeStart[v + 1]`. */
  readonly spokeStart: Uint32Array;
  readonly spokes: Float64Array;
  /** Of a convex surface. */
  readonly convex: ConvexRows | undefined;
  readonly #memory = new OwnedMemory();
  #block = 0;

  /** `closed`: of the whole that the triangles are a part of, where known. */
  constructor({ name, positions, indices }: RigidSurface, centre: Vec3, closed?: boolean, round = 0) {
    const mesh = (this.mesh = Mesh.from({ positions, indices, name }));
    this.round = round;
    this.box = boxBeyond(mesh.box, round);
    this.name = name;
    this.centre = centre;
    this.closed = closed ?? isClosed(mesh);
    const adjacency = adjacencyOf(mesh);
    const { weld, edgeOf, edgeStart, halfEdges } = adjacency;
    const x = (this.vertices = new Float64Array(positions.length));
    for (let i = 0; i < x.length; i += 3) for (let k = 0; k < 3; k++) x[i + k] = positions[i + k] - centre[k];
    this.corners = new Uint32Array(indices.length);
    for (let i = 0; i < indices.length; i++) this.corners[i] = weld[indices[i]];
    this.edgeOf = edgeOf;
    let radiusSq = 0;
    for (let v = 0; v < x.length; v += 3)
      radiusSq = Math.max(radiusSq, x[v] ** 2 + x[v + 1] ** 2 + x[v + 2] ** 2);
    this.arm = Math.sqrt(radiusSq) * (1 + 1e-12);
    this.radius = this.arm + round * (1 + 1e-12);
    const triangleCount = indices.length / 3;
    const edgeCount = edgeStart.length - 1;
    const largest = positions.reduce((most, coordinate) => Math.max(most, Math.abs(coordinate)), 0);
    const facets = flatFacets(x, this.corners, adjacency, largest);
    this.facet = facets.facet;
    this.planes = facets.planes;
    this.flatness = facets.flatness + ROUNDING * this.radius;
    this.sides = new Float64Array(12 * triangleCount);
    for (let t = 0; t < triangleCount; t++) this.#writeSides(t);
    this.edgeEnds = new Uint32Array(2 * edgeCount);
    this.edgeInward = new Float64Array(6 * edgeCount);
    this.edgeSharp = new Uint8Array(edgeCount);
    this.owned = new Uint8Array(triangleCount);
    this.whole = new Uint8Array(triangleCount);
    for (let e = 0; e < edgeCount; e++) {
      const halves = edgeStart[e + 1] - edgeStart[e];
      const first = halfEdges[edgeStart[e]];
      this.#writeEdge(e, halves, first, halves > 1 ? halfEdges[edgeStart[e] + 1] : first, facets);
    }
    const known = this.#insideFacets();
    // a point alone
    if (edgeCount === 0) known.fill(0);
    for (let i = 0; i < this.corners.length; i++) {
      if (known[this.corners[i]] === 0) this.owned[Math.floor(i / 3)] |= 1 << (i % 3);
      known[this.corners[i]] = 1;
    }
    for (let t = 0; t < triangleCount; t++) {
      this.whole[t] = OWNS_EDGE - 1;
      for (let i = 0; i < 3; i++) {
        const e = edgeOf[3 * t + i];
        if (e !== NO_EDGE && this.edgeSharp[e] === 1) this.whole[t] |= OWNS_EDGE << i;
      }
    }
    this.spokeStart = new Uint32Array(x.length / 3 + 1);
    for (let i = 0; i < this.edgeEnds.length; i++) this.spokeStart[this.edgeEnds[i] + 1]++;
    for (let v = 0; v < x.length / 3; v++) this.spokeStart[v + 1] += this.spokeStart[v];
    this.spokes = new Float64Array(6 * edgeCount);
    this.#writeSpokes();
    const isWhole = round === 0 && this.closed && (closed === undefined || isClosed(mesh));
    const fromOrigin = centre.map((at, k) => at - mesh.origin[k]);
    this.convex = isWhole ? convexRows(this, fromOrigin) : undefined;
  }

  /** Whether its surface is not that of its triangles. */
  get curved(): boolean {
    return this.round > 0;
  }

  /** Its address in the arena for kernels, laid out on first use. */
  get block(): number {
    if (this.#block === 0) this.#block = layOutShape(this, this.#memory);
    return this.#block;
  }

  /** Of round surfaces, which their triangles do not tell: whether they meet. */
  meetingWith(other: BodyShape, pose: Float64Array): Meeting | undefined {
    if (!(other instanceof ContactShape) || !(this.curved || other.curved)) return undefined;
    const meets = !(distanceOf({ a: this, b: other, pose }) > 0);
    const first = [this, other].map(({ name }) => ({ object: name, triangle: 0 }));
    return { count: meets ? 1 : 0, first: meets ? first : undefined };
  }

  dispose(): void {
    this.#memory.dispose();
    this.mesh.dispose();
  }

  #writeSides(t: number): void {
    const { vertices: x, corners, planes, sides } = this;
    const nx = planes[4 * t];
    const ny = planes[4 * t + 1];
    const nz = planes[4 * t + 2];
    if (nx === 0 && ny === 0 && nz === 0) return;
    for (let i = 0; i < 3; i++) {
      const p = 3 * corners[3 * t + i];
      const q = 3 * corners[i === 2 ? 3 * t : 3 * t + i + 1];
      const ex = x[q] - x[p];
      const ey = x[q + 1] - x[p + 1];
      const ez = x[q + 2] - x[p + 2];
      const mx = ny * ez - nz * ey;
      const my = nz * ex - nx * ez;
      const mz = nx * ey - ny * ex;
      const size = Math.sqrt(mx * mx + my * my + mz * mz);
      if (!(size > 0)) continue;
      const s = 4 * (3 * t + i);
      sides[s] = mx / size;
      sides[s + 1] = my / size;
      sides[s + 2] = mz / size;
      sides[s + 3] = sides[s] * x[p] + sides[s + 1] * x[p + 1] + sides[s + 2] * x[p + 2];
    }
  }

  /**
   * By vertex: 1 where all faces around it are of one facet. It is nearest to something only where its facet is
   * parallel to that, and then other features are as near: corners of the shape over the facet, or corners and edges of
   * its rim.
   */
  #insideFacets(): Uint8Array {
    const { corners, facet, edgeOf, edgeSharp } = this;
    const facetOf = new Int32Array(this.vertices.length / 3).fill(-1);
    const inside = new Uint8Array(this.vertices.length / 3).fill(1);
    for (let i = 0; i < corners.length; i++) {
      const v = corners[i];
      const f = facet[Math.floor(i / 3)];
      if (facetOf[v] >= 0 && facetOf[v] !== f) inside[v] = 0;
      facetOf[v] = f;
      // its rim, where it meets nothing or itself
      if (edgeOf[i] !== NO_EDGE && edgeSharp[edgeOf[i]] !== 0)
        inside[v] = inside[corners[i % 3 === 2 ? i - 2 : i + 1]] = 0;
    }
    return inside;
  }

  /** Of `halves` half-edges, the first two of which are named. */
  #writeEdge(e: number, halves: number, first: number, second: number, facets: FlatFacets): void {
    const { corners, planes, sides, owned, edgeEnds, edgeInward } = this;
    edgeEnds[2 * e] = corners[first];
    edgeEnds[2 * e + 1] = corners[first % 3 === 2 ? first - 2 : first + 1];
    for (let k = 0; k < 3; k++) {
      edgeInward[6 * e + k] = sides[4 * first + k];
      edgeInward[6 * e + 3 + k] = sides[4 * second + k];
    }
    const t = Math.floor(first / 3);
    const u = Math.floor(second / 3);
    // the distance of the neighbour below the plane of the first
    let bend = 0;
    let turn = 0;
    for (let k = 0; k < 3; k++) {
      bend -= planes[4 * t + k] * sides[4 * second + k];
      turn += planes[4 * t + k] * planes[4 * u + k];
    }
    // edges of three faces and more, of an open surface and of faces that disagree count from any side
    const bent = bend > 0 || (turn <= 0 && bend >= -BLUNT) || (!this.closed && bend < 0);
    const sharp =
      halves === 2
        ? // both ways along a segment
          t === u || (this.facet[t] !== this.facet[u] && bent)
        : halves > 2 || !facets.isInside(first);
    this.edgeSharp[e] = sharp ? 1 : 0;
    if (sharp) owned[t] |= OWNS_EDGE << (first % 3);
  }

  #writeSpokes(): void {
    const { vertices: x, edgeEnds, spokeStart, spokes } = this;
    const next = spokeStart.slice();
    for (let i = 0; i < edgeEnds.length; i++) {
      const v = 3 * edgeEnds[i];
      const w = 3 * edgeEnds[i ^ 1];
      const dx = x[w] - x[v];
      const dy = x[w + 1] - x[v + 1];
      const dz = x[w + 2] - x[v + 2];
      const length = Math.sqrt(dx * dx + dy * dy + dz * dz);
      const at = 3 * next[edgeEnds[i]]++;
      spokes[at] = dx / length;
      spokes[at + 1] = dy / length;
      spokes[at + 2] = dz / length;
    }
  }
}

/** A box, and all within a distance of it. */
function boxBeyond({ min, max }: BodyShape['box'], by: number): BodyShape['box'] {
  if (by === 0) return { min, max };
  const outer = (x: number, side: number) => x + side * (by + 1e-12 * (Math.abs(x) + by));
  const [x, y, z] = min.map((at) => outer(at, -1));
  const [u, v, w] = max.map((at) => outer(at, 1));
  return { min: [x, y, z], max: [u, v, w] };
}

export { NO_EDGE };
