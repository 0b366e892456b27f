/** The device of the benchmark: WebGPU from the optional package `webgpu`, or the CPU. */
import { cpus } from 'node:os';
import { CommandError } from '@impinge/cli/internal/command-error.js';
import { type CullingDevice, requestGpu } from '@impinge/gpu';
import { nodePool } from 'impinge/node';

export interface BenchDevice {
  readonly kind: 'webgpu' | 'cpu';
  readonly device: CullingDevice;
  /** For display. */
  readonly description: string;
  close(): Promise<void>;
}

export interface DeviceChoice {
  /** By default WebGPU if available, else the CPU. */
  readonly backend?: 'webgpu' | 'cpu';
  /** Threads of the CPU's rasteriser; 0: the calling thread. */
  readonly workers: number;
  /** Called with the reason if the CPU replaces WebGPU. */
  readonly say: (message: string) => void;
}

/** The exports of the package `webgpu`. */
interface WebGpuPackage {
  readonly create: (options: string[]) => GPU;
  readonly globals: object;
}

const PACKAGE = 'webgpu';
/** Timestamps of the device to the nanosecond. */
const DAWN_OPTIONS = [
  'enable-dawn-features=allow_unsafe_apis',
  'disable-dawn-features=timestamp_quantization',
];
/** Never released: devices crash when the object that made them is collected. */
let instance: GPU | undefined;

export async function openDevice(choice: DeviceChoice): Promise<BenchDevice> {
  if (choice.backend === 'cpu') return cpuDevice(choice.workers);
  const found = await webGpuDevice();
  if ('kind' in found) return found;
  if (choice.backend === 'webgpu') throw new CommandError(`--backend webgpu: ${found.reason}`);
  choice.say(`${found.reason}; the CPU takes its place`);
  return cpuDevice(choice.workers);
}

function cpuDevice(workers: number): BenchDevice {
  const model = cpus()[0]?.model.trim() ?? 'CPU';
  if (workers === 0) return { kind: 'cpu', device: 'cpu', description: model, close: async () => {} };
  const pool = nodePool(workers);
  return {
    kind: 'cpu',
    device: pool,
    description: `${model}, ${workers} ${workers === 1 ? 'thread' : 'threads'}`,
    close: () => pool.dispose(),
  };
}

async function webGpuDevice(): Promise<BenchDevice | { readonly reason: string }> {
  if (instance === undefined) {
    try {
      const { create, globals } = (await import(PACKAGE)) as WebGpuPackage;
      Object.assign(globalThis, globals);
      instance = create(DAWN_OPTIONS);
    } catch (error) {
      const missing = (error as NodeJS.ErrnoException).code === 'ERR_MODULE_NOT_FOUND';
      const why = missing ? 'is not installed (npm install webgpu)' : `fails: ${(error as Error).message}`;
      return { reason: `the package webgpu ${why}` };
    }
  }
  const { device, reason } = await requestGpu(instance);
  if (device === undefined) return { reason };
  const { vendor, architecture, device: model, description } = device.adapterInfo;
  const described = description || [vendor, architecture].filter((part) => part !== '').join(' ');
  return {
    kind: 'webgpu',
    device,
    description: model || described || 'WebGPU',
    close: async () => device.destroy(),
  };
}
