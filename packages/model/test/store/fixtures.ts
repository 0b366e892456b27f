/** Small models in memory. */
import { MemorySink, MemorySource } from '../../src/store/page-source.js';
import type { SourceObject, SourceShape } from '../../src/store/source.js';
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
