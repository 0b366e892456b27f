/** Asks a WebGPU implementation, a browser's or a package's, for a device that culls well. */
import { DISPOSE } from 'impinge/internal/base/dispose.js';
import type { GpuDeviceLike, GpuLike } from 'impinge/internal/base/platform-types.js';

/** Limits requested beyond the guaranteed minimum, where the adapter offers them. */
const LIMITS = [
  'maxBufferSize',
  'maxStorageBufferBindingSize',
  'maxStorageBuffersPerShaderStage',
  'maxComputeWorkgroupStorageSize',
  'maxComputeInvocationsPerWorkgroup',
  'maxComputeWorkgroupSizeX',
  'maxComputeWorkgroupsPerDimension',
  'maxTextureDimension2D',
  'maxTextureArrayLayers',
] as const;
const FEATURES: readonly GPUFeatureName[] = ['timestamp-query'];

/** A device, or why there is none. Disposing of it destroys the device. */
export type GpuRequest = (
  | { readonly device: GpuDeviceLike; readonly reason?: undefined }
  | { readonly device?: undefined; readonly reason: string }
) & { dispose(): void } & Disposable;

/** Requests the fastest adapter's device with all offered features that culling uses. Never throws. */
export async function requestGpu(gpu: GpuLike | undefined): Promise<GpuRequest> {
  if (gpu === undefined || gpu === null) return refused('this platform has no WebGPU');
  try {
    const adapter = await gpu.requestAdapter({ powerPreference: 'high-performance' });
    if (!adapter) return refused('WebGPU has no adapter: no GPU, or no driver for it');
    const requiredLimits: Record<string, number> = {};
    for (const limit of LIMITS) {
      const offered = adapter.limits[limit];
      if (offered !== undefined) requiredLimits[limit] = offered;
    }
    const requiredFeatures = FEATURES.filter((feature) => adapter.features.has(feature));
    const device = await adapter.requestDevice({ requiredLimits, requiredFeatures });
    const dispose = () => device.destroy();
    return { device, dispose, [DISPOSE]: dispose };
  } catch (error) {
    return refused(`WebGPU gave no device: ${error instanceof Error ? error.message : String(error)}`);
  }
}

function refused(reason: string): GpuRequest {
  const dispose = () => {};
  return { reason, dispose, [DISPOSE]: dispose };
}
