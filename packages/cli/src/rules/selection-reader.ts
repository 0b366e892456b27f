/** Selections of objects in a document: patterns, selectors, named sets. */
import {
  LABEL_KINDS,
  OBJECT_TEXTS,
  type PropertyTest,
  SELECTOR_KEYS,
  type Selection,
  type Selector,
} from '@impinge/model';
import { isMap, isScalar, isSeq, type Node } from 'yaml';
import { quoted } from '../formats/format-error.js';
import { type NodeReader, type Optional, suggestion } from './node-reader.js';

const MAX_EXCEPT_DEPTH = 16;

export class SelectionReader {
  readonly #nodes: NodeReader;
  /** The sets defined above the current place: sets refer to earlier ones, so that none contains itself. */
  readonly #sets = new Map<string, Selection>();

  constructor(nodes: NodeReader) {
    this.#nodes = nodes;
  }

  /** The named sets of a file; selections that are read later may refer to them. */
  sets(given: Optional): Readonly<Record<string, Selection>> {
    if (given !== undefined) {
      for (const [name, node] of this.#nodes.map(given, 'sets', undefined)) {
        const selection = this.selection(node, `set ${quoted(name)}`);
        if (selection !== undefined) this.#sets.set(name, selection);
      }
    }
    return Object.fromEntries(this.#sets);
  }

  has(set: string): boolean {
    return this.#sets.has(set);
  }

  selection(given: Node, where: string, depth = 0): Selection | undefined {
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
    for (const key of [...OBJECT_TEXTS, ...LABEL_KINDS]) {
      const value = map.get(key);
      if (value === undefined) continue;
      const patterns = this.#nodes
        .list(value, key, true)
        .flatMap((one) => this.#nodes.pattern(one, key, 'a pattern', true) ?? []);
      selector[key] = patterns.length === 1 ? patterns[0] : patterns;
    }
    const property = map.get('property');
    if (property !== undefined) selector.property = this.#properties(property);
    const set = map.get('set');
    if (set !== undefined) selector.set = this.#setNames(set);
    const near = map.get('near');
    const close = near && this.#near(near);
    if (close !== undefined) selector.near = close;
    const except = map.get('except');
    const left = except && this.selection(except, 'except', depth + 1);
    if (left !== undefined) selector.except = left;
    return selector;
  }

  #setNames(given: Node): string[] {
    return this.#nodes.list(given, 'set', true).flatMap((node) => {
      const name = this.#nodes.text(node, 'set', 'the name of a set');
      if (name === undefined) return [];
      if (!this.has(name)) {
        const known = [...this.#sets.keys()];
        const hint =
          known.length === 0 ? '; "sets:" at the top of the file names them' : suggestion(name, known);
        this.#nodes.problem(node, `set: no set above is called ${quoted(name)}${hint}`);
      }
      return [name];
    });
  }

  #near(given: Node): Selector['near'] | undefined {
    const map = this.#nodes.map(given, 'near', ['set', 'within']);
    const [set, length] = [map.get('set'), map.get('within')];
    if (set === undefined || length === undefined) {
      if (isMap(this.#nodes.followed(given)))
        this.#nodes.problem(given, 'near: write {set: NAME, within: 2m}');
      return undefined;
    }
    const within = this.#nodes.length(length, 'within');
    return within === undefined ? undefined : { set: this.#setNames(set), within };
  }

  #properties(given: Node): NonNullable<Selector['property']> {
    const map = this.#nodes.map(given, 'property', undefined);
    if (isMap(this.#nodes.followed(given)) && map.size === 0)
      this.#nodes.problem(given, 'property: write the name of a property and its value');
    const entries = [...map].map(([name, node]) => [name, this.#propertyTest(name, node)] as const);
    return Object.fromEntries(entries);
  }

  #propertyTest(name: string, given: Node): PropertyTest {
    const node = this.#nodes.followed(given);
    if (isMap(node)) return this.#range(name, given);
    const value = isScalar(node) ? node.value : undefined;
    if (typeof value === 'number' || typeof value === 'boolean') return value;
    const what = 'a text, a number, true, false, or a range such as {min: 2, max: 5}';
    return this.#nodes.pattern(given, name, what, true) ?? '';
  }

  #range(name: string, given: Node): PropertyTest {
    const map = this.#nodes.map(given, 'a range', ['min', 'max']);
    const node = this.#nodes.followed(given);
    if (isMap(node) && node.items.length === 0)
      this.#nodes.problem(given, `${name}: a range needs min, max or both`);
    const range: { min?: number; max?: number } = {};
    for (const end of ['min', 'max'] as const) {
      const node = map.get(end);
      if (node === undefined) continue;
      const number = this.#nodes.number(node, end);
      if (number !== undefined) range[end] = number;
    }
    if ((range.min ?? -Infinity) > (range.max ?? Infinity))
      this.#nodes.problem(given, `${name}: min is more than max`);
    return range;
  }
}
