/**
 * Evaluates one cell in the search for the deepest point: whether it has a point deeper than the deepest so far, and
 * how deep its other points can be at most. See deepest.ts.
 */
import { cornerDistances } from '../corner-distances';
import { EMPTY, ROW, ROW_CENTRE, ROW_HALF, ROW_QUATERNION, ROW_REF, TREE_BLOCKS, TREE_CENTRE, TREE_RADIUS, isLeaf } from '../layout';
import { DONE, NEED_TREELET } from '../context';
import {
  C_CORNERS, C_CORNER_COUNT, C_CROSSERS, C_CROSSER_COUNT, C_CUT, C_KIND, C_KNOWN, C_KNOWN_AT, C_KNOWN_WITHIN, C_MATE, C_MATE_PART, C_PART, C_SEED,
  C_SEED_PART, C_SLOT, SURFACE, WHOLLY_INSIDE, push, putAside, threshold,
} from './deepest-cells';
import { hasMarked } from './deepest-marks';
import { PLANE_BYTES, addPlanes, depthInBox, mostUnder, planesOf, storePlane } from './deepest-planes';
import {
  P_AT_LEAST, P_A_TO_B, P_BEST_SIDE, P_B_TO_A, P_CAP_A, P_CLOSED_A, P_DEPTH, P_EVALUATIONS, P_OFFSET, P_OUTSIDE, P_PLANE_COUNT_A, P_POINT, P_PRUNED, P_TOLERANCE,
} from './point-context';
import { nearPart, nearSq, nearTriangle, nearX, nearY, nearZ, nearest, pointTriangle } from './point-nearest';
import { INSIDE, OUTSIDE, STOPPED, UNKNOWN, sideByFacing, sideByParity } from './point-side';
import { along, clip, crossPolygon, cutAt, cutCount, cutShare, cutX, cutY, cutZ, shareOfEdges, writePosed } from './polygon';
import { DISTANCES, scratch } from './scratch';
import { partMesh, partTree } from './walk';

/**
 * If a cell's middle is nearer to the surface than this share of the cell's radius, its side is not worth casting a
 * ray.
 */
const WORTH_A_RAY: f64 = 0.3;
/** Share of the distance from the border of an open surface: a smaller cell lies on the same side as its middle. */
const BORDER_SHARE: f64 = 0.1;
/** Share of a polygon's radius that must lie on either side of a cut. */
const WORTH_A_CUT: f64 = 1e-4;
/** Number of weights tried for the mean of two distances. */
const WEIGHTS: i32 = 4;
/** Bytes of the distances of a polygon's corners from a triangle. */
const DISTANCE_ROW: usize = 64;
/** Share of a tree's radius by which float32 may misplace its boxes. */
const BOX_SLACK: f64 = 1e-6;

export function raise(query: usize, depth: f64, x: f64, y: f64, z: f64, surface: usize): void {
  if (!(depth > load<f64>(query, P_DEPTH))) return;
  store<f64>(query, depth, P_DEPTH);
  store<f64>(query, x, P_POINT);
  store<f64>(query, y, P_POINT + 8);
  store<f64>(query, z, P_POINT + 16);
  store<u32>(query, <u32>surface, P_BEST_SIDE);
}

export function lookAtLane(query: usize, cell: usize): i32 {
  const kind = load<u32>(cell, C_KIND);
  const surface = <usize>(kind & SURFACE);
  const other: usize = 1 - surface;
  const closed = load<u32>(query + 4 * other, P_CLOSED_A) != 0;
  const tree = partTree(query, surface, load<u32>(cell, C_PART));
  const lane = tree + load<u32>(tree, TREE_BLOCKS) + load<u32>(cell, C_SLOT);
  const pose = query + (surface == 0 ? P_A_TO_B : P_B_TO_A);
  // the box in the other object's frame: its middle, then its axes times its half extents, in place of the corners
  const middle = cell + C_CORNERS;
  const axes = middle + 24;
  writePosed(pose, <f64>load<f32>(lane, ROW_CENTRE) + load<f64>(tree, TREE_CENTRE), <f64>load<f32>(lane, ROW_CENTRE + ROW) + load<f64>(tree, TREE_CENTRE + 8),
    <f64>load<f32>(lane, ROW_CENTRE + 2 * ROW) + load<f64>(tree, TREE_CENTRE + 16), middle);
  const qx = <f64>load<f32>(lane, ROW_QUATERNION), qy = <f64>load<f32>(lane, ROW_QUATERNION + ROW);
  const qz = <f64>load<f32>(lane, ROW_QUATERNION + 2 * ROW), qw = <f64>load<f32>(lane, ROW_QUATERNION + 3 * ROW);
  const s = 2 / (qx * qx + qy * qy + qz * qz + qw * qw);
  const more = BOX_SLACK * <f64>load<f32>(tree, TREE_RADIUS);
  const h0 = <f64>load<f32>(lane, ROW_HALF) + more, h1 = <f64>load<f32>(lane, ROW_HALF + ROW) + more, h2 = <f64>load<f32>(lane, ROW_HALF + 2 * ROW) + more;
  turnAxis(pose, h0 * (1 - s * (qy * qy + qz * qz)), h0 * s * (qx * qy + qz * qw), h0 * s * (qx * qz - qy * qw), axes);
  turnAxis(pose, h1 * s * (qx * qy - qz * qw), h1 * (1 - s * (qx * qx + qz * qz)), h1 * s * (qy * qz + qx * qw), axes + 24);
  turnAxis(pose, h2 * s * (qx * qz + qy * qw), h2 * s * (qy * qz - qx * qw), h2 * (1 - s * (qx * qx + qy * qy)), axes + 48);
  const radius = sqrt(h0 * h0 + h1 * h1 + h2 * h2);

  // moving a triangle makes its points deeper by at most that distance (deepest-offset.ts)
  const moved = abs(load<f64>(query, P_OFFSET));
  let bound = load<f64>(query + 8 * other, P_CAP_A);
  const planes = planesOf(query, other);
  for (let i: u32 = 0; i < load<u32>(query + 4 * other, P_PLANE_COUNT_A); i++) {
    const plane = planes + PLANE_BYTES * <usize>i;
    const nx = load<f64>(plane), ny = load<f64>(plane, 8), nz = load<f64>(plane, 16);
    const most = load<f64>(plane, 24) - along(middle, nx, ny, nz) + abs(along(axes, nx, ny, nz)) + abs(along(axes + 24, nx, ny, nz)) + abs(along(axes + 48, nx, ny, nz));
    if (most < 0) return DONE; // outside its box
    if (most + moved < bound) bound = most + moved;
  }
  const limit = threshold(query);
  if (bound <= limit) return putAside(query, bound);
  if (!hasMarked(query, surface, load<u32>(cell, C_PART), load<u32>(cell, C_SLOT))) return DONE;
  if (isLeaf(load<u32>(lane, ROW_REF))) return push(query, cell, bound);

  const x = load<f64>(middle), y = load<f64>(middle, 8), z = load<f64>(middle, 16);
  store<u32>(query, load<u32>(query, P_EVALUATIONS) + 1, P_EVALUATIONS);
  // the exact depth does not matter below the bound of discarded cells, nor if any point that is deep enough will do
  const enough = (moved > 0 ? limit - moved : load<f64>(query, P_PRUNED)) - radius;
  if (nearest(query, other, x, y, z, load<u32>(cell, C_SEED_PART), load<u32>(cell, C_SEED), enough) != DONE) return NEED_TREELET;
  const distance = sqrt(nearSq);
  if (distance <= enough) return DONE;
  store<u32>(cell, nearPart, C_SEED_PART);
  store<u32>(cell, nearTriangle, C_SEED);
  if (distance + radius + moved < bound) bound = distance + radius + moved;
  if (bound <= limit) return putAside(query, bound);
  let side: i32 = kind & WHOLLY_INSIDE ? INSIDE : knownSide(cell, x, y, z);
  if (side == UNKNOWN && distance > WORTH_A_RAY * radius) {
    side = sideOf(query, other, closed, x, y, z);
    if (side == STOPPED) return NEED_TREELET;
  }
  remember(cell, side, x, y, z, distance, closed);
  if (side == OUTSIDE) {
    if (radius - distance + moved < bound) bound = radius - distance + moved;
    if (bound <= limit) return putAside(query, bound);
  }
  if (side == INSIDE && closed && distance > (radius + moved) * (1 + 1e-9)) store<u32>(cell, kind | WHOLLY_INSIDE, C_KIND);
  // the box corner farthest from the closest triangle
  let farthest: f64 = 0;
  const mesh = partMesh(query, other, load<u32>(cell, C_SEED_PART));
  for (let corner: u32 = 0; corner < 8 && farthest < bound * bound; corner++) {
    let px = x, py = y, pz = z;
    for (let k: usize = 0; k < 3; k++) {
      const sign: f64 = corner & (1 << <u32>k) ? 1 : -1;
      px += sign * load<f64>(axes + 24 * k); py += sign * load<f64>(axes + 24 * k, 8); pz += sign * load<f64>(axes + 24 * k, 16);
    }
    const d = pointTriangle(px, py, pz, mesh, load<u32>(cell, C_SEED), Infinity);
    if (d > farthest) farthest = d;
  }
  if (sqrt(farthest) + moved < bound) bound = sqrt(farthest) + moved;
  if (bound <= limit) return putAside(query, bound);
  return push(query, cell, bound);
}

// @ts-ignore: decorator
@inline export function turnAxis(p: usize, x: f64, y: f64, z: f64, out: usize): void {
  store<f64>(out, load<f64>(p) * x + load<f64>(p, 8) * y + load<f64>(p, 16) * z);
  store<f64>(out, load<f64>(p, 24) * x + load<f64>(p, 32) * y + load<f64>(p, 40) * z, 8);
  store<f64>(out, load<f64>(p, 48) * x + load<f64>(p, 56) * y + load<f64>(p, 64) * z, 16);
}

/** The side of a point, if it follows from a nearby point with no surface in between. */
// @ts-ignore: decorator
@inline export function knownSide(cell: usize, x: f64, y: f64, z: f64): i32 {
  const known = <i32>load<u32>(cell, C_KNOWN);
  if (known == UNKNOWN) return UNKNOWN;
  const dx = x - load<f64>(cell, C_KNOWN_AT), dy = y - load<f64>(cell, C_KNOWN_AT + 8), dz = z - load<f64>(cell, C_KNOWN_AT + 16);
  const within = load<f64>(cell, C_KNOWN_WITHIN);
  return dx * dx + dy * dy + dz * dz < within * within ? known : UNKNOWN;
}

// @ts-ignore: decorator
@inline export function remember(cell: usize, side: i32, x: f64, y: f64, z: f64, distance: f64, closed: bool): void {
  if (side == UNKNOWN || !closed) return;
  store<u32>(cell, <u32>side, C_KNOWN);
  store<f64>(cell, x, C_KNOWN_AT);
  store<f64>(cell, y, C_KNOWN_AT + 8);
  store<f64>(cell, z, C_KNOWN_AT + 16);
  store<f64>(cell, distance * (1 - 1e-9), C_KNOWN_WITHIN);
}

/** INSIDE is the side being searched: the outside if P_OUTSIDE is set. */
// @ts-ignore: decorator
@inline export function sideOf(query: usize, other: usize, closed: bool, x: f64, y: f64, z: f64): i32 {
  if (nearSq == 0) return UNKNOWN;
  if (!closed) return sideByFacing(query, other, x, y, z);
  const side = sideByParity(query, other, x, y, z);
  return side == INSIDE || side == OUTSIDE ? side ^ <i32>load<u32>(query, P_OUTSIDE) : side;
}

export function lookAtPolygon(query: usize, cell: usize): i32 {
  const kind = load<u32>(cell, C_KIND);
  const surface = <usize>(kind & SURFACE);
  const other: usize = 1 - surface;
  const closed = load<u32>(query + 4 * other, P_CLOSED_A) != 0;
  const corners = cell + C_CORNERS;
  // cut off the part that is no deeper than the known depth
  const depth = load<f64>(query, P_DEPTH), atLeast = load<f64>(query, P_AT_LEAST);
  const shallow = depth > atLeast ? depth : atLeast;
  const planes = planesOf(query, other);
  let planeCount = load<u32>(query + 4 * other, P_PLANE_COUNT_A);
  let count = load<u32>(cell, C_CORNER_COUNT);
  if (count < 3) return DONE;
  let bound = load<f64>(query + 8 * other, P_CAP_A);
  for (let i: u32 = 0; i < planeCount; i++) {
    const plane = planes + PLANE_BYTES * <usize>i;
    const nx = load<f64>(plane), ny = load<f64>(plane, 8), nz = load<f64>(plane, 16), reach = load<f64>(plane, 24);
    let least: f64 = Infinity, most: f64 = -Infinity;
    for (let k: u32 = 0; k < count; k++) {
      const under = reach - along(corners + 24 * <usize>k, nx, ny, nz);
      if (under < least) least = under;
      if (under > most) most = under;
    }
    if (!(most > shallow)) return putAside(query, shallow);
    if (least < shallow) {
      count = clip(corners, count, nx, ny, nz, reach - shallow);
      if (count < 3) return putAside(query, shallow);
    }
    if (most < bound) bound = most;
  }
  store<u32>(cell, count, C_CORNER_COUNT);
  putAside(query, shallow);
  if (bound <= threshold(query)) return putAside(query, bound);
  // triangles that were close to the parent cell may suffice
  let seedRow = scratch + DISTANCES, mateRow = seedRow + DISTANCE_ROW;
  if (load<u32>(cell, C_SEED) != EMPTY) {
    writeDistances(query, other, cell, C_SEED_PART, seedRow);
    // a cell whose bound is no larger than that of a discarded cell leaves no trace; the threshold was never below that
    if (!anyAbove(seedRow, count, load<f64>(query, P_PRUNED))) return DONE;
    if (load<u32>(cell, C_MATE) != EMPTY) writeDistances(query, other, cell, C_MATE_PART, mateRow);
    const most = boundByTwo(cell, seedRow, mateRow);
    if (most < bound) bound = most;
    if (bound <= threshold(query)) return putAside(query, bound);
  }

  findMiddle(corners, count);
  const x = middleX, y = middleY, z = middleZ, radius = middleRadius;

  store<u32>(query, load<u32>(query, P_EVALUATIONS) + 1, P_EVALUATIONS);
  const enough = load<f64>(query, P_PRUNED) - radius;
  if (nearest(query, other, x, y, z, load<u32>(cell, C_SEED_PART), load<u32>(cell, C_SEED), enough) != DONE) return NEED_TREELET;
  const distance = sqrt(nearSq);
  if (distance <= enough) return DONE;
  const part = nearPart, triangle = nearTriangle;
  const footX = nearX, footY = nearY, footZ = nearZ;
  if (!isTriangle(cell, C_SEED_PART, part, triangle)) {
    // the previous closest triangle becomes the mate
    const fresh = !isTriangle(cell, C_MATE_PART, part, triangle);
    store<u32>(cell, load<u32>(cell, C_SEED_PART), C_MATE_PART);
    store<u32>(cell, load<u32>(cell, C_SEED), C_MATE);
    store<u32>(cell, part, C_SEED_PART);
    store<u32>(cell, triangle, C_SEED);
    const row = mateRow;
    mateRow = seedRow;
    seedRow = row;
    if (fresh) {
      writeDistances(query, other, cell, C_SEED_PART, seedRow);
      const most = boundByTwo(cell, seedRow, mateRow);
      if (most < bound) bound = most;
    }
  }
  if (distance + radius < bound) bound = distance + radius;
  if (bound <= threshold(query)) return putAside(query, bound);

  // does the other surface cross the cell? If not, the side of its middle is the side of the whole cell
  let whole = (kind & WHOLLY_INSIDE) != 0;
  let crossed = false;
  if (!whole && distance <= radius * (1 + 1e-9)) {
    if (crossPolygon(query, other, corners, count, x, y, z, radius, load<f64>(query, P_TOLERANCE), cell + C_CROSSERS, load<u32>(cell, C_CROSSER_COUNT)) != DONE) return NEED_TREELET;
    crossed = cutCount > 0;
    store<u32>(cell, cutCount, C_CROSSER_COUNT);
  }
  let side: i32 = whole ? INSIDE : knownSide(cell, x, y, z);
  if (side == UNKNOWN && (!crossed || distance > load<f64>(query, P_DEPTH))) {
    side = sideOf(query, other, closed, x, y, z);
    if (side == STOPPED) return NEED_TREELET;
  }
  // points nearest to the border of an open surface are outside. So is a whole cell that is small compared with the
  // distance, or whose corners are nearest to the border, too; otherwise the number of cells for a strip along the
  // border would grow with its ratio of length to width
  if (side == UNKNOWN && !closed && !crossed) {
    if (radius < BORDER_SHARE * distance) return DONE;
    const beside = sideOfCorners(query, surface, corners, count, part, triangle);
    if (beside == STOPPED) return NEED_TREELET;
    if (beside == UNKNOWN) return DONE;
  }
  if (side == OUTSIDE) {
    if (!crossed) return DONE;
    if (radius - distance < bound) bound = radius - distance;
  }
  if (side == INSIDE) {
    raise(query, closed ? distance : depthInBox(query, other, distance, x, y, z), x, y, z, surface);
    if (closed && !crossed && !whole) {
      whole = true;
      store<u32>(cell, kind | WHOLLY_INSIDE, C_KIND);
    }
    if (closed && addPlanes(query, other, x, y, z, distance, footX, footY, footZ)) {
      const cap = load<f64>(query + 8 * other, P_CAP_A);
      if (cap < bound) bound = cap;
      for (; planeCount < load<u32>(query + 4 * other, P_PLANE_COUNT_A); planeCount++) {
        const most = mostUnder(planes + PLANE_BYTES * <usize>planeCount, corners, count);
        if (most < bound) bound = most;
      }
    }
  }
  if (bound <= threshold(query)) return putAside(query, bound);
  remember(cell, side, x, y, z, distance, closed);
  const least = WORTH_A_CUT * radius;
  if (crossed && cutShare > 0) {
    storePlane(cell + C_CUT, cutX, cutY, cutZ, cutAt);
  } else {
    const edges = (crossed || distance < 2 * radius) && shareOfEdges(partMesh(query, other, part), triangle, corners, count) > least;
    storePlane(cell + C_CUT, 0, 0, 0, edges ? least : 0);
  }
  if (crossed) return push(query, cell, bound);

  // the corner where the bounds leave the most room
  let roomiest: f64 = load<f64>(query, P_DEPTH);
  let corner: usize = 0;
  for (let k: u32 = 0; k < count; k++) {
    const at = corners + 24 * <usize>k;
    let room = load<f64>(seedRow + 8 * <usize>k);
    for (let i: u32 = 0; i < planeCount && room > roomiest; i++) {
      const plane = planes + PLANE_BYTES * <usize>i;
      const under = load<f64>(plane, 24) - along(at, load<f64>(plane), load<f64>(plane, 8), load<f64>(plane, 16));
      if (under < room) room = under;
    }
    if (room > roomiest) { roomiest = room; corner = at; }
  }
  if (corner) {
    const px = load<f64>(corner), py = load<f64>(corner, 8), pz = load<f64>(corner, 16);
    store<u32>(query, load<u32>(query, P_EVALUATIONS) + 1, P_EVALUATIONS);
    if (nearest(query, other, px, py, pz, part, triangle) != DONE) return NEED_TREELET;
    const cornerDistance = sqrt(nearSq);
    const cornerPart = nearPart, cornerTriangle = nearTriangle;
    if (cornerDistance > load<f64>(query, P_DEPTH)) {
      side = whole ? INSIDE : knownSide(cell, px, py, pz);
      if (side == UNKNOWN) side = sideOf(query, other, closed, px, py, pz);
      if (side == STOPPED) return NEED_TREELET;
      if (side == INSIDE) raise(query, closed ? cornerDistance : depthInBox(query, other, cornerDistance, px, py, pz), px, py, pz, surface);
    }
    if (!isTriangle(cell, C_SEED_PART, cornerPart, cornerTriangle) && !isTriangle(cell, C_MATE_PART, cornerPart, cornerTriangle)) {
      store<u32>(cell, cornerPart, C_MATE_PART);
      store<u32>(cell, cornerTriangle, C_MATE);
      writeDistances(query, other, cell, C_MATE_PART, mateRow);
      const most = boundByTwo(cell, seedRow, mateRow);
      if (most < bound) bound = most;
    }
  }
  if (bound <= threshold(query)) return putAside(query, bound);
  return push(query, cell, bound);
}

/** Returns UNKNOWN if all corners of a polygon are nearest to the border of the other, open object; or STOPPED. */
function sideOfCorners(query: usize, surface: usize, corners: usize, count: u32, part: u32, triangle: u32): i32 {
  const other: usize = 1 - surface;
  for (let k: u32 = 0; k < count; k++) {
    const p = corners + 24 * <usize>k;
    const x = load<f64>(p), y = load<f64>(p, 8), z = load<f64>(p, 16);
    store<u32>(query, load<u32>(query, P_EVALUATIONS) + 1, P_EVALUATIONS);
    if (nearest(query, other, x, y, z, part, triangle) != DONE) return STOPPED;
    const distance = sqrt(nearSq);
    const side = sideOf(query, other, false, x, y, z);
    if (side == UNKNOWN) continue;
    if (side == INSIDE) raise(query, depthInBox(query, other, distance, x, y, z), x, y, z, surface);
    return side;
  }
  return UNKNOWN;
}

/** Whether the seed or the mate of a cell (selected by the field of its part) is the given triangle. */
// @ts-ignore: decorator
@inline export function isTriangle(cell: usize, field: usize, part: u32, triangle: u32): bool {
  return load<u32>(cell + field, 4) == triangle && load<u32>(cell + field) == part;
}

/** Results of the last `findMiddle`. */
export let middleX: f64 = 0, middleY: f64 = 0, middleZ: f64 = 0, middleRadius: f64 = 0;

/** Finds the middle of a polygon's corners, and the distance of the farthest corner from it. */
export function findMiddle(corners: usize, count: u32): void {
  let x: f64 = 0, y: f64 = 0, z: f64 = 0;
  for (let k: u32 = 0; k < count; k++) {
    const p = corners + 24 * <usize>k;
    x += load<f64>(p); y += load<f64>(p, 8); z += load<f64>(p, 16);
  }
  x /= <f64>count; y /= <f64>count; z /= <f64>count;
  let radiusSq: f64 = 0;
  for (let k: u32 = 0; k < count; k++) {
    const d = apartSq(corners + 24 * <usize>k, x, y, z);
    if (d > radiusSq) radiusSq = d;
  }
  middleX = x; middleY = y; middleZ = z; middleRadius = sqrt(radiusSq);
}

// @ts-ignore: decorator
@inline export function apartSq(corner: usize, x: f64, y: f64, z: f64): f64 {
  const dx = load<f64>(corner) - x, dy = load<f64>(corner, 8) - y, dz = load<f64>(corner, 16) - z;
  return dx * dx + dy * dy + dz * dz;
}

/** Writes the distances of a polygon's corners from its seed or its mate. */
// @ts-ignore: decorator
@inline export function writeDistances(query: usize, other: usize, cell: usize, field: usize, row: usize): void {
  cornerDistances(cell + C_CORNERS, load<u32>(cell, C_CORNER_COUNT), partMesh(query, other, load<u32>(cell + field)), load<u32>(cell + field, 4), row);
}

// @ts-ignore: decorator
@inline function anyAbove(row: usize, count: u32, limit: f64): bool {
  for (let end = row + 8 * <usize>count; row < end; row += 8) if (!(load<f64>(row) <= limit)) return true;
  return false;
}

/**
 * Bounds the depth of a polygon. No point of it is deeper than its distance from one triangle of the other surface, or
 * than any weighted mean of its distances from two: between two walls that is half their distance, wherever the point
 * is. All these functions are convex, so their values at the corners are enough.
 */
export function boundByTwo(cell: usize, seedRow: usize, mateRow: usize): f64 {
  const count = load<u32>(cell, C_CORNER_COUNT);
  // at each corner the mean is linear in the weight of the seed; these lines are highest at either end
  let low: usize = 0, high: usize = 0;
  for (let k: usize = 8; k < 8 * <usize>count; k += 8) {
    if (load<f64>(mateRow + k) > load<f64>(mateRow + low)) low = k;
    if (load<f64>(seedRow + k) > load<f64>(seedRow + high)) high = k;
  }
  let best = load<f64>(seedRow + high);
  if (load<u32>(cell, C_MATE) == EMPTY) return best;
  if (load<f64>(mateRow + low) < best) best = load<f64>(mateRow + low);
  for (let step = 0; step < WEIGHTS; step++) {
    const fall = load<f64>(mateRow + low) - load<f64>(seedRow + low), rise = load<f64>(seedRow + high) - load<f64>(mateRow + high);
    if (!(fall > 0 && rise > 0)) break; // one of the two alone is best
    const weight = (load<f64>(mateRow + low) - load<f64>(mateRow + high)) / (rise + fall);
    let highest = low;
    let most: f64 = -Infinity;
    for (let k: usize = 0; k < 8 * <usize>count; k += 8) {
      const mean = load<f64>(mateRow + k) + weight * (load<f64>(seedRow + k) - load<f64>(mateRow + k));
      if (mean > most) { most = mean; highest = k; }
    }
    if (most < best) best = most;
    if (highest == low || highest == high) break;
    if (load<f64>(seedRow + highest) < load<f64>(mateRow + highest)) low = highest;
    else high = highest;
  }
  return best;
}
