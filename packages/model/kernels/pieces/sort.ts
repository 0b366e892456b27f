/** Sorts the triangles of a shape that does not fit into memory, batch by batch: their box, and the leaf of each. */

/** Bytes of the nine float32 of a triangle. */
const TRIANGLE: usize = 36;

/**
 * Copies the corners of `count` triangles, given by vertex numbers, to `corners`; returns the number of triangles
 * before one with an invalid vertex. Reads four bytes past the vertices, and writes four past the corners.
 */
export function gatherCorners(vertices: usize, vertexCount: u32, indices: usize, count: u32, corners: usize): u32 {
  for (let t: u32 = 0; t < count; t++, indices += 12, corners += TRIANGLE) {
    const a = load<u32>(indices), b = load<u32>(indices, 4), c = load<u32>(indices, 8);
    if (a >= vertexCount || b >= vertexCount || c >= vertexCount) return t;
    v128.store(corners, v128.load(vertices + 12 * <usize>a));
    v128.store(corners, v128.load(vertices + 12 * <usize>b), 12);
    v128.store(corners, v128.load(vertices + 12 * <usize>c), 24);
  }
  return count;
}

/**
 * Widens the box at `box` (minimum, maximum: six float32) to contain `count` triangles; false if a coordinate is not
 * finite.
 */
export function widenBox(corners: usize, count: u32, box: usize): bool {
  let x0 = load<f32>(box), y0 = load<f32>(box, 4), z0 = load<f32>(box, 8);
  let x1 = load<f32>(box, 12), y1 = load<f32>(box, 16), z1 = load<f32>(box, 20);
  // four vertices are three vectors, whose lanes hold x y z x, y z x y, z x y z
  let lo0 = f32x4(x0, y0, z0, x0), lo1 = f32x4(y0, z0, x0, y0), lo2 = f32x4(z0, x0, y0, z0);
  let hi0 = f32x4(x1, y1, z1, x1), hi1 = f32x4(y1, z1, x1, y1), hi2 = f32x4(z1, x1, y1, z1);
  let strange = f32x4.splat(0);
  const end = corners + TRIANGLE * <usize>count;
  for (; corners + 48 <= end; corners += 48) {
    const a = v128.load(corners), b = v128.load(corners, 16), c = v128.load(corners, 32);
    // x − x is 0 for finite numbers, NaN for all others
    strange = f32x4.add(strange, f32x4.add(f32x4.add(f32x4.sub(a, a), f32x4.sub(b, b)), f32x4.sub(c, c)));
    lo0 = f32x4.pmin(lo0, a); hi0 = f32x4.pmax(hi0, a);
    lo1 = f32x4.pmin(lo1, b); hi1 = f32x4.pmax(hi1, b);
    lo2 = f32x4.pmin(lo2, c); hi2 = f32x4.pmax(hi2, c);
  }
  x0 = min(min(f32x4.extract_lane(lo0, 0), f32x4.extract_lane(lo0, 3)), min(f32x4.extract_lane(lo1, 2), f32x4.extract_lane(lo2, 1)));
  y0 = min(min(f32x4.extract_lane(lo0, 1), f32x4.extract_lane(lo1, 0)), min(f32x4.extract_lane(lo1, 3), f32x4.extract_lane(lo2, 2)));
  z0 = min(min(f32x4.extract_lane(lo0, 2), f32x4.extract_lane(lo1, 1)), min(f32x4.extract_lane(lo2, 0), f32x4.extract_lane(lo2, 3)));
  x1 = max(max(f32x4.extract_lane(hi0, 0), f32x4.extract_lane(hi0, 3)), max(f32x4.extract_lane(hi1, 2), f32x4.extract_lane(hi2, 1)));
  y1 = max(max(f32x4.extract_lane(hi0, 1), f32x4.extract_lane(hi1, 0)), max(f32x4.extract_lane(hi1, 3), f32x4.extract_lane(hi2, 2)));
  z1 = max(max(f32x4.extract_lane(hi0, 2), f32x4.extract_lane(hi1, 1)), max(f32x4.extract_lane(hi2, 0), f32x4.extract_lane(hi2, 3)));
  let rest: f32 = 0;
  for (; corners < end; corners += 12) {
    const x = load<f32>(corners), y = load<f32>(corners, 4), z = load<f32>(corners, 8);
    rest += (x - x) + (y - y) + (z - z);
    x0 = min(x0, x); y0 = min(y0, y); z0 = min(z0, z);
    x1 = max(x1, x); y1 = max(y1, y); z1 = max(z1, z);
  }
  store<f32>(box, x0); store<f32>(box, y0, 4); store<f32>(box, z0, 8);
  store<f32>(box, x1, 12); store<f32>(box, y1, 16); store<f32>(box, z1, 20);
  return i32x4.all_true(f32x4.eq(strange, f32x4.splat(0))) && rest == 0;
}

/**
 * Copies triangles [from, count) of `corners` to the buffers of their leaves, until one of these holds `most`; returns
 * the first that was not copied. `nodes` are the `inner` nodes of a k-d tree, 16 bytes each: the dividing value of the
 * sum of three corners (float64), and the axis. Node i has children 2i + 1 and 2i + 2; those past the end are leaves.
 * `leaves` has two words each: the address of its buffer, and the number of triangles in it.
 */
export function sortCorners(corners: usize, from: u32, count: u32, nodes: usize, inner: u32, leaves: usize, most: u32): u32 {
  let p = corners + TRIANGLE * <usize>from;
  for (let t = from; t < count; t++, p += TRIANGLE) {
    let node: u32 = 0;
    while (node < inner) {
      const at = nodes + 16 * <usize>node;
      const k = p + 4 * <usize>load<u32>(at, 8);
      const sum = <f64>load<f32>(k) + <f64>load<f32>(k, 12) + <f64>load<f32>(k, 24);
      node = 2 * node + (sum < load<f64>(at) ? 1 : 2);
    }
    const leaf = leaves + 8 * <usize>(node - inner);
    const buffered = load<u32>(leaf, 4) + 1;
    const to = load<u32>(leaf) + TRIANGLE * <usize>(buffered - 1);
    v128.store(to, v128.load(p));
    v128.store(to, v128.load(p, 16), 16);
    store<u32>(to, load<u32>(p, 32), 32);
    store<u32>(leaf, buffered, 4);
    if (buffered == most) return t + 1;
  }
  return count;
}
