/**
 * Rays against the objects of a scene: what lies along a ray is found by the tree over their boxes, the nearest first,
 * and asked until what was met lies before the rest.
 */
import { arena } from '../../base/arena.js';
import type { RigidPose } from '../../math/pose.js';
import { NearestFirst } from '../../scene/nearest-first.js';
import type { Scene, SlotObject } from '../../scene/scene.js';
import { castAll, castFirst, compareHits, type Hit, readHit } from './cast.js';
import { castMesh, type RayHit } from './cast-mesh.js';
import { castStretched } from './cast-stretched.js';
import { type BriefHit, hitColumns, type RayHits } from './hit-columns.js';
import { Mode } from './layout.generated.js';
import { NO_TRIANGLE, RayBlock } from './ray-block.js';
import { entersBox } from './ray-box.js';
import {
  type Ray,
  type RayAsk,
  type RayFrame,
  type RayMode,
  type Rays,
  readRays,
  toLocal,
  WORLD,
  writeOne,
} from './ray-input.js';

/** All hits, or the first or any if there is one; at the same distance, objects are in the order of their slots. */
export function castScene(scene: Scene, ray: Ray, ask: RayAsk): RayHit<Scene>[] {
  const numbers = new Float64Array(8);
  writeOne(ray, ask, WORLD.local, WORLD.origin, numbers, 0);
  const hits = hitsAlong(new NearestFirst(scene), numbers, ask, (object, atMost) => {
    if (object.primitive) return castPrimitive(object, numbers, { ...ask, atMost });
    const { mesh, pose, stretch } = object;
    return stretch.rigid
      ? castMesh(mesh, ray, { ...ask, atMost }, pose)
      : castStretched(mesh, numbers, { ...ask, atMost }, pose);
  });
  return hits.map(({ object, hit }) => ({ ...hit, object }));
}

/** What a ray in the world meets of a primitive: its one triangle is 0, with the weight on its first corner. */
function castPrimitive({ primitive, pose }: SlotObject, ray: Float64Array, ask: RayAsk): RayHit[] {
  const { faces, atLeast, atMost } = ask;
  const met = primitive!.crossings(pose, ray).filter(({ distance, back }) => {
    return distance >= atLeast && distance <= atMost && (faces === 0 || (faces === 2) === back);
  });
  const hits = met.map((hit) => ({ ...hit, triangle: 0, barycentrics: [1, 0, 0] as const }));
  return ask.mode === Mode.all ? hits : hits.slice(0, 1);
}

/** The same for many rays. */
export function castSceneMany(scene: Scene, rays: Rays, ask: RayAsk): RayHits<Scene, RayMode> {
  const { count, write } = readRays(rays, ask);
  const walk = new NearestFirst(scene);
  const caster = new ObjectCaster(ask);
  const numbers = new Float64Array(8);
  const starts = new Uint32Array(count + 1);
  const found: (Met<BriefHit> | undefined)[] = [];
  try {
    for (let i = 0; i < count; i++) {
      write(i, WORLD, numbers, 0);
      caster.aim(numbers, (frame, out, at) => write(i, frame, out, at));
      const hits = hitsAlong(walk, numbers, ask, caster.cast);
      if (ask.mode === Mode.all) for (const hit of hits) found.push(hit);
      else found.push(hits[0]);
      starts[i + 1] = found.length;
    }
  } finally {
    caster.release();
  }
  const out = { ...hitColumns(found.map((met) => met?.hit)), objects: found.map((met) => met?.object) };
  return ask.mode === Mode.all ? { ...out, starts } : out;
}

/** An object, and how it was met. */
interface Met<One> {
  readonly object: SlotObject;
  readonly hit: One;
}

/** What a ray (eight numbers) meets, in order; `castOne` says what it meets of an object up to a distance. */
function hitsAlong<One extends { readonly distance: number; readonly triangle: number }>(
  walk: NearestFirst,
  ray: Float64Array,
  { mode, atMost }: RayAsk,
  castOne: (object: SlotObject, atMost: number) => readonly One[],
): Met<One>[] {
  const met: Met<One>[] = [];
  const enters = (boxes: Float64Array, at: number) => entersBox(ray, boxes, at);
  walk.visit(enters, Math.min(atMost, ray[7]), (object, limit) => {
    let most = limit;
    for (const hit of castOne(object, limit)) {
      met.push({ object, hit });
      if (mode === Mode.any) return -1;
      if (mode === Mode.first) most = Math.min(most, hit.distance);
    }
    return most;
  });
  return met.sort((p, q) => compareHits(p.hit, q.hit, p.object.slot - q.object.slot));
}

/** Many rays against one object after the other, without more than the numbers of each hit. */
class ObjectCaster {
  readonly #ask: RayAsk;
  readonly #local = new Map<SlotObject, RigidPose | undefined>();
  #block = RayBlock.take();
  #numbers: Float64Array = new Float64Array(0);
  #write: (frame: RayFrame, out: Float64Array, at: number) => void = () => {};

  constructor(ask: RayAsk) {
    this.#ask = ask;
  }

  /** Takes the next ray: its numbers in the world, and how to write them in other frames. */
  aim(numbers: Float64Array, write: (frame: RayFrame, out: Float64Array, at: number) => void): void {
    this.#numbers = numbers;
    this.#write = write;
  }

  readonly cast = (object: SlotObject, atMost: number): BriefHit[] => {
    const ask = this.#ask;
    if (object.primitive ?? !object.stretch.rigid) {
      const hits = object.primitive
        ? castPrimitive(object, this.#numbers, { ...ask, atMost })
        : castStretched(object.mesh, this.#numbers, { ...ask, atMost }, object.pose);
      return hits.map(({ distance, triangle, barycentrics: [, u, v] }) => ({ distance, triangle, u, v }));
    }
    const { mesh, pose } = object;
    let local = this.#local.get(object);
    if (!local) this.#local.set(object, (local = toLocal(pose)));
    const at = this.#block.rays >>> 3;
    const doubles = arena().f64();
    this.#write({ local, origin: mesh.origin }, doubles, at);
    doubles[at + 7] = Math.min(doubles[at + 7], atMost);
    const hits: Hit[] = [];
    if (ask.mode === Mode.all) {
      this.#block = castAll(mesh, this.#block, ask.faces, hits);
      return hits;
    }
    this.#block = castFirst(mesh, this.#block, 1, ask.mode, ask.faces);
    const hit = readHit(this.#block, 0);
    return hit.triangle === NO_TRIANGLE ? [] : [hit];
  };

  release(): void {
    this.#block.release();
  }
}
