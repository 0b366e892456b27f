/**
 * Which elements in contact are neighbours: a vertex of one is joined by an edge of the mesh to a vertex of the other.
 * Twin: src/deform/neighbours.ts.
 */
import { CTX_CORNERS, CTX_RING_START, CTX_RINGS, ELEMENT_PAIR_BYTES, HIT_BYTES } from './layout';

/**
 * Moves the pairs of those hits that are neighbours to `outPairs` (and their faces, unless `faces` is 0, to
 * `outFaces`), and closes the gaps in `hits`. Returns the number moved.
 */
export function splitNeighbours(
  ctx: usize, surfaceOfVertex: usize, hits: usize, count: u32, pairs: usize, faces: usize, outPairs: usize, outFaces: usize,
): u32 {
  let kept = hits;
  let went: usize = 0;
  for (let i: u32 = 0; i < count; i++) {
    const hit = hits + HIT_BYTES * <usize>i;
    const number: usize = load<u32>(hit);
    const pair = pairs + ELEMENT_PAIR_BYTES * number;
    if (areNeighbours(ctx, surfaceOfVertex, pair, faces ? 1 : 2)) {
      v128.store(outPairs + ELEMENT_PAIR_BYTES * went, v128.load(pair));
      if (faces) store<u32>(outFaces + 4 * went, load<u32>(faces + 4 * number));
      went++;
    } else {
      if (kept != hit) memory.copy(kept, hit, HIT_BYTES);
      kept += HIT_BYTES;
    }
  }
  return <u32>went;
}

function areNeighbours(ctx: usize, surfaceOfVertex: usize, pair: usize, own: usize): bool {
  if (load<u32>(surfaceOfVertex + 4 * <usize>load<u32>(pair)) != load<u32>(surfaceOfVertex + 4 * <usize>load<u32>(pair, 12))) return false;
  const ringStart: usize = load<u32>(ctx, CTX_RING_START);
  const rings: usize = load<u32>(ctx, CTX_RINGS);
  const corners: usize = load<u32>(ctx, CTX_CORNERS);
  const quad = v128.load(pair);
  // lanes of the first element never equal a corner they are compared with
  const others = own == 1 ? i32x4(-1, 0, 0, 0) : i32x4(-1, -1, 0, 0);
  for (let i: usize = 0; i < own; i++) {
    const slot = ringStart + 4 * <usize>load<u32>(pair + 4 * i);
    let at = rings + 4 * <usize>load<u32>(slot);
    const end = rings + 4 * <usize>load<u32>(slot, 4);
    for (; at < end; at += 4) {
      const corner = corners + 12 * <usize>load<u32>(at);
      const same = v128.or(v128.or(i32x4.eq(quad, v128.load32_splat(corner)), i32x4.eq(quad, v128.load32_splat(corner, 4))), i32x4.eq(quad, v128.load32_splat(corner, 8)));
      if (v128.any_true(v128.andnot(same, others))) return true;
    }
  }
  return false;
}
