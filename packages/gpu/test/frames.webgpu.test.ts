/** Scenes that change every frame, on WebGPU: right answers all along, and nothing left behind. */
import { arena } from 'impinge/internal/base/arena.js';
import { beforeAll, expect, test } from 'vitest';
import { LONG } from '../../../test/budget.js';
import { VisibilityCuller } from '../src/index.js';
import type { ListName } from '../src/webgpu/lists.js';
import { WebGpuBackend } from '../src/webgpu/webgpu-backend.js';
import { countBuffers, describeOnNodeGpu } from './devices.js';
import { asDevice } from './fake-backends.js';
import { Story, warmUp } from './story.js';

const STAGES = ['boxes', 'parts', 'triangles'] as const;
const fail = (message: string) => expect.fail(`fell back: ${message}`);
/** Room for hardly anything: requests are repeated until it is enough. */
const SHORT: Partial<Record<ListName, number>> = {
  ...{ objectPairs: 2, partItems: 3, partPairs: 4, candidates: 5, meeting: 1, doubtful: 1, tasks: 1 },
};
/** Drivers in software are slow, and so are machines that have nothing else. */
const PATIENCE_MS = 400_000;

await describeOnNodeGpu('on WebGPU in Node', ({ shared }) => {
  beforeAll(() => warmUp({ resolution: 16, stages: STAGES }));

  test.each([
    { method: 'split-tree', stages: STAGES, frames: LONG ? 60 : 10, lists: SHORT },
    // a request takes long, with stages of triangles a second
    { method: 'queries', stages: STAGES.slice(0, LONG ? 3 : 2), frames: LONG ? 60 : 10, lists: {} },
    { stages: [], frames: LONG ? 600 : 100, lists: SHORT },
  ] as const)('%o', { timeout: PATIENCE_MS }, async ({ frames, lists, ...options }) => {
    const before = arena().usedBytes;
    const { device, counts } = countBuffers(await shared());
    const { held } = counts;
    const culler = new VisibilityCuller(asDevice(new WebGpuBackend(device, lists)), {
      ...options,
      resolution: 16,
      partSize: 16,
      onFallback: fail,
    });
    const story = new Story(culler, 2);
    const bytes: number[] = [];
    const buffers: number[] = [];
    for (let frame = 1; frame <= frames; frame++) {
      story.advance();
      if (frame % (frames / 5) === 0) expect(await story.compare(), `frame ${frame}`).toBeUndefined();
      else await story.ask();
      bytes.push(held.bytes);
      buffers.push(held.buffers);
    }
    const most = (counts: number[], from: number, to: number) => Math.max(...counts.slice(from, to));
    expect(most(buffers, frames / 2, frames)).toBeLessThanOrEqual(most(buffers, 0, frames / 2));
    expect(most(bytes, frames / 2, frames)).toBeLessThanOrEqual(1.25 * most(bytes, 0, frames / 2));
    story.end();
    culler.dispose();
    expect(held).toEqual({ buffers: 0, bytes: 0 });
    // what earlier tests of the process have dropped may be freed meanwhile
    expect(arena().usedBytes).toBeLessThanOrEqual(before);
  });
});
