/**
 * What contacts need to know of triangles in memory, in their own frame: planes of faces, which edges stick out, which vertices are
 * neighbours. Many bodies may share one.
 *
 * Layout: coordinates are counted from `centre`, the centre of mass of a solid. Vertices at equal positions are one.
 * Edge e joins `edgeEnds[2 e]` and `edgeEnds[2 e + 1]`; `edgeInward[6 e …]` are two unit vectors at right angles to it
 * that lead into the faces beside it, twice the same at a border. Each vertex and each edge belongs to one triangle,
 * its owner: whoever asks owners only meets each of them once.
 * A plane is four numbers, unit normal and offset; a side of a face is the plane through an edge at right angles to it.
 */
import { UnionFind } from '../../base/union-find.js';
import type { Vec3 } from '../../math/pose.js';
import { adjacencyOf, NO_EDGE } from '../../mesh/adjacency.js';
import { isClosed } from '../../mesh/closed.js';
import { Mesh } from '../../mesh/mesh.js';
import type { Shape } from './contact-engine.js';
import { OwnedMemory } from './exact/owned-memory.js';
import { layOutShape } from './exact/shape-block.js';

/** Faces that bend by less (the sine of the angle) are one facet; edges that do are no edges for contacts. */
const FLAT = 1e-4;
export const BLUNT = 1e-6;

/** What an owner owns, by corner or edge i: 1 << i for vertices, 8 << i for edges that stick out. */
export const OWNS_EDGE = 8;

export interface RigidSurface {
  readonly name: string;
  /** At rest, on the float32 grid. */
  readonly positions: Float64Array;
  readonly indices: Uint32Array;
}

export class ContactShape implements Shape {
  readonly name: string;
  readonly mesh: Mesh;
  readonly box: Shape['box'];
  readonly centre: Vec3;
  /** Faces have an outer side. */
  readonly closed: boolean;
  /** No point is farther from the centre. */
  readonly radius: number;
  readonly vertices: Float64Array;
  /** Three vertices per triangle, and what it owns. */
  readonly corners: Uint32Array;
  readonly owned: Uint8Array;
  /** Of each triangle; all zero where it has no area. */
  readonly planes: Float64Array;
  /** Of side i of triangle t (from corner i to the next): 4 (3 t + i) …, positive inside. */
  readonly sides: Float64Array;
  /** Faces in one plane that hang together have the same number. */
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
  readonly #memory = new OwnedMemory();
  #block = 0;

  /** `closed`: where that is known of what the triangles are a part of. */
  constructor({ name, positions, indices }: RigidSurface, centre: Vec3, closed?: boolean) {
    const mesh = (this.mesh = Mesh.from({ positions, indices, name }));
    this.box = mesh.box;
    this.name = name;
    this.centre = centre;
    this.closed = closed ?? isClosed(mesh);
    const { weld, edgeOf, edgeStart, halfEdges } = adjacencyOf(mesh);
    this.vertices = positions.map((x, i) => x - centre[i % 3]);
    this.corners = indices.map((v) => weld[v]);
    this.edgeOf = edgeOf;
    let radiusSq = 0;
    const x = this.vertices;
    for (let v = 0; v < x.length; v += 3)
      radiusSq = Math.max(radiusSq, x[v] ** 2 + x[v + 1] ** 2 + x[v + 2] ** 2);
    this.radius = Math.sqrt(radiusSq) * (1 + 1e-12);
    const triangleCount = indices.length / 3;
    const edgeCount = edgeStart.length - 1;
    this.planes = new Float64Array(4 * triangleCount);
    this.sides = new Float64Array(12 * triangleCount);
    for (let t = 0; t < triangleCount; t++) this.#writePlanes(t);
    this.edgeEnds = new Uint32Array(2 * edgeCount);
    this.edgeInward = new Float64Array(6 * edgeCount);
    this.edgeSharp = new Uint8Array(edgeCount);
    this.owned = new Uint8Array(triangleCount);
    const facets = new UnionFind(triangleCount);
    for (let e = 0; e < edgeCount; e++)
      this.#writeEdge(e, halfEdges.subarray(edgeStart[e], edgeStart[e + 1]), facets);
    this.facet = Uint32Array.from({ length: triangleCount }, (_, t) => facets.find(t));
    const known = new Uint8Array(x.length / 3);
    for (let i = 0; i < this.corners.length; i++) {
      if (known[this.corners[i]]++ === 0) this.owned[Math.floor(i / 3)] |= 1 << (i % 3);
    }
    this.spokeStart = new Uint32Array(x.length / 3 + 1);
    for (const v of this.edgeEnds) this.spokeStart[v + 1]++;
    for (let v = 0; v < x.length / 3; v++) this.spokeStart[v + 1] += this.spokeStart[v];
    this.spokes = new Float64Array(6 * edgeCount);
    this.#writeSpokes();
  }

  /** Where kernels find it in the arena, laid out when it is first asked for. */
  get block(): number {
    if (this.#block === 0) this.#block = layOutShape(this, this.#memory);
    return this.#block;
  }

  dispose(): void {
    this.#memory.dispose();
    this.mesh.dispose();
  }

  #writePlanes(t: number): void {
    const { vertices: x, corners, planes, sides } = this;
    const [a, b, c] = [0, 1, 2].map((i) => 3 * corners[3 * t + i]);
    const [ux, uy, uz] = [x[b] - x[a], x[b + 1] - x[a + 1], x[b + 2] - x[a + 2]];
    const [vx, vy, vz] = [x[c] - x[a], x[c + 1] - x[a + 1], x[c + 2] - x[a + 2]];
    const n = [uy * vz - uz * vy, uz * vx - ux * vz, ux * vy - uy * vx];
    const length = Math.hypot(n[0], n[1], n[2]);
    if (!(length > 0)) return;
    for (let k = 0; k < 3; k++) n[k] /= length;
    planes.set(n, 4 * t);
    planes[4 * t + 3] = n[0] * x[a] + n[1] * x[a + 1] + n[2] * x[a + 2];
    for (let i = 0; i < 3; i++) {
      const p = 3 * corners[3 * t + i];
      const q = 3 * corners[3 * t + ((i + 1) % 3)];
      const [ex, ey, ez] = [x[q] - x[p], x[q + 1] - x[p + 1], x[q + 2] - x[p + 2]];
      const m = [n[1] * ez - n[2] * ey, n[2] * ex - n[0] * ez, n[0] * ey - n[1] * ex];
      const size = Math.hypot(m[0], m[1], m[2]);
      const s = 4 * (3 * t + i);
      for (let k = 0; k < 3; k++) sides[s + k] = m[k] / size;
      sides[s + 3] = sides[s] * x[p] + sides[s + 1] * x[p + 1] + sides[s + 2] * x[p + 2];
    }
  }

  #writeEdge(e: number, halves: Uint32Array, facets: UnionFind): void {
    const { corners, planes, sides, owned, edgeEnds, edgeInward } = this;
    const first = halves[0];
    edgeEnds[2 * e] = corners[first];
    edgeEnds[2 * e + 1] = corners[first % 3 === 2 ? first - 2 : first + 1];
    const second = halves.length > 1 ? halves[1] : first;
    for (let k = 0; k < 3; k++) {
      edgeInward[6 * e + k] = sides[4 * first + k];
      edgeInward[6 * e + 3 + k] = sides[4 * second + k];
    }
    const [t, u] = [Math.floor(first / 3), Math.floor(second / 3)];
    // how far the neighbour falls below the plane of the first
    let bend = 0;
    let turn = 0;
    for (let k = 0; k < 3; k++) {
      bend -= planes[4 * t + k] * sides[4 * second + k];
      turn += planes[4 * t + k] * planes[4 * u + k];
    }
    const straight = halves.length === 2 && turn > 0;
    if (straight && Math.abs(bend) <= FLAT) facets.union(t, u);
    // edges of three faces and more, of an open surface and of faces that disagree count from any side
    const sharp =
      halves.length !== 2 || bend > BLUNT || (turn <= 0 && bend >= -BLUNT) || (!this.closed && bend < -BLUNT);
    this.edgeSharp[e] = sharp ? 1 : 0;
    if (sharp) owned[t] |= OWNS_EDGE << (first % 3);
  }

  #writeSpokes(): void {
    const { vertices: x, edgeEnds, spokeStart, spokes } = this;
    const next = spokeStart.slice();
    for (let i = 0; i < edgeEnds.length; i++) {
      const [v, w] = [3 * edgeEnds[i], 3 * edgeEnds[i ^ 1]];
      const length = Math.hypot(x[w] - x[v], x[w + 1] - x[v + 1], x[w + 2] - x[v + 2]);
      const at = 3 * next[edgeEnds[i]]++;
      for (let k = 0; k < 3; k++) spokes[at + k] = (x[w + k] - x[v + k]) / length;
    }
  }
}

export { NO_EDGE };
