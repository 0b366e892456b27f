/** Words and numbers of a text file, one after the other. */
import { type FileBytes, quoted } from './mesh-file.js';

const SPACE = 32;
const LINE_FEED = 10;
/** No two ways to match the same text: long ones take linear time. */
const DECIMAL = /^[+-]?(\d+(\.\d*)?|\.\d+)([eE][+-]?\d+)?$/;
/** Longer words are no numbers. */
const MAX_LENGTH = 1024;

export class Words {
  readonly #file: FileBytes;
  readonly #end: number;
  #at: number;
  line: number;

  constructor(file: FileBytes, start = 0, line = 1, end = file.bytes.length) {
    this.#file = file;
    this.#at = start;
    this.#end = end;
    this.line = line;
  }

  get isAtEnd(): boolean {
    return this.#at >= this.#end;
  }

  /** Empty at the end. */
  next(): string {
    const { bytes } = this.#file;
    let at = this.#at;
    for (; at < this.#end && bytes[at] <= SPACE; at++) if (bytes[at] === LINE_FEED) this.line++;
    const start = at;
    while (at < this.#end && bytes[at] > SPACE) at++;
    this.#at = at;
    return String.fromCharCode(...bytes.subarray(start, Math.min(at, start + MAX_LENGTH)));
  }

  /** A finite number; `what` says in the error what it would be. */
  number(what: string): number {
    const word = this.next();
    const value = DECIMAL.test(word) ? Number(word) : Number.NaN;
    if (Number.isFinite(value)) return value;
    throw this.fail(word === '' ? `cut off before ${what}` : `${what} is ${quoted(word)}`);
  }

  /** A number, or NaN where a text says so. */
  value(what: string): number {
    const { line } = this;
    const at = this.#at;
    if (/^[+-]?(nan|inf(inity)?)$/i.test(this.next())) return Number.NaN;
    this.#at = at;
    this.line = line;
    return this.number(what);
  }

  /** The rest of the line. */
  rest(): string {
    const { bytes } = this.#file;
    const found = bytes.indexOf(LINE_FEED, this.#at);
    const end = found < 0 || found > this.#end ? this.#end : found;
    const text = new TextDecoder().decode(bytes.slice(this.#at, Math.min(end, this.#at + MAX_LENGTH)));
    this.#at = end;
    return text.trim();
  }

  fail(why: string): Error {
    return this.#file.fail(why, `line ${this.line}`);
  }
}
