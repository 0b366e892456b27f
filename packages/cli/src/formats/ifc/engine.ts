/**
 * web-ifc in a separate thread. It turns IFC entities into triangles, and it trusts its input: a wrong reference can
 * make it loop for ever, or exhaust its stack or memory. In its own thread it cannot stop the process, its output is
 * discarded, and it can be terminated at any moment; and it works ahead while its triangles are being written.
 *
 * Invariant: calls are answered in their order. After a failure every call fails with the same error.
 */
import { createRequire } from 'node:module';
import { Worker } from 'node:worker_threads';
import { FormatError } from '../format-error.js';
import { BytePatches } from './byte-patches.js';

/** One value of an entity; text is decoded, numbers are numbers, `$` and `*` are null. */
export type StepValue = null | string | number | boolean | StepReference | readonly StepValue[];

export interface StepReference {
  readonly ref: number;
}

export interface StepLine {
  readonly id: number;
  /** `IfcWall`; empty where the entity's type is unknown. */
  readonly type: string;
  readonly values: readonly StepValue[];
}

/** Access to entities. */
export type StepLines = Pick<IfcEngine, 'idsOf' | 'lines'>;

/** Triangles of a product and where they are: sixteen entries, column-major, Y up, in the file's unit. */
export interface IfcPart {
  readonly matrix: readonly number[];
  /** Six numbers per vertex: position and normal. */
  readonly vertices: Float32Array;
  readonly indices: Uint32Array;
}

export interface IfcEngineOptions {
  readonly memoryBytes: number;
  readonly signal?: AbortSignal;
  /** Time limit for one product, in milliseconds, after which the file is considered damaged. */
  readonly stallMs: number;
  /** Default corners of a circle, the first one counted twice. */
  readonly segments: number;
  /** The limits for one product. */
  readonly limits: { readonly mostParts: number; readonly mostPartBytes: number };
}

/** Opening is granted this much time per byte on top. */
const MS_PER_BYTE = 1 / 500;
/** web-ifc reads in pieces of this size, and lets go of them when the limit is reached. */
const TAPE_BYTES = 1 << 20;
const MIN_TAPE_MEMORY = 64 << 20;

interface OpenArgument {
  readonly fd: number;
  readonly settings: { readonly CIRCLE_SEGMENTS: number };
  readonly patches: Float64Array;
  readonly limits: IfcEngineOptions['limits'];
}

interface PartsArgument {
  readonly id: number;
  readonly segments: number;
}

interface Call {
  readonly method: string;
  readonly argument: unknown;
}

type Answer = { readonly value: unknown } | { readonly error: string };

interface Pending {
  readonly what: string;
  readonly limitMs: number;
  readonly resolve: (value: never) => void;
  readonly reject: (error: unknown) => void;
}

/** V8's compiled code of web-ifc: of its WebAssembly, and of its six megabytes of text. */
interface Compiled {
  readonly wasm?: WebAssembly.Module;
  readonly text?: Uint8Array;
}

interface ServeOptions {
  readonly compiled: Compiled;
  readonly isTextWanted: boolean;
}

/**
 * Passed from thread to thread: compiling takes two thirds of the time until a small file is open. The text takes
 * memory that a single file does not justify: it is kept from the second file on.
 */
let compiled: Compiled = {};
let engines = 0;

export class IfcEngine {
  readonly #file: string;
  readonly #options: IfcEngineOptions;
  readonly #worker: Worker;
  readonly #pending: Pending[] = [];
  readonly #onAbort = () => this.#fail(this.#options.signal?.reason);
  #timer: NodeJS.Timeout | undefined;
  #failure: { readonly error: unknown } | undefined;

  private constructor(file: string, options: IfcEngineOptions) {
    this.#file = file;
    this.#options = options;
    const module = createRequire(import.meta.url).resolve('web-ifc');
    engines++;
    this.#worker = new Worker(`(${serve.toString()})(require, ${JSON.stringify(module)})`, {
      eval: true,
      stdout: true,
      stderr: true,
      workerData: { compiled, isTextWanted: engines > 1 && !compiled.text } satisfies ServeOptions,
    });
    this.#worker.on('message', (answer: Answer | { readonly compiled: Compiled }) => {
      if ('compiled' in answer) compiled = { ...compiled, ...answer.compiled };
      else this.#take(answer);
    });
    this.#worker.on('error', (error) => this.#fail(this.#refusal(error.message)));
    this.#worker.on('exit', () => this.#fail(this.#refusal('it ended')));
    options.signal?.addEventListener('abort', this.#onAbort);
  }

  /**
   * Opens the STEP file behind `fd` (`path` is for messages), which must have passed `checkStep`, whose patches these
   * are; refuses files other than IFC.
   */
  static async open(
    path: string,
    fd: number,
    byteLength: number,
    options: IfcEngineOptions,
    patches: BytePatches = new BytePatches(),
  ): Promise<IfcEngine> {
    options.signal?.throwIfAborted();
    const engine = new IfcEngine(path, options);
    const settings = {
      TAPE_SIZE: TAPE_BYTES,
      MEMORY_LIMIT: Math.min(2 ** 31, Math.max(MIN_TAPE_MEMORY, options.memoryBytes)),
      CIRCLE_SEGMENTS: options.segments,
    };
    try {
      const limitMs = options.stallMs + byteLength * MS_PER_BYTE;
      const isOpen = await engine.#call<boolean>(
        'open',
        { fd, settings, patches: patches.toNumbers(), limits: options.limits } satisfies OpenArgument,
        'the file',
        limitMs,
      );
      if (!isOpen) throw new FormatError(path, 'its schema is not IFC2X3, IFC4 or IFC4X3');
      return engine;
    } catch (error) {
      await engine.close();
      throw error;
    }
  }

  /** The numbers of all elements that may have a shape, by type, each in the order of the file. */
  elements(): Promise<readonly { readonly type: string; readonly ids: readonly number[] }[]> {
    return this.#call('elements', undefined, 'the list of its elements');
  }

  /** The numbers of the entities of exactly this type, `IFCSIUNIT`. */
  idsOf(type: string): Promise<readonly number[]> {
    return this.#call('idsOf', type, `the list of ${type}`);
  }

  /** The entities with these numbers; missing ones are left out. */
  lines(ids: readonly number[]): Promise<readonly StepLine[]> {
    return ids.length === 0 ? Promise.resolve([]) : this.#call('lines', ids, `#${ids[0]}`);
  }

  /**
   * The triangles of a product, without empty parts, with this many corners of a circle. The file is reopened for each
   * new number, so keep products with the same number together.
   */
  parts(id: number, segments = this.#options.segments): Promise<readonly IfcPart[]> {
    return this.#call('parts', { id, segments } satisfies PartsArgument, `#${id}`);
  }

  async close(): Promise<void> {
    this.#fail(new FormatError(this.#file, 'has been closed'));
    await this.#worker.terminate();
  }

  #call<T>(method: string, argument: unknown, what: string, limitMs = this.#options.stallMs): Promise<T> {
    const promise = new Promise<T>((resolve, reject) => {
      if (this.#failure !== undefined) return reject(this.#failure.error);
      this.#pending.push({ what, limitMs, resolve, reject });
      if (this.#pending.length === 1) this.#watch();
      this.#worker.postMessage({ method, argument } satisfies Call);
    });
    // calls made ahead may fail before they are awaited
    promise.catch(() => undefined);
    return promise;
  }

  #take(answer: Answer): void {
    const first = this.#pending[0];
    if (first === undefined) return;
    if ('error' in answer) {
      this.#fail(this.#refusal(answer.error));
      return;
    }
    this.#pending.shift();
    first.resolve(answer.value as never);
    this.#watch();
  }

  /** Gives the call that is being answered its time. */
  #watch(): void {
    clearTimeout(this.#timer);
    const first = this.#pending[0];
    if (first === undefined) return;
    const seconds = Math.round(first.limitMs / 1000);
    this.#timer = setTimeout(() => {
      this.#fail(this.#refusal(`no end after ${seconds} s`));
      void this.#worker.terminate();
    }, first.limitMs);
  }

  #refusal(why: string): FormatError {
    const where = this.#pending[0]?.what ?? '';
    return new FormatError(
      this.#file,
      `it cannot be read; the file is damaged (${why.slice(0, 120)})`,
      where,
    );
  }

  #fail(error: unknown): void {
    if (this.#failure !== undefined) return;
    this.#failure = { error };
    clearTimeout(this.#timer);
    this.#options.signal?.removeEventListener('abort', this.#onAbort);
    for (const { reject } of this.#pending.splice(0)) reject(error);
    // an abort does not wait for the current call
    void this.#worker.terminate();
  }
}

/** The part of web-ifc that the thread uses. */
interface WebIfc {
  readonly IfcAPI: new () => WebIfcApi;
  readonly LogLevel: { readonly LOG_LEVEL_OFF: number };
}

interface Vector<T> {
  get(index: number): T;
  size(): number;
  delete(): void;
}

interface WebIfcApi {
  Init(): Promise<void>;
  SetLogLevel(level: number): void;
  OpenModelFromCallback(read: (offset: number, count: number) => Uint8Array, settings: unknown): number;
  CloseModel(model: number): void;
  GetIfcEntityList(model: number): number[];
  IsIfcElement(type: number): boolean;
  GetNameFromTypeCode(type: number): string;
  GetTypeCodeFromName(name: string): number;
  GetLineIDsWithType(model: number, type: number): Vector<number>;
  GetRawLinesData(model: number, ids: number[]): RawLine[];
  GetFlatMesh(model: number, id: number, inMetres: boolean): FlatMesh;
  ResetCache(model: number): void;
  GetGeometry(model: number, id: number): IfcGeometry;
  GetVertexArray(pointer: number, size: number): Float32Array;
  GetIndexArray(pointer: number, size: number): Uint32Array;
}

interface RawLine {
  readonly ID?: number;
  readonly type: number;
  readonly arguments: readonly RawValue[];
}

type RawValue = null | readonly RawValue[] | { type: number; value?: unknown; typecode?: number };

interface FlatMesh {
  readonly geometries: Vector<{ geometryExpressID: number; flatTransformation: number[] }>;
}

interface IfcGeometry {
  GetVertexData(): number;
  GetVertexDataSize(): number;
  GetIndexData(): number;
  GetIndexDataSize(): number;
  delete(): void;
}

/** The thread: complete in itself, because it is handed over as text. `module` is where web-ifc is. */
function serve(load: NodeJS.Require, module: string): void {
  const LABEL = 2;
  const REAL = 4;
  const REFERENCE = 5;
  /** Limit of web-ifc's cache of meshes already handed over, and the least that one takes, in bytes. */
  const MAX_CACHED_BYTES = 16e6;
  const CACHED_MESH_BYTES = 1e4;
  const fs = load('node:fs') as typeof import('node:fs');
  const vm = load('node:vm') as typeof import('node:vm');
  const modules = load('node:module') as typeof import('node:module');
  const path = load('node:path') as typeof import('node:path');
  const threads = load('node:worker_threads') as typeof import('node:worker_threads');
  const port = threads.parentPort!;
  const { compiled, isTextWanted } = threads.workerData as ServeOptions;
  let wasm = compiled.wasm;
  WebAssembly.instantiate = (async (bytes: BufferSource, imports: WebAssembly.Imports) => {
    wasm ??= await WebAssembly.compile(bytes);
    return { module: wasm, instance: new WebAssembly.Instance(wasm, imports) };
  }) as typeof WebAssembly.instantiate;
  const script = new vm.Script(modules.wrap(fs.readFileSync(module, 'utf8')), {
    filename: module,
    ...(compiled.text && { cachedData: compiled.text }),
  });
  const loaded = { exports: {} };
  const run = script.runInThisContext() as (...names: unknown[]) => void;
  run(loaded.exports, modules.createRequire(module), loaded, module, path.dirname(module));
  const webIfc = loaded.exports as WebIfc;
  const api = new webIfc.IfcAPI();
  const ready = api.Init().then(() => {
    api.SetLogLevel(webIfc.LogLevel.LOG_LEVEL_OFF);
    port.postMessage({ compiled: { wasm: wasm! } satisfies Compiled });
    if (!isTextWanted) return;
    // shared: every thread after this one takes the same bytes
    const bytes = script.createCachedData();
    const text = new Uint8Array(new SharedArrayBuffer(bytes.length));
    text.set(bytes);
    port.postMessage({ compiled: { text } satisfies Compiled });
  });
  let model = -1;
  /** Opens the file again, with other settings. */
  let openAgain: (segments: number) => number = () => -1;
  /** The model currently used for triangles, and its segments; `model` has all the entities. */
  let shaping = -1;
  let shapingSegments = 0;
  let cachedBytes = 0;
  let mostParts = 0;
  let mostPartBytes = 0;

  const idsOfType = (type: number): number[] => {
    const found = api.GetLineIDsWithType(model, type);
    const ids = Array.from({ length: found.size() }, (_, i) => found.get(i));
    found.delete();
    return ids;
  };

  /** The first of these ranges that reaches past `offset`; they are sorted, and do not overlap. */
  const firstPatch = (patches: Float64Array, offset: number): number => {
    let low = 0;
    let high = patches.length / 3;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (patches[3 * middle + 1] <= offset) low = middle + 1;
      else high = middle;
    }
    return 3 * low;
  };

  const stepValue = (raw: RawValue): StepValue => {
    if (raw === null || raw === undefined) return null;
    if (Array.isArray(raw)) return raw.map(stepValue);
    const { type, value, typecode } = raw as { type: number; value?: unknown; typecode?: number };
    if (type === REFERENCE) return { ref: value as number };
    if (type === REAL) return Number(value);
    if (type === LABEL && typeof value === 'string') {
      // reals arrive as text here; a measure must be a number
      const name = api.GetNameFromTypeCode(typecode!);
      const isReal = name === 'IfcReal' || (name.endsWith('Measure') && name !== 'IfcDescriptiveMeasure');
      return isReal && Number.isFinite(Number(value)) ? Number(value) : value;
    }
    return (value ?? null) as StepValue;
  };

  const methods: Record<string, (argument: never) => unknown> = {
    open: ({ fd, settings, patches, limits }: OpenArgument) => {
      ({ mostParts, mostPartBytes } = limits);
      const read = (offset: number, count: number) => {
        const bytes = new Uint8Array(count);
        const end = offset + fs.readSync(fd, bytes, 0, count, offset);
        for (let at = firstPatch(patches, offset); at < patches.length && patches[at] < end; at += 3) {
          bytes.fill(
            patches[at + 2],
            Math.max(0, patches[at] - offset),
            Math.min(end, patches[at + 1]) - offset,
          );
        }
        return bytes.subarray(0, end - offset);
      };
      model = api.OpenModelFromCallback(read, settings);
      shaping = model;
      shapingSegments = settings.CIRCLE_SEGMENTS;
      openAgain = (segments) =>
        segments === settings.CIRCLE_SEGMENTS
          ? model
          : api.OpenModelFromCallback(read, { ...settings, CIRCLE_SEGMENTS: segments });
      return model >= 0;
    },
    elements: () =>
      api
        .GetIfcEntityList(model)
        .filter((type) => api.IsIfcElement(type))
        .map((type) => ({ type: api.GetNameFromTypeCode(type), ids: idsOfType(type) }))
        .filter(({ ids }) => ids.length > 0),
    idsOf: (name: string) => idsOfType(api.GetTypeCodeFromName(name)),
    lines: (ids: number[]) =>
      api
        .GetRawLinesData(model, ids)
        .filter((line) => line.ID !== undefined)
        .map((line) => ({
          id: line.ID,
          type: api.GetNameFromTypeCode(line.type),
          values: line.arguments.map(stepValue),
        })),
    parts: ({ id, segments }: PartsArgument) => {
      const parts: IfcPart[] = [];
      if (segments !== shapingSegments) {
        if (shaping === model) api.ResetCache(model);
        else api.CloseModel(shaping);
        shaping = openAgain(segments);
        shapingSegments = segments;
        cachedBytes = 0;
      }
      // not StreamMeshes: it always applies the scale to metres
      const mesh = api.GetFlatMesh(shaping, id, false);
      // maps of maps of maps
      const count = mesh.geometries.size();
      if (count > mostParts) throw new Error(`${count} parts in one product`);
      let partBytes = 0;
      for (let i = 0; i < mesh.geometries.size(); i++) {
        const placed = mesh.geometries.get(i);
        const geometry = api.GetGeometry(shaping, placed.geometryExpressID);
        const vertices = api.GetVertexArray(geometry.GetVertexData(), geometry.GetVertexDataSize()).slice();
        const indices = api.GetIndexArray(geometry.GetIndexData(), geometry.GetIndexDataSize()).slice();
        geometry.delete();
        cachedBytes += CACHED_MESH_BYTES + vertices.byteLength + indices.byteLength;
        partBytes += vertices.byteLength + indices.byteLength;
        if (partBytes > mostPartBytes) throw new Error(`one product takes more than ${mostPartBytes} bytes`);
        if (indices.length > 0) parts.push({ matrix: placed.flatTransformation, vertices, indices });
      }
      mesh.geometries.delete();
      if (cachedBytes > MAX_CACHED_BYTES) {
        api.ResetCache(shaping);
        cachedBytes = 0;
      }
      return parts;
    },
  };

  port.on('message', async ({ method, argument }: Call) => {
    try {
      await ready;
      const value = methods[method](argument as never);
      const buffers = method === 'parts' ? (value as IfcPart[]).flatMap((p) => [p.vertices, p.indices]) : [];
      port.postMessage({ value } satisfies Answer, [
        ...new Set(buffers.map(({ buffer }) => buffer as ArrayBuffer)),
      ]);
    } catch (error) {
      port.postMessage({ error: error instanceof Error ? error.message : String(error) } satisfies Answer);
    }
  });
}
