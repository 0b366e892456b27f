/**
 * Reads the values of an untrusted document by their expected type. Every error is noted with its place, and reading
 * continues, so that the author of such a file sees all mistakes at once.
 */
import { isAlias, isMap, isScalar, isSeq, type Node, type Scalar } from 'yaml';
import { quoted } from '../formats/format-error.js';
import { parseLength } from '../quantities.js';
import { closestWord } from './closest-word.js';
import { IN_QUOTES, type Place, type Problem, type YamlDocument } from './yaml-document.js';

/** Says what is wrong with a pattern; undefined if nothing is. */
export type PatternCheck = (pattern: string) => string | undefined;

const MAX_PROBLEMS = 100;
const MAX_ALIASES = 1000;
/**
 * Maximum number of nodes visited, counting those behind aliases each time: far more than the largest file holds
 * without them.
 */
const MAX_NODES = 500_000;

export type Optional = Node | undefined;

export class NodeReader {
  readonly problems: Problem[] = [];
  readonly #document: YamlDocument;
  readonly #patternProblem: PatternCheck;
  readonly #reported = new Set<string>();
  #aliases = 0;
  #nodes = 0;

  constructor(document: YamlDocument, patternProblem: PatternCheck) {
    this.#document = document;
    this.#patternProblem = patternProblem;
    this.problems.push(...document.problems.slice(0, MAX_PROBLEMS));
  }

  get root(): Optional {
    return this.#document.root;
  }

  pattern(node: Node, where: string, what: string, mayBeEmpty = false): string | undefined {
    const text = this.text(node, where, what, mayBeEmpty);
    const wrong = text === undefined ? undefined : this.#patternProblem(text);
    return wrong === undefined ? text : this.problem(node, `${where}: ${wrong}`);
  }

  /** The text of a scalar as it is written: `01` stays `01`. */
  text(given: Node, where: string, what = 'a text', mayBeEmpty = false): string | undefined {
    const node = this.followed(given);
    if (node === undefined) return undefined;
    if (!isScalar(node) || node.value === null) return this.problem(given, `${where}: write ${what} here`);
    const text = asWritten(node);
    if (text === '' && !mayBeEmpty) return this.problem(given, `${where}: it is empty`);
    return text;
  }

  length(given: Optional, where: string): number | undefined {
    const node = given && this.followed(given);
    if (given === undefined || node === undefined) return undefined;
    const value = isScalar(node) ? node.value : undefined;
    let metres = Number.NaN;
    const bare = typeof value === 'number' && value > 0 && value < Infinity;
    if (bare)
      return this.problem(given, `${where}: ${value} has no unit; write ${value}mm, ${value}in or ${value}m`);
    if (typeof value === 'number') metres = value;
    // elsewhere a unit alone is a length, but here it is hardly intended
    else if (typeof value === 'string' && /\d/.test(value)) {
      try {
        metres = parseLength(value, where);
      } catch {
        // reported below
      }
    }
    if (metres >= 0 && metres < Infinity) return metres;
    const text = isScalar(node) ? quoted(asWritten(node)) : 'this';
    return this.problem(given, `${where}: ${text} is not a length; write it like 50mm`);
  }

  number(given: Node, where: string): number | undefined {
    const node = this.followed(given);
    if (node === undefined) return undefined;
    if (isScalar(node) && typeof node.value === 'number' && Number.isFinite(node.value)) return node.value;
    return this.problem(given, `${where}: write a number`);
  }

  flag(given: Optional, where: string): boolean | undefined {
    const node = given && this.followed(given);
    if (given === undefined || node === undefined) return undefined;
    if (isScalar(node) && typeof node.value === 'boolean') return node.value;
    return this.problem(given, `${where}: write true or false`);
  }

  /** The items of a list; a single item counts as a list of one if `oneAlone` is set. */
  list(given: Optional, where: string, oneAlone = false): Node[] {
    if (given === undefined) return [];
    const node = this.followed(given);
    if (isSeq(node)) {
      if (oneAlone && node.items.length === 0) this.problem(given, `${where}: the list is empty`);
      return node.items as Node[];
    }
    if (oneAlone) return [given];
    if (node !== undefined) this.problem(given, `${where}: write a list, one entry per line after "- "`);
    return [];
  }

  /** The values of a mapping by key; unknown keys are reported and left out. */
  map(given: Node, what: string, known: readonly string[] | undefined): Map<string, Node> {
    const node = this.followed(given);
    const out = new Map<string, Node>();
    if (!isMap(node)) {
      if (node !== undefined) this.problem(given, `${what} is written as names and values, "name: value"`);
      return out;
    }
    for (const { key, value } of node.items) {
      const name = isScalar(key) ? asWritten(key) : undefined;
      if (name === undefined) this.problem(key as Node, 'a name must be a plain text');
      else if (known !== undefined && !known.includes(name))
        this.problem(key as Node, `${what} has no ${quoted(name)}${suggestion(name, known)}`);
      else if (value === null || (isScalar(value) && value.value === null))
        this.problem((value ?? key) as Node, `${name}: it is empty`);
      else out.set(name, value as Node);
    }
    return out;
  }

  /** The node itself, or the target of an alias; undefined if there are too many. */
  followed(node: Node): Node | undefined {
    if (++this.#nodes > MAX_NODES) return this.#tooMuch(node, this.#nodes === MAX_NODES + 1);
    if (!isAlias(node)) return node;
    if (++this.#aliases > MAX_ALIASES) return this.#tooMuch(node, this.#aliases === MAX_ALIASES + 1);
    const target = this.#document.resolve(node);
    return target ?? this.problem(node, `there is no anchor &${node.source} before this; ${IN_QUOTES}`);
  }

  #tooMuch(node: Node, first: boolean): undefined {
    if (first) this.problem(node, 'aliases make the file too large');
  }

  placeOf(node: Node): Place {
    return this.#document.placeOf(node);
  }

  problem(node: Node, message: string): undefined {
    const place = this.#document.placeOf(node);
    // a value that is read twice is reported once
    const key = `${place.line}:${place.column}: ${message}`;
    if (this.#reported.has(key) || this.#reported.size >= MAX_PROBLEMS) return;
    this.#reported.add(key);
    this.problems.push({ ...place, message });
  }
}

export function asWritten(scalar: Scalar): string {
  return typeof scalar.value === 'string' ? scalar.value : (scalar.source ?? String(scalar.value));
}

/** `{ [key]: value }`, or an empty object if the value is undefined. */
export function defined<Key extends string, Value>(
  key: Key,
  value: Value | undefined,
): { [K in Key]?: Value } {
  return (value === undefined ? {} : { [key]: value }) as { [K in Key]?: Value };
}

export function suggestion(word: string, known: readonly string[]): string {
  const closest = closestWord(word, known);
  return closest === undefined ? `; use ${known.join(', ')}` : `; did you mean ${closest}?`;
}

/** All keys of a type, checked to be all. */
export function keysOf<T>(keys: Record<keyof T, 0>): string[] {
  return Object.keys(keys);
}
