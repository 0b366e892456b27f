/** WebGPU devices in Node for the tests, or why there are none, in plain sight. */
import { afterEach, describe, expect } from 'vitest';
import { requestNodeAdapter } from '../../../../scripts/setup-gpu.mjs';
import { FAST } from '../budget.js';

type Suite = (open: (descriptor?: GPUDeviceDescriptor) => Promise<GPUDevice>) => void;

/** A device of Node's WebGPU, with the limits asked for or the default ones; or why there is none. */
export async function nodeGpuDevice(
  descriptor: GPUDeviceDescriptor = {},
): Promise<GPUDevice | { readonly skipped: string }> {
  const found = await requestNodeAdapter();
  return 'adapter' in found ? found.adapter.requestDevice(descriptor) : { skipped: found.problem };
}

/**
 * A suite on WebGPU in Node; skipped, with the reason in its title, where there is none. What a device reports outside
 * of error scopes fails the test. Await it at the top of the file.
 */
export async function describeOnNodeGpu(title: string, suite: Suite): Promise<void> {
  const found = FAST ? { problem: 'left to npm test' } : await requestNodeAdapter();
  if (!('adapter' in found)) {
    process.stderr.write(`\n*** SKIPPED: ${title}; ${found.problem} ***\n`);
    describe.skip(`${title}: SKIPPED, ${found.problem}`, () => suite(() => Promise.reject()));
    return;
  }
  describe(`${title}, on ${found.name}`, () => {
    const problems: string[] = [];
    afterEach(() => expect(problems.splice(0)).toEqual([]));
    suite(async (descriptor = {}) => {
      const device = await nodeGpuDevice(descriptor);
      if ('skipped' in device) throw new Error(device.skipped);
      device.addEventListener('uncapturederror', ({ error }) => problems.push(error.message));
      return device;
    });
  });
}

/** Counts what a device holds: buffers made and not destroyed, and their bytes. Counts from now on. */
export function countBuffers(device: GPUDevice): { buffers: number; bytes: number } {
  const held = { buffers: 0, bytes: 0 };
  const create = device.createBuffer.bind(device);
  device.createBuffer = (descriptor) => {
    const buffer = create(descriptor);
    const destroy = buffer.destroy.bind(buffer);
    let live = true;
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
  return held;
}
