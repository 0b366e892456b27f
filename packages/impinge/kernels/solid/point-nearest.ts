/**
 * The distance of a point from an object of several parts, and the closest triangle; and the extent of the object in a
 * direction. All in the coordinates stored in its meshes, which have one origin.
 *
 * Errs: no closer triangle or farther corner is missed.
 */
import {
  BLOCK_BYTES, EMPTY, LOW_BITS, PENDING_BIT, ROW_REF, TREE_BLOCKS, TREE_CENTRE, TREE_ORDER, TREE_PENDING,
  indicesOf, isLeaf, leafCount, leafStart, positionsOf, vertexAt,
} from '../layout';
import { DONE } from '../context';
import { residualX, residualY, residualZ, sliverDistanceSq } from '../sliver';
import { P_DISTANCE, P_FROM } from './point-context';
import { POINT_STACK, scratch } from './scratch';
import { UP, askForPart, boxDistanceSq4, enter, face, minusReach4, partCount, partMesh, partTree, pushLanes } from './walk';

/** Squared sine below which a triangle's barycentric coordinates are too imprecise. */
const SLIVER: f64 = 1e-4;
/** Above this squared sine, each projection reduces the residual's error to less than 1e-11 of it. */
const FINE_SLIVER: f64 = 1e-8;
export const FACE: u32 = 6;

// results of `pointTriangle`
let footX: f64 = 0, footY: f64 = 0, footZ: f64 = 0;
let footFeature: u32 = 0;

/** Results of `nearest`: corners are features 0 … 2, edges 3 … 5, the face is 6. */
export let nearSq: f64 = 0;
export let nearPart: u32 = 0;
export let nearTriangle: u32 = 0;
export let nearX: f64 = 0, nearY: f64 = 0, nearZ: f64 = 0;
export let nearFeature: u32 = 0;

/**
 * Squared distance of a point from a triangle if it is below `limit`, otherwise any number not below it. Sets the foot
 * point and its feature. Off by less than 1e-13 times the extent of point and triangle.
 */
export function pointTriangle(px: f64, py: f64, pz: f64, mesh: usize, triangle: u32, limit: f64): f64 {
  const positions = positionsOf(mesh);
  const corner = indicesOf(mesh) + 12 * <usize>triangle;
  const v0 = vertexAt(positions, load<u32>(corner)), v1 = vertexAt(positions, load<u32>(corner, 4)), v2 = vertexAt(positions, load<u32>(corner, 8));
  const ax = <f64>load<f32>(v0), ay = <f64>load<f32>(v0, 4), az = <f64>load<f32>(v0, 8);
  const ux = <f64>load<f32>(v1) - ax, uy = <f64>load<f32>(v1, 4) - ay, uz = <f64>load<f32>(v1, 8) - az;
  const vx = <f64>load<f32>(v2) - ax, vy = <f64>load<f32>(v2, 4) - ay, vz = <f64>load<f32>(v2, 8) - az;
  const wx = px - ax, wy = py - ay, wz = pz - az;
  const nx = uy * vz - uz * vy, ny = uz * vx - ux * vz, nz = ux * vy - uy * vx;
  const nn = nx * nx + ny * ny + nz * nz;
  const uu = ux * ux + uy * uy + uz * uz, vv = vx * vx + vy * vy + vz * vz;
  let best: f64 = limit;
  if (nn > SLIVER * uu * vv) {
    const h = wx * nx + wy * ny + wz * nz;
    if (h * h > limit * nn * UP) return Infinity;
    const s = (wy * vz - wz * vy) * nx + (wz * vx - wx * vz) * ny + (wx * vy - wy * vx) * nz;
    const t = (uy * wz - uz * wy) * nx + (uz * wx - ux * wz) * ny + (ux * wy - uy * wx) * nz;
    if (s >= 0 && t >= 0 && s + t <= nn) {
      footX = ax + (s * ux + t * vx) / nn;
      footY = ay + (s * uy + t * vy) / nn;
      footZ = az + (s * uz + t * vz) / nn;
      footFeature = FACE;
      return h * h / nn;
    }
  } else if (nn > 0) {
    const fine = nn > FINE_SLIVER * uu * vv;
    if (fine) {
      // rounding turns the normal by less than a hundred-thousandth of FINE_SLIVER's sine
      const h = abs(wx * nx + wy * ny + wz * nz) - 1e-10 * sqrt(nn * (wx * wx + wy * wy + wz * wz));
      if (h > 0 && h * h > limit * nn * UP) return Infinity;
    }
    const d = sliverDistanceSq(wx, wy, wz, ux, uy, uz, vx, vy, vz, nx, ny, nz, nn, fine ? 2 : 4);
    if (d < best) {
      best = d;
      footX = px - residualX; footY = py - residualY; footZ = pz - residualZ;
      footFeature = FACE;
    }
  }
  best = pointEdge(wx, wy, wz, px, py, pz, ux, uy, uz, uu, 0, 0, 1, best);
  best = pointEdge(wx, wy, wz, px, py, pz, vx, vy, vz, vv, 2, 0, 2, best);
  const ex = vx - ux, ey = vy - uy, ez = vz - uz;
  return pointEdge(wx - ux, wy - uy, wz - uz, px, py, pz, ex, ey, ez, ex * ex + ey * ey + ez * ez, 1, 1, 2, best);
}

/**
 * The smaller of `best` and the squared distance of p from the edge e that begins at p − w; if smaller, sets the foot
 * point.
 */
// @ts-ignore: decorator
@inline function pointEdge(wx: f64, wy: f64, wz: f64, px: f64, py: f64, pz: f64, ex: f64, ey: f64, ez: f64, ee: f64, edge: u32, from: u32, to: u32, best: f64): f64 {
  const along = wx * ex + wy * ey + wz * ez;
  let s: f64 = 0;
  let feature = from;
  if (along > 0) {
    if (along >= ee) { s = 1; feature = to; } else { s = along / ee; feature = 3 + edge; }
  }
  const rx = wx - s * ex, ry = wy - s * ey, rz = wz - s * ez;
  const d = rx * rx + ry * ry + rz * rz;
  if (!(d < best)) return best;
  footX = px - rx; footY = py - ry; footZ = pz - rz;
  footFeature = feature;
  return d;
}

// @ts-ignore: decorator
@inline function offer(px: f64, py: f64, pz: f64, mesh: usize, part: u32, triangle: u32): void {
  const d = pointTriangle(px, py, pz, mesh, triangle, nearSq);
  if (d >= nearSq) return;
  nearSq = d;
  nearPart = part;
  nearTriangle = triangle;
  nearX = footX; nearY = footY; nearZ = footZ;
  nearFeature = footFeature;
}

/**
 * Finds the triangle of a side closest to a point; passing a triangle that may be close saves work (EMPTY: none). If
 * one is no farther than `enough`, any such triangle will do.
 */
export function nearest(query: usize, side: usize, px: f64, py: f64, pz: f64, seedPart: u32, seed: u32, enough: f64 = -1): i32 {
  const enoughSq = enough > 0 ? enough * enough : -1;
  nearSq = Infinity;
  if (seed != EMPTY) offer(px, py, pz, partMesh(query, side, seedPart), seedPart, seed);
  const parts = partCount(query, side);
  const stack = scratch + POINT_STACK;
  for (let part: u32 = 0; part < parts; part++) {
    const tree = partTree(query, side, part);
    const mesh = partMesh(query, side, part);
    const blocks = tree + load<u32>(tree, TREE_BLOCKS);
    const order = tree + load<u32>(tree, TREE_ORDER);
    enter(tree, px, py, pz, 0);
    let top = pushLanes(stack, blocks, blocks, boxDistanceSq4(blocks), <f32>(nearSq * UP));
    while (top > stack) {
      top -= 8;
      if (!(load<f32>(top, 4) <= <f32>(nearSq * UP))) continue;
      const slot = load<u32>(top);
      const ref = load<u32>(blocks + slot, ROW_REF);
      if (isLeaf(ref)) {
        const end = leafStart(ref) + leafCount(ref);
        for (let i = leafStart(ref); i < end; i++) offer(px, py, pz, mesh, part, load<u32>(order + 4 * <usize>i));
        if (nearSq <= enoughSq) return DONE;
        continue;
      }
      if (ref & PENDING_BIT) return askForPart(query, side, part, slot);
      const block = blocks + BLOCK_BYTES * <usize>ref;
      top = pushLanes(top, blocks, block, boxDistanceSq4(block), <f32>(nearSq * UP));
    }
  }
  return DONE;
}

/** As `nearest`, as if the side had only this triangle. */
export function nearestOf(query: usize, side: usize, px: f64, py: f64, pz: f64, part: u32, triangle: u32): void {
  nearSq = Infinity;
  offer(px, py, pz, partMesh(query, side, part), part, triangle);
}

/** Writes the distance of P_FROM from a side to P_DISTANCE. */
export function closestTo(query: usize, side: usize): i32 {
  const status = nearest(query, side, load<f64>(query, P_FROM), load<f64>(query, P_FROM + 8), load<f64>(query, P_FROM + 16), 0, EMPTY);
  store<f64>(query, sqrt(nearSq), P_DISTANCE);
  return status;
}

/** The extent of a side along a unit direction: nothing of it lies beyond. */
export function reachOf(query: usize, side: usize, nx: f64, ny: f64, nz: f64): f64 {
  let best: f64 = -Infinity;
  const parts = partCount(query, side);
  const stack = scratch + POINT_STACK;
  for (let part: u32 = 0; part < parts; part++) {
    const tree = partTree(query, side, part);
    const mesh = partMesh(query, side, part);
    const blocks = tree + load<u32>(tree, TREE_BLOCKS);
    const centre = nx * load<f64>(tree, TREE_CENTRE) + ny * load<f64>(tree, TREE_CENTRE + 8) + nz * load<f64>(tree, TREE_CENTRE + 16);
    face(tree, nx, ny, nz);
    let top = pushLanes(stack, blocks, blocks, minusReach4(blocks), <f32>(centre - best));
    while (top > stack) {
      top -= 8;
      if (!(<f64>load<f32>(top, 4) <= centre - best)) continue;
      const ref = load<u32>(blocks + load<u32>(top), ROW_REF);
      if (isLeaf(ref)) best = reachOfRange(tree, mesh, leafStart(ref), leafCount(ref), nx, ny, nz, best);
      else if (ref & PENDING_BIT) {
        const pending = tree + load<u32>(tree, TREE_PENDING) + 8 * <usize>(ref & LOW_BITS);
        best = reachOfRange(tree, mesh, load<u32>(pending), load<u32>(pending, 4), nx, ny, nz, best);
      } else {
        const block = blocks + BLOCK_BYTES * <usize>ref;
        top = pushLanes(top, blocks, block, minusReach4(block), <f32>(centre - best));
      }
    }
  }
  return best;
}

function reachOfRange(tree: usize, mesh: usize, start: u32, count: u32, nx: f64, ny: f64, nz: f64, best: f64): f64 {
  const positions = positionsOf(mesh);
  const indices = indicesOf(mesh);
  const order = tree + load<u32>(tree, TREE_ORDER);
  for (let i = start; i < start + count; i++) {
    const corner = indices + 12 * <usize>load<u32>(order + 4 * <usize>i);
    for (let k: usize = 0; k < 12; k += 4) {
      const v = vertexAt(positions, load<u32>(corner + k));
      const reach = nx * <f64>load<f32>(v) + ny * <f64>load<f32>(v, 4) + nz * <f64>load<f32>(v, 8);
      if (reach > best) best = reach;
    }
  }
  return best;
}
