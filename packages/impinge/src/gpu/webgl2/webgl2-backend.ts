/**
 * Culling on WebGL2: the levels of visibility are drawn by the device, what comes before and after is done by the CPU's
 * kernels on the calling thread.
 *
 * The context must be for this backend alone: it sets the state it needs and restores none. Its canvas is not drawn to.
 */
import { ImpingeError } from '../../base/errors.js';
import { runHere } from '../../kernel/schedule.js';
import type { Backend, BackendResult, CullingRequest, World } from '../backend.js';
import { HostStages } from '../cpu/host-stages.js';
import { gpuKernels } from '../gpu-kernel.js';
import { GlLevels } from './gl-levels.js';

export class WebGl2Backend implements Backend {
  readonly kind = 'webgl2';
  readonly #gl: WebGL2RenderingContext;
  readonly #host = new HostStages();
  #levels: GlLevels | undefined;

  constructor(gl: WebGL2RenderingContext) {
    this.#gl = gl;
  }

  get description(): string {
    const extension = this.#gl.getExtension('WEBGL_debug_renderer_info');
    const name = extension && this.#gl.getParameter(extension.UNMASKED_RENDERER_WEBGL);
    return name ? `WebGL2, ${name}` : 'WebGL2';
  }

  async ask(world: World, request: CullingRequest): Promise<BackendResult> {
    if (!gpuKernels.supported()) {
      throw new ImpingeError('unsupported', 'culling on WebGL2 needs WebAssembly SIMD');
    }
    const { now } = request;
    const startedMs = now();
    this.#levels ??= new GlLevels(this.#gl);
    const begun = runHere(this.#host.begin(world, request, 1));
    const begunMs = now();
    const levels = await this.#levels.run({ ...begun, world, table: this.#host.table }, request);
    const found = runHere(this.#host.end(world, request, begun, levels, 1));
    return { ...found, ms: { calls: begunMs - startedMs, wait: now() - begunMs } };
  }

  dispose(): void {
    this.#levels?.dispose();
    this.#host.dispose();
  }
}
