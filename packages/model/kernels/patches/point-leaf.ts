/**
 * The distance of a point from the triangles of a leaf, four at a time.
 *
 * Errs: towards farther. Coordinates are relative to a corner of the leaf; with c the largest of these and the point's,
 * float32 is off by 1e-7 c. Along an edge that is all. Over a face the normal may be turned by that much over the sine
 * of its smallest angle at the first corner; faces with a sine below 0.03 do not count, so the height is off by less
 * than 1e-5 c. BLUR adds more than that. Squares below the smallest float32 are lost, up to 1e-44: LEAST adds the root
 * of that, and faces with a squared normal below FAINT do not count.
 * Layout: nine rows of four float32, anchor (three float64), room, numbers of triangles and corners, reference.
 */
import { gatherLeaf } from '../../../impinge/kernels/leaf';
import { Q_MESH_A, Q_MESH_B, Q_POSE, Q_TREE_A, Q_TREE_B } from '../../../impinge/kernels/context';
import { LEAF_BYTES, LEAVES, patchScratch } from './scratch';

const ANCHOR: usize = 144;
const IDS: usize = 176;
const CORNERS: usize = 192;
const REF: usize = 240;

const BLUR: f32 = 4e-5;
/** Squared sine. */
const THIN: f32 = 1e-3;
const FAINT: f32 = 1e-30;
const LEAST: f32 = 1e-22;

/** Must be called when a query starts or resumes. */
export function forgetPointLeaves(): void {
  store<u32>(patchScratch + LEAVES, 0, REF); // an inner reference, which is never requested
  store<u32>(patchScratch + LEAVES + LEAF_BYTES, 0, REF);
}

/**
 * An upper bound of the distance of a point (three float64 in mesh a's frame) from the nearest triangle of a leaf of a
 * or b.
 */
export function pointToLeaf(query: usize, point: usize, leafIsA: bool, ref: u32): f64 {
  const leaf = patchScratch + LEAVES + (leafIsA ? 0 : LEAF_BYTES);
  if (load<u32>(leaf, REF) != ref) {
    const tree: usize = load<u32>(query + (leafIsA ? Q_TREE_A : Q_TREE_B));
    const mesh: usize = load<u32>(query + (leafIsA ? Q_MESH_A : Q_MESH_B));
    gatherLeaf(tree, mesh, ref, leaf, leaf + ANCHOR, leaf + IDS, leaf + CORNERS);
    store<u32>(leaf, ref, REF);
  }
  let x = load<f64>(point), y = load<f64>(point, 8), z = load<f64>(point, 16);
  if (!leafIsA) {
    const p = query + Q_POSE;
    const dx = x - load<f64>(p, 72), dy = y - load<f64>(p, 80), dz = z - load<f64>(p, 88);
    x = load<f64>(p) * dx + load<f64>(p, 24) * dy + load<f64>(p, 48) * dz;
    y = load<f64>(p, 8) * dx + load<f64>(p, 32) * dy + load<f64>(p, 56) * dz;
    z = load<f64>(p, 16) * dx + load<f64>(p, 40) * dy + load<f64>(p, 64) * dz;
  }
  const px = f32x4.splat(<f32>(x - load<f64>(leaf, ANCHOR)));
  const py = f32x4.splat(<f32>(y - load<f64>(leaf, ANCHOR + 8)));
  const pz = f32x4.splat(<f32>(z - load<f64>(leaf, ANCHOR + 16)));
  const ax = v128.load(leaf), ay = v128.load(leaf, 16), az = v128.load(leaf, 32);
  const bx = v128.load(leaf, 48), by = v128.load(leaf, 64), bz = v128.load(leaf, 80);
  const cx = v128.load(leaf, 96), cy = v128.load(leaf, 112), cz = v128.load(leaf, 128);
  const ux = f32x4.sub(bx, ax), uy = f32x4.sub(by, ay), uz = f32x4.sub(bz, az);
  const vx = f32x4.sub(cx, ax), vy = f32x4.sub(cy, ay), vz = f32x4.sub(cz, az);
  const wx = f32x4.sub(px, ax), wy = f32x4.sub(py, ay), wz = f32x4.sub(pz, az);
  const uu = dot4(ux, uy, uz, ux, uy, uz), vv = dot4(vx, vy, vz, vx, vy, vz);
  let apart = f32x4.pmin(edge4(wx, wy, wz, ux, uy, uz, uu), edge4(wx, wy, wz, vx, vy, vz, vv));
  const ex = f32x4.sub(cx, bx), ey = f32x4.sub(cy, by), ez = f32x4.sub(cz, bz);
  apart = f32x4.pmin(apart, edge4(f32x4.sub(px, bx), f32x4.sub(py, by), f32x4.sub(pz, bz), ex, ey, ez, dot4(ex, ey, ez, ex, ey, ez)));
  const nx = f32x4.sub(f32x4.mul(uy, vz), f32x4.mul(uz, vy));
  const ny = f32x4.sub(f32x4.mul(uz, vx), f32x4.mul(ux, vz));
  const nz = f32x4.sub(f32x4.mul(ux, vy), f32x4.mul(uy, vx));
  const nn = dot4(nx, ny, nz, nx, ny, nz);
  const s = dot4(f32x4.sub(f32x4.mul(wy, vz), f32x4.mul(wz, vy)), f32x4.sub(f32x4.mul(wz, vx), f32x4.mul(wx, vz)), f32x4.sub(f32x4.mul(wx, vy), f32x4.mul(wy, vx)), nx, ny, nz);
  const t = dot4(f32x4.sub(f32x4.mul(uy, wz), f32x4.mul(uz, wy)), f32x4.sub(f32x4.mul(uz, wx), f32x4.mul(ux, wz)), f32x4.sub(f32x4.mul(ux, wy), f32x4.mul(uy, wx)), nx, ny, nz);
  const zero = f32x4.splat(0);
  const over = v128.and(
    v128.and(f32x4.ge(s, zero), f32x4.ge(t, zero)),
    v128.and(f32x4.le(f32x4.add(s, t), nn), f32x4.gt(nn, f32x4.pmax(f32x4.splat(FAINT), f32x4.mul(f32x4.splat(THIN), f32x4.mul(uu, vv))))));
  apart = f32x4.sqrt(apart);
  const height = f32x4.div(f32x4.abs(dot4(wx, wy, wz, nx, ny, nz)), f32x4.sqrt(nn));
  apart = v128.bitselect(f32x4.pmin(apart, height), apart, over);
  let far = f32x4.pmax(f32x4.abs(px), f32x4.pmax(f32x4.abs(py), f32x4.abs(pz)));
  for (let row: usize = 0; row < 144; row += 16) far = f32x4.pmax(far, f32x4.abs(v128.load(leaf + row)));
  const upper = f32x4.add(apart, f32x4.add(f32x4.mul(far, f32x4.splat(BLUR)), f32x4.splat(LEAST)));
  // unused lanes repeat the last triangle
  return <f64>min(min(f32x4.extract_lane(upper, 0), f32x4.extract_lane(upper, 1)), min(f32x4.extract_lane(upper, 2), f32x4.extract_lane(upper, 3)));
}

// @ts-ignore: decorator
@inline function dot4(ax: v128, ay: v128, az: v128, bx: v128, by: v128, bz: v128): v128 {
  return f32x4.add(f32x4.add(f32x4.mul(ax, bx), f32x4.mul(ay, by)), f32x4.mul(az, bz));
}

/** Squared distances from edges that start at the origin, whose squared lengths are `ee`. */
// @ts-ignore: decorator
@inline function edge4(px: v128, py: v128, pz: v128, ex: v128, ey: v128, ez: v128, ee: v128): v128 {
  const along = f32x4.div(dot4(px, py, pz, ex, ey, ez), f32x4.pmax(ee, f32x4.splat(1e-37)));
  const s = f32x4.pmin(f32x4.splat(1), f32x4.pmax(f32x4.splat(0), along));
  const rx = f32x4.sub(px, f32x4.mul(s, ex)), ry = f32x4.sub(py, f32x4.mul(s, ey)), rz = f32x4.sub(pz, f32x4.mul(s, ez));
  return dot4(rx, ry, rz, rx, ry, rz);
}
