/**
 * How two closed meshes lie as solids, and where a point lies. Inside is what an odd number of surfaces encloses.
 *
 * Idea: where the surfaces do not meet, one corner of each part tells. Where they do, two triangles that pass through
 * each other settle it; else they only touch, and everything that does not touch is judged part by part, the
 * touching triangles by corners, edge middles and centres.
 * Errs: points are judged exactly. Solids that meet without two triangles passing through each other are judged
 * by those samples: a touching triangle with a strip on another side than all seven of them would be misjudged.
 */
import { ImpingeError } from '../../base/errors.js';
import {
  IDENTITY,
  invertPose,
  type Pose,
  posePoint,
  type RigidPose,
  toRigidPose,
  type Vec3,
} from '../../math/pose.js';
import { adjacencyOf, componentsOf, labelComponents } from '../../mesh/adjacency.js';
import { assertClosed } from '../../mesh/closed.js';
import type { Mesh } from '../../mesh/mesh.js';
import { PairReader } from '../../mesh/pair-reader.js';
import { collide } from '../pair/collide.js';
import { type PoseOptions, type QueryStats, readPlacement, storedPose } from '../pair/context.js';
import { crossesProperly } from './crossing.js';
import { type PointLocation, PosedSurface } from './posed-surface.js';

/**
 * `crossing`: partly inside each other (or some parts of one inside the other and some not). `touching`: the surfaces
 * meet and the interiors do not. `equal`: the same solid.
 */
export type SolidRelation = 'disjoint' | 'touching' | 'crossing' | 'a-inside-b' | 'b-inside-a' | 'equal';

export interface ContainmentResult {
  readonly relation: SolidRelation;
  /** Whether the surfaces meet; a solid inside another may touch it from within. */
  readonly touching: boolean;
  readonly stats: QueryStats & { readonly pointTests: number };
}

/** Samples this close to the other surface, relative to the numbers involved, are taken to lie on it. */
const ON_SURFACE = 1e-13;
/** How far to step off a surface where two coincide, relative to the triangle's size. */
const STEP_ASIDE = 1e-5;
const CENTRE = 3;

/** Finds out how the solids bounded by a and b lie to each other. Both must be closed, else 'bad-input'. */
export function contains(a: Mesh, b: Mesh, options: PoseOptions = {}): ContainmentResult {
  assertClosed(a);
  assertClosed(b);
  const { bToA } = readPlacement(options);
  const pose = storedPose(a, b, bToA);
  let hits = collide(a, b, { ...options, mode: 'any' });
  const surfaceA = new PosedSurface(a, IDENTITY as RigidPose);
  const surfaceB = new PosedSurface(b, pose);
  const answer = (relation: SolidRelation): ContainmentResult => ({
    relation,
    touching: hits.colliding,
    stats: { ...hits.stats, pointTests: surfaceA.pointTests + surfaceB.pointTests },
  });
  const crosses = () => {
    const reader = new PairReader(a, b, pose);
    for (let i = 0; i < hits.pairs.length; i += 2) {
      if (crossesProperly(reader.read(hits.pairs[i], hits.pairs[i + 1]))) return true;
    }
    return false;
  };
  if (hits.colliding) {
    if (crosses()) return answer('crossing');
    hits = collide(a, b, { ...options, mode: 'all' });
    if (crosses()) return answer('crossing');
  }
  const found: Shares = { common: false, onlyA: false, onlyB: false };
  judgeSurface(surfaceB, surfaceA, hits.pairs, 1, found);
  judgeSurface(surfaceA, surfaceB, hits.pairs, 0, found);
  if (!found.common) return answer(hits.colliding ? 'touching' : 'disjoint');
  if (found.onlyA) return answer(found.onlyB ? 'crossing' : 'b-inside-a');
  return answer(found.onlyB ? 'a-inside-b' : 'equal');
}

/** Says where a point (in the world; `pose` is the mesh's) lies. The mesh must be closed, else 'bad-input'. Exact. */
export function pointInMesh(mesh: Mesh, point: Vec3, options: { readonly pose?: Pose } = {}): PointLocation {
  assertClosed(mesh);
  const p = Float64Array.from(point);
  if (p.length !== 3 || !p.every(Number.isFinite)) {
    throw new ImpingeError('non-finite', `pointInMesh: the point must be 3 finite numbers, got ${point}`);
  }
  if (options.pose !== undefined) posePoint(invertPose(toRigidPose(options.pose)), p[0], p[1], p[2], p, 0);
  for (let k = 0; k < 3; k++) p[k] -= mesh.origin[k];
  return new PosedSurface(mesh, IDENTITY as RigidPose).locate(p, 0);
}

export function markMeeting(pairs: Uint32Array, side: 0 | 1, triangleCount: number): Uint8Array {
  const marks = new Uint8Array(triangleCount);
  for (let i = side; i < pairs.length; i += 2) marks[pairs[i]] = 1;
  return marks;
}

/** Which kinds of space are known to exist: in both solids, in a only, in b only. */
interface Shares {
  common: boolean;
  onlyA: boolean;
  onlyB: boolean;
}

/**
 * Takes note of what one solid's surface tells. At a point of it inside the other solid, space in both and space in
 * the other only meet; outside, space in its own solid only begins. Where the surfaces coincide, a step to either
 * side of them tells.
 */
function judgeSurface(
  surface: PosedSurface,
  other: PosedSurface,
  pairs: Uint32Array,
  side: 0 | 1,
  found: Shares,
): void {
  const [own, others] = side === 0 ? (['onlyA', 'onlyB'] as const) : (['onlyB', 'onlyA'] as const);
  const settled = () => found.common && found.onlyA && found.onlyB;
  const note = (location: PointLocation) => {
    if (location === 'inside') found.common = found[others] = true;
    if (location === 'outside') found[own] = true;
  };
  const point = new Float64Array(3);
  const adjacency = adjacencyOf(surface.mesh);
  const meeting = markMeeting(pairs, side, surface.triangleCount);
  const parts = pairs.length === 0 ? componentsOf(adjacency) : labelComponents(adjacency, meeting);
  for (const triangle of parts.first) {
    if (settled()) return;
    surface.writeCorner(3 * triangle, point, 0);
    note(other.locate(point, 0));
  }
  if (pairs.length === 0) return;
  // what meets the other surface: corners first, they are exact
  const { indices } = surface.mesh;
  const judged = new Uint8Array(surface.mesh.vertexCount);
  for (let h = 0; h < indices.length && !settled(); h++) {
    const vertex = adjacency.weld[indices[h]];
    if (!meeting[Math.floor(h / 3)] || judged[vertex]) continue;
    judged[vertex] = 1;
    surface.writeCorner(h, point, 0);
    note(other.locate(point, 0));
  }
  const corners = new Float64Array(9);
  for (let t = 0; t < meeting.length && !settled(); t++) {
    if (!meeting[t]) continue;
    surface.writeTriangle(t, corners, 0);
    for (let sample = 0; sample < 4; sample++) {
      const scale = writeSample(corners, sample, point);
      if (other.closest(point, 0) > ON_SURFACE * scale) note(other.locate(point, 0));
      else if (sample === CENTRE) {
        for (const step of [STEP_ASIDE, -STEP_ASIDE]) {
          const aside = stepAside(corners, point, step);
          const inOwn = surface.locate(aside, 0) === 'inside';
          const inOther = other.locate(aside, 0) === 'inside';
          if (inOwn && inOther) found.common = true;
          else if (inOwn) found[own] = true;
          else if (inOther) found[others] = true;
        }
      }
    }
  }
}

/** A point beside the triangle, by a share of its size along its normal. */
function stepAside(t: Float64Array, from: Float64Array, share: number): Float64Array {
  const u = [0, 1, 2].map((k) => t[3 + k] - t[k]);
  const v = [0, 1, 2].map((k) => t[6 + k] - t[k]);
  const normal = [u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]];
  const area = Math.hypot(normal[0], normal[1], normal[2]);
  const scale = area > 0 ? share / Math.sqrt(area) : 0; // |normal| · scale = share · √area
  return from.map((x, k) => x + scale * normal[k]);
}

/** Writes the middle of edge 0 … 2, or the centre, and returns the size of the numbers involved. */
function writeSample(corners: Float64Array, sample: number, out: Float64Array): number {
  let scale = 0;
  for (let k = 0; k < 3; k++) {
    const [u, v, w] = [corners[k], corners[3 + k], corners[6 + k]];
    out[k] = sample === CENTRE ? (u + v + w) / 3 : 0.5 * ([u, v, w][sample] + [v, w, u][sample]);
    scale += Math.abs(u) + Math.abs(v) + Math.abs(w);
  }
  return scale;
}
