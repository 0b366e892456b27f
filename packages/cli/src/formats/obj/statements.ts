/**
 * The statements of an OBJ file: vertices, polygons (fanned), `o` and `g`; lines of any other kind are passed over.
 * Indices may be negative (counting back) and may refer to vertices that come later in the file.
 */
import type { ByteWindow } from '../byte-window.js';
import { quoted } from '../format-error.js';
import { shortName } from '../growth-limit.js';
import { Scanner } from '../scanner.js';

const SPACE = 32;
const LINE_FEED = 10;
const CARRIAGE_RETURN = 13;
const BACKSLASH = 92;
const MAX_VERTICES = 2 ** 32 - 1;

/** A place between two statements, and the number of vertices before it. */
export interface ObjPlace {
  readonly byteOffset: number;
  readonly line: number;
  readonly vertexCount: number;
}

/** Where the statements go. */
export interface ObjSink {
  vertex(x: number, y: number, z: number): void;
  /** Counted from 0; may be a vertex that is yet to come. */
  triangle(a: number, b: number, c: number): void;
  /**
   * The following statements belong to the part `key`, which may have occurred before. `start` is after the statement.
   */
  part(key: string, name: string, path: string, start: ObjPlace): void;
}

export const OBJ_START: ObjPlace = { byteOffset: 0, line: 0, vertexCount: 0 };

/** Which byte ends lines; very old files use CR alone. Looks at the beginning without consuming it. */
export async function objNewline(window: ByteWindow): Promise<number> {
  await window.need(1 << 16);
  const head = window.bytes.subarray(window.at, window.end);
  return head.includes(CARRIAGE_RETURN) && !head.includes(LINE_FEED) ? CARRIAGE_RETURN : LINE_FEED;
}

export class ObjReader {
  vertexCount: number;
  readonly #window: ByteWindow;
  readonly #sink: ObjSink;
  readonly #fileName: string;
  readonly #newline: number;
  readonly #scanner = new Scanner();
  #object = '';
  #line: number;
  #largestIndex = -1;
  #largestIndexLine = 0;

  /** `window` is at `start`; `fileName` names unnamed parts. */
  constructor(window: ByteWindow, sink: ObjSink, fileName: string, newline: number, start = OBJ_START) {
    this.#window = window;
    this.#sink = sink;
    this.#fileName = fileName;
    this.#newline = newline;
    this.#line = start.line;
    this.vertexCount = start.vertexCount;
  }

  /** Hands all statements to the sink, and yields after each window of them. */
  async *read(): AsyncGenerator<void> {
    for (let atEnd = false; ; ) {
      this.#scan(atEnd);
      yield;
      if (atEnd) break;
      atEnd = !(await this.#window.more());
    }
  }

  /** To be called at the end of the file: whether all vertices that faces refer to have come. */
  checkIndices(): void {
    if (this.#largestIndex < this.vertexCount) return;
    throw this.#window.fail(
      `a face refers to vertex ${this.#largestIndex + 1}, but there are ${this.vertexCount}`,
      `line ${this.#largestIndexLine}`,
    );
  }

  noTriangles(): Error {
    return this.#window.fail(
      this.vertexCount > 0
        ? `no triangles, only ${this.vertexCount} vertices`
        : 'not an OBJ file, or an empty one: no vertices',
      '',
    );
  }

  /** Takes in the lines that the window holds whole. */
  #scan(atEnd: boolean): void {
    const window = this.#window;
    const newline = this.#newline;
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
      const start = window.at;
      window.at = Math.min(stop + 1, end);
      this.#statement(bytes, start, stop, lines);
      this.#line += lines - 1;
    }
  }

  #isContinued(lineEnd: number): boolean {
    const { bytes, at } = this.#window;
    let last = lineEnd - 1;
    while (last > at && bytes[last] === CARRIAGE_RETURN) last--;
    return last >= at && bytes[last] === BACKSLASH;
  }

  #statement(bytes: Uint8Array, lineStart: number, end: number, lines: number): void {
    let start = lineStart;
    while (start < end && bytes[start] <= SPACE) start++;
    // every statement of interest is one letter and a blank
    if (start + 1 >= end || bytes[start + 1] > SPACE) return;
    switch (bytes[start]) {
      case 118: // v
        this.#vertex(bytes, start + 1, end);
        break;
      case 102: // f
        this.#face(bytes, start + 1, end);
        break;
      case 111: // o
        this.#object = this.#text(bytes, start + 1, end);
        this.#beginPart(this.#object, this.#object, this.#object, lines);
        break;
      case 103: // g
        this.#group(this.#text(bytes, start + 1, end), lines);
        break;
    }
  }

  #vertex(bytes: Uint8Array, start: number, end: number): void {
    this.#scanner.range(bytes, start, end);
    const x = this.#coordinate();
    const y = this.#coordinate();
    const z = this.#coordinate();
    this.#sink.vertex(x, y, z);
    if (++this.vertexCount > MAX_VERTICES) throw this.#fail('more vertices than fit');
  }

  #coordinate(): number {
    const scanner = this.#scanner;
    const value = scanner.number();
    if (scanner.exhausted) throw this.#fail('a vertex needs 3 coordinates');
    if (value - value !== 0) throw this.#fail(scanner.complaint('a coordinate'));
    return value;
  }

  #face(bytes: Uint8Array, start: number, end: number): void {
    let first = 0;
    let previous = 0;
    let corners = 0;
    for (let at = start; ; ) {
      while (at < end && bytes[at] <= SPACE) at++;
      if (at >= end) break;
      const tokenStart = at;
      const negative = bytes[at] === 45;
      if (negative) at++;
      let value = 0;
      let digit = 0;
      const digitsStart = at;
      while (at < end && (digit = bytes[at] - 48) >= 0 && digit <= 9) {
        value = 10 * value + digit;
        at++;
      }
      const hasDigits = at > digitsStart;
      // texture and normal follow a slash
      if (at < end && bytes[at] === 47) while (at < end && bytes[at] > SPACE) at++;
      if (!hasDigits || (at < end && bytes[at] > SPACE)) {
        this.#scanner.range(bytes, tokenStart, end);
        throw this.#fail(`a corner of a face is ${quoted(this.#scanner.word())}`);
      }
      const index = negative ? this.vertexCount - value : value - 1;
      if (value === 0 || index < 0 || index >= MAX_VERTICES) {
        throw this.#fail(
          `a face refers to vertex ${negative ? -value : value}, but there are ${this.vertexCount} so far`,
        );
      }
      if (index > this.#largestIndex) {
        this.#largestIndex = index;
        this.#largestIndexLine = this.#line;
      }
      if (corners >= 2) this.#sink.triangle(first, previous, index);
      if (corners === 0) first = index;
      previous = index;
      corners++;
    }
    if (corners < 3) throw this.#fail(`a face needs 3 corners, this one has ${corners}`);
  }

  #group(group: string, lines: number): void {
    const inObject = this.#object !== '';
    const name = group !== '' ? group : inObject ? this.#object : this.#fileName;
    const path = inObject && group !== '' && group !== this.#object ? `${this.#object}/${group}` : name;
    this.#beginPart(name, path, inObject || group !== '' ? path : '', lines);
  }

  /** `lines` is the number of lines of the statement; `#line` is its first. */
  #beginPart(name: string, path: string, key: string, lines: number): void {
    const { base, at } = this.#window;
    const line = this.#line + lines - 1;
    this.#sink.part(key, name, path, { byteOffset: base + at, line, vertexCount: this.vertexCount });
  }

  #text(bytes: Uint8Array, start: number, end: number): string {
    return shortName(Buffer.from(bytes.subarray(start, end)).toString('utf8').trim());
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
