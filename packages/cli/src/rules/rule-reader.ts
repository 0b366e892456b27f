/**
 * The rules in a document. Everything that is wrong is noted with its place, and reading goes on: whoever writes rules
 * sees all mistakes at once.
 */
import {
  type CheckRule,
  CLASH_KIND_TABLE,
  CLASH_KINDS,
  type ClashKind,
  type Selection,
  type Selector,
} from 'impinge/check';
import { isAlias, isMap, isScalar, isSeq, type Node, type Scalar } from 'yaml';
import { quoted } from '../formats/format-error.js';
import { parseLength } from '../quantities.js';
import { closestWord } from './closest-word.js';
import { IN_QUOTES, type Problem, type YamlDocument } from './yaml-document.js';

/** What a file of rules says; lengths in metres. */
export interface RuleFile {
  /** In the order in which they decide: what is ignored comes first. */
  readonly rules: readonly CheckRule[];
  /** Clashes that have been looked at and accepted. */
  readonly ignoredClashIds: readonly string[];
  /** For what a rule does not say itself. */
  readonly defaults: {
    readonly clearance?: number;
    readonly tolerance?: number;
    readonly kinds?: readonly ClashKind[];
  };
}

/** Says what is wrong with a pattern; undefined when nothing is. */
export type PatternCheck = (pattern: string) => string | undefined;

const FILE_KEYS = ['clearance', 'tolerance', 'kinds', 'rules', 'ignore'] as const;
const RULE_KEYS = keysOf<CheckRule>({
  name: 0,
  a: 0,
  b: 0,
  clearance: 0,
  tolerance: 0,
  kinds: 0,
  ignore: 0,
  skipSameAssembly: 0,
  skipSameFile: 0,
});
const PATTERN_KEYS = ['path', 'name', 'id', 'type', 'discipline', 'file', 'storey'] as const;
const SELECTOR_KEYS = keysOf<Selector>({
  path: 0,
  name: 0,
  id: 0,
  type: 0,
  discipline: 0,
  file: 0,
  storey: 0,
  property: 0,
  except: 0,
});

const MAX_PROBLEMS = 100;
const MAX_ALIASES = 1000;
/** Nodes looked at, those behind aliases each time: far more than a file of the largest size holds without them. */
const MAX_NODES = 500_000;
const MAX_EXCEPT_DEPTH = 16;

type Optional = Node | undefined;

export class RuleReader {
  readonly problems: Problem[] = [];
  readonly #document: YamlDocument;
  readonly #patternProblem: PatternCheck;
  readonly #told = new Set<string>();
  #aliases = 0;
  #nodes = 0;

  constructor(document: YamlDocument, patternProblem: PatternCheck) {
    this.#document = document;
    this.#patternProblem = patternProblem;
    this.problems.push(...document.problems);
  }

  /** Worth something only where there are no problems afterwards. */
  read(): RuleFile {
    const { root } = this.#document;
    const none: RuleFile = { rules: [], ignoredClashIds: [], defaults: {} };
    if (this.problems.length > 0) return none;
    if (root === undefined) {
      this.problems.push({ line: 1, column: 1, message: 'the file is empty; write "rules:" and a list' });
      return none;
    }
    const file = this.#map(root, 'a file of rules', FILE_KEYS);
    const ignored = { rules: [] as CheckRule[], ids: [] as string[] };
    this.#list(file.get('ignore'), 'ignore').forEach((node, i) => {
      this.#ignored(node, `ignore ${i + 1}`, ignored);
    });
    const names = new Set<string>();
    const rules = this.#list(file.get('rules'), 'rules').map((node, i) =>
      this.#rule(node, `rule ${i + 1}`, names),
    );
    // with rules only what they select is checked: leaving something out is not meant to leave out the rest
    if (rules.length === 0 && ignored.rules.length > 0) rules.push({ name: 'default' });
    return {
      rules: [...ignored.rules, ...rules],
      ignoredClashIds: ignored.ids,
      defaults: this.#limits(file),
    };
  }

  #rule(node: Node, defaultName: string, names: Set<string>): CheckRule {
    const map = this.#map(node, 'a rule', RULE_KEYS);
    const nameNode = map.get('name');
    const name = (nameNode && this.#text(nameNode, 'name')) ?? defaultName;
    if (names.has(name)) this.#problem(nameNode ?? node, `name: another rule is called ${quoted(name)}`);
    names.add(name);
    const limits = this.#limits(map);
    if (
      limits.clearance &&
      limits.kinds &&
      !limits.kinds.some((kind) => CLASH_KIND_TABLE[kind].measure === 'distance')
    )
      this.#problem(
        map.get('kinds') ?? node,
        'kinds: the rule has a clearance, but its kinds leave clearance out',
      );
    return {
      name,
      ...limits,
      ...this.#sides(map),
      ...defined('ignore', this.#flag(map.get('ignore'), 'ignore')),
      ...defined('skipSameAssembly', this.#flag(map.get('skipSameAssembly'), 'skipSameAssembly')),
      ...defined('skipSameFile', this.#flag(map.get('skipSameFile'), 'skipSameFile')),
    };
  }

  /** `clash: id`, `a:` and `b:`, or a selection of objects that are left out altogether. */
  #ignored(given: Node, name: string, into: { rules: CheckRule[]; ids: string[] }): void {
    const node = this.#followed(given);
    const keys = isMap(node) ? node.items.map(({ key }) => (isScalar(key) ? key.value : undefined)) : [];
    if (node && keys.includes('clash')) {
      for (const id of this.#list(
        this.#map(node, 'an ignored clash', ['clash']).get('clash'),
        'clash',
        true,
      )) {
        const text = this.#text(id, 'clash');
        if (text !== undefined) into.ids.push(text);
      }
    } else if (node && (keys.includes('a') || keys.includes('b'))) {
      into.rules.push({
        name,
        ignore: true,
        ...this.#sides(this.#map(node, 'an ignored pair', ['a', 'b'])),
      });
    } else into.rules.push({ name, ignore: true, ...defined('a', this.#selection(given, 'ignore', 0)) });
  }

  #sides(map: ReadonlyMap<string, Node>): { a?: Selection; b?: Selection } {
    const side = (which: 'a' | 'b') => {
      const node = map.get(which);
      return node && defined(which, this.#selection(node, which, 0));
    };
    return { ...side('a'), ...side('b') };
  }

  #limits(map: ReadonlyMap<string, Node>): RuleFile['defaults'] {
    return {
      ...defined('clearance', this.#length(map.get('clearance'), 'clearance')),
      ...defined('tolerance', this.#length(map.get('tolerance'), 'tolerance')),
      ...defined('kinds', this.#kinds(map.get('kinds'))),
    };
  }

  #selection(given: Node, where: string, depth: number): Selection | undefined {
    if (depth > MAX_EXCEPT_DEPTH)
      return this.#problem(given, `except is nested more than ${MAX_EXCEPT_DEPTH} deep`);
    const node = this.#followed(given);
    if (!isSeq(node)) return this.#selector(given, where, depth);
    if (node.items.length === 0) return this.#problem(given, `${where}: an empty list selects nothing`);
    return this.#list(given, where).flatMap((one) => this.#selector(one, where, depth) ?? []);
  }

  #selector(given: Node, where: string, depth: number): string | Selector | undefined {
    const node = this.#followed(given);
    if (isSeq(node)) return this.#problem(given, `${where}: a list within a list`);
    if (!isMap(node))
      return this.#pattern(given, where, 'a pattern of paths or a selector such as {type: IfcWall}');
    const map = this.#map(given, 'a selector', SELECTOR_KEYS);
    if (node.items.length === 0)
      return this.#problem(given, `${where}: an empty selector; leave the side out to select everything`);
    const selector: { -readonly [Key in keyof Selector]: Selector[Key] } = {};
    for (const key of PATTERN_KEYS) {
      const value = map.get(key);
      if (value === undefined) continue;
      const patterns = this.#list(value, key, true).flatMap(
        (one) => this.#pattern(one, key, 'a pattern', true) ?? [],
      );
      selector[key] = patterns.length === 1 ? patterns[0] : patterns;
    }
    const property = map.get('property');
    if (property !== undefined) selector.property = this.#properties(property);
    const except = map.get('except');
    const left = except && this.#selection(except, 'except', depth + 1);
    if (left !== undefined) selector.except = left;
    return selector;
  }

  #properties(given: Node): NonNullable<Selector['property']> {
    const map = this.#map(given, 'property', undefined);
    if (isMap(this.#followed(given)) && map.size === 0)
      this.#problem(given, 'property: write the name of a property and its value');
    const entries = [...map].map(([name, valueNode]) => {
      const node = this.#followed(valueNode);
      const value = isScalar(node) ? node.value : undefined;
      const known = typeof value === 'number' || typeof value === 'boolean';
      const what = 'a text, a number, true or false';
      return [name, known ? value : (this.#pattern(valueNode, name, what, true) ?? '')] as const;
    });
    return Object.fromEntries(entries);
  }

  #pattern(node: Node, where: string, what: string, mayBeEmpty = false): string | undefined {
    const text = this.#text(node, where, what, mayBeEmpty);
    const wrong = text === undefined ? undefined : this.#patternProblem(text);
    return wrong === undefined ? text : this.#problem(node, `${where}: ${wrong}`);
  }

  /** The text of a scalar as it is written: `01` stays `01`. */
  #text(given: Node, where: string, what = 'a text', mayBeEmpty = false): string | undefined {
    const node = this.#followed(given);
    if (node === undefined) return undefined;
    if (!isScalar(node) || node.value === null) return this.#problem(given, `${where}: write ${what} here`);
    const text = asWritten(node);
    if (text === '' && !mayBeEmpty) return this.#problem(given, `${where}: it is empty`);
    return text;
  }

  #length(given: Optional, where: string): number | undefined {
    const node = given && this.#followed(given);
    if (given === undefined || node === undefined) return undefined;
    const value = isScalar(node) ? node.value : undefined;
    let metres = Number.NaN;
    if (typeof value === 'number') metres = value;
    // a unit alone is a length elsewhere, but hardly meant here
    else if (typeof value === 'string' && /\d/.test(value)) {
      try {
        metres = parseLength(value, where);
      } catch {
        // told below
      }
    }
    if (metres >= 0 && metres < Infinity) return metres;
    const text = isScalar(node) ? quoted(asWritten(node)) : 'this';
    return this.#problem(given, `${where}: ${text} is not a length; write it like 50mm`);
  }

  #flag(given: Optional, where: string): boolean | undefined {
    const node = given && this.#followed(given);
    if (given === undefined || node === undefined) return undefined;
    if (isScalar(node) && typeof node.value === 'boolean') return node.value;
    return this.#problem(given, `${where}: write true or false`);
  }

  #kinds(given: Optional): ClashKind[] | undefined {
    if (given === undefined) return undefined;
    const kinds = this.#list(given, 'kinds', true).flatMap((node) => {
      const text = this.#text(node, 'kinds', 'a kind of clash');
      if (text === undefined) return [];
      const kind = CLASH_KINDS.find((one) => one === text);
      if (kind === undefined)
        this.#problem(node, `kinds: ${quoted(text)} is not a kind of clash${suggestion(text, CLASH_KINDS)}`);
      return kind ?? [];
    });
    return kinds.length === 0 ? undefined : kinds;
  }

  /** The items of a list; one thing alone counts as a list of it where that is allowed. */
  #list(given: Optional, where: string, oneAlone = false): Node[] {
    if (given === undefined) return [];
    const node = this.#followed(given);
    if (isSeq(node)) {
      if (oneAlone && node.items.length === 0) this.#problem(given, `${where}: the list is empty`);
      return node.items as Node[];
    }
    if (oneAlone) return [given];
    if (node !== undefined) this.#problem(given, `${where}: write a list, one entry per line after "- "`);
    return [];
  }

  /** The values of a mapping by key; keys that are not known are a problem, and left out. */
  #map(given: Node, what: string, known: readonly string[] | undefined): Map<string, Node> {
    const node = this.#followed(given);
    const out = new Map<string, Node>();
    if (!isMap(node)) {
      if (node !== undefined) this.#problem(given, `${what} is written as names and values, "name: value"`);
      return out;
    }
    for (const { key, value } of node.items) {
      const name = isScalar(key) ? asWritten(key) : undefined;
      if (name === undefined) this.#problem(key as Node, 'a name must be a plain text');
      else if (known !== undefined && !known.includes(name))
        this.#problem(key as Node, `${what} has no ${quoted(name)}${suggestion(name, known)}`);
      else if (value === null || (isScalar(value) && value.value === null))
        this.#problem((value ?? key) as Node, `${name}: it is empty`);
      else out.set(name, value as Node);
    }
    return out;
  }

  /** The node itself, or what an alias stands for; undefined when there is too much of that. */
  #followed(node: Node): Node | undefined {
    if (++this.#nodes > MAX_NODES) return this.#tooMuch(node, this.#nodes === MAX_NODES + 1);
    if (!isAlias(node)) return node;
    if (++this.#aliases > MAX_ALIASES) return this.#tooMuch(node, this.#aliases === MAX_ALIASES + 1);
    const target = this.#document.resolve(node);
    return target ?? this.#problem(node, `nothing is called &${node.source} before this; ${IN_QUOTES}`);
  }

  #tooMuch(node: Node, first: boolean): undefined {
    if (first) this.#problem(node, 'aliases make the file too large');
  }

  #problem(node: Node, message: string): undefined {
    const place = this.#document.placeOf(node);
    // what is asked for twice is wrong once
    const key = `${place.line}:${place.column}: ${message}`;
    if (this.#told.has(key) || this.#told.size >= MAX_PROBLEMS) return;
    this.#told.add(key);
    this.problems.push({ ...place, message });
  }
}

function asWritten(scalar: Scalar): string {
  return typeof scalar.value === 'string' ? scalar.value : (scalar.source ?? String(scalar.value));
}

function keysOf<T>(keys: Record<keyof T, 0>): string[] {
  return Object.keys(keys);
}

/** `{ [key]: value }`, or nothing where there is none. */
function defined<Key extends string, Value>(key: Key, value: Value | undefined): { [K in Key]?: Value } {
  return (value === undefined ? {} : { [key]: value }) as { [K in Key]?: Value };
}

function suggestion(word: string, known: readonly string[]): string {
  const closest = closestWord(word, known);
  return closest === undefined ? `; there are ${known.join(', ')}` : `; is ${closest} meant?`;
}
