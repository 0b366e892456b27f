/**
 * Levels of culling by visibility on the CPU: which units are left after each, by the rule of visibility.ts.
 *
 * Ranks of objects are their places in the order of codes among those left; they stay the same while a level lasts, so
 * what a unit was found to be free of in one round still holds in the next. Views are independent of each other:
 * threads have images and flags of their own for each.
 */
import { arena } from '../../base/arena.js';
import { ArenaBuffer } from '../../base/arena-buffer.js';
import { ranges, type Work } from '../../kernel/schedule.js';
import type { CullingRequest, World } from '../backend.js';
import { gpuKernels } from '../gpu-kernel.js';
import type { CullingLevel, LevelStats } from '../types.js';
import type { Begun, Kept } from './host-stages.js';
import { VIEW_BYTES, ViewField } from './layout.js';
import type { ObjectTable } from './object-table.js';

const LEVEL_NUMBERS: Readonly<Record<CullingLevel, number>> = {
  boxes: 0,
  objects: 1,
  parts: 2,
  triangles: 3,
};
/** Pixels of a band of rows: its four images take 4 MiB. */
const BAND_PIXELS = 2 ** 18;
const DROPPED = 0xffffffff;

/** A view in the hands of one thread. */
interface Camera {
  readonly view: ArenaBuffer;
  readonly failed: ArenaBuffer;
  readonly images: ArenaBuffer;
  /** For which resolution the images are cleared; 0: they are not. */
  cleanFor: number;
}

export class CullingLevels {
  readonly #order = new ArenaBuffer();
  readonly #free = new ArenaBuffer();
  readonly #cameras: Camera[] = [];

  *run(
    world: World,
    request: CullingRequest,
    table: ObjectTable,
    begun: Begun,
    parts: number,
  ): Work<LevelStats[]> {
    const stats: LevelStats[] = [];
    for (const level of request.levels) {
      stats.push(yield* this.#runLevel(level, world, request, table, begun, parts));
    }
    return stats;
  }

  *#runLevel(
    level: CullingLevel,
    world: World,
    request: CullingRequest,
    table: ObjectTable,
    begun: Begun,
    parts: number,
  ): Work<LevelStats> {
    const kernels = gpuKernels.kernels();
    const ranks = this.#writeOrder(world, begun.kept);
    const units = unitsOf(level, world);
    const sets = request.method === 'queries' ? 2 : Math.max(1, 32 - Math.clz32(ranks - 1));
    const all = 2 ** sets - 1;
    // views are gathered one by one where one thread draws them: what is settled need not be tested again
    const views = request.views.length / 9;
    const batches = parts > 1 ? [sharesOf(views, sets, parts)] : splitViews(views, sets);
    const free = this.#free.reserve(4 * units);
    this.#clear(free, units);
    for (let i = 0; i < batches[0].length; i++)
      this.#clear(this.#cameraOf(i, units, request).failed.at, units);
    const drawn: Drawn = { level, ranks, world, request, table, begun };
    const first = this.#writeView(0, 0, drawn);
    const of = kernels.countKept(first);
    if (ranks === 1) {
      // nothing else is left: free of everything
      kernels.gatherFree(free, this.#cameras[0].failed.at, units, all);
      kernels.dropFree(first, all);
    }
    const name = request.method === 'queries' ? 'queryView' : 'splitView';
    for (let round = 0; ranks > 1 && round < request.rounds; round++) {
      for (const batch of batches) {
        yield batch.map(({ view, from, to }, i) => {
          const at = this.#writeView(i, view, drawn);
          this.#cameras[i].cleanFor = 0; // until it is done
          return gpuKernels.call(name, at, from, to);
        });
        batch.forEach(({ from, to }, i) => {
          this.#cameras[i].cleanFor = request.resolution; // a view clears what it has drawn
          kernels.gatherFree(free, this.#cameras[i].failed.at, units, 2 ** to - 2 ** from);
        });
      }
      if (kernels.dropFree(first, all) === 0) break;
    }
    return { level, kept: kernels.countKept(first), of };
  }

  #clear(at: number, words: number): void {
    arena()
      .u32()
      .fill(0, at >>> 2, (at >>> 2) + words);
  }

  /** Objects that are left in the order of their codes; returns how many. */
  #writeOrder({ objects, codes }: World, kept: Kept): number {
    const at = this.#order.reserve(4 * objects.length) >>> 2;
    const memory = arena();
    const words = memory.u32();
    const flags = memory.u8();
    words.fill(DROPPED, at, at + objects.length);
    for (let o = 0; o < objects.length; o++) if (flags[kept.objects + o]) words[at + codes[o]] = o;
    let ranks = 0;
    for (let i = at; i < at + objects.length; i++) if (words[i] !== DROPPED) words[at + ranks++] = words[i];
    return ranks;
  }

  #cameraOf(i: number, units: number, { resolution }: CullingRequest): Camera {
    const camera = (this.#cameras[i] ??= {
      view: new ArenaBuffer(),
      failed: new ArenaBuffer(),
      images: new ArenaBuffer(),
      cleanFor: 0,
    });
    camera.view.reserve(VIEW_BYTES);
    camera.failed.reserve(4 * units);
    const { at } = camera.images;
    if (camera.images.reserve(gpuKernels.kernels().viewBytes(resolution, bandOf(resolution))) !== at) {
      camera.cleanFor = 0;
    }
    return camera;
  }

  /** Writes what a thread needs to draw a view, and returns where. */
  #writeView(i: number, number: number, { level, ranks, world, request, table, begun }: Drawn): number {
    const { view, failed, images, cleanFor } = this.#cameras[i];
    const { resolution } = request;
    const { kept, partBoxes } = begun;
    const memory = arena();
    const words = memory.u32();
    const set = (field: number, value: number) => {
      words[(view.at + field) >>> 2] = value;
    };
    set(ViewField.objects, table.at);
    set(ViewField.count, ranks);
    set(ViewField.resolution, resolution);
    set(ViewField.level, LEVEL_NUMBERS[level]);
    set(ViewField.order, this.#order.at);
    set(ViewField.partSize, world.partSize);
    set(ViewField.keptObjects, kept.objects);
    set(ViewField.keptParts, kept.parts);
    set(ViewField.keptTriangles, kept.triangles);
    set(ViewField.partBoxes, partBoxes);
    set(ViewField.free, this.#free.at);
    set(ViewField.failed, failed.at);
    set(ViewField.images, images.at);
    set(ViewField.band, bandOf(resolution));
    set(ViewField.clean, cleanFor === resolution ? 1 : 0);
    writeDirections(memory.f32(), view.at, request, number, world.half);
    return view.at;
  }

  dispose(): void {
    for (const buffer of [this.#order, this.#free]) buffer.dispose();
    for (const { view, failed, images } of this.#cameras) {
      for (const buffer of [view, failed, images]) buffer.dispose();
    }
    this.#cameras.length = 0;
  }
}

/** What is drawn. */
interface Drawn {
  readonly level: CullingLevel;
  readonly ranks: number;
  readonly world: World;
  readonly request: CullingRequest;
  readonly table: ObjectTable;
  readonly begun: Begun;
}

/** A view and a range of the sets to look for in it. */
interface Look {
  readonly view: number;
  readonly from: number;
  readonly to: number;
}

function splitViews(views: number, sets: number): Look[][] {
  return Array.from({ length: views }, (_, view) => [{ view, from: 0, to: sets }]);
}

/** All views at once, each cut by sets so that there is something for every thread. */
function sharesOf(views: number, sets: number, parts: number): Look[] {
  const cuts = ranges(sets, Math.ceil(parts / views));
  return splitViews(views, sets).flatMap(([look]) => cuts.map(([from, to]) => ({ ...look, from, to })));
}

function unitsOf(level: CullingLevel, { objects, partBase, partSize }: World): number {
  if (level === 'triangles') return partSize * partBase[objects.length];
  return level === 'parts' ? partBase[objects.length] : objects.length;
}

function bandOf(resolution: number): number {
  return Math.min(resolution, Math.max(1, Math.floor(BAND_PIXELS / resolution)));
}

function writeDirections(
  floats: Float32Array,
  view: number,
  { views, resolution }: CullingRequest,
  number: number,
  half: World['half'],
): void {
  const at = view >>> 2;
  for (let row = 0; row < 3; row++) {
    let spread = 0;
    let extent = 0;
    for (let k = 0; k < 3; k++) {
      const entry = views[9 * number + 3 * row + k];
      floats[at + ViewField.rows / 4 + 3 * row + k] = entry;
      spread += Math.abs(entry);
      extent += Math.abs(entry) * half[k];
    }
    floats[at + ViewField.spread / 4 + row] = spread * (1 + 2 ** -20);
    if (row === 2) continue;
    floats[at + ViewField.half / 4 + row] = extent;
    // of the half as it was rounded
    floats[at + ViewField.scale / 4 + row] = resolution / (2 * floats[at + ViewField.half / 4 + row]);
  }
}
