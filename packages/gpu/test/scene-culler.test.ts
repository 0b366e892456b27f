/** `collideAll` with a culler equals `collideAll` without, whatever happens to the scene. */
import { arena } from 'impinge/internal/base/arena.js';
import { type CollideAllResult, collideAll } from 'impinge/internal/query/scene/collide-all.js';
import { Scene } from 'impinge/internal/scene/scene.js';
import { describe, expect, test } from 'vitest';
import { every, full } from '../../../test/budget.js';
import { ball, cube } from '../../impinge/test/query/solid/solids.js';
import { type EngineChoice, EngineRule } from '../src/culling-engine.js';
import { SceneCuller } from '../src/index.js';
import type { CullingDevice } from '../src/types.js';
import { at, Life, live, loudly, plain } from './scene-life.js';

describe('a scene with a culler', () => {
  test.each(every([1, 2, 3], 3))('answers as collideAll does, through anything, seed %i', async (seed) => {
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
    await expect(culler.collideAll()).rejects.toThrowError(/is running/);
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

  full('leaves nothing behind', async () => {
    await live('cpu', 5, 10, { engine: 'culler' });
    const before = arena().usedBytes;
    for (let i = 0; i < 3; i++) await live('cpu', 6 + i, 10, { engine: 'culler' });
    expect(arena().usedBytes).toBeLessThanOrEqual(before);
  });
});

describe('the choice of an engine', () => {
  const choose = (
    kind: 'webgpu' | 'cpu',
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
    for (const kind of ['webgpu', 'cpu'] as const) expect(choose(kind, 0, 0)).toBe('cpu');
    expect(choose('webgpu', 0, 1e6)).toBe('culler');
    expect(choose('webgpu', 1e5, 0)).toBe('culler');
    expect(choose('webgpu', 10, 100)).toBe('cpu');
    expect(choose('cpu', 1e5, 0)).toBe('cpu');
    expect(choose('cpu', 0, 1e6)).toBe('culler');
  });
  test('is never for a GPU in software', () => {
    const device = { createComputePipeline: () => {}, adapterInfo: { isFallbackAdapter: true } };
    expect(choose('webgpu', 1e5, 1e6, 'auto', device as unknown as GPUDevice)).toBe('cpu');
    expect(choose('webgpu', 1e5, 1e6, 'culler', device as unknown as GPUDevice)).toBe('culler');
  });
});
