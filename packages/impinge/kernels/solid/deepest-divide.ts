/**
 * How the search for the deepest point divides a cell: lanes into child lanes or triangles, polygons where the other
 * surface crosses them, where the closest triangle ends, or across their longest extent. See deepest.ts.
 */
import { PENDING_BIT, ROW_REF, TREE_BLOCKS, TREE_ORDER, indicesOf, isLeaf, leafCount, leafStart, positionsOf, vertexAt } from '../layout';
import { DONE } from '../context';
import { C_CORNERS, C_CORNER_COUNT, C_CUT, C_KIND, C_PART, C_SEED, C_SEED_PART, C_SLOT, POLYGONAL, SURFACE, WHOLLY_INSIDE, addLanes, addWaiting, max3 } from './deepest-cells';
import { isMarked } from './deepest-marks';
import { P_A_TO_B, P_B_TO_A, P_CLOSED_A, P_OFFSET, P_TOLERANCE, P_WORK_COUNT } from './point-context';
import { MOST_CORNERS, clip, copyCorners, cutAt, cutX, cutY, cutZ, edgePlane, shareOf, writePosed } from './polygon';
import { askForPart, partMesh, partTree } from './walk';

/** Adds the parts of a cell as waiting cells: child lanes, triangles, or the halves of a polygon. */
export function divide(query: usize, cell: usize): i32 {
  const kind = load<u32>(cell, C_KIND);
  if (kind & POLYGONAL) { bisect(query, cell); return DONE; }
  const surface = <usize>(kind & SURFACE);
  const part = load<u32>(cell, C_PART);
  const tree = partTree(query, surface, part);
  const slot = load<u32>(cell, C_SLOT);
  const ref = load<u32>(tree + load<u32>(tree, TREE_BLOCKS) + slot, ROW_REF);
  if (!isLeaf(ref)) {
    if (ref & PENDING_BIT) return askForPart(query, surface, part, slot);
    addLanes(query, surface, part, ref, cell, kind & WHOLLY_INSIDE);
    return DONE;
  }
  const mesh = partMesh(query, surface, part);
  const positions = positionsOf(mesh);
  const indices = indicesOf(mesh);
  const order = tree + load<u32>(tree, TREE_ORDER);
  const pose = query + (surface == 0 ? P_A_TO_B : P_B_TO_A);
  const closed = load<u32>(query + 4 * surface, P_CLOSED_A) != 0;
  const offset = load<f64>(query, P_OFFSET);
  const end = leafStart(ref) + leafCount(ref);
  for (let i = leafStart(ref); i < end; i++) {
    const index = load<u32>(order + 4 * <usize>i);
    if (!isMarked(query, surface, part, index)) continue;
    const corner = indices + 12 * <usize>index;
    const triangle = addWaiting(query, kind | POLYGONAL, part, cell);
    store<u32>(triangle, index, C_SLOT);
    store<u32>(triangle, 3, C_CORNER_COUNT);
    for (let k: usize = 0; k < 3; k++) {
      const v = vertexAt(positions, load<u32>(corner + 4 * k));
      writePosed(pose, load<f32>(v), load<f32>(v, 4), load<f32>(v, 8), triangle + C_CORNERS + 24 * k);
    }
    // a triangle without area bounds nothing: the triangles around it contain all its points
    if (offset != 0 && !shift(triangle + C_CORNERS, offset)) {
      store<u32>(query, load<u32>(query, P_WORK_COUNT) - 1, P_WORK_COUNT);
      continue;
    }
    if (closed && isFlat(triangle + C_CORNERS, load<f64>(query, P_TOLERANCE))) store<u32>(query, load<u32>(query, P_WORK_COUNT) - 1, P_WORK_COUNT);
  }
  return DONE;
}

/** Moves a triangle along its normal; returns false if it has none. */
function shift(p: usize, offset: f64): bool {
  const ux = load<f64>(p, 24) - load<f64>(p), uy = load<f64>(p, 32) - load<f64>(p, 8), uz = load<f64>(p, 40) - load<f64>(p, 16);
  const vx = load<f64>(p, 48) - load<f64>(p), vy = load<f64>(p, 56) - load<f64>(p, 8), vz = load<f64>(p, 64) - load<f64>(p, 16);
  const nx = uy * vz - uz * vy, ny = uz * vx - ux * vz, nz = ux * vy - uy * vx;
  const scale = offset / sqrt(nx * nx + ny * ny + nz * nz);
  if (!(abs(scale) < Infinity)) return false;
  for (let k: usize = 0; k < 72; k += 24) {
    store<f64>(p + k, load<f64>(p + k) + scale * nx);
    store<f64>(p + k, load<f64>(p + k, 8) + scale * ny, 8);
    store<f64>(p + k, load<f64>(p + k, 16) + scale * nz, 16);
  }
  return true;
}

/** Whether a triangle is no wider than the tolerance. */
function isFlat(p: usize, tolerance: f64): bool {
  const x = load<f64>(p), y = load<f64>(p, 8), z = load<f64>(p, 16);
  const ux = load<f64>(p, 24) - x, uy = load<f64>(p, 32) - y, uz = load<f64>(p, 40) - z;
  const vx = load<f64>(p, 48) - x, vy = load<f64>(p, 56) - y, vz = load<f64>(p, 64) - z;
  const nx = uy * vz - uz * vy, ny = uz * vx - ux * vz, nz = ux * vy - uy * vx;
  const longestSq = max3(ux * ux + uy * uy + uz * uz, vx * vx + vy * vy + vz * vz, (vx - ux) * (vx - ux) + (vy - uy) * (vy - uy) + (vz - uz) * (vz - uz));
  return nx * nx + ny * ny + nz * nz <= tolerance * tolerance * longestSq;
}

/** Cuts a polygon where the other surface crosses it, or across its longest extent through its middle. */
function bisect(query: usize, cell: usize): void {
  const count = load<u32>(cell, C_CORNER_COUNT);
  const kind = load<u32>(cell, C_KIND);
  const part = load<u32>(cell, C_PART);
  const corners = cell + C_CORNERS;
  if (count < MOST_CORNERS && isZero(cell + C_CUT) && load<f64>(cell, C_CUT + 24) > 0) {
    cutAlongEdges(query, cell);
    return;
  }
  const low = addWaiting(query, kind, part, cell);
  const high = addWaiting(query, kind, part, cell);
  if (count == MOST_CORNERS) { // along a diagonal, because halves may have too many corners
    store<u32>(low, 5, C_CORNER_COUNT);
    store<u32>(high, 5, C_CORNER_COUNT);
    copyCorners(corners, low + C_CORNERS, 5);
    copyCorners(corners + 4 * 24, high + C_CORNERS, 4);
    copyCorners(corners, high + C_CORNERS + 4 * 24, 1);
    return;
  }
  if (!isZero(cell + C_CUT)) {
    cutInTwo(cell, low, high, load<f64>(cell, C_CUT), load<f64>(cell, C_CUT + 8), load<f64>(cell, C_CUT + 16), load<f64>(cell, C_CUT + 24));
    return;
  }
  let longest: f64 = -1, ex: f64 = 0, ey: f64 = 0, ez: f64 = 0;
  let cx: f64 = 0, cy: f64 = 0, cz: f64 = 0;
  for (let i: u32 = 0; i < count; i++) {
    const p = corners + 24 * <usize>i;
    cx += load<f64>(p); cy += load<f64>(p, 8); cz += load<f64>(p, 16);
    for (let j: u32 = 0; j < i; j++) {
      const q = corners + 24 * <usize>j;
      const dx = load<f64>(q) - load<f64>(p), dy = load<f64>(q, 8) - load<f64>(p, 8), dz = load<f64>(q, 16) - load<f64>(p, 16);
      const length = dx * dx + dy * dy + dz * dz;
      if (length > longest) { longest = length; ex = dx; ey = dy; ez = dz; }
    }
  }
  cutInTwo(cell, low, high, ex, ey, ez, (ex * cx + ey * cy + ez * cz) / <f64>count);
}

/** Cuts off the parts that are not over the closest triangle; the rest can be measured by this triangle alone. */
function cutAlongEdges(query: usize, cell: usize): void {
  const kind = load<u32>(cell, C_KIND), part = load<u32>(cell, C_PART);
  const mesh = partMesh(query, 1 - <usize>(kind & SURFACE), load<u32>(cell, C_SEED_PART));
  const least = load<f64>(cell, C_CUT + 24);
  const over = addWaiting(query, kind, part, cell);
  let count = load<u32>(cell, C_CORNER_COUNT);
  copyCorners(cell + C_CORNERS, over + C_CORNERS, count);
  for (let k: usize = 0; k < 3 && count < MOST_CORNERS; k++) {
    if (!edgePlane(mesh, load<u32>(cell, C_SEED), k) || !(shareOf(cutX, cutY, cutZ, cutAt, over + C_CORNERS, count) > least)) continue;
    const beside = addWaiting(query, kind, part, cell);
    copyCorners(over + C_CORNERS, beside + C_CORNERS, count);
    store<u32>(beside, clip(beside + C_CORNERS, count, -cutX, -cutY, -cutZ, -cutAt), C_CORNER_COUNT);
    count = clip(over + C_CORNERS, count, cutX, cutY, cutZ, cutAt);
  }
  store<u32>(over, count, C_CORNER_COUNT);
}

// @ts-ignore: decorator
@inline function isZero(vector: usize): bool {
  return load<f64>(vector) == 0 && load<f64>(vector, 8) == 0 && load<f64>(vector, 16) == 0;
}

// @ts-ignore: decorator
@inline function cutInTwo(cell: usize, low: usize, high: usize, nx: f64, ny: f64, nz: f64, at: f64): void {
  const count = load<u32>(cell, C_CORNER_COUNT);
  copyCorners(cell + C_CORNERS, low + C_CORNERS, count);
  copyCorners(cell + C_CORNERS, high + C_CORNERS, count);
  store<u32>(low, clip(low + C_CORNERS, count, nx, ny, nz, at), C_CORNER_COUNT);
  store<u32>(high, clip(high + C_CORNERS, count, -nx, -ny, -nz, -at), C_CORNER_COUNT);
}
