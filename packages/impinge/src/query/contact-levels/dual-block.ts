/**
 * A dual hierarchy in the arena, where kernels walk it.
 *
 * Layout: see kernels/hulls/dual.ts. Nodes are numbered as given: the root first, children side by side and after their
 * parent. Radii are rounded up by enough to cover what the kernel's float64 loses.
 */
import { arena } from '../../base/arena.js';
import { DISPOSE } from '../../base/dispose.js';

/** What a kernel needs to know of the nodes. */
export interface DualNodes {
  readonly count: number;
  readonly firstChild: Uint32Array;
  readonly childCount: Uint32Array;
  /** Vertices of node n: from vertexStart[n] to vertexStart[n + 1]; three float32 each. */
  readonly vertexStart: Uint32Array;
  readonly vertices: Float32Array;
  /** How far the hulls below may be from this one. */
  readonly apart: Float64Array;
  /** The volume of what its level left out; Infinity where it cannot stand for what is below. */
  readonly volume: Float64Array;
  /** The area that a contact with it has. */
  readonly area: Float64Array;
}

const NODES = 64;
const NODE_BYTES = 64;
/** Bytes of the fields of a node. */
const N = {
  ball: 0,
  hull: 16,
  stride: 20,
  firstChild: 24,
  children: 28,
  apart: 32,
  volume: 40,
  area: 48,
} as const;

const ROUND_UP = 1 + 1e-6;

export class DualBlock {
  readonly block: number;
  readonly count: number;
  /** A ball around the root: centre and radius. */
  readonly ball: readonly [number, number, number, number];
  /** The largest |x| + |y| + |z| of a vertex. */
  readonly reach: number;

  constructor(nodes: DualNodes) {
    const { count, vertexStart, vertices } = nodes;
    let bytes = NODES + NODE_BYTES * count;
    const strides = new Uint32Array(count);
    const hulls = new Uint32Array(count);
    for (let n = 0; n < count; n++) {
      strides[n] = (vertexStart[n + 1] - vertexStart[n] + 1) & ~1;
      hulls[n] = bytes;
      bytes += 12 * strides[n];
    }
    const memory = arena();
    this.block = memory.alloc(bytes);
    this.count = count;
    const [words, floats, numbers] = [memory.u32(), memory.f32(), memory.f64()];
    words[this.block >>> 2] = count;
    let reach = 0;
    for (let n = 0; n < count; n++) {
      const at = this.block + NODES + NODE_BYTES * n;
      const [first, end] = [vertexStart[n], vertexStart[n + 1]];
      writeBall(vertices, first, end, floats, (at + N.ball) >>> 2);
      words[(at + N.hull) >>> 2] = hulls[n];
      words[(at + N.stride) >>> 2] = strides[n];
      words[(at + N.firstChild) >>> 2] = nodes.firstChild[n];
      words[(at + N.children) >>> 2] = nodes.childCount[n];
      numbers[(at + N.apart) >>> 3] = nodes.apart[n];
      numbers[(at + N.volume) >>> 3] = nodes.volume[n];
      numbers[(at + N.area) >>> 3] = nodes.area[n];
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
    const root = (this.block + NODES + N.ball) >>> 2;
    this.ball = [floats[root], floats[root + 1], floats[root + 2], floats[root + 3]];
    this.reach = reach;
  }

  dispose(): void {
    arena().free(this.block);
  }

  [DISPOSE](): void {
    this.dispose();
  }
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
  let radius = 0;
  let size = 0;
  for (let v = first; v < end; v++) {
    const [x, y, z] = [0, 1, 2].map((k) => vertices[3 * v + k] - out[at + k]);
    radius = Math.max(radius, Math.hypot(x, y, z));
    size = Math.max(
      size,
      Math.abs(vertices[3 * v]),
      Math.abs(vertices[3 * v + 1]),
      Math.abs(vertices[3 * v + 2]),
    );
  }
  out[at + 3] = radius * ROUND_UP + size * 1e-12;
}
