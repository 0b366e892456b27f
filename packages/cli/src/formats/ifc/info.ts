/**
 * What an IFC file says about its products besides triangles: name, type, the storey and building they stand in, their
 * property sets, labels and relations to others, the unit of length. Relations are read once; names and properties are asked for batch by batch.
 *
 * Layout: entities are taken by the position of their attributes, which IFC2X3, IFC4 and IFC4X3 share. Anything
 * unexpected there counts as not given: a file with odd properties still has its triangles.
 */
import type { ObjectLabels, ObjectRelations, PropertyValue } from 'impinge/store';
import { FormatError } from '../format-error.js';
import { shortName, shortPath } from '../growth-limit.js';
import type { IfcEngine, StepLine, StepLines, StepValue } from './engine.js';
import { IfcLabels } from './labels.js';
import { IfcRelations } from './relations.js';
import { addTo, eachLine, linesOf, refs, text } from './step-lines.js';

/** Attributes of every rooted entity. */
const GUID = 0;
const NAME = 2;
/** Of an object or product. */
const OBJECT_TYPE = 4;
const REPRESENTATION = 6;
/** Of a type object. */
const TYPE_PROPERTY_SETS = 5;
const PROJECT_LONG_NAME = 5;
const PROJECT_UNITS = 8;

const MAX_ANCESTORS = 64;
const MAX_PROPERTIES = 250;
const MAX_PROPERTY_NAME = 120;
const MAX_PROPERTY_TEXT = 250;
/** Property sets are shared; this many are kept at a time. */
const MAX_SETS_KEPT = 4096;

const SI_PREFIX: Readonly<Record<string, number>> = {
  EXA: 1e18,
  PETA: 1e15,
  TERA: 1e12,
  GIGA: 1e9,
  MEGA: 1e6,
  KILO: 1e3,
  HECTO: 1e2,
  DECA: 1e1,
  DECI: 1e-1,
  CENTI: 1e-2,
  MILLI: 1e-3,
  MICRO: 1e-6,
  NANO: 1e-9,
  PICO: 1e-12,
  FEMTO: 1e-15,
  ATTO: 1e-18,
};

/** Words in file and project names → discipline. */
const DISCIPLINES: readonly [words: RegExp, discipline: string][] = [
  [/^(arc|arch|architecture|architectural|architectuur|bouwkundig)$/, 'architectural'],
  [/^(str|struc|struct|structure|structural|constructie|tragwerk)$/, 'structural'],
  [/^(hvac|mech|mechanical|ventilation)$/, 'hvac'],
  [/^(ele|elec|electrical|electric|elektro)$/, 'electrical'],
  [/^(plu|plumb|plumbing|sanitary|sanitair)$/, 'plumbing'],
  [/^(spr|sprinkler|sprinklers|fire)$/, 'sprinklers'],
  [/^(mep|tga)$/, 'mep'],
  [/^(civ|civil|infra)$/, 'civil'],
];

export interface IfcProduct {
  readonly id: number;
  /** `IfcWall`. */
  readonly type: string;
}

export interface IfcObjectInfo {
  readonly guid: string;
  readonly name: string;
  /** Site, building, storey, assembly or type, name: without the file, joined by `/`. */
  readonly path: string;
  readonly storey: string;
  readonly hasRepresentation: boolean;
  /** Whether it is a place, or has parts: what it is made of shows elsewhere. */
  readonly isMadeOfOthers: boolean;
  readonly properties: Readonly<Record<string, PropertyValue>>;
  /** Undefined: none. */
  readonly labels: ObjectLabels | undefined;
  readonly relations: ObjectRelations | undefined;
}

interface Ancestor {
  readonly id: number;
  readonly guid: string;
  readonly name: string;
  readonly type: string;
  readonly parent: number | undefined;
}

type Properties = readonly (readonly [name: string, value: PropertyValue])[];

export class IfcInfo {
  readonly metresPerUnit: number;
  readonly projectId: number;
  readonly projectGuid: string;
  /** Of the project; empty where it has none. */
  readonly projectName: string;
  readonly #engine: IfcEngine;
  /** Element → what contains it or what it is a part of. */
  readonly #parentOf: ReadonlyMap<number, number>;
  readonly #parents: ReadonlySet<number>;
  /** Element → its property sets and quantities. */
  readonly #setsOf: ReadonlyMap<number, readonly number[]>;
  readonly #typeOf: ReadonlyMap<number, number>;
  readonly #labels: IfcLabels;
  readonly #relations: IfcRelations;
  readonly #ancestors = new Map<number, Ancestor | undefined>();
  readonly #sets = new Map<number, Properties>();

  private constructor(
    engine: IfcEngine,
    project: { id: number; guid: string; metresPerUnit: number; name: string },
    parentOf: ReadonlyMap<number, number>,
    setsOf: ReadonlyMap<number, readonly number[]>,
    typeOf: ReadonlyMap<number, number>,
    labels: IfcLabels,
    relations: IfcRelations,
  ) {
    this.#engine = engine;
    this.#labels = labels;
    this.#relations = relations;
    this.metresPerUnit = project.metresPerUnit;
    this.projectId = project.id;
    this.projectGuid = project.guid;
    this.projectName = project.name;
    this.#parentOf = parentOf;
    this.#parents = new Set(parentOf.values());
    this.#setsOf = setsOf;
    this.#typeOf = typeOf;
  }

  static async read(engine: IfcEngine, file: string): Promise<IfcInfo> {
    const project = await readProject(engine, file);
    const parentOf = new Map<number, number>();
    // later ones win: a part belongs to its assembly, wherever it stands
    await eachLine(engine, 'IFCRELCONTAINEDINSPATIALSTRUCTURE', ({ values }) => {
      for (const element of refs(values[4])) setParent(parentOf, element, values[5]);
    });
    for (const type of ['IFCRELNESTS', 'IFCRELAGGREGATES']) {
      await eachLine(engine, type, ({ values }) => {
        for (const element of refs(values[5])) setParent(parentOf, element, values[4]);
      });
    }
    const setsOf = new Map<number, number[]>();
    await eachLine(engine, 'IFCRELDEFINESBYPROPERTIES', ({ values }) => {
      for (const element of refs(values[4])) {
        for (const set of refs(values[5])) addTo(setsOf, element, set);
      }
    });
    const typeOf = new Map<number, number>();
    await eachLine(engine, 'IFCRELDEFINESBYTYPE', ({ values }) => {
      for (const element of refs(values[4])) setParent(typeOf, element, values[5]);
    });
    const labels = await IfcLabels.read(engine);
    const relations = await IfcRelations.read(engine, parentOf);
    return new IfcInfo(engine, project, parentOf, setsOf, typeOf, labels, relations);
  }

  /** What is known about these products, in their order. */
  async of(products: readonly IfcProduct[]): Promise<IfcObjectInfo[]> {
    const ids = products.map(({ id }) => id);
    const lines = new Map((await linesOf(this.#engine, ids)).map((line) => [line.id, line]));
    await this.#loadAncestors(ids);
    const sets = await this.#setsWithTypes(ids);
    await this.#loadSets([...new Set(sets.flat())]);
    const labels = await this.#labels.of(
      ids.map((id) => ({
        id,
        typeId: this.#typeOf.get(id),
        shapeId: refs(lines.get(id)?.values[REPRESENTATION])[0],
      })),
    );
    const relations = await this.#relationsOf(ids);
    return products.map(({ id, type }, i) => {
      const values = lines.get(id)?.values ?? [];
      const guid = shortName(text(values[GUID]));
      const name = shortName(text(values[NAME]) || text(values[OBJECT_TYPE]) || guid || `#${id}`);
      const { path, storey } = this.#place(id, name, type);
      const hasRepresentation = refs(values[REPRESENTATION]).length > 0;
      const isMadeOfOthers = isSpatial(type) || this.#parents.has(id);
      const properties = this.#propertiesOf(sets[i]);
      return {
        ...{ guid, name, path, storey, hasRepresentation, isMadeOfOthers, properties },
        ...{ labels: labels[i], relations: relations[i] },
      };
    });
  }

  /** Which others these products belong to, by the ids that objects have. */
  async #relationsOf(ids: readonly number[]): Promise<(ObjectRelations | undefined)[]> {
    const wholes = ids.map((id) => this.#wholesOf(id));
    const related = ids.map((id, i) => this.#relations.of([id, ...wholes[i].map((whole) => whole.id)]));
    const others = new Set(related.flatMap((of) => [...of.fills, ...of.connectedTo, ...of.covers]));
    const names = new Map<number, string>();
    for (const { id, values } of await linesOf(this.#engine, [...others])) {
      names.set(id, objectId(text(values[GUID]), id));
    }
    const named = (those: readonly number[]) => those.flatMap((id) => names.get(id) ?? []);
    return related.map(({ fills, connectedTo, covers }, i) => {
      const found = {
        fills: named(fills),
        partOf: wholes[i].map(({ guid, id }) => objectId(guid, id)),
        connectedTo: named(connectedTo),
        covers: named(covers),
      };
      const given = Object.entries(found).filter(([, those]) => those.length > 0);
      return given.length === 0 ? undefined : Object.fromEntries(given);
    });
  }

  /** What a product is a part of, the nearest first: neither places nor systems. */
  #wholesOf(id: number): Ancestor[] {
    const wholes: Ancestor[] = [];
    for (let at = this.#parentOf.get(id); at !== undefined && wholes.length < MAX_ANCESTORS; ) {
      const ancestor = this.#ancestors.get(at);
      if (ancestor === undefined || !isElement(ancestor.type)) break;
      wholes.push(ancestor);
      at = ancestor.parent;
    }
    return wholes;
  }

  /** Reads names and types on the ways from these products to the project. */
  async #loadAncestors(ids: readonly number[]): Promise<void> {
    const wanted = new Set<number>();
    for (const id of ids) {
      let at = this.#parentOf.get(id);
      while (at !== undefined && !wanted.has(at) && !this.#ancestors.has(at)) {
        wanted.add(at);
        at = this.#parentOf.get(at);
      }
    }
    for (const { id, type, values } of await linesOf(this.#engine, [...wanted])) {
      const guid = text(values[GUID]);
      this.#ancestors.set(id, { id, guid, name: text(values[NAME]), type, parent: this.#parentOf.get(id) });
    }
    for (const id of wanted) if (!this.#ancestors.has(id)) this.#ancestors.set(id, undefined);
  }

  #place(id: number, name: string, type: string): { path: string; storey: string } {
    const chain: Omit<Ancestor, 'id' | 'guid'>[] = [{ name, type, parent: this.#parentOf.get(id) }];
    for (let at = chain[0].parent; at !== undefined && chain.length < MAX_ANCESTORS; ) {
      const ancestor = this.#ancestors.get(at);
      if (ancestor === undefined) break;
      if (ancestor.type !== 'IfcProject') chain.push(ancestor);
      at = ancestor.parent;
    }
    const storey = shortName(chain.find((step) => step.type === 'IfcBuildingStorey')?.name ?? '');
    const words: string[] = [];
    let isPart = false;
    for (const step of chain.reverse()) {
      // a folder for each type on a storey; the parts of an assembly are together in its own
      const isElement = !isSpatial(step.type);
      if (isElement && !isPart) words.push(step.type);
      words.push(shortName(step.name || step.type).replaceAll('/', '_'));
      isPart = isElement;
    }
    return { path: shortPath(words.join('/')), storey };
  }

  async #setsWithTypes(ids: readonly number[]): Promise<number[][]> {
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

  async #loadSets(ids: readonly number[]): Promise<void> {
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
  #propertiesOf(sets: readonly number[]): Record<string, PropertyValue> {
    const out = new Map<string, PropertyValue>();
    for (const set of sets) {
      for (const [name, value] of this.#sets.get(set) ?? []) {
        if (out.size < MAX_PROPERTIES || out.has(name)) out.set(name, value);
      }
    }
    return Object.fromEntries(out);
  }
}

/** The discipline that a word of the file's name speaks of, or else of the project's; else the file's name. */
export function disciplineOf(stem: string, projectName: string): string {
  for (const name of [stem, projectName]) {
    const words = name
      .replace(/([a-z])([A-Z])/g, '$1 $2')
      .toLowerCase()
      .split(/[^a-z]+/);
    for (const [pattern, discipline] of DISCIPLINES) {
      if (words.some((word) => pattern.test(word))) return discipline;
    }
  }
  return stem;
}

async function readProject(
  engine: IfcEngine,
  file: string,
): Promise<{ id: number; guid: string; metresPerUnit: number; name: string }> {
  const [project] = await engine.lines((await engine.idsOf('IFCPROJECT')).slice(0, 1));
  if (project === undefined) throw new FormatError(file, 'it has no IfcProject');
  const { id } = project;
  const guid = text(project.values[GUID]);
  const name = `${text(project.values[NAME])} ${text(project.values[PROJECT_LONG_NAME])}`.trim();
  const [assignment] = await engine.lines(refs(project.values[PROJECT_UNITS]));
  const units = await linesOf(engine, refs(assignment?.values[0]));
  const length = units.find(({ values }) => values.includes('LENGTHUNIT'));
  if (length === undefined) return { id, guid, metresPerUnit: 1, name };
  const metresPerUnit = await metresOf(engine, length);
  if (!(metresPerUnit > 0 && Number.isFinite(metresPerUnit))) {
    throw new FormatError(file, 'its unit of length is not understood', `#${length.id}`);
  }
  return { id, guid, metresPerUnit, name };
}

/** The metres of a unit of length; NaN where it is not understood. */
export async function metresOf(engine: StepLines, { type, values }: StepLine, depth = 0): Promise<number> {
  if (type === 'IfcSIUnit') {
    // its derived first attribute is not among the values
    const prefix = values.at(-2);
    if (values.at(-1) !== 'METRE') return Number.NaN;
    if (prefix === null || prefix === 'LENGTHUNIT') return 1;
    return SI_PREFIX[String(prefix)] ?? Number.NaN;
  }
  if (!type.startsWith('IfcConversionBasedUnit') || depth > 4) return Number.NaN;
  const [factor] = await engine.lines(refs(values[3]));
  const [unit] = await engine.lines(refs(factor?.values[1]));
  if (typeof factor?.values[0] !== 'number' || unit === undefined) return Number.NaN;
  return factor.values[0] * (await metresOf(engine, unit, depth + 1));
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

function setParent(parents: Map<number, number>, child: number, value: StepValue | undefined): void {
  const parent = refs(value)[0];
  if (parent !== undefined && parent !== child) parents.set(child, parent);
}

/** Whether this is a place in which things stand, and not a thing. */
function isSpatial(type: string): boolean {
  return /^Ifc(Site|Building|BuildingStorey|Space|SpatialZone|(Facility|Bridge|Road|Railway|Marine).*)$/.test(
    type,
  );
}

/** Whether this is a thing that may have parts; otherwise a place, a project, or a gathering of things. */
function isElement(type: string): boolean {
  return (
    !isSpatial(type) && !/^Ifc(Project|Context|Group|Zone|Asset|Inventory|.*(System|Circuit))$/.test(type)
  );
}

/** The id that the object of an entity has in a store. */
export function objectId(guid: string, entity: number): string {
  return shortName(guid) || `#${entity}`;
}
