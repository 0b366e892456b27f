/** Small models in memory. */
import { Foot, STORE_FOOT_BYTES } from '../../src/store/layout.js';
import type { Directory } from '../../src/store/model.js';
import { openStore } from '../../src/store/open.js';
import { pageChecksum } from '../../src/store/page-hash.js';
import { MemorySink, MemorySource, type PageSource } from '../../src/store/page-source.js';
import type { ShapeArrays, ShapeStream, SourceObject, SourceShape } from '../../src/store/source.js';
import type { Spill } from '../../src/store/spill.js';
import { StoreWriter, type StoreWriterOptions } from '../../src/store/writer.js';

export const META = { title: 'test', metresPerUnit: 1, files: [], recipe: '' };

export function named(path: string, pose?: Float64Array): SourceObject {
  const name = path.slice(path.lastIndexOf('/') + 1);
  const discipline = path.includes('/') ? path.slice(0, path.indexOf('/')) : '';
  return { id: path, name, path, type: 'thing', discipline, file: 'test', storey: '', pose };
}

export function moved(x: number, y: number, z: number): Float64Array {
  return Float64Array.of(1, 0, 0, 0, 1, 0, 0, 0, 1, x, y, z);
}

export async function storeBytes(
  shapes: Iterable<SourceShape>,
  options: StoreWriterOptions = {},
): Promise<Uint8Array> {
  const sink = new MemorySink();
  const writer = new StoreWriter(sink, options);
  for (const shape of shapes) await writer.add(shape);
  await writer.finish(META);
  return sink.bytes();
}

export async function storeOf(
  shapes: Iterable<SourceShape>,
  options: StoreWriterOptions = {},
): Promise<MemorySource> {
  return new MemorySource(await storeBytes(shapes, options));
}

/** Every triangle as text, sorted: what a set of triangles is, whatever its order and its vertices' numbers. */
export function triangleTexts(positions: ArrayLike<number>, indices: ArrayLike<number>): string[] {
  const out: string[] = [];
  for (let t = 0; t < indices.length; t += 3) {
    const corners = [0, 1, 2].map((k) => {
      const v = 3 * indices[t + k];
      return `${positions[v] + 0},${positions[v + 1] + 0},${positions[v + 2] + 0}`;
    });
    const least = corners.indexOf([...corners].sort()[0]);
    out.push([0, 1, 2].map((k) => corners[(least + k) % 3]).join(' '));
  }
  return out.sort();
}

/** Room outside memory that is in memory; counts how often it was given back. */
export function memorySpill(
  triangles: number,
): Spill & { open: () => ReturnType<Spill['open']>; closed: number } {
  const spill = {
    triangles,
    closed: 0,
    open: async () => {
      let bytes = new Uint8Array(0);
      return {
        write: async (more: Uint8Array) => {
          const joined = new Uint8Array(bytes.length + more.length);
          joined.set(bytes);
          joined.set(more, bytes.length);
          bytes = joined;
        },
        read: async (at: number, into: Uint8Array) => into.set(bytes.subarray(at, at + into.length)),
        dispose: async () => {
          spill.closed++;
        },
      };
    },
  };
  return spill;
}

/** Nine numbers per triangle. */
export function cornersOf({ positions, indices }: ShapeArrays): ShapeArrays['positions'] {
  const corners = new (positions instanceof Float32Array ? Float32Array : Float64Array)(3 * indices.length);
  for (let i = 0; i < corners.length; i++) corners[i] = positions[3 * indices[Math.floor(i / 3)] + (i % 3)];
  return corners;
}

/** Triangles in batches of these sizes, by turns. */
export function streamOf(corners: ShapeArrays['positions'], ...sizes: readonly number[]): ShapeStream {
  return {
    triangleCount: corners.length / 9,
    async *batches() {
      for (let from = 0, i = 0; from < corners.length; i++) {
        const to = from + 9 * sizes[i % sizes.length];
        yield corners.slice(from, to);
        from = to;
      }
    },
  };
}

/** A source that can only be read in its own time; `before` each read, which it may refuse. */
export function slowSource(bytes: Uint8Array, before: (length: number) => void = () => {}): PageSource {
  const memory = new MemorySource(bytes);
  return {
    byteLength: memory.byteLength,
    read: async (at, into) => {
      before(into.reduce((sum, { length }) => sum + length, 0));
      await new Promise((resolve) => setImmediate(resolve));
      memory.readNow(at, into);
    },
  };
}

/** The same that can be read at once, too. */
export function readySource(bytes: Uint8Array, before: (length: number) => void = () => {}): PageSource {
  const memory = new MemorySource(bytes);
  const readNow: MemorySource['readNow'] = (at, into) => {
    before(into.reduce((sum, { length }) => sum + length, 0));
    memory.readNow(at, into);
  };
  return { ...slowSource(bytes, before), readNow };
}

/** Gives a store whose directory was changed the checksums that belong to it. */
export function seal(bytes: Uint8Array): Uint8Array {
  const foot = bytes.length - STORE_FOOT_BYTES;
  const view = new DataView(bytes.buffer, bytes.byteOffset);
  const directory = view.getFloat64(foot + 4 * Foot.directoryByteOffset, true);
  view.setUint32(foot + 4 * Foot.directoryChecksum, pageChecksum(bytes.slice(directory, foot)), true);
  view.setUint32(foot + 4 * Foot.footChecksum, 0, true);
  view.setUint32(foot + 4 * Foot.footChecksum, pageChecksum(bytes.slice(foot)), true);
  return bytes;
}

/** A store with numbers of its directory changed, and checksums that are right. */
export async function altered(bytes: Uint8Array, change: (d: Directory) => void): Promise<MemorySource> {
  const { directory, directoryBytes } = await openStore(new MemorySource(bytes));
  change(directory);
  const out = bytes.slice();
  out.set(directoryBytes, out.length - STORE_FOOT_BYTES - directoryBytes.length);
  return new MemorySource(seal(out));
}
