/**
 * Which rule decides about a pair of objects. The first one that selects the pair, in either order, does; where it
 * ignores the pair, and where no rule selects it, the pair is not checked. A rule that skips the same assembly or the
 * same file does not select such pairs: a later rule may. Objects without a parent, or of no known file, share none.
 *
 * Layout: rules are bits of 32-bit words. Entries [starts[p], starts[p + 1]) hold the words of profile p that are not
 * 0, rising: which word it is, the rules that have the profile on side a, and those that have it on side b. Thousands
 * of rules about single objects add no cost to other objects.
 */
import { ImpingeError } from 'impinge/internal/base/errors.js';
import { shown } from 'impinge/internal/base/options.js';
import { CLASH_KINDS, type ClashKind, kindBit } from '../clash-kinds.js';
import type { PairAsk } from '../measure-pair.js';
import { readZone, type ZoneSizes } from '../zones/zone.js';
import type { Profiles } from './profiles.js';
import type { CheckRule, Selection, SelectionSets } from './rule.js';
import { type RuleModel, SelectionSet, type Sorting } from './selection.js';

export interface RuleDefaults {
  readonly clearance: number;
  readonly tolerance: number;
  readonly kinds: readonly ClashKind[];
}

export interface TableRule {
  readonly name: string;
  /** 0 where the kinds leave clearances out. */
  readonly clearance: number;
  readonly tolerance: number;
  /** How much larger an opening may be than what goes through it needs; undefined: as usual. */
  readonly allowance: number | undefined;
  /** The bits of kinds, see `kindBit`; 0 of rules that ignore. */
  readonly kinds: number;
  /** Undefined where the objects themselves are compared. */
  readonly zone: ZoneSizes | undefined;
  /** Objects on either side. */
  readonly countA: number;
  readonly countB: number;
  /** Parts of sides that find no object, where the side does: `side a: type "IfcWal"`. */
  readonly unmatched: readonly string[];
}

/** A side of a rule that selects no object. */
export interface EmptySide {
  /** The rule's position and name. */
  readonly index: number;
  readonly rule: string;
  readonly side: 'a' | 'b';
}

const RULE_KEYS: Readonly<Record<keyof CheckRule, true>> = {
  name: true,
  a: true,
  b: true,
  clearance: true,
  tolerance: true,
  allowance: true,
  kinds: true,
  zone: true,
  ignore: true,
  skipSameAssembly: true,
  skipSameFile: true,
  optional: true,
};

const CLEARANCE = kindBit('clearance');
const OBSTRUCTION = kindBit('obstruction');
/** Found by searches for paths, not by measuring pairs. */
const BLOCKED = kindBit('blocked');

/** Validated rules, independent of a model. */
export class CompiledRules {
  readonly #rules: readonly CompiledRule[];
  readonly #selections: SelectionSet;

  /** All pairs by one rule named `default` where there are none. Throws `bad-option`, naming the rule that is wrong. */
  constructor(
    rules: readonly CheckRule[] | undefined,
    defaults: RuleDefaults,
    sets: SelectionSets | undefined = undefined,
  ) {
    this.#selections = new SelectionSet(sets);
    const given = rules === undefined || rules.length === 0 ? [{ name: 'default' }] : rules;
    this.#rules = given.map((rule, index) => compileRule(rule, index, defaults, this.#selections));
  }

  /** Whether they need the properties of the model's objects. */
  get asksForProperties(): boolean {
    return this.#selections.asksForProperties;
  }

  /** Sorts the objects of a model for `tableFor`. */
  sorting(model: RuleModel): Sorting {
    return this.#selections.sorting(model);
  }

  tableFor(model: RuleModel, sorted: Profiles): RuleTable {
    return new RuleTable(this.#rules, sorted, model);
  }
}

interface CompiledRule extends Omit<TableRule, 'countA' | 'countB' | 'unmatched'> {
  /** Numbers of selections; everything where undefined. */
  readonly a: number | undefined;
  readonly b: number | undefined;
  readonly ignore: boolean;
  readonly skipSameAssembly: boolean;
  readonly skipSameFile: boolean;
  readonly optional: boolean;
}

export class RuleTable {
  /** One for each rule given, in their order. */
  readonly rules: readonly TableRule[];
  /** The largest clearance: pairs farther apart matter to no rule. */
  readonly clearance: number;
  readonly #compiled: readonly CompiledRule[];
  readonly #profileOf: Uint32Array;
  readonly #starts: Uint32Array;
  readonly #words: Uint32Array;
  readonly #sideA: Uint32Array;
  readonly #sideB: Uint32Array;
  /** By object: the number of its parent and of its file, 0 where it has none; empty when no rule needs them. */
  readonly #assemblyOf: Uint32Array;
  readonly #fileOf: Uint32Array;
  /** Positions of rules that ignore pairs. */
  readonly #ignoring: readonly number[];

  /** See `CompiledRules`. */
  constructor(compiled: readonly CompiledRule[], profiles: Profiles, model: RuleModel) {
    const { profileOf, sizes } = profiles;
    this.#compiled = compiled;
    this.#ignoring = compiled.flatMap(({ ignore }, index) => (ignore ? [index] : []));
    this.#profileOf = profileOf;
    const everything = new Set(sizes.keys());
    const side = (selection: number | undefined) =>
      selection === undefined ? everything : profiles.selected(selection);
    const objects = (side: ReadonlySet<number>) => [...side].reduce((sum, p) => sum + sizes[p], 0);
    const words: number[][] = sizes.map(() => []);
    const bitsA: number[][] = sizes.map(() => []);
    const bitsB: number[][] = sizes.map(() => []);
    const put = (rule: number, profile: number, bits: number[][], others: number[][]) => {
      if (words[profile].at(-1) !== rule >>> 5) {
        words[profile].push(rule >>> 5);
        bits[profile].push(0);
        others[profile].push(0);
      }
      bits[profile][bits[profile].length - 1] |= 1 << (rule & 31);
    };
    this.rules = compiled.map(({ name, clearance, tolerance, allowance, kinds, zone, ...rule }, index) => {
      const a = side(rule.a);
      const b = side(rule.b);
      for (const profile of a) put(index, profile, bitsA, bitsB);
      for (const profile of b) put(index, profile, bitsB, bitsA);
      const unmatched = (['a', 'b'] as const).flatMap((which) => {
        const selection = rule[which];
        if (selection === undefined || rule.ignore || rule.optional) return [];
        const found = which === 'a' ? a : b;
        return found.size === 0 ? [] : profiles.unmatched(selection).map((text) => `side ${which}: ${text}`);
      });
      const limits = { clearance, tolerance, allowance, kinds, zone };
      return { name, ...limits, countA: objects(a), countB: objects(b), unmatched };
    });
    this.#starts = new Uint32Array(sizes.length + 1);
    words.forEach((list, p) => {
      this.#starts[p + 1] = this.#starts[p] + list.length;
    });
    this.#words = Uint32Array.from(words.flat());
    this.#sideA = Uint32Array.from(bitsA.flat());
    this.#sideB = Uint32Array.from(bitsB.flat());
    this.clearance = compiled.reduce(
      (most, rule) => (rule.ignore ? most : Math.max(most, rule.clearance)),
      0,
    );
    const skips = (which: 'skipSameAssembly' | 'skipSameFile') => compiled.some((rule) => rule[which]);
    this.#assemblyOf = skips('skipSameAssembly')
      ? numbered(model, ({ path }) => assemblyOf(path))
      : new Uint32Array(0);
    this.#fileOf = skips('skipSameFile') ? numbered(model, ({ file }) => file) : new Uint32Array(0);
  }

  /**
   * The sides that should select something and do not: of rules that are not optional and ignore nothing, or, where no
   * rule at all can apply, of all.
   */
  get emptySides(): EmptySide[] {
    const empty = this.#compiled.flatMap((rule, index) => {
      const { countA, countB } = this.rules[index];
      const side = (which: 'a' | 'b', count: number) =>
        rule.ignore || rule[which] === undefined || count > 0
          ? []
          : [{ index, rule: rule.name, side: which }];
      return [...side('a', countA), ...side('b', countB)];
    });
    const canApply = this.rules.some(({ kinds, countA, countB }) => kinds !== 0 && countA > 0 && countB > 0);
    return canApply ? empty.filter(({ index }) => !this.#compiled[index].optional) : empty;
  }

  /** The rule by which to compare objects i and j, in either order; −1: not at all. Zones are asked about besides. */
  ruleOf(i: number, j: number): number {
    if (i === j) return -1;
    const p = this.#profileOf[i];
    const q = this.#profileOf[j];
    const endP = this.#starts[p + 1];
    const endQ = this.#starts[q + 1];
    for (let x = this.#starts[p], y = this.#starts[q]; x < endP && y < endQ; ) {
      const word = this.#words[x];
      if (word !== this.#words[y]) {
        if (word < this.#words[y]) x++;
        else y++;
        continue;
      }
      let bits = (this.#sideA[x] & this.#sideB[y]) | (this.#sideB[x] & this.#sideA[y]);
      for (; bits !== 0; bits &= bits - 1) {
        const index = 32 * word + 31 - Math.clz32(bits & -bits);
        const rule = this.#compiled[index];
        if (rule.zone !== undefined || this.#skips(rule, i, j)) continue;
        return rule.kinds === 0 ? -1 : index;
      }
      x++;
      y++;
    }
    return -1;
  }

  /** Whether a rule asks about the zone of an object. */
  owns(rule: number, object: number): boolean {
    const { zone, kinds } = this.rules[rule];
    return zone !== undefined && kinds !== 0 && this.#isOn(this.#sideA, rule, object);
  }

  /** Whether a rule, which has a zone, wants object j to be out of that of i. */
  keepsOut(rule: number, i: number, j: number): boolean {
    if (i === j || this.#skips(this.#compiled[rule], i, j)) return false;
    if (!this.#selects(rule, i, j)) return false;
    for (const index of this.#ignoring) {
      if (index >= rule) break;
      if (this.#skips(this.#compiled[index], i, j)) continue;
      if (this.#selects(index, i, j) || this.#selects(index, j, i)) return false;
    }
    return true;
  }

  #skips({ skipSameAssembly, skipSameFile }: CompiledRule, i: number, j: number): boolean {
    return (skipSameAssembly && share(this.#assemblyOf, i, j)) || (skipSameFile && share(this.#fileOf, i, j));
  }

  /** Whether i is on side a of a rule, and j on side b. */
  #selects(rule: number, i: number, j: number): boolean {
    return this.#isOn(this.#sideA, rule, i) && this.#isOn(this.#sideB, rule, j);
  }

  #isOn(side: Uint32Array, rule: number, object: number): boolean {
    const profile = this.#profileOf[object];
    for (let x = this.#starts[profile]; x < this.#starts[profile + 1]; x++)
      if (this.#words[x] === rule >>> 5) return ((side[x] >>> (rule & 31)) & 1) === 1;
    return false;
  }
}

const share = (numbers: Uint32Array, i: number, j: number) => numbers[i] !== 0 && numbers[i] === numbers[j];

/** The parent in a path. A folder that gathers the elements of an IFC class (`IfcWall`) is no assembly. */
function assemblyOf(path: string): string {
  const parent = path.slice(0, Math.max(0, path.lastIndexOf('/')));
  return /(^|\/)Ifc[A-Z]\w*$/.test(parent) ? '' : parent;
}

/** Numbers the texts of a model's objects from 1; the empty one is 0. */
function numbered(model: RuleModel, textOf: (info: ReturnType<RuleModel['object']>) => string): Uint32Array {
  const numbers = new Map<string, number>([['', 0]]);
  const out = new Uint32Array(model.objectCount);
  for (let i = 0; i < out.length; i++) {
    const text = textOf(model.object(i));
    let number = numbers.get(text);
    if (number === undefined) {
      number = numbers.size;
      numbers.set(text, number);
    }
    out[i] = number;
  }
  return out;
}

function compileRule(
  rule: CheckRule,
  index: number,
  defaults: RuleDefaults,
  selections: SelectionSet,
): CompiledRule {
  const name = rule.name ?? `rule ${index + 1}`;
  const fail = (why: string): never => {
    throw new ImpingeError('bad-option', `rule "${name}": ${why}`, { rule: name, index });
  };
  if (typeof name !== 'string' || name === '') fail('its name is not a text');
  for (const key of Object.keys(rule))
    if (!Object.hasOwn(RULE_KEYS, key))
      fail(`unknown field "${key}"; there are ${Object.keys(RULE_KEYS).join(', ')}`);
  const length = (what: 'clearance' | 'tolerance' | 'allowance', value: number) => {
    if (!(typeof value === 'number' && value >= 0 && value < Infinity))
      fail(`its ${what} is ${shown(value)}, not a length of 0 or more`);
    return value;
  };
  const flag = (what: 'ignore' | 'skipSameAssembly' | 'skipSameFile' | 'optional') => {
    const value = rule[what] ?? false;
    if (typeof value !== 'boolean') fail(`${what} is ${shown(value)}, not true or false`);
    return value;
  };
  const side = (which: 'a' | 'b') => {
    const selection: Selection | undefined = rule[which];
    return selection === undefined ? undefined : selections.add(selection, `rule "${name}", side ${which}`);
  };
  const clearance = length('clearance', rule.clearance ?? defaults.clearance);
  const kinds = kindMask(rule.kinds ?? defaults.kinds, fail);
  if (rule.kinds !== undefined && (rule.clearance ?? 0) > 0 && (kinds & CLEARANCE) === 0)
    fail('it asks for a clearance, but its kinds leave clearance out');
  const ignore = flag('ignore');
  const zone = rule.zone === undefined ? undefined : readZone(rule.zone, fail);
  if (zone && (ignore || rule.kinds !== undefined || rule.clearance !== undefined))
    fail('it has a zone, and so neither clearance nor kinds, and does not ignore');
  if (!zone && rule.kinds !== undefined && kinds === OBSTRUCTION)
    fail('it reports obstructions, but has no zone');
  if (rule.kinds !== undefined && kinds === BLOCKED)
    fail('it reports what is blocked, but asks for no access');
  return {
    name,
    clearance: zone || (kinds & CLEARANCE) === 0 ? 0 : clearance,
    tolerance: length('tolerance', rule.tolerance ?? defaults.tolerance),
    allowance: rule.allowance === undefined ? undefined : length('allowance', rule.allowance),
    kinds: ignore ? 0 : kinds & (zone ? OBSTRUCTION : ~(OBSTRUCTION | BLOCKED)),
    zone,
    a: side('a'),
    b: side('b'),
    ignore,
    skipSameAssembly: flag('skipSameAssembly'),
    skipSameFile: flag('skipSameFile'),
    optional: flag('optional'),
  };
}

/** The settings for every pair in a check without rules. */
export function askOfAll(defaults: RuleDefaults): PairAsk {
  return compileRule({ name: 'default' }, 0, defaults, new SelectionSet(undefined));
}

function kindMask(kinds: readonly ClashKind[], fail: (why: string) => never): number {
  if (!Array.isArray(kinds) || kinds.length === 0)
    fail('its kinds are not a list of at least one; "ignore: true" leaves pairs out');
  let mask = 0;
  for (const kind of kinds) {
    if (!CLASH_KINDS.includes(kind)) fail(`unknown kind "${kind}"; there are ${CLASH_KINDS.join(', ')}`);
    mask |= kindBit(kind);
  }
  return mask;
}
