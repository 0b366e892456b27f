/**
 * How far an object of several parts is: from a point, and which of its triangles is closest; from the corners of a polygon;
 * and how far it reaches in a direction. Everything in the numbers stored in its meshes, which have one origin.
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

/** Squared sine below which a triangle's barycentric coordinates are too coarse to be trusted. */
const SLIVER: f64 = 1e-4;
/** Above this, each projection leaves less than 1e-11 of the residual's error. */
const FINE_SLIVER: f64 = 1e-8;
/** The same where an error that grows with the cosecant is allowed for; and that error, relative to the extent. */
const NEEDLE: f64 = 1e-12;
const FOOT_ERROR: f64 = 2e-15;
export const FACE: u32 = 6;

// what `pointTriangle` found
let footX: f64 = 0, footY: f64 = 0, footZ: f64 = 0;
let footFeature: u32 = 0;

/** What `nearest` found: corners are features 0 … 2, edges 3 … 5, the face is 6. */
export let nearSq: f64 = 0;
export let nearPart: u32 = 0;
export let nearTriangle: u32 = 0;
export let nearX: f64 = 0, nearY: f64 = 0, nearZ: f64 = 0;
export let nearFeature: u32 = 0;

/**
 * Squared distance of a point from a triangle, where it is below `limit` (else anything not below). Sets the foot and
 * its feature. Off by less than 1e-13 times the extent of point and triangle.
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
      // rounding turns the normal by less than a hundred thousandth of FINE_SLIVER's sine
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

/** The smaller of `best` and the squared distance of p from the edge e that begins at p − w; then sets the foot. */
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

/**
 * Writes how far corners (three float64 each) are from a triangle, two at a time; there must be room for an even number.
 * Never less than they are: measured from the corner between its shorter sides, where the sine of the angle bounds how far
 * rounding turns the normal and shifts the foot, and that much is added. Of needles and caps thinner than NEEDLE only the
 * outline counts.
 */
export function cornerDistances(corners: usize, count: u32, mesh: usize, triangle: u32, out: usize): void {
  const positions = positionsOf(mesh);
  const corner = indicesOf(mesh) + 12 * <usize>triangle;
  let v0 = vertexAt(positions, load<u32>(corner)), v1 = vertexAt(positions, load<u32>(corner, 4)), v2 = vertexAt(positions, load<u32>(corner, 8));
  const l01 = apartSq(v0, v1), l02 = apartSq(v0, v2), l12 = apartSq(v1, v2);
  if (l01 > l02 && l01 > l12) { const v = v0; v0 = v2; v2 = v; } else if (l02 > l12) { const v = v0; v0 = v1; v1 = v; }
  const a0 = <f64>load<f32>(v0), a1 = <f64>load<f32>(v0, 4), a2 = <f64>load<f32>(v0, 8);
  const u0 = <f64>load<f32>(v1) - a0, u1 = <f64>load<f32>(v1, 4) - a1, u2 = <f64>load<f32>(v1, 8) - a2;
  const t0 = <f64>load<f32>(v2) - a0, t1 = <f64>load<f32>(v2, 4) - a1, t2 = <f64>load<f32>(v2, 8) - a2;
  const uu = u0 * u0 + u1 * u1 + u2 * u2, uv = u0 * t0 + u1 * t1 + u2 * t2, vv = t0 * t0 + t1 * t1 + t2 * t2;
  const n0 = u1 * t2 - u2 * t1, n1 = u2 * t0 - u0 * t2, n2 = u0 * t1 - u1 * t0;
  const nn = n0 * n0 + n1 * n1 + n2 * n2;
  const sliver = !(nn > NEEDLE * uu * vv);
  const unit: f64 = sliver ? 0 : 1 / nn;
  const blur = f64x2.splat(sliver ? FOOT_ERROR : FOOT_ERROR * sqrt(uu * vv * unit));
  const ux = f64x2.splat(u0), uy = f64x2.splat(u1), uz = f64x2.splat(u2), vx = f64x2.splat(t0), vy = f64x2.splat(t1), vz = f64x2.splat(t2);
  const nx = f64x2.splat(n0), ny = f64x2.splat(n1), nz = f64x2.splat(n2);
  const ex = f64x2.splat(t0 - u0), ey = f64x2.splat(t1 - u1), ez = f64x2.splat(t2 - u2);
  const ee = uu + vv - 2 * uv;
  const perU = f64x2.splat(uu > 0 ? 1 / uu : 0), perV = f64x2.splat(vv > 0 ? 1 / vv : 0), perE = f64x2.splat(ee > 0 ? 1 / ee : 0);
  const zero = f64x2.splat(0), all = f64x2.splat(nn), size = f64x2.splat(sqrt(uu) + sqrt(vv));
  for (let end = corners + 24 * <usize>count; corners < end; corners += 48, out += 16) {
    const px = f64x2.sub(v128.load64_lane(corners + 24, v128.load64_zero(corners), 1), f64x2.splat(a0));
    const py = f64x2.sub(v128.load64_lane(corners + 32, v128.load64_zero(corners, 8), 1), f64x2.splat(a1));
    const pz = f64x2.sub(v128.load64_lane(corners + 40, v128.load64_zero(corners, 16), 1), f64x2.splat(a2));
    // over the face: its height
    const h = dot2(px, py, pz, nx, ny, nz);
    const s = dot2(f64x2.sub(f64x2.mul(py, vz), f64x2.mul(pz, vy)), f64x2.sub(f64x2.mul(pz, vx), f64x2.mul(px, vz)), f64x2.sub(f64x2.mul(px, vy), f64x2.mul(py, vx)), nx, ny, nz);
    const t = dot2(f64x2.sub(f64x2.mul(uy, pz), f64x2.mul(uz, py)), f64x2.sub(f64x2.mul(uz, px), f64x2.mul(ux, pz)), f64x2.sub(f64x2.mul(ux, py), f64x2.mul(uy, px)), nx, ny, nz);
    let over = v128.and(v128.and(f64x2.ge(s, zero), f64x2.ge(t, zero)), f64x2.le(f64x2.add(s, t), all));
    if (sliver) over = zero;
    let d = f64x2.mul(f64x2.mul(h, h), f64x2.splat(unit));
    if (i64x2.bitmask(over) != 3) {
      const qx = f64x2.sub(px, ux), qy = f64x2.sub(py, uy), qz = f64x2.sub(pz, uz);
      const outline = f64x2.pmin(f64x2.pmin(edgeDistanceSq2(px, py, pz, ux, uy, uz, perU), edgeDistanceSq2(px, py, pz, vx, vy, vz, perV)), edgeDistanceSq2(qx, qy, qz, ex, ey, ez, perE));
      d = v128.bitselect(d, outline, over);
    }
    const reach = f64x2.add(size, f64x2.add(f64x2.add(f64x2.abs(px), f64x2.abs(py)), f64x2.abs(pz)));
    v128.store(out, f64x2.add(f64x2.sqrt(d), f64x2.mul(blur, reach)));
  }
}

// @ts-ignore: decorator
@inline function apartSq(p: usize, q: usize): f64 {
  const dx = <f64>load<f32>(p) - <f64>load<f32>(q), dy = <f64>load<f32>(p, 4) - <f64>load<f32>(q, 4), dz = <f64>load<f32>(p, 8) - <f64>load<f32>(q, 8);
  return dx * dx + dy * dy + dz * dz;
}

// @ts-ignore: decorator
@inline function dot2(ax: v128, ay: v128, az: v128, bx: v128, by: v128, bz: v128): v128 {
  return f64x2.add(f64x2.add(f64x2.mul(ax, bx), f64x2.mul(ay, by)), f64x2.mul(az, bz));
}

/** Squared distances of two points from an edge that starts at the origin; `per` is one over its squared length. */
// @ts-ignore: decorator
@inline function edgeDistanceSq2(px: v128, py: v128, pz: v128, ex: v128, ey: v128, ez: v128, per: v128): v128 {
  const s = f64x2.pmin(f64x2.splat(1), f64x2.pmax(f64x2.splat(0), f64x2.mul(dot2(px, py, pz, ex, ey, ez), per)));
  const rx = f64x2.sub(px, f64x2.mul(s, ex)), ry = f64x2.sub(py, f64x2.mul(s, ey)), rz = f64x2.sub(pz, f64x2.mul(s, ez));
  return dot2(rx, ry, rz, rx, ry, rz);
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

/** The triangle of a side closest to a point; a triangle that may be close saves work (EMPTY: none). */
export function nearest(query: usize, side: usize, px: f64, py: f64, pz: f64, seedPart: u32, seed: u32): i32 {
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
        continue;
      }
      if (ref & PENDING_BIT) return askForPart(query, side, part, slot);
      const block = blocks + BLOCK_BYTES * <usize>ref;
      top = pushLanes(top, blocks, block, boxDistanceSq4(block), <f32>(nearSq * UP));
    }
  }
  return DONE;
}

/** Writes P_DISTANCE: how far P_FROM is from a side. */
export function closestTo(query: usize, side: usize): i32 {
  const status = nearest(query, side, load<f64>(query, P_FROM), load<f64>(query, P_FROM + 8), load<f64>(query, P_FROM + 16), 0, EMPTY);
  store<f64>(query, sqrt(nearSq), P_DISTANCE);
  return status;
}

/** How far a side reaches along a unit direction: nothing of it lies beyond. */
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
