/** Scenes that change every frame: right answers all along, and nothing left behind. */
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { arena } from '../../src/base/arena.js';
import { type CullerOptions, VisibilityCuller } from '../../src/gpu.js';
import { describeInBrowser, SOFTWARE } from './browser-page.js';
import type { GlResources } from './culling-page.js';
import { countBuffers, describeOnNodeGpu } from './devices.js';
import { Story } from './story.js';

const METHODS = ['split-tree', 'queries'] as const;
const LEVELS = ['boxes', 'parts', 'triangles'] as const;
const fail = (message: string) => expect.fail(`fell back: ${message}`);

/** Kernels keep some scratch for good. */
async function warmUp(options: CullerOptions): Promise<void> {
  const culler = new VisibilityCuller('cpu', options);
  const story = new Story(culler, 1);
  for (let frame = 0; frame < 5; frame++) {
    story.advance();
    await story.compare();
  }
  story.end();
  culler.dispose();
}

describe('moving, deforming, breaking, coming and going', () => {
  test.each(METHODS)('1 000 frames on the CPU, %s', async (method) => {
    const options = { resolution: 64, method, levels: LEVELS, onFallback: fail };
    await warmUp(options);
    const before = arena().usedBytes;
    const culler = new VisibilityCuller('cpu', options);
    const story = new Story(culler, 1);
    const held: number[] = [];
    for (let frame = 1; frame <= 1000; frame++) {
      story.advance();
      if (frame % 50 === 0) expect(await story.compare(), `frame ${frame}`).toBeUndefined();
      else await story.ask();
      held.push(arena().usedBytes - before);
    }
    for (const times of Object.values(story.events)) expect(times).toBeGreaterThan(50);
    // as many objects as ever, and no more memory than in the first half
    expect(Math.max(...held.slice(500))).toBeLessThanOrEqual(1.25 * Math.max(...held.slice(0, 500)));
    story.end();
    culler.dispose();
    expect(arena().usedBytes).toBe(before);
  });
});

/** Drivers in software are slow, and so are machines that have nothing else. */
const PATIENCE_MS = 400_000;

await describeOnNodeGpu('on WebGPU in Node', (open) => {
  test.each([
    { method: 'split-tree', levels: LEVELS, frames: 60 },
    { method: 'queries', levels: LEVELS, frames: 60 },
    { levels: [], frames: 600 },
  ] as const)('%o', { timeout: PATIENCE_MS }, async ({ frames, ...options }) => {
    const before = arena().usedBytes;
    const device = await open();
    const held = countBuffers(device);
    const culler = new VisibilityCuller(device, { ...options, resolution: 16, onFallback: fail });
    const story = new Story(culler, 2);
    const bytes: number[] = [];
    const buffers: number[] = [];
    for (let frame = 1; frame <= frames; frame++) {
      story.advance();
      if (frame % (frames / 10) === 0) expect(await story.compare(), `frame ${frame}`).toBeUndefined();
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
    expect(arena().usedBytes).toBe(before);
    device.destroy();
  });
});

const entry = fileURLToPath(new URL('./culling-page.ts', import.meta.url));
describeInBrowser('on WebGL2 in Chromium', entry, SOFTWARE.webgl2, (page) => {
  test.each([
    { method: 'split-tree', levels: LEVELS, frames: 300 },
    { method: 'queries', levels: LEVELS, frames: 100 },
  ] as const)('%o', { timeout: PATIENCE_MS }, async ({ frames, ...options }) => {
    const { wrong, early, late, left, events } = await page.run<{
      wrong: string[];
      early: GlResources;
      late: GlResources;
      left: GlResources;
      events: Record<string, number>;
    }>('play', options, frames, frames / 10);
    expect(wrong).toEqual([]);
    for (const times of Object.values(events)) expect(times).toBeGreaterThan(frames / 10);
    expect(late.others).toBeLessThanOrEqual(early.others);
    // as many as the largest scene so far needed
    expect(late.queries).toBeLessThanOrEqual(2 * early.queries);
    expect(left).toEqual({ queries: 0, others: 0 });
  });
});
