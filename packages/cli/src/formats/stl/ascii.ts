/** The text form of STL: solids one after the other, each a list of facets. Their names are arbitrary. */
import type { ByteWindow } from '../byte-window.js';
import { quoted } from '../format-error.js';
import { withRoom } from '../growing.js';
import { Scanner } from '../scanner.js';

/** A solid, and where it begins. */
export interface Solid {
  readonly name: string;
  readonly byteOffset: number;
  readonly line: number;
}

/** Some triangles of a solid, nine numbers each; `isLast` when none of its follow. */
export interface SolidPart {
  readonly solid: Solid;
  readonly corners: Float64Array;
  readonly isLast: boolean;
}

/** In the order of how often they occur. */
const KEYWORDS = ['vertex', 'endloop', 'outer', 'facet', 'endfacet', 'solid', 'endsolid'] as const;

/** The position within `solid … facet … outer loop … vertex`. */
type State = 'file' | 'solid' | 'facet' | 'loop';

/** Reads on from `window`, which is at the beginning of a solid on the given line. */
export async function* solidParts(window: ByteWindow, line = 1): AsyncGenerator<SolidPart> {
  const reader = new AsciiReader(window, line);
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

class AsciiReader {
  readonly #window: ByteWindow;
  readonly #scanner = new Scanner();
  /** The solid that is being read, or was last. */
  solid: Solid | undefined;
  #corners = new Float64Array(1 << 12);
  /** Numbers in `#corners` that belong to whole facets, and those behind them of the facet that is being read. */
  #whole = 0;
  #begun = 0;
  #state: State = 'file';

  constructor(window: ByteWindow, line: number) {
    this.#window = window;
    this.#scanner.line = line;
  }

  /** Takes in the statements that the window holds whole, up to the end of a solid; true if that was met. */
  scan(atEnd: boolean): boolean {
    const scanner = this.#scanner;
    scanner.load(this.#window, atEnd);
    let ended = false;
    while (!ended) {
      const at = scanner.at;
      const line = scanner.line;
      const before = this.#state;
      if (!this.#statement(atEnd)) {
        scanner.at = at;
        scanner.line = line;
        break;
      }
      ended = before === 'solid' && this.#state === 'file';
    }
    this.#window.at = scanner.at;
    return ended;
  }

  /** The corners of the facets that were completed since the last call. */
  takeCorners(): Float64Array {
    const taken = this.#corners.slice(0, this.#whole);
    this.#corners.copyWithin(0, this.#whole, this.#whole + this.#begun);
    this.#whole = 0;
    return taken;
  }

  finish(): void {
    if (this.#state !== 'file') throw this.#window.fail('cut off: there is no "endsolid"', '');
  }

  /** One statement; false when the text runs out before its end. */
  #statement(atEnd: boolean): boolean {
    const scanner = this.#scanner;
    const byteOffset = this.#window.base + scanner.at;
    const line = scanner.line;
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
        this.#begun = 0;
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
        if (keyword === 'solid') {
          this.#enter('file', 'solid', keyword);
          this.solid = { name: rest, byteOffset, line };
        } else this.#enter('solid', 'file', keyword);
        return true;
      }
      default:
        throw this.#fail(`unknown word ${quoted(scanner.lastToken())}`);
    }
  }

  #vertex(): boolean {
    const scanner = this.#scanner;
    if (this.#state !== 'loop') throw this.#fail('a vertex outside of a loop');
    if (this.#begun === 9) throw this.#fail('a facet with more than 3 vertices');
    const x = this.#coordinate();
    const y = this.#coordinate();
    const z = this.#coordinate();
    if (scanner.exhausted) return false;
    const o = this.#whole + this.#begun;
    const corners = (this.#corners = withRoom(this.#corners, o + 3));
    corners[o] = x;
    corners[o + 1] = y;
    corners[o + 2] = z;
    this.#begun += 3;
    return true;
  }

  #coordinate(): number {
    const value = this.#scanner.number();
    if (value - value !== 0 && !this.#scanner.exhausted)
      throw this.#fail(this.#scanner.complaint('a coordinate'));
    return value;
  }

  #closeLoop(): void {
    if (this.#begun !== 9) throw this.#fail(`a facet with ${this.#begun / 3} vertices`);
    this.#whole += 9;
    this.#begun = 0;
  }

  #enter(from: State, to: State, keyword: string): void {
    if (this.#state !== from) throw this.#fail(`"${keyword}" is out of place`);
    this.#state = to;
  }

  #fail(why: string): Error {
    return this.#window.fail(why, `line ${this.#scanner.line}`);
  }
}
