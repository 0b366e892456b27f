/** The kernels of meshes and trees. Nothing happens on import: see KernelSet. */
import { type MainKernels, mainKernels } from './kernels.generated.js';

/** The calling thread's kernels. Throws 'unsupported' where WebAssembly SIMD is missing. */
export function kernel(): MainKernels {
  return mainKernels.kernels();
}

/** Whether this platform runs the kernels; where it does not, queries take their portable path. */
export function kernelSupported(): boolean {
  return mainKernels.supported();
}
