/**
 * Contact levels as kernels walk them: the data of a node side by side, hulls as rows.
 *
 * Layout: see kernels/hulls/dual.ts. Nodes are numbered as in the contact levels. Radii are rounded up by enough to
 * cover the kernel's float64 rounding. Many pairs use one block: it is made on first use, and freed with the levels.
 */
import { arena } from 'impinge/internal/base/arena.js';
import { axesOf, fit, STRIDE } from 'impinge/internal/volumes/obb-fit.js';
import type { ContactLevels } from '../contact-levels/contact-levels.js';
import type { HullBlock } from './hull-pair.js';
import { N, NODE_BYTES, NODES } from './layout.generated.js';

/** See kernels/hulls/boxes-apart.ts. */
const BOX_BYTES = 96;

const ROUND_UP = 1 + 1e-6;

const blocks = new WeakMap<ContactLevels, DualBlock>();
const reclaim = new FinalizationRegistry<number>((block) => arena().free(block));

/** The block of contact levels. */
export function dualBlockOf(levels: ContactLevels): DualBlock {
  levels.assertLive();
  let block = blocks.get(levels);
  if (!block) {
    blocks.set(levels, (block = new DualBlock(levels)));
    reclaim.register(levels, block.block);
  }
  return block;
}

export class DualBlock {
  readonly block: number;
  readonly root: number;
  /** A ball around all hulls and boxes: centre and radius. */
  readonly ball: readonly [number, number, number, number];
  /** The largest |x| + |y| + |z| of a vertex. */
  readonly reach: number;

  constructor(levels: ContactLevels) {
    const count = levels.nodeCount;
    const starts = levels.array('hullStart');
    const strides = Uint32Array.from({ length: count }, (_, n) => (starts[n + 1] - starts[n] + 1) & ~1);
    const hulls = new Uint32Array(count);
    let bytes = NODES + NODE_BYTES * count;
    for (let n = 0; n < count; n++) {
      hulls[n] = bytes;
      bytes += 12 * strides[n];
    }
    const boxes = (bytes + 15) & ~15;
    bytes = boxes + BOX_BYTES * count;
    const memory = arena();
    this.block = memory.alloc(bytes);
    this.root = count - 1;
    // earlier views are stale, as the memory may have grown
    const [hullStart, childStart] = [levels.array('hullStart'), levels.array('childStart')];
    const [vertices, supports] = [levels.array('hullVertices'), levels.array('supportAreas')];
    const [h, s, r] = [levels.array('h'), levels.array('s'), levels.array('r')];
    const unusable = levels.nodesOf(levels.usableLevels - 1).end;
    const [words, floats, numbers] = [memory.u32(), memory.f32(), memory.f64()];
    words[this.block >>> 2] = count;
    let reach = 0;
    for (let n = 0; n < count; n++) {
      const at = this.block + NODES + NODE_BYTES * n;
      const [first, end] = [hullStart[n], hullStart[n + 1]];
      writeBall(vertices, first, end, floats, (at + N.ball) >>> 2);
      words[(at + N.hull) >>> 2] = hulls[n];
      words[(at + N.stride) >>> 2] = strides[n];
      words[(at + N.firstChild) >>> 2] = childStart[n];
      words[(at + N.children) >>> 2] = childStart[n + 1] - childStart[n];
      numbers[(at + N.apart) >>> 3] = h[n];
      numbers[(at + N.volume) >>> 3] = n < unusable ? s[n] / r[n] ** 2 : Infinity;
      let area = 0;
      for (let v = first; v < end; v++) area += supports[v] / (end - first);
      numbers[(at + N.area) >>> 3] = area;
      const rows = (this.block + hulls[n]) >>> 2;
      for (let i = 0; i < strides[n]; i++) {
        const v = 3 * Math.min(first + i, end - 1);
        for (let k = 0; k < 3; k++) floats[rows + k * strides[n] + i] = vertices[v + k];
        reach = Math.max(
          reach,
          Math.abs(vertices[v]) + Math.abs(vertices[v + 1]) + Math.abs(vertices[v + 2]),
        );
      }
    }
    writeBoxes(levels, this.block, boxes);
    this.ball = ballAround(this.block, count);
    this.reach = reach;
  }

  /** The hull of a node. */
  hull(node: number): HullBlock {
    const words = arena().u32();
    const at = (this.block + NODES + NODE_BYTES * node) >>> 2;
    return { at: this.block + words[at + N.hull / 4], stride: words[at + N.stride / 4], reach: this.reach };
  }

  /** The radius of the ball around a node's hull. */
  radius(node: number): number {
    return arena().f32()[((this.block + NODES + NODE_BYTES * node + N.ball) >>> 2) + 3];
  }
}

/**
 * Boxes around the originals below each node: around the vertices of the hulls of level 0, which hold them but for h.
 */
function writeBoxes(levels: ContactLevels, block: number, at: number): void {
  const memory = arena();
  const [words, floats, numbers] = [memory.u32(), memory.f32(), memory.f64()];
  const [childStart, hullStart, h] = [
    levels.array('childStart'),
    levels.array('hullStart'),
    levels.array('h'),
  ];
  const vertices = levels.array('hullVertices');
  const finest = levels.nodesOf(0).end;
  // the nodes of level 0 below a node follow each other
  const leaves = new Uint32Array(levels.nodeCount + 1);
  const ends = new Uint32Array(levels.nodeCount + 1);
  const box = new Float32Array(4 * STRIDE);
  const axes = new Float64Array(9);
  let out = 0;
  for (let n = 0; n < finest; n++) out = Math.max(out, h[n]);
  for (let n = 0; n < levels.nodeCount; n++) {
    leaves[n] = n < finest ? n : leaves[childStart[n]];
    ends[n] = n < finest ? n + 1 : ends[childStart[n + 1] - 1];
    const points = Float64Array.from(vertices.subarray(3 * hullStart[leaves[n]], 3 * hullStart[ends[n]]));
    fit(points, points.length / 3, box, 0);
    axesOf(box, 0, axes);
    const to = (block + at + BOX_BYTES * n) >>> 2;
    floats.fill(0, to, to + BOX_BYTES / 4);
    for (let i = 0; i < 9; i++) floats[to + 4 * Math.floor(i / 3) + (i % 3)] = axes[i];
    for (let k = 0; k < 3; k++) {
      floats[to + 12 + k] = box[12 + 4 * k];
      numbers[to / 2 + 8 + k] = box[4 * k];
    }
    numbers[to / 2 + 11] = box[12] + box[16] + box[20];
    const node = (block + NODES + NODE_BYTES * n) >>> 2;
    words[node + N.box / 4] = at + BOX_BYTES * n;
    floats[node + N.boxOut / 4] = out * ROUND_UP;
  }
}

/** Around the balls and boxes of all nodes, about the middle of the root. */
function ballAround(block: number, count: number): [number, number, number, number] {
  const [words, floats, numbers] = [arena().u32(), arena().f32(), arena().f64()];
  const [x, y, z] = floats.subarray((block + NODES + NODE_BYTES * (count - 1) + N.ball) >>> 2);
  let radius = 0;
  for (let n = 0; n < count; n++) {
    const node = (block + NODES + NODE_BYTES * n) >>> 2;
    const apart = Math.hypot(floats[node] - x, floats[node + 1] - y, floats[node + 2] - z);
    const box = (block + words[node + N.box / 4]) >>> 3;
    const off = Math.hypot(numbers[box + 8] - x, numbers[box + 9] - y, numbers[box + 10] - z);
    radius = Math.max(radius, apart + floats[node + 3], off + numbers[box + 11]);
  }
  return [x, y, z, radius * ROUND_UP];
}

/** Around the middle of the box: centre and radius, four float32. */
function writeBall(vertices: Float32Array, first: number, end: number, out: Float32Array, at: number): void {
  for (let k = 0; k < 3; k++) {
    let [least, most] = [Infinity, -Infinity];
    for (let v = first; v < end; v++) {
      least = Math.min(least, vertices[3 * v + k]);
      most = Math.max(most, vertices[3 * v + k]);
    }
    out[at + k] = (least + most) / 2;
  }
  let [radius, size] = [0, 0];
  for (let v = first; v < end; v++) {
    const [x, y, z] = [0, 1, 2].map((k) => vertices[3 * v + k]);
    radius = Math.max(radius, Math.hypot(x - out[at], y - out[at + 1], z - out[at + 2]));
    size = Math.max(size, Math.abs(x), Math.abs(y), Math.abs(z));
  }
  out[at + 3] = radius * ROUND_UP + size * 1e-12;
}
