/**
 * Wavefront OBJ: vertices, polygons (fanned), `o` and `g` as separate objects; lines of any other kind are passed
 * over. Indices may be negative (counting back) and may refer to vertices that come later in the file.
 *
 * A single object keeps the file's vertices as they are; several get their own, in order of first use.
 */
import type { ByteWindow } from './byte-window.js';
import { quoted } from './format-error.js';
import { trimmed, withRoom } from './growing.js';
import type { Geometry, Model, ModelObject } from './model.js';
import { Scanner } from './scanner.js';

const SPACE = 32;
const LINE_FEED = 10;
const CARRIAGE_RETURN = 13;
const BACKSLASH = 92;
const MAX_VERTICES = 2 ** 32 - 1;

interface Part {
  readonly name: string;
  readonly path: string;
  indices: Uint32Array;
  indexCount: number;
}

export async function readObj(window: ByteWindow, name: string): Promise<Model> {
  const reader = new ObjReader(window, name);
  await window.need(1 << 16);
  // very old files end lines in CR alone
  const head = window.bytes.subarray(window.at, window.end);
  const newline = head.includes(CARRIAGE_RETURN) && !head.includes(LINE_FEED) ? CARRIAGE_RETURN : LINE_FEED;
  for (let atEnd = false; ; ) {
    reader.scan(newline, atEnd);
    if (atEnd) break;
    atEnd = !(await window.more());
  }
  return reader.finish();
}

class ObjReader {
  readonly #window: ByteWindow;
  readonly #fileName: string;
  readonly #scanner = new Scanner();
  readonly #parts = new Map<string, Part>();
  #part: Part;
  #object = '';
  #positions = new Float64Array(3072);
  #vertexCount = 0;
  #line = 0;
  #largestIndex = -1;
  #largestIndexLine = 0;

  constructor(window: ByteWindow, fileName: string) {
    this.#window = window;
    this.#fileName = fileName;
    this.#part = this.#partNamed(fileName, fileName, '');
  }

  /** Takes in the lines that the window holds whole. */
  scan(newline: number, atEnd: boolean): void {
    const window = this.#window;
    const { bytes, end } = window;
    while (window.at < end) {
      let lines = 1;
      let lineEnd = bytes.indexOf(newline, window.at);
      // a backslash joins the next line to this one
      while (lineEnd >= 0 && lineEnd < end && this.#isContinued(lineEnd)) {
        lines++;
        lineEnd = bytes.indexOf(newline, lineEnd + 1);
      }
      const isWhole = lineEnd >= 0 && lineEnd < end;
      if (!isWhole && !atEnd) return;
      const stop = isWhole ? lineEnd : end;
      this.#line++;
      if (lines > 1) blankContinuations(bytes, window.at, stop);
      this.#statement(bytes, window.at, stop);
      this.#line += lines - 1;
      window.at = Math.min(stop + 1, end);
    }
  }

  finish(): Model {
    if (this.#largestIndex >= this.#vertexCount) {
      throw this.#window.fail(
        `a face refers to vertex ${this.#largestIndex + 1}, but there are ${this.#vertexCount}`,
        `line ${this.#largestIndexLine}`,
      );
    }
    const parts = [...this.#parts.values()].filter(({ indexCount }) => indexCount > 0);
    if (parts.length === 0) {
      throw this.#window.fail(
        this.#vertexCount > 0
          ? `no triangles, only ${this.#vertexCount} vertices`
          : 'not an OBJ file, or an empty one: no vertices',
        '',
      );
    }
    const positions = trimmed(this.#positions, 3 * this.#vertexCount);
    const geometries: Geometry[] = parts.map((part) => ({
      positions,
      indices: trimmed(part.indices, part.indexCount),
    }));
    const objects: ModelObject[] = parts.map(({ name, path }, geometry) => ({
      name,
      path,
      geometry,
      matrix: undefined,
    }));
    return {
      format: 'OBJ',
      objects,
      geometries: parts.length === 1 ? geometries : withOwnVertices(geometries, this.#vertexCount),
    };
  }

  #isContinued(lineEnd: number): boolean {
    const { bytes, at } = this.#window;
    let last = lineEnd - 1;
    while (last > at && bytes[last] === CARRIAGE_RETURN) last--;
    return last >= at && bytes[last] === BACKSLASH;
  }

  #statement(bytes: Uint8Array, lineStart: number, end: number): void {
    let start = lineStart;
    while (start < end && bytes[start]! <= SPACE) start++;
    // every statement of interest is one letter and a blank
    if (start + 1 >= end || bytes[start + 1]! > SPACE) return;
    switch (bytes[start]) {
      case 118: // v
        this.#vertex(bytes, start + 1, end);
        break;
      case 102: // f
        this.#face(bytes, start + 1, end);
        break;
      case 111: // o
        this.#object = this.#text(bytes, start + 1, end);
        this.#part = this.#partNamed(this.#object, this.#object, this.#object);
        break;
      case 103: // g
        this.#group(this.#text(bytes, start + 1, end));
        break;
    }
  }

  #vertex(bytes: Uint8Array, start: number, end: number): void {
    const scanner = this.#scanner;
    scanner.range(bytes, start, end);
    const o = 3 * this.#vertexCount;
    const positions = (this.#positions = withRoom(this.#positions, o + 3));
    for (let axis = 0; axis < 3; axis++) {
      const value = scanner.number();
      if (scanner.exhausted) throw this.#fail('a vertex needs 3 coordinates');
      if (value - value !== 0) throw this.#fail(scanner.complaint('a coordinate'));
      positions[o + axis] = value;
    }
    if (++this.#vertexCount > MAX_VERTICES) throw this.#fail('more vertices than fit');
  }

  #face(bytes: Uint8Array, start: number, end: number): void {
    const part = this.#part;
    let first = 0;
    let previous = 0;
    let corners = 0;
    for (let at = start; ; ) {
      while (at < end && bytes[at]! <= SPACE) at++;
      if (at >= end) break;
      const tokenStart = at;
      const negative = bytes[at] === 45;
      if (negative) at++;
      let value = 0;
      let digit = 0;
      const digitsStart = at;
      while (at < end && (digit = bytes[at]! - 48) >= 0 && digit <= 9) {
        value = 10 * value + digit;
        at++;
      }
      const hasDigits = at > digitsStart;
      // what follows a slash is texture and normal
      if (at < end && bytes[at] === 47) while (at < end && bytes[at]! > SPACE) at++;
      if (!hasDigits || (at < end && bytes[at]! > SPACE)) {
        this.#scanner.range(bytes, tokenStart, end);
        throw this.#fail(`a corner of a face is ${quoted(this.#scanner.word())}`);
      }
      const index = negative ? this.#vertexCount - value : value - 1;
      if (value === 0 || index < 0 || index >= MAX_VERTICES) {
        throw this.#fail(
          `a face refers to vertex ${negative ? -value : value}, but there are ${this.#vertexCount} so far`,
        );
      }
      if (index > this.#largestIndex) {
        this.#largestIndex = index;
        this.#largestIndexLine = this.#line;
      }
      if (corners >= 2) {
        const indices = (part.indices = withRoom(part.indices, part.indexCount + 3));
        indices[part.indexCount] = first;
        indices[part.indexCount + 1] = previous;
        indices[part.indexCount + 2] = index;
        part.indexCount += 3;
      }
      if (corners === 0) first = index;
      previous = index;
      corners++;
    }
    if (corners < 3) throw this.#fail(`a face needs 3 corners, this one has ${corners}`);
  }

  #group(group: string): void {
    const inObject = this.#object !== '';
    const name = group !== '' ? group : inObject ? this.#object : this.#fileName;
    const path = inObject && group !== '' && group !== this.#object ? `${this.#object}/${group}` : name;
    this.#part = this.#partNamed(name, path, inObject || group !== '' ? path : '');
  }

  #partNamed(name: string, path: string, key: string): Part {
    let part = this.#parts.get(key);
    if (part === undefined) {
      part = { name, path, indices: new Uint32Array(12), indexCount: 0 };
      this.#parts.set(key, part);
    }
    return part;
  }

  #text(bytes: Uint8Array, start: number, end: number): string {
    return Buffer.from(bytes.subarray(start, end)).toString('utf8').trim();
  }

  #fail(why: string): Error {
    return this.#window.fail(why, `line ${this.#line}`);
  }
}

/** Makes a joined statement one line: the backslashes at line ends become blanks. */
function blankContinuations(bytes: Uint8Array, start: number, end: number): void {
  for (let i = start; i < end; i++) {
    if (bytes[i] === BACKSLASH && (bytes[i + 1] === LINE_FEED || bytes[i + 1] === CARRIAGE_RETURN))
      bytes[i] = SPACE;
  }
}

/** Gives each geometry only the vertices that it uses, renumbered by first use. */
function withOwnVertices(geometries: readonly Geometry[], vertexCount: number): Geometry[] {
  const renumbered = new Uint32Array(vertexCount);
  const owner = new Uint32Array(vertexCount);
  return geometries.map(({ positions, indices }, g) => {
    const own = new Uint32Array(indices.length);
    let count = 0;
    const used = new Uint32Array(Math.min(indices.length, vertexCount));
    for (let i = 0; i < indices.length; i++) {
      const vertex = indices[i]!;
      if (owner[vertex] !== g + 1) {
        owner[vertex] = g + 1;
        renumbered[vertex] = count;
        used[count++] = vertex;
      }
      own[i] = renumbered[vertex]!;
    }
    const ownPositions = new Float64Array(3 * count);
    for (let v = 0; v < count; v++) {
      for (let axis = 0; axis < 3; axis++) ownPositions[3 * v + axis] = positions[3 * used[v]! + axis]!;
    }
    return { positions: ownPositions, indices: own };
  });
}
