/**
 * Is this a whole STEP file (ISO 10303-21)? The IFC reader trusts its input: one missing bracket and it never returns.
 * So one pass over the bytes verifies that every statement is well formed and complete, and that no entity is defined
 * twice; and detects references to missing entities.
 *
 * In a string, `\S\` shifts the next character by 128: `\S\'` is a section sign (§), and the string continues. The
 * reader always assumes that; where the following bytes show otherwise, they are patched.
 */
import type { ByteWindow } from '../byte-window.js';
import { type FormatError, quoted } from '../format-error.js';
import { BytePatches } from './byte-patches.js';
import { IdSet } from './id-set.js';

const MAX_ID = 2 ** 32 - 1;
/** Lists in lists; IFC has at most three. */
const MAX_DEPTH = 50;
const MAX_KEYWORD = 40;

/** Classes of bytes outside of strings and comments. */
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

/** The last item in a list: values and commas must alternate. */
const NOTHING = 0;
const VALUE = 1;
const COMMA = 2;
/** A word that a list may follow: `IFCLABEL('x')`. */
const NAME = 3;

type State =
  | 'between'
  | 'word'
  | 'id'
  | 'string'
  | 'string-end'
  | 'shifted-quote'
  | 'shifted-quotes'
  | 'slash'
  | 'comment'
  | 'comment-star';

/** `\S\` as a number of three bytes. */
const SHIFT = 0x5c535c;

/** Where in a statement a reference is. */
export interface StepPlace {
  /** The entity being defined, and its type, in capitals. */
  readonly id: number;
  readonly keyword: string;
  /** Counted from 0. */
  readonly attribute: number;
  /** 1: the attribute itself; more: within lists. */
  readonly depth: number;
  /** Whether the first attribute is a text, as in everything that has an id or a name. */
  readonly isNamed: boolean;
}

/** Receives the contents of the file in order. */
export interface StepVisitor {
  /** A reference at bytes [start, end). */
  reference(to: number, place: StepPlace, start: number, end: number): void;
  /** A bracket or comma between the values of a statement. */
  mark?(mark: string, at: number): void;
  /** A statement that defines an entity, at bytes [start, end). */
  statement?(start: number, end: number, place: StepPlace): void;
}

export interface CheckedStep {
  /** The smallest number that is referred to and not defined, if any. */
  readonly missing: number | undefined;
  isDefined(id: number): boolean;
  readonly patches: BytePatches;
}

/** Reads `window` to its end; throws a FormatError that names the place. */
export async function checkStep(window: ByteWindow, visitor?: StepVisitor): Promise<CheckedStep> {
  const checker = new StepChecker(window, visitor);
  while (!checker.ended && (await window.more())) checker.scan();
  if (!checker.ended) throw checker.cutOff();
  return checker;
}

class StepChecker implements CheckedStep, StepPlace {
  ended = false;
  missing: number | undefined;
  readonly patches = new BytePatches();
  attribute = 0;
  isNamed = false;
  readonly #window: ByteWindow;
  readonly #visitor: StepVisitor | undefined;
  /** The last three bytes of a string, and where they end. */
  #tail = 0;
  #stringAt = 0;
  readonly #defined = new IdSet();
  readonly #referenced = new IdSet();
  #state: State = 'between';
  #quote = 0;
  /** The digits after `#` read so far. */
  #number = 0;
  #idAt = 0;
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

  constructor(window: ByteWindow, visitor: StepVisitor | undefined) {
    this.#window = window;
    this.#visitor = visitor;
  }

  get id(): number {
    return this.#id;
  }
  get keyword(): string {
    return this.#keyword.toUpperCase();
  }
  get depth(): number {
    return this.#depth;
  }

  isDefined(id: number): boolean {
    return this.#defined.has(id);
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
          const stop = length < 0 ? end : window.at + length;
          for (let i = Math.max(window.at, stop - 3); i < stop; i++) {
            this.#tail = ((this.#tail << 8) | bytes[i]) & 0xffffff;
          }
          window.at = length < 0 ? end : stop + 1;
          this.#stringAt = window.base + stop;
          if (length >= 0) {
            this.#state = this.#tail === SHIFT && this.#quote === 0x27 ? 'shifted-quote' : 'string-end';
            this.#tail = 0;
          }
          break;
        }
        case 'shifted-quote':
          if (byte === 0x27) {
            this.#state = 'shifted-quotes';
            window.at++;
          } else if (CLASS[byte] === BLANK) window.at++;
          else if (byte === 0x2c || byte === 0x29) {
            // nothing follows: the string ended, with a folder named S
            this.patches.fill(this.#stringAt - 3, this.#stringAt - 2, '/');
            this.patches.fill(this.#stringAt - 1, this.#stringAt, '/');
            this.#state = 'between';
          } else this.#state = 'string';
          break;
        case 'shifted-quotes':
          if (CLASS[byte] === BLANK) window.at++;
          else if (byte === 0x2c || byte === 0x29) this.#state = 'between';
          else {
            // the quote was doubled: the second one is superfluous
            this.patches.fill(this.#stringAt + 1, this.#stringAt + 2, ' ');
            this.#state = 'string';
          }
          break;
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
        if (this.#depth === 1 && this.attribute === 0) this.isNamed = true;
        this.#quote = byte;
        this.#tail = 0;
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
    if (this.#visitor?.mark && this.#id !== 0) this.#visitor.mark(mark, this.#window.base + this.#window.at);
    switch (mark) {
      case '#':
        this.#number = 0;
        this.#state = 'id';
        this.#idAt = this.#window.base + this.#window.at;
        if (this.#depth === 0) this.#start = this.#idAt;
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
        if (this.#depth === 1) this.attribute++;
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
      this.#visitor?.reference(id, this, this.#idAt, this.#window.base + this.#window.at);
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
      this.#visitor?.statement?.(this.#start, this.#window.base + this.#window.at + 1, this);
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
    this.attribute = 0;
    this.isNamed = false;
  }

  #finish(): void {
    if (!this.#hasData) throw this.#window.fail('it has no DATA section', '');
    this.missing = this.#referenced.firstNotIn(this.#defined);
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
