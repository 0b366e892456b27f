/**
 * Whether bytes form a mesh; and for readers of a store (model/kernels/pieces), whether they form a tree, and the
 * checksum and the contents of a page.
 * Twins: src/store/page-hash.ts; mesh/mesh.ts and hierarchy/validate.ts, which also report what is wrong.
 */
import {
  BLOCK_BYTES, EMPTY, LOW_BITS, MESH_INDICES, MESH_ORIGIN, MESH_POSITIONS, MESH_TRIANGLE_COUNT, MESH_VERTEX_COUNT, PENDING_BIT, ROW_REF,
  TREE_BLOCKS, TREE_BLOCK_CAPACITY, TREE_BLOCK_COUNT, TREE_CENTRE, TREE_LEAF_SIZE, TREE_ORDER, TREE_PENDING, TREE_PENDING_CAPACITY, TREE_PENDING_COUNT, TREE_TRIANGLE_COUNT, isLeaf,
  leafCount, leafStart,
} from './layout';

// host: FNV_PRIME PAGE_HEAD_BYTES NARROW_VERTICES
const FNV_PRIME: i32 = 0x01000193;

/** FNV-1a in four interleaved lanes over `bytes` bytes (a multiple of 16), then over the four lanes. */
export function pageChecksum(at: usize, bytes: usize): u32 {
  const prime = i32x4.splat(FNV_PRIME);
  let lanes = i32x4(0x811c9dc5, 0x811c9dc6, 0x811c9dc7, 0x811c9dc8);
  const end = at + bytes;
  for (let p = at; p < end; p += 16) lanes = i32x4.mul(v128.xor(lanes, v128.load(p)), prime);
  let hash: i32 = 0x811c9dc5;
  hash = (hash ^ i32x4.extract_lane(lanes, 0)) * FNV_PRIME;
  hash = (hash ^ i32x4.extract_lane(lanes, 1)) * FNV_PRIME;
  hash = (hash ^ i32x4.extract_lane(lanes, 2)) * FNV_PRIME;
  hash = (hash ^ i32x4.extract_lane(lanes, 3)) * FNV_PRIME;
  return <u32>hash;
}

// pages: src/store/page-layout.ts

/** The head of a page: the mesh's origin, then the tree's centre and radius. */
export const PAGE_CENTRE: usize = 24;
export const CENTRE_BYTES: usize = 28;
export const PAGE_HEAD_BYTES: usize = 64;
export const NARROW_VERTICES: u32 = 65536;

/**
 * Completes a mesh and a tree whose headers are laid out and into whose places the parts of a page were read. They have
 * not been validated yet.
 */
export function unpackPage(mesh: usize, tree: usize): void {
  const head = mesh + MESH_ORIGIN;
  memory.copy(tree + TREE_CENTRE, head + PAGE_CENTRE, CENTRE_BYTES);
  memory.fill(head + PAGE_CENTRE, 0, PAGE_HEAD_BYTES - PAGE_CENTRE);
  store<u32>(tree, load<u32>(tree, TREE_BLOCK_CAPACITY), TREE_BLOCK_COUNT);
  store<u32>(tree, load<u32>(tree, TREE_PENDING_CAPACITY), TREE_PENDING_COUNT);
  if (load<u32>(mesh, MESH_VERTEX_COUNT) <= NARROW_VERTICES) {
    widen(mesh + load<u32>(mesh, MESH_INDICES), 3 * <usize>load<u32>(mesh, MESH_TRIANGLE_COUNT));
  }
  // the last four may extend into the padding
  let numbers = i32x4(0, 1, 2, 3);
  const end = tree + load<u32>(tree, TREE_PENDING);
  for (let p = tree + load<u32>(tree, TREE_ORDER); p < end; p += 16) {
    v128.store(p, numbers);
    numbers = i32x4.add(numbers, i32x4.splat(4));
  }
}

/**
 * Widens `count` uint16 to uint32 in place, from the last to the first, so that none is overwritten before it is read.
 */
function widen(at: usize, count: usize): void {
  let i = count;
  for (; i & 7; i--) store<u32>(at + 4 * (i - 1), load<u16>(at + 2 * (i - 1)));
  for (; i > 0; i -= 8) {
    const eight = v128.load(at + 2 * (i - 8));
    v128.store(at + 4 * (i - 8), i32x4.extend_low_i16x8_u(eight));
    v128.store(at + 4 * (i - 4), i32x4.extend_high_i16x8_u(eight));
  }
}

// the functions below make bytes from outside safe to work on

/**
 * Whether every coordinate of a mesh is finite and every index in range; writes its box (six float32) to `box`. The
 * header must have been checked.
 */
export function inspectMesh(mesh: usize, box: usize): bool {
  if (!inspectPositions(mesh, box)) return false;
  const indices = mesh + load<u32>(mesh, MESH_INDICES);
  return allBelow(indices, 3 * load<u32>(mesh, MESH_TRIANGLE_COUNT), load<u32>(mesh, MESH_VERTEX_COUNT));
}

/** The same for the coordinates only. */
export function inspectPositions(mesh: usize, box: usize): bool {
  const vertices = load<u32>(mesh, MESH_VERTEX_COUNT);
  const positions = mesh + load<u32>(mesh, MESH_POSITIONS);
  // four vertices are three vectors, whose lanes hold x y z x, y z x y, z x y z
  let lo0 = f32x4.splat(Infinity), lo1 = lo0, lo2 = lo0;
  let hi0 = f32x4.splat(-Infinity), hi1 = hi0, hi2 = hi0;
  let strange = f32x4.splat(0);
  let p = positions;
  for (let v: u32 = 0; v + 4 <= vertices; v += 4, p += 48) {
    const a = v128.load(p);
    const b = v128.load(p, 16);
    const c = v128.load(p, 32);
    // x − x is 0 for finite numbers, NaN for all others
    strange = f32x4.add(strange, f32x4.add(f32x4.add(f32x4.sub(a, a), f32x4.sub(b, b)), f32x4.sub(c, c)));
    lo0 = f32x4.pmin(lo0, a); hi0 = f32x4.pmax(hi0, a);
    lo1 = f32x4.pmin(lo1, b); hi1 = f32x4.pmax(hi1, b);
    lo2 = f32x4.pmin(lo2, c); hi2 = f32x4.pmax(hi2, c);
  }
  let rest: f32 = 0;
  let lox = min(min(f32x4.extract_lane(lo0, 0), f32x4.extract_lane(lo0, 3)), min(f32x4.extract_lane(lo1, 2), f32x4.extract_lane(lo2, 1)));
  let loy = min(min(f32x4.extract_lane(lo0, 1), f32x4.extract_lane(lo1, 0)), min(f32x4.extract_lane(lo1, 3), f32x4.extract_lane(lo2, 2)));
  let loz = min(min(f32x4.extract_lane(lo0, 2), f32x4.extract_lane(lo1, 1)), min(f32x4.extract_lane(lo2, 0), f32x4.extract_lane(lo2, 3)));
  let hix = max(max(f32x4.extract_lane(hi0, 0), f32x4.extract_lane(hi0, 3)), max(f32x4.extract_lane(hi1, 2), f32x4.extract_lane(hi2, 1)));
  let hiy = max(max(f32x4.extract_lane(hi0, 1), f32x4.extract_lane(hi1, 0)), max(f32x4.extract_lane(hi1, 3), f32x4.extract_lane(hi2, 2)));
  let hiz = max(max(f32x4.extract_lane(hi0, 2), f32x4.extract_lane(hi1, 1)), max(f32x4.extract_lane(hi2, 0), f32x4.extract_lane(hi2, 3)));
  for (const end = positions + 12 * <usize>vertices; p < end; p += 12) {
    const x = load<f32>(p), y = load<f32>(p, 4), z = load<f32>(p, 8);
    rest += (x - x) + (y - y) + (z - z);
    lox = min(lox, x); loy = min(loy, y); loz = min(loz, z);
    hix = max(hix, x); hiy = max(hiy, y); hiz = max(hiz, z);
  }
  if (!i32x4.all_true(f32x4.eq(strange, f32x4.splat(0))) || rest != 0) return false;
  store<f32>(box, lox); store<f32>(box, loy, 4); store<f32>(box, loz, 8);
  store<f32>(box, hix, 12); store<f32>(box, hiy, 16); store<f32>(box, hiz, 20);
  return true;
}

/** Whether `count` numbers are all below `limit`. */
function allBelow(at: usize, count: u32, limit: u32): bool {
  let most = i32x4.splat(0);
  let i: u32 = 0;
  for (; i + 4 <= count; i += 4, at += 16) most = i32x4.max_u(most, v128.load(at));
  let largest = max(max(<u32>i32x4.extract_lane(most, 0), <u32>i32x4.extract_lane(most, 1)), max(<u32>i32x4.extract_lane(most, 2), <u32>i32x4.extract_lane(most, 3)));
  for (; i < count; i++, at += 4) largest = max(largest, load<u32>(at));
  return count == 0 || largest < limit;
}

/** Trees deeper than this do not fit the stacks of the walks. */
const MAX_DEPTH: u8 = 71;

/**
 * Whether a walk over a tree stays inside its memory and terminates: references are in range, children come after their
 * parents, no block has two parents, and the tree is not too deep. The header must have been checked. `depths` has room
 * for one byte per block.
 */
export function inspectTree(tree: usize, depths: usize): bool {
  const blockCount = load<u32>(tree, TREE_BLOCK_COUNT);
  const triangles = load<u32>(tree, TREE_TRIANGLE_COUNT);
  const pendingCount = load<u32>(tree, TREE_PENDING_COUNT);
  const leafSize = load<u32>(tree, TREE_LEAF_SIZE);
  const pending = tree + load<u32>(tree, TREE_PENDING);
  const blocks = tree + load<u32>(tree, TREE_BLOCKS);
  if (!allBelow(tree + load<u32>(tree, TREE_ORDER), triangles, triangles)) return false;
  for (let i: u32 = 0; i < pendingCount; i++) {
    const start = load<u32>(pending + 8 * <usize>i);
    const count = load<u32>(pending + 8 * <usize>i, 4);
    if (start > triangles || count > triangles - start) return false;
  }
  memory.fill(depths, 0, blockCount);
  store<u8>(depths, 1);
  for (let block: u32 = 0; block < blockCount; block++) {
    const depth = load<u8>(depths + block);
    if (depth == 0 || depth > MAX_DEPTH) return false;
    const refs = blocks + BLOCK_BYTES * <usize>block + ROW_REF;
    for (let lane: usize = 0; lane < 16; lane += 4) {
      const ref = load<u32>(refs + lane);
      if (ref == EMPTY) continue;
      if (isLeaf(ref)) {
        if (leafCount(ref) > leafSize || leafStart(ref) > triangles || leafCount(ref) > triangles - leafStart(ref)) return false;
      } else if (ref & PENDING_BIT) {
        if ((ref & LOW_BITS) >= pendingCount) return false;
      } else {
        if (ref <= block || ref >= blockCount || load<u8>(depths + ref) != 0) return false;
        store<u8>(depths + ref, depth + 1);
      }
    }
  }
  return true;
}
