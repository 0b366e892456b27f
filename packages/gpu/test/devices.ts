/** WebGPU devices in Node for the tests, or why there are none, in plain sight. */
import { afterEach, describe, expect } from 'vitest';
import { requestNodeAdapter } from '../../../scripts/setup-gpu.mjs';
import { INNER_LOOP } from '../../../test/budget.js';

export interface Devices {
  /** One for all tests of the process, never to be destroyed: it keeps what was compiled. */
  shared(): Promise<GPUDevice>;
  /** A new one, for those that harm it. */
  own(): Promise<GPUDevice>;
}

/** What devices reported outside of error scopes. */
const problems: string[] = [];
let sharedDevice: Promise<GPUDevice> | undefined;

async function openDevice(): Promise<GPUDevice> {
  const found = await requestNodeAdapter();
  if (!('adapter' in found)) throw new Error(found.problem);
  const device = await found.adapter.requestDevice();
  device.addEventListener('uncapturederror', ({ error }) => problems.push(error.message));
  return device;
}

/** Dawn takes a pipeline for one that it has compiled before, as long as that one is there: with this it always is. */
function keepPipelines(device: GPUDevice): GPUDevice {
  const create = device.createComputePipeline.bind(device);
  const kept: GPUComputePipeline[] = [];
  device.createComputePipeline = (descriptor) => {
    const pipeline = create(descriptor);
    kept.push(pipeline);
    return pipeline;
  };
  return device;
}

/**
 * A suite on WebGPU in Node; skipped, with the reason in its title, where there is none. What a device reports outside
 * of error scopes fails the test. Await it at the top of the file.
 */
export async function describeOnNodeGpu(title: string, suite: (devices: Devices) => void): Promise<void> {
  const found = INNER_LOOP ? { problem: 'left to npm test' } : await requestNodeAdapter();
  if (!('adapter' in found)) {
    process.stderr.write(`\n*** SKIPPED: ${title}; ${found.problem} ***\n`);
    const none = () => Promise.reject();
    describe.skip(`${title}: SKIPPED, ${found.problem}`, () => suite({ shared: none, own: none }));
    return;
  }
  describe(`${title}, on ${found.name}`, () => {
    afterEach(() => expect(problems.splice(0)).toEqual([]));
    suite({ shared: () => (sharedDevice ??= openDevice().then(keepPipelines)), own: openDevice });
  });
}

/** The same device, some of it replaced. */
export function overlaid(device: GPUDevice, overlay: object): GPUDevice {
  return new Proxy(device, {
    get(all, name) {
      const value = Reflect.get(name in overlay ? overlay : all, name);
      return typeof value === 'function' ? value.bind(name in overlay ? overlay : all) : value;
    },
  });
}

/**
 * The same device, with a count of the buffers made by it: those not destroyed, their bytes, and all there ever were.
 */
export function countBuffers(device: GPUDevice) {
  const held = { buffers: 0, bytes: 0 };
  const counts = { held, made: 0 };
  const createBuffer = (descriptor: GPUBufferDescriptor) => {
    const buffer = device.createBuffer(descriptor);
    const destroy = buffer.destroy.bind(buffer);
    let live = true;
    counts.made++;
    held.buffers++;
    held.bytes += descriptor.size;
    buffer.destroy = () => {
      if (live) {
        held.buffers--;
        held.bytes -= descriptor.size;
      }
      live = false;
      destroy();
    };
    return buffer;
  };
  return { device: overlaid(device, { createBuffer }), counts };
}
