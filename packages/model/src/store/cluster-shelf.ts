/** The clusters of a level while the next one is made: in memory up to a number of bytes, the rest in a file. */
import type { Cluster } from '../levels/cluster.js';
import type { Shelf } from '../levels/make-levels.js';
import type { Spill, SpillFile } from './spill.js';
import { WriteBehind } from './write-behind.js';

/** Bytes in memory per triangle that may be there while a shape is sorted. */
const BYTES_PER_TRIANGLE = 16;

/** A cluster that is in the file. Layout: positions, indices, then out and in unless all are 0. */
interface Place {
  readonly at: number;
  readonly vertices: number;
  readonly triangles: number;
  readonly hasErrors: boolean;
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
    const { positions, indices, out, in: inward } = cluster;
    const parts = [positions, indices, out, inward];
    this.#room -= parts.reduce((sum, { byteLength }) => sum + byteLength, 0);
    if (this.#room >= 0) {
      this.#clusters.push(cluster);
      return;
    }
    this.#file ??= await this.#spill!.open();
    this.#writer ??= new WriteBehind(this.#file);
    const hasErrors = out.some((x) => x !== 0) || inward.some((x) => x !== 0);
    const bytes = joined(hasErrors ? parts : [positions, indices]);
    this.#clusters.push({
      at: this.#written,
      vertices: positions.length / 3,
      triangles: indices.length / 3,
      hasErrors,
    });
    this.#written += bytes.length;
    await this.#writer.write(bytes);
  }

  async get(index: number): Promise<Cluster> {
    const place = this.#clusters[index];
    if (!('at' in place)) return place;
    await this.#writer!.done();
    const { at, vertices, triangles, hasErrors } = place;
    const positionBytes = 12 * vertices;
    const indexBytes = align4(6 * triangles);
    const bytes = new Uint8Array(positionBytes + indexBytes + (hasErrors ? 8 * triangles : 0));
    await this.#file!.read(at, bytes);
    const errors = (part: number) =>
      hasErrors
        ? new Float32Array(bytes.buffer, positionBytes + indexBytes + part * 4 * triangles, triangles)
        : new Float32Array(triangles);
    return {
      positions: new Float32Array(bytes.buffer, 0, 3 * vertices),
      indices: new Uint16Array(bytes.buffer, positionBytes, 3 * triangles),
      out: errors(0),
      in: errors(1),
    };
  }

  async dispose(): Promise<void> {
    this.#clusters.length = 0;
    // a failed write no longer matters
    await this.#writer?.done().catch(() => {});
    await this.#file?.dispose();
    this.#file = undefined;
  }
}

const align4 = (bytes: number) => (bytes + 3) & ~3;

/** Arrays one after the other, each from a multiple of 4 bytes on. */
function joined(parts: readonly ArrayBufferView[]): Uint8Array {
  const bytes = new Uint8Array(parts.reduce((sum, { byteLength }) => sum + align4(byteLength), 0));
  let at = 0;
  for (const { buffer, byteOffset, byteLength } of parts) {
    bytes.set(new Uint8Array(buffer, byteOffset, byteLength), at);
    at += align4(byteLength);
  }
  return bytes;
}
