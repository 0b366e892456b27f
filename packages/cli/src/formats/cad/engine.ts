/**
 * occt-import-js in a separate thread: OpenCASCADE, compiled to WebAssembly, triangulates STEP and IGES. It is not
 * installed with the command, being large and under another licence. It trusts its input, as web-ifc does; in its own
 * thread it cannot stop the process, its output is discarded, its memory is capped, and it is terminated when it takes
 * too long.
 */
import { createRequire } from 'node:module';
import { Worker } from 'node:worker_threads';
import { FormatError } from '../format-error.js';

export const PACKAGE = 'occt-import-js';

export interface CadMesh {
  readonly name: string;
  readonly positions: Float64Array;
  readonly indices: Uint32Array;
}

export interface CadNode {
  readonly name: string;
  /** Numbers of meshes, which are in world coordinates. */
  readonly meshes: readonly number[];
  readonly children: readonly CadNode[];
}

export interface CadModel {
  readonly root: CadNode;
  readonly meshes: readonly CadMesh[];
}

export interface CadOptions {
  readonly method: 'ReadStepFile' | 'ReadIgesFile';
  /** Maximum distance of facets from the surface, in millimetres. */
  readonly deflection: number;
  readonly memoryBytes: number;
  readonly limitMs: number;
  readonly signal?: AbortSignal;
}

interface Task extends Omit<CadOptions, 'signal' | 'limitMs'> {
  readonly module: string;
  readonly bytes: Uint8Array;
}

type Answer = { readonly model: CadModel } | { readonly error: string };

/** Where the package is; undefined where it is not installed. */
export function cadModule(): string | undefined {
  try {
    return createRequire(import.meta.url).resolve(PACKAGE);
  } catch {
    return undefined;
  }
}

/** Coordinates in millimetres, Z up; `path` is for messages. */
export async function readCad(path: string, bytes: Uint8Array, options: CadOptions): Promise<CadModel> {
  const { signal, limitMs, ...asked } = options;
  const module = cadModule();
  if (module === undefined) {
    throw new FormatError(
      path,
      `${PACKAGE} is needed to read it, and is not installed; run npm install ${PACKAGE}`,
    );
  }
  signal?.throwIfAborted();
  const task: Task = { ...asked, module, bytes };
  const worker = new Worker(`(${serve.toString()})(require)`, {
    eval: true,
    stdout: true,
    stderr: true,
    workerData: task,
  });
  const refusal = (why: string) =>
    new FormatError(path, `it cannot be read; the file is damaged, or too large (${why.slice(0, 120)})`);
  let timer: NodeJS.Timeout | undefined;
  let onAbort = () => {};
  try {
    return await new Promise<CadModel>((resolve, reject) => {
      onAbort = () => reject(signal?.reason);
      signal?.addEventListener('abort', onAbort);
      timer = setTimeout(() => reject(refusal(`no end after ${Math.round(limitMs / 1000)} s`)), limitMs);
      worker.on('message', (answer: Answer) =>
        'model' in answer ? resolve(answer.model) : reject(refusal(answer.error)),
      );
      worker.on('error', (error) => reject(refusal(error.message)));
      worker.on('exit', () => reject(refusal('it ended')));
    });
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', onAbort);
    await worker.terminate();
  }
}

/** The thread: complete in itself, because it is handed over as text. */
function serve(load: NodeJS.Require): void {
  interface OcctMesh {
    readonly name: string;
    readonly attributes: { readonly position: { readonly array: readonly number[] } };
    readonly index: { readonly array: readonly number[] };
  }
  interface Occt {
    ReadStepFile(bytes: Uint8Array, settings: unknown): OcctResult;
    ReadIgesFile(bytes: Uint8Array, settings: unknown): OcctResult;
  }
  type OcctResult = {
    readonly success: boolean;
    readonly root: CadNode;
    readonly meshes: readonly OcctMesh[];
  };
  const { parentPort, workerData } = load('node:worker_threads') as typeof import('node:worker_threads');
  const port = parentPort!;
  const { module, bytes, method, deflection, memoryBytes } = workerData as Task;
  const grow = WebAssembly.Memory.prototype.grow;
  WebAssembly.Memory.prototype.grow = function (pages: number) {
    if (this.buffer.byteLength + 65_536 * pages > memoryBytes) throw new RangeError('out of memory');
    return grow.call(this, pages);
  };
  const answer = (message: Answer, buffers: ArrayBuffer[] = []) => port.postMessage(message, buffers);
  const open = load(module) as () => Promise<Occt>;
  open()
    .then((occt) => {
      const found = occt[method](bytes, {
        linearUnit: 'millimeter',
        linearDeflectionType: 'absolute_value',
        linearDeflection: deflection,
        angularDeflection: 0.5,
      });
      if (!found.success) {
        answer({ error: 'nothing in it is supported' });
        return;
      }
      const meshes = found.meshes.map((mesh) => ({
        name: mesh.name,
        positions: Float64Array.from(mesh.attributes.position.array),
        indices: Uint32Array.from(mesh.index.array),
      }));
      const buffers = meshes.flatMap(({ positions, indices }) => [positions.buffer, indices.buffer]);
      answer({ model: { root: found.root, meshes } }, buffers);
    })
    .catch((error: unknown) => answer({ error: error instanceof Error ? error.message : String(error) }));
}
