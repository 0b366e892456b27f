/**
 * Places triangles in the frame, four at a time: corners, boxes, and the boxes of the tree above them.
 *
 * Errs: corners as frame.ts allows (three products and three sums in float32 each). Boxes are enlarged by the margin of
 * the object and by OUTWARD, more than the rounding of the sum (coordinates are below 1, sums below 2: 2⁻²⁴).
 */
import { indicesOf, positionsOf, vertexAt, MESH_BOX } from '../../../impinge/kernels/layout';
import {
  CORNER_BYTES, BLOCK_BYTES, OBJECT_CORNERS, OBJECT_COUNT, OBJECT_HEIGHT, OBJECT_BLOCKS, OBJECT_MARGIN, OBJECT_MATRIX,
  OBJECT_MESH, OBJECT_ORDER, blockAt, objectAt,
} from './layout';

const OUTWARD: f32 = 1.2e-7;

/** Writes the boxes of objects [from, to), the tops of their trees, from the boxes of their meshes. */
export function boundObjects(objects: usize, from: u32, to: u32): void {
  for (let o = from; o < to; o++) {
    const object = objectAt(objects, o);
    const box = <usize>load<u32>(object, OBJECT_MESH) + MESH_BOX;
    const top = blockAt(object, load<u32>(object, OBJECT_HEIGHT) - 1, 0);
    const margin = <f64>load<f32>(object, OBJECT_MARGIN) + OUTWARD;
    for (let k: usize = 0; k < 3; k++) {
      const row = object + 16 * k;
      let middle: f64 = load<f32>(row, OBJECT_MATRIX + 12);
      let half: f64 = margin;
      for (let j: usize = 0; j < 12; j += 4) {
        const m = <f64>load<f32>(row + j, OBJECT_MATRIX);
        const low = <f64>load<f32>(box + j), high = <f64>load<f32>(box + j, 12);
        middle += 0.5 * m * (low + high);
        half += 0.5 * abs(m) * (high - low);
      }
      const lane = top + 16 * k;
      v128.store(lane, f32x4.replace_lane(f32x4.splat(Infinity), 0, <f32>(middle - half)));
      v128.store(lane, f32x4.replace_lane(f32x4.splat(-Infinity), 0, <f32>(middle + half)), 48);
    }
  }
}

/** Places the objects [from, to) of a list completely. */
export function placeObjects(objects: usize, list: usize, from: u32, to: u32): void {
  for (let i = from; i < to; i++) {
    const object = objectAt(objects, load<u32>(list + 4 * <usize>i));
    placeBlocks(object, 0, (load<u32>(object, OBJECT_COUNT) + 3) >> 2);
    fitTree(object);
  }
}

/** Places the triangles in blocks [from, to) of an object; `fitTree` must follow. */
export function placeBlocks(object: usize, from: u32, to: u32): void {
  const count = load<u32>(object, OBJECT_COUNT);
  const mesh: usize = load<u32>(object, OBJECT_MESH);
  const positions = positionsOf(mesh);
  const indices = indicesOf(mesh);
  const order: usize = load<u32>(object, OBJECT_ORDER);
  const m00 = v128.load32_splat(object, OBJECT_MATRIX), m01 = v128.load32_splat(object, OBJECT_MATRIX + 4), m02 = v128.load32_splat(object, OBJECT_MATRIX + 8), m03 = v128.load32_splat(object, OBJECT_MATRIX + 12);
  const m10 = v128.load32_splat(object, OBJECT_MATRIX + 16), m11 = v128.load32_splat(object, OBJECT_MATRIX + 20), m12 = v128.load32_splat(object, OBJECT_MATRIX + 24), m13 = v128.load32_splat(object, OBJECT_MATRIX + 28);
  const m20 = v128.load32_splat(object, OBJECT_MATRIX + 32), m21 = v128.load32_splat(object, OBJECT_MATRIX + 36), m22 = v128.load32_splat(object, OBJECT_MATRIX + 40), m23 = v128.load32_splat(object, OBJECT_MATRIX + 44);
  const margin = f32x4.splat(load<f32>(object, OBJECT_MARGIN) + OUTWARD);
  for (let g = from; g < to; g++) {
    const first: u32 = 4 * g;
    const last = count - 1;
    // unused lanes repeat the last triangle
    let t0 = first, t1 = min<u32>(first + 1, last), t2 = min<u32>(first + 2, last), t3 = min<u32>(first + 3, last);
    if (order) {
      t0 = load<u32>(order + 4 * <usize>t0);
      t1 = load<u32>(order + 4 * <usize>t1);
      t2 = load<u32>(order + 4 * <usize>t2);
      t3 = load<u32>(order + 4 * <usize>t3);
    }
    const tri0 = indices + 12 * <usize>t0, tri1 = indices + 12 * <usize>t1, tri2 = indices + 12 * <usize>t2, tri3 = indices + 12 * <usize>t3;
    const corners = <usize>load<u32>(object, OBJECT_CORNERS) + CORNER_BYTES * <usize>g;
    let lx = f32x4.splat(Infinity), ly = lx, lz = lx;
    let hx = f32x4.splat(-Infinity), hy = hx, hz = hx;
    for (let k: usize = 0; k < 12; k += 4) {
      // four corners, transposed to rows of x, y, z
      const v0 = v128.load(vertexAt(positions, load<u32>(tri0 + k))), v1 = v128.load(vertexAt(positions, load<u32>(tri1 + k)));
      const v2 = v128.load(vertexAt(positions, load<u32>(tri2 + k))), v3 = v128.load(vertexAt(positions, load<u32>(tri3 + k)));
      const xy01 = i32x4.shuffle(v0, v1, 0, 4, 1, 5), xy23 = i32x4.shuffle(v2, v3, 0, 4, 1, 5);
      const z01 = i32x4.shuffle(v0, v1, 2, 6, 2, 6), z23 = i32x4.shuffle(v2, v3, 2, 6, 2, 6);
      const x = i64x2.shuffle(xy01, xy23, 0, 2), y = i64x2.shuffle(xy01, xy23, 1, 3), z = i64x2.shuffle(z01, z23, 0, 2);
      const px = f32x4.add(f32x4.add(f32x4.add(f32x4.mul(m00, x), f32x4.mul(m01, y)), f32x4.mul(m02, z)), m03);
      const py = f32x4.add(f32x4.add(f32x4.add(f32x4.mul(m10, x), f32x4.mul(m11, y)), f32x4.mul(m12, z)), m13);
      const pz = f32x4.add(f32x4.add(f32x4.add(f32x4.mul(m20, x), f32x4.mul(m21, y)), f32x4.mul(m22, z)), m23);
      const row = corners + 12 * k;
      v128.store(row, px);
      v128.store(row, py, 16);
      v128.store(row, pz, 32);
      lx = f32x4.pmin(lx, px); ly = f32x4.pmin(ly, py); lz = f32x4.pmin(lz, pz);
      hx = f32x4.pmax(hx, px); hy = f32x4.pmax(hy, py); hz = f32x4.pmax(hz, pz);
    }
    lx = f32x4.sub(lx, margin); ly = f32x4.sub(ly, margin); lz = f32x4.sub(lz, margin);
    hx = f32x4.add(hx, margin); hy = f32x4.add(hy, margin); hz = f32x4.add(hz, margin);
    if (first + 4 > count) {
      const there = i32x4.lt_s(i32x4(0, 1, 2, 3), i32x4.splat(count - first));
      const high = f32x4.splat(Infinity), low = f32x4.splat(-Infinity);
      lx = v128.bitselect(lx, high, there); ly = v128.bitselect(ly, high, there); lz = v128.bitselect(lz, high, there);
      hx = v128.bitselect(hx, low, there); hy = v128.bitselect(hy, low, there); hz = v128.bitselect(hz, low, there);
    }
    const box = blockAt(object, 0, g);
    v128.store(box, lx);
    v128.store(box, ly, 16);
    v128.store(box, lz, 32);
    v128.store(box, hx, 48);
    v128.store(box, hy, 64);
    v128.store(box, hz, 80);
  }
}

/** Fits the boxes of a tree above its triangles. Works for any tree. */
export function fitTree(tree: usize): void {
  const top = load<u32>(tree, OBJECT_HEIGHT);
  let below = (load<u32>(tree, OBJECT_COUNT) + 3) >> 2;
  for (let height: u32 = 1; height < top; height++) {
    const blocks = (below + 3) >> 2;
    const from: usize = load<u32>(tree + 4 * <usize>(height - 1), OBJECT_BLOCKS);
    const to: usize = load<u32>(tree + 4 * <usize>height, OBJECT_BLOCKS);
    for (let g: u32 = 0; g < blocks; g++) {
      const c0 = from + BLOCK_BYTES * 4 * <usize>g;
      const left = below - 4 * g; // remaining blocks
      // missing blocks repeat the first, and are emptied below
      const c1 = left > 1 ? c0 + BLOCK_BYTES : c0, c2 = left > 2 ? c0 + 2 * BLOCK_BYTES : c0, c3 = left > 3 ? c0 + 3 * BLOCK_BYTES : c0;
      const there = i32x4.lt_s(i32x4(0, 1, 2, 3), i32x4.splat(min<u32>(left, 4)));
      const out = to + BLOCK_BYTES * <usize>g;
      for (let row: usize = 0; row < 48; row += 16) {
        v128.store(out + row, v128.bitselect(least(c0 + row, c1 + row, c2 + row, c3 + row), f32x4.splat(Infinity), there));
        v128.store(out + row, v128.bitselect(greatest(c0 + row, c1 + row, c2 + row, c3 + row), f32x4.splat(-Infinity), there), 48);
      }
    }
    below = blocks;
  }
}

/** The least of each of four rows, in one row. */
// @ts-ignore: decorator
@inline function least(c0: usize, c1: usize, c2: usize, c3: usize): v128 {
  const v0 = v128.load(c0), v1 = v128.load(c1), v2 = v128.load(c2), v3 = v128.load(c3);
  const s = f32x4.pmin(i32x4.shuffle(v0, v1, 0, 4, 1, 5), i32x4.shuffle(v0, v1, 2, 6, 3, 7));
  const t = f32x4.pmin(i32x4.shuffle(v2, v3, 0, 4, 1, 5), i32x4.shuffle(v2, v3, 2, 6, 3, 7));
  return f32x4.pmin(i64x2.shuffle(s, t, 0, 2), i64x2.shuffle(s, t, 1, 3));
}

// @ts-ignore: decorator
@inline function greatest(c0: usize, c1: usize, c2: usize, c3: usize): v128 {
  const v0 = v128.load(c0, 48), v1 = v128.load(c1, 48), v2 = v128.load(c2, 48), v3 = v128.load(c3, 48);
  const s = f32x4.pmax(i32x4.shuffle(v0, v1, 0, 4, 1, 5), i32x4.shuffle(v0, v1, 2, 6, 3, 7));
  const t = f32x4.pmax(i32x4.shuffle(v2, v3, 0, 4, 1, 5), i32x4.shuffle(v2, v3, 2, 6, 3, 7));
  return f32x4.pmax(i64x2.shuffle(s, t, 0, 2), i64x2.shuffle(s, t, 1, 3));
}
