/**
 * Tree topology: which triangles lie together. Twin of src/hierarchy/topology.ts, and equal to it byte for byte:
 * only float32 minima and maxima (exact) and float64 arithmetic in the same order.
 *
 * Idea: triangles are kept as 32-byte records (box and number) that are swapped in place, so every pass over a
 * range reads memory in order. Binned surface-area heuristic on all three axes, four children per block.
 *
 * Layout: record = min x y z, triangle number, max x y z, unused.
 */
import {
  BLOCK_BYTES, EMPTY, MESH_INDICES, MESH_POSITIONS, MESH_VERTEX_COUNT, PENDING_BIT, ROW_REF, TREE_BLOCKS, TREE_BLOCK_CAPACITY,
  TREE_BLOCK_COUNT, TREE_CENTRE, TREE_LEAF_SIZE, TREE_ORDER, TREE_PENDING, TREE_PENDING_CAPACITY, TREE_PENDING_COUNT, TREE_RADIUS,
  TREE_TRIANGLE_COUNT, leafRef,
} from './layout';
import { BIN_BOXES, BIN_COUNTS, KEYS, KIDS, RIGHT_AREAS, RIGHT_COUNTS, WORK, scratch } from './scratch';

const RECORD: usize = 32;
const BINS: u32 = 16;
const MAX_SAH_DEPTH: u32 = 40;
/** Ranges of at most this many records are sorted and halved. */
const SMALL: u32 = 16;
/** Larger ranges are binned from about this many records, evenly spaced. */
const SAMPLED: u32 = 1024;

// a range while it is being split: 64 bytes
const RANGE: usize = 64;
const R_START: usize = 0;
const R_COUNT: usize = 4;
const R_AREA: usize = 8; // float64
const R_PARENT: usize = 16;
const R_LANE: usize = 20; // lane | depth << 8
const R_CLO: usize = 32; // bounds of the centroids (minimum + maximum of a box, not halved)
const R_CHI: usize = 48;

const BIN_BYTES: usize = 32; // minimum and maximum

/** Writes one record per triangle in [from, to). */
export function writeRecords(mesh: usize, records: usize, from: u32, to: u32): void {
  const positions = mesh + load<u32>(mesh, MESH_POSITIONS);
  const indices = mesh + load<u32>(mesh, MESH_INDICES);
  for (let t = from; t < to; t++) writeRecord(positions, indices, t, records + RECORD * <usize>t);
}

// @ts-ignore: decorator
@inline function writeRecord(positions: usize, indices: usize, t: u32, out: usize): void {
  const tri = indices + 12 * <usize>t;
  // the fourth number read past a vertex is ignored: the indices after the positions are always readable
  const v0 = v128.load(positions + 12 * <usize>load<u32>(tri));
  const v1 = v128.load(positions + 12 * <usize>load<u32>(tri, 4));
  const v2 = v128.load(positions + 12 * <usize>load<u32>(tri, 8));
  v128.store(out, f32x4.pmin(f32x4.pmin(v0, v1), v2));
  v128.store(out, f32x4.pmax(f32x4.pmax(v0, v1), v2), 16);
  store<u32>(out, t, 12);
}

// @ts-ignore: decorator
@inline function area(lo: v128, hi: v128): f64 {
  const dx = <f64>f32x4.extract_lane(hi, 0) - <f64>f32x4.extract_lane(lo, 0);
  const dy = <f64>f32x4.extract_lane(hi, 1) - <f64>f32x4.extract_lane(lo, 1);
  const dz = <f64>f32x4.extract_lane(hi, 2) - <f64>f32x4.extract_lane(lo, 2);
  return dx * dy + dy * dz + dz * dx;
}

// @ts-ignore: decorator
@inline function centroids(p: usize): v128 { return f32x4.add(v128.load(p), v128.load(p, 16)); }

/** Fills in a range's description: area of its box, bounds of its centroids. */
function measure(records: usize, range: usize): void {
  let p = records + RECORD * <usize>load<u32>(range, R_START);
  const end = p + RECORD * <usize>load<u32>(range, R_COUNT);
  let lo = f32x4.splat(Infinity), hi = f32x4.splat(-Infinity);
  let clo = lo, chi = hi;
  for (; p < end; p += RECORD) {
    lo = f32x4.pmin(lo, v128.load(p));
    hi = f32x4.pmax(hi, v128.load(p, 16));
    const c = centroids(p);
    clo = f32x4.pmin(clo, c);
    chi = f32x4.pmax(chi, c);
  }
  store<f64>(range, area(lo, hi), R_AREA);
  v128.store(range, clo, R_CLO);
  v128.store(range, chi, R_CHI);
}

// @ts-ignore: decorator
@inline function swapRecords(p: usize, q: usize): void {
  const a = v128.load(p);
  const b = v128.load(p, 16);
  v128.store(p, v128.load(q));
  v128.store(p, v128.load(q, 16), 16);
  v128.store(q, a);
  v128.store(q, b, 16);
}

// @ts-ignore: decorator
@inline function longestAxis(extent: v128): usize {
  const x = f32x4.extract_lane(extent, 0), y = f32x4.extract_lane(extent, 1), z = f32x4.extract_lane(extent, 2);
  return y > x ? (z > y ? 2 : 1) : (z > x ? 2 : 0);
}

/** Divides `range` at `left`, without moving records, and measures both halves. */
function cutAt(records: usize, range: usize, right: usize, left: u32): void {
  const start = load<u32>(range, R_START);
  const count = load<u32>(range, R_COUNT);
  store<u32>(range, left, R_COUNT);
  store<u32>(right, start + left, R_START);
  store<u32>(right, count - left, R_COUNT);
  measure(records, range);
  measure(records, right);
}

/** Few records: sort along the longest axis and cut so that the fewest leaves come out. */
function splitSmall(records: usize, range: usize, right: usize, leafSize: u32): void {
  const count = load<u32>(range, R_COUNT);
  const first = records + RECORD * <usize>load<u32>(range, R_START);
  const axis = 4 * <i32>longestAxis(f32x4.sub(v128.load(range, R_CHI), v128.load(range, R_CLO)));
  const keys = scratch + KEYS;
  // insertion sort of (key, record) pairs, stable
  for (let i: u32 = 0; i < count; i++) {
    const p = first + RECORD * <usize>i;
    const key: f32 = load<f32>(p + axis) + load<f32>(p + axis, 16);
    let at = keys + 8 * <usize>i;
    while (at > keys && load<f32>(at - 8) > key) {
      store<u64>(at, load<u64>(at - 8));
      at -= 8;
    }
    store<f32>(at, key);
    store<u32>(at, i, 4);
  }
  const copy = scratch + BIN_BOXES;
  memory.copy(copy, first, RECORD * <usize>count);
  for (let i: u32 = 0; i < count; i++) {
    const from = copy + RECORD * <usize>load<u32>(keys + 8 * <usize>i, 4);
    const to = first + RECORD * <usize>i;
    v128.store(to, v128.load(from));
    v128.store(to, v128.load(from, 16), 16);
  }
  const leaves = (count + leafSize - 1) / leafSize;
  const leftLeaves = leaves >> 1;
  const rightLeaves = leaves - leftLeaves;
  let left = count * leftLeaves / leaves;
  if (count - left > rightLeaves * leafSize) left = count - rightLeaves * leafSize;
  cutAt(records, range, right, left);
}

/**
 * Splits `range` in two, neither empty: it becomes the left half and `right` the other one.
 * Preconditions: more than leafSize records, measured.
 */
function splitRange(records: usize, range: usize, right: usize, leafSize: u32, fast: bool, middleOnly: bool): void {
  const start = load<u32>(range, R_START);
  const count = load<u32>(range, R_COUNT);
  const clo = v128.load(range, R_CLO);
  const extent = f32x4.sub(v128.load(range, R_CHI), clo);
  const positive = f32x4.gt(extent, f32x4.splat(0));
  if (middleOnly || (i32x4.bitmask(positive) & 7) == 0) return cutAt(records, range, right, count >> 1);
  if (count <= SMALL) return splitSmall(records, range, right, leafSize);

  const first = records + RECORD * <usize>start;
  const end = first + RECORD * <usize>count;
  const bins: u32 = fast ? 2 : BINS;
  // an axis without extent gets scale 0: everything in bin 0. Infinite scales (denormal extents) are cut to finite.
  const scale = f32x4.pmin(v128.and(f32x4.div(f32x4.splat(<f32>bins), extent), positive), f32x4.splat(1e30));
  const last = i32x4.splat(bins - 1);
  let bestAxis: usize = longestAxis(extent);
  let bestBin: u32 = 0;
  let leftArea: f64 = 0, rightArea: f64 = 0;
  if (!fast) {
    const binBoxes = scratch + BIN_BOXES;
    const binCounts = scratch + BIN_COUNTS;
    const rightAreas = scratch + RIGHT_AREAS;
    const rightCounts = scratch + RIGHT_COUNTS;
    const plusInf = f32x4.splat(Infinity);
    const minusInf = f32x4.splat(-Infinity);
    for (let i: usize = 0; i < 3 * 16 * BIN_BYTES; i += BIN_BYTES) {
      v128.store(binBoxes + i, plusInf);
      v128.store(binBoxes + i, minusInf, 16);
    }
    memory.fill(binCounts, 0, 3 * 16 * 4);
    // large ranges: some of the records say enough about where to cut
    const step: usize = count > SAMPLED ? RECORD * <usize>(count / SAMPLED) : RECORD;
    for (let p = first; p < end; p += step) {
      const lo = v128.load(p);
      const hi = v128.load(p, 16);
      const bin = i32x4.min_u(last, i32x4.trunc_sat_f32x4_u(f32x4.mul(f32x4.sub(f32x4.add(lo, hi), clo), scale)));
      const bx = <usize>i32x4.extract_lane(bin, 0);
      const by = 16 + <usize>i32x4.extract_lane(bin, 1);
      const bz = 32 + <usize>i32x4.extract_lane(bin, 2);
      let b = binBoxes + BIN_BYTES * bx;
      v128.store(b, f32x4.pmin(v128.load(b), lo));
      v128.store(b, f32x4.pmax(v128.load(b, 16), hi), 16);
      b = binBoxes + BIN_BYTES * by;
      v128.store(b, f32x4.pmin(v128.load(b), lo));
      v128.store(b, f32x4.pmax(v128.load(b, 16), hi), 16);
      b = binBoxes + BIN_BYTES * bz;
      v128.store(b, f32x4.pmin(v128.load(b), lo));
      v128.store(b, f32x4.pmax(v128.load(b, 16), hi), 16);
      let c = binCounts + 4 * bx;
      store<u32>(c, load<u32>(c) + 1);
      c = binCounts + 4 * by;
      store<u32>(c, load<u32>(c) + 1);
      c = binCounts + 4 * bz;
      store<u32>(c, load<u32>(c) + 1);
    }

    // sweep: cheapest boundary between two bins over all axes
    let bestCost: f64 = Infinity;
    for (let axis: usize = 0; axis < 3; axis++) {
      const boxes = binBoxes + axis * 16 * BIN_BYTES;
      const counts = binCounts + axis * 64;
      let lo = plusInf;
      let hi = minusInf;
      let n: u32 = 0;
      let a: f64 = 0;
      for (let b: u32 = BINS - 1; b > 0; b--) {
        const c = load<u32>(counts + 4 * <usize>b);
        if (c != 0) {
          lo = f32x4.pmin(lo, v128.load(boxes + BIN_BYTES * <usize>b));
          hi = f32x4.pmax(hi, v128.load(boxes + BIN_BYTES * <usize>b, 16));
          n += c;
          a = area(lo, hi);
        }
        store<f64>(rightAreas + 8 * <usize>b, a);
        store<u32>(rightCounts + 4 * <usize>b, n);
      }
      lo = plusInf;
      hi = minusInf;
      n = 0;
      for (let b: u32 = 0; b < BINS - 1; b++) {
        const c = load<u32>(counts + 4 * <usize>b);
        if (c == 0) continue; // the same cut as one bin before
        const more = load<u32>(rightCounts + 4 * <usize>(b + 1));
        if (more == 0) break;
        lo = f32x4.pmin(lo, v128.load(boxes + BIN_BYTES * <usize>b));
        hi = f32x4.pmax(hi, v128.load(boxes + BIN_BYTES * <usize>b, 16));
        n += c;
        a = area(lo, hi);
        const ra = load<f64>(rightAreas + 8 * <usize>(b + 1));
        const cost = a * <f64>n + ra * <f64>more;
        if (cost < bestCost) {
          bestCost = cost;
          bestAxis = axis;
          bestBin = b;
          leftArea = a;
          rightArea = ra;
        }
      }
    }
    if (bestCost == Infinity) return cutAt(records, range, right, count >> 1);
  }

  // part the records at that boundary, taking the bounds of the centroids on the way
  const lane = f32x4.splat(bestAxis == 0 ? f32x4.extract_lane(scale, 0) : bestAxis == 1 ? f32x4.extract_lane(scale, 1) : f32x4.extract_lane(scale, 2));
  const s = f32x4.extract_lane(lane, 0);
  const c0 = bestAxis == 0 ? f32x4.extract_lane(clo, 0) : bestAxis == 1 ? f32x4.extract_lane(clo, 1) : f32x4.extract_lane(clo, 2);
  const axis = 4 * bestAxis;
  const limit: f32 = <f32>(bestBin + 1); // bin ≤ bestBin  ⇔  scaled position < bestBin + 1
  let llo = f32x4.splat(Infinity), lhi = f32x4.splat(-Infinity), rlo = llo, rhi = lhi;
  let i = first;
  let j = end - RECORD;
  while (i <= j) {
    const c = centroids(i);
    if ((load<f32>(i + axis) + load<f32>(i + axis, 16) - c0) * s < limit) {
      llo = f32x4.pmin(llo, c);
      lhi = f32x4.pmax(lhi, c);
      i += RECORD;
    } else {
      rlo = f32x4.pmin(rlo, c);
      rhi = f32x4.pmax(rhi, c);
      swapRecords(i, j);
      j -= RECORD;
    }
  }
  const left = <u32>((i - first) / RECORD);
  if (left == 0 || left == count) return cutAt(records, range, right, count >> 1);
  store<u32>(range, left, R_COUNT);
  v128.store(range, llo, R_CLO);
  v128.store(range, lhi, R_CHI);
  store<u32>(right, start + left, R_START);
  store<u32>(right, count - left, R_COUNT);
  v128.store(right, rlo, R_CLO);
  v128.store(right, rhi, R_CHI);
  if (fast) {
    // the centroids' bounds stand for the box: good enough to choose which half to split next
    leftArea = area(llo, lhi);
    rightArea = area(rlo, rhi);
  }
  store<f64>(range, leftArea, R_AREA);
  store<f64>(right, rightArea, R_AREA);
}

/**
 * Builds the blocks of the range described at KIDS (start, count; measured here) below (parent, lane), or as the root
 * when parent is EMPTY. Children of at most `treelet` triangles that are no leaves stay pending. Appends at
 * TREE_BLOCK_COUNT. Returns false when blocks or pending entries run out; nothing is written past them.
 */
function buildRange(tree: usize, records: usize, start: u32, count: u32, parent0: u32, lane0: u32, fast: bool, treelet: u32): bool {
  const leafSize = load<u32>(tree, TREE_LEAF_SIZE);
  const blocks = tree + load<u32>(tree, TREE_BLOCKS);
  const capacity = load<u32>(tree, TREE_BLOCK_CAPACITY);
  let blockCount = load<u32>(tree, TREE_BLOCK_COUNT);
  const kids = scratch + KIDS;
  // Ranges waiting to become blocks. At most 3 wait per level, and there are at most 70 levels: MAX_SAH_DEPTH, then
  // at least one halving of 2^28 triangles per block. 211 entries; there is room for 256.
  const work = scratch + WORK;
  let top = work;
  store<u32>(top, start, R_START);
  store<u32>(top, count, R_COUNT);
  measure(records, top);
  store<u32>(top, parent0, R_PARENT);
  store<u32>(top, lane0, R_LANE);
  top += RANGE;
  while (top > work) {
    top -= RANGE;
    if (blockCount == capacity) return false;
    const index = blockCount++;
    const block = blocks + BLOCK_BYTES * <usize>index;
    const parent = load<u32>(top, R_PARENT);
    const laneDepth = load<u32>(top, R_LANE);
    const depth = laneDepth >> 8;
    if (parent != EMPTY) store<u32>(blocks + BLOCK_BYTES * <usize>parent + 4 * <usize>(laneDepth & 0xff), index, ROW_REF);

    // split the child of largest area until there are four or all are leaves
    memory.copy(kids, top, RANGE);
    let n: u32 = 1;
    while (n < 4) {
      let pick: u32 = 4;
      let pickArea: f64 = -1;
      for (let k: u32 = 0; k < n; k++) {
        const kid = kids + RANGE * <usize>k;
        if (load<u32>(kid, R_COUNT) > leafSize && (pick == 4 || load<f64>(kid, R_AREA) > pickArea)) { pick = k; pickArea = load<f64>(kid, R_AREA); }
      }
      if (pick == 4) break;
      const kid = kids + RANGE * <usize>pick;
      memory.copy(kid + 2 * RANGE, kid + RANGE, RANGE * <usize>(n - pick - 1));
      splitRange(records, kid, kid + RANGE, leafSize, fast, depth > MAX_SAH_DEPTH);
      n++;
    }

    // references; inner children go on the work list in reverse, so that lane 0 is built first
    for (let k: u32 = 0; k < 4; k++) {
      let ref = EMPTY;
      if (k < n) {
        const kid = kids + RANGE * <usize>k;
        const kidStart = load<u32>(kid, R_START);
        const kidCount = load<u32>(kid, R_COUNT);
        if (kidCount <= leafSize) ref = leafRef(kidStart, kidCount);
        else if (kidCount <= treelet) {
          const pendingCount = load<u32>(tree, TREE_PENDING_COUNT);
          if (pendingCount == load<u32>(tree, TREE_PENDING_CAPACITY)) return false;
          const entry = tree + load<u32>(tree, TREE_PENDING) + 8 * <usize>pendingCount;
          store<u32>(entry, kidStart);
          store<u32>(entry, kidCount, 4);
          store<u32>(tree, pendingCount + 1, TREE_PENDING_COUNT);
          ref = PENDING_BIT | pendingCount;
        }
      }
      store<u32>(block + 4 * <usize>k, ref, ROW_REF);
    }
    for (let k: i32 = <i32>n - 1; k >= 0; k--) {
      if (load<u32>(block + 4 * <usize>k, ROW_REF) != EMPTY) continue;
      memory.copy(top, kids + RANGE * <usize>k, RANGE);
      store<u32>(top, index, R_PARENT);
      store<u32>(top, <u32>k | ((depth + 1) << 8), R_LANE);
      top += RANGE;
    }
  }
  store<u32>(tree, blockCount, TREE_BLOCK_COUNT);
  return true;
}

/**
 * Makes the topology of a whole tree whose header, order and capacities are laid out; subtrees of at most `treelet`
 * triangles stay pending (0: none). False: too little room.
 */
export function buildTopology(tree: usize, records: usize, fast: bool, treelet: u32): bool {
  const count = load<u32>(tree, TREE_TRIANGLE_COUNT);
  store<u32>(tree, 0, TREE_BLOCK_COUNT);
  store<u32>(tree, 0, TREE_PENDING_COUNT);
  if (!buildRange(tree, records, 0, count, EMPTY, 0, fast, treelet)) return false;
  writeOrder(tree, records, 0, count);
  return true;
}

function writeOrder(tree: usize, records: usize, start: u32, count: u32): void {
  const order = tree + load<u32>(tree, TREE_ORDER);
  for (let i = start; i < start + count; i++) {
    store<u32>(order + 4 * <usize>i, load<u32>(records + RECORD * <usize>i, 12));
  }
}

/**
 * Builds pending treelet number `treelet` at the end of `into`, a tree header of its own or the tree itself; its first
 * block takes the place of the reference at (parent, lane), unless parent is EMPTY. `records` holds one record per
 * triangle of the treelet. False: too few blocks, nothing changed but the order inside the treelet.
 */
export function buildTreelet(tree: usize, into: usize, mesh: usize, records: usize, treelet: u32, parent: u32, lane: u32, fast: bool): bool {
  const entry = tree + load<u32>(tree, TREE_PENDING) + 8 * <usize>treelet;
  const start = load<u32>(entry);
  const count = load<u32>(entry, 4);
  const order = tree + load<u32>(tree, TREE_ORDER);
  const positions = mesh + load<u32>(mesh, MESH_POSITIONS);
  const indices = mesh + load<u32>(mesh, MESH_INDICES);
  for (let i: u32 = 0; i < count; i++) {
    writeRecord(positions, indices, load<u32>(order + 4 * <usize>(start + i)), records + RECORD * <usize>i);
  }
  const shifted = records - RECORD * <usize>start; // so that leaf positions index it
  const held = parent == EMPTY ? 0 : load<u32>(into + load<u32>(into, TREE_BLOCKS) + BLOCK_BYTES * <usize>parent + 4 * <usize>lane, ROW_REF);
  if (!buildRange(into, shifted, start, count, parent, lane, fast, 0)) {
    if (parent != EMPTY) store<u32>(into + load<u32>(into, TREE_BLOCKS) + BLOCK_BYTES * <usize>parent + 4 * <usize>lane, held, ROW_REF);
    return false;
  }
  writeOrder(tree, shifted, start, count);
  store<u32>(entry, 0, 4); // no longer pending
  return true;
}

/** Widens the header's radius so that it holds the records, about the centre that is there. */
export function widenRadius(tree: usize, mesh: usize): void {
  let v = mesh + load<u32>(mesh, MESH_POSITIONS);
  const end = v + 12 * <usize>load<u32>(mesh, MESH_VERTEX_COUNT);
  let lo = v128.load(v), hi = lo;
  for (; v < end; v += 12) {
    const p = v128.load(v);
    lo = f32x4.pmin(lo, p);
    hi = f32x4.pmax(hi, p);
  }
  const x = reachOf(f32x4.extract_lane(lo, 0), f32x4.extract_lane(hi, 0), load<f64>(tree, TREE_CENTRE));
  const y = reachOf(f32x4.extract_lane(lo, 1), f32x4.extract_lane(hi, 1), load<f64>(tree, TREE_CENTRE + 8));
  const z = reachOf(f32x4.extract_lane(lo, 2), f32x4.extract_lane(hi, 2), load<f64>(tree, TREE_CENTRE + 16));
  store<f32>(tree, <f32>(sqrt(x * x + y * y + z * z) * 1.000001), TREE_RADIUS);
}

// @ts-ignore: decorator
@inline function reachOf(lo: f32, hi: f32, centre: f64): f64 { return max(<f64>hi - centre, centre - <f64>lo); }

/** Centre of the records' box into the header (rounded to float32), and the radius of a sphere about it that holds all. */
export function writeCentre(tree: usize, records: usize): void {
  const count = load<u32>(tree, TREE_TRIANGLE_COUNT);
  let lo = v128.load(records);
  let hi = v128.load(records, 16);
  for (let i: u32 = 1; i < count; i++) {
    const p = records + RECORD * <usize>i;
    lo = f32x4.pmin(lo, v128.load(p));
    hi = f32x4.pmax(hi, v128.load(p, 16));
  }
  let radiusSq: f64 = 0;
  for (let k: usize = 0; k < 3; k++) {
    const a: f64 = <f64>(k == 0 ? f32x4.extract_lane(lo, 0) : k == 1 ? f32x4.extract_lane(lo, 1) : f32x4.extract_lane(lo, 2));
    const b: f64 = <f64>(k == 0 ? f32x4.extract_lane(hi, 0) : k == 1 ? f32x4.extract_lane(hi, 1) : f32x4.extract_lane(hi, 2));
    const c = <f64><f32>((a + b) * 0.5);
    store<f64>(tree + 8 * k, c, TREE_CENTRE);
    const r = max(b - c, c - a);
    radiusSq += r * r;
  }
  store<f32>(tree, <f32>(sqrt(radiusSq) * 1.000001), TREE_RADIUS);
}
