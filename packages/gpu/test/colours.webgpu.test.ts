/** Colours on a device: partners differ where there are few of them, and hardly ever clash where there are more. */
import { beforeAll, expect, test } from 'vitest';
import { seededRandom } from '../../../lab/scenes/index.mjs';
import { BufferStore } from '../src/webgpu/device-buffer.js';
import { type Bindings, Kernels } from '../src/webgpu/kernels.js';
import { Head, MAP_READ, MAX_GROUPS_IN_SOFTWARE, MET_WORD, Usage } from '../src/webgpu/layout.js';
import { Lists } from '../src/webgpu/lists.js';
import { colourCountOf, encodeColours } from '../src/webgpu/split-tree.js';
import { Steps } from '../src/webgpu/step.js';
import { describeOnNodeGpu } from './devices.js';
import { integer } from './shapes.js';

type Pair = [number, number];

interface Coloured {
  readonly colours: number;
  readonly colour: number[];
}

const clique = (first: number, count: number): Pair[] =>
  Array.from({ length: count * count }, (_, k): Pair => [first + Math.floor(k / count), first + (k % count)]);

function randomPairs(seed: number, objects: number, count: number): Pair[] {
  const random = seededRandom(seed);
  return Array.from({ length: count }, () => [
    integer(random, 0, objects - 1),
    integer(random, 0, objects - 1),
  ]);
}

await describeOnNodeGpu('colours of objects', ({ shared }) => {
  let device: GPUDevice;
  beforeAll(async () => {
    device = await shared();
  });

  /** Colours of a graph; pairs of an object with itself are those of objects that are tested against themselves. */
  async function colour(objects: number, pairs: readonly Pair[], views = 3): Promise<Coloured> {
    const store = new BufferStore(device);
    const colours = colourCountOf(objects, views);
    const steps = new Steps();
    const objectWord = MET_WORD + objects;
    steps.add({ objects, parts: 0, objectWord, colours, objectPairCapacity: pairs.length });
    const stepBuffer = store.make('steps', Usage.uniform | Usage.copyTarget);
    const [boxes, state, list] = [store.make('boxes'), store.make('state'), store.make('pairs')];
    const answer = store.make('answer', Usage.mapRead | Usage.copyTarget);
    stepBuffer.reserve(steps.bytes.length);
    boxes.reserve(32 * objects);
    state.reserve(4 * (objectWord + objects));
    list.reserve(8 * pairs.length);
    answer.reserve(36 * objects);
    device.queue.writeBuffer(stepBuffer.buffer, 0, steps.bytes);
    device.queue.writeBuffer(state.buffer, 4 * Head.objectPairs, Uint32Array.of(pairs.length));
    device.queue.writeBuffer(list.buffer, 0, Uint32Array.from(pairs.flat()));
    const kernels = new Kernels(device);
    kernels.bind({
      steps: stepBuffer.buffer,
      boxes: boxes.buffer,
      state: state.buffer,
      objectPairs: list.buffer,
    } as Bindings);
    const encoder = device.createCommandEncoder();
    const pass = encoder.beginComputePass();
    encodeColours(pass, kernels, new Lists(store, MAX_GROUPS_IN_SOFTWARE, {}), objects, colours);
    pass.end();
    encoder.copyBufferToBuffer(boxes.buffer, 0, answer.buffer, 0, 32 * objects);
    encoder.copyBufferToBuffer(state.buffer, 4 * objectWord, answer.buffer, 32 * objects, 4 * objects);
    device.queue.submit([encoder.finish()]);
    await answer.buffer.mapAsync(MAP_READ);
    const bytes = answer.buffer.getMappedRange();
    const numbers = new Float32Array(bytes, 0, 8 * objects);
    const words = new Uint32Array(bytes, 32 * objects, objects);
    // left as it was found: marks come there next
    expect(words.every((word) => word === 0)).toBe(true);
    const result = {
      colours,
      colour: Array.from({ length: objects }, (_, o) => numbers[8 * o + 3]),
    };
    store.dispose();
    return result;
  }

  /** How many pairs have the same colour. */
  function clashes({ colours, colour }: Coloured, pairs: readonly Pair[]): number {
    expect(colour.every((c) => Number.isInteger(c) && c >= 0 && c < colours)).toBe(true);
    return pairs.filter(([a, b]) => a !== b && colour[a] === colour[b]).length;
  }

  test.each([2, 5, 7])('%d objects have one each', async (objects) => {
    const found = await colour(objects, clique(0, objects));
    expect(found.colour).toEqual(Array.from({ length: objects }, (_, o) => o));
  });

  test.each([1, 2, 3])('two partners on the average: none clash, seed %d', async (seed) => {
    const pairs = randomPairs(seed, 1000, 1000);
    const coloured = await colour(1000, pairs);
    expect(clashes(coloured, pairs)).toBe(0);
    expect(new Set(coloured.colour).size).toBe(7);
  });

  test('cliques: none clash up to the colours, few beyond', async () => {
    const small = [...clique(3, 5), ...clique(10, 6), ...clique(20, 5)];
    const large = clique(40, 20);
    const coloured = await colour(70, [...small, ...large]);
    expect(clashes(coloured, small)).toBe(0);
    // 20 in 7 colours: 22 pairs at least, each named twice
    const unavoidable = clashes(coloured, large);
    expect(unavoidable).toBeGreaterThanOrEqual(44);
    expect(unavoidable).toBeLessThan(80);
  });

  test.each([23, 25, 27, 28])('%d views leave few colours', async (views) => {
    const pairs = randomPairs(7, 60, 40);
    const coloured = await colour(60, pairs, views);
    expect(coloured.colours).toBe(30 - views);
    expect(clashes(coloured, pairs)).toBeLessThan(views < 27 ? 1 : 20);
  });
});
