/**
 * The same scene through the library's CPU engines: trees of every mesh, refitted (`collideAll`), and spatial hashing
 * (`Deformables`). Both follow every frame; only some frames are queried.
 */
import { Deformables, type Surface } from '@impinge/dynamics';
import type { FrameChange, MovingObject, MovingScene } from '@impinge/scenes/gpu';
import { collideAll, Mesh, Scene, type SceneObject } from 'impinge';

export interface EngineRun {
  readonly name: EngineName;
  /** Milliseconds of every query, and of the update before it. */
  readonly query: readonly number[];
  readonly update: readonly number[];
}

export type EngineName = 'collideAll' | 'Deformables';

export interface EngineOptions {
  readonly frames: number;
  /** Maximum number of queried frames. */
  readonly queries: number;
  readonly signal?: AbortSignal;
  readonly onFrame?: () => void;
}

interface Engine {
  update(scene: MovingScene, change: FrameChange): void;
  ask(): void;
  dispose(): void;
}

const ENGINES: Readonly<Record<EngineName, (scene: MovingScene) => Engine>> = {
  collideAll: (scene) => new TreeEngine(scene),
  Deformables: (scene) => new HashEngine(scene),
};

/** The first answers, which build and compile, do not count. */
const WARM_UP = 3;

export const ENGINE_NAMES = Object.keys(ENGINES) as EngineName[];

export async function runEngine(
  name: EngineName,
  scene: MovingScene,
  { frames, queries, signal, onFrame }: EngineOptions,
): Promise<EngineRun> {
  const every = Math.max(1, Math.floor(frames / queries));
  const engine = ENGINES[name](scene);
  const query: number[] = [];
  const update: number[] = [];
  try {
    for (let i = 0; i < WARM_UP; i++) engine.ask();
    for (let frame = 1; frame <= frames; frame++) {
      signal?.throwIfAborted();
      const change = scene.step();
      const started = performance.now();
      engine.update(scene, change);
      const updated = performance.now();
      if (frame % every === 0) {
        engine.ask();
        query.push(performance.now() - updated);
        update.push(updated - started);
      }
      onFrame?.();
      // yields to signals and progress
      await new Promise((resolve) => setImmediate(resolve));
    }
    return { name, query, update };
  } finally {
    engine.dispose();
  }
}

const placeOf = ({ pose }: MovingObject) => ({
  rotation: pose.subarray(0, 9),
  translation: pose.subarray(9),
});

class TreeEngine implements Engine {
  readonly #scene = new Scene();
  readonly #objects = new Map<number, SceneObject>();
  readonly #meshes = new Map<Float32Array, Mesh>();

  constructor(scene: MovingScene) {
    for (const object of scene.objects) this.#add(object);
  }

  #add(object: MovingObject): void {
    const { positions, indices } = object;
    const mesh = this.#meshes.get(positions) ?? Mesh.from({ positions, indices });
    this.#meshes.set(positions, mesh);
    this.#objects.set(object.id, this.#scene.add(mesh, { pose: placeOf(object) }));
  }

  update({ objects }: MovingScene, { added, removed, moved, deformed }: FrameChange): void {
    for (const id of removed) {
      this.#objects.get(id)?.remove();
      this.#objects.delete(id);
    }
    const [isNew, hasMoved, isDeformed] = [new Set(added), new Set(moved), new Set(deformed)];
    for (const object of objects) {
      if (isNew.has(object.id)) this.#add(object);
      const placed = this.#objects.get(object.id);
      if (!placed) continue;
      if (isDeformed.has(object.id)) placed.mesh.setPositions(object.positions);
      if (hasMoved.has(object.id) || isDeformed.has(object.id)) placed.move(placeOf(object));
    }
  }

  ask(): void {
    collideAll(this.#scene);
  }

  dispose(): void {
    for (const mesh of this.#meshes.values()) mesh.dispose();
  }
}

class HashEngine implements Engine {
  readonly #detector = new Deformables();
  readonly #surfaces = new Map<number, Surface>();

  constructor(scene: MovingScene) {
    for (const object of scene.objects) this.#add(object);
  }

  #add(object: MovingObject): void {
    const { id, indices } = object;
    this.#surfaces.set(id, this.#detector.add({ positions: inWorld(object), indices, self: false }));
  }

  update({ objects }: MovingScene, { added, removed, moved, deformed }: FrameChange): void {
    for (const id of removed) {
      this.#surfaces.get(id)?.remove();
      this.#surfaces.delete(id);
    }
    const [isNew, changes] = [new Set(added), new Set([...moved, ...deformed])];
    for (const object of objects) {
      if (isNew.has(object.id)) this.#add(object);
      else if (changes.has(object.id)) {
        const end = inWorld(object);
        this.#surfaces.get(object.id)?.setStep(end, end);
      }
    }
  }

  ask(): void {
    this.#detector.intersecting();
  }

  dispose(): void {
    this.#detector.dispose();
  }
}

function inWorld({ positions: p, pose }: MovingObject): Float64Array {
  const out = new Float64Array(p.length);
  for (let i = 0; i < p.length; i += 3) {
    for (let k = 0; k < 3; k++) {
      out[i + k] = pose[3 * k] * p[i] + pose[3 * k + 1] * p[i + 1] + pose[3 * k + 2] * p[i + 2] + pose[9 + k];
    }
  }
  return out;
}
