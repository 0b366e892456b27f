/**
 * Meshes with what their poses do to lengths baked in, for questions that know rigid motions only.
 *
 * Idea: a pose that stretches, shears or mirrors is a map of the mesh, then a rigid motion. The mapped mesh is kept
 * beside the mesh, so that an object that is scaled once and moves from then on is baked once: it serves every pose of
 * which nothing but a rigid motion is left. A few are kept of each mesh; vertices that move are followed.
 * Errs: mapped corners are stored as those of any mesh are, in float32 (mesh.ts).
 */
import { invertLinear, isMirror, type LinearPose, readLinearPose, stretchPart } from '../math/linear-map.js';
import { composePoses, determinant, type Pose, type RigidPose, rigidDeviation } from '../math/pose.js';
import { Mesh } from './mesh.js';

/** A mesh, rigidly posed, that lies where another does. */
export interface RigidlyPosed {
  readonly mesh: Mesh;
  readonly pose: RigidPose;
  /** What was baked in; undefined where nothing was. */
  readonly map?: LinearPose;
}

interface Baked {
  readonly mesh: Mesh;
  readonly map: LinearPose;
  readonly back: LinearPose;
  revision: number;
}

/** Of each mesh. */
const MOST_KEPT = 4;
/** Entries of RᵀR − I that are rounding. */
const ROUNDING = 1e-11;

const kept = /* @__PURE__ */ new WeakMap<Mesh, Baked[]>();

/** The mesh where a pose puts it; the mesh itself where that is rigid. */
export function rigidly(mesh: Mesh, pose: Pose): RigidlyPosed {
  const read = new Float64Array(12);
  if (readLinearPose(pose, read).rigid) return { mesh, pose: read };
  const all = kept.get(mesh) ?? [];
  kept.set(mesh, all);
  const at = all.findIndex(({ back }) => isRigid(composePoses(read, back)));
  const [baked] = at < 0 ? [bake(mesh, stretchPart(read))] : all.splice(at, 1);
  all.unshift(baked);
  all.length = Math.min(all.length, MOST_KEPT);
  if (baked.revision !== mesh.revision) {
    baked.mesh.setPositions(mesh.mapped(baked.map));
    baked.revision = mesh.revision;
  }
  return { mesh: baked.mesh, pose: composePoses(read, baked.back), map: baked.map };
}

function isRigid(rest: RigidPose): boolean {
  return rigidDeviation(rest) <= ROUNDING && determinant(rest) > 0;
}

/** Triangles keep their numbers, and face outwards where they did. */
function bake(mesh: Mesh, map: LinearPose): Baked {
  const { namedParts, name, revision } = mesh;
  const positions = mesh.mapped(map);
  const indices = mesh.storedIndices.slice();
  for (let i = 0; isMirror(map) && i < indices.length; i += 3)
    [indices[i + 1], indices[i + 2]] = [indices[i + 2], indices[i + 1]];
  return {
    mesh: Mesh.from({ positions, indices, namedParts, name }),
    map,
    back: invertLinear(map),
    revision,
  };
}
