/**
 * Numbers and words from ASCII bytes, without a string per token.
 *
 * A decimal of at most 2⁵³ as an integer, times a power of ten up to 10²², takes one correctly rounded operation;
 * anything longer goes through Number(). Both give the double nearest to the text.
 *
 * Invariant: bytes[at, end) hold whole tokens only; `load` leaves a token that the window may have cut for later.
 */
import type { ByteWindow } from './byte-window.js';
import { quoted } from './format-error.js';

const SPACE = 32;
const LINE_FEED = 10;
const POWERS_OF_TEN = Array.from({ length: 23 }, (_, i) => Number(`1e${i}`));
/** No two ways to match the same text: long ones take linear time. */
export const DECIMAL = /^[+-]?(\d+(\.\d*)?|\.\d+)([eE][+-]?\d+)?$/;
/** Maximum length of a number; length of a token in messages. */
const MAX_NUMBER_LENGTH = 1 << 20;
const SHOWN_LENGTH = 1000;

export class Scanner {
  bytes: Uint8Array = new Uint8Array(0);
  at = 0;
  end = 0;
  line = 1;
  /** Set when `number` or `word` found no further token. */
  exhausted = false;
  #start = 0;

  /** Scans the unread part of `window`; `atEnd` means that nothing follows it. */
  load(window: ByteWindow, atEnd: boolean): void {
    this.bytes = window.bytes;
    this.at = window.at;
    this.end = window.end;
    this.exhausted = false;
    if (!atEnd) while (this.end > this.at && this.bytes[this.end - 1] > SPACE) this.end--;
  }

  /** Looks at one line. */
  range(bytes: Uint8Array, start: number, end: number): void {
    this.bytes = bytes;
    this.at = start;
    this.end = end;
    this.exhausted = false;
  }

  /** The next token as a number; NaN when it is none, or (then `exhausted` is set) when there is no token. */
  number(): number {
    if (!this.#findToken()) return NaN;
    const bytes = this.bytes;
    const end = this.end;
    let at = this.at;
    const sign = bytes[at];
    if (sign === 45 || sign === 43) at++;
    let mantissa = 0;
    let exponent = 0;
    let digits = 0;
    let digit = 0;
    while (at < end && (digit = bytes[at] - 48) >= 0 && digit <= 9) {
      mantissa = 10 * mantissa + digit;
      digits++;
      at++;
    }
    if (at < end && bytes[at] === 46) {
      at++;
      const first = at;
      while (at < end && (digit = bytes[at] - 48) >= 0 && digit <= 9) {
        mantissa = 10 * mantissa + digit;
        at++;
      }
      exponent = first - at;
      digits += at - first;
    }
    if (at < end && (bytes[at] | 32) === 101) {
      at++;
      const negative = bytes[at] === 45;
      if (negative || bytes[at] === 43) at++;
      const first = at;
      let power = 0;
      while (at < end && (digit = bytes[at] - 48) >= 0 && digit <= 9) {
        power = 10 * power + digit;
        at++;
      }
      if (first === at) digits = 0;
      exponent += negative ? -power : power;
    }
    const whole = digits > 0 && (at === end || bytes[at] <= SPACE);
    if (!whole || mantissa >= 2 ** 53 || exponent < -22 || exponent > 22) return this.#numberByText();
    this.at = at;
    const value = exponent < 0 ? mantissa / POWERS_OF_TEN[-exponent] : mantissa * POWERS_OF_TEN[exponent];
    return sign === 45 ? -value : value;
  }

  /** The next token as text; empty when there is none. */
  word(): string {
    if (!this.#findToken()) return '';
    this.at = this.#tokenEnd();
    return this.lastToken();
  }

  /** Skips one token; `exhausted` shows whether there was one. */
  skipWord(): void {
    if (this.#findToken()) this.at = this.#tokenEnd();
  }

  /** Passes over one token; its position among `keywords` (lower case; the token's case does not matter), or −1. */
  keyword(keywords: readonly string[]): number {
    if (!this.#findToken()) return -1;
    const start = this.at;
    const length = (this.at = this.#tokenEnd()) - start;
    for (let k = 0; k < keywords.length; k++) {
      const keyword = keywords[k];
      let i = keyword.length === length ? 0 : length;
      while (i < length && (this.bytes[start + i] | 32) === keyword.charCodeAt(i)) i++;
      if (i === length && keyword.length === length) return k;
    }
    return -1;
  }

  /** The rest of the line, without surrounding blanks. */
  restOfLine(): string {
    let end = this.bytes.indexOf(LINE_FEED, this.at);
    if (end < 0 || end > this.end) end = this.end;
    const text = Buffer.from(this.bytes.buffer, this.bytes.byteOffset + this.at, end - this.at).toString(
      'utf8',
    );
    this.at = end;
    return text.trim();
  }

  /** The token that `number` or `word` came upon last. */
  lastToken(): string {
    return this.#text(SHOWN_LENGTH);
  }

  #text(most: number): string {
    const start = this.bytes.byteOffset + this.#start;
    const length = Math.min(this.#tokenEnd() - this.#start, most);
    return Buffer.from(this.bytes.buffer, start, length).toString('latin1');
  }

  /** Describes the last token where it is an invalid number: NaN, or infinite. */
  complaint(what: string): string {
    const token = this.lastToken();
    if (this.#tokenEnd() - this.#start > MAX_NUMBER_LENGTH) return `${what} has more than a million digits`;
    return DECIMAL.test(this.#text(MAX_NUMBER_LENGTH))
      ? `${what} is too large: ${quoted(token)}`
      : `${what} is not a number: ${quoted(token)}`;
  }

  #findToken(): boolean {
    const bytes = this.bytes;
    const end = this.end;
    let at = this.at;
    let byte = 0;
    while (at < end && (byte = bytes[at]) <= SPACE) {
      if (byte === LINE_FEED) this.line++;
      at++;
    }
    this.at = at;
    this.#start = at;
    this.exhausted = at === end;
    return at < end;
  }

  #tokenEnd(): number {
    let at = this.#start;
    while (at < this.end && this.bytes[at] > SPACE) at++;
    return at;
  }

  #numberByText(): number {
    this.at = this.#tokenEnd();
    const text = this.#text(MAX_NUMBER_LENGTH + 1);
    return text.length <= MAX_NUMBER_LENGTH && DECIMAL.test(text) ? Number(text) : NaN;
  }
}
