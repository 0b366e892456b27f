/**
 * The data of IFC products besides triangles: name, type, storey and building, property sets, labels and relations to
 * other products, the unit of length. Relations are read once; names and properties are requested batch by batch.
 *
 * Layout: entities are taken by the position of their attributes, which IFC2X3, IFC4 and IFC4X3 share. Anything
 * unexpected there counts as not given: a file with odd properties still has its triangles.
 */
import type { ObjectLabels, ObjectRelations, PropertyValue } from '@impinge/model';
import { shortName, shortPath } from '../growth-limit.js';
import type { IfcEngine, StepValue } from './engine.js';
import { IfcLabels } from './labels.js';
import { type IfcProject, readProject } from './project.js';
import { IfcPropertySets } from './property-sets.js';
import { IfcRelations } from './relations.js';
import { eachLine, linesOf, refs, text } from './step-lines.js';

/** Attributes of every rooted entity. */
const GUID = 0;
const NAME = 2;
/** Of an object or product. */
const OBJECT_TYPE = 4;
const PLACEMENT = 5;
const REPRESENTATION = 6;
/** Of an element. */
const TAG = 7;

const MAX_ANCESTORS = 64;
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
  /** The number of its placement. */
  readonly placement: number | undefined;
  readonly hasRepresentation: boolean;
  /** Whether it is a spatial element, or has parts: its components appear separately. */
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

export class IfcInfo {
  readonly metresPerUnit: number;
  readonly projectId: number;
  readonly projectGuid: string;
  /** Of the project; empty where it has none. */
  readonly projectName: string;
  readonly #engine: IfcEngine;
  /** Element → its container, or the whole that it is a part of. */
  readonly #parentOf: ReadonlyMap<number, number>;
  readonly #parents: ReadonlySet<number>;
  readonly #typeOf: ReadonlyMap<number, number>;
  readonly #properties: IfcPropertySets;
  readonly #labels: IfcLabels;
  readonly #relations: IfcRelations;
  readonly #ancestors = new Map<number, Ancestor | undefined>();

  private constructor(
    engine: IfcEngine,
    project: IfcProject,
    parentOf: ReadonlyMap<number, number>,
    typeOf: ReadonlyMap<number, number>,
    properties: IfcPropertySets,
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
    this.#properties = properties;
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
    const typeOf = new Map<number, number>();
    await eachLine(engine, 'IFCRELDEFINESBYTYPE', ({ values }) => {
      for (const element of refs(values[4])) setParent(typeOf, element, values[5]);
    });
    const properties = await IfcPropertySets.read(engine, typeOf);
    const labels = await IfcLabels.read(engine, project.metresPerUnit);
    const relations = await IfcRelations.read(engine, parentOf);
    return new IfcInfo(engine, project, parentOf, typeOf, properties, labels, relations);
  }

  /** The data of these products, in their order. */
  async of(products: readonly IfcProduct[]): Promise<IfcObjectInfo[]> {
    const ids = products.map(({ id }) => id);
    const lines = new Map((await linesOf(this.#engine, ids)).map((line) => [line.id, line]));
    await this.#loadAncestors(ids);
    const properties = await this.#properties.of(ids);
    const labels = await this.#labels.of(
      ids.map((id) => ({
        id,
        typeId: this.#typeOf.get(id),
        wholes: this.#wholesOf(id).map((whole) => whole.id),
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
      return {
        ...{ guid, name, path, storey, hasRepresentation, isMadeOfOthers },
        placement: refs(values[PLACEMENT])[0],
        ...{ properties: properties[i], labels: withTag(labels[i], type, values), relations: relations[i] },
      };
    });
  }

  /** The related objects of these products, by their ids. */
  async #relationsOf(ids: readonly number[]): Promise<(ObjectRelations | undefined)[]> {
    const wholes = ids.map((id) => this.#wholesOf(id));
    const related = ids.map((id, i) => this.#relations.of([id, ...wholes[i].map((whole) => whole.id)]));
    const others = new Set(related.flatMap((of) => Object.values(of).flat()));
    const names = new Map<number, string>();
    for (const { id, values } of await linesOf(this.#engine, [...others])) {
      names.set(id, objectId(text(values[GUID]), id));
    }
    const named = (those: readonly number[]) => those.flatMap((id) => names.get(id) ?? []);
    return related.map((of, i) => {
      const found = {
        fills: named(of.fills),
        partOf: wholes[i].map(({ guid, id }) => objectId(guid, id)),
        connectedTo: named(of.connectedTo),
        covers: named(of.covers),
        joinedTo: named(of.joinedTo),
      };
      const given = Object.entries(found).filter(([, those]) => those.length > 0);
      return given.length === 0 ? undefined : Object.fromEntries(given);
    });
  }

  /** The wholes that a product is a part of, the nearest first: neither places nor systems. */
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

/** With the mark that people know an element by; other products have another attribute in its place. */
function withTag(
  labels: ObjectLabels | undefined,
  type: string,
  values: readonly StepValue[],
): ObjectLabels | undefined {
  const tag = isElement(type) && !NO_ELEMENTS.test(type) ? shortName(text(values[TAG])) : '';
  return tag === '' ? labels : { ...labels, tag: [tag] };
}

/** Products besides elements and places. */
const NO_ELEMENTS =
  /^Ifc(Proxy|Annotation|Grid|Referent|Alignment.*|Linear.*|Positioning.*|Structural.*|.*Port)$/;

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
