/**
 * Lists of meeting pairs, whatever meshes they were found in: by parts, then by triangles.
 * Layout: part and triangle of a, part and triangle of b, `PAIR_STRIDE` numbers for each pair.
 */
import { posePoint, type RigidPose } from '../../math/pose.js';
import type { Mesh } from '../../mesh/mesh.js';
import { collide } from '../pair/collide.js';
import { asPose, type PlacedPair } from './placed-pair.js';
import type { Members, SharedPlanes } from './shared-planes.js';

export const PAIR_STRIDE = 4;

class PairList {
  count = 0;
  readonly #pair: PlacedPair;
  /** By pair of parts: triangle of a, times the triangles of b's part, plus triangle of b. */
  readonly #keys = new Map<number, number[]>();

  constructor(pair: PlacedPair) {
    this.#pair = pair;
    const { partPairs } = pair;
    for (let i = 0; i < partPairs.length; i += 2)
      this.#keys.set(this.#parts(partPairs[i], partPairs[i + 1]), []);
  }

  add(partA: number, triangleA: number, partB: number, triangleB: number): void {
    const keys = this.#keys.get(this.#parts(partA, partB));
    if (!keys) return; // parts that are known not to meet
    keys.push(triangleA * this.#pair.b.parts.meshes[partB].triangleCount + triangleB);
    this.count++;
  }

  /** Whether two parts may meet. */
  holds(partA: number, partB: number): boolean {
    return this.#keys.has(this.#parts(partA, partB));
  }

  sorted(): { readonly count: number; readonly pairs: Uint32Array } {
    const pairs = new Uint32Array(PAIR_STRIDE * this.count);
    const { meshes } = this.#pair.b.parts;
    let at = 0;
    for (const [parts, keys] of this.#keys) {
      const partB = parts % meshes.length;
      const { triangleCount } = meshes[partB];
      for (const key of Float64Array.from(keys).sort()) {
        pairs[at++] = Math.floor(parts / meshes.length);
        pairs[at++] = Math.floor(key / triangleCount);
        pairs[at++] = partB;
        pairs[at++] = key % triangleCount;
      }
    }
    return { count: this.count, pairs };
  }

  #parts(partA: number, partB: number): number {
    return partA * this.#pair.b.parts.meshes.length + partB;
  }
}

/** Some triangles of a side as a mesh: those in a plane, or of a part. */
interface Group {
  readonly mesh: Mesh;
  /** −1: none. */
  readonly plane: number;
  readonly part: number;
  /** Undefined: all triangles of the part. */
  readonly members: Members | undefined;
  /** In the common frame. */
  readonly box: Float64Array;
}

/** All meeting pairs but those of which both triangles are in one of the planes. */
export function listOutsidePlanes(
  pair: PlacedPair,
  planes: SharedPlanes | undefined,
): { readonly count: number; readonly pairs: Uint32Array } {
  const list = new PairList(pair);
  const pose = asPose(pair.bToA);
  const groups = ([0, 1] as const).map((side) => groupsOf(pair, planes, side));
  try {
    for (const a of groups[0]) {
      for (const b of groups[1]) {
        if (a.plane >= 0 ? a.plane === b.plane : b.plane < 0 && !list.holds(a.part, b.part)) continue;
        if (areApart(a.box, b.box, pair.slack)) continue;
        const { pairs } = collide(a.mesh, b.mesh, { pose });
        for (let i = 0; i < pairs.length; i += 2) {
          const [partA, triangleA] = memberOf(a, pairs[i]);
          const [partB, triangleB] = memberOf(b, pairs[i + 1]);
          list.add(partA, triangleA, partB, triangleB);
        }
      }
    }
  } finally {
    for (const { mesh, members } of groups.flat()) if (members) mesh.dispose();
  }
  return list.sorted();
}

function memberOf({ members, part }: Group, triangle: number): [number, number] {
  return members ? [members[2 * triangle], members[2 * triangle + 1]] : [part, triangle];
}

/** The faces in the planes, and of each part what is in none. */
function groupsOf(pair: PlacedPair, planes: SharedPlanes | undefined, side: 0 | 1): Group[] {
  const groups: Group[] = [];
  const add = (mesh: Mesh, plane: number, part: number, members: Members | undefined) => {
    groups.push({ mesh, plane, part, members, box: boxOf(mesh, side === 1 ? pair.pose : undefined) });
  };
  const { meshes } = (side === 0 ? pair.a : pair.b).parts;
  for (const part of new Set(pair.partPairs.filter((_, i) => i % 2 === side))) {
    const mesh = meshes[part];
    const rest: number[] = [];
    for (let t = 0; t < mesh.triangleCount; t++) {
      if (!planes || planes.planeOf(side, part, t) < 0) rest.push(part, t);
    }
    if (rest.length === 2 * mesh.triangleCount) add(mesh, -1, part, undefined);
    else if (rest.length > 0) {
      const members = Uint32Array.from(rest);
      add(planes!.soup(side, members), -1, part, members);
    }
  }
  for (let plane = 0; plane < (planes?.count ?? 0); plane++) {
    const members = planes!.members(plane, side);
    if (members.length > 0) add(planes!.soup(side, members), plane, -1, members);
  }
  return groups;
}

function boxOf({ positions }: Mesh, pose: RigidPose | undefined): Float64Array {
  const box = new Float64Array(6).fill(Infinity, 0, 3).fill(-Infinity, 3);
  const point = new Float64Array(3);
  for (let v = 0; v < positions.length; v += 3) {
    point.set(positions.subarray(v, v + 3));
    if (pose) posePoint(pose, point[0], point[1], point[2], point, 0);
    for (let k = 0; k < 3; k++) {
      box[k] = Math.min(box[k], point[k]);
      box[3 + k] = Math.max(box[3 + k], point[k]);
    }
  }
  return box;
}

/** Posed corners are the same numbers here and in queries; the slack is to spare. */
function areApart(a: Float64Array, b: Float64Array, slack: number): boolean {
  for (let k = 0; k < 3; k++) if (a[k] > b[3 + k] + slack || b[k] > a[3 + k] + slack) return true;
  return false;
}
