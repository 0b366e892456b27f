/**
 * The part of OData that the BCF API asks for: `$filter` with comparisons, `and`, `or`, `not`, parentheses and
 * `labels/any(label: label eq 'x')`; `$orderby`, `$top` and `$skip`. A missing value is null.
 */
import { RequestError } from '@impinge/cli/internal/server/request-error.js';

export type Item = Readonly<Record<string, unknown>>;

export interface ODataQuery {
  readonly $filter?: string | undefined;
  readonly $orderby?: string | undefined;
  readonly $top?: string | undefined;
  readonly $skip?: string | undefined;
}

type Test = (item: Item) => boolean;
type Value = string | number | boolean | null;

const TOKEN = /\s*(?:'((?:[^']|'')*)'|([()]|:)|([^\s()':]+(?::[^\s()':]+)*))/y;
const DEPTH_MAX = 32;
const OPERATORS: Readonly<Record<string, (order: number) => boolean>> = {
  eq: (order) => order === 0,
  ne: (order) => order !== 0,
  gt: (order) => order > 0,
  ge: (order) => order >= 0,
  lt: (order) => order < 0,
  le: (order) => order <= 0,
};

/** `fields` can be filtered by, and `sorted` are those to sort by; throws a RequestError that says what is wrong. */
export function queried<T extends Item>(
  items: readonly T[],
  { $filter, $orderby, $top, $skip }: ODataQuery,
  fields: readonly string[],
  sorted: readonly string[],
): T[] {
  const passes = $filter === undefined ? () => true : new FilterReader($filter, fields).read();
  const kept = items.filter(passes);
  if ($orderby !== undefined) kept.sort(orderOf($orderby, sorted));
  const skip = numberOf('$skip', $skip, 0);
  return kept.slice(skip, skip + numberOf('$top', $top, Infinity));
}

function fail(why: string): RequestError {
  return new RequestError(400, why);
}

function numberOf(name: string, given: string | undefined, usual: number): number {
  if (given === undefined) return usual;
  if (!/^\d{1,9}$/.test(given)) throw fail(`${name}: expected a number`);
  return Number(given);
}

function orderOf(text: string, sorted: readonly string[]): (p: Item, q: Item) => number {
  const keys = text.split(',').map((part) => {
    const [field, direction = 'asc', ...more] = part.trim().split(/\s+/);
    if (!sorted.includes(field))
      throw fail(`$orderby: ${field.slice(0, 40)} is none of ${sorted.join(', ')}`);
    if (!['asc', 'desc'].includes(direction) || more.length > 0)
      throw fail('$orderby: expected asc or desc after a field');
    return { field, sign: direction === 'desc' ? -1 : 1 };
  });
  return (p, q) => {
    for (const { field, sign } of keys) {
      const order = compared(p[field] as Value, q[field] as Value) ?? 0;
      if (order !== 0) return sign * order;
    }
    return 0;
  };
}

/** Times are compared as such. Undefined if the two have no order; null is equal to itself only. */
function compared(p: Value | undefined, q: Value | undefined): number | undefined {
  const [a, b] = [p ?? null, q ?? null];
  if (a === null || b === null) return a === b ? 0 : undefined;
  if (typeof a === 'string' && typeof b === 'string') {
    const [s, t] = [a, b].map((text) => (/^\d{4}-\d\d-\d\d/.test(text) ? timeOf(text) : Number.NaN));
    if (!Number.isNaN(s) && !Number.isNaN(t)) return s - t;
  }
  return a < b ? -1 : a > b ? 1 : 0;
}

/** Without a zone it is UTC. */
function timeOf(text: string): number {
  const isZoned = !text.includes('T') || /(?:Z|[+-]\d\d:?\d\d)$/i.test(text);
  return Date.parse(isZoned ? text.replace(/([+-]\d\d)(\d\d)$/, '$1:$2') : `${text}Z`);
}

interface Token {
  readonly text: string;
  readonly isQuoted: boolean;
}

class FilterReader {
  readonly #tokens: Token[] = [];
  readonly #fields: readonly string[];
  #at = 0;
  #depth = 0;

  constructor(text: string, fields: readonly string[]) {
    this.#fields = fields;
    const pattern = new RegExp(TOKEN);
    const whole = text.trimEnd();
    while (pattern.lastIndex < whole.length) {
      const found = pattern.exec(whole);
      if (!found) throw fail('$filter: a quotation mark is missing');
      const [, quoted, sign, word] = found;
      const isQuoted = quoted !== undefined;
      this.#tokens.push({ text: isQuoted ? quoted.replaceAll("''", "'") : (sign ?? word), isQuoted });
    }
  }

  read(): Test {
    const test = this.#either();
    if (this.#at < this.#tokens.length) throw fail(`$filter: unexpected ${this.#word()}`);
    return test;
  }

  #word(): string {
    const token = this.#tokens[this.#at];
    return token === undefined ? 'end' : token.text.slice(0, 40);
  }

  #takes(word: string): boolean {
    const token = this.#tokens[this.#at];
    if (token === undefined || token.isQuoted || token.text.toLowerCase() !== word) return false;
    this.#at++;
    return true;
  }

  #expect(word: string): void {
    if (!this.#takes(word)) throw fail(`$filter: expected ${word} instead of ${this.#word()}`);
  }

  #either(): Test {
    const tests = [this.#both()];
    while (this.#takes('or')) tests.push(this.#both());
    return tests.length === 1 ? tests[0] : (item) => tests.some((test) => test(item));
  }

  #both(): Test {
    const tests = [this.#single()];
    while (this.#takes('and')) tests.push(this.#single());
    return tests.length === 1 ? tests[0] : (item) => tests.every((test) => test(item));
  }

  #single(): Test {
    if (++this.#depth > DEPTH_MAX) throw fail('$filter: it is nested too deep');
    try {
      if (this.#takes('not')) {
        const test = this.#single();
        return (item) => !test(item);
      }
      if (this.#takes('(')) {
        const test = this.#either();
        this.#expect(')');
        return test;
      }
      return this.#comparison();
    } finally {
      this.#depth--;
    }
  }

  #comparison(): Test {
    const field = this.#next();
    const [list, any] = field.split('/');
    if (any === 'any' && this.#fields.includes(list)) return this.#any(list);
    if (!this.#fields.includes(field))
      throw fail(`$filter: ${field.slice(0, 40)} is none of ${this.#fields.join(', ')}`);
    const passes = this.#operator();
    return (item) => passes(item[field] as Value);
  }

  /** `labels/any(label: label eq 'x')`. */
  #any(list: string): Test {
    this.#expect('(');
    // without a space, the name and what follows it are one word
    const [name, again] = this.#next().split(':');
    if (again === undefined) {
      this.#expect(':');
      this.#expect(name.toLowerCase());
    } else if (again !== name) throw fail(`$filter: expected ${name.slice(0, 40)}`);
    const passes = this.#operator();
    this.#expect(')');
    return (item) => ((item[list] as readonly Value[] | undefined) ?? []).some(passes);
  }

  #operator(): (value: Value | undefined) => boolean {
    const name = this.#next().toLowerCase();
    const operator = Object.hasOwn(OPERATORS, name) ? OPERATORS[name] : undefined;
    if (!operator)
      throw fail(`$filter: ${name.slice(0, 40)} is none of ${Object.keys(OPERATORS).join(', ')}`);
    const { text, isQuoted } = this.#tokens[this.#at++] ?? { text: '', isQuoted: false };
    if (!isQuoted && !/^(?:null|true|false|-?\d[\w.:+-]*)$/.test(text))
      throw fail(`$filter: expected a value instead of ${text.slice(0, 40) || 'end'}`);
    const value = isQuoted ? text : literal(text);
    return (own) => {
      const order = compared(own, value);
      return order === undefined ? name === 'ne' : operator(order);
    };
  }

  #next(): string {
    const token = this.#tokens[this.#at];
    if (token === undefined || token.isQuoted) throw fail(`$filter: unexpected ${this.#word()}`);
    this.#at++;
    return token.text;
  }
}

function literal(word: string): Value {
  if (word === 'null') return null;
  if (word === 'true' || word === 'false') return word === 'true';
  return /^-?\d+(?:\.\d+)?$/.test(word) ? Number(word) : word;
}
