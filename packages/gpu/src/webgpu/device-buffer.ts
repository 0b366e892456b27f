/** Buffers of a device that grow on demand, losing their contents. */
import { ImpingeError } from 'impinge/internal/base/errors.js';
import { Usage } from './layout.js';

const STORAGE = Usage.storage | Usage.copySource | Usage.copyTarget;

/** All buffers of a backend; reports when bind groups must be recreated, and whether the device had the memory. */
export class BufferStore {
  readonly device: GPUDevice;
  /** Rises whenever a buffer was replaced. */
  version = 0;
  readonly #buffers: DeviceBuffer[] = [];
  #failures: Promise<GPUError | null>[] = [];

  constructor(device: GPUDevice) {
    this.device = device;
  }

  make(name: string, usage: number = STORAGE): DeviceBuffer {
    const buffer = new DeviceBuffer(this, name, usage);
    this.#buffers.push(buffer);
    return buffer;
  }

  create(name: string, size: number, usage: number): GPUBuffer {
    const { maxBufferSize, maxStorageBufferBindingSize } = this.device.limits;
    const [limit, most] =
      usage & Usage.storage && maxStorageBufferBindingSize < maxBufferSize
        ? ['maxStorageBufferBindingSize', maxStorageBufferBindingSize]
        : ['maxBufferSize', maxBufferSize];
    if (size > most) {
      throw new ImpingeError('unsupported', `WebGPU: ${name} take ${size} bytes, ${limit} is ${most}`, {
        limit,
      });
    }
    this.version++;
    this.device.pushErrorScope('validation');
    this.device.pushErrorScope('out-of-memory');
    try {
      return this.device.createBuffer({ label: `impinge ${name}`, size, usage });
    } finally {
      this.#failures.push(this.device.popErrorScope(), this.device.popErrorScope());
    }
  }

  /** Whether buffers were made since `settle`. */
  get pending(): boolean {
    return this.#failures.length > 0;
  }

  /** Waits for the verdict on the buffers made. */
  async settle(): Promise<void> {
    const failures = this.#failures;
    this.#failures = [];
    for (const failure of await Promise.all(failures)) {
      if (!failure) continue;
      const memory = typeof GPUOutOfMemoryError !== 'undefined' && failure instanceof GPUOutOfMemoryError;
      throw new ImpingeError(memory ? 'out-of-memory' : 'unsupported', `WebGPU: ${failure.message}`);
    }
  }

  dispose(): void {
    for (const buffer of this.#buffers) buffer.dispose();
  }
}

export class DeviceBuffer {
  readonly #store: BufferStore;
  readonly #name: string;
  readonly #usage: number;
  #buffer: GPUBuffer | undefined;
  /** Its size: asking the buffer takes longer. */
  #size = 0;

  constructor(store: BufferStore, name: string, usage: number) {
    this.#store = store;
    this.#name = name;
    this.#usage = usage;
  }

  get buffer(): GPUBuffer {
    return this.#buffer!;
  }

  /** Makes room for `bytes`; returns whether the buffer is a new one. A new one is all 0. */
  reserve(bytes: number, slack = 1.25): boolean {
    if (bytes <= this.#size && bytes > 0) return false;
    const { maxBufferSize, maxStorageBufferBindingSize } = this.#store.device.limits;
    const most = Math.min(maxBufferSize, maxStorageBufferBindingSize);
    // with room to spare, unless that alone would pass a limit
    const roomy = Math.max(256, Math.ceil((slack * bytes) / 256) * 256);
    const size = roomy <= most ? roomy : Math.ceil(bytes / 16) * 16;
    this.dispose();
    this.#buffer = this.#store.create(this.#name, size, this.#usage);
    this.#size = size;
    return true;
  }

  dispose(): void {
    this.#buffer?.destroy();
    this.#buffer = undefined;
    this.#size = 0;
  }
}
