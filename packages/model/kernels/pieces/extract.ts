/**
 * Extracts a piece of a mesh: the `count` triangles named in `order`, with their vertices. Writes the vertices to
 * `found` in the order of their first use, and three of their numbers per triangle to `corners`; returns the number of
 * vertices. `found` has room for three per triangle.
 */

/** Writes 0, 1, 2, … to `count` words. */
export function numberUp(at: usize, count: u32): void {
  let numbers = i32x4(0, 1, 2, 3);
  let i: u32 = 0;
  for (; i + 4 <= count; i += 4, at += 16) {
    v128.store(at, numbers);
    numbers = i32x4.add(numbers, i32x4.splat(4));
  }
  for (; i < count; i++, at += 4) store<u32>(at, i);
}

/** For a mesh with indices. `local` has one word per vertex of the mesh: zero everywhere, before and after. */
export function extractCorners(positions: usize, indices: usize, order: usize, count: u32, local: usize, found: usize, corners: usize): u32 {
  const end = order + 4 * <usize>count;
  let vertices: u32 = 0;
  let out = found;
  for (let at = order; at < end; at += 4) {
    const tri = indices + 12 * <usize>load<u32>(at);
    for (let k: usize = 0; k < 12; k += 4, corners += 4) {
      const v = <usize>load<u32>(tri + k);
      let number = load<u32>(local + 4 * v);
      if (number == 0) {
        number = ++vertices;
        store<u32>(local + 4 * v, number);
        memory.copy(out, positions + 12 * v, 12);
        out += 12;
      }
      store<u32>(corners, number - 1);
    }
  }
  for (let at = order; at < end; at += 4) {
    const tri = indices + 12 * <usize>load<u32>(at);
    for (let k: usize = 0; k < 12; k += 4) store<u32>(local + 4 * <usize>load<u32>(tri + k), 0);
  }
  return vertices;
}

/** The bits of a coordinate; −0 counts as 0. */
// @ts-ignore: decorator
@inline function bits(at: usize): u32 {
  const word = load<u32>(at);
  return word == 0x80000000 ? 0 : word;
}

/**
 * For a mesh whose triangles share no vertices: corners at equal positions become one vertex. `table` has 2^`tableBits`
 * words, at least two for each corner, with any contents. Most surfaces have one vertex for two triangles, so a quarter
 * of the table is tried first, which stays in the processor's cache.
 */
export function weldCorners(positions: usize, order: usize, count: u32, table: usize, tableBits: u32, found: usize, corners: usize): u32 {
  const vertices = tableBits < 6 ? 0 : weldWithin(positions, order, count, table, tableBits - 2, found, corners);
  return vertices > 0 ? vertices : weldWithin(positions, order, count, table, tableBits, found, corners);
}

/**
 * The same with a table that may be too small: returns 0 once more than half of it is full. A probe always finds a free
 * word: a triangle adds at most three to half of a table of at least 16, or of one with two words for each corner.
 */
function weldWithin(positions: usize, order: usize, count: u32, table: usize, tableBits: u32, found: usize, corners: usize): u32 {
  const shift = 32 - tableBits;
  const mask: u32 = (1 << tableBits) - 1;
  const most: u32 = 1 << (tableBits - 1);
  memory.fill(table, 0, <usize>4 << tableBits);
  let vertices: u32 = 0;
  for (const end = order + 4 * <usize>count; order < end; order += 4) {
    if (vertices > most) return 0;
    let p = positions + 36 * <usize>load<u32>(order);
    for (let k = 0; k < 3; k++, p += 12, corners += 4) {
      const x = bits(p), y = bits(p + 4), z = bits(p + 8);
      let hash = x * 0x9e3779b1;
      hash = (hash ^ (hash >> 15) ^ y) * 0x85ebca6b;
      hash = (hash ^ (hash >> 13) ^ z) * 0xc2b2ae35;
      let slot = ((hash ^ (hash >> 16)) * 0x9e3779b1) >> shift;
      let number = load<u32>(table + 4 * <usize>slot);
      while (number != 0) {
        const v = found + 12 * <usize>(number - 1);
        if (load<u32>(v) == x && load<u32>(v, 4) == y && load<u32>(v, 8) == z) break;
        slot = (slot + 1) & mask;
        number = load<u32>(table + 4 * <usize>slot);
      }
      if (number == 0) {
        const v = found + 12 * <usize>vertices;
        store<u32>(v, x);
        store<u32>(v, y, 4);
        store<u32>(v, z, 8);
        number = ++vertices;
        store<u32>(table + 4 * <usize>slot, number);
      }
      store<u32>(corners, number - 1);
    }
  }
  return vertices;
}
