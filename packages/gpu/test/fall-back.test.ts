/** Where there is no WebGPU, `requestGpu` says why. */
import { expect, test } from 'vitest';
import { requestGpu } from '../src/index.js';

test.each([
  ['no WebGPU', undefined, /no WebGPU/],
  ['no adapter', { requestAdapter: async () => null }, /no adapter/],
  [
    'an adapter that fails',
    { requestAdapter: async () => Promise.reject(new Error('driver gone')) },
    /driver gone/,
  ],
])('%s: a reason instead of a device', async (_, gpu, message) => {
  const { device, reason } = await requestGpu(gpu as unknown as GPU);
  expect(device).toBeUndefined();
  expect(reason).toMatch(message);
});

test('a device that was given is destroyed when it is disposed of', async () => {
  let destroyed = 0;
  const adapter = {
    limits: {},
    features: new Set(),
    requestDevice: async () => ({ destroy: () => destroyed++ }),
  };
  {
    using request = await requestGpu({ requestAdapter: async () => adapter } as unknown as GPU);
    expect(request.device).toBeDefined();
    expect(destroyed).toBe(0);
  }
  expect(destroyed).toBe(1);
});
