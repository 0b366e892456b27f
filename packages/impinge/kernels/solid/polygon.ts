/**
 * Convex polygons in space and how the surface of an object cuts them.
 *
 * Layout: corners are three float64 each, around the polygon; at most MOST_CORNERS.
 * Errs: a triangle that comes within the tolerance of a polygon's plane and edges counts as crossing it; one whose
 * plane has the polygon on one side, except for the tolerance, does not.
 */
import {
  BLOCK_BYTES, PENDING_BIT, ROW_REF, TREE_BLOCKS, TREE_ORDER,
  indicesOf, isLeaf, leafCount, leafStart, positionsOf, vertexAt,
} from '../layout';
import { DONE } from '../context';
import { EDGES, POINT_STACK, POLYGON, scratch } from './scratch';
import { UP, aim, askForPart, enter, partCount, partMesh, partTree, planeDistanceSq4, pushLanes } from './walk';

export const MOST_CORNERS: u32 = 8;

// @ts-ignore: decorator
@inline export function along(corner: usize, nx: f64, ny: f64, nz: f64): f64 {
  return nx * load<f64>(corner) + ny * load<f64>(corner, 8) + nz * load<f64>(corner, 16);
}

/** Writes a point transformed by a pose (rotation, row-major, and translation). */
// @ts-ignore: decorator
@inline export function writePosed(r: usize, x: f64, y: f64, z: f64, out: usize): void {
  store<f64>(out, load<f64>(r) * x + load<f64>(r, 8) * y + load<f64>(r, 16) * z + load<f64>(r, 72));
  store<f64>(out, load<f64>(r, 24) * x + load<f64>(r, 32) * y + load<f64>(r, 40) * z + load<f64>(r, 80), 8);
  store<f64>(out, load<f64>(r, 48) * x + load<f64>(r, 56) * y + load<f64>(r, 64) * z + load<f64>(r, 88), 16);
}

/** A loop, because a bulk copy is a call, which costs more than copying a polygon. */
// @ts-ignore: decorator
@inline export function copyCorners(from: usize, to: usize, count: u32): void {
  for (let end = from + 24 * <usize>count; from < end; from += 24, to += 24) {
    v128.store(to, v128.load(from));
    store<f64>(to, load<f64>(from, 16), 16);
  }
}

/**
 * Keeps the part of a polygon with n · x ≤ limit, or all of it if that part would have too many corners. Returns the
 * number of corners.
 */
export function clip(corners: usize, count: u32, nx: f64, ny: f64, nz: f64, limit: f64): u32 {
  const out = scratch + POLYGON;
  let kept: u32 = 0;
  let previous = corners + 24 * <usize>(count - 1);
  let before = along(previous, nx, ny, nz) - limit;
  for (let i: u32 = 0; i < count; i++) {
    const corner = corners + 24 * <usize>i;
    const here = along(corner, nx, ny, nz) - limit;
    if ((before > 0) != (here > 0)) {
      const t = before / (before - here);
      const to = out + 24 * <usize>kept;
      kept++;
      for (let k: usize = 0; k < 24; k += 8) store<f64>(to + k, load<f64>(previous + k) + t * (load<f64>(corner + k) - load<f64>(previous + k)));
    }
    if (!(here > 0)) {
      copyCorners(corner, out + 24 * <usize>kept, 1);
      kept++;
    }
    previous = corner;
    before = here;
  }
  if (kept > MOST_CORNERS) return count;
  copyCorners(out, corners, kept);
  return kept;
}

/**
 * Results of `crossPolygon`: the number of triangles that cross the polygon (it stops at MANY); the plane that divides
 * it best, and the extent of the polygon on the smaller side, measured along the polygon.
 */
export let cutCount: u32 = 0;
export let cutShare: f64 = 0;
export let cutX: f64 = 0, cutY: f64 = 0, cutZ: f64 = 0, cutAt: f64 = 0;
export const MANY: u32 = 5;

/**
 * Finds the triangles of a side that cross a convex polygon about (x, y, z). If there are none, the whole polygon lies
 * on one side of the surface, except for points within `tolerance` of it. Fewer than MANY crossers are listed at
 * `crossers` (part, triangle). A triangle that crosses a polygon also crosses the polygon it was cut from: `known` is
 * the number of crossers listed for such a parent (MANY: unknown).
 */
export function crossPolygon(query: usize, side: usize, corners: usize, count: u32, x: f64, y: f64, z: f64, radius: f64, tolerance: f64, crossers: usize, known: u32): i32 {
  cutCount = 0;
  cutShare = 0;
  // normal: the sum of the cross products around the middle
  let nx: f64 = 0, ny: f64 = 0, nz: f64 = 0;
  let from = corners + 24 * <usize>(count - 1);
  for (let k: u32 = 0; k < count; k++) {
    const to = corners + 24 * <usize>k;
    const ax = load<f64>(from) - x, ay = load<f64>(from, 8) - y, az = load<f64>(from, 16) - z;
    const bx = load<f64>(to) - x, by = load<f64>(to, 8) - y, bz = load<f64>(to, 16) - z;
    nx += ay * bz - az * by; ny += az * bx - ax * bz; nz += ax * by - ay * bx;
    from = to;
  }
  const unit = 1 / sqrt(nx * nx + ny * ny + nz * nz);
  if (!(unit < Infinity)) {
    cutCount = MANY; // without area: anything may cross it
    return DONE;
  }
  nx *= unit; ny *= unit; nz *= unit;
  // the planes through the edges, at right angles to the polygon: outward normal, and their distance from the middle
  const edges = scratch + EDGES;
  from = corners + 24 * <usize>(count - 1);
  for (let k: u32 = 0; k < count; k++) {
    const to = corners + 24 * <usize>k;
    const ex = load<f64>(to) - load<f64>(from), ey = load<f64>(to, 8) - load<f64>(from, 8), ez = load<f64>(to, 16) - load<f64>(from, 16);
    const gx = ey * nz - ez * ny, gy = ez * nx - ex * nz, gz = ex * ny - ey * nx;
    const length = sqrt(gx * gx + gy * gy + gz * gz);
    const scale = length > 0 ? 1 / length : 0;
    const edge = edges + 32 * <usize>k;
    store<f64>(edge, scale * gx);
    store<f64>(edge, scale * gy, 8);
    store<f64>(edge, scale * gz, 16);
    store<f64>(edge, tolerance + scale * (gx * (load<f64>(from) - x) + gy * (load<f64>(from, 8) - y) + gz * (load<f64>(from, 16) - z)), 24);
    from = to;
  }
  if (known < MANY) {
    for (let i: u32 = 0; i < known; i++) {
      const part = load<u32>(crossers + 8 * <usize>i), triangle = load<u32>(crossers + 8 * <usize>i, 4);
      crossPolygonTriangle(partMesh(query, side, part), part, triangle, corners, count, x, y, z, nx, ny, nz, tolerance, crossers);
    }
    return DONE;
  }
  const parts = partCount(query, side);
  const stack = scratch + POINT_STACK;
  const limit = <f32>(radius * radius * UP);
  aim(nx, ny, nz);
  for (let part: u32 = 0; part < parts; part++) {
    const tree = partTree(query, side, part);
    const mesh = partMesh(query, side, part);
    const blocks = tree + load<u32>(tree, TREE_BLOCKS);
    const order = tree + load<u32>(tree, TREE_ORDER);
    enter(tree, x, y, z, 0);
    let top = pushLanes(stack, blocks, blocks, planeDistanceSq4(blocks), limit);
    while (top > stack) {
      top -= 8;
      const slot = load<u32>(top);
      const ref = load<u32>(blocks + slot, ROW_REF);
      if (isLeaf(ref)) {
        const end = leafStart(ref) + leafCount(ref);
        for (let i = leafStart(ref); i < end; i++) {
          crossPolygonTriangle(mesh, part, load<u32>(order + 4 * <usize>i), corners, count, x, y, z, nx, ny, nz, tolerance, crossers);
        }
        if (cutCount >= MANY) return DONE;
        continue;
      }
      if (ref & PENDING_BIT) return askForPart(query, side, part, slot);
      const block = blocks + BLOCK_BYTES * <usize>ref;
      top = pushLanes(top, blocks, block, planeDistanceSq4(block), limit);
    }
  }
  return DONE;
}

function crossPolygonTriangle(mesh: usize, part: u32, triangle: u32, corners: usize, count: u32, x: f64, y: f64, z: f64, nx: f64, ny: f64, nz: f64, tolerance: f64, crossers: usize): void {
  const positions = positionsOf(mesh);
  const corner = indicesOf(mesh) + 12 * <usize>triangle;
  const v0 = vertexAt(positions, load<u32>(corner)), v1 = vertexAt(positions, load<u32>(corner, 4)), v2 = vertexAt(positions, load<u32>(corner, 8));
  const ax = <f64>load<f32>(v0) - x, ay = <f64>load<f32>(v0, 4) - y, az = <f64>load<f32>(v0, 8) - z;
  const bx = <f64>load<f32>(v1) - x, by = <f64>load<f32>(v1, 4) - y, bz = <f64>load<f32>(v1, 8) - z;
  const cx = <f64>load<f32>(v2) - x, cy = <f64>load<f32>(v2, 4) - y, cz = <f64>load<f32>(v2, 8) - z;
  const a = nx * ax + ny * ay + nz * az, b = nx * bx + ny * by + nz * bz, c = nx * cx + ny * cy + nz * cz;
  if ((a > tolerance && b > tolerance && c > tolerance) || (a < -tolerance && b < -tolerance && c < -tolerance)) return;
  // the triangle's section with the polygon's plane, clipped to all edges
  const ux = bx - ax, uy = by - ay, uz = bz - az, vx = cx - ax, vy = cy - ay, vz = cz - az;
  let px: f64 = 0, py: f64 = 0, pz: f64 = 0, qx: f64 = 0, qy: f64 = 0, qz: f64 = 0;
  const la = abs(a), lb = abs(b), lc = abs(c);
  const inPlane = <i32>(la <= tolerance) + <i32>(lb <= tolerance) + <i32>(lc <= tolerance);
  if (inPlane > 1 || ((a > 0) == (b > 0) && (b > 0) == (c > 0))) {
    // the triangle touches: take the closest corner or edge; signs within the tolerance could cut an edge anywhere
    const farthest = la > lb ? (la > lc ? 0 : 2) : lb > lc ? 1 : 2;
    if (farthest == 0) { px = bx; py = by; pz = bz; qx = cx; qy = cy; qz = cz; }
    else if (farthest == 1) { px = ax; py = ay; pz = az; qx = cx; qy = cy; qz = cz; }
    else { px = ax; py = ay; pz = az; qx = bx; qy = by; qz = bz; }
  } else if ((a > 0) == (b > 0)) {
    const s = c / (c - a), t = c / (c - b);
    px = cx - s * vx; py = cy - s * vy; pz = cz - s * vz;
    qx = cx + t * (bx - cx); qy = cy + t * (by - cy); qz = cz + t * (bz - cz);
  } else if ((a > 0) == (c > 0)) {
    const s = b / (b - a), t = b / (b - c);
    px = bx - s * ux; py = by - s * uy; pz = bz - s * uz;
    qx = bx + t * (cx - bx); qy = by + t * (cy - by); qz = bz + t * (cz - bz);
  } else {
    const s = a / (a - b), t = a / (a - c);
    px = ax + s * ux; py = ay + s * uy; pz = az + s * uz;
    qx = ax + t * vx; qy = ay + t * vy; qz = az + t * vz;
  }
  let start: f64 = 0, end: f64 = 1;
  const edges = scratch + EDGES;
  for (let k: u32 = 0; k < count; k++) {
    const edge = edges + 32 * <usize>k;
    const gx = load<f64>(edge), gy = load<f64>(edge, 8), gz = load<f64>(edge, 16), reach = load<f64>(edge, 24);
    const p = gx * px + gy * py + gz * pz - reach;
    const q = gx * qx + gy * qy + gz * qz - reach;
    if (p > 0 && q > 0) return;
    if (p > 0) { const t = p / (p - q); if (t > start) start = t; }
    if (q > 0) { const t = p / (p - q); if (t < end) end = t; }
  }
  if (start > end) return;
  // the polygon has corners on both sides of the triangle's plane
  let mx = uy * vz - uz * vy, my = uz * vx - ux * vz, mz = ux * vy - uy * vx;
  const unit = 1 / sqrt(mx * mx + my * my + mz * mz);
  if (!(unit < Infinity)) return;
  mx *= unit; my *= unit; mz *= unit;
  const at = mx * (ax + x) + my * (ay + y) + mz * (az + z);
  const share = shareOf(mx, my, mz, at, corners, count);
  if (!(share > tolerance)) return;
  if (cutCount < MANY - 1) {
    store<u32>(crossers + 8 * <usize>cutCount, part);
    store<u32>(crossers + 8 * <usize>cutCount, triangle, 4);
  }
  cutCount++;
  // measured along the polygon: a nearly parallel plane may cut it in half although the polygon hardly leaves that
  // plane
  const sx = ny * mz - nz * my, sy = nz * mx - nx * mz, sz = nx * my - ny * mx;
  const along = share / sqrt(sx * sx + sy * sy + sz * sz);
  if (!(along > cutShare) || !(share > 4 * tolerance)) return;
  cutShare = along;
  cutX = mx; cutY = my; cutZ = mz; cutAt = at;
}

/** How well the planes through the edges of a triangle, at right angles to it, divide a polygon: the best share. */
export function shareOfEdges(mesh: usize, triangle: u32, corners: usize, count: u32): f64 {
  let best: f64 = 0;
  for (let k: usize = 0; k < 3; k++) {
    if (!edgePlane(mesh, triangle, k)) continue;
    const share = shareOf(cutX, cutY, cutZ, cutAt, corners, count);
    if (share > best) best = share;
  }
  return best;
}

/**
 * Sets the plane through edge k of a triangle, at right angles to it, with the triangle below; false if there is none.
 */
export function edgePlane(mesh: usize, triangle: u32, k: usize): bool {
  const positions = positionsOf(mesh);
  const corner = indicesOf(mesh) + 12 * <usize>triangle;
  const v0 = vertexAt(positions, load<u32>(corner + 4 * k)), v1 = vertexAt(positions, load<u32>(corner + 4 * (k == 2 ? 0 : k + 1))), v2 = vertexAt(positions, load<u32>(corner + 4 * (k == 0 ? 2 : k - 1)));
  const x = <f64>load<f32>(v0), y = <f64>load<f32>(v0, 4), z = <f64>load<f32>(v0, 8);
  const ux = <f64>load<f32>(v1) - x, uy = <f64>load<f32>(v1, 4) - y, uz = <f64>load<f32>(v1, 8) - z;
  const vx = <f64>load<f32>(v2) - x, vy = <f64>load<f32>(v2, 4) - y, vz = <f64>load<f32>(v2, 8) - z;
  const nx = uy * vz - uz * vy, ny = uz * vx - ux * vz, nz = ux * vy - uy * vx;
  const gx = uy * nz - uz * ny, gy = uz * nx - ux * nz, gz = ux * ny - uy * nx;
  const unit = 1 / sqrt(gx * gx + gy * gy + gz * gz);
  if (!(unit < Infinity)) return false;
  cutX = unit * gx; cutY = unit * gy; cutZ = unit * gz;
  cutAt = cutX * x + cutY * y + cutZ * z;
  return true;
}

export function setCut(nx: f64, ny: f64, nz: f64, at: f64): void { cutX = nx; cutY = ny; cutZ = nz; cutAt = at; }

/** The extent of a polygon on the side of a plane where it is smaller. */
// @ts-ignore: decorator
@inline export function shareOf(nx: f64, ny: f64, nz: f64, at: f64, corners: usize, count: u32): f64 {
  let above: f64 = 0, below: f64 = 0;
  for (let k: u32 = 0; k < count; k++) {
    const p = corners + 24 * <usize>k;
    const h = nx * load<f64>(p) + ny * load<f64>(p, 8) + nz * load<f64>(p, 16) - at;
    if (h > above) above = h;
    if (-h > below) below = -h;
  }
  return above < below ? above : below;
}
