/**
 * A scene that follows three.js objects: objects added to a root, removed, moved or deformed are updated in the scene
 * by the next `update()`. An object that has not changed costs one comparison of matrices.
 */
import {
  type BatchedMesh,
  type InstancedMesh,
  Matrix4,
  type Object3D,
  type SkinnedMesh,
  type Mesh as ThreeMesh,
} from 'three';
import { DISPOSE } from '../base/dispose.js';
import { ImpingeError } from '../base/errors.js';
import { readFunction, readKnown, shown } from '../base/options.js';
import type { Mesh } from '../mesh/mesh.js';
import { assertScene, type Scene, type SceneObject } from '../scene/scene.js';
import { instancesOf } from './batch.js';
import { meshOf } from './mesh-of.js';

/** The three.js object behind an object of the scene: its `userData`. */
export interface Followed {
  readonly object: ThreeMesh;
  /** Of an instanced mesh. */
  readonly instanceId?: number;
  /** Of a batched mesh. */
  readonly batchId?: number;
}

export interface FollowOptions {
  /** Which meshes are in the scene (default: all below the root, visible or not). */
  readonly filter?: (object: ThreeMesh) => boolean;
}

/** Numbers of scene objects that an update added, removed and moved; deformed ones count as moved. */
export interface FollowChanges {
  readonly added: number;
  readonly removed: number;
  readonly moved: number;
}

/** An object of the scene and where it was last. */
interface Link {
  readonly object: SceneObject;
  readonly mesh: Mesh;
  readonly matrix: Matrix4;
  revision: number;
}

/** One mesh of three.js. */
interface Links {
  readonly of: ThreeMesh;
  /** By instance. */
  readonly at: (Link | undefined)[];
  /** The update that last came upon it. */
  turn: number;
}

/**
 * Puts all meshes below a root into a scene, every instance as an object of its own, and keeps them there until it is
 * disposed of.
 */
export function follow(scene: Scene, root: Object3D, options: FollowOptions = {}): SceneLink {
  assertScene(scene);
  const { filter = () => true } = readKnown('follow', options, { filter: true });
  readFunction('filter', filter);
  if ((Object(root) as Partial<Object3D>).isObject3D !== true) {
    throw new ImpingeError('bad-input', `follow: an object of three.js is needed, got ${shown(root)}`);
  }
  const link = new SceneLink(scene, root, filter);
  link.update();
  return link;
}

export class SceneLink implements Disposable {
  readonly scene: Scene;
  readonly root: Object3D;
  readonly #filter: (object: ThreeMesh) => boolean;
  readonly #links = new Map<ThreeMesh, Links>();
  /** As the last update came upon them: the next one mostly finds the same, without looking them up. */
  readonly #order: Links[] = [];
  #turn = 0;
  #changes = { added: 0, removed: 0, moved: 0 };
  readonly #world = new Matrix4();

  /** As `follow` does. */
  constructor(scene: Scene, root: Object3D, filter: (object: ThreeMesh) => boolean) {
    this.scene = scene;
    this.root = root;
    this.#filter = filter;
  }

  /** Call once a frame: updates the matrices below the root, and the scene accordingly. */
  update(): FollowChanges {
    this.#changes = { added: 0, removed: 0, moved: 0 };
    this.root.updateWorldMatrix(true, false);
    const turn = ++this.#turn;
    const skinned: Links[] = [];
    let found = 0;
    this.root.traverse((object) => {
      // one by one, while they are at hand
      if (object !== this.root) object.updateWorldMatrix(false, false);
      const mesh = object as ThreeMesh;
      if (!mesh.isMesh || !this.#filter(mesh)) return;
      const links = this.#order[found]?.of === mesh ? this.#order[found] : this.#linksOf(mesh);
      links.turn = turn;
      this.#order[found++] = links;
      if ((mesh as Partial<SkinnedMesh>).isSkinnedMesh) skinned.push(links);
      else this.#visit(mesh, links);
    });
    // their bones may come after them
    for (const links of skinned) this.#visit(links.of, links);
    this.#order.length = found;
    if (found < this.#links.size) {
      for (const links of this.#links.values()) if (links.turn !== turn) this.#removeAll(links);
    }
    return this.#changes;
  }

  /** The object of the scene that stands for a mesh, or for one of its instances; undefined where there is none. */
  objectOf(object: ThreeMesh, id = 0): SceneObject | undefined {
    return this.#links.get(object)?.at[id]?.object;
  }

  /** Takes all its objects out of the scene. */
  dispose(): void {
    for (const links of this.#links.values()) this.#removeAll(links);
    this.#order.length = 0;
  }
  [DISPOSE](): void {
    this.dispose();
  }

  #linksOf(of: ThreeMesh): Links {
    const links = this.#links.get(of) ?? { of, at: [], turn: 0 };
    this.#links.set(of, links);
    return links;
  }

  #visit(object: ThreeMesh, links: Links): void {
    const world = this.#world;
    if ((object as Partial<BatchedMesh>).isBatchedMesh) {
      const batch = object as BatchedMesh;
      const there = new Set<number>();
      for (const { id: batchId, geometryId } of instancesOf(batch)) {
        there.add(batchId);
        world.multiplyMatrices(batch.matrixWorld, batch.getMatrixAt(batchId, new Matrix4()));
        this.#put(links, batchId, world, () => ({ object, batchId }), meshOf(batch, geometryId));
      }
      for (const id of links.at.keys()) if (!there.has(id)) this.#remove(links, id);
      return;
    }
    const mesh = object.geometry && meshIfAny(object);
    if (!(object as Partial<InstancedMesh>).isInstancedMesh) {
      this.#put(links, 0, object.matrixWorld, () => ({ object }), mesh);
      return;
    }
    const instanced = object as InstancedMesh;
    for (let instanceId = 0; instanceId < instanced.count; instanceId++) {
      instanced.getMatrixAt(instanceId, world);
      world.premultiply(object.matrixWorld);
      this.#put(links, instanceId, world, () => ({ object, instanceId }), mesh);
    }
    for (let id = instanced.count; id < links.at.length; id++) this.#remove(links, id);
    links.at.length = instanced.count;
  }

  /** Places one scene object at its world matrix, or removes it where the matrix flattens it to nothing. */
  #put(links: Links, id: number, world: Matrix4, userData: () => Followed, mesh: Mesh | undefined): void {
    const link = links.at[id];
    if (link && link.mesh === mesh && link.revision === mesh.revision && link.matrix.equals(world)) return;
    const isFlat = world.determinant() === 0;
    if (link && (link.mesh !== mesh || isFlat)) this.#remove(links, id);
    if (mesh === undefined || isFlat) return;
    if (!links.at[id]) {
      const name = links.of.name || mesh.name;
      const object = this.scene.add(mesh, { pose: world.elements, name, userData: userData() });
      links.at[id] = { object, mesh, matrix: world.clone(), revision: mesh.revision };
      this.#changes.added++;
    } else if (link) {
      link.object.move(world.elements);
      link.matrix.copy(world);
      link.revision = mesh.revision;
      this.#changes.moved++;
    }
  }

  #remove(links: Links, id: number): void {
    const link = links.at[id];
    if (!link) return;
    link.object.remove();
    links.at[id] = undefined;
    this.#changes.removed++;
  }

  #removeAll(links: Links): void {
    for (const id of links.at.keys()) this.#remove(links, id);
    this.#links.delete(links.of);
  }
}

/** The mesh of an object, or undefined while its geometry has no triangles yet. */
function meshIfAny(object: ThreeMesh): Mesh | undefined {
  try {
    return meshOf(object);
  } catch (error) {
    if (error instanceof ImpingeError && error.code === 'empty-mesh') return undefined;
    throw error;
  }
}
