/**
 * The side of an object's surface on which a point lies: for a closed surface by the parity of a ray's crossings, for
 * an open one by the orientation of the nearest face. All in the coordinates stored in its meshes, which have one
 * origin.
 *
 * Errs: no crossing is missed. A crossing counts only if every sign it relies on exceeds its rounding error; otherwise
 * the triangle is in doubt.
 */
import {
  BLOCK_BYTES, PENDING_BIT, ROW_REF, TREE_BLOCKS, TREE_ORDER,
  indicesOf, isLeaf, leafCount, leafStart, positionsOf, vertexAt,
} from '../layout';
import { DONE } from '../context';
import { FACE, nearFeature, nearPart, nearSq, nearTriangle, nearX, nearY, nearZ } from './point-nearest';
import { P_BOX_A, P_BOX_B, P_CROSSINGS, P_DOUBTS, P_DOUBT_CAPACITY, P_DOUBT_COUNT, P_FROM, P_TO } from './point-context';
import { POINT_STACK, RIM, RIM_CAPACITY, scratch } from './scratch';
import { aim, askForPart, boxDistanceSq4, enter, partCount, partMesh, partTree, pushLanes, segmentMisses4 } from './walk';

/** Bounds a determinant's rounding, as in triangles.ts. */
const ERROR: f64 = 1e-14;

export const OUTSIDE: i32 = 0;
export const INSIDE: i32 = 1;
export const UNKNOWN: i32 = 2;
export const STOPPED: i32 = 3;

/**
 * Counts the triangles of a side that the segment from P_FROM to P_TO crosses. P_FROM lies in the side's box and P_TO
 * outside, so that the line crosses nothing beyond it. Triangles in doubt are listed and not counted; the list may be
 * too short for all that P_DOUBT_COUNT counts.
 */
export function crossRay(query: usize, side: usize): i32 {
  store<u32>(query, 0, P_CROSSINGS);
  store<u32>(query, 0, P_DOUBT_COUNT);
  const px = load<f64>(query, P_FROM), py = load<f64>(query, P_FROM + 8), pz = load<f64>(query, P_FROM + 16);
  const dx = load<f64>(query, P_TO) - px, dy = load<f64>(query, P_TO + 8) - py, dz = load<f64>(query, P_TO + 16) - pz;
  const parts = partCount(query, side);
  const stack = scratch + POINT_STACK;
  aim(0.5 * dx, 0.5 * dy, 0.5 * dz);
  for (let part: u32 = 0; part < parts; part++) {
    const tree = partTree(query, side, part);
    const mesh = partMesh(query, side, part);
    const blocks = tree + load<u32>(tree, TREE_BLOCKS);
    const order = tree + load<u32>(tree, TREE_ORDER);
    enter(tree, px + 0.5 * dx, py + 0.5 * dy, pz + 0.5 * dz, abs(dx) + abs(dy) + abs(dz));
    let top = pushLanes(stack, blocks, blocks, segmentMisses4(blocks), 0);
    while (top > stack) {
      top -= 8;
      const slot = load<u32>(top);
      const ref = load<u32>(blocks + slot, ROW_REF);
      if (isLeaf(ref)) {
        const end = leafStart(ref) + leafCount(ref);
        for (let i = leafStart(ref); i < end; i++) crossTriangle(query, mesh, part, load<u32>(order + 4 * <usize>i), px, py, pz, dx, dy, dz);
        continue;
      }
      if (ref & PENDING_BIT) return askForPart(query, side, part, slot);
      const block = blocks + BLOCK_BYTES * <usize>ref;
      top = pushLanes(top, blocks, block, segmentMisses4(block), 0);
    }
  }
  return DONE;
}

// @ts-ignore: decorator
@inline function size(x: f64, y: f64, z: f64): f64 { return abs(x) + abs(y) + abs(z); }

function crossTriangle(query: usize, mesh: usize, part: u32, triangle: u32, px: f64, py: f64, pz: f64, dx: f64, dy: f64, dz: f64): void {
  const positions = positionsOf(mesh);
  const corner = indicesOf(mesh) + 12 * <usize>triangle;
  const v0 = vertexAt(positions, load<u32>(corner)), v1 = vertexAt(positions, load<u32>(corner, 4)), v2 = vertexAt(positions, load<u32>(corner, 8));
  const ax = <f64>load<f32>(v0) - px, ay = <f64>load<f32>(v0, 4) - py, az = <f64>load<f32>(v0, 8) - pz;
  const bx = <f64>load<f32>(v1) - px, by = <f64>load<f32>(v1, 4) - py, bz = <f64>load<f32>(v1, 8) - pz;
  const cx = <f64>load<f32>(v2) - px, cy = <f64>load<f32>(v2, 4) - py, cz = <f64>load<f32>(v2, 8) - pz;
  const far = size(ax, ay, az) + size(bx, by, bz) + size(cx, cy, cz);
  const long = size(dx, dy, dz);
  // entirely behind the point
  const behind = -ERROR * far * long;
  if (dx * ax + dy * ay + dz * az < behind && dx * bx + dy * by + dz * bz < behind && dx * cx + dy * cy + dz * cz < behind) return;
  // orientation of the edges around the line
  const nx = ay * bz - az * by, ny = az * bx - ax * bz, nz = ax * by - ay * bx;
  const t0 = dx * nx + dy * ny + dz * nz;
  const t1 = dx * (by * cz - bz * cy) + dy * (bz * cx - bx * cz) + dz * (bx * cy - by * cx);
  const t2 = dx * (cy * az - cz * ay) + dy * (cz * ax - cx * az) + dz * (cx * ay - cy * ax);
  const error = ERROR * long * far * far;
  if ((t0 > error || t1 > error || t2 > error) && (t0 < -error || t1 < -error || t2 < -error)) return;
  const volume = cx * nx + cy * ny + cz * nz;
  const volumeError = ERROR * far * far * far;
  const sure = abs(volume) > volumeError;
  if (sure && t0 > error && t1 > error && t2 > error) {
    if (volume > 0) store<u32>(query, load<u32>(query, P_CROSSINGS) + 1, P_CROSSINGS);
    return;
  }
  if (sure && t0 < -error && t1 < -error && t2 < -error) {
    if (volume < 0) store<u32>(query, load<u32>(query, P_CROSSINGS) + 1, P_CROSSINGS);
    return;
  }
  const count = load<u32>(query, P_DOUBT_COUNT);
  if (count < load<u32>(query, P_DOUBT_CAPACITY)) {
    const at = <usize>load<u32>(query, P_DOUBTS) + 8 * <usize>count;
    store<u32>(at, part);
    store<u32>(at, triangle, 4);
  }
  store<u32>(query, count + 1, P_DOUBT_COUNT);
}

/** Number of other directions tried if a ray comes too near an edge. */
const RAYS: u32 = 4;

/**
 * Whether the point of the last call of `nearest` is inside the side, which is closed: by parity, never by guessing.
 */
export function sideByParity(query: usize, side: usize, px: f64, py: f64, pz: f64): i32 {
  const box = query + (side == 0 ? P_BOX_A : P_BOX_B);
  let span: f64 = 0;
  for (let k: usize = 0; k < 24; k += 8) span += load<f64>(box + k, 24) - load<f64>(box + k);
  if (px < load<f64>(box) || px > load<f64>(box, 24) || py < load<f64>(box, 8) || py > load<f64>(box, 32) || pz < load<f64>(box, 16) || pz > load<f64>(box, 40)) return OUTSIDE;
  // through the closest point and beyond: often the shortest way out
  const unit = 1 / sqrt(nearSq);
  const ux = (nearX - px) * unit, uy = (nearY - py) * unit, uz = (nearZ - pz) * unit;
  for (let ray: u32 = 0; ray < RAYS; ray++) {
    const lean = 0.07 + 0.1 * <f64>ray;
    store<f64>(query, px, P_FROM);
    store<f64>(query, py, P_FROM + 8);
    store<f64>(query, pz, P_FROM + 16);
    store<f64>(query, px + 2 * span * (ux + lean * (uy - 0.37 * uz) + 0.011), P_TO);
    store<f64>(query, py + 2 * span * (uy + lean * (uz - 0.41 * ux) - 0.017), P_TO + 8);
    store<f64>(query, pz + 2 * span * (uz + lean * (ux - 0.29 * uy) + 0.013), P_TO + 16);
    if (crossRay(query, side) != DONE) return STOPPED;
    if (load<u32>(query, P_DOUBT_COUNT) == 0) return load<u32>(query, P_CROSSINGS) & 1 ? INSIDE : OUTSIDE;
  }
  return UNKNOWN;
}

// sum of the normals of the triangles around a corner or an edge
let sumX: f64 = 0, sumY: f64 = 0, sumZ: f64 = 0;
let atBorder: bool = false;

/**
 * The side of an open surface on which the point of the last call of `nearest` lies: by the closest face; at edges and
 * corners by the faces around them, weighted by angle; UNKNOWN at the border of the surface.
 */
export function sideByFacing(query: usize, side: usize, px: f64, py: f64, pz: f64): i32 {
  const mesh = partMesh(query, side, nearPart);
  const positions = positionsOf(mesh);
  const corner = indicesOf(mesh) + 12 * <usize>nearTriangle;
  sumX = 0; sumY = 0; sumZ = 0;
  if (nearFeature == FACE) {
    addNormal(vertexAt(positions, load<u32>(corner)), vertexAt(positions, load<u32>(corner, 4)), vertexAt(positions, load<u32>(corner, 8)), false);
  } else {
    const from: u32 = nearFeature < 3 ? nearFeature : nearFeature - 3;
    const p = vertexAt(positions, load<u32>(corner + 4 * <usize>from));
    const q: usize = nearFeature < 3 ? 0 : vertexAt(positions, load<u32>(corner + 4 * <usize>(from == 2 ? 0 : from + 1)));
    if (addAround(query, side, p, q) != DONE) return STOPPED;
    if (atBorder) return UNKNOWN;
  }
  return sumX * (px - nearX) + sumY * (py - nearY) + sumZ * (pz - nearZ) < 0 ? INSIDE : OUTSIDE;
}

/** Adds the unit normal of a triangle, optionally times the angle at its first corner. */
function addNormal(p: usize, q: usize, r: usize, byAngle: bool): void {
  const ax = <f64>load<f32>(p), ay = <f64>load<f32>(p, 4), az = <f64>load<f32>(p, 8);
  const ux = <f64>load<f32>(q) - ax, uy = <f64>load<f32>(q, 4) - ay, uz = <f64>load<f32>(q, 8) - az;
  const vx = <f64>load<f32>(r) - ax, vy = <f64>load<f32>(r, 4) - ay, vz = <f64>load<f32>(r, 8) - az;
  const nx = uy * vz - uz * vy, ny = uz * vx - ux * vz, nz = ux * vy - uy * vx;
  const length = sqrt(nx * nx + ny * ny + nz * nz);
  if (length == 0) return;
  const weight = (byAngle ? Math.atan2(length, ux * vx + uy * vy + uz * vz) : 1) / length;
  sumX += weight * nx; sumY += weight * ny; sumZ += weight * nz;
}

// @ts-ignore: decorator
@inline function samePlace(p: usize, q: usize): bool {
  return load<f32>(p) == load<f32>(q) && load<f32>(p, 4) == load<f32>(q, 4) && load<f32>(p, 8) == load<f32>(q, 8);
}

/** Adds up the normals around the corner at p, or along the edge to q, and detects whether the surface ends there. */
function addAround(query: usize, side: usize, p: usize, q: usize): i32 {
  const stack = scratch + POINT_STACK;
  const parts = partCount(query, side);
  const x = 0.5 * (<f64>load<f32>(p) + <f64>load<f32>(q ? q : p));
  const y = 0.5 * (<f64>load<f32>(p, 4) + <f64>load<f32>(q ? q : p, 4));
  const z = 0.5 * (<f64>load<f32>(p, 8) + <f64>load<f32>(q ? q : p, 8));
  let rim: u32 = 0; // end points of edges encountered an odd number of times so far
  for (let part: u32 = 0; part < parts; part++) {
    const tree = partTree(query, side, part);
    const mesh = partMesh(query, side, part);
    const blocks = tree + load<u32>(tree, TREE_BLOCKS);
    const order = tree + load<u32>(tree, TREE_ORDER);
    const positions = positionsOf(mesh);
    const indices = indicesOf(mesh);
    enter(tree, x, y, z, 0);
    let top = pushLanes(stack, blocks, blocks, boxDistanceSq4(blocks), 0);
    while (top > stack) {
      top -= 8;
      const slot = load<u32>(top);
      const ref = load<u32>(blocks + slot, ROW_REF);
      if (!isLeaf(ref)) {
        if (ref & PENDING_BIT) return askForPart(query, side, part, slot);
        const block = blocks + BLOCK_BYTES * <usize>ref;
        top = pushLanes(top, blocks, block, boxDistanceSq4(block), 0);
        continue;
      }
      const end = leafStart(ref) + leafCount(ref);
      for (let i = leafStart(ref); i < end; i++) {
        const corner = indices + 12 * <usize>load<u32>(order + 4 * <usize>i);
        for (let k: usize = 0; k < 3; k++) {
          const u = vertexAt(positions, load<u32>(corner + 4 * k));
          if (!samePlace(u, p)) continue;
          const v = vertexAt(positions, load<u32>(corner + 4 * (k == 2 ? 0 : k + 1)));
          const w = vertexAt(positions, load<u32>(corner + 4 * (k == 0 ? 2 : k - 1)));
          if (q) {
            if (!samePlace(v, q) && !samePlace(w, q)) continue;
            addNormal(u, v, w, false);
            rim ^= 1;
          } else {
            addNormal(u, v, w, true);
            rim = toggle(toggle(rim, v), w);
          }
        }
      }
    }
  }
  atBorder = rim != 0;
  return DONE;
}

/** Adds a point to the rim, or removes it if present; returns the number of points (above the capacity: too many). */
function toggle(count: u32, v: usize): u32 {
  if (count > RIM_CAPACITY) return count;
  const rim = scratch + RIM;
  for (let i: u32 = 0; i < count; i++) {
    if (!samePlace(rim + 12 * <usize>i, v)) continue;
    memory.copy(rim + 12 * <usize>i, rim + 12 * <usize>(count - 1), 12);
    return count - 1;
  }
  if (count < RIM_CAPACITY) memory.copy(rim + 12 * <usize>count, v, 12);
  return count + 1;
}
