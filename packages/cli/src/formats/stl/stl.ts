/**
 * STL, binary and ASCII. Corners at equal positions become one vertex. A binary file is one shape; the solids of a text
 * file are one each. A shape above its share of the memory is not welded here but passed on as a stream of corners,
 * read from the file on request.
 */
import type { ShapeArrays, SourceShape } from '@impinge/model';
import type { ByteWindow } from '../byte-window.js';
import { shortName } from '../growth-limit.js';
import type { ModelSource, SourceOptions } from '../model-source.js';
import { type SourceFile, shapeShare, shapeStream, sourceOfFile } from '../source-file.js';
import { ObjectIds, plainObject } from '../source-object.js';
import { WeldedShape } from '../weld.js';
import { type Solid, SolidReader } from './ascii.js';
import { binaryCorners, isBinaryStl, readBinaryCount } from './binary.js';

/** Bytes of a welded triangle: indices, half a vertex and its place in the hash table. */
const WELDED_BYTES = 40;
/** Minimum bytes of a triangle in text. */
const TEXT_BYTES = 100;

export async function stlSource(path: string, options: SourceOptions): Promise<ModelSource> {
  return sourceOfFile(path, options, async (file) => {
    const isBinary = await isBinaryStl(file.window());
    return {
      format: isBinary ? 'STL, binary' : 'STL, ASCII',
      shapes: () => (isBinary ? binaryShapes(file) : asciiShapes(file)),
    };
  });
}

async function* binaryShapes(file: SourceFile): AsyncGenerator<SourceShape> {
  const count = await readBinaryCount(file.window());
  const batches = async function* () {
    const window = file.window();
    yield* binaryCorners(window, await readBinaryCount(window));
  };
  const objects = [plainObject(file, new ObjectIds(), file.stem, file.stem)];
  if (WELDED_BYTES * count > shapeShare(file)) {
    yield { geometry: shapeStream(file, count, batches), objects };
    return;
  }
  const shape = new WeldedShape();
  for await (const corners of batches()) shape.add(corners);
  yield { geometry: shape.geometry(), objects };
}

async function* asciiShapes(file: SourceFile): AsyncGenerator<SourceShape> {
  const ids = new ObjectIds();
  const objectsOf = ({ name }: Solid) => {
    const label = name === '' ? file.stem : shortName(name);
    return [plainObject(file, ids, label, label)];
  };
  let shapes = 0;
  if ((WELDED_BYTES / TEXT_BYTES) * file.byteLength <= shapeShare(file)) {
    for await (const { solid, geometry } of weldedSolids(file)) {
      shapes++;
      yield { geometry, objects: objectsOf(solid) };
    }
  } else {
    for (const { solid, triangleCount } of await listSolids(file)) {
      shapes++;
      const batches = () => cornersOf(file, solid);
      const objects = objectsOf(solid);
      if (WELDED_BYTES * triangleCount > shapeShare(file)) {
        yield { geometry: shapeStream(file, triangleCount, batches), objects };
        continue;
      }
      const shape = new WeldedShape();
      for await (const corners of batches()) shape.add(corners);
      yield { geometry: shape.geometry(), objects };
    }
  }
  if (shapes === 0) throw file.window().fail('no triangles', '');
}

/** The solids of a text file that have triangles. */
async function* weldedSolids(
  file: SourceFile,
): AsyncGenerator<{ readonly solid: Solid; readonly geometry: ShapeArrays }> {
  let shape = new WeldedShape();
  for await (const { solid, corners, isLast } of solidParts(file.window())) {
    shape.add(corners);
    if (!isLast) continue;
    if (shape.indexCount > 0) yield { solid, geometry: shape.geometry() };
    shape = new WeldedShape();
  }
}

/** A first reading, which finds the solids that have triangles, and everything that is wrong with the file. */
async function listSolids(file: SourceFile): Promise<{ solid: Solid; triangleCount: number }[]> {
  const solids: { solid: Solid; triangleCount: number }[] = [];
  let triangleCount = 0;
  for await (const { solid, corners, isLast } of solidParts(file.window())) {
    triangleCount += corners.length / 9;
    if (!isLast) continue;
    if (triangleCount > 0) solids.push({ solid, triangleCount });
    triangleCount = 0;
  }
  return solids;
}

/** Some triangles of a solid, nine numbers each; `isLast` when none of its follow. */
interface SolidPart {
  readonly solid: Solid;
  readonly corners: Float64Array;
  readonly isLast: boolean;
}

/** Reads on from `window`, which is at the beginning of a solid on the given line. */
async function* solidParts(window: ByteWindow, line = 1): AsyncGenerator<SolidPart> {
  const reader = new SolidReader(window, line);
  for (let atEnd = false; ; ) {
    for (let ended = true; ended; ) {
      ended = reader.scan(atEnd);
      const corners = reader.takeCorners();
      if (reader.solid && (ended || corners.length > 0)) {
        yield { solid: reader.solid, corners, isLast: ended };
      }
    }
    if (atEnd) break;
    atEnd = !(await window.more());
  }
  reader.finish();
}

async function* cornersOf(file: SourceFile, { byteOffset, line }: Solid): AsyncGenerator<Float64Array> {
  for await (const { corners, isLast } of solidParts(file.window(byteOffset), line)) {
    if (corners.length > 0) yield corners;
    if (isLast) return;
  }
}
