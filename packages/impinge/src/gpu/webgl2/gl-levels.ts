/**
 * Levels of culling by visibility on WebGL2, between placing and finding pairs, which the CPU's kernels do: what they
 * placed is gathered into lists, and what the rasteriser drops is taken out of their flags.
 */
import { arena } from '../../base/arena.js';
import { type CullingRequest, Row, TABLE_STRIDE, type World } from '../backend.js';
import type { Begun } from '../cpu/host-stages.js';
import { CORNER_BYTES, ObjectField } from '../cpu/layout.js';
import type { ObjectTable } from '../cpu/object-table.js';
import type { CullingLevel, LevelStats } from '../types.js';
import { GlRasteriser } from './gl-rasteriser.js';
import type { ItemSet } from './item-list.js';

/** What the kernels have placed, and the flags of what is left of it. */
export interface Placed extends Pick<Begun, 'kept' | 'list' | 'partBoxes'> {
  readonly world: World;
  readonly table: ObjectTable;
}

/** Items in the making: entries for what is left, in the order of objects. */
interface Gathered {
  readonly data: Float32Array;
  readonly items: Uint32Array;
  readonly objects: Uint32Array;
  readonly groups: Uint32Array;
  /** What each group is: an object, a part, or a slot. */
  readonly units: Uint32Array;
}

export class GlLevels {
  readonly #rasteriser: GlRasteriser;

  constructor(gl: WebGL2RenderingContext) {
    this.#rasteriser = new GlRasteriser(gl);
  }

  async run(placed: Placed, request: CullingRequest): Promise<LevelStats[]> {
    const stats: LevelStats[] = [];
    for (const level of request.levels) stats.push(await this.#runLevel(level, placed, request));
    return stats;
  }

  async #runLevel(level: CullingLevel, placed: Placed, request: CullingRequest): Promise<LevelStats> {
    const { world, kept } = placed;
    const { units, ...gathered } = gather(level, placed);
    if (units.length === 0) return { level, kept: 0, of: 0 };
    const margins = Float32Array.from(world.objects, (_, o) => world.table[TABLE_STRIDE * o + Row.margin]);
    const kind = level === 'boxes' || level === 'parts' ? 'boxes' : 'triangles';
    const set: ItemSet = { ...gathered, kind, groupCount: units.length, codes: world.codes, margins };
    const left = await this.#rasteriser.cull(set, world.half, request);
    const flags = arena().u8();
    const at = level === 'parts' ? kept.parts : level === 'triangles' ? kept.triangles : kept.objects;
    let count = 0;
    for (let i = 0; i < units.length; i++) {
      flags[at + units[i]] = left[i];
      count += left[i];
    }
    // an object with nothing left is dropped as well
    if (level === 'parts' || level === 'triangles') {
      for (const object of set.objects) flags[kept.objects + object] = 0;
      for (let i = 0; i < set.items.length; i++) {
        if (left[set.groups[i]]) flags[kept.objects + set.objects[i]] = 1;
      }
    }
    return { level, kept: count, of: units.length };
  }

  dispose(): void {
    this.#rasteriser.dispose();
  }
}

function gather(level: CullingLevel, placed: Placed): Gathered {
  const objects = leftObjects(placed);
  if (level === 'boxes') return gatherObjectBoxes(placed, objects);
  if (level === 'parts') return gatherPartBoxes(placed, objects);
  return gatherTriangles(placed, objects, level === 'objects');
}

/** Every unit is an item. */
function oneGroupEach(units: Uint32Array, objects: Uint32Array): Omit<Gathered, 'data'> {
  const items = Uint32Array.from(units.keys());
  return { items, objects, groups: items, units };
}

/** The objects that are left, rising. */
function leftObjects({ kept, list }: Placed): number[] {
  const flags = arena().u8();
  const words = arena().u32();
  const left: number[] = [];
  for (let i = 0; i < list.count; i++) {
    const object = words[(list.at >>> 2) + i];
    if (flags[kept.objects + object]) left.push(object);
  }
  return left;
}

/** The only lane at the top of each tree. */
function gatherObjectBoxes({ table }: Placed, objects: readonly number[]): Gathered {
  const words = arena().u32();
  const floats = arena().f32();
  const data = new Float32Array(6 * objects.length);
  objects.forEach((object, i) => {
    const record = table.recordOf(object);
    const height = words[(record + ObjectField.height) >>> 2];
    const lane = words[((record + ObjectField.levels) >>> 2) + height - 1] >>> 2;
    for (let k = 0; k < 6; k++) data[6 * i + k] = floats[lane + 4 * k];
  });
  const units = Uint32Array.from(objects);
  return { data, ...oneGroupEach(units, units) };
}

function gatherPartBoxes({ world, kept, partBoxes }: Placed, objects: readonly number[]): Gathered {
  const flags = arena().u8();
  const floats = arena().f32();
  const units: number[] = [];
  const owners: number[] = [];
  for (const object of objects) {
    for (let part = world.partBase[object]; part < world.partBase[object + 1]; part++) {
      if (flags[kept.parts + part] === 0) continue;
      units.push(part);
      owners.push(object);
    }
  }
  const data = new Float32Array(6 * units.length);
  units.forEach((part, i) => {
    const at = (partBoxes >>> 2) + 6 * part;
    for (let k = 0; k < 6; k++) data[6 * i + k] = floats[at + k];
  });
  return { data, ...oneGroupEach(Uint32Array.from(units), Uint32Array.from(owners)) };
}

/** The triangles that are left, each a group or all of an object one. */
function gatherTriangles(
  { world, table, kept }: Placed,
  objects: readonly number[],
  byObject: boolean,
): Gathered {
  const { partBase, partSize } = world;
  const flags = arena().u8();
  const words = arena().u32();
  const floats = arena().f32();
  let most = 0;
  for (const object of objects) most += world.objects[object].mesh.triangleCount;
  const data = new Float32Array(9 * most);
  const owners = new Uint32Array(most);
  const groups = new Uint32Array(most);
  const slots = new Uint32Array(most);
  let count = 0;
  objects.forEach((object, group) => {
    const corners = words[(table.recordOf(object) + ObjectField.corners) >>> 2] >>> 2;
    const { triangleCount } = world.objects[object].mesh;
    const firstSlot = partSize * partBase[object];
    for (let place = 0; place < triangleCount; place++) {
      const slot = firstSlot + place;
      if (flags[kept.triangles + slot] === 0 || flags[kept.parts + Math.floor(slot / partSize)] === 0)
        continue;
      // nine rows of four
      const at = corners + (CORNER_BYTES / 4) * (place >>> 2) + (place & 3);
      for (let k = 0; k < 9; k++) data[9 * count + k] = floats[at + 4 * k];
      owners[count] = object;
      groups[count] = byObject ? group : count;
      slots[count++] = slot;
    }
  });
  const units = byObject ? Uint32Array.from(objects) : slots.slice(0, count);
  return {
    data: data.subarray(0, 9 * count),
    items: Uint32Array.from({ length: count }, (_, i) => i),
    objects: owners.slice(0, count),
    groups: groups.slice(0, count),
    units,
  };
}
