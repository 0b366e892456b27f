/** The input on the device: sends the data a request needs, and makes room for its results. */
import { ImpingeError } from 'impinge/internal/base/errors.js';
import { type CullingInput, type CullingRequest, TABLE_STRIDE } from '../backend.js';
import type { BufferStore } from './device-buffer.js';
import { GeometryPool } from './geometry-pool.js';
import { MET_WORD, SLOTS_PER_BLOCK, Usage } from './layout.js';
import type { SentRequest } from './sent-request.js';

/** All pairs of more objects than this are no longer a matter of milliseconds. */
const MAX_OBJECTS = 2 ** 17;
/** Limits that the kernels rely on. */
const NEEDED = { maxStorageBuffersPerShaderStage: 8, maxComputeInvocationsPerWorkgroup: 256 } as const;

/** The capacity of the uniform in raster.wgsl.ts. */
const MAX_VIEWS = 32;
const VIEW_BYTES = 48 * MAX_VIEWS;

export class DeviceInput {
  readonly pool: GeometryPool;
  readonly views;
  readonly #queue: GPUQueue;
  readonly #limits: GPUSupportedLimits;
  readonly #parts;
  readonly #objects;
  readonly #ids;
  readonly #table;
  readonly #placed;
  readonly #boxes;
  readonly #state;
  #limitsChecked = false;
  #layout = -1;
  #listed: CullingInput['objects'] | undefined;

  constructor(store: BufferStore) {
    this.#queue = store.device.queue;
    this.#limits = store.device.limits;
    this.pool = new GeometryPool(store);
    this.views = store.make('views', Usage.uniform | Usage.copyTarget);
    this.#parts = store.make('parts');
    this.#objects = store.make('objects');
    this.#ids = store.make('ids');
    this.#table = store.make('poses');
    this.#placed = store.make('placed triangles');
    this.#boxes = store.make('boxes');
    this.#state = store.make('flags');
  }

  /** Sends changes of the input: meshes, parts, poses. */
  bring(input: CullingInput, request: CullingRequest): SentRequest {
    const { objects, partBase, partSize, table } = input;
    const objectCount = objects.length;
    const partCount = partBase[objectCount];
    const slotCount = partCount * partSize;
    this.#assertWithin(objectCount);
    const laidOutAnew = input.layout !== this.#layout || objects !== this.#listed;
    this.#layout = input.layout;
    this.#listed = objects;
    this.pool.update(input, laidOutAnew, this.#queue);
    this.#sendParts(input, partCount, laidOutAnew);
    this.#sendObjects(input, laidOutAnew);
    this.#table.reserve(table.byteLength);
    // the standard takes memory shared with workers, its types do not
    const numbers = table as Float32Array<ArrayBuffer>;
    this.#queue.writeBuffer(this.#table.buffer, 0, numbers, 0, TABLE_STRIDE * objectCount);
    this.views.reserve(VIEW_BYTES);
    if (request.stages.length > 0) {
      this.#queue.writeBuffer(this.views.buffer, 0, viewRows(request, input.half));
    }
    const objectWord = MET_WORD + objectCount;
    const partWord = objectWord + objectCount;
    const slotWord = partWord + partCount;
    const tallyWord = slotWord + slotCount;
    const blockWord = tallyWord + slotCount;
    this.#placed.reserve(36 * slotCount);
    this.#boxes.reserve(32 * (partCount + objectCount));
    this.#state.reserve(4 * (blockWord + Math.ceil(slotCount / SLOTS_PER_BLOCK)));
    return {
      input,
      request,
      objectCount,
      partCount,
      slotCount,
      objectWord,
      partWord,
      slotWord,
      tallyWord,
      blockWord,
      parts: this.#parts.buffer,
      objects: this.#objects.buffer,
      ids: this.#ids.buffer,
      table: this.#table.buffer,
      placed: this.#placed.buffer,
      boxes: this.#boxes.buffer,
      state: this.#state.buffer,
    };
  }

  #assertWithin(objectCount: number): void {
    if (objectCount > MAX_OBJECTS) {
      throw new ImpingeError(
        'unsupported',
        `WebGPU: ${objectCount} objects, at most ${MAX_OBJECTS} are possible`,
      );
    }
    if (this.#limitsChecked) return;
    for (const limit of Object.keys(NEEDED) as (keyof typeof NEEDED)[]) {
      if (this.#limits[limit] < NEEDED[limit]) {
        const message = `WebGPU: ${limit} is ${this.#limits[limit]}, ${NEEDED[limit]} is needed`;
        throw new ImpingeError('unsupported', message, { limit });
      }
    }
    this.#limitsChecked = true;
  }

  /** Layout as in sent-request.ts. Sent when objects changed. */
  #sendParts({ objects, partBase, partSize }: CullingInput, partCount: number, laidOutAnew: boolean): void {
    const renewedParts = this.#parts.reserve(16 * partCount);
    const renewedIds = this.#ids.reserve(4 * objects.length);
    if (!renewedParts && !renewedIds && !laidOutAnew) return;
    const parts = new Uint32Array(4 * partCount);
    const ids = new Uint32Array(objects.length);
    for (let o = 0; o < objects.length; o++) {
      const { id, mesh } = objects[o];
      const first = this.pool.firstTriangle(mesh);
      ids[o] = id;
      for (let part = partBase[o], t = 0; part < partBase[o + 1]; part++, t += partSize) {
        parts[4 * part] = o;
        parts[4 * part + 1] = first + t;
        parts[4 * part + 2] = Math.min(partSize, mesh.triangleCount - t);
        parts[4 * part + 3] = partBase[o];
      }
    }
    this.#queue.writeBuffer(this.#parts.buffer, 0, parts);
    this.#queue.writeBuffer(this.#ids.buffer, 0, ids);
  }

  /** Sent when objects came or went. */
  #sendObjects({ objects, partBase }: CullingInput, laidOutAnew: boolean): void {
    const renewed = this.#objects.reserve(4 * (objects.length + 1));
    if (renewed || laidOutAnew)
      this.#queue.writeBuffer(this.#objects.buffer, 0, partBase as Uint32Array<ArrayBuffer>);
  }
}

/** Rows u, v, w of each view, four numbers each; the fourth of u and v is the number of pixels per unit. */
function viewRows({ views, resolution }: CullingRequest, half: readonly number[]): Float32Array<ArrayBuffer> {
  const rows = new Float32Array(12 * MAX_VIEWS);
  const count = Math.min(MAX_VIEWS, views.length / 9);
  for (let row = 0; row < 3 * count; row++) {
    let extent = 0;
    for (let k = 0; k < 3; k++) {
      rows[4 * row + k] = views[3 * row + k];
      extent += Math.abs(views[3 * row + k]) * half[k];
    }
    if (row % 3 < 2) rows[4 * row + 3] = resolution / (2 * extent);
  }
  return rows;
}
