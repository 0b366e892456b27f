/** The rules in a document. */
import {
  type CheckRule,
  CLASH_KIND_TABLE,
  CLASH_KINDS,
  type ClashKind,
  type Selection,
  type Selector,
} from 'impinge/check';
import { isMap, isScalar, isSeq, type Node } from 'yaml';
import type { FilePattern } from '../formats/file-settings.js';
import { quoted } from '../formats/format-error.js';
import { readFilePatterns } from './file-section.js';
import { defined, type NodeReader, type Optional, suggestion } from './node-reader.js';

/** What a file of rules says; lengths in metres. */
export interface RuleFile {
  /** In the order in which they decide: what is ignored comes first. */
  readonly rules: readonly CheckRule[];
  /** Clashes that have been looked at and accepted. */
  readonly ignoredClashIds: readonly string[];
  /** What is said about single files of the model. */
  readonly files: readonly FilePattern[];
  /** For what a rule does not say itself. */
  readonly defaults: {
    readonly clearance?: number;
    readonly tolerance?: number;
    readonly kinds?: readonly ClashKind[];
  };
}

const FILE_KEYS = ['clearance', 'tolerance', 'kinds', 'rules', 'ignore', 'files'] as const;
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

const MAX_EXCEPT_DEPTH = 16;

export class RuleReader {
  readonly #nodes: NodeReader;

  constructor(nodes: NodeReader) {
    this.#nodes = nodes;
  }

  /** Worth something only where there are no problems afterwards. */
  read(): RuleFile {
    const { root, problems } = this.#nodes;
    const none: RuleFile = { rules: [], ignoredClashIds: [], files: [], defaults: {} };
    if (problems.length > 0) return none;
    if (root === undefined) {
      problems.push({ line: 1, column: 1, message: 'the file is empty; write "rules:" and a list' });
      return none;
    }
    const file = this.#nodes.map(root, 'a file of rules', FILE_KEYS);
    const ignored = { rules: [] as CheckRule[], ids: [] as string[] };
    this.#nodes.list(file.get('ignore'), 'ignore').forEach((node, i) => {
      this.#ignored(node, `ignore ${i + 1}`, ignored);
    });
    const names = new Set<string>();
    const rules = this.#nodes
      .list(file.get('rules'), 'rules')
      .map((node, i) => this.#rule(node, `rule ${i + 1}`, names));
    // with rules only what they select is checked: leaving something out is not meant to leave out the rest
    if (rules.length === 0 && ignored.rules.length > 0) rules.push({ name: 'default' });
    return {
      rules: [...ignored.rules, ...rules],
      ignoredClashIds: ignored.ids,
      files: readFilePatterns(this.#nodes, file.get('files')),
      defaults: this.#limits(file),
    };
  }

  #rule(node: Node, defaultName: string, names: Set<string>): CheckRule {
    const map = this.#nodes.map(node, 'a rule', RULE_KEYS);
    const nameNode = map.get('name');
    const name = (nameNode && this.#nodes.text(nameNode, 'name')) ?? defaultName;
    if (names.has(name))
      this.#nodes.problem(nameNode ?? node, `name: another rule is called ${quoted(name)}`);
    names.add(name);
    const limits = this.#limits(map);
    if (
      limits.clearance &&
      limits.kinds &&
      !limits.kinds.some((kind) => CLASH_KIND_TABLE[kind].measure === 'distance')
    )
      this.#nodes.problem(
        map.get('kinds') ?? node,
        'kinds: the rule has a clearance, but its kinds leave clearance out',
      );
    return {
      name,
      ...limits,
      ...this.#sides(map),
      ...defined('ignore', this.#nodes.flag(map.get('ignore'), 'ignore')),
      ...defined('skipSameAssembly', this.#nodes.flag(map.get('skipSameAssembly'), 'skipSameAssembly')),
      ...defined('skipSameFile', this.#nodes.flag(map.get('skipSameFile'), 'skipSameFile')),
    };
  }

  /** `clash: id`, `a:` and `b:`, or a selection of objects that are left out altogether. */
  #ignored(given: Node, name: string, into: { rules: CheckRule[]; ids: string[] }): void {
    const node = this.#nodes.followed(given);
    const keys = isMap(node) ? node.items.map(({ key }) => (isScalar(key) ? key.value : undefined)) : [];
    if (node && keys.includes('clash')) {
      for (const id of this.#nodes.list(
        this.#nodes.map(node, 'an ignored clash', ['clash']).get('clash'),
        'clash',
        true,
      )) {
        const text = this.#nodes.text(id, 'clash');
        if (text !== undefined) into.ids.push(text);
      }
    } else if (node && (keys.includes('a') || keys.includes('b'))) {
      into.rules.push({
        name,
        ignore: true,
        ...this.#sides(this.#nodes.map(node, 'an ignored pair', ['a', 'b'])),
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
      ...defined('clearance', this.#nodes.length(map.get('clearance'), 'clearance')),
      ...defined('tolerance', this.#nodes.length(map.get('tolerance'), 'tolerance')),
      ...defined('kinds', this.#kinds(map.get('kinds'))),
    };
  }

  #selection(given: Node, where: string, depth: number): Selection | undefined {
    if (depth > MAX_EXCEPT_DEPTH)
      return this.#nodes.problem(given, `except is nested more than ${MAX_EXCEPT_DEPTH} deep`);
    const node = this.#nodes.followed(given);
    if (!isSeq(node)) return this.#selector(given, where, depth);
    if (node.items.length === 0) return this.#nodes.problem(given, `${where}: an empty list selects nothing`);
    return this.#nodes.list(given, where).flatMap((one) => this.#selector(one, where, depth) ?? []);
  }

  #selector(given: Node, where: string, depth: number): string | Selector | undefined {
    const node = this.#nodes.followed(given);
    if (isSeq(node)) return this.#nodes.problem(given, `${where}: a list within a list`);
    if (!isMap(node))
      return this.#nodes.pattern(given, where, 'a pattern of paths or a selector such as {type: IfcWall}');
    const map = this.#nodes.map(given, 'a selector', SELECTOR_KEYS);
    if (node.items.length === 0)
      return this.#nodes.problem(
        given,
        `${where}: an empty selector; leave the side out to select everything`,
      );
    const selector: { -readonly [Key in keyof Selector]: Selector[Key] } = {};
    for (const key of PATTERN_KEYS) {
      const value = map.get(key);
      if (value === undefined) continue;
      const patterns = this.#nodes
        .list(value, key, true)
        .flatMap((one) => this.#nodes.pattern(one, key, 'a pattern', true) ?? []);
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
    const map = this.#nodes.map(given, 'property', undefined);
    if (isMap(this.#nodes.followed(given)) && map.size === 0)
      this.#nodes.problem(given, 'property: write the name of a property and its value');
    const entries = [...map].map(([name, valueNode]) => {
      const node = this.#nodes.followed(valueNode);
      const value = isScalar(node) ? node.value : undefined;
      const known = typeof value === 'number' || typeof value === 'boolean';
      const what = 'a text, a number, true or false';
      return [name, known ? value : (this.#nodes.pattern(valueNode, name, what, true) ?? '')] as const;
    });
    return Object.fromEntries(entries);
  }

  #kinds(given: Optional): ClashKind[] | undefined {
    if (given === undefined) return undefined;
    const kinds = this.#nodes.list(given, 'kinds', true).flatMap((node) => {
      const text = this.#nodes.text(node, 'kinds', 'a kind of clash');
      if (text === undefined) return [];
      const kind = CLASH_KINDS.find((one) => one === text);
      if (kind === undefined)
        this.#nodes.problem(
          node,
          `kinds: ${quoted(text)} is not a kind of clash${suggestion(text, CLASH_KINDS)}`,
        );
      return kind ?? [];
    });
    return kinds.length === 0 ? undefined : kinds;
  }
}

function keysOf<T>(keys: Record<keyof T, 0>): string[] {
  return Object.keys(keys);
}
