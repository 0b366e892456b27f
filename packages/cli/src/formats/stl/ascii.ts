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

const LINE_FEED = 10;
/** What may follow outside of a solid, in one, in a facet and in its loop. */
const [OUTSIDE, IN_SOLID, IN_FACET] = [['solid'], ['facet', 'endsolid'], ['outer', 'endfacet']];
const [CORNER, LOOP_END] = [['vertex'], ['endloop']];

export class SolidReader {
  readonly #window: ByteWindow;
  readonly #scanner = new Scanner();
  /** The solid that is being read, or was last. */
  solid: Solid | undefined;
  #isInside = false;
  #corners = new Float64Array(1 << 12);
  #length = 0;

  /** `window` is at the beginning of a solid on the given line. */
  constructor(window: ByteWindow, line = 1) {
    this.#window = window;
    this.#scanner.line = line;
  }

  /** Takes in the facets that the window holds whole, up to the end of a solid; true if that was met. */
  scan(atEnd: boolean): boolean {
    const scanner = this.#scanner;
    scanner.load(this.#window, atEnd);
    for (;;) {
      const { at, line } = scanner;
      const isWhole = this.#next(atEnd);
      if (!isWhole) {
        scanner.at = at;
        scanner.line = line;
      }
      this.#window.at = scanner.at;
      if (!isWhole || !this.#isInside) return isWhole;
    }
  }

  /** The corners of the facets since the last call, nine numbers each. */
  takeCorners(): Float64Array {
    const taken = this.#corners.slice(0, this.#length);
    this.#length = 0;
    return taken;
  }

  finish(): void {
    if (this.#isInside) throw this.#window.fail('cut off: there is no "endsolid"', '');
  }

  /** A facet, or a line around them; false when the text runs out before its end. */
  #next(atEnd: boolean): boolean {
    const scanner = this.#scanner;
    const { at, line } = scanner;
    const found = this.#expect(this.#isInside ? IN_SOLID : OUTSIDE);
    if (scanner.exhausted) return false;
    if (this.#isInside && found === 0) return this.#facet();
    // the name is the rest of the line, which must be here whole
    if (!atEnd && !scanner.bytes.subarray(scanner.at, scanner.end).includes(LINE_FEED)) return false;
    const name = scanner.restOfLine();
    if (!this.#isInside) this.solid = { name, byteOffset: this.#window.base + at, line };
    this.#isInside = !this.#isInside;
    return true;
  }

  #facet(): boolean {
    const scanner = this.#scanner;
    // "normal" and its numbers; they are often wrong, and never needed
    for (let i = 0; i < 4; i++) scanner.skipWord();
    let length = this.#length;
    while (this.#expect(IN_FACET) === 0) {
      scanner.skipWord();
      const corners = (this.#corners = withRoom(this.#corners, length + 9));
      for (const end = length + 9; length < end; length += 3) {
        this.#expect(CORNER);
        corners[length] = this.#coordinate();
        corners[length + 1] = this.#coordinate();
        corners[length + 2] = this.#coordinate();
      }
      this.#expect(LOOP_END);
    }
    if (scanner.exhausted) return false;
    this.#length = length;
    return true;
  }

  #coordinate(): number {
    const value = this.#scanner.number();
    if (value - value !== 0 && !this.#scanner.exhausted)
      throw this.#fail(this.#scanner.complaint('a coordinate'));
    return value;
  }

  /** Which of some keywords is next; −1 where the text runs out. */
  #expect(keywords: readonly string[]): number {
    const found = this.#scanner.keyword(keywords);
    if (found >= 0 || this.#scanner.exhausted) return found;
    throw this.#fail(`${quoted(this.#scanner.lastToken())} instead of "${keywords.join('" or "')}"`);
  }

  #fail(why: string): Error {
    return this.#window.fail(why, `line ${this.#scanner.line}`);
  }
}
