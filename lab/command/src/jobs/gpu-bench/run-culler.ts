/**
 * Runs a scene through a culler, frame by frame: results and times. Updates and queries of the culler are timed
 * separately. The first answers, for which programs are compiled, do not count. The set of objects alone is measured in
 * a separate run.
 */
import {
  type CulledObject,
  type CulledPairs,
  type CullerOptions,
  type CullingDevice,
  VisibilityCuller,
} from '@impinge/gpu';
import type { FrameChange, MovingObject, MovingScene } from '@impinge/scenes/gpu';
import { Mesh } from 'impinge';
import { checkFrame } from './check-frame.js';

export interface CullerRun {
  readonly backend: string;
  readonly method: string;
  readonly resolution: number;
  readonly frames: readonly CulledFrame[];
  /** Frames compared with the CPU engine, and their errors. */
  readonly checked: number;
  readonly wrong: readonly string[];
}

export interface CulledFrame {
  readonly objects: number;
  readonly triangles: number;
  readonly pairs: number;
  readonly candidates: number;
  readonly doubts: number;
  /** Milliseconds. */
  readonly update: number;
  readonly query: number;
  readonly calls: number;
  readonly device: number | undefined;
  readonly wait: number;
  readonly exact: number;
}

export interface RunOptions {
  readonly frames: number;
  /** Interval in frames between comparisons with the CPU engine; 0 for none. */
  readonly checkEvery: number;
  readonly signal?: AbortSignal;
  readonly onFrame?: () => void;
}

/** Figures of the potentially colliding set alone, sampled every few frames. */
export interface SetFrame {
  readonly kept: number;
  readonly ms: number;
}

/** Warm-up queries: a number of them, or a number of milliseconds. */
const WARM_UP = 150;
const WARM_UP_MS = 1000;
/** Interval in frames between queries for the set of objects alone. */
const SET_EVERY = 5;

export async function runCuller(
  scene: MovingScene,
  device: CullingDevice,
  culling: CullerOptions,
  { frames, checkEvery, signal, onFrame }: RunOptions,
): Promise<CullerRun> {
  const followed = new CulledScene(scene, new VisibilityCuller(device, { ...culling, now }));
  const { culler } = followed;
  try {
    await warmUp(() => culler.collide(), signal);
    const found: CulledFrame[] = [];
    const wrong: string[] = [];
    let checked = 0;
    let last: CulledPairs | undefined;
    for (let frame = 1; frame <= frames; frame++) {
      signal?.throwIfAborted();
      const change = scene.step();
      const started = now();
      followed.update(change);
      const updated = now();
      last = await culler.collide();
      const answered = now();
      found.push({ ...figuresOf(last), update: updated - started, query: answered - updated });
      if (checkEvery > 0 && frame % checkEvery === 0) {
        checked++;
        const problem = checkFrame(scene, last, (id) => followed.culledId(id));
        if (problem !== undefined) wrong.push(`frame ${frame}: ${problem}`);
      }
      onFrame?.();
    }
    const { backend, method, resolution } = last!.stats;
    return { backend, method, resolution, frames: found, checked, wrong };
  } finally {
    followed.dispose();
  }
}

/** The same scene from its start, queried for the set of objects. */
export async function runSets(
  scene: MovingScene,
  device: CullingDevice,
  culling: CullerOptions,
  { frames, signal }: Pick<RunOptions, 'frames' | 'signal'>,
): Promise<SetFrame[]> {
  const followed = new CulledScene(scene, new VisibilityCuller(device, culling));
  const { culler } = followed;
  try {
    await warmUp(() => culler.potentiallyCollidingSet(), signal);
    const found: SetFrame[] = [];
    for (let frame = 1; frame <= frames; frame++) {
      signal?.throwIfAborted();
      followed.update(scene.step());
      if (frame % SET_EVERY !== 0 && frame !== frames) continue;
      const started = now();
      const { objects } = await culler.potentiallyCollidingSet();
      found.push({ kept: objects.length, ms: now() - started });
    }
    return found;
  } finally {
    followed.dispose();
  }
}

const now = () => performance.now();

async function warmUp(ask: () => Promise<unknown>, signal: AbortSignal | undefined): Promise<void> {
  const began = now();
  for (let i = 0; i < WARM_UP && now() - began < WARM_UP_MS; i++) {
    signal?.throwIfAborted();
    await ask();
  }
}

function figuresOf({ count, stats }: CulledPairs) {
  const { calls, device, wait, exact } = stats.ms!;
  const { objects, triangles, candidates, doubts } = stats;
  return { objects, triangles, pairs: count, candidates, doubts, calls, device, wait, exact };
}

/** Keeps a culler in sync with the scene. */
class CulledScene {
  readonly culler: VisibilityCuller;
  readonly #scene: MovingScene;
  readonly #objects = new Map<number, CulledObject>();
  /** Objects of one shape share a mesh. */
  readonly #meshes = new Map<Float32Array, { readonly mesh: Mesh; users: number }>();

  constructor(scene: MovingScene, culler: VisibilityCuller) {
    this.#scene = scene;
    this.culler = culler;
    for (const object of scene.objects) this.#add(object);
  }

  update({ added, removed, moved, deformed }: FrameChange): void {
    const { objects, poses } = this.#scene;
    for (const id of removed) this.#remove(id);
    if (added.length > 0) {
      const wanted = new Set(added);
      for (const object of objects) if (wanted.has(object.id)) this.#add(object);
    }
    if (deformed.length > 0) {
      const wanted = new Set(deformed);
      for (const { id, positions } of objects) {
        if (wanted.has(id)) this.#objects.get(id)?.deform(positions);
      }
    }
    if (moved.length > 0) this.culler.moveAll(poses);
  }

  culledId(id: number): number {
    return this.#objects.get(id)?.id ?? -1;
  }

  #add({ id, name, positions, indices, pose }: MovingObject): void {
    let shared = this.#meshes.get(positions);
    if (shared === undefined) {
      shared = { mesh: Mesh.from({ positions, indices, name }), users: 0 };
      this.#meshes.set(positions, shared);
    }
    shared.users++;
    const place = { rotation: pose.subarray(0, 9), translation: pose.subarray(9) };
    this.#objects.set(id, this.culler.add(shared.mesh, { pose: place }));
  }

  #remove(id: number): void {
    const object = this.#objects.get(id);
    if (!object) return;
    const { mesh } = object;
    object.remove();
    this.#objects.delete(id);
    for (const [positions, shared] of this.#meshes) {
      if (shared.mesh !== mesh || --shared.users > 0) continue;
      this.#meshes.delete(positions);
      mesh.dispose();
      break;
    }
  }

  dispose(): void {
    this.culler.dispose();
    for (const { mesh } of this.#meshes.values()) mesh.dispose();
  }
}
