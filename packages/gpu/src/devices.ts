/**
 * From devices to backends, and from one that fails to the next.
 *
 * Backends are made on first use. The CPU's is the last resort, whether it was named or not.
 */
import { ImpingeError } from 'impinge/internal/base/errors.js';
import { shown } from 'impinge/internal/base/options.js';
import type { WorkerPool } from 'impinge/internal/kernel/worker-pool.js';
import type { Backend, BackendResult, CullingInput, CullingRequest } from './backend.js';
import { CpuBackend } from './cpu/cpu-backend.js';
import type { BackendKind, CullingDevice } from './types.js';
import { WebGpuBackend } from './webgpu/webgpu-backend.js';

/** Errors of a device after which another is worth trying. */
const RECOVERABLE: readonly string[] = ['device-lost', 'out-of-memory', 'unsupported'];

interface Candidate {
  readonly kind: BackendKind;
  make(): Backend;
}

/** A list of devices, of which one is in use. */
export class BackendChain {
  readonly #candidates: Candidate[];
  readonly #onFallback: (message: string) => void;
  #backend: Backend | undefined;

  constructor(devices: CullingDevice | readonly CullingDevice[], onFallback: (message: string) => void) {
    const list = Array.isArray(devices) ? devices : [devices as CullingDevice];
    this.#candidates = list.map(candidateOf);
    if (!this.#candidates.some(({ kind }) => kind === 'cpu')) this.#candidates.push(candidateOf('cpu'));
    this.#onFallback = onFallback;
  }

  /** Which kind is in use, or will be used next. */
  get kind(): BackendKind {
    return this.#candidates[0].kind;
  }

  /** Asks the device in use, then those after it. */
  async ask(
    input: CullingInput,
    request: CullingRequest,
  ): Promise<{ result: BackendResult; kind: BackendKind }> {
    for (;;) {
      const { kind, make } = this.#candidates[0];
      try {
        this.#backend ??= make();
        return { result: await this.#backend.ask(input, request), kind };
      } catch (error) {
        const recoverable = error instanceof ImpingeError && RECOVERABLE.includes(error.code);
        if (!recoverable || this.#candidates.length === 1) throw error;
        const named = this.#backend ? `${kind} (${this.#backend.description})` : kind;
        this.dispose();
        this.#candidates.shift();
        this.#onFallback(`impinge: ${named} failed: ${error.message}; ${this.kind} takes over`);
      }
    }
  }

  dispose(): void {
    this.#backend?.dispose();
    this.#backend = undefined;
  }
}

/** Devices are recognised by their methods, as they may come from another package or realm. */
function candidateOf(device: CullingDevice): Candidate {
  if (device === 'cpu') return { kind: 'cpu', make: () => new CpuBackend() };
  if (typeof device === 'object' && device !== null) {
    // a backend itself is accepted too: another implementation, or one that fails on purpose
    if (isBackend(device)) return { kind: device.kind, make: () => device };
    if (has(device, 'createComputePipeline')) {
      return { kind: 'webgpu', make: () => new WebGpuBackend(device as GPUDevice) };
    }
    if (has(device, 'call') && has(device, 'dispose')) {
      return { kind: 'cpu', make: () => new CpuBackend(device as WorkerPool) };
    }
  }
  throw new ImpingeError(
    'bad-input',
    `a culling device must be a GPUDevice, a WorkerPool or 'cpu', got ${shown(device)}`,
  );
}

function isBackend(device: object): device is Backend {
  return has(device, 'ask') && 'kind' in device;
}

function has(device: object, method: string): boolean {
  return typeof (device as Record<string, unknown>)[method] === 'function';
}
