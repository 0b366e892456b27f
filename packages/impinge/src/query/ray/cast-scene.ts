/** A ray against the objects of a scene: those whose boxes it meets, the nearest first. */
import type { Scene, SceneObject } from '../../scene/scene.js';
import { Mode } from './cast.js';
import { castMesh, type RayHit } from './cast-mesh.js';
import { castStretched } from './cast-stretched.js';
import { entersBox } from './ray-box.js';
import { type Ray, type RayAsk, WORLD, writeOne } from './ray-input.js';

export interface SceneRayHit extends RayHit {
  readonly object: SceneObject;
}

export function isScene(target: unknown): target is Scene {
  return typeof target === 'object' && target !== null && 'nearPairs' in target;
}

/** All hits, or the first or any if there is one; at the same distance, objects are in the order of their slots. */
export function castScene(scene: Scene, ray: Ray, ask: RayAsk): SceneRayHit[] {
  const numbers = new Float64Array(8);
  writeOne(ray, ask, WORLD, numbers, 0);
  const met: { slot: number; enters: number }[] = [];
  for (let slot = 0; slot < scene.slotCount; slot++) {
    const object = scene.objectAt(slot);
    if (!object) continue;
    if (object.measured !== object.mesh.revision) object.move();
    const enters = entersBox(numbers, scene.boxes, 6 * slot);
    if (enters <= numbers[7]) met.push({ slot, enters });
  }
  met.sort((p, q) => p.enters - q.enters || p.slot - q.slot);
  const hits: (SceneRayHit & { slot: number })[] = [];
  let atMost = ask.atMost;
  for (const { slot, enters } of met) {
    if (enters > atMost) break;
    const object = scene.objectAt(slot)!;
    const { mesh, pose, stretch } = object;
    const found = stretch.rigid
      ? castMesh(mesh, ray, { ...ask, atMost }, pose)
      : castStretched(mesh, numbers, { ...ask, atMost: Math.min(atMost, numbers[7]) }, pose);
    for (const hit of found) {
      hits.push({ ...hit, object, slot });
      if (ask.mode === Mode.any) return hits;
      if (ask.mode === Mode.first) atMost = Math.min(atMost, hit.distance);
    }
  }
  hits.sort((p, q) => p.distance - q.distance || p.slot - q.slot || p.triangle - q.triangle);
  return hits.map(({ slot: _, ...hit }) => hit);
}
