/** What a source yields, as plain numbers in world coordinates. */
import { mkdtempSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { IndexedTriangles, ShapeArrays, SourceObject } from '@impinge/model';
import { expect } from 'vitest';
import { FormatError } from '../src/formats/format-error.js';
import { openSource } from '../src/formats/formats.js';
import type { ModelSource, SourceOptions } from '../src/formats/model-source.js';
import type { LoadedShape } from '../src/formats/read-model.js';
import { placeOf } from '../src/formats/source-object.js';
import { type Files, TETRAHEDRON_CORNERS } from './files.js';

/** Everything fits; nothing does. */
export const PLENTY = 1 << 30;
export const NOTHING = 4;

export interface WorldObject {
  readonly object: SourceObject;
  /** Nine numbers per triangle, Z up. */
  readonly corners: number[];
  readonly isStream: boolean;
  readonly isIndexed: boolean;
  readonly shape: number;
}

/** Reads a file; temporary files must be gone afterwards, whatever happens. */
export async function readSource(
  files: Files,
  path: string,
  options: Partial<SourceOptions> = {},
): Promise<WorldObject[]> {
  const tempDir = mkdtempSync(join(files.folder, 'temp-'));
  let source: ModelSource | undefined;
  try {
    source = await openSource(path, { memoryBytes: PLENTY, tempDir, ...options });
    return await worldObjects(source);
  } finally {
    await source?.close();
    expect(readdirSync(tempDir)).toEqual([]);
  }
}

async function worldObjects(source: ModelSource): Promise<WorldObject[]> {
  const out: WorldObject[] = [];
  let shape = 0;
  for await (const { geometry, objects } of source.shapes()) {
    const isStream = !('indices' in geometry);
    const isIndexed = isStream && geometry.indexed !== undefined;
    let local: number[] = [];
    if (isStream) {
      for await (const batch of geometry.batches()) for (const x of batch) local.push(x);
      let again = 0;
      for await (const batch of geometry.batches()) again += batch.length;
      expect(again).toBe(local.length);
      if (geometry.indexed) expect(await gathered(geometry.indexed)).toEqual(local);
    } else {
      const { positions, indices } = geometry;
      local = [...indices].flatMap((v) => [...positions.subarray(3 * v, 3 * v + 3)]);
    }
    expect(local.length % 9).toBe(0);
    expect(local.length).toBeGreaterThan(0);
    for (const object of objects) {
      out.push({ object, corners: posed(local, placeOf(object)), isStream, isIndexed, shape });
    }
    shape++;
  }
  return out;
}

/** The corners of triangles by their vertices. */
async function gathered(source: IndexedTriangles): Promise<number[]> {
  const vertices = new Float32Array(3 * source.vertexCount);
  await source.readVertices(vertices);
  const corners: number[] = [];
  for await (const batch of source.indices()) {
    for (const v of batch) corners.push(...vertices.subarray(3 * v, 3 * v + 3));
  }
  return corners;
}

function posed(local: readonly number[], pose: Float64Array | undefined): number[] {
  if (pose === undefined) return [...local];
  return local.map((_, i) => {
    const row = i % 3;
    const first = i - row;
    return (
      pose[3 * row] * local[first] +
      pose[3 * row + 1] * local[first + 1] +
      pose[3 * row + 2] * local[first + 2] +
      pose[9 + row]
    );
  });
}

/** What is Y up in a world that is Z up. */
export function turnedUp(corners: readonly number[]): number[] {
  const out: number[] = [];
  for (let i = 0; i < corners.length; i += 3) out.push(corners[i], 0 - corners[i + 2], corners[i + 1]);
  return out;
}

/** Equal but for the rounding of a matrix product, relative to the largest coordinate. */
export function expectClose(found: readonly number[], expected: readonly number[], relative = 1e-14): void {
  expect(found).toHaveLength(expected.length);
  const size = expected.reduce((max, x) => Math.max(max, Math.abs(x)), 0);
  let worst = 0;
  for (let i = 0; i < found.length; i++) worst = Math.max(worst, Math.abs(found[i] - expected[i]));
  expect(worst).toBeLessThanOrEqual(relative * size);
}

/**
 * A file of one tetrahedron, read as arrays and as a stream: the triangles are the same, and of one object. Returns the
 * objects found.
 */
export async function expectTetrahedron(
  files: Files,
  name: string,
  content: string | Uint8Array,
): Promise<SourceObject[]> {
  const path = files.write(name, content);
  const objects: SourceObject[] = [];
  for (const memoryBytes of [PLENTY, NOTHING]) {
    const [found, ...others] = await readSource(files, path, { memoryBytes });
    expect(others).toEqual([]);
    expect(found.corners).toEqual(TETRAHEDRON_CORNERS);
    expect(found.isStream).toBe(memoryBytes === NOTHING);
    objects.push(found.object);
  }
  return objects;
}

/** What a source that fits into memory yields; closes it. */
export async function shapesOf(source: ModelSource): Promise<LoadedShape[]> {
  try {
    const shapes: LoadedShape[] = [];
    for await (const { geometry, objects } of source.shapes()) {
      shapes.push({ geometry: geometry as ShapeArrays, objects: [...objects] });
    }
    return shapes;
  } finally {
    await source.close();
  }
}

/** A file is refused with this message, whether it is read as arrays, in small parts or as a stream. */
export async function expectRefused(
  files: Files,
  name: string,
  content: string | Uint8Array,
  message: string | RegExp,
): Promise<void> {
  for (const options of [{}, { chunkBytes: 61 }, { memoryBytes: 200 }, { memoryBytes: NOTHING }]) {
    const found = await sourceFailure(files, name, content, options);
    expect(found, JSON.stringify(options)).toEqual(
      typeof message === 'string' ? message : expect.stringMatching(message),
    );
  }
}

/** The one-line message with which the source refuses a file; anything but a FormatError is let through. */
export async function sourceFailure(
  files: Files,
  name: string,
  content: string | Uint8Array,
  options: Partial<SourceOptions> = {},
): Promise<string> {
  const path = files.write(name, content);
  try {
    await readSource(files, path, options);
  } catch (error) {
    if (!(error instanceof FormatError)) throw error;
    expect(error.message).not.toContain('\n');
    expect(error.message.startsWith(`${path}: `)).toBe(true);
    return error.message.slice(path.length + 2);
  }
  return 'it was read';
}
