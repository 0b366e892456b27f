/**
 * All stages of a request but the levels of visibility, which stand between the two halves and may be anyone's: they
 * only clear flags.
 *
 * `begin`: boxes of objects from those of their meshes, pairs of objects that are near each other; only these objects
 * are placed. An object's own pairs are looked for here, before anything is dropped, because visibility says nothing
 * about them. `end`: the pairs of objects that are left, and their triangles.
 */
import { arena } from '../../base/arena.js';
import { ArenaBuffer } from '../../base/arena-buffer.js';
import { ranges, type Work } from '../../kernel/schedule.js';
import { type BackendResult, type CullingRequest, Row, TABLE_STRIDE, type World } from '../backend.js';
import { gpuKernels } from '../gpu-kernel.js';
import type { LevelStats } from '../types.js';
import { LEVEL_SHIFT, ObjectField, TASK_BYTES } from './layout.js';
import { ObjectTable } from './object-table.js';
import { PairSearch } from './pair-search.js';

/** An object with more triangles is placed in several calls, if there are threads. */
const LARGE = 16_384;

/** Flags of what is left, a byte each: their addresses. */
export interface Kept {
  readonly objects: number;
  readonly parts: number;
  /** By slot; places of an object in its own order. */
  readonly triangles: number;
}

/** What the levels need to know. */
export interface Begun {
  readonly kept: Kept;
  /** The objects that are placed: where their numbers are, and how many. Not all of them are kept. */
  readonly list: { readonly at: number; readonly count: number };
  /** Boxes of parts, six float32 each, if a level asks for them. */
  readonly partBoxes: number;
  /** Pairs of objects. */
  readonly pairs: number;
  readonly startedMs: number;
  readonly writtenMs: number;
}

export class HostStages {
  readonly table = new ObjectTable();
  readonly #search = new PairSearch();
  /** Pairs of objects, and objects against themselves, as tasks. */
  readonly #pairs = new ArenaBuffer();
  readonly #own = new ArenaBuffer();
  /** Objects that are placed. */
  readonly #list = new ArenaBuffer();
  readonly #flags = new ArenaBuffer();
  readonly #partBoxes = new ArenaBuffer();

  *begin(world: World, request: CullingRequest, parts: number): Work<Begun> {
    const startedMs = request.now();
    const count = world.objects.length;
    this.#search.begin();
    if (count > 0) this.table.write(world);
    const writtenMs = request.now();
    const kept = this.#reserveFlags(world, request);
    const pairs = count > 0 ? this.#pairObjects(count) : 0;
    const list = { count: this.#listPaired(world, pairs, kept), at: this.#list.at };
    yield* this.#place(world, list.count, parts);
    if (this.#orderNew(world, list)) yield* this.#place(world, list.count, parts);
    if (request.kind === 'pairs') yield* this.#findOwnPairs(world, request, parts);
    if (request.levels.includes('parts')) yield* this.#boxParts(world, list.count, parts);
    return { kept, list, partBoxes: this.#partBoxes.at, pairs, startedMs, writtenMs };
  }

  *end(
    world: World,
    request: CullingRequest,
    begun: Begun,
    levels: readonly LevelStats[],
    parts: number,
  ): Work<BackendResult> {
    const { kept, list, startedMs, writtenMs } = begun;
    const { at } = this.table;
    if (request.levels.includes('parts') || request.levels.includes('triangles')) {
      yield ranges(list.count, parts).map(([from, to]) =>
        gpuKernels.call('emptyDropped', at, list.at, from, to, world.partSize, kept.parts, kept.triangles),
      );
    }
    const count = world.objects.length;
    const marks = kept.objects + count;
    arena()
      .u8()
      .fill(0, marks, marks + count);
    const left = gpuKernels.kernels().keepTasks(at, this.#pairs.at, begun.pairs, kept.objects, marks);
    const objects = markedOrSelf(world, marks);
    if (request.kind === 'pairs') {
      yield* this.#search.run(at, this.#pairs.at, left, request.distance > 0, parts);
    }
    const doneMs = request.now();
    return {
      objects,
      meeting: this.#search.meeting,
      doubtful: this.#search.doubtful,
      levels,
      candidates: this.#search.candidates,
      ms: { calls: writtenMs - startedMs, device: doneMs - writtenMs, wait: doneMs - writtenMs },
    };
  }

  /** Flags of objects, marks of objects, flags of parts and triangles; everything is kept. */
  #reserveFlags({ objects, partBase, partSize }: World, { levels }: CullingRequest): Kept {
    const count = objects.length;
    const partCount = partBase[count];
    const flags = this.#flags.reserve(2 * count + 4 + (1 + partSize) * partCount);
    const triangles = Math.ceil((flags + 2 * count + partCount) / 4) * 4; // read four at a time
    if (levels.length > 0)
      arena()
        .u8()
        .fill(1, flags, triangles + partSize * partCount);
    return { objects: flags, parts: flags + 2 * count, triangles };
  }

  /** Pairs of objects whose boxes meet, as tasks; returns how many. */
  #pairObjects(count: number): number {
    const kernels = gpuKernels.kernels();
    const { at, scene, keys, spare } = this.table;
    kernels.boundObjects(at, 0, count);
    kernels.fitScene(at, scene, keys, spare);
    for (;;) {
      const capacity = Math.floor(this.#pairs.bytes / TASK_BYTES);
      const found = kernels.pairObjects(at, scene, this.#pairs.at, capacity);
      if (found <= capacity) return found;
      this.#pairs.reserve(TASK_BYTES * found);
    }
  }

  /** Lists the objects that are in a pair or are to be tested against themselves; only the former are kept. */
  #listPaired({ objects, table }: World, pairs: number, kept: Kept): number {
    const count = objects.length;
    const list = this.#list.reserve(4 * count) >>> 2;
    const memory = arena();
    const words = memory.u32();
    const flags = memory.u8();
    flags.fill(0, kept.objects, kept.objects + count);
    for (let i = this.#pairs.at >>> 2, end = i + (TASK_BYTES / 4) * pairs; i < end; i += TASK_BYTES / 4) {
      flags[kept.objects + words[i]] = 1;
      flags[kept.objects + words[i + 1]] = 1;
    }
    let listed = 0;
    for (let o = 0; o < count; o++) {
      if (flags[kept.objects + o] || table[TABLE_STRIDE * o + Row.self]) words[list + listed++] = o;
    }
    return listed;
  }

  *#place({ objects }: World, listed: number, parts: number): Work<void> {
    const list = this.#list.at;
    const { at } = this.table;
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
          calls.push(gpuKernels.call('placeGroups', this.table.recordOf(o), a, b));
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
    yield large.map((o) => gpuKernels.call('fitTree', this.table.recordOf(o)));
  }

  /** Puts scattered triangles of meshes not seen before in order; whether there were any. */
  #orderNew(world: World, { at, count }: Begun['list']): boolean {
    let ordered = false;
    for (let i = 0; i < count; i++) {
      const o = arena().u32()[(at >>> 2) + i];
      ordered = this.table.order(world, o) || ordered;
    }
    return ordered;
  }

  *#findOwnPairs({ objects, table }: World, request: CullingRequest, parts: number): Work<void> {
    const own: number[] = [];
    for (let o = 0; o < objects.length; o++) if (table[TABLE_STRIDE * o + Row.self]) own.push(o);
    if (own.length === 0) return;
    const tasks = this.#own.reserve(TASK_BYTES * own.length);
    const words = arena().u32();
    own.forEach((o, i) => {
      const at = (tasks + TASK_BYTES * i) >>> 2;
      const root = (words[(this.table.recordOf(o) + ObjectField.height) >>> 2] - 1) * 2 ** LEVEL_SHIFT;
      words.set([o, o, root, root], at);
    });
    yield* this.#search.run(this.table.at, tasks, own.length, request.distance > 0, parts);
  }

  *#boxParts({ objects, partBase, partSize }: World, listed: number, parts: number): Work<void> {
    const boxes = this.#partBoxes.reserve(24 * partBase[objects.length]);
    yield ranges(listed, parts).map(([from, to]) =>
      gpuKernels.call('boxParts', this.table.at, this.#list.at, from, to, partSize, boxes),
    );
  }

  dispose(): void {
    this.table.dispose();
    this.#search.dispose();
    for (const buffer of [this.#pairs, this.#own, this.#list, this.#flags, this.#partBoxes]) buffer.dispose();
  }
}

/** Objects that were marked, or are tested against themselves. */
function markedOrSelf({ objects, table }: World, marks: number): Uint32Array {
  const flags = arena().u8();
  const found: number[] = [];
  for (let o = 0; o < objects.length; o++) {
    if (flags[marks + o] || table[TABLE_STRIDE * o + Row.self]) found.push(o);
  }
  return Uint32Array.from(found);
}
