/**
 * The parts of an OBJ file that would take more than its share of the memory. A first reading writes the vertices to a
 * temporary file and notes where the faces of each part are; the parts are then read one after the other, each as
 * arrays or, if it is too large for that, as a stream.
 */
import type { SourceShape } from '@impinge/model';
import { Triples } from '../growing.js';
import { type SourceFile, shapeShare, shapeStream } from '../source-file.js';
import { ObjectIds, plainObject } from '../source-object.js';
import { cornerBatches, VertexPages, type VertexRecords, VertexSpill } from '../vertex-pages.js';
import { WeldedShape } from '../weld.js';
import { OBJ_START, type ObjPlace, ObjReader, type ObjSink, objNewline } from './statements.js';

/** Bytes of a welded triangle of a part: indices, half a vertex and its place in the hash table. */
const WELDED_BYTES = 48;

/** Yields one part after the other. */
export async function* streamedParts(file: SourceFile): AsyncGenerator<SourceShape> {
  const window = file.window();
  const newline = await objNewline(window);
  const index = new PartIndex(file);
  const reader = new ObjReader(window, index, file.stem, newline);
  for await (const _ of reader.read()) index.spillVertices();
  reader.checkIndices();
  const { parts, records } = index.finish();
  if (parts.length === 0) throw reader.noTriangles();
  const ids = new ObjectIds();
  let pages: VertexPages | undefined;
  for (const part of parts) {
    const objects = [plainObject(file, ids, part.name, part.path)];
    if (WELDED_BYTES * part.triangleCount > shapeShare(file)) {
      const batches = () => cornersOf(file, part, newline, new VertexPages(records, shapeShare(file)));
      yield { geometry: shapeStream(file, part.triangleCount, batches), objects };
      continue;
    }
    pages ??= new VertexPages(records, shapeShare(file));
    const shape = new WeldedShape();
    for await (const corners of cornersOf(file, part, newline, pages)) shape.add(corners);
    yield { geometry: shape.geometry(), objects };
  }
}

/** The statements from a place up to a byte. */
interface Segment extends ObjPlace {
  endByteOffset: number;
}

interface IndexedPart {
  readonly name: string;
  readonly path: string;
  /** Only those with faces. */
  readonly segments: Segment[];
  triangleCount: number;
}

/** Collects the results of the first pass. */
class PartIndex implements ObjSink {
  readonly #file: SourceFile;
  readonly #spill: VertexSpill;
  readonly #parts = new Map<string, IndexedPart>();
  #part: IndexedPart;
  #segment: Segment;
  readonly #positions = new Triples(new Float64Array(3072));

  constructor(file: SourceFile) {
    this.#file = file;
    this.#spill = new VertexSpill(file.temporary(), true);
    this.#segment = { ...OBJ_START, endByteOffset: file.byteLength };
    this.#part = { name: file.stem, path: file.stem, segments: [], triangleCount: 0 };
    this.#parts.set('', this.#part);
  }

  vertex(x: number, y: number, z: number): void {
    this.#positions.push(x, y, z);
  }

  triangle(): void {
    const { segments } = this.#part;
    if (segments.at(-1) !== this.#segment) segments.push(this.#segment);
    this.#part.triangleCount++;
  }

  part(key: string, name: string, path: string, start: ObjPlace): void {
    // the statement itself stays in the segment before, where it does no harm
    this.#segment.endByteOffset = start.byteOffset;
    this.#segment = { ...start, endByteOffset: this.#file.byteLength };
    let part = this.#parts.get(key);
    if (part === undefined) {
      this.#file.growth.object(name.length + path.length);
      part = { name, path, segments: [], triangleCount: 0 };
      this.#parts.set(key, part);
    }
    this.#part = part;
  }

  spillVertices(): void {
    this.#spill.append(this.#positions.take());
  }

  /** The parts that have triangles, in order of first appearance. */
  finish(): { parts: IndexedPart[]; records: VertexRecords } {
    const parts = [...this.#parts.values()].filter(({ triangleCount }) => triangleCount > 0);
    return { parts, records: this.#spill.records() };
  }
}

async function* cornersOf(
  file: SourceFile,
  { segments }: IndexedPart,
  newline: number,
  pages: VertexPages,
): AsyncGenerator<Float32Array | Float64Array> {
  const triangles = new Triples(new Uint32Array(3 << 10));
  const sink: ObjSink = {
    vertex: () => {},
    part: () => {},
    triangle: (a, b, c) => triangles.push(a, b, c),
  };
  for (const segment of segments) {
    const window = file.window(segment.byteOffset, segment.endByteOffset);
    const reader = new ObjReader(window, sink, file.stem, newline, segment);
    for await (const _ of reader.read()) yield* cornerBatches(pages, triangles.take());
  }
}
