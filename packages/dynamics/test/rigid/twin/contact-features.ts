/** Contacts of the features of pairs of triangles; what counts as one is said in kernels/contacts/features.ts. */
import type { ContactSet } from '../../../src/rigid/contact-set.js';
import type { ContactShape } from '../../../src/rigid/contact-shape.js';
import {
  CORNER,
  GAP,
  NORMAL,
  OWNS_EDGE,
  POINT_A,
  POINT_B,
} from '../../../src/rigid/exact/layout.generated.js';

/**
 * How far the way between closest points may lean from where it should be, as a sine: at edges, corners, over faces.
 */
const LEAN_EDGES = 0.15;
/** Of the bend at an edge: no more than that, either. */
const LEAN_OF_BEND = 0.25;
const LEAN_CORNERS = 1e-3;
const LEAN_FACES = 0.5;
/** Of the reach: a vertex so far beside a face is still over it. */
const BESIDE = 0.02;
/** Squared sine of the angle between edges below which they are parallel: then their ends are what counts. */
const PARALLEL_SQ = 1e-10;

/** Kinds of pairs of features, for ids. */
const VERTEX_A_FACE_B = 0;
const FACE_A_VERTEX_B = 1;
const EDGES = 2;
const VERTEX_A_EDGE_B = 3;
const EDGE_A_VERTEX_B = 4;
const VERTICES = 5;
const KINDS = 8;
const FEATURES = 2 ** 23;

/** Vertices of one shape in the frame of the other, as far as they are asked for. */
class MovedVertices {
  x = new Float64Array(0);
  #stamp = new Uint32Array(0);
  #query = 0;

  begin(count: number): void {
    if (this.#stamp.length < count) {
      this.#stamp = new Uint32Array(count);
      this.x = new Float64Array(3 * count);
      this.#query = 0;
    }
    if (++this.#query === 0xffffffff) {
      this.#stamp.fill(0);
      this.#query = 1;
    }
  }

  /** Makes vertex v known. */
  need(v: number, from: Float64Array, p: Float64Array, back: boolean): void {
    if (this.#stamp[v] === this.#query) return;
    this.#stamp[v] = this.#query;
    const { x: out } = this;
    let x = from[3 * v];
    let y = from[3 * v + 1];
    let z = from[3 * v + 2];
    if (back) {
      x -= p[9];
      y -= p[10];
      z -= p[11];
      out[3 * v] = p[0] * x + p[3] * y + p[6] * z;
      out[3 * v + 1] = p[1] * x + p[4] * y + p[7] * z;
      out[3 * v + 2] = p[2] * x + p[5] * y + p[8] * z;
    } else {
      out[3 * v] = p[0] * x + p[1] * y + p[2] * z + p[9];
      out[3 * v + 1] = p[3] * x + p[4] * y + p[5] * z + p[10];
      out[3 * v + 2] = p[6] * x + p[7] * y + p[8] * z + p[11];
    }
  }
}

export class ContactFeatures {
  readonly #ofA = new MovedVertices();
  readonly #ofB = new MovedVertices();
  #pose: Float64Array = new Float64Array(12);
  #reach = 0;
  #beside = 0;
  #nearestSq = 0;
  #whole = false;

  /**
   * For triangles of two shapes, b being where `pose` takes its frame in that of a. `whole`: where not all triangles
   * that are near will be added, features count for each triangle that has them, so that some come twice.
   */
  begin(a: ContactShape, b: ContactShape, pose: Float64Array, reach: number, whole = false): void {
    this.#pose = pose;
    this.#whole = whole;
    this.#reach = reach;
    this.#beside = BESIDE * reach;
    this.#nearestSq = reach * reach;
    this.#ofA.begin(a.vertices.length / 3);
    this.#ofB.begin(b.vertices.length / 3);
  }

  /** How near any features came since, those included that are no contact; the reach, if none was nearer. */
  get nearest(): number {
    return Math.sqrt(this.#nearestSq);
  }

  /** Adds contacts of two triangles. */
  add(a: ContactShape, b: ContactShape, ta: number, tb: number, out: ContactSet): void {
    const ownedA = this.#owned(a, ta);
    const ownedB = this.#owned(b, tb);
    if (ownedA === 0 && ownedB === 0) return;
    const pose = this.#pose;
    for (let i = 0; i < 3; i++) {
      this.#ofB.need(b.corners[3 * tb + i], b.vertices, pose, false);
      if ((ownedB >> i) & 1) this.#vertexFace(a, b, ta, b.corners[3 * tb + i], false, out);
    }
    for (let i = 0; i < 3; i++) {
      if (((ownedA >> i) & 1) === 0) continue;
      const v = a.corners[3 * ta + i];
      this.#ofA.need(v, a.vertices, pose, true);
      this.#vertexFace(b, a, tb, v, true, out);
    }
    if (ownedA < OWNS_EDGE || ownedB < OWNS_EDGE) return;
    for (let i = 0; i < 3; i++) {
      if ((ownedA & (OWNS_EDGE << i)) === 0) continue;
      for (let j = 0; j < 3; j++) {
        if ((ownedB & (OWNS_EDGE << j)) !== 0)
          this.#edgeEdge(a, b, a.edgeOf[3 * ta + i], b.edgeOf[3 * tb + j], out);
      }
    }
  }

  /** The vertices, and edges that stick out, which count for a triangle. */
  #owned({ owned, edgeOf, edgeSharp }: ContactShape, t: number): number {
    if (!this.#whole) return owned[t];
    let all = OWNS_EDGE - 1;
    for (let i = 0; i < 3; i++) if (edgeSharp[edgeOf[3 * t + i]] === 1) all |= OWNS_EDGE << i;
    return all;
  }

  /** A vertex of `of` against a face of `face`, whose frame is used; `swapped` where the vertex is a's. */
  #vertexFace(
    face: ContactShape,
    of: ContactShape,
    t: number,
    v: number,
    swapped: boolean,
    out: ContactSet,
  ): void {
    const moved = swapped ? this.#ofA.x : this.#ofB.x;
    const x = moved[3 * v];
    const y = moved[3 * v + 1];
    const z = moved[3 * v + 2];
    const { planes, sides } = face;
    const p = 4 * t;
    const height = planes[p] * x + planes[p + 1] * y + planes[p + 2] * z - planes[p + 3];
    if (!(Math.abs(height) <= this.#reach)) return;
    let outside = 0;
    let least = Infinity;
    for (let i = 0, s = 12 * t; i < 3; i++, s += 4) {
      const d = sides[s] * x + sides[s + 1] * y + sides[s + 2] * z - sides[s + 3];
      if (d < 0) outside |= 1 << i;
      least = Math.min(least, d);
    }
    if (least < -this.#reach) return;
    if (outside === 0) this.#nearestSq = Math.min(this.#nearestSq, height * height);
    else if (least < -this.#beside) {
      this.#vertexBorder(face, of, t, v, outside, swapped, out);
      return;
    } else this.#borderDistance(face, t, outside, x, y, z);
    if (height <= 0 && face.closed) return;
    const sign = height < 0 ? -1 : 1;
    const nx = sign * planes[p];
    const ny = sign * planes[p + 1];
    const nz = sign * planes[p + 2];
    if (!this.#leadsAway(of, v, nx, ny, nz, swapped, LEAN_FACES)) return;
    const facet = face.facet[t];
    const id = swapped ? idOf(VERTEX_A_FACE_B, v, facet) : idOf(FACE_A_VERTEX_B, facet, v);
    const along = sign * height;
    this.#enter(out, id, of, v, x - along * nx, y - along * ny, z - along * nz, nx, ny, nz, along, swapped);
  }

  /** A vertex that is nearest to the border of a face. */
  #vertexBorder(
    face: ContactShape,
    of: ContactShape,
    t: number,
    v: number,
    outside: number,
    swapped: boolean,
    out: ContactSet,
  ): void {
    const moved = swapped ? this.#ofA.x : this.#ofB.x;
    const x = moved[3 * v];
    const y = moved[3 * v + 1];
    const z = moved[3 * v + 2];
    const side = this.#borderDistance(face, t, outside, x, y, z);
    const { edgeInward, edgeOf, corners } = face;
    const owned = this.#owned(face, t);
    const [cx, cy, cz] = this.#closest;
    const gap = Math.hypot(x - cx, y - cy, z - cz);
    if (!(gap <= this.#reach) || gap === 0) return;
    const nx = (x - cx) / gap;
    const ny = (y - cy) / gap;
    const nz = (z - cz) / gap;
    let id: number;
    if (this.#at > 0 && this.#at < 1) {
      if ((owned & (OWNS_EDGE << side)) === 0) return;
      const e = edgeOf[3 * t + side];
      for (let m = 6 * e; m < 6 * e + 6; m += 3) {
        if (nx * edgeInward[m] + ny * edgeInward[m + 1] + nz * edgeInward[m + 2] > LEAN_CORNERS) return;
      }
      id = swapped ? idOf(VERTEX_A_EDGE_B, v, e) : idOf(EDGE_A_VERTEX_B, e, v);
    } else {
      const corner = this.#at <= 0 ? side : (side + 1) % 3;
      const w = corners[3 * t + corner];
      if (((owned >> corner) & 1) === 0 || !this.#staysAway(face, w, nx, ny, nz)) return;
      id = swapped ? idOf(VERTICES, v, w) : idOf(VERTICES, w, v);
    }
    if (!this.#leadsAway(of, v, nx, ny, nz, swapped, LEAN_CORNERS)) return;
    this.#enter(out, id, of, v, cx, cy, cz, nx, ny, nz, gap, swapped);
  }

  readonly #closest = new Float64Array(3);
  #at = 0;

  /** The closest point of those sides that a point is outside of; returns the side, and takes note of the distance. */
  #borderDistance(face: ContactShape, t: number, outside: number, x: number, y: number, z: number): number {
    const { vertices, corners } = face;
    const closest = this.#closest;
    let bestSq = Infinity;
    let best = 0;
    for (let i = 0; i < 3; i++) {
      if (((outside >> i) & 1) === 0) continue;
      const p = 3 * corners[3 * t + i];
      const q = 3 * corners[3 * t + ((i + 1) % 3)];
      const ex = vertices[q] - vertices[p];
      const ey = vertices[q + 1] - vertices[p + 1];
      const ez = vertices[q + 2] - vertices[p + 2];
      const dx = x - vertices[p];
      const dy = y - vertices[p + 1];
      const dz = z - vertices[p + 2];
      const at = Math.min(1, Math.max(0, (dx * ex + dy * ey + dz * ez) / (ex * ex + ey * ey + ez * ez)));
      const rx = dx - at * ex;
      const ry = dy - at * ey;
      const rz = dz - at * ez;
      const sq = rx * rx + ry * ry + rz * rz;
      if (!(sq < bestSq)) continue;
      bestSq = sq;
      best = i;
      this.#at = at;
      closest[0] = x - rx;
      closest[1] = y - ry;
      closest[2] = z - rz;
    }
    this.#nearestSq = Math.min(this.#nearestSq, bestSq);
    return best;
  }

  #edgeEdge(a: ContactShape, b: ContactShape, ea: number, eb: number, out: ContactSet): void {
    const pose = this.#pose;
    const xa = a.vertices;
    const xb = this.#ofB.x;
    const p = 3 * a.edgeEnds[2 * ea];
    const p1 = 3 * a.edgeEnds[2 * ea + 1];
    const q = 3 * b.edgeEnds[2 * eb];
    const q1 = 3 * b.edgeEnds[2 * eb + 1];
    const ux = xa[p1] - xa[p];
    const uy = xa[p1 + 1] - xa[p + 1];
    const uz = xa[p1 + 2] - xa[p + 2];
    const vx = xb[q1] - xb[q];
    const vy = xb[q1 + 1] - xb[q + 1];
    const vz = xb[q1 + 2] - xb[q + 2];
    const wx = xa[p] - xb[q];
    const wy = xa[p + 1] - xb[q + 1];
    const wz = xa[p + 2] - xb[q + 2];
    const uu = ux * ux + uy * uy + uz * uz;
    const uv = ux * vx + uy * vy + uz * vz;
    const vv = vx * vx + vy * vy + vz * vz;
    const determinant = uu * vv - uv * uv;
    if (determinant <= PARALLEL_SQ * uu * vv) return;
    const uw = ux * wx + uy * wy + uz * wz;
    const vw = vx * wx + vy * wy + vz * wz;
    const s = (uv * vw - vv * uw) / determinant;
    const t = (uu * vw - uv * uw) / determinant;
    if (s < 0 || s > 1 || t < 0 || t > 1) return;
    const ax = xa[p] + s * ux;
    const ay = xa[p + 1] + s * uy;
    const az = xa[p + 2] + s * uz;
    const dx = xb[q] + t * vx - ax;
    const dy = xb[q + 1] + t * vy - ay;
    const dz = xb[q + 2] + t * vz - az;
    const sq = dx * dx + dy * dy + dz * dz;
    this.#nearestSq = Math.min(this.#nearestSq, sq);
    const gap = Math.sqrt(sq);
    if (!(gap <= this.#reach) || gap === 0) return;
    const nx = dx / gap;
    const ny = dy / gap;
    const nz = dz / gap;
    const bx = pose[0] * nx + pose[3] * ny + pose[6] * nz;
    const by = pose[1] * nx + pose[4] * ny + pose[7] * nz;
    const bz = pose[2] * nx + pose[5] * ny + pose[8] * nz;
    const [leanA, leanB] = [leanOf(a, ea), leanOf(b, eb)];
    for (let k = 0; k < 6; k += 3) {
      const m = a.edgeInward;
      const w = b.edgeInward;
      if (nx * m[6 * ea + k] + ny * m[6 * ea + k + 1] + nz * m[6 * ea + k + 2] > leanA) return;
      if (bx * w[6 * eb + k] + by * w[6 * eb + k + 1] + bz * w[6 * eb + k + 2] < -leanB) return;
    }
    const at = out.open(idOf(EDGES, ea, eb));
    const { data } = out;
    data[at + POINT_A] = ax;
    data[at + POINT_A + 1] = ay;
    data[at + POINT_A + 2] = az;
    const [e0, e1] = [3 * b.edgeEnds[2 * eb], 3 * b.edgeEnds[2 * eb + 1]];
    for (let k = 0; k < 3; k++)
      data[at + POINT_B + k] = (1 - t) * b.vertices[e0 + k] + t * b.vertices[e1 + k];
    data[at + NORMAL] = nx;
    data[at + NORMAL + 1] = ny;
    data[at + NORMAL + 2] = nz;
    data[at + GAP] = gap;
    data[at + CORNER] = 0;
  }

  /** Whether a direction in the frame of the other shape leads away from all edges of a vertex. */
  #leadsAway(
    of: ContactShape,
    v: number,
    nx: number,
    ny: number,
    nz: number,
    swapped: boolean,
    lean: number,
  ): boolean {
    const p = this.#pose;
    let x: number;
    let y: number;
    let z: number;
    if (swapped) {
      x = p[0] * nx + p[1] * ny + p[2] * nz;
      y = p[3] * nx + p[4] * ny + p[5] * nz;
      z = p[6] * nx + p[7] * ny + p[8] * nz;
    } else {
      x = p[0] * nx + p[3] * ny + p[6] * nz;
      y = p[1] * nx + p[4] * ny + p[7] * nz;
      z = p[2] * nx + p[5] * ny + p[8] * nz;
    }
    const { spokes, spokeStart } = of;
    for (let i = 3 * spokeStart[v]; i < 3 * spokeStart[v + 1]; i += 3) {
      if (x * spokes[i] + y * spokes[i + 1] + z * spokes[i + 2] < -lean) return false;
    }
    return true;
  }

  /** Whether all edges of a corner lead away from a direction in its own frame. */
  #staysAway({ spokes, spokeStart }: ContactShape, w: number, nx: number, ny: number, nz: number): boolean {
    for (let i = 3 * spokeStart[w]; i < 3 * spokeStart[w + 1]; i += 3) {
      if (nx * spokes[i] + ny * spokes[i + 1] + nz * spokes[i + 2] > LEAN_CORNERS) return false;
    }
    return true;
  }

  /** Enters a vertex against a point with a normal that leads to it, both in the frame of the other shape. */
  #enter(
    out: ContactSet,
    id: number,
    of: ContactShape,
    v: number,
    cx: number,
    cy: number,
    cz: number,
    nx: number,
    ny: number,
    nz: number,
    gap: number,
    swapped: boolean,
  ): void {
    const at = out.open(id);
    const { data } = out;
    const p = this.#pose;
    const own = at + (swapped ? POINT_A : POINT_B);
    const other = at + (swapped ? POINT_B : POINT_A);
    for (let k = 0; k < 3; k++) data[own + k] = of.vertices[3 * v + k];
    data[other] = cx;
    data[other + 1] = cy;
    data[other + 2] = cz;
    for (let k = 0; k < 3; k++) {
      data[at + NORMAL + k] = swapped
        ? -(p[3 * k] * nx + p[3 * k + 1] * ny + p[3 * k + 2] * nz)
        : [nx, ny, nz][k];
    }
    data[at + GAP] = gap;
    data[at + CORNER] = swapped ? -1 : 1;
  }
}

/** How far a normal may lean over the faces beside an edge. */
function leanOf({ edgeInward: m }: ContactShape, e: number): number {
  const turn = m[6 * e] * m[6 * e + 3] + m[6 * e + 1] * m[6 * e + 4] + m[6 * e + 2] * m[6 * e + 5];
  return Math.min(LEAN_EDGES, LEAN_OF_BEND * Math.sqrt(Math.max(0, 2 + 2 * turn)));
}

function idOf(kind: number, ofA: number, ofB: number): number {
  return kind + KINDS * ((ofA % FEATURES) + FEATURES * (ofB % FEATURES));
}
