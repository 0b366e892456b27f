/** The rules in a document. */
import {
  type CheckRule,
  CLASH_KINDS,
  type ClashKind,
  EXCLUSIONS,
  type Exclusion,
  type ExclusionChoice,
  type Selection,
  type SelectionSets,
  ZONE_KEYS,
  type Zone,
} from '@impinge/model';
import { isMap, isScalar, type Node } from 'yaml';
import type { FilePattern } from '../formats/file-settings.js';
import { quoted } from '../formats/format-error.js';
import type { AccessRule } from '../path/access.js';
import { readAccess } from './access-reader.js';
import { readFilePatterns } from './file-section.js';
import { readMatrix } from './matrix-section.js';
import { defined, keysOf, type NodeReader, type Optional, suggestion } from './node-reader.js';
import type { PlacedRule, SidePlaces } from './placed-rule.js';
import { SelectionReader } from './selection-reader.js';

/** The contents of a file of rules; lengths in metres. */
export interface RuleFile {
  /** In the order of precedence: ignore rules come first. */
  readonly rules: readonly CheckRule[];
  /** Where the sides of each rule are written. */
  readonly places: readonly SidePlaces[];
  readonly sets: SelectionSets;
  /** Objects that must be removable. */
  readonly access: readonly AccessRule[];
  /** Undefined: all. */
  readonly exclusions: ExclusionChoice | undefined;
  /** Clashes that have been reviewed and accepted. */
  readonly ignoredClashIds: readonly string[];
  /** Settings for single files of the model. */
  readonly files: readonly FilePattern[];
  /** For values that a rule does not give itself. */
  readonly defaults: {
    readonly clearance?: number;
    readonly tolerance?: number;
    readonly kinds?: readonly ClashKind[];
  };
}

const FILE_KEYS = [
  'clearance',
  'tolerance',
  'allowance',
  'kinds',
  'sets',
  'rules',
  'matrix',
  'ignore',
  'exclusions',
  'files',
] as const;
const RULE_KEYS = keysOf<CheckRule>({
  name: 0,
  a: 0,
  b: 0,
  clearance: 0,
  tolerance: 0,
  allowance: 0,
  kinds: 0,
  zone: 0,
  ignore: 0,
  skipSameAssembly: 0,
  skipSameFile: 0,
  optional: 0,
});
export class RuleReader {
  readonly #nodes: NodeReader;
  readonly #selections: SelectionReader;

  constructor(nodes: NodeReader) {
    this.#nodes = nodes;
    this.#selections = new SelectionReader(nodes);
  }

  /** The result is only valid if there are no problems afterwards. */
  read(): RuleFile {
    const { root, problems } = this.#nodes;
    const none: RuleFile = {
      ...{
        rules: [],
        places: [],
        sets: {},
        access: [],
        exclusions: undefined,
        ignoredClashIds: [],
        files: [],
        defaults: {},
      },
    };
    if (problems.length > 0) return none;
    if (root === undefined) {
      problems.push({ line: 1, column: 1, message: 'the file is empty; write "rules:" and a list' });
      return none;
    }
    const file = this.#nodes.map(root, 'a file of rules', FILE_KEYS);
    const sets = this.#selections.sets(file.get('sets'));
    const ignored = { rules: [] as PlacedRule[], ids: [] as string[] };
    this.#nodes.list(file.get('ignore'), 'ignore').forEach((node, i) => {
      this.#ignored(node, `ignore ${i + 1}`, ignored);
    });
    const names = new Set<string>();
    const access: AccessRule[] = [];
    const rules = this.#nodes
      .list(file.get('rules'), 'rules')
      .flatMap((node, i) => this.#rule(node, `rule ${i + 1}`, names, access) ?? []);
    const matrix = file.get('matrix');
    if (matrix !== undefined) {
      const limits = (node: Node, what: string) => {
        const map = this.#nodes.map(node, what, ['clearance', 'tolerance', 'allowance', 'kinds', 'optional']);
        const optional = this.#nodes.flag(map.get('optional'), 'optional');
        return { ...this.#limits(map), ...defined('optional', optional) };
      };
      rules.push(
        ...readMatrix(matrix, this.#nodes, { isSet: (name) => this.#selections.has(name), limits, names }),
      );
    }
    const { allowance, ...defaults } = this.#limits(file);
    // with rules, only their selection is checked: a rule that ignores objects should not exclude all others
    if (rules.length === 0 && access.length > 0)
      rules.push({ rule: { name: 'access', ignore: true }, places: {} });
    else if (rules.length === 0 && (ignored.rules.length > 0 || allowance !== undefined))
      rules.push({ rule: { name: 'default' }, places: {} });
    const all = [...ignored.rules, ...rules];
    return {
      rules: all.map(({ rule }) =>
        rule.ignore || rule.zone ? rule : { ...defined('allowance', allowance), ...rule },
      ),
      places: all.map(({ places }) => places),
      sets,
      access,
      exclusions: this.#exclusions(file.get('exclusions')),
      ignoredClashIds: ignored.ids,
      files: readFilePatterns(this.#nodes, file.get('files')),
      defaults,
    };
  }

  /** `true`, `false`, or names with one of these. */
  #exclusions(given: Optional): ExclusionChoice | undefined {
    const node = given && this.#nodes.followed(given);
    if (given === undefined || node === undefined) return undefined;
    if (!isMap(node)) return this.#nodes.flag(given, 'exclusions');
    const choice: { [Name in Exclusion]?: boolean } = {};
    for (const [name, flag] of this.#nodes.map(given, 'exclusions', EXCLUSIONS)) {
      const value = this.#nodes.flag(flag, name);
      if (value !== undefined) choice[name as Exclusion] = value;
    }
    return choice;
  }

  /** One about pairs; one about access is put beside. */
  #rule(node: Node, defaultName: string, names: Set<string>, access: AccessRule[]): PlacedRule | undefined {
    const map = this.#nodes.map(node, 'a rule', [...RULE_KEYS, 'access']);
    const nameNode = map.get('name');
    const name = (nameNode && this.#nodes.text(nameNode, 'name')) ?? defaultName;
    if (names.has(name))
      this.#nodes.problem(nameNode ?? node, `name: another rule is called ${quoted(name)}`);
    names.add(name);
    if (map.has('access')) {
      const own = readAccess(name, map, this.#nodes, this.#selections);
      if (own) access.push(own);
      return undefined;
    }
    const limits = this.#limits(map);
    if (limits.clearance && limits.kinds && !limits.kinds.includes('clearance'))
      this.#nodes.problem(
        map.get('kinds') ?? node,
        'kinds: the rule has a clearance, but its kinds leave clearance out',
      );
    const rule = {
      name,
      ...limits,
      ...defined('zone', this.#zone(map)),
      ...this.#sides(map),
      ...defined('ignore', this.#nodes.flag(map.get('ignore'), 'ignore')),
      ...defined('skipSameAssembly', this.#nodes.flag(map.get('skipSameAssembly'), 'skipSameAssembly')),
      ...defined('skipSameFile', this.#nodes.flag(map.get('skipSameFile'), 'skipSameFile')),
      ...defined('optional', this.#nodes.flag(map.get('optional'), 'optional')),
    };
    return { rule, places: this.#places(map) };
  }

  /** Lengths by the names of sides, and `swing`. */
  #zone(rule: ReadonlyMap<string, Node>): Zone | undefined {
    const given = rule.get('zone');
    if (given === undefined) return undefined;
    const problem = (node: Node, why: string) => this.#nodes.problem(node, `zone: ${why}`);
    for (const key of ['clearance', 'allowance', 'kinds', 'ignore'] as const) {
      const node = rule.get(key);
      if (node !== undefined) problem(node, `a rule with a zone reports obstructions, and has no ${key}`);
    }
    if (rule.get('a') === undefined) problem(given, 'side a says which objects have it');
    const map = this.#nodes.map(given, 'a zone', ZONE_KEYS);
    const sizes = [...map].filter(([key]) => !['from', 'width', 'height'].includes(key));
    if (isMap(this.#nodes.followed(given)) && sizes.length === 0)
      problem(given, 'write how far it reaches, such as { above: 2m } or { front: 900mm }');
    const zone: { -readonly [Key in keyof Zone]: Zone[Key] } = {};
    for (const [key, node] of map) {
      if (key === 'swing') Object.assign(zone, defined('swing', this.#nodes.flag(node, 'swing')));
      else Object.assign(zone, defined(key, this.#nodes.length(node, key)));
    }
    const { above = 0, below = 0, from = 0 } = zone;
    if (from > 0 && from >= Math.max(above, below))
      problem(map.get('from')!, 'it begins (from) where it ends');
    return zone;
  }

  /** `clash: id`, `a:` and `b:`, or a selection of objects to leave out entirely. */
  #ignored(given: Node, name: string, into: { rules: PlacedRule[]; ids: string[] }): void {
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
      const map = this.#nodes.map(node, 'an ignored pair', ['a', 'b']);
      into.rules.push({ rule: { name, ignore: true, ...this.#sides(map) }, places: this.#places(map) });
    } else {
      const rule = { name, ignore: true, ...defined('a', this.#selections.selection(given, 'ignore')) };
      into.rules.push({ rule, places: { a: this.#nodes.placeOf(given) } });
    }
  }

  #places(map: ReadonlyMap<string, Node>): SidePlaces {
    const place = (which: 'a' | 'b') => {
      const node = map.get(which);
      return node && { [which]: this.#nodes.placeOf(node) };
    };
    return { ...place('a'), ...place('b') };
  }

  #sides(map: ReadonlyMap<string, Node>): { a?: Selection; b?: Selection } {
    const side = (which: 'a' | 'b') => {
      const node = map.get(which);
      return node && defined(which, this.#selections.selection(node, which));
    };
    return { ...side('a'), ...side('b') };
  }

  #limits(map: ReadonlyMap<string, Node>): RuleFile['defaults'] & Pick<CheckRule, 'allowance'> {
    return {
      ...defined('clearance', this.#nodes.length(map.get('clearance'), 'clearance')),
      ...defined('tolerance', this.#nodes.length(map.get('tolerance'), 'tolerance')),
      ...defined('allowance', this.#nodes.length(map.get('allowance'), 'allowance')),
      ...defined('kinds', this.#kinds(map.get('kinds'))),
    };
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
