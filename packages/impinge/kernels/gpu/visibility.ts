/**
 * Culling by visibility in one view: which units (objects, parts, triangles) are free of which sets of other objects. The
 * rule is src/gpu/visibility.ts, the pixels are cover.ts.
 *
 * Idea: bands of rows, so that the images stay in the cache. `splitView` has two pairs of images, for the objects with a
 * bit of their rank 0 and 1: all are drawn, then each is held against the other pair. `queryView` has one pair: objects
 * in order, each is held against those before it, then drawn.
 * A unit is free of a set in this view if all of its items are, in all bands: `VIEW_FAILED` gathers where it is not.
 */
import {
  CORNER_BYTES, LEVEL_BOXES, LEVEL_OBJECTS, LEVEL_PARTS, LEVEL_TRIANGLES, NONE, OBJECT_CORNERS, OBJECT_COUNT, OBJECT_HEIGHT, OBJECT_MARGIN, OBJECT_PART,
  OBJECT_PARTS, OBJECT_SLOT, VIEW_BAND, VIEW_CLEAN, VIEW_COUNT, VIEW_FAILED, VIEW_FREE, VIEW_IMAGES, VIEW_KEPT_OBJECTS, VIEW_KEPT_PARTS, VIEW_KEPT_TRIANGLES,
  VIEW_LEVEL, VIEW_OBJECTS, VIEW_ORDER, VIEW_PART_BOXES, VIEW_PART_SIZE, VIEW_RESOLUTION, groupAt, objectAt,
} from './layout';
import {
  beginBand, beginUnion, clearDrawn, clearImages, clipToUnion, drawItem, joinUnion, imageBytes, isFree, projectGroup, takeBox, takeTriangle,
} from './cover';

/** Bytes of the images that a view needs. */
export function viewBytes(resolution: u32, band: u32): usize { return 4 * imageBytes(resolution, band); }

/** One bit of the ranks after the other: bit k of a unit's word is for bit k of the rank. */
export function splitView(view: usize, bitFrom: u32, bitTo: u32): void {
  const resolution = load<u32>(view, VIEW_RESOLUTION), band = load<u32>(view, VIEW_BAND);
  const count = load<u32>(view, VIEW_COUNT);
  const image = imageBytes(resolution, band);
  const images: usize = load<u32>(view, VIEW_IMAGES);
  if (!load<u32>(view, VIEW_CLEAN)) clearImages(images, image, 2);
  for (let from: u32 = 0; from < resolution; from += band) {
    for (let bit = bitFrom; bit < bitTo; bit++) {
      beginBand(view, from, min<u32>(from + band, resolution));
      if (!clipToSides(view, bit)) continue;
      for (let rank: u32 = 0; rank < count; rank++) drawObject(view, objectOf(view, rank), images + 2 * image * <usize>((rank >> bit) & 1), image);
      for (let rank: u32 = 0; rank < count; rank++) testObject(view, objectOf(view, rank), images + 2 * image * <usize>(((rank >> bit) & 1) ^ 1), image, 1 << bit);
      clearDrawn(images, image, 2);
    }
  }
}

/** Bit 0: the objects before it in the order; bit 1: those after it. */
export function queryView(view: usize, bitFrom: u32, bitTo: u32): void {
  const resolution = load<u32>(view, VIEW_RESOLUTION), band = load<u32>(view, VIEW_BAND);
  const count = load<u32>(view, VIEW_COUNT);
  const image = imageBytes(resolution, band);
  const images: usize = load<u32>(view, VIEW_IMAGES);
  if (!load<u32>(view, VIEW_CLEAN)) clearImages(images, image, 2);
  for (let from: u32 = 0; from < resolution; from += band) {
    beginBand(view, from, min<u32>(from + band, resolution));
    for (let bit = bitFrom; bit < bitTo; bit++) {
      for (let k: u32 = 0; k < count; k++) {
        const o = objectOf(view, bit ? count - 1 - k : k);
        testObject(view, o, images, image, 1 << bit);
        drawObject(view, o, images, image);
      }
      clearDrawn(images, image, 1);
    }
  }
}

/**
 * Clips to pixels that boxes of objects on both sides of a bit cover; false if there are none. The pixel of a common point is
 * in the covers of both boxes too, so nothing is lost.
 */
function clipToSides(view: usize, bit: u32): bool {
  const count = load<u32>(view, VIEW_COUNT);
  for (let side: u32 = 0; side < 2; side++) {
    beginUnion();
    for (let rank: u32 = 0; rank < count; rank++) {
      const o = objectOf(view, rank);
      if (o == NONE || ((rank >> bit) & 1) != side) continue;
      const object = objectAt(load<u32>(view, VIEW_OBJECTS), o);
      if (takeBox(view, groupAt(object, load<u32>(object, OBJECT_HEIGHT) - 1, 0), 16)) joinUnion();
    }
    if (!clipToUnion()) return false;
  }
  return true;
}

// @ts-ignore: decorator
@inline function objectOf(view: usize, rank: u32): u32 { return load<u32>(<usize>load<u32>(view, VIEW_ORDER) + 4 * <usize>rank); }

function drawObject(view: usize, o: u32, near: usize, image: usize): void {
  if (o == NONE) return;
  const object = objectAt(load<u32>(view, VIEW_OBJECTS), o);
  const level = load<u32>(view, VIEW_LEVEL);
  if (level == LEVEL_BOXES) {
    if (takeBox(view, groupAt(object, load<u32>(object, OBJECT_HEIGHT) - 1, 0), 16)) drawItem(near, image);
    return;
  }
  const parts = load<u32>(object, OBJECT_PARTS), firstPart = load<u32>(object, OBJECT_PART);
  for (let p: u32 = 0; p < parts; p++) {
    const part = firstPart + p;
    if (!load<u8>(<usize>load<u32>(view, VIEW_KEPT_PARTS) + part)) continue;
    if (level == LEVEL_PARTS) {
      if (takeBox(view, <usize>load<u32>(view, VIEW_PART_BOXES) + 24 * <usize>part, 4)) drawItem(near, image);
      continue;
    }
    const margin = load<f32>(object, OBJECT_MARGIN);
    const partSize = load<u32>(view, VIEW_PART_SIZE);
    const end = min<u32>((p + 1) * partSize, load<u32>(object, OBJECT_COUNT));
    const kept = <usize>load<u32>(view, VIEW_KEPT_TRIANGLES) + load<u32>(object, OBJECT_SLOT);
    for (let t = p * partSize; t < end; t++) {
      if (!(t & 3)) projectGroup(view, <usize>load<u32>(object, OBJECT_CORNERS) + CORNER_BYTES * <usize>(t >> 2));
      if (load<u8>(kept + t) && takeTriangle(view, t & 3, margin)) drawItem(near, image);
    }
  }
}

/** Marks the units of an object that are not free of what was drawn. */
function testObject(view: usize, o: u32, near: usize, image: usize, bit: u32): void {
  if (o == NONE) return;
  const object = objectAt(load<u32>(view, VIEW_OBJECTS), o);
  const level = load<u32>(view, VIEW_LEVEL);
  const ofObject = level == LEVEL_BOXES || level == LEVEL_OBJECTS;
  if (ofObject && isSettled(view, o, bit)) return;
  if (level == LEVEL_BOXES) {
    if (takeBox(view, groupAt(object, load<u32>(object, OBJECT_HEIGHT) - 1, 0), 16) && !isFree(near, image)) fail(view, o, bit);
    return;
  }
  const parts = load<u32>(object, OBJECT_PARTS), firstPart = load<u32>(object, OBJECT_PART);
  const margin = load<f32>(object, OBJECT_MARGIN);
  const partSize = load<u32>(view, VIEW_PART_SIZE);
  const slot = load<u32>(object, OBJECT_SLOT);
  const kept = <usize>load<u32>(view, VIEW_KEPT_TRIANGLES) + slot;
  for (let p: u32 = 0; p < parts; p++) {
    const part = firstPart + p;
    if (!load<u8>(<usize>load<u32>(view, VIEW_KEPT_PARTS) + part)) continue;
    if (level == LEVEL_PARTS) {
      if (isSettled(view, part, bit)) continue;
      if (takeBox(view, <usize>load<u32>(view, VIEW_PART_BOXES) + 24 * <usize>part, 4) && !isFree(near, image)) fail(view, part, bit);
      continue;
    }
    const end = min<u32>((p + 1) * partSize, load<u32>(object, OBJECT_COUNT));
    for (let t = p * partSize; t < end; t++) {
      if (!(t & 3)) projectGroup(view, <usize>load<u32>(object, OBJECT_CORNERS) + CORNER_BYTES * <usize>(t >> 2));
      if (!load<u8>(kept + t) || (!ofObject && isSettled(view, slot + t, bit))) continue;
      if (!takeTriangle(view, t & 3, margin) || isFree(near, image)) continue;
      if (ofObject) {
        fail(view, o, bit);
        return;
      }
      fail(view, slot + t, bit);
    }
  }
}

/** Whether it is known that a unit is free of a set, or that it is not free of it in this view. */
// @ts-ignore: decorator
@inline function isSettled(view: usize, unit: u32, bit: u32): bool {
  const word: usize = 4 * <usize>unit;
  return ((load<u32>(<usize>load<u32>(view, VIEW_FREE) + word) | load<u32>(<usize>load<u32>(view, VIEW_FAILED) + word)) & bit) != 0;
}

// @ts-ignore: decorator
@inline function fail(view: usize, unit: u32, bit: u32): void {
  const at = <usize>load<u32>(view, VIEW_FAILED) + 4 * <usize>unit;
  store<u32>(at, load<u32>(at) | bit);
}

/** After views of the sets in `bits`: whatever did not fail is free. Clears `failed` for the next view. */
export function gatherFree(free: usize, failed: usize, count: u32, bits: u32): void {
  for (let k: usize = 0; k < 4 * <usize>count; k += 4) {
    store<u32>(free + k, load<u32>(free + k) | (bits & ~load<u32>(failed + k)));
    store<u32>(failed + k, 0);
  }
}

/**
 * Drops the units that are free of all sets in `bits`, and the objects that have none left; returns how many units were
 * dropped.
 */
export function dropFree(view: usize, bits: u32): u32 {
  const count = load<u32>(view, VIEW_COUNT);
  const free: usize = load<u32>(view, VIEW_FREE);
  let dropped: u32 = 0;
  for (let rank: u32 = 0; rank < count; rank++) {
    const o = objectOf(view, rank);
    if (o == NONE) continue;
    const kept = keptOf(view), first = firstUnit(view, o), units = unitsOf(view, o);
    let left = false;
    for (let i = first; i < first + units; i++) {
      if (!load<u8>(kept + i) || !isDrawn(view, o, i - first)) continue;
      if (load<u32>(free + 4 * <usize>i) == bits) {
        store<u8>(kept + i, 0);
        dropped++;
      } else left = true;
    }
    if (left) continue;
    store<u8>(<usize>load<u32>(view, VIEW_KEPT_OBJECTS) + o, 0);
    store<u32>(<usize>load<u32>(view, VIEW_ORDER) + 4 * <usize>rank, NONE);
  }
  return dropped;
}

/** How many units are drawn. */
export function countKept(view: usize): u32 {
  const count = load<u32>(view, VIEW_COUNT);
  let sum: u32 = 0;
  for (let rank: u32 = 0; rank < count; rank++) {
    const o = objectOf(view, rank);
    if (o == NONE) continue;
    const kept = keptOf(view), first = firstUnit(view, o), units = unitsOf(view, o);
    for (let i = first; i < first + units; i++) sum += <u32>(load<u8>(kept + i) && isDrawn(view, o, i - first));
  }
  return sum;
}

/** Flags of the units. */
// @ts-ignore: decorator
@inline function keptOf(view: usize): usize {
  const level = load<u32>(view, VIEW_LEVEL);
  return level == LEVEL_TRIANGLES ? load<u32>(view, VIEW_KEPT_TRIANGLES) : level == LEVEL_PARTS ? load<u32>(view, VIEW_KEPT_PARTS) : load<u32>(view, VIEW_KEPT_OBJECTS);
}

/** The units of an object. */
// @ts-ignore: decorator
@inline function firstUnit(view: usize, o: u32): u32 {
  const level = load<u32>(view, VIEW_LEVEL);
  const object = objectAt(load<u32>(view, VIEW_OBJECTS), o);
  return level == LEVEL_TRIANGLES ? load<u32>(object, OBJECT_SLOT) : level == LEVEL_PARTS ? load<u32>(object, OBJECT_PART) : o;
}

// @ts-ignore: decorator
@inline function unitsOf(view: usize, o: u32): u32 {
  const level = load<u32>(view, VIEW_LEVEL);
  const object = objectAt(load<u32>(view, VIEW_OBJECTS), o);
  return level == LEVEL_TRIANGLES ? load<u32>(object, OBJECT_COUNT) : level == LEVEL_PARTS ? load<u32>(object, OBJECT_PARTS) : 1;
}

/** Whether a unit that was not dropped takes part: a triangle does not if its part was dropped. */
// @ts-ignore: decorator
@inline function isDrawn(view: usize, o: u32, i: u32): bool {
  if (load<u32>(view, VIEW_LEVEL) != LEVEL_TRIANGLES) return true;
  const part = load<u32>(objectAt(load<u32>(view, VIEW_OBJECTS), o), OBJECT_PART) + i / load<u32>(view, VIEW_PART_SIZE);
  return load<u8>(<usize>load<u32>(view, VIEW_KEPT_PARTS) + part) != 0;
}
