/** Options that are taken for something else, or by nobody, are errors that say so. */
import { SceneCuller } from '@impinge/gpu';
import {
  type CollideAllOptions,
  collide,
  collideAll,
  contacts,
  hits,
  Mesh,
  prepareKernel,
  Scene,
  selfIntersect,
  within,
} from 'impinge';
import { KernelSet } from 'impinge/internal/kernel/kernel-set.js';
import { mainKernels } from 'impinge/internal/kernel/kernels.generated.js';
import { createPool } from 'impinge/internal/parallel/worker-pool.js';
import { describe, expect, test, vi } from 'vitest';
import { arrays } from './right-calls.js';

const cube = Mesh.from(arrays());
const scene = new Scene();
for (let i = 0; i < 2; i++) scene.add(cube);
const first = { mode: 'first' } as unknown as { mode: 'any' };

test.each<[string, () => unknown]>([
  ['collide', () => collide(cube, cube, first)],
  ['within', () => within(cube, cube, { ...first, distance: 1 })],
  ['hits', () => hits(cube, cube, first)],
  ['selfIntersect', () => selfIntersect(cube, first)],
  ['collideAll', () => collideAll(scene, first)],
])('%s: a mode that there is none of', (_, call) => {
  expect(call).toThrow('mode must be one of all, any, got first');
});

test('collideAll of a scene and of a culler: options that they do not have', async () => {
  const stray = { engine: 'cpu' } as unknown as CollideAllOptions;
  const message = 'collideAll has no option engine; did you mean mode? It has mode, limit, distance, filter';
  expect(() => collideAll(scene, stray)).toThrow(message);
  using culler = new SceneCuller(scene, 'cpu');
  await expect(culler.collideAll(stray)).rejects.toMatchObject({ code: 'bad-option', message });
});

describe('contacts without depths', () => {
  test('are the same but for these', () => {
    const pose = { translation: [0.5, 0.25, 0.125] };
    const [plain] = contacts(cube, cube, { pose, depth: false }).regions;
    const [full] = contacts(cube, cube, { pose }).regions;
    expect(full.depth).toBeGreaterThan(0.1);
    expect(plain).toEqual({ ...full, depth: Number.NaN, depthBound: Infinity, deepest: undefined });
    expect(contacts(cube, cube, { pose, depth: false }).stats.depthEvaluations).toBe(0);
  });

  test('have none to hold against a tolerance', () => {
    expect(() => contacts(cube, cube, { depth: false, tolerance: 0.1 })).toThrow(/a tolerance needs depths/);
  });
});

describe('what a page does not allow', () => {
  test('kernels: there is nothing to prepare, and whoever needs them says so', async () => {
    const blocked = new KernelSet('blocked', mainKernels.name); // bytes that no platform compiles
    await expect(blocked.prepare()).rejects.toMatchObject({ code: 'unsupported' });
    await expect(prepareKernel()).resolves.toBeUndefined();
  });

  test('kernels, by its policy: one warning with the directive', () => {
    const forbidden = new WebAssembly.CompileError(
      'WebAssembly.Module(): Wasm code generation disallowed by embedder',
    );
    vi.spyOn(WebAssembly, 'Module').mockImplementation(
      class {
        constructor() {
          throw forbidden;
        }
      },
    );
    const warn = vi.spyOn(console, 'warn').mockImplementation(() => {});
    const set = new KernelSet('forbidden', mainKernels.name);
    expect([set.supported(), set.supported()]).toEqual([false, false]);
    const cause =
      "the Content-Security-Policy of this page forbids WebAssembly: its script-src needs 'wasm-unsafe-eval'";
    expect(set.refusal).toBe(cause);
    expect(warn.mock.calls).toEqual([[`impinge: ${cause}. Without it, queries are many times slower.`]]);
    vi.restoreAllMocks();
  });

  test('workers: calls are refused', async () => {
    const pool = createPool(2, () => {
      throw new Error('refused by the policy of the page');
    });
    const call = pool.call(mainKernels.call('scratchBytes'));
    await expect(call).rejects.toMatchObject({
      code: 'unsupported',
      message: 'a worker cannot be started here: refused by the policy of the page',
    });
    await pool.dispose();
  });
});
