/**
 * Reads a pattern: `*` stands for anything but `/`, `**` for anything, a `**` + `/` that begins a folder's name also
 * for nothing, `?` for one character, `[a-z]` and `[!a-z]` for one of a set, `{a,b}` for one of several patterns; `\`
 * takes the next character as it is. Where texts are not paths, `*` and `?` stand for `/` too. Braces are not looked
 * through: only a `**` and a `/` written side by side may stand for nothing.
 */
import { ImpingeError } from 'impinge/internal/base/errors.js';

export interface GlobStyle {
  /** Texts are paths: `/` separates, and only `**` crosses it. */
  readonly paths: boolean;
  /** `A` and `a` are the same. */
  readonly caseless: boolean;
}

/** A character (folded, in caseless patterns), or a test of one. */
export type GlobTest = number | ((code: number) => boolean);

export type GlobItem =
  | { readonly kind: 'one'; readonly test: GlobTest }
  | { readonly kind: 'many'; readonly test: GlobTest }
  | { readonly kind: 'folders' } // any number of folders with their `/`, or none
  | { readonly kind: 'choice'; readonly of: readonly (readonly GlobItem[])[] };

const MAX_PATTERN_LENGTH = 1024;
export const SLASH = 47;

export const anything = () => true;

/** The error in a pattern, if any. */
export function patternProblem(pattern: string): string | undefined {
  if (typeof pattern !== 'string') return 'a pattern must be a string';
  try {
    parseGlob(pattern, { paths: true, caseless: true });
    return undefined;
  } catch (error) {
    if (error instanceof ImpingeError) return error.message;
    throw error;
  }
}

/** The parts of a pattern, one after the other. Throws `bad-option` where it is malformed. */
export function parseGlob(pattern: string, style: GlobStyle): GlobItem[] {
  return new GlobParser(pattern, style).parse();
}

const notSlash = (code: number) => code !== SLASH;

class GlobParser {
  readonly #pattern: string;
  readonly #chars: readonly string[];
  readonly #style: GlobStyle;
  #at = 0;

  constructor(pattern: string, style: GlobStyle) {
    this.#pattern = pattern;
    this.#chars = [...pattern.normalize()];
    this.#style = style;
  }

  parse(): GlobItem[] {
    if (this.#chars.length > MAX_PATTERN_LENGTH)
      throw this.#error(`is longer than ${MAX_PATTERN_LENGTH} characters`);
    return this.#sequence(true, false);
  }

  #sequence(atSegment: boolean, inBraces: boolean): GlobItem[] {
    const items: GlobItem[] = [];
    while (this.#at < this.#chars.length) {
      const char = this.#chars[this.#at];
      if (inBraces && (char === ',' || char === '}')) break;
      const item = this.#item(atSegment);
      items.push(item);
      atSegment = item.kind === 'folders' || (item.kind === 'one' && item.test === SLASH);
    }
    return items;
  }

  #item(atSegment: boolean): GlobItem {
    const char = this.#chars[this.#at++];
    if (char === '*') return this.#stars(atSegment);
    if (char === '?') return { kind: 'one', test: this.#wildcard() };
    if (char === '[') return { kind: 'one', test: this.#set() };
    if (char === '{') return this.#choice(atSegment);
    const code = firstCode(char === '\\' ? this.#escaped() : char);
    return { kind: 'one', test: this.#style.caseless ? foldCode(code) : code };
  }

  #wildcard(): GlobTest {
    return this.#style.paths ? notSlash : anything;
  }

  #stars(atSegment: boolean): GlobItem {
    const from = this.#at;
    while (this.#chars[this.#at] === '*') this.#at++;
    if (this.#at === from) return { kind: 'many', test: this.#wildcard() };
    if (!this.#style.paths || !atSegment || this.#chars[this.#at] !== '/')
      return { kind: 'many', test: anything };
    this.#at++;
    return { kind: 'folders' };
  }

  #choice(atSegment: boolean): GlobItem {
    const of: GlobItem[][] = [];
    do {
      of.push(this.#sequence(atSegment, true));
    } while (this.#chars[this.#at++] === ',');
    if (this.#chars[this.#at - 1] !== '}')
      throw this.#error('has a { without a }; write \\{ for a literal brace');
    if (of.length < 2)
      throw this.#error('has braces around a single alternative; write \\{ and \\} for literal braces');
    return { kind: 'choice', of };
  }

  #set(): GlobTest {
    const negated = this.#chars[this.#at] === '!' || this.#chars[this.#at] === '^';
    if (negated) this.#at++;
    const ranges: [number, number][] = [];
    for (;;) {
      if (this.#chars[this.#at] === ']' && ranges.length > 0) break;
      const low = this.#setCharacter();
      let high = low;
      if (this.#chars[this.#at] === '-' && this.#chars[this.#at + 1] !== ']') {
        this.#at++;
        high = this.#setCharacter();
      }
      if (high < low) throw this.#error('has a range that runs backwards');
      ranges.push([low, high]);
    }
    this.#at++;
    const has = (code: number) => ranges.some(([low, high]) => low <= code && code <= high);
    const { paths, caseless } = this.#style;
    return (code) => {
      if (paths && code === SLASH) return false;
      const found = has(code) || (caseless && (has(foldCode(code)) || has(upperCode(code))));
      return found !== negated;
    };
  }

  #setCharacter(): number {
    const char = this.#chars[this.#at++];
    if (char === undefined) throw this.#error('has a [ without a ]; write \\[ for a literal bracket');
    return firstCode(char === '\\' ? this.#escaped() : char);
  }

  #escaped(): string {
    const char = this.#chars[this.#at++];
    if (char === undefined) throw this.#error('ends in a lone \\');
    return char;
  }

  #error(why: string): ImpingeError {
    const shown = this.#pattern.length > 60 ? `${this.#pattern.slice(0, 60)}…` : this.#pattern;
    return new ImpingeError('bad-option', `the pattern "${shown}" ${why}`, { pattern: this.#pattern });
  }
}

/** The text (folded, in caseless patterns) that a pattern without wildcards stands for. */
export function literalOf(items: readonly GlobItem[]): string | undefined {
  let text = '';
  for (const item of items) {
    if (item.kind !== 'one' || typeof item.test !== 'number') return undefined;
    text += String.fromCodePoint(item.test);
  }
  return text;
}

/** The same for upper and lower case, for σ and ς. */
export function foldCode(code: number): number {
  if (code < 128) return code >= 65 && code <= 90 ? code + 32 : code;
  const upper = String.fromCodePoint(upperCode(code));
  return onlyCode(upper.toLowerCase()) ?? code;
}

function upperCode(code: number): number {
  return onlyCode(String.fromCodePoint(code).toUpperCase()) ?? code;
}

/** The code of the first character of a text that has one. */
function firstCode(text: string): number {
  return text.codePointAt(0) ?? 0;
}

/** The code of a text of one character. */
function onlyCode(text: string): number | undefined {
  const code = firstCode(text);
  return text.length === (code > 0xffff ? 2 : 1) ? code : undefined;
}

export function foldText(text: string): string {
  if (isAscii(text)) return text.toLowerCase();
  return Array.from(text.normalize(), (char) => String.fromCodePoint(foldCode(firstCode(char)))).join('');
}

export function isAscii(text: string): boolean {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: all of ASCII
  return !/[^\u0000-\u007f]/.test(text);
}
