/**
 * `collideAll` with a culler: the same answer, by the culler or by trees on the CPU, whichever is the faster.
 *
 * Only which pairs come where `limit` or `any` leaves some out may differ: the culler finds all and gives the first.
 */
import { DISPOSE } from 'impinge/internal/base/dispose.js';
import { ImpingeError } from 'impinge/internal/base/errors.js';
import { readBag } from 'impinge/internal/base/options.js';
import {
  asResult,
  type CollideAllOptions,
  type CollideAllResult,
  collideAll,
  type ObjectPair,
  readAsked,
} from 'impinge/internal/query/scene/collide-all.js';
import { assertScene, type Scene, type SceneObject } from 'impinge/internal/scene/scene.js';
import { VisibilityCuller } from './culler.js';
import { type Engine, type EngineChoice, EngineRule } from './culling-engine.js';
import { type IdTable, SceneMirror } from './scene-mirror.js';
import type { CulledPairs, CullerOptions, CullingDevice, CullingStats } from './types.js';

export interface SceneCullerOptions extends CullerOptions {
  /** Default `auto`: the engine expected to be faster, given the changes since the previous query. */
  readonly engine?: EngineChoice;
}

export interface SceneCullerResult extends CollideAllResult {
  /** The engine that answered. */
  readonly engine: Engine;
  /** If it was the culler. */
  readonly culling?: CullingStats;
}

export class SceneCuller {
  readonly scene: Scene;
  readonly #culler: VisibilityCuller;
  readonly #mirror: SceneMirror;
  readonly #rule: EngineRule;
  #busy = false;

  /** Devices as for `VisibilityCuller`. The scene stays the caller's, and is moved as before. */
  constructor(
    scene: Scene,
    devices: CullingDevice | readonly CullingDevice[],
    settings: SceneCullerOptions = {},
  ) {
    const { engine = 'auto', ...options } = readBag(settings);
    assertScene(scene);
    this.#rule = new EngineRule(engine, 'scene', devices);
    this.scene = scene;
    this.#culler = new VisibilityCuller(devices, options);
    this.#mirror = new SceneMirror(scene, this.#culler);
  }

  /**
   * Finds all pairs of objects that meet, or come within `distance`, where they are when this is called. Meshes must
   * not deform until it has answered. One query at a time.
   */
  async collideAll(options: CollideAllOptions = {}): Promise<SceneCullerResult> {
    if (this.#busy) throw new ImpingeError('busy', 'a query about the scene is running');
    this.#busy = true;
    try {
      return await this.#answer(options);
    } finally {
      this.#busy = false;
    }
  }

  /** Frees the memory of the culler. The scene and its meshes stay. */
  dispose(): void {
    this.#culler.dispose();
  }

  [DISPOSE](): void {
    this.dispose();
  }

  async #answer(options: CollideAllOptions): Promise<SceneCullerResult> {
    const { limit, distance, filter } = readAsked('collideAll', options);
    const engine = this.#rule.choose(this.#culler.backend, this.#mirror.follow());
    if (engine === 'cpu') return { ...collideAll(this.scene, options), engine };
    const { ids } = this.#mirror;
    const found = await (distance === 0 ? this.#culler.collide() : this.#culler.within({ distance }));
    const groups = groupByObjects(found);
    const objectPairs: ObjectPair[] = [];
    for (const { a, b, pairs } of groups) {
      const [objectA, objectB] = [sceneObject(ids, a), sceneObject(ids, b)];
      if (filter && !filter(objectA, objectB)) continue;
      const complete = pairs.length <= 2 * limit;
      const kept = complete ? pairs : pairs.slice(0, 2 * limit);
      objectPairs.push({ a: objectA, b: objectB, count: kept.length / 2, pairs: kept, complete });
    }
    const { candidates, doubts } = found.stats;
    const stats = {
      volumeTests: 0,
      triangleTests: candidates,
      exactTests: candidates,
      adaptiveTests: doubts,
      candidates: groups.length,
    };
    return { ...asResult(objectPairs), stats, engine, culling: found.stats };
  }
}

interface Group {
  readonly a: number;
  readonly b: number;
  readonly pairs: Uint32Array;
}

/** Pairs of triangles by pairs of objects, in order. */
function groupByObjects({ count, objects, triangles }: CulledPairs): Group[] {
  const groups: Group[] = [];
  for (let from = 0; from < count; ) {
    const a = objects[2 * from];
    const sizes = new Map<number, number>(); // numbers of pairs by second object
    let to = from;
    for (; to < count && objects[2 * to] === a; to++) {
      const b = objects[2 * to + 1];
      sizes.set(b, (sizes.get(b) ?? 0) + 1);
    }
    const own = [...sizes]
      .sort(([b], [c]) => b - c)
      .map(([b, size]) => ({ a, b, pairs: new Uint32Array(2 * size), at: 0 }));
    const groupOf = new Map(own.map((group) => [group.b, group]));
    for (; from < to; from++) {
      const group = groupOf.get(objects[2 * from + 1])!;
      group.pairs[group.at++] = triangles[2 * from];
      group.pairs[group.at++] = triangles[2 * from + 1];
    }
    groups.push(...own);
  }
  return groups;
}

function sceneObject({ culled, scene }: IdTable, id: number): SceneObject {
  let low = 0;
  let high = culled.length - 1;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (culled[middle] < id) low = middle + 1;
    else high = middle;
  }
  return scene[low];
}
