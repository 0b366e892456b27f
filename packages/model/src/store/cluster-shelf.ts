/** The clusters of a level while the next one is made: in memory up to a number of bytes, the rest in a file. */
import { arraysOf, type Cluster, type Numbers } from '../levels/cluster.js';
import type { Shelf } from '../levels/make-levels.js';
import type { Spill, SpillFile } from './spill.js';
import { WriteBehind } from './write-behind.js';

/** Bytes in memory per triangle that may be there while a shape is sorted. */
const BYTES_PER_TRIANGLE = 16;

/** The arrays of a cluster in the order of the file, each from a multiple of 4 bytes on; then those of `finer`. */
const TYPES = [
  ...[Float32Array, Uint16Array, Float32Array, Float32Array],
  ...[Float32Array, Uint16Array, Float32Array, Float32Array, Uint32Array, Uint16Array],
];

/** A cluster that is in the file. */
interface Place {
  readonly at: number;
  /** Elements of each array; negative where all are 0 and none is in the file. */
  readonly lengths: readonly number[];
}

export class ClusterShelf implements Shelf {
  readonly #spill: Spill | undefined;
  readonly #clusters: (Cluster | Place)[] = [];
  #room: number;
  #file: SpillFile | undefined;
  #writer: WriteBehind | undefined;
  #written = 0;

  /** Without a spill, everything is in memory. */
  constructor(spill: Spill | undefined) {
    this.#spill = spill;
    this.#room = spill ? BYTES_PER_TRIANGLE * spill.triangles : Infinity;
  }

  async put(cluster: Cluster): Promise<void> {
    const arrays = arraysOf(cluster);
    this.#room -= arrays.reduce((sum, { byteLength }) => sum + byteLength, 0);
    if (this.#room >= 0) {
      this.#clusters.push(cluster);
      return;
    }
    this.#file ??= await this.#spill!.open();
    this.#writer ??= new WriteBehind(this.#file);
    const lengths = arrays.map((array) => (array.some((x) => x !== 0) ? array.length : -array.length));
    const bytes = joined(arrays.filter((_, i) => lengths[i] > 0));
    this.#clusters.push({ at: this.#written, lengths });
    this.#written += bytes.length;
    await this.#writer.write(bytes);
  }

  async get(index: number): Promise<Cluster> {
    const place = this.#clusters[index];
    return 'at' in place ? clusterOf(await this.#read(place, place.lengths)) : place;
  }

  async positions(index: number): Promise<Float32Array> {
    const place = this.#clusters[index];
    if (!('at' in place)) return place.positions;
    return (await this.#read(place, place.lengths.slice(0, 1)))[0] as Float32Array;
  }

  async dispose(): Promise<void> {
    this.#clusters.length = 0;
    // a failed write no longer matters
    await this.#writer?.done().catch(() => {});
    await this.#file?.dispose();
    this.#file = undefined;
  }

  /** The first arrays of a cluster. */
  async #read({ at }: Place, lengths: readonly number[]): Promise<Numbers[]> {
    await this.#writer!.done();
    const sizes = lengths.map((length, i) => align4(TYPES[i].BYTES_PER_ELEMENT * Math.max(0, length)));
    const bytes = new Uint8Array(sizes.reduce((sum, size) => sum + size, 0));
    await this.#file!.read(at, bytes);
    let next = 0;
    return lengths.map((length, i) => {
      const start = next;
      next += sizes[i];
      return length > 0 ? new TYPES[i](bytes.buffer, start, length) : new TYPES[i](-length);
    });
  }
}

/** The opposite of `arraysOf`. */
function clusterOf(arrays: readonly Numbers[]): Cluster {
  const mesh = (at: number) => ({
    positions: arrays[at] as Float32Array,
    indices: arrays[at + 1] as Uint16Array,
    out: arrays[at + 2] as Float32Array,
    in: arrays[at + 3] as Float32Array,
  });
  if (arrays.length === 4) return mesh(0);
  return {
    ...mesh(0),
    finer: { ...mesh(4), starts: arrays[8] as Uint32Array, of: arrays[9] as Uint16Array },
  };
}

const align4 = (bytes: number) => (bytes + 3) & ~3;

function joined(arrays: readonly Numbers[]): Uint8Array {
  const bytes = new Uint8Array(arrays.reduce((sum, { byteLength }) => sum + align4(byteLength), 0));
  let at = 0;
  for (const { buffer, byteOffset, byteLength } of arrays) {
    bytes.set(new Uint8Array(buffer, byteOffset, byteLength), at);
    at += align4(byteLength);
  }
  return bytes;
}
