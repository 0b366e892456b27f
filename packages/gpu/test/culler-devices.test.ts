/** Which device is used, and which one takes over. */
import { afterEach, describe, expect, test, vi } from 'vitest';
import { VisibilityCuller } from '../src/culler.js';
import { webCullingDevices } from '../src/index.js';
import { requestGpu } from '../src/request-gpu.js';
import type { CullingDevice } from '../src/types.js';
import { asDevice, EveryPair, Failing } from './fake-backends.js';
import { box } from './shapes.js';

function withTwoBoxes(devices: CullingDevice | CullingDevice[]) {
  const said: string[] = [];
  const culler = new VisibilityCuller(devices, { onFallback: (message) => said.push(message) });
  culler.add(box(1, 1, 1));
  culler.add(box(1, 1, 1), { pose: { translation: [1, 0, 0] } });
  return { culler, said };
}

describe('devices', () => {
  test('are used in the order given, each until it fails', async () => {
    const lost = new Failing('webgpu', 'device-lost', 2);
    const small = new Failing('webgpu', 'unsupported');
    const last = new EveryPair('cpu');
    const { culler, said } = withTwoBoxes([lost, small, last].map(asDevice));
    const answers = [];
    for (let i = 0; i < 4; i++) {
      answers.push((await culler.collide()).count);
      expect(culler.backend).toBe(i < 2 ? 'webgpu' : 'cpu');
    }
    expect(new Set(answers).size).toBe(1);
    expect(answers[0]).toBeGreaterThan(0);
    expect(said).toEqual([
      'impinge: webgpu (fake webgpu) failed: it failed with device-lost; webgpu takes over',
      'impinge: webgpu (fake webgpu) failed: it failed with unsupported; cpu takes over',
    ]);
    expect([lost.asked, lost.disposed, small.asked, small.disposed, last.disposed]).toEqual([3, 1, 1, 1, 0]);
    culler.dispose();
    expect(last.disposed).toBe(1);
  });

  test('whoever takes over is asked the same', async () => {
    const last = new EveryPair('cpu');
    const options = { resolution: 77, onFallback: () => {} };
    const culler = new VisibilityCuller(
      [asDevice(new Failing('webgpu', 'out-of-memory')), asDevice(last)],
      options,
    );
    culler.add(box(1, 1, 1));
    culler.add(box(1, 1, 1));
    const { stats } = await culler.collide();
    expect(stats).toMatchObject({ backend: 'cpu', resolution: 77 });
    expect(last.asked[0].request.resolution).toBe(77);
    culler.dispose();
  });

  test('the error of the last one is passed on, and mistakes at once', async () => {
    const only = withTwoBoxes([
      asDevice(new Failing('webgpu', 'device-lost')),
      asDevice(new Failing('cpu', 'out-of-memory')),
    ]);
    await expect(only.culler.collide()).rejects.toThrow(expect.objectContaining({ code: 'out-of-memory' }));
    await expect(only.culler.collide()).rejects.toThrow(expect.objectContaining({ code: 'out-of-memory' }));
    expect(only.said.length).toBe(1);
    const wrong = withTwoBoxes([asDevice(new Failing('webgpu', 'other')), asDevice(new EveryPair())]);
    await expect(wrong.culler.collide()).rejects.toThrow(TypeError);
    expect(wrong.culler.backend).toBe('webgpu');
    expect(wrong.said).toEqual([]);
    for (const { culler } of [only, wrong]) culler.dispose();
  });

  test('the CPU is the last resort where it was not named', async () => {
    const { culler, said } = withTwoBoxes(asDevice(new Failing('webgpu', 'device-lost')));
    const named = withTwoBoxes('cpu');
    expect((await culler.collide()).triangles).toEqual((await named.culler.collide()).triangles);
    expect(culler.backend).toBe('cpu');
    expect(said.length).toBe(1);
    culler.dispose();
    named.culler.dispose();
  });

  test('are told by what they can do', () => {
    const gpu = { createComputePipeline() {}, queue: {} };
    const pool = { size: 0, call() {}, dispose() {} };
    const kinds = [gpu, pool, 'cpu'].map(
      (device) => new VisibilityCuller(device as unknown as CullingDevice).backend,
    );
    expect(kinds).toEqual(['webgpu', 'cpu', 'cpu']);
    for (const device of [undefined, null, 'gpu', {}, { createTransformFeedback() {} }, 3]) {
      expect(() => new VisibilityCuller(device as unknown as CullingDevice)).toThrow(
        /a culling device must be/,
      );
    }
    expect(new VisibilityCuller([]).backend).toBe('cpu');
  });
});

describe('requestGpu', () => {
  const limits = { maxBufferSize: 2 ** 40, maxTextureDimension2D: 16384 };
  const gpuOf = (adapter: unknown) => ({ requestAdapter: async () => adapter }) as unknown as GPU;

  test('asks for all that the adapter offers', async () => {
    const asked: unknown[] = [];
    const device = {};
    const adapter = {
      limits,
      features: new Set(['timestamp-query', 'other']),
      requestDevice: async (descriptor: unknown) => {
        asked.push(descriptor);
        return device;
      },
    };
    expect((await requestGpu(gpuOf(adapter))).device).toBe(device);
    expect(asked).toEqual([{ requiredLimits: limits, requiredFeatures: ['timestamp-query'] }]);
  });

  test('says why there is no device', async () => {
    expect(await requestGpu(undefined)).toMatchObject({ reason: expect.stringMatching(/no WebGPU/) });
    expect(await requestGpu(gpuOf(null))).toMatchObject({ reason: expect.stringMatching(/no adapter/) });
    const refuses = { limits, features: new Set(), requestDevice: () => Promise.reject(new Error('busy')) };
    expect(await requestGpu(gpuOf(refuses))).toMatchObject({ reason: expect.stringMatching(/busy/) });
    const throws = {
      requestAdapter: () => {
        throw new Error('blocked');
      },
    } as unknown as GPU;
    expect(await requestGpu(throws)).toMatchObject({ reason: expect.stringMatching(/blocked/) });
  });
});

test('a device that was given is destroyed when it is disposed of', async () => {
  const destroy = vi.fn();
  const adapter = { limits: {}, features: new Set(), requestDevice: async () => ({ destroy }) };
  {
    using request = await requestGpu({ requestAdapter: async () => adapter } as unknown as GPU);
    expect(request.device).toBeDefined();
    expect(destroy).not.toHaveBeenCalled();
  }
  expect(destroy).toHaveBeenCalledTimes(1);
});

describe('webCullingDevices', () => {
  afterEach(() => {
    vi.unstubAllGlobals();
  });

  test('is the CPU where there is no WebGPU', async () => {
    vi.stubGlobal('navigator', undefined);
    expect(await webCullingDevices()).toEqual(['cpu']);
  });

  function stubGpu(device: object): void {
    const adapter = { limits: {}, features: new Set(), requestDevice: async () => device };
    vi.stubGlobal('navigator', { gpu: { requestAdapter: async () => adapter } });
  }

  test('has WebGPU first', async () => {
    const device = { name: 'device' };
    stubGpu(device);
    expect(await webCullingDevices()).toEqual([device, 'cpu']);
  });

  test('leaves out a GPU in software', async () => {
    const destroy = vi.fn();
    stubGpu({ adapterInfo: { isFallbackAdapter: true }, destroy });
    expect(await webCullingDevices()).toEqual(['cpu']);
    expect(destroy).toHaveBeenCalledTimes(1);
  });
});
