/**
 * Which objects are near each other: a tree over the boxes of objects in Morton order, walked against itself. It is
 * rebuilt for every request, which takes less time than updating one.
 */
import { overlaps16 } from './boxes';
import {
  BLOCK_BYTES, BLOCK_MASK, HEIGHT_SHIFT, OBJECT_COUNT, OBJECT_HEIGHT, OBJECT_BLOCKS, OBJECT_ORDER, TASK_BYTES, blockAt, objectAt,
} from './layout';
import { fitTree } from './place';
import { HISTOGRAM, STACK, scratch } from './scratch';

const DIGIT: u32 = 11;

/** Spreads ten bits to every third position. */
// @ts-ignore: decorator
@inline function spread(x: u32): u32 {
  x = (x | (x << 16)) & 0x030000ff;
  x = (x | (x << 8)) & 0x0300f00f;
  x = (x | (x << 4)) & 0x030c30c3;
  return (x | (x << 2)) & 0x09249249;
}

/** Morton code of the middle of a lane within the box of a whole tree, 30 bits; any code if either is empty. */
// @ts-ignore: decorator
@inline function codeOf(lane: usize, root: usize): u32 {
  return digits(lane, root) | (digits(lane + 16, root + 16) << 1) | (digits(lane + 32, root + 32) << 2);
}

/** Ten bits along one axis, at every third position. */
// @ts-ignore: decorator
@inline function digits(lane: usize, root: usize): u32 {
  const low = load<f32>(root);
  const size = load<f32>(root, 48) - low;
  const part: f32 = (<f32>0.5 * (load<f32>(lane) + load<f32>(lane, 48)) - low) / size;
  return spread(part > 0 ? <u32>(<f32>1023 * min<f32>(part, 1)) : 0); // NaN becomes 0
}

/**
 * Sorts `count` places by their keys: pairs (key, place) at `keys`; `spare` is as large. Three passes end in `spare`.
 */
function sortByKey(keys: usize, spare: usize, count: u32): void {
  const histogram = scratch + HISTOGRAM;
  for (let pass: u32 = 0; pass < 3; pass++) {
    const shift = DIGIT * pass;
    memory.fill(histogram, 0, 4 << DIGIT);
    for (let i: u32 = 0; i < count; i++) {
      const bin = histogram + 4 * <usize>((load<u32>(keys + 8 * <usize>i) >> shift) & ((1 << DIGIT) - 1));
      store<u32>(bin, load<u32>(bin) + 1);
    }
    let sum: u32 = 0;
    for (let bin = histogram; bin < histogram + (4 << DIGIT); bin += 4) {
      const here = load<u32>(bin);
      store<u32>(bin, sum);
      sum += here;
    }
    for (let i: u32 = 0; i < count; i++) {
      const entry = load<u64>(keys + 8 * <usize>i);
      const bin = histogram + 4 * <usize>((<u32>entry >> shift) & ((1 << DIGIT) - 1));
      const to = load<u32>(bin);
      store<u32>(bin, to + 1);
      store<u64>(spare + 8 * <usize>to, entry);
    }
    const swap = keys;
    keys = spare;
    spare = swap;
  }
}

/**
 * How scattered the triangles of a placed object are in its order: the surface of the boxes of sixteen triangles,
 * divided by that of their own boxes. About 1 for patches, a few for strips; for shuffled triangles, about as many as
 * there are in a part of the object.
 */
export function disorder(object: usize): f64 {
  const count = load<u32>(object, OBJECT_COUNT);
  if (load<u32>(object, OBJECT_HEIGHT) < 4) return 0; // sixteen are all of it, or nearly
  return surfaceOf(object, 2, (count + 15) >> 4) / surfaceOf(object, 0, count);
}

/** Half the surface of the first boxes at a height. */
function surfaceOf(object: usize, height: u32, count: u32): f64 {
  let sum: f64 = 0;
  for (let i: u32 = 0; i < count; i++) {
    const lane = blockAt(object, height, i >> 2) + 4 * <usize>(i & 3);
    const x = <f64>load<f32>(lane, 48) - load<f32>(lane), y = <f64>load<f32>(lane, 64) - load<f32>(lane, 16), z = <f64>load<f32>(lane, 80) - load<f32>(lane, 32);
    sum += x * y + y * z + z * x;
  }
  return sum;
}

/**
 * Writes the Morton order of the triangles of an object, which is placed in its given order, to `order`; keys and
 * spare: 8 bytes per triangle.
 */
export function orderTriangles(object: usize, order: usize, keys: usize, spare: usize): void {
  const count = load<u32>(object, OBJECT_COUNT);
  const root = rootOf(object);
  for (let i: u32 = 0; i < count; i++) {
    store<u32>(keys + 8 * <usize>i, codeOf(blockAt(object, 0, i >> 2) + 4 * <usize>(i & 3), root));
    store<u32>(keys + 8 * <usize>i, i, 4);
  }
  sortByKey(keys, spare, count);
  for (let i: u32 = 0; i < count; i++) store<u32>(order + 4 * <usize>i, load<u32>(spare + 8 * <usize>i, 4));
}

/** Builds the tree over all objects; its order contains objects. Keys and spare: 8 bytes per object. */
export function fitScene(objects: usize, scene: usize, keys: usize, spare: usize): void {
  const count = load<u32>(scene, OBJECT_COUNT);
  // the box of all, as the only lane at the top
  const all = rootOf(scene);
  for (let row: usize = 0; row < 48; row += 16) {
    let low: f32 = Infinity, high: f32 = -Infinity;
    for (let o: u32 = 0; o < count; o++) {
      const root = rootOf(objectAt(objects, o)) + row;
      low = min<f32>(low, load<f32>(root));
      high = max<f32>(high, load<f32>(root, 48));
    }
    store<f32>(all + row, low);
    store<f32>(all + row, high, 48);
  }
  for (let o: u32 = 0; o < count; o++) {
    store<u32>(keys + 8 * <usize>o, codeOf(rootOf(objectAt(objects, o)), all));
    store<u32>(keys + 8 * <usize>o, o, 4);
  }
  sortByKey(keys, spare, count);
  const order: usize = load<u32>(scene, OBJECT_ORDER);
  const lowest: usize = load<u32>(scene, OBJECT_BLOCKS);
  for (let i: u32 = 0; i < count; i++) {
    const o = load<u32>(spare + 8 * <usize>i, 4);
    store<u32>(order + 4 * <usize>i, o);
    const root = rootOf(objectAt(objects, o));
    const lane = lowest + BLOCK_BYTES * <usize>(i >> 2) + 4 * <usize>(i & 3);
    for (let row: usize = 0; row < 96; row += 16) store<f32>(lane + row, load<f32>(root + row));
  }
  for (let i = count; i & 3; i++) {
    const lane = lowest + BLOCK_BYTES * <usize>(i >> 2) + 4 * <usize>(i & 3);
    for (let row: usize = 0; row < 48; row += 16) {
      store<f32>(lane + row, Infinity);
      store<f32>(lane + row, -Infinity, 48);
    }
  }
  fitTree(scene);
}

/** The lane with the box of a whole tree. */
// @ts-ignore: decorator
@inline function rootOf(tree: usize): usize { return blockAt(tree, load<u32>(tree, OBJECT_HEIGHT) - 1, 0); }

/**
 * Writes pairs of objects whose boxes meet, the lower number first, as tasks that begin at the roots; returns their
 * number, of which at most `capacity` were written.
 */
export function pairObjects(objects: usize, scene: usize, tasks: usize, capacity: u32): u32 {
  const order: usize = load<u32>(scene, OBJECT_ORDER);
  const stack = scratch + STACK;
  let top = stack;
  let found: u32 = 0;
  const root = (load<u32>(scene, OBJECT_HEIGHT) - 1) << HEIGHT_SHIFT;
  store<u32>(top, root);
  store<u32>(top, root, 4);
  top += 8;
  while (top > stack) {
    top -= 8;
    const nodeA = load<u32>(top), nodeB = load<u32>(top, 4);
    const height = nodeA >> HEIGHT_SHIFT; // the same for both
    const a = nodeA & BLOCK_MASK, b = nodeB & BLOCK_MASK;
    let mask = overlaps16(blockAt(scene, height, a), blockAt(scene, height, b));
    if (a == b) mask &= height ? 0x8cef : 0x08ce; // j ≥ i, or j > i
    while (mask) {
      const bit = ctz(mask);
      mask &= mask - 1;
      const i = 4 * a + (bit >> 2), j = 4 * b + (bit & 3);
      if (height) {
        store<u32>(top, ((height - 1) << HEIGHT_SHIFT) | i);
        store<u32>(top, ((height - 1) << HEIGHT_SHIFT) | j, 4);
        top += 8;
        continue;
      }
      if (found < capacity) {
        const p = load<u32>(order + 4 * <usize>i), q = load<u32>(order + 4 * <usize>j);
        writeTask(objects, tasks + TASK_BYTES * <usize>found, min<u32>(p, q), max<u32>(p, q));
      }
      found++;
    }
  }
  return found;
}

/** A task for two whole objects, or one object against itself. */
// @ts-ignore: decorator
@inline function writeTask(objects: usize, task: usize, a: u32, b: u32): void {
  store<u32>(task, a);
  store<u32>(task, b, 4);
  store<u32>(task, (load<u32>(objectAt(objects, a), OBJECT_HEIGHT) - 1) << HEIGHT_SHIFT, 8);
  store<u32>(task, (load<u32>(objectAt(objects, b), OBJECT_HEIGHT) - 1) << HEIGHT_SHIFT, 12);
}
