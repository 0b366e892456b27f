/**
 * The property sets and quantities of IFC products, including those of their types. The assignment of sets to products
 * is read once; the contents of sets batch by batch.
 */
import type { PropertyValue } from '@impinge/model';
import type { IfcEngine, StepLine, StepValue } from './engine.js';
import { addTo, eachLine, linesOf, refs, text } from './step-lines.js';

/** The name of a set. */
const NAME = 2;
/** Of a type object. */
const TYPE_PROPERTY_SETS = 5;

const MAX_PROPERTIES = 250;
const MAX_PROPERTY_NAME = 120;
const MAX_PROPERTY_TEXT = 250;
/** Property sets are shared; this many are kept at a time. */
const MAX_SETS_KEPT = 4096;

type Properties = readonly (readonly [name: string, value: PropertyValue])[];

export class IfcPropertySets {
  readonly #engine: IfcEngine;
  readonly #typeOf: ReadonlyMap<number, number>;
  /** Element → its property sets and quantities. */
  readonly #setsOf: ReadonlyMap<number, readonly number[]>;
  readonly #sets = new Map<number, Properties>();

  private constructor(
    engine: IfcEngine,
    typeOf: ReadonlyMap<number, number>,
    setsOf: ReadonlyMap<number, readonly number[]>,
  ) {
    this.#engine = engine;
    this.#typeOf = typeOf;
    this.#setsOf = setsOf;
  }

  static async read(engine: IfcEngine, typeOf: ReadonlyMap<number, number>): Promise<IfcPropertySets> {
    const setsOf = new Map<number, number[]>();
    await eachLine(engine, 'IFCRELDEFINESBYPROPERTIES', ({ values }) => {
      for (const element of refs(values[4])) {
        for (const set of refs(values[5])) addTo(setsOf, element, set);
      }
    });
    return new IfcPropertySets(engine, typeOf, setsOf);
  }

  /** The properties of these products, in their order. */
  async of(ids: readonly number[]): Promise<Record<string, PropertyValue>[]> {
    const sets = await this.#withTypes(ids);
    await this.#load([...new Set(sets.flat())]);
    return sets.map((those) => this.#values(those));
  }

  async #withTypes(ids: readonly number[]): Promise<number[][]> {
    const types = [...new Set(ids.map((id) => this.#typeOf.get(id)).filter((id) => id !== undefined))];
    const setsOfType = new Map<number, number[]>();
    for (const { id, values } of await linesOf(this.#engine, types)) {
      setsOfType.set(id, refs(values[TYPE_PROPERTY_SETS]));
    }
    return ids.map((id) => [
      ...(setsOfType.get(this.#typeOf.get(id) ?? 0) ?? []),
      ...(this.#setsOf.get(id) ?? []),
    ]);
  }

  async #load(ids: readonly number[]): Promise<void> {
    if (this.#sets.size > MAX_SETS_KEPT) this.#sets.clear();
    const missing = ids.filter((id) => !this.#sets.has(id));
    const lines = await linesOf(this.#engine, missing);
    const members = lines.map(({ type, values }) => refs(values[type === 'IfcElementQuantity' ? 5 : 4]));
    const properties = new Map<number, StepLine>();
    const memberIds = [...new Set(members.flat())];
    for (const line of await linesOf(this.#engine, memberIds)) properties.set(line.id, line);
    for (const id of missing) this.#sets.set(id, []);
    lines.forEach(({ id, values }, i) => {
      const found = members[i].map((member) => property(text(values[NAME]), properties.get(member)));
      this.#sets.set(
        id,
        found.filter((entry) => entry !== undefined),
      );
    });
  }

  /** The sets of the type come first, so that the element's own values win. */
  #values(sets: readonly number[]): Record<string, PropertyValue> {
    const out = new Map<string, PropertyValue>();
    for (const set of sets) {
      for (const [name, value] of this.#sets.get(set) ?? []) {
        if (out.size < MAX_PROPERTIES || out.has(name)) out.set(name, value);
      }
    }
    return Object.fromEntries(out);
  }
}

function property(set: string, line: StepLine | undefined): readonly [string, PropertyValue] | undefined {
  if (line === undefined) return undefined;
  const { type, values } = line;
  const value = propertyValue(values[type.startsWith('IfcQuantity') ? 3 : 2] ?? null);
  const name = [set, text(values[0])].filter((word) => word !== '').join('.');
  if (
    value === undefined ||
    name === '' ||
    !/^Ifc(PropertySingleValue|PropertyEnumeratedValue|Quantity)/.test(type)
  ) {
    return undefined;
  }
  return [name.slice(0, MAX_PROPERTY_NAME), value];
}

function propertyValue(value: StepValue): PropertyValue | undefined {
  if (Array.isArray(value)) {
    const words = value.map(propertyValue).filter((word) => word !== undefined);
    return words.length === 0 ? undefined : words.join(', ').slice(0, MAX_PROPERTY_TEXT);
  }
  if (typeof value === 'string') return value.slice(0, MAX_PROPERTY_TEXT);
  if (typeof value === 'number') return Number.isFinite(value) ? value : undefined;
  return typeof value === 'boolean' ? value : undefined;
}
