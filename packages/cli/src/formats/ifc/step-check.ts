/**
 * Is this a whole STEP file (ISO 10303-21)? The IFC reader trusts its input: a bracket too few and it never comes back.
 * So one pass over the bytes makes sure that every statement is well formed and complete, that no entity is defined
 * twice, and that nothing refers to an entity that is not there.
 */
import type { ByteWindow } from '../byte-window.js';
import { type FormatError, quoted } from '../format-error.js';

const MAX_ID = 2 ** 32 - 1;
/** Lists in lists; IFC has at most three. */
const MAX_DEPTH = 50;
const MAX_KEYWORD = 40;

/** What a byte outside of strings and comments is. */
const OTHER = 0;
const BLANK = 1;
const WORD = 2;
const QUOTE = 3;
const MARK = 4;

const CLASS = byteClasses();

function byteClasses(): Uint8Array {
  const classes = new Uint8Array(256).fill(OTHER);
  const put = (characters: string, value: number) => {
    for (const character of characters) classes[character.charCodeAt(0)] = value;
  };
  put(' \t\r\n\f', BLANK);
  put('ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_+-.!', WORD);
  put('\'"', QUOTE);
  put('#=(),;$*/', MARK);
  return classes;
}

/** What the last thing in a list was: values and commas must alternate. */
const NOTHING = 0;
const VALUE = 1;
const COMMA = 2;
/** A word that a list may follow: `IFCLABEL('x')`. */
const NAME = 3;

type State = 'between' | 'word' | 'id' | 'string' | 'string-end' | 'slash' | 'comment' | 'comment-star';

/** Reads `window` to its end; throws a FormatError that names the place. */
export async function checkStep(window: ByteWindow): Promise<void> {
  const checker = new StepChecker(window);
  while (!checker.ended && (await window.more())) checker.scan();
  if (!checker.ended) throw checker.cutOff();
}

class StepChecker {
  ended = false;
  readonly #window: ByteWindow;
  readonly #defined = new IdSet();
  readonly #referenced = new IdSet();
  #state: State = 'between';
  #quote = 0;
  /** The digits after `#`, so far. */
  #number = 0;
  /** The entity that the statement defines (0: none), and where it begins. */
  #id = 0;
  #start = 0;
  #keyword = '';
  #hasEquals = false;
  #hasList = false;
  #depth = 0;
  #last = NOTHING;
  #inData = false;
  #hasData = false;

  constructor(window: ByteWindow) {
    this.#window = window;
  }

  /** Takes everything that the window holds. */
  scan(): void {
    const window = this.#window;
    const { bytes, end } = window;
    while (window.at < end && !this.ended) {
      const byte = bytes[window.at];
      switch (this.#state) {
        case 'between':
          this.#take(byte);
          window.at++;
          break;
        case 'word':
          if (CLASS[byte] === WORD) {
            if (this.#depth === 0) this.#addToKeyword(byte);
            window.at++;
          } else this.#state = 'between';
          break;
        case 'id':
          if (byte >= 0x30 && byte <= 0x39) {
            this.#number = Math.min(10 * this.#number + byte - 0x30, 2 * MAX_ID);
            window.at++;
          } else this.#endId();
          break;
        case 'string': {
          const length = bytes.subarray(window.at, end).indexOf(this.#quote);
          window.at = length < 0 ? end : window.at + length + 1;
          if (length >= 0) this.#state = 'string-end';
          break;
        }
        case 'string-end':
          // a doubled quote stands for itself
          this.#state = byte === this.#quote ? 'string' : 'between';
          if (byte === this.#quote) window.at++;
          break;
        case 'slash':
          if (byte !== 0x2a) throw this.#fail('"/" outside of a string');
          this.#state = 'comment';
          window.at++;
          break;
        case 'comment': {
          const length = bytes.subarray(window.at, end).indexOf(0x2a);
          window.at = length < 0 ? end : window.at + length + 1;
          if (length >= 0) this.#state = 'comment-star';
          break;
        }
        case 'comment-star':
          if (byte !== 0x2a) this.#state = byte === 0x2f ? 'between' : 'comment';
          window.at++;
          break;
      }
    }
  }

  /** The error of a file that ends before its end mark. */
  cutOff(): FormatError {
    if (this.#state === 'string') return this.#fail('cut off in a string');
    if (this.#state.startsWith('comment')) return this.#fail('cut off in a comment');
    return this.#window.fail('cut off: END-ISO-10303-21 is missing');
  }

  #take(byte: number): void {
    switch (CLASS[byte]) {
      case BLANK:
        return;
      case WORD:
        if (this.#depth > 0) this.#takeValue(NAME);
        else if (this.#hasList) throw this.#fail('something follows its last bracket');
        else if (this.#keyword !== '') throw this.#fail('two names');
        else this.#addToKeyword(byte);
        this.#state = 'word';
        return;
      case QUOTE:
        if (this.#depth === 0) throw this.#fail('a string outside of brackets');
        this.#takeValue(VALUE);
        this.#quote = byte;
        this.#state = 'string';
        return;
      case MARK:
        this.#takeMark(String.fromCharCode(byte));
        return;
      default:
        throw this.#fail(`${quoted(String.fromCharCode(byte))} outside of a string`);
    }
  }

  #addToKeyword(byte: number): void {
    if (this.#keyword.length < MAX_KEYWORD) this.#keyword += String.fromCharCode(byte);
  }

  #takeMark(mark: string): void {
    switch (mark) {
      case '#':
        this.#number = 0;
        this.#state = 'id';
        if (this.#depth === 0) this.#start = this.#window.base + this.#window.at;
        return;
      case '/':
        this.#state = 'slash';
        return;
      case ';':
        this.#endStatement();
        return;
      case '=':
        if (this.#depth > 0 || this.#id === 0 || this.#hasEquals) throw this.#fail('"=" in the wrong place');
        this.#hasEquals = true;
        return;
      case '(':
        this.#openList();
        return;
      case ')':
        if (this.#depth === 0) throw this.#fail('")" without "("');
        if (this.#last === COMMA) throw this.#fail('a value is missing before ")"');
        this.#depth--;
        this.#last = VALUE;
        return;
      case ',':
        if (this.#depth === 0 || this.#last === NOTHING || this.#last === COMMA) {
          throw this.#fail('"," in the wrong place');
        }
        this.#last = COMMA;
        return;
      default:
        if (this.#depth === 0) throw this.#fail(`"${mark}" outside of brackets`);
        this.#takeValue(VALUE);
    }
  }

  #openList(): void {
    if (this.#depth === 0) {
      if (this.#hasList) throw this.#fail('two lists of values');
      if (this.#inData && !this.#hasEquals) throw this.#fail('an entity without a number');
      this.#hasList = true;
    } else if (this.#last === VALUE) {
      throw this.#fail('"," is missing before "("');
    }
    if (++this.#depth > MAX_DEPTH) throw this.#fail(`lists nested more than ${MAX_DEPTH} deep`);
    this.#last = NOTHING;
  }

  #takeValue(kind: number): void {
    // `#1=(A()B())` joins its parts without commas
    const isPart = this.#depth === 1 && this.#keyword === '';
    if (!isPart && (this.#last === VALUE || this.#last === NAME)) {
      throw this.#fail('"," is missing between values');
    }
    this.#last = kind;
  }

  #endId(): void {
    const id = this.#number;
    this.#state = 'between';
    if (id === 0 || id > MAX_ID) throw this.#fail(`"#" must be followed by a number from 1 to ${MAX_ID}`);
    if (this.#depth > 0) {
      this.#takeValue(VALUE);
      this.#referenced.add(id);
      return;
    }
    if (!this.#inData || this.#id !== 0 || this.#keyword !== '')
      throw this.#fail(`#${id} in the wrong place`);
    this.#id = id;
    if (this.#defined.has(id)) throw this.#fail('it is defined twice');
    this.#defined.add(id);
  }

  #endStatement(): void {
    if (this.#depth > 0) throw this.#fail(`cut off: ${this.#depth} closing ")" missing`);
    const keyword = this.#keyword.toUpperCase();
    if (this.#id !== 0) {
      if (!this.#hasEquals || !this.#hasList) throw this.#fail('it is not "#… = NAME(…)"');
    } else if (keyword === 'DATA') {
      this.#inData = true;
      this.#hasData = true;
    } else if (keyword === 'ENDSEC') {
      this.#inData = false;
    } else if (keyword === 'END-ISO-10303-21') {
      this.#finish();
    } else if (this.#inData) {
      throw this.#fail(`${quoted(this.#keyword)} among the data`);
    }
    this.#id = 0;
    this.#keyword = '';
    this.#hasEquals = false;
    this.#hasList = false;
    this.#last = NOTHING;
  }

  #finish(): void {
    if (!this.#hasData) throw this.#window.fail('it has no DATA section', '');
    const missing = this.#referenced.firstNotIn(this.#defined);
    if (missing !== undefined) {
      throw this.#window.fail(`it refers to #${missing}, but there is no such entity`, '');
    }
    this.ended = true;
  }

  #fail(why: string): FormatError {
    const { base, at } = this.#window;
    return this.#window.fail(
      why,
      this.#id === 0 ? `byte ${base + at}` : `#${this.#id} at byte ${this.#start}`,
    );
  }
}

/** A set of numbers below 2³²: pages of bits, so that memory follows the numbers used. */
class IdSet {
  static readonly #PAGE_BITS = 1 << 13;
  readonly #pages = new Map<number, Uint32Array>();

  has(id: number): boolean {
    const bit = id % IdSet.#PAGE_BITS;
    const page = this.#pages.get((id - bit) / IdSet.#PAGE_BITS);
    return page !== undefined && (page[bit >>> 5] & (1 << (bit & 31))) !== 0;
  }

  add(id: number): void {
    const bit = id % IdSet.#PAGE_BITS;
    const number = (id - bit) / IdSet.#PAGE_BITS;
    let page = this.#pages.get(number);
    if (page === undefined) this.#pages.set(number, (page = new Uint32Array(IdSet.#PAGE_BITS / 32)));
    page[bit >>> 5] |= 1 << (bit & 31);
  }

  /** The smallest number that is here and not in `other`. */
  firstNotIn(other: IdSet): number | undefined {
    for (const [number, page] of [...this.#pages].sort(([a], [b]) => a - b)) {
      const otherPage = other.#pages.get(number);
      for (let i = 0; i < page.length; i++) {
        const only = page[i] & ~(otherPage?.[i] ?? 0);
        if (only !== 0) return number * IdSet.#PAGE_BITS + 32 * i + 31 - Math.clz32(only & -only);
      }
    }
    return undefined;
  }
}
