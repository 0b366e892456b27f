/**
 * How two closed meshes lie as solids, and where a point lies. Inside is what an odd number of surfaces encloses.
 *
 * Idea: where the surfaces do not meet, one corner of each part tells. Where they do, two triangles that pass through
 * each other settle it; else they only touch, and everything that does not touch is judged part by part, the
 * touching triangles by corners, edge middles and centres.
 * Errs: points are judged exactly. Solids that meet without two triangles passing through each other are judged
 * by those samples: a touching triangle with a strip on another side than all seven of them would be misjudged.
 */
import { ImpingeError } from '../base/errors.js';
import { IDENTITY, invertPose, type Pose, posePoint, type RigidPose, toRigidPose, type Vec3 } from '../math/pose.js';
import { adjacencyOf, labelComponents } from '../mesh/adjacency.js';
import { assertClosed } from '../mesh/closed.js';
import type { Mesh } from '../mesh/mesh.js';
import { collide } from './collide.js';
import { type PoseOptions, type QueryStats, readPlacement, storedPose } from './context.js';
import { crossesProperly } from './crossing.js';
import { PairReader } from './pair-reader.js';
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
  const partsB = judgeParts(surfaceB, surfaceA, markMeeting(hits.pairs, 1, b.triangleCount));
  if (partsB.inside && partsB.outside) return answer('crossing');
  const partsA = judgeParts(surfaceA, surfaceB, markMeeting(hits.pairs, 0, a.triangleCount));
  if ((partsA.inside && partsA.outside) || (partsA.inside && partsB.inside)) return answer('crossing');
  if (partsB.inside) return answer('b-inside-a');
  if (partsA.inside) return answer('a-inside-b');
  if (!hits.colliding) return answer('disjoint');
  return answer(partsA.outside || partsB.outside ? 'touching' : 'equal');
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

/** Whether some of a surface lies strictly inside, and strictly outside, the other solid. */
function judgeParts(surface: PosedSurface, other: PosedSurface, meeting: Uint8Array): { inside: boolean; outside: boolean } {
  const found = { inside: false, outside: false };
  const point = new Float64Array(3);
  const note = (location: PointLocation) => {
    if (location === 'inside') found.inside = true;
    if (location === 'outside') found.outside = true;
  };
  const adjacency = adjacencyOf(surface.mesh);
  for (const triangle of labelComponents(adjacency, meeting).first) {
    surface.writeCorner(3 * triangle, point, 0);
    note(other.locate(point, 0));
    if (found.inside && found.outside) return found;
  }
  // what meets the other surface: corners first, they are exact
  const { indices } = surface.mesh;
  const judged = new Uint8Array(surface.mesh.vertexCount);
  for (let h = 0; h < indices.length; h++) {
    const vertex = adjacency.weld[indices[h]];
    if (!meeting[Math.floor(h / 3)] || judged[vertex]) continue;
    judged[vertex] = 1;
    surface.writeCorner(h, point, 0);
    note(other.locate(point, 0));
    if (found.inside && found.outside) return found;
  }
  const corners = new Float64Array(9);
  for (let t = 0; t < meeting.length; t++) {
    if (!meeting[t]) continue;
    surface.writeTriangle(t, corners, 0);
    for (let sample = 0; sample < 4; sample++) {
      const scale = writeSample(corners, sample, point);
      if (other.closest(point, 0) > ON_SURFACE * scale) note(other.locate(point, 0));
    }
    if (found.inside && found.outside) return found;
  }
  return found;
}

/** Writes the middle of edge 0 … 2, or the centre, and returns the size of the numbers involved. */
function writeSample(corners: Float64Array, sample: number, out: Float64Array): number {
  let scale = 0;
  for (let k = 0; k < 3; k++) {
    const [u, v, w] = [corners[k], corners[3 + k], corners[6 + k]];
    out[k] = sample === 3 ? (u + v + w) / 3 : 0.5 * ([u, v, w][sample] + [v, w, u][sample]);
    scale += Math.abs(u) + Math.abs(v) + Math.abs(w);
  }
  return scale;
}
