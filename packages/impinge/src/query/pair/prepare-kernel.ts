import { ImpingeError } from '../../base/errors.js';
import { mainKernels } from '../../kernel/kernels.generated.js';
import { pairKernels } from './kernels.generated.js';

/**
 * Compiles the kernels of meshes, trees and pairs off the main thread's critical path. Optional: the first mesh and the
 * first query do it otherwise. Those of other questions are compiled when these are first asked. Where a page or
 * platform does not run them, there is nothing to compile: queries about surfaces take their portable path.
 */
export async function prepareKernel(): Promise<void> {
  try {
    await Promise.all([mainKernels.prepare(), pairKernels.prepare()]);
  } catch (error) {
    if (!(error instanceof ImpingeError) || error.code !== 'unsupported') throw error;
  }
}
