/**
 * The objects of an input as the kernels see them: a record each, room for their boxes and corners, and a tree over all
 * of them. Laid out anew when the input is; matrices, margins and poses are written for every request. Triangles stay
 * in the order of their mesh, unless that is no order at all.
 */
import { arena } from 'impinge/internal/base/arena.js';
import { ArenaBuffer } from 'impinge/internal/base/arena-buffer.js';
import type { Mesh } from 'impinge/internal/mesh/mesh.js';
import { type CullingInput, Row, TABLE_STRIDE } from '../backend.js';
import { gpuKernels } from '../kernels.generated.js';
import { BLOCK_BYTES, CORNER_BYTES, OBJECT_BYTES, ObjectField } from '../layout.generated.js';

/** Disorder (kernels/gpu/scene.ts) from which on sorting pays: strips are below it, shuffled triangles far above. */
const SCATTERED = 16;

export class ObjectTable {
  readonly #records = new ArenaBuffer();
  readonly #blocks = new ArenaBuffer();
  readonly #corners = new ArenaBuffer();
  /** The record of the tree over all objects, its blocks, its order, and keys to sort it by. */
  readonly #scene = new ArenaBuffer();
  #keys = 0;
  #spare = 0;
  /** Orders of meshes whose triangles are scattered; empty ones for all other meshes examined. */
  readonly #orders = new Map<Mesh, ArenaBuffer>();
  /** Per object: whether its mesh was looked at. */
  #looked = new Uint8Array(0);
  #objects: CullingInput['objects'] | undefined;
  #layout = -1;

  /** Address of the records. */
  get at(): number {
    return this.#records.at;
  }
  /** Address of the record of the tree over all objects. */
  get scene(): number {
    return this.#scene.at;
  }
  /** Work space to sort it: 8 bytes per object each. */
  get keys(): number {
    return this.#keys;
  }
  get spare(): number {
    return this.#spare;
  }
  recordOf(object: number): number {
    return this.at + OBJECT_BYTES * object;
  }

  write(input: CullingInput): void {
    if (input.objects !== this.#objects || input.layout !== this.#layout) this.#layOut(input);
    this.#writeRows(input);
  }

  #layOut(input: CullingInput): void {
    const { objects, partBase, partSize } = input;
    const count = objects.length;
    this.#objects = undefined; // until it is done
    let blocks = 0;
    let lowest = 0;
    for (const { mesh } of objects) {
      for (const there of blocksByHeight(mesh.triangleCount)) blocks += there;
      lowest += Math.ceil(mesh.triangleCount / 4);
    }
    const records = this.#records.reserve(OBJECT_BYTES * count);
    let block = this.#blocks.reserve(BLOCK_BYTES * blocks);
    let corners = this.#corners.reserve(CORNER_BYTES * lowest);
    this.#layOutScene(count);
    this.#forgetOrders(objects);
    this.#looked = new Uint8Array(count);
    const words = arena().u32();
    for (let o = 0; o < count; o++) {
      const { mesh } = objects[o];
      const at = (records + OBJECT_BYTES * o) >>> 2;
      words.fill(0, at, at + OBJECT_BYTES / 4);
      words[at + ObjectField.mesh / 4] = mesh.block;
      words[at + ObjectField.slot / 4] = partSize * partBase[o];
      words[at + ObjectField.order / 4] = this.#orders.get(mesh)?.at ?? 0;
      words[at + ObjectField.corners / 4] = corners;
      block = writeTree(words, at, mesh.triangleCount, block);
      corners += CORNER_BYTES * Math.ceil(mesh.triangleCount / 4);
    }
    this.#objects = objects;
    this.#layout = input.layout;
  }

  #forgetOrders(objects: CullingInput['objects']): void {
    const meshes = new Set(objects.map(({ mesh }) => mesh));
    for (const [mesh, order] of this.#orders) {
      if (meshes.has(mesh)) continue;
      order.dispose();
      this.#orders.delete(mesh);
    }
  }

  /**
   * Examines a placed object whose mesh is new: scattered triangles are put in order. Returns whether they were; all
   * objects with that mesh must then be placed again.
   */
  order(input: CullingInput, object: number): boolean {
    if (this.#looked[object]) return false;
    this.#looked[object] = 1;
    const { mesh } = input.objects[object];
    if (this.#orders.has(mesh)) return false;
    const order = new ArenaBuffer();
    this.#orders.set(mesh, order);
    const kernels = gpuKernels.kernels();
    const record = this.recordOf(object);
    if (!(kernels.disorder(record) > SCATTERED)) return false;
    order.reserve(4 * mesh.triangleCount);
    const keys = new ArenaBuffer();
    try {
      keys.reserve(16 * mesh.triangleCount);
      kernels.orderTriangles(record, order.at, keys.at, keys.at + 8 * mesh.triangleCount);
    } finally {
      keys.dispose();
    }
    const words = arena().u32();
    input.objects.forEach((other, o) => {
      if (other.mesh === mesh) words[(this.recordOf(o) + ObjectField.order) >>> 2] = order.at;
    });
    return true;
  }

  #layOutScene(count: number): void {
    const blocks = blocksByHeight(count).reduce((sum, there) => sum + there, 0);
    const blocksAt = OBJECT_BYTES;
    const keysAt = blocksAt + BLOCK_BYTES * blocks;
    const scene = this.#scene.reserve(keysAt + 20 * count);
    this.#keys = scene + keysAt;
    this.#spare = this.#keys + 8 * count;
    const words = arena().u32();
    words.fill(0, scene >>> 2, (scene + OBJECT_BYTES) >>> 2);
    words[(scene + ObjectField.order) >>> 2] = this.#spare + 8 * count;
    writeTree(words, scene >>> 2, count, scene + blocksAt);
  }

  #writeRows({ objects, table }: CullingInput): void {
    const memory = arena();
    const floats = memory.f32();
    const doubles = memory.f64();
    for (let o = 0; o < objects.length; o++) {
      const at = this.recordOf(o);
      const row = TABLE_STRIDE * o;
      const matrix = (at + ObjectField.matrix) >>> 2;
      for (let k = 0; k < 12; k++) floats[matrix + k] = table[row + Row.matrix + k];
      floats[(at + ObjectField.margin) >>> 2] = table[row + Row.margin];
      const pose = objects[o].pose;
      const to = (at + ObjectField.pose) >>> 3;
      for (let k = 0; k < 12; k++) doubles[to + k] = pose[k];
    }
  }

  dispose(): void {
    for (const buffer of [this.#records, this.#blocks, this.#corners, this.#scene]) buffer.dispose();
    for (const order of this.#orders.values()) order.dispose();
    this.#orders.clear();
    this.#objects = undefined;
  }
}

/** Writes how high a tree is and where its blocks are; returns where the next may begin. */
function writeTree(words: Uint32Array, record: number, count: number, block: number): number {
  const blocks = blocksByHeight(count);
  words[record + ObjectField.count / 4] = count;
  words[record + ObjectField.height / 4] = blocks.length;
  for (let height = 0; height < blocks.length; height++) {
    words[record + ObjectField.blocks / 4 + height] = block;
    block += BLOCK_BYTES * blocks[height];
  }
  return block;
}

/** Blocks at each height of a tree over `count` things, from the lowest up: at the top is one block of one lane. */
function blocksByHeight(count: number): number[] {
  const blocks = [Math.ceil(count / 4)];
  for (let lanes = blocks[0]; ; lanes = Math.ceil(lanes / 4)) {
    blocks.push(Math.ceil(lanes / 4));
    if (lanes === 1) return blocks;
  }
}
