/**
 * Culling with SIMD kernels: boxes of objects from those of their meshes, pairs of objects that are near each other,
 * then the triangles of these. Only objects in a pair, or tested against themselves, are placed.
 */
import { arena } from 'impinge/internal/base/arena.js';
import { ArenaBuffer } from 'impinge/internal/base/arena-buffer.js';
import { ranges, type Work } from 'impinge/internal/kernel/schedule.js';
import { type BackendResult, type CullingInput, type CullingRequest, Row, TABLE_STRIDE } from '../backend.js';
import { gpuKernels } from '../kernels.generated.js';
import { HEIGHT_SHIFT, ObjectField, TASK_BYTES } from '../layout.generated.js';
import { ObjectTable } from './object-table.js';
import { PairSearch } from './pair-search.js';

/** An object with more triangles is placed in several calls, if there are threads. */
const LARGE = 16_384;

export class HostStages {
  readonly #table = new ObjectTable();
  readonly #search = new PairSearch();
  /** Pairs of objects, and objects against themselves, as tasks. */
  readonly #pairs = new ArenaBuffer();
  readonly #own = new ArenaBuffer();
  /** Objects that are placed. */
  readonly #list = new ArenaBuffer();

  *find(input: CullingInput, request: CullingRequest, parts: number): Work<BackendResult> {
    const startedMs = request.now();
    const count = input.objects.length;
    this.#search.begin();
    if (count > 0) this.#table.write(input);
    const writtenMs = request.now();
    const pairs = count > 0 ? this.#pairObjects(count) : 0;
    const listed = this.#listPaired(input, pairs);
    const objects = arena()
      .u32()
      .slice(this.#list.at >>> 2, (this.#list.at >>> 2) + listed);
    if (request.kind === 'pairs') {
      yield* this.#place(input, listed, parts);
      if (this.#orderNew(input, objects)) yield* this.#place(input, listed, parts);
      const undecided = request.distance > 0;
      yield* this.#findOwnPairs(input, undecided, parts);
      yield* this.#search.run(this.#table.at, this.#pairs.at, pairs, undecided, parts);
    }
    const doneMs = request.now();
    return {
      objects,
      meeting: this.#search.meeting,
      doubtful: this.#search.doubtful,
      stages: [],
      candidates: this.#search.candidates,
      ms: { calls: writtenMs - startedMs, device: doneMs - writtenMs, wait: doneMs - writtenMs },
    };
  }

  /** Writes the pairs of objects whose boxes meet as tasks; returns their number. */
  #pairObjects(count: number): number {
    const kernels = gpuKernels.kernels();
    const { at, scene, keys, spare } = this.#table;
    kernels.boundObjects(at, 0, count);
    kernels.fitScene(at, scene, keys, spare);
    for (;;) {
      const capacity = Math.floor(this.#pairs.bytes / TASK_BYTES);
      const found = kernels.pairObjects(at, scene, this.#pairs.at, capacity);
      if (found <= capacity) return found;
      this.#pairs.reserve(TASK_BYTES * found);
    }
  }

  /** Lists the objects in a pair or to be tested against themselves, in rising order; returns their number. */
  #listPaired({ objects, table }: CullingInput, pairs: number): number {
    const count = objects.length;
    const list = this.#list.reserve(4 * count) >>> 2;
    const words = arena().u32();
    const paired = new Uint8Array(count);
    for (let i = this.#pairs.at >>> 2, end = i + (TASK_BYTES / 4) * pairs; i < end; i += TASK_BYTES / 4) {
      paired[words[i]] = 1;
      paired[words[i + 1]] = 1;
    }
    let listed = 0;
    for (let o = 0; o < count; o++) {
      if (paired[o] || table[TABLE_STRIDE * o + Row.self]) words[list + listed++] = o;
    }
    return listed;
  }

  *#place({ objects }: CullingInput, listed: number, parts: number): Work<void> {
    const list = this.#list.at;
    const { at } = this.#table;
    if (parts === 1) {
      yield [gpuKernels.call('placeObjects', at, list, 0, listed)];
      return;
    }
    // small objects in runs of about the same number of triangles, large ones in pieces
    const calls = [];
    const large: number[] = [];
    const words = arena().u32();
    let from = 0;
    let triangles = 0;
    for (let i = 0; i < listed; i++) {
      const o = words[(list >>> 2) + i];
      const { triangleCount } = objects[o].mesh;
      if (triangleCount > LARGE) {
        if (from < i) calls.push(gpuKernels.call('placeObjects', at, list, from, i));
        for (const [a, b] of ranges(Math.ceil(triangleCount / 4), Math.ceil(triangleCount / LARGE))) {
          calls.push(gpuKernels.call('placeBlocks', this.#table.recordOf(o), a, b));
        }
        large.push(o);
        from = i + 1;
        triangles = 0;
      } else if ((triangles += triangleCount) > LARGE) {
        calls.push(gpuKernels.call('placeObjects', at, list, from, i + 1));
        from = i + 1;
        triangles = 0;
      }
    }
    if (from < listed) calls.push(gpuKernels.call('placeObjects', at, list, from, listed));
    yield calls;
    yield large.map((o) => gpuKernels.call('fitTree', this.#table.recordOf(o)));
  }

  /** Puts scattered triangles of meshes not seen before in order; whether there were any. */
  #orderNew(input: CullingInput, objects: Uint32Array): boolean {
    let ordered = false;
    for (const o of objects) ordered = this.#table.order(input, o) || ordered;
    return ordered;
  }

  *#findOwnPairs({ objects, table }: CullingInput, undecided: boolean, parts: number): Work<void> {
    const own: number[] = [];
    for (let o = 0; o < objects.length; o++) if (table[TABLE_STRIDE * o + Row.self]) own.push(o);
    if (own.length === 0) return;
    const tasks = this.#own.reserve(TASK_BYTES * own.length);
    const words = arena().u32();
    own.forEach((o, i) => {
      const at = (tasks + TASK_BYTES * i) >>> 2;
      const root = (words[(this.#table.recordOf(o) + ObjectField.height) >>> 2] - 1) * 2 ** HEIGHT_SHIFT;
      words.set([o, o, root, root], at);
    });
    yield* this.#search.run(this.#table.at, tasks, own.length, undecided, parts);
  }

  dispose(): void {
    this.#table.dispose();
    this.#search.dispose();
    for (const buffer of [this.#pairs, this.#own, this.#list]) buffer.dispose();
  }
}
