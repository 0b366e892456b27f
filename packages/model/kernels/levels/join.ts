/** Neighbours of triangles, and boxes over them: for the finest mesh of a group, the present one and the finer one. */
import { writeBoxes } from './boxes';
import {
  ALIVE, G_COARSE, G_COARSE_BOXES, G_COARSE_MESH, G_COARSE_NEAR, G_DEATH, G_FINE, G_FINER, G_FINER_BOXES, G_FINER_COUNT, G_FINER_DEATH, G_FINER_HEAD, G_FINER_LIST, G_FINER_MESH, G_FINER_NEAR,
  G_FINER_NEXT, G_FINER_TABLE, G_FINER_TABLE_SIZE, G_FINER_TRIANGLES, G_FINER_VERTEX_COUNT, G_FINER_VERTICES, G_FINE_BOXES, G_FINE_COUNT, G_FINE_LIST, G_FINE_MESH, G_FINE_NEAR, G_HEAD, G_LIST, G_NEXT, G_POSITIONS, G_TRIANGLES, NONE,
} from './layout';
import { word } from './plane';

/** Writes the neighbours and boxes of the finest mesh; corner lists must be those of the finest mesh. */
export function joinFinest(group: usize): void {
  const list: usize = load<u32>(group, G_FINE_LIST);
  store<u32>(group, joinOwn(group, load<u32>(group, G_FINE), load<u32>(group, G_FINE_NEAR), list), G_FINE_COUNT);
  writeBoxes(group + G_FINE_MESH, list, load<u32>(group, G_FINE_COUNT), load<u32>(group, G_FINE_BOXES));
}

/** The same for the present mesh. */
export function joinCurrent(group: usize): void {
  const list: usize = load<u32>(group, G_LIST);
  const count = joinOwn(group, load<u32>(group, G_COARSE), load<u32>(group, G_COARSE_NEAR), list);
  writeBoxes(group + G_COARSE_MESH, list, count, load<u32>(group, G_COARSE_BOXES));
}

/**
 * The same for the finer mesh. Its parts overlap: vertices at the same place become one, some triangles are there
 * several times.
 */
export function joinFiner(group: usize): void {
  joinVertices(group);
  const corners: usize = load<u32>(group, G_FINER), death: usize = load<u32>(group, G_FINER_DEATH), next: usize = load<u32>(group, G_FINER_NEXT);
  const first = load<u32>(group, G_FINER_VERTICES), triangles = load<u32>(group, G_FINER_TRIANGLES), list: usize = load<u32>(group, G_FINER_LIST);
  memory.fill(load<u32>(group, G_FINER_HEAD), 0xff, 4 * <usize>load<u32>(group, G_FINER_VERTEX_COUNT));
  const head: usize = load<u32>(group, G_FINER_HEAD) - 4 * <usize>first;
  for (let t = triangles; t-- > 0;) {
    const a = word(corners, 3 * t), b = word(corners, 3 * t + 1), c = word(corners, 3 * t + 2);
    const flat = a == b || b == c || c == a;
    store<u32>(death + 4 * <usize>t, flat ? 0 : ALIVE);
    if (flat) continue;
    for (let corner = 3 * t + 3; corner-- > 3 * t;) {
      const v = word(corners, corner);
      store<u32>(next + 4 * <usize>corner, word(head, v));
      store<u32>(head + 4 * <usize>v, corner);
    }
  }
  store<u32>(group, join(triangles, corners, death, head, next, load<u32>(group, G_FINER_NEAR), list), G_FINER_COUNT);
  writeBoxes(group + G_FINER_MESH, list, load<u32>(group, G_FINER_COUNT), load<u32>(group, G_FINER_BOXES));
}

/** Replaces vertices of the finer mesh by the first one at the same place. */
function joinVertices(group: usize): void {
  const positions: usize = load<u32>(group, G_POSITIONS), corners: usize = load<u32>(group, G_FINER), table: usize = load<u32>(group, G_FINER_TABLE);
  const first = load<u32>(group, G_FINER_VERTICES), count = load<u32>(group, G_FINER_VERTEX_COUNT), mask = load<u32>(group, G_FINER_TABLE_SIZE) - 1;
  // not in use yet; becomes per vertex the one that replaces it
  const same: usize = load<u32>(group, G_FINER_HEAD);
  memory.fill(table, 0xff, 4 * <usize>(mask + 1));
  for (let i: u32 = 0; i < count; i++) {
    const at = positions + 12 * <usize>(first + i);
    const x = load<u32>(at), y = load<u32>(at, 4), z = load<u32>(at, 8);
    let hash = (x * 0x9e3779b1) ^ (y * 0x85ebca6b) ^ (z * 0xc2b2ae35);
    hash ^= hash >>> 15;
    let slot = (hash * 0x2c1b3c6d) >>> 7 & mask;
    for (;; slot = (slot + 1) & mask) {
      const other = word(table, slot);
      if (other == NONE) { store<u32>(table + 4 * <usize>slot, first + i); store<u32>(same + 4 * <usize>i, first + i); break; }
      const p = positions + 12 * <usize>other;
      if (load<u32>(p) == x && load<u32>(p, 4) == y && load<u32>(p, 8) == z) { store<u32>(same + 4 * <usize>i, other); break; }
    }
  }
  const end = corners + 12 * <usize>load<u32>(group, G_FINER_TRIANGLES);
  for (let corner = corners; corner < end; corner += 4) store<u32>(corner, word(same, load<u32>(corner) - first));
}

function joinOwn(group: usize, corners: usize, near: usize, list: usize): u32 {
  return join(load<u32>(group, G_TRIANGLES), corners, load<u32>(group, G_DEATH), load<u32>(group, G_HEAD), load<u32>(group, G_NEXT), near, list);
}

/**
 * Lists the triangles that are alive, and the neighbour beyond each of their edges: one that has the edge in the
 * opposite direction, if there is one. Returns their number.
 */
function join(triangles: u32, corners: usize, death: usize, head: usize, next: usize, near: usize, list: usize): u32 {
  let count: u32 = 0;
  memory.fill(near, 0xff, 12 * <usize>triangles);
  for (let t: u32 = 0; t < triangles; t++) {
    if (word(death, t) != ALIVE) continue;
    store<u32>(list + 4 * <usize>count, t);
    count++;
    for (let k: u32 = 0; k < 3; k++) {
      if (word(near, 3 * t + k) != NONE) continue;
      const a = word(corners, 3 * t + k), b = word(corners, 3 * t + (k == 2 ? 0 : k + 1));
      for (let corner = word(head, a); corner != NONE; corner = word(next, corner)) {
        const other = corner / 3;
        if (other == t || word(death, other) != ALIVE) continue;
        const before = corner == 3 * other ? corner + 2 : corner - 1;
        const isTurned = word(corners, before) == b;
        if (!isTurned && word(corners, corner == 3 * other + 2 ? corner - 2 : corner + 1) != b) continue;
        store<u32>(near + 4 * <usize>(3 * t + k), other);
        if (!isTurned) continue;
        // the same edge in the opposite direction
        if (word(near, before) == NONE) store<u32>(near + 4 * <usize>before, t);
        break;
      }
    }
  }
  return count;
}
