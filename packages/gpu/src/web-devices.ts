/** The culling devices of a browser. */
import { requestGpu } from './request-gpu.js';
import type { CullingDevice } from './types.js';

/**
 * The devices that this page or worker has for a `VisibilityCuller`, the fastest first: WebGPU, and the CPU in any
 * case. A GPU in software is left out: the CPU does better by itself. Never throws.
 */
export async function webCullingDevices(): Promise<CullingDevice[]> {
  const { device } = await requestGpu((globalThis.navigator as Navigator | undefined)?.gpu);
  if (!device) return ['cpu'];
  if (!device.adapterInfo?.isFallbackAdapter) return [device, 'cpu'];
  device.destroy();
  return ['cpu'];
}
