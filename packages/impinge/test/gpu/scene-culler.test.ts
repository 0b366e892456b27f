/** `collideAll` with a culler equals `collideAll` without, whatever happens to the scene. */
import { describe, expect, test } from 'vitest';
import { randomRotation, seededRandom } from '../../../../scenes/index.mjs';
import { arena } from '../../src/base/arena.js';
import type { CullingDevice } from '../../src/gpu/types.js';
import { SceneCuller, type SceneCullerOptions } from '../../src/gpu.js';
import type { Mesh } from '../../src/mesh/mesh.js';
import {
  type CollideAllOptions,
  type CollideAllResult,
  collideAll,
} from '../../src/query/scene/collide-all.js';
import { type EngineChoice, EngineRule } from '../../src/query/scene/culling-engine.js';
import { Scene, type SceneObject } from '../../src/scene/scene.js';
import { ball, cube, mesh, moved, sphere, torus } from '../query/solid/solids.js';
import { describeOnNodeGpu } from './devices.js';

const at = (x: number, y = 0, z = 0) => ({ translation: [x, y, z] });
const plain = ({ pairs: objects }: CollideAllResult) =>
  objects.map(({ a, b, pairs, ...rest }) => ({ ...rest, a: a.id, b: b.id, pairs: [...pairs] }));

/** A scene in which anything may happen from step to step. */
class Life {
  readonly scene = new Scene();
  readonly #random: () => number;
  readonly #shapes = [ball(0.6, 3), cube(0.8), mesh(torus(0.5, 0.2, 9, 6)), mesh(moved(sphere(0.4, 2), 1e4))];
  readonly #own: Mesh[] = [];
  readonly #ids: SceneObject[] = [];
  readonly #far = new Set<SceneObject>();

  constructor(seed: number, objects: number) {
    this.#random = seededRandom(seed);
    for (let i = 0; i < objects; i++) this.#arrive();
  }

  step(): void {
    for (let i = 0; i < 5; i++) {
      const id = this.#any();
      id.move(this.#pose(this.#far.has(id)));
    }
    for (const soft of this.#own) {
      if (this.#random() < 0.5) continue;
      const shift = 0.1 * this.#random();
      // scenes are not told: the culler notices
      soft.setPositions(soft.positions.map((x, i) => x + shift * Math.sin(7 * x + i)));
    }
    const departures = Math.floor(3 * this.#random());
    for (let i = 0; i < departures; i++) {
      const id = this.#any();
      this.#ids.splice(this.#ids.indexOf(id), 1);
      id.remove();
    }
    const arrivals = Math.floor(4 * this.#random());
    for (let i = 0; i < arrivals; i++) this.#arrive();
  }

  /** Tells the scene that meshes may have changed. */
  refresh(): void {
    for (const id of this.#ids) id.move();
  }

  end(): void {
    for (const shape of [...this.#shapes, ...this.#own]) shape.dispose();
  }

  #any(): SceneObject {
    return this.#ids[Math.floor(this.#ids.length * this.#random())];
  }

  #arrive(): void {
    const kind = Math.floor(5 * this.#random());
    let shape = this.#shapes[kind];
    if (!shape) {
      shape = cube(0.7);
      this.#own.push(shape);
    }
    const id = this.scene.add(shape, { pose: this.#pose(kind === 3) });
    if (kind === 3) this.#far.add(id);
    this.#ids.push(id);
  }

  /** Some on a grid, so that faces touch; shapes that lie far from their zero are brought back. */
  #pose(far: boolean) {
    const place = [0, 1, 2].map(() => 4 * this.#random());
    if (far) return at(place[0] - 1e4, place[1], place[2]);
    if (this.#random() < 0.4) return { translation: place.map((x) => 0.4 * Math.round(x / 0.4)) };
    return { translation: place, rotation: randomRotation(this.#random) };
  }
}

const QUERIES: CollideAllOptions[] = [
  { mode: 'all' },
  { distance: 0.05 },
  { mode: 'all', filter: (a, b) => (a.id + b.id) % 3 !== 0 },
  { distance: 0.3, filter: (a, b) => a.id < b.id },
  { distance: 0 },
];

/** Returns the number of pairs of objects that met. */
async function live(
  devices: CullingDevice,
  seed: number,
  steps: number,
  options: SceneCullerOptions,
  objects = 16,
) {
  const life = new Life(seed, objects);
  const culler = new SceneCuller(life.scene, devices, options);
  let met = 0;
  for (let step = 0; step < steps; step++) {
    const request = QUERIES[step % QUERIES.length];
    const found = await culler.collideAll(request);
    life.refresh();
    const expected = collideAll(life.scene, request);
    expect(plain(found), `step ${step}`).toEqual(plain(expected));
    met += expected.count;
    life.step();
  }
  culler.dispose();
  life.end();
  return met;
}

const loudly = { onFallback: (message: string) => expect.fail(message) };

describe('a scene with a culler', () => {
  test.each([1, 2, 3])('answers as collideAll does, through anything, seed %i', async (seed) => {
    expect(await live('cpu', seed, 40, { engine: 'culler', resolution: 64, ...loudly })).toBeGreaterThan(100);
    expect(await live('cpu', seed, 20, { engine: 'auto', ...loudly })).toBeGreaterThan(50);
    expect(await live('cpu', seed, 10, { engine: 'cpu', ...loudly })).toBeGreaterThan(20);
  });

  test('gives up to `limit` pairs, and says whether there are more', async () => {
    const life = new Life(4, 20);
    const culler = new SceneCuller(life.scene, 'cpu', { engine: 'culler' });
    const all = plain(await culler.collideAll());
    expect(all.some(({ count }) => count > 3)).toBe(true);
    const expectCut = (found: CollideAllResult, limit: number) =>
      expect(plain(found)).toEqual(
        all.map(({ a, b, pairs, count }) => ({
          a,
          b,
          pairs: pairs.slice(0, 2 * limit),
          count: Math.min(limit, count),
          complete: count <= limit,
        })),
      );
    expectCut(await culler.collideAll({ limit: 3 }), 3);
    expectCut(await culler.collideAll({ mode: 'any' }), 1);
    expectCut(await culler.collideAll({ mode: 'any', limit: 7 }), 1);
    // the same pairs of objects as by trees
    const names = ({ pairs }: CollideAllResult) => pairs.map(({ a, b }) => [a, b]);
    expect(names(await culler.collideAll())).toEqual(names(collideAll(life.scene)));
    culler.dispose();
    life.end();
  });

  test('keeps the order of slots where they are used anew', async () => {
    const scene = new Scene();
    const shape = cube(1);
    const ids = [0, 1, 2, 3].map((x) => scene.add(shape, { pose: at(x) }));
    const culler = new SceneCuller(scene, 'cpu', { engine: 'culler' });
    expect((await culler.collideAll()).pairs).toHaveLength(3);
    ids[1].remove();
    expect((await culler.collideAll()).pairs.map(({ a, b }) => [a, b])).toEqual([[ids[2], ids[3]]]);
    const again = scene.add(cube(1), { pose: at(1) });
    const found = await culler.collideAll();
    expect(found.pairs.map(({ a, b }) => [a, b])).toEqual([
      [ids[0], again],
      [again, ids[2]],
      [ids[2], ids[3]],
    ]);
    expect(plain(found)).toEqual(plain(collideAll(scene)));
    // gone and back between two queries
    ids[2].remove();
    const swapped = scene.add(ball(0.7, 2), { pose: at(2) });
    expect(plain(await culler.collideAll())).toEqual(plain(collideAll(scene)));
    expect(scene.objects()).toContain(swapped);
    culler.dispose();
  });

  test.each(['culler', 'cpu', 'auto'] as const)('notices a mesh that deformed, by %s', async (engine) => {
    const scene = new Scene();
    const soft = cube(1);
    scene.add(soft);
    scene.add(cube(1), { pose: at(3) });
    const culler = new SceneCuller(scene, 'cpu', { engine });
    expect((await culler.collideAll()).pairs).toHaveLength(0);
    soft.setPositions(soft.positions.map((x) => 6 * x));
    expect((await culler.collideAll()).pairs).toHaveLength(1);
    soft.setPositions(soft.positions.map((x) => x / 6));
    expect((await culler.collideAll()).pairs).toHaveLength(0);
    culler.dispose();
  });

  test('says who answered', async () => {
    const scene = new Scene();
    const shape = ball(1, 4);
    scene.add(shape);
    const other = scene.add(shape, { pose: at(0.5) });
    for (const engine of ['culler', 'cpu', 'auto'] as const) {
      const culler = new SceneCuller(scene, 'cpu', { engine, now: () => performance.now() });
      const found = await culler.collideAll();
      other.move(at(0.6));
      expect(found.engine).toBe(engine === 'culler' ? 'culler' : 'cpu');
      expect(found.culling?.backend).toBe(engine === 'culler' ? 'cpu' : undefined);
      expect(found.culling?.ms?.total).toEqual(engine === 'culler' ? expect.any(Number) : undefined);
      if (engine === 'culler') expect(found.stats.candidates).toBe(1);
      culler.dispose();
    }
  });

  test('refuses what makes no sense', async () => {
    const scene = new Scene();
    const shape = cube(1);
    scene.add(shape);
    scene.add(shape, { pose: at(0.5) });
    expect(() => new SceneCuller(scene, 'cpu', { engine: 'gpu' as 'cpu' })).toThrowError(
      /engine must be one of/,
    );
    expect(() => new SceneCuller(scene, 'cpu', { resolution: 0 })).toThrowError(/resolution/);
    const culler = new SceneCuller(scene, 'cpu', { engine: 'culler' });
    await expect(culler.collideAll({ distance: -1 })).rejects.toThrowError(/distance/);
    await expect(culler.collideAll({ limit: 0 })).rejects.toThrowError(/limit/);
    const refused = () => {
      throw new Error('a filter that throws');
    };
    await expect(culler.collideAll({ filter: refused })).rejects.toThrowError('a filter that throws');
    const first = culler.collideAll();
    await expect(culler.collideAll()).rejects.toThrowError(/under way/);
    // the scene may change meanwhile: asked is what was
    scene.add(shape, { pose: at(0.2) });
    expect((await first).pairs).toHaveLength(1);
    expect((await culler.collideAll()).pairs).toHaveLength(3);
    culler.dispose();
    await expect(culler.collideAll()).rejects.toThrowError(/disposed/);
  });

  test('goes on after an error', async () => {
    const scene = new Scene();
    const shape = cube(1);
    const [gone, lasting] = [cube(1), cube(1)];
    scene.add(shape);
    const culler = new SceneCuller(scene, 'cpu', { engine: 'culler' });
    expect((await culler.collideAll()).pairs).toEqual([]);
    const id = scene.add(gone, { pose: at(0.5) });
    gone.dispose();
    scene.add(lasting, { pose: at(0.5) });
    await expect(culler.collideAll()).rejects.toThrowError(/disposed/);
    id.remove();
    expect(plain(await culler.collideAll())).toEqual(plain(collideAll(scene)));
    culler.dispose();
  });

  test('leaves nothing behind', async () => {
    await live('cpu', 5, 10, { engine: 'culler' });
    const before = arena().usedBytes;
    for (let i = 0; i < 3; i++) await live('cpu', 6 + i, 10, { engine: 'culler' });
    expect(arena().usedBytes).toBe(before);
  });
});

describe('the choice of an engine', () => {
  const choose = (
    kind: 'webgpu' | 'webgl2' | 'cpu',
    movedObjects: number,
    deformedTriangles: number,
    choice: EngineChoice = 'auto',
    device: CullingDevice = 'cpu',
  ) => new EngineRule(choice, 'scene', device).choose(kind, { movedObjects, deformedTriangles });

  test('is the caller’s, if made', () => {
    for (const engine of ['culler', 'cpu'] as const) {
      for (const many of [0, 1e9]) expect(choose('webgpu', many, many, engine)).toBe(engine);
    }
  });
  test('is for trees where nothing changes, and for the culler where it was faster', () => {
    for (const kind of ['webgpu', 'webgl2', 'cpu'] as const) expect(choose(kind, 0, 0)).toBe('cpu');
    expect(choose('webgpu', 0, 1e6)).toBe('culler');
    expect(choose('webgpu', 1e5, 0)).toBe('culler');
    expect(choose('webgpu', 10, 100)).toBe('cpu');
    expect(choose('cpu', 1e5, 0)).toBe('cpu');
    expect(choose('cpu', 0, 1e6)).toBe('culler');
    expect(choose('webgl2', 1e5, 1e6)).toBe('cpu');
  });
  test('is never for a GPU in software', () => {
    const device = { createComputePipeline: () => {}, adapterInfo: { isFallbackAdapter: true } };
    expect(choose('webgpu', 1e5, 1e6, 'auto', device as unknown as GPUDevice)).toBe('cpu');
    expect(choose('webgpu', 1e5, 1e6, 'culler', device as unknown as GPUDevice)).toBe('culler');
  });
});

await describeOnNodeGpu('a scene with a culler on WebGPU', (open) => {
  test('answers as collideAll does, seed 9', async () => {
    const device = await open();
    const options = { engine: 'culler', resolution: 32, levels: ['boxes'], ...loudly } as const;
    expect(await live(device, 9, 4, options, 12)).toBeGreaterThan(10);
    device.destroy();
  });
});
