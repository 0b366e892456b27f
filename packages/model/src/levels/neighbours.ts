/**
 * Which clusters of a level touch which, by the vertices they share, and which vertices no group may move.
 *
 * Idea: a vertex that two clusters share lies in the boxes of both, so only vertices in another cluster's box have to
 * be remembered; and not for longer than there are clusters to come whose boxes meet that of its own, if none has had
 * it. They are remembered by a hash of their position; two positions with one hash make a vertex shared that is not,
 * which locks it and does no harm.
 */
import { hashOfPosition } from 'impinge/internal/mesh/position-hash.js';
import { boxSweep } from 'impinge/internal/scene/box-sweep.js';
import type { Cluster } from './cluster.js';

/** Minimum and maximum, float32. */
export function boxOfCluster({ positions }: Pick<Cluster, 'positions'>): Float32Array {
  const box = Float32Array.of(Infinity, Infinity, Infinity, -Infinity, -Infinity, -Infinity);
  for (let i = 0; i < positions.length; i += 3) {
    for (let k = 0; k < 3; k++) {
      const x = positions[i + k];
      if (x < box[k]) box[k] = x;
      if (x > box[3 + k]) box[3 + k] = x;
    }
  }
  return box;
}

/** For each cluster the other ones whose boxes meet its own, in rising order. */
export function meetingBoxes(boxes: readonly Float32Array[]): number[][] {
  const near: number[][] = boxes.map(() => []);
  const all = new Float64Array(6 * boxes.length);
  boxes.forEach((box, i) => {
    all.set(box, 6 * i);
  });
  const pairs = boxSweep.pairs(all, 0); // the lesser first, in rising order
  for (let i = 0; i < pairs.length; i += 2) {
    near[pairs[i]].push(pairs[i + 1]);
    near[pairs[i + 1]].push(pairs[i]);
  }
  return near;
}

const NONE = 0xffffffff;

/** The vertices that clusters share: of each cluster, one after the other, its vertices are added. */
export class SharedVertices {
  readonly #boxes: readonly Float32Array[];
  readonly #near: readonly (readonly number[])[];
  #added = 0;
  #table = new Uint32Array(1 << 6).fill(NONE); // first entry of a hash
  /** Entries: low and high half of the hash, the cluster, the next entry with the same slot. */
  #entries = new Uint32Array(4 << 6);
  #count = 0;
  readonly #one = new Float32Array(3);
  readonly #bits = new Int32Array(this.#one.buffer);
  #low = 0;
  #high = 0;

  /** `near`: for each box the other boxes that meet it, in rising order. */
  constructor(boxes: readonly Float32Array[], near: readonly (readonly number[])[]) {
    this.#boxes = boxes;
    this.#near = near;
  }

  /** Takes in the vertices of the next cluster. */
  add(positions: Float32Array): void {
    const cluster = this.#added++;
    const boxes = this.#near[cluster].map((i) => this.#boxes[i]);
    for (let at = 0; at < positions.length; at += 3) {
      const x = positions[at];
      const y = positions[at + 1];
      const z = positions[at + 2];
      for (let i = 0; i < boxes.length; i++) {
        const box = boxes[i];
        if (x < box[0] || y < box[1] || z < box[2] || x > box[3] || y > box[4] || z > box[5]) continue;
        this.#insert(x, y, z, cluster);
        break;
      }
    }
  }

  /** Calls `visit` for every two clusters that share a vertex, once for each they share. */
  forEachPair(visit: (a: number, b: number) => void): void {
    for (let i = 0; i < this.#count; i++) {
      const entries = this.#entries;
      for (let j = entries[4 * i + 3]; j !== NONE; j = entries[4 * j + 3]) {
        if (entries[4 * i] === entries[4 * j] && entries[4 * i + 1] === entries[4 * j + 1]) {
          const [a, b] = [entries[4 * j + 2], entries[4 * i + 2]];
          if (a !== b) visit(a, b);
        }
      }
    }
  }

  /** Whether clusters of different groups have a vertex there. */
  isShared(x: number, y: number, z: number, groupOf: Int32Array): boolean {
    this.#hash(x, y, z);
    const low = this.#low;
    const high = this.#high;
    const entries = this.#entries;
    let group = -1;
    for (let i = this.#table[low & (this.#table.length - 1)]; i !== NONE; i = entries[4 * i + 3]) {
      if (entries[4 * i] !== low || entries[4 * i + 1] !== high) continue;
      const own = groupOf[entries[4 * i + 2]];
      if (group >= 0 && own !== group) return true;
      group = own;
    }
    return false;
  }

  #insert(x: number, y: number, z: number, cluster: number): void {
    if (this.#count >= this.#table.length) this.#grow();
    this.#hash(x, y, z);
    const slot = this.#low & (this.#table.length - 1);
    const at = 4 * this.#count;
    this.#entries[at] = this.#low;
    this.#entries[at + 1] = this.#high;
    this.#entries[at + 2] = cluster;
    this.#entries[at + 3] = this.#table[slot];
    this.#table[slot] = this.#count++;
  }

  /** Drops entries that no other cluster shares or can share; doubles the table if that frees little. */
  #grow(): void {
    const { length } = this.#table;
    this.#keepWanted();
    if (this.#count > length / 2) {
      const entries = new Uint32Array(2 * this.#entries.length);
      entries.set(this.#entries.subarray(0, 4 * this.#count));
      this.#entries = entries;
      this.#table = new Uint32Array(2 * length);
    }
    this.#link();
  }

  /** Drops entries with a unique hash, of clusters whose neighbours have all been added. */
  #keepWanted(): void {
    const entries = this.#entries;
    const isOpen = (cluster: number) => (this.#near[cluster].at(-1) ?? 0) >= this.#added - 1;
    let kept = 0;
    // first which ones: links break as entries move
    const wanted = new Uint8Array(this.#count);
    for (let i = 0; i < this.#count; i++) {
      if (isOpen(entries[4 * i + 2])) wanted[i] = 1;
      for (let j = entries[4 * i + 3]; j !== NONE; j = entries[4 * j + 3]) {
        if (entries[4 * i] === entries[4 * j] && entries[4 * i + 1] === entries[4 * j + 1])
          wanted[i] = wanted[j] = 1;
      }
    }
    for (let i = 0; i < this.#count; i++) {
      if (!wanted[i]) continue;
      for (let k = 0; k < 3; k++) entries[4 * kept + k] = entries[4 * i + k];
      kept++;
    }
    this.#count = kept;
  }

  #link(): void {
    const entries = this.#entries;
    const mask = this.#table.fill(NONE).length - 1;
    for (let i = 0; i < this.#count; i++) {
      const slot = entries[4 * i] & mask;
      entries[4 * i + 3] = this.#table[slot];
      this.#table[slot] = i;
    }
  }

  #hash(x: number, y: number, z: number): void {
    this.#one[0] = x + 0;
    this.#one[1] = y + 0;
    this.#one[2] = z + 0;
    const bits = this.#bits;
    const i = bits[0];
    const j = bits[1];
    const k = bits[2];
    this.#low = hashOfPosition(i, j, k);
    let high = Math.imul(k ^ 0x27d4eb2f, 0x165667b1);
    high = Math.imul(high ^ (high >>> 14) ^ i, 0x9e3779b1);
    high = Math.imul(high ^ (high >>> 12) ^ j, 0x85ebca6b);
    this.#high = (high ^ (high >>> 15)) >>> 0;
  }
}
