/** Devices that go away, that are not there, that are too small: another one takes over, and that is said once. */
import { expect, test } from 'vitest';
import { requestNodeAdapter } from '../../../scripts/setup-gpu.mjs';
import { type CullerOptions, requestGpu, VisibilityCuller } from '../src/index.js';
import { describeOnNodeGpu, overlaid } from './devices.js';
import { sheet } from './shapes.js';
import { Story } from './story.js';

/** Little to compile and nothing to draw: drivers in software are slow. */
const SMALL: CullerOptions = { stages: [], partSize: 16 };

await describeOnNodeGpu('on WebGPU in Node', ({ shared, own }) => {
  /** A story on a device that `harm` is done to while a query is under way. */
  async function harmed(device: GPUDevice, harm: () => void) {
    const said: string[] = [];
    const culler = new VisibilityCuller(device, { ...SMALL, onFallback: (message) => said.push(message) });
    const story = new Story(culler, 4);
    expect(await story.compare()).toBeUndefined();
    const before = culler.backend;
    const asked = culler.collide();
    harm();
    await asked;
    for (let i = 0; i < 3; i++) {
      story.advance();
      expect(await story.compare()).toBeUndefined();
    }
    const after = culler.backend;
    story.end();
    culler.dispose();
    return { said, before, after };
  }

  test('a device with all that the adapter offers, destroyed while a query is under way', async () => {
    const { adapter } = (await requestNodeAdapter()) as { adapter: GPUAdapter };
    const { device, reason } = await requestGpu({ requestAdapter: async () => adapter } as unknown as GPU);
    expect(reason).toBeUndefined();
    expect(device!.limits.maxBufferSize).toBe(adapter.limits.maxBufferSize);
    const { said, before, after } = await harmed(device!, () => device!.destroy());
    expect({ before, after }).toEqual({ before: 'webgpu', after: 'cpu' });
    expect(said).toEqual([expect.stringMatching(/webgpu.*lost.*cpu/i)]);
  });

  test('destroyed before the first query', async () => {
    const device = await own();
    device.destroy();
    const said: string[] = [];
    const culler = new VisibilityCuller(device, { onFallback: (message) => said.push(message) });
    const story = new Story(culler, 6);
    expect(await story.compare()).toBeUndefined();
    expect(culler.backend).toBe('cpu');
    expect(said).toHaveLength(1);
    story.end();
    culler.dispose();
  });

  test('the next of two devices takes over, then the CPU', async () => {
    const devices = [losable(await shared()), losable(await shared())];
    const said: string[] = [];
    const culler = new VisibilityCuller(
      devices.map(({ device }) => device),
      { ...SMALL, onFallback: (message) => said.push(message) },
    );
    const story = new Story(culler, 7);
    const used: string[] = [];
    for (const device of [...devices, undefined]) {
      expect(await story.compare()).toBeUndefined();
      used.push(culler.backend);
      device?.lose();
      story.advance();
    }
    expect(await story.compare()).toBeUndefined();
    expect(used).toEqual(['webgpu', 'webgpu', 'cpu']);
    expect(said).toHaveLength(2);
    story.end();
    culler.dispose();
  });

  test('out of memory', async () => {
    const { device, fill } = exhaustible(await shared());
    const said: string[] = [];
    const onFallback = (message: string) => said.push(message);
    const culler = new VisibilityCuller(device, { ...SMALL, onFallback });
    const story = new Story(culler, 8);
    expect(await story.compare()).toBeUndefined();
    expect(culler.backend).toBe('webgpu');
    fill();
    culler.add(sheet(40, (x, y) => x * y)); // more than there is room for
    await culler.collide();
    expect(culler.backend).toBe('cpu');
    expect(said).toEqual([expect.stringMatching(/memory/i)]);
    story.end();
    culler.dispose();
  });

  test('limits too small: the limit is named', async () => {
    const small = withLimits(await shared(), { maxStorageBufferBindingSize: 4096, maxBufferSize: 4096 });
    const said: string[] = [];
    const culler = new VisibilityCuller(small, {
      resolution: 800,
      onFallback: (message) => said.push(message),
    });
    const story = new Story(culler, 8);
    expect(await story.compare()).toBeUndefined();
    expect(culler.backend).toBe('cpu');
    expect(said).toEqual([expect.stringMatching(/max(StorageBufferBinding|Buffer)Size/)]);
    story.end();
    culler.dispose();
  });
});

function withLimits(device: GPUDevice, lower: Record<string, number>): GPUDevice {
  const limits = new Proxy(device.limits, {
    get: (all, name) => (typeof name === 'string' && name in lower ? lower[name] : Reflect.get(all, name)),
  });
  return overlaid(device, { limits });
}

/** A device that says, when told to, that it was lost. */
function losable(device: GPUDevice): { device: GPUDevice; lose: () => void } {
  let lose = () => {};
  const lost = new Promise<Pick<GPUDeviceLostInfo, 'message' | 'reason'>>((resolve) => {
    lose = () => resolve({ message: 'told to be', reason: 'unknown' });
  });
  return { device: overlaid(device, { lost }), lose };
}

/** A device that says it is out of memory, once it was filled, to whoever asks after making a buffer. */
function exhaustible(device: GPUDevice): { device: GPUDevice; fill: () => void } {
  let full = false;
  const scopes: { filter: GPUErrorFilter; refused: boolean }[] = [];
  const overlay = {
    pushErrorScope(filter: GPUErrorFilter) {
      scopes.push({ filter, refused: false });
      device.pushErrorScope(filter);
    },
    async popErrorScope() {
      const { filter, refused } = scopes.pop()!;
      const error = await device.popErrorScope();
      return refused && filter === 'out-of-memory' ? new GPUOutOfMemoryError('no memory left') : error;
    },
    createBuffer(descriptor: GPUBufferDescriptor) {
      if (full) for (const scope of scopes) scope.refused = true;
      return device.createBuffer(descriptor);
    },
  };
  const fill = () => {
    full = true;
  };
  return { device: overlaid(device, overlay), fill };
}
