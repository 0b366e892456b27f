/** What a mechanism moves among, as it is at one time: the objects of a scene, enclosed by convex solids. */
import { type Mesh, Scene, type SceneObject } from 'impinge';
import { IDENTITY, type RigidPose } from 'impinge/internal/math/pose.js';
import { ConvexSolid } from './convex-solid.js';
import { type Surface, solids } from './link-body.js';

export interface Obstacle {
  readonly name: string;
  readonly object: SceneObject;
  /** In the world; of a half-space, a point of its plane. */
  readonly solid: ConvexSolid;
  /** The outward normal of a half-space. */
  readonly normal: readonly number[] | undefined;
  /** As of a `LinkBody`. */
  readonly inner: ConvexSolid | undefined;
  readonly isExact: boolean;
  readonly surface: Surface | undefined;
}

/** What primitives say of themselves, as of `WorldShape`. */
interface Placed {
  placed(pose: RigidPose): {
    readonly form: string;
    readonly points?: Float64Array;
    readonly axis?: readonly number[];
    readonly radius?: number;
    readonly normal?: readonly number[];
    readonly offset?: number;
  };
}

/** So many boxes are looked at one by one. */
const FEW = 32;

export class ObstacleSet {
  readonly scene: Scene;
  #revision = -1;
  #all: Obstacle[] = [];
  #slots: number[] = [];
  /** By slot of the scene, the place in `all`. */
  #bySlot = new Int32Array(0);

  constructor(world: Mesh | Scene | undefined) {
    if (typeof world === 'object' && world !== null && 'nearPairs' in world) this.scene = world;
    else {
      this.scene = new Scene();
      if (world !== undefined) this.scene.add(world);
    }
  }

  /** Follows the scene; true where it has changed. */
  refresh(): boolean {
    const { revision } = this.scene;
    if (revision === this.#revision) return false;
    this.#revision = revision;
    this.#all = [];
    this.#slots = [];
    this.#bySlot = new Int32Array(this.scene.slotCount).fill(-1);
    for (let slot = 0; slot < this.scene.slotCount; slot++) {
      const object = this.scene.objectAt(slot);
      if (!object) continue;
      this.#bySlot[slot] = this.#slots.push(slot) - 1;
      this.#all.push(obstacleOf(object, object.stretch.rigid));
    }
    return true;
  }

  /** In the world, minimum and maximum. */
  boxOf(index: number): Float64Array {
    const slot = this.#slots[index];
    return this.scene.boxes.subarray(6 * slot, 6 * slot + 6);
  }

  get all(): readonly Obstacle[] {
    return this.#all;
  }

  /** Visits what comes within a distance of a point (twice three numbers), along every axis. */
  near(point: Float64Array, distance: number, visit: (index: number) => void): void {
    if (this.#all.length <= FEW) {
      const { boxes } = this.scene;
      const [x, y, z] = point;
      for (let slot = 0; slot < this.#bySlot.length; slot++) {
        if (this.#bySlot[slot] < 0) continue;
        const at = 6 * slot;
        if (boxes[at] - x > distance || boxes[at + 1] - y > distance || boxes[at + 2] - z > distance)
          continue;
        if (x - boxes[at + 3] > distance || y - boxes[at + 4] > distance || z - boxes[at + 5] > distance)
          continue;
        visit(this.#bySlot[slot]);
      }
      return;
    }
    this.scene.tree.forEachNear(point, 0, distance, (slot) => visit(this.#bySlot[slot]));
  }
}

function obstacleOf(object: SceneObject, isRigid: boolean): Obstacle {
  const { name, pose, primitive } = object;
  const plain = { name, object, normal: undefined, surface: undefined };
  const exactly = (solid: ConvexSolid) => ({ ...plain, solid, inner: solid, isExact: true });
  if (!primitive) {
    const { mesh } = object;
    const { solid, inner, isExact, isShut } = solids.of(mesh);
    const posed = solid.posed(pose);
    // surfaces are asked in rigid poses
    const surface = {
      mesh: isRigid ? mesh : mesh.transformed(pose),
      pose: isRigid ? pose : (IDENTITY as RigidPose),
    };
    const own = { solid: posed, surface: { ...surface, isClosed: isShut } };
    if (isExact) return { ...plain, ...own, inner: posed, isExact };
    return { ...plain, ...own, inner: isRigid ? inner?.posed(pose) : undefined, isExact };
  }
  const {
    form,
    points,
    axis,
    radius = 0,
    normal,
    offset = 0,
  } = (primitive as unknown as Placed).placed(pose);
  if (normal) {
    const length = Math.hypot(...normal);
    const unit = normal.map((x) => x / length);
    const onPlane = Float64Array.from(unit, (x) => (x * offset) / length);
    return { ...exactly(new ConvexSolid(onPlane, 0)), normal: unit };
  }
  if (points) return exactly(new ConvexSolid(points, 0));
  const ends = Float64Array.from(axis!);
  return exactly(form === 'cylinder' ? new ConvexSolid(ends, 0, radius) : new ConvexSolid(ends, radius));
}
