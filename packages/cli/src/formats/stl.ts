/**
 * STL, binary and ASCII. Corners at equal positions become one vertex; a text file with several solids becomes
 * several objects.
 *
 * Binary files may begin with "solid" like text ones. A file whose size is what its triangle count asks for is
 * binary; otherwise it is text if "solid" and its line are followed by "facet" or "endsolid".
 */
import type { ByteWindow } from './byte-window.js';
import { quoted } from './format-error.js';
import { trimmed, withRoom } from './growing.js';
import { type Geometry, type Model, type ModelObject, singleObject } from './model.js';
import { Scanner } from './scanner.js';
import { VertexWelder } from './weld.js';

const HEADER_BYTES = 84;
const TRIANGLE_BYTES = 50;
/** A text file shows its first facet within this many bytes. */
const SNIFF_BYTES = 4096;

export async function readStl(window: ByteWindow, name: string): Promise<Model> {
  return (await isBinaryStl(window)) ? readBinary(window, name) : readAscii(window, name);
}

/** Looks at the beginning without consuming it. */
export async function isBinaryStl(window: ByteWindow): Promise<boolean> {
  await window.need(SNIFF_BYTES);
  const { view, bytes, at, end } = window;
  if (end - at >= HEADER_BYTES) {
    const count = view.getUint32(at + 80, true);
    if (window.bytesLeft === HEADER_BYTES + TRIANGLE_BYTES * count) return true;
  }
  const text = Buffer.from(bytes.subarray(at, Math.min(end, at + SNIFF_BYTES))).toString('latin1');
  return text.includes('\0') || !/^\s*solid\b[^\n]*(\n\s*(facet\b|endsolid\b|$)|$)/i.test(text);
}

async function readBinary(window: ByteWindow, name: string): Promise<Model> {
  if (!(await window.need(HEADER_BYTES))) {
    throw window.fail('not an STL file: neither "solid" nor a header of 84 bytes', '');
  }
  const count = window.view.getUint32(window.at + 80, true);
  window.at += HEADER_BYTES;
  if (count === 0) throw window.fail('no triangles', '');
  const left = window.bytesLeft;
  if (left !== undefined && left < TRIANGLE_BYTES * count) {
    const whole = Math.floor(left / TRIANGLE_BYTES);
    throw window.fail(`cut off: the header promises ${count} triangles, the file holds ${whole}`, '');
  }
  const welder = new VertexWelder(new Float32Array(1024));
  let indices = new Uint32Array(3 * Math.min(count, 1 << 16));
  for (let done = 0; done < count; ) {
    if (!(await window.need(TRIANGLE_BYTES))) throw window.fail(`cut off in triangle ${done} of ${count}`);
    const ready = Math.min(count - done, Math.floor((window.end - window.at) / TRIANGLE_BYTES));
    indices = withRoom(indices, 3 * (done + ready));
    for (let i = 0; i < ready; i++, window.at += TRIANGLE_BYTES) {
      for (let corner = 0; corner < 3; corner++) {
        const at = window.at + 12 + 12 * corner;
        const x = window.view.getFloat32(at, true);
        const y = window.view.getFloat32(at + 4, true);
        const z = window.view.getFloat32(at + 8, true);
        // x − x is 0 for finite numbers only
        if (x - x + (y - y) + (z - z) !== 0) {
          throw window.fail(`triangle ${done + i} has a coordinate that is not finite`);
        }
        indices[3 * (done + i) + corner] = welder.add(x, y, z);
      }
    }
    done += ready;
  }
  return singleObject('STL, binary', name, {
    positions: welder.positions(),
    indices: trimmed(indices, 3 * count),
  });
}

interface Solid {
  readonly name: string;
  readonly welder: VertexWelder<Float64Array>;
  indices: Uint32Array;
  indexCount: number;
}

/** In the order of how often they occur. */
const KEYWORDS = ['vertex', 'endloop', 'outer', 'facet', 'endfacet', 'solid', 'endsolid'] as const;

/** How far into `solid … facet … outer loop … vertex` the text is. */
type State = 'file' | 'solid' | 'facet' | 'loop';

async function readAscii(window: ByteWindow, name: string): Promise<Model> {
  const reader = new AsciiReader(window);
  for (let atEnd = false; ; ) {
    reader.scan(atEnd);
    if (atEnd) break;
    atEnd = !(await window.more());
  }
  const solids = reader.finish();
  const geometries: Geometry[] = [];
  const objects: ModelObject[] = [];
  for (const solid of solids) {
    const label = solid.name === '' ? name : solid.name;
    objects.push({ name: label, path: label, geometry: geometries.length, matrix: undefined });
    geometries.push({
      positions: solid.welder.positions(),
      indices: trimmed(solid.indices, solid.indexCount),
    });
  }
  if (objects.length === 0) throw window.fail('no triangles', '');
  return { format: 'STL, ASCII', objects, geometries };
}

class AsciiReader {
  readonly #window: ByteWindow;
  readonly #scanner = new Scanner();
  readonly #solids: Solid[] = [];
  readonly #corners = new Uint32Array(3);
  #state: State = 'file';
  #cornerCount = 0;

  constructor(window: ByteWindow) {
    this.#window = window;
  }

  /** Takes in the statements that the window holds whole. */
  scan(atEnd: boolean): void {
    const scanner = this.#scanner;
    scanner.load(this.#window, atEnd);
    for (;;) {
      const at = scanner.at;
      const line = scanner.line;
      if (!this.#statement(atEnd)) {
        scanner.at = at;
        scanner.line = line;
        break;
      }
    }
    this.#window.at = scanner.at;
  }

  finish(): Solid[] {
    if (this.#state !== 'file') throw this.#window.fail('cut off: there is no "endsolid"', '');
    return this.#solids.filter(({ indexCount }) => indexCount > 0);
  }

  /** One statement; false when the text runs out before its end. */
  #statement(atEnd: boolean): boolean {
    const scanner = this.#scanner;
    const found = scanner.keyword(KEYWORDS);
    if (scanner.exhausted) return false;
    const keyword = KEYWORDS[found];
    switch (keyword) {
      case 'vertex':
        return this.#vertex();
      case 'facet':
        this.#enter('solid', 'facet', keyword);
        // "normal" and its numbers; they are often wrong, and never needed
        for (let i = 0; i < 4; i++) scanner.skipWord();
        if (scanner.exhausted) this.#state = 'solid';
        return !scanner.exhausted;
      case 'outer':
        scanner.skipWord();
        if (scanner.exhausted) return false;
        this.#enter('facet', 'loop', keyword);
        this.#cornerCount = 0;
        return true;
      case 'endloop':
        this.#enter('loop', 'facet', keyword);
        this.#closeLoop();
        return true;
      case 'endfacet':
        this.#enter('facet', 'solid', keyword);
        return true;
      case 'solid':
      case 'endsolid': {
        // the name is the rest of the line, which must be here whole
        const wholeLine = atEnd || scanner.bytes.subarray(scanner.at, scanner.end).includes(10);
        if (!wholeLine) return false;
        const rest = scanner.restOfLine();
        if (keyword === 'solid') this.#openSolid(rest);
        else this.#enter('solid', 'file', keyword);
        return true;
      }
      default:
        throw this.#fail(`unknown word ${quoted(scanner.lastToken())}`);
    }
  }

  #vertex(): boolean {
    const scanner = this.#scanner;
    if (this.#state !== 'loop') throw this.#fail('a vertex outside of a loop');
    if (this.#cornerCount === 3) throw this.#fail('a facet with more than 3 vertices');
    const x = this.#coordinate();
    const y = this.#coordinate();
    const z = this.#coordinate();
    if (scanner.exhausted) return false;
    this.#corners[this.#cornerCount++] = this.#solids.at(-1)!.welder.add(x, y, z);
    return true;
  }

  #coordinate(): number {
    const value = this.#scanner.number();
    if (value - value !== 0 && !this.#scanner.exhausted)
      throw this.#fail(this.#scanner.complaint('a coordinate'));
    return value;
  }

  #closeLoop(): void {
    if (this.#cornerCount !== 3) throw this.#fail(`a facet with ${this.#cornerCount} vertices`);
    const solid = this.#solids.at(-1)!;
    solid.indices = withRoom(solid.indices, solid.indexCount + 3);
    solid.indices.set(this.#corners, solid.indexCount);
    solid.indexCount += 3;
  }

  #openSolid(name: string): void {
    this.#enter('file', 'solid', 'solid');
    this.#solids.push({
      name,
      welder: new VertexWelder(new Float64Array(48)),
      indices: new Uint32Array(48),
      indexCount: 0,
    });
  }

  #enter(from: State, to: State, keyword: string): void {
    if (this.#state !== from) throw this.#fail(`"${keyword}" is out of place`);
    this.#state = to;
  }

  #fail(why: string): Error {
    return this.#window.fail(why, `line ${this.#scanner.line}`);
  }
}
