/**
 * What a body must not touch: meshes and scenes, taken apart into placed meshes.
 *
 * The poses are those at the time of asking: objects that move later are not followed. Deformed meshes are.
 */
import { ImpingeError, type Mesh, type Scene, type SceneObject } from 'impinge';
import { IDENTITY, invertPose, posePoint, type RigidPose } from 'impinge/internal/math/pose.js';
import { isClosed } from 'impinge/internal/mesh/closed.js';
import { assertMesh } from 'impinge/internal/mesh/mesh.js';
import { componentEndsOf } from 'impinge/internal/query/solid/component-seeds.js';
import { hasParts } from 'impinge/internal/query/target.js';
import { writeWorldBox } from 'impinge/internal/scene/world-box.js';

/** Things that stand still: a mesh where it was modelled, a scene, or several of them. */
export type Obstacles = Mesh | Scene | readonly (Mesh | Scene)[];

/** An obstacle: a mesh and where it is. */
export class Obstacle {
  readonly mesh: Mesh;
  readonly pose: RigidPose;
  readonly inverse: RigidPose;
  /** What answers name: the mesh, or the object of the scene. */
  readonly source: Mesh | SceneObject;
  /** In the world, minimum and maximum. */
  readonly box: Float64Array = new Float64Array(6);
  /** Whether it bounds a solid: a body inside is not free. */
  readonly isSolid: boolean;
  /** In the world. */
  #ends = new Float64Array(0);
  #endsRevision = -1;

  constructor(mesh: Mesh, pose: RigidPose, source: Mesh | SceneObject) {
    this.mesh = mesh;
    this.pose = pose;
    this.inverse = invertPose(pose);
    this.source = source;
    this.isSolid = isClosed(mesh);
    writeWorldBox(mesh, pose, this.box, 0);
  }

  /** Whether a component may lie in a box: it does only with all of its ends, six points of each. */
  hasEndIn(boxes: Float64Array, at: number): boolean {
    const { mesh, pose } = this;
    if (this.#endsRevision !== mesh.revision) {
      this.#endsRevision = mesh.revision;
      this.#ends = componentEndsOf(mesh).slice();
      const [x, y, z] = mesh.origin;
      for (let i = 0; i < this.#ends.length; i += 3) {
        posePoint(pose, this.#ends[i] + x, this.#ends[i + 1] + y, this.#ends[i + 2] + z, this.#ends, i);
      }
    }
    const ends = this.#ends;
    for (let i = 0; i < ends.length; i += 18) {
      if (
        ends[i] >= boxes[at] &&
        ends[i] <= boxes[at + 3] &&
        ends[i + 1] >= boxes[at + 1] &&
        ends[i + 1] <= boxes[at + 4] &&
        ends[i + 2] >= boxes[at + 2] &&
        ends[i + 2] <= boxes[at + 5]
      )
        return true;
    }
    return false;
  }
}

/** Takes things apart that were given, or that were taken apart before. */
export function readObstacles(given: Obstacles | readonly Obstacle[]): Obstacle[] {
  const list: readonly (Mesh | Scene | Obstacle)[] = Array.isArray(given) ? given : [given];
  return list.flatMap((one) => {
    if (one instanceof Obstacle) return [one];
    if (!isScene(one)) {
      assertMesh(one);
      return [new Obstacle(one, IDENTITY as RigidPose, one)];
    }
    return one.objects().map((object) => new Obstacle(object.mesh, rigidPoseOf(object), object));
  });
}

function isScene(one: Mesh | Scene): one is Scene {
  return hasParts(one) && 'nearPairs' in one;
}

function rigidPoseOf(object: SceneObject): RigidPose {
  if ((object as SceneObject & { readonly stretch: { readonly rigid: boolean } }).stretch.rigid)
    return object.pose;
  throw new ImpingeError(
    'unsupported',
    `object ${object.id} is scaled: bake that into its mesh first: mesh.transformed(matrix)`,
    { object: object.id },
  );
}
