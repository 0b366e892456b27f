/**
 * Keeps the objects of a culler in step with those of a scene.
 *
 * Idea: a pass over all slots detects changes: a new id is a new object, a new pose array a move, a new revision of the
 * mesh a deformation. Nothing is allocated for unchanged objects.
 * Invariant: ids of the culler rise with the slots of the scene. Of two objects both then take the same one for the
 * first, whose numbers the other is posed into: so borderline pairs are decided on the same numbers. A slot that gets
 * an object while later ones are occupied causes these to be added again.
 */
import type { RigidPose } from 'impinge/internal/math/pose.js';
import type { Mesh } from 'impinge/internal/mesh/mesh.js';
import type { Scene, SceneObject } from 'impinge/internal/scene/scene.js';
import type { VisibilityCuller } from './culler.js';
import type { Changes } from './culling-engine.js';
import type { CulledObject } from './types.js';

interface Entry {
  readonly object: CulledObject;
  id: number;
  mesh: Mesh;
  pose: RigidPose;
  revision: number;
}

/** The scene objects of the culler's ids, rising. Immutable once made. */
export interface IdTable {
  readonly culled: Float64Array;
  readonly scene: readonly SceneObject[];
}

export class SceneMirror {
  readonly #scene: Scene;
  readonly #culler: VisibilityCuller;
  readonly #entries: (Entry | undefined)[] = [];
  #poses = new Float64Array(0);
  /** Everything must be numbered and placed again: a slot has a new object, or an error left it half done. */
  #relaid = false;
  #ids: IdTable = { culled: new Float64Array(0), scene: [] };

  constructor(scene: Scene, culler: VisibilityCuller) {
    this.#scene = scene;
    this.#culler = culler;
  }

  /** As of the last look. */
  get ids(): IdTable {
    return this.#ids;
  }

  /** Brings the culler up to date. */
  follow(): Changes {
    const changes = { movedObjects: 0, deformedTriangles: 0 };
    this.#takeOut();
    const relaid = this.#relaid;
    this.#relaid = true;
    if (relaid) this.#putIn(changes);
    if (this.#trace(changes, relaid)) this.#culler.moveAll(this.#poses);
    this.#relaid = false;
    return changes;
  }

  /** Drops removed objects, and all after a slot to be filled. */
  #takeOut(): void {
    const entries = this.#entries;
    let filling = false;
    for (let slot = 0; slot < this.#scene.slotCount; slot++) {
      const entry = entries[slot];
      const now = this.#scene.objectAt(slot);
      if (!entry) {
        if (now) filling = true;
      } else if (!now || filling) {
        this.#relaid = true;
        entry.object.remove();
        entries[slot] = undefined;
      } else if (now.id !== entry.id) this.#relaid = true;
    }
    if (filling) this.#relaid = true;
  }

  /** Adds objects without an entry, gives reused slots their new object, and numbers all of them. */
  #putIn(changes: { deformedTriangles: number }): void {
    const scene = this.#scene;
    const entries = this.#entries;
    const culled = new Float64Array(scene.size);
    const objects: SceneObject[] = [];
    let row = 0;
    for (let slot = 0; slot < scene.slotCount; slot++) {
      const now = scene.objectAt(slot);
      if (!now) {
        entries[slot] = undefined;
        continue;
      }
      const { id, mesh, pose } = now;
      let entry = entries[slot];
      if (!entry) {
        entry = { object: this.#culler.add(mesh), id, mesh, pose, revision: mesh.revision };
        entries[slot] = entry;
        changes.deformedTriangles += mesh.triangleCount;
      } else if (entry.mesh !== mesh) {
        entry.object.replace(mesh);
        entry.mesh = mesh;
        entry.revision = mesh.revision;
        changes.deformedTriangles += mesh.triangleCount;
      }
      entry.id = id;
      culled[row++] = entry.object.id;
      objects.push(now);
    }
    this.#ids = { culled, scene: objects };
    this.#poses = new Float64Array(12 * row);
  }

  /** Records poses and revisions; returns whether any pose is new. */
  #trace(changes: { movedObjects: number; deformedTriangles: number }, relaid: boolean): boolean {
    const entries = this.#entries;
    const poses = this.#poses;
    let row = 0;
    for (let slot = 0; slot < entries.length; slot++) {
      const entry = entries[slot];
      const object = this.#scene.objectAt(slot);
      if (!entry || !object) continue;
      const { pose } = object;
      if (entry.pose !== pose) {
        entry.pose = pose;
        changes.movedObjects++;
        copyPose(pose, poses, row);
      } else if (relaid) copyPose(pose, poses, row);
      const { revision } = entry.mesh;
      if (entry.revision !== revision) {
        entry.revision = revision;
        changes.deformedTriangles += entry.mesh.triangleCount;
      }
      row += 12;
    }
    return relaid || changes.movedObjects > 0;
  }
}

/** Faster than `set` for this few numbers. */
function copyPose(from: RigidPose, to: Float64Array, at: number): void {
  for (let k = 0; k < 12; k++) to[at + k] = from[k];
}
