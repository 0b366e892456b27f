/**
 * The systems, groups, classifications, materials and layers of IFC products. Labels of a type hold for its products,
 * and systems, groups and classifications of a whole hold for its parts. Relations and the names behind them are read
 * once; representations are read batch by batch, and only where the file has layers.
 */
import type { LabelKind, ObjectLabels } from '@impinge/model';
import { shortName } from '../growth-limit.js';
import { readCavities } from './cavities.js';
import { readDoorOperations } from './doors.js';
import type { IfcEngine, StepLine } from './engine.js';
import { addTo, eachLine, eachOf, refs, text } from './step-lines.js';
import { readPeriods } from './tasks.js';

/** Maximum labels of each kind per object. */
const MAX_LABELS = 32;
/** Usage, set, layer, material, and lists of them. */
const MAX_MATERIAL_DEPTH = 6;

/** The entity that carries a label in relations, with its one or more texts. */
interface Source {
  kind: LabelKind;
  readonly texts: string[];
}

/** An object with the entities that carry its labels. */
export interface LabelledProduct {
  readonly id: number;
  readonly typeId: number | undefined;
  /** The wholes that it is a part of. */
  readonly wholes: readonly number[];
  /** Its IfcProductDefinitionShape. */
  readonly shapeId: number | undefined;
}

export class IfcLabels {
  readonly #engine: IfcEngine;
  readonly #sourcesOf: ReadonlyMap<number, readonly Source[]>;
  /** Representation, or item of one → names of layers. */
  readonly #layersOf: ReadonlyMap<number, readonly string[]>;

  private constructor(
    engine: IfcEngine,
    sourcesOf: ReadonlyMap<number, readonly Source[]>,
    layersOf: ReadonlyMap<number, readonly string[]>,
  ) {
    this.#engine = engine;
    this.#sourcesOf = sourcesOf;
    this.#layersOf = layersOf;
  }

  static async read(engine: IfcEngine, metresPerUnit: number): Promise<IfcLabels> {
    const sourcesOf = new Map<number, Source[]>();
    const relate = async (relation: string, relating: number, kind: LabelKind) => {
      const sources = new Map<number, Source>();
      await eachLine(engine, relation, ({ values }) => {
        const [entity] = refs(values[relating]);
        if (entity === undefined) return;
        let source = sources.get(entity);
        if (source === undefined) sources.set(entity, (source = { kind, texts: [] }));
        for (const object of refs(values[4])) addTo(sourcesOf, object, source, MAX_LABELS);
      });
      return sources;
    };
    for (const relation of ['IFCRELASSIGNSTOGROUP', 'IFCRELASSIGNSTOGROUPBYFACTOR']) {
      const groups = await relate(relation, 6, 'group');
      await eachOf(engine, [...groups.keys()], ({ id, type, values }) => {
        const group = groups.get(id)!;
        if (/(System|Circuit)$/.test(type)) group.kind = 'system';
        put(group.texts, text(values[2]));
      });
    }
    const classes = await relate('IFCRELASSOCIATESCLASSIFICATION', 5, 'classification');
    await eachOf(engine, [...classes.keys()], (line) => put(classes.get(line.id)!.texts, classText(line)));
    for (const [id, operation] of await readDoorOperations(engine)) {
      addTo(sourcesOf, id, { kind: 'operation', texts: [operation] }, MAX_LABELS);
    }
    for (const [id, period] of await readPeriods(engine)) {
      addTo(sourcesOf, id, { kind: 'period', texts: [period] }, MAX_LABELS);
    }
    for (const [id, cavities] of await readCavities(engine, metresPerUnit)) {
      addTo(sourcesOf, id, { kind: 'cavities', texts: [cavities] }, MAX_LABELS);
    }
    const materials = await relate('IFCRELASSOCIATESMATERIAL', 5, 'material');
    await nameMaterials(engine, materials);
    const layersOf = new Map<number, string[]>();
    for (const type of ['IFCPRESENTATIONLAYERASSIGNMENT', 'IFCPRESENTATIONLAYERWITHSTYLE']) {
      await eachLine(engine, type, ({ values }) => {
        const name = shortName(text(values[0]));
        for (const item of refs(values[2])) addTo(layersOf, item, name, MAX_LABELS);
      });
    }
    return new IfcLabels(engine, sourcesOf, layersOf);
  }

  /** Those of these products, in their order; undefined: none. */
  async of(products: readonly LabelledProduct[]): Promise<(ObjectLabels | undefined)[]> {
    const layers = await this.#layers(products);
    return products.map(({ id, typeId, wholes, shapeId }) => {
      const labels: { [Kind in LabelKind]?: string[] } = {};
      const own = this.#sourcesOf.get(id) ?? [];
      const ofType = typeId === undefined ? undefined : this.#sourcesOf.get(typeId);
      const ofWholes = wholes.flatMap((whole) => this.#sourcesOf.get(whole) ?? []);
      const inherited = ofWholes.filter(({ kind }) => kind !== 'material');
      for (const { kind, texts } of [...own, ...(ofType ?? []), ...inherited]) {
        for (const name of texts) put((labels[kind] ??= []), name);
      }
      for (const name of (shapeId !== undefined && layers.get(shapeId)) || [])
        put((labels.layer ??= []), name);
      const given = Object.entries(labels).filter(([, texts]) => texts.length > 0);
      return given.length === 0 ? undefined : Object.fromEntries(given);
    });
  }

  /** Shape → its layers. */
  async #layers(products: readonly LabelledProduct[]): Promise<Map<number, string[]>> {
    const found = new Map<number, string[]>();
    if (this.#layersOf.size === 0) return found;
    const shapes = products.flatMap(({ shapeId }) => shapeId ?? []);
    const shapesOf = new Map<number, number[]>();
    await eachOf(this.#engine, shapes, ({ id, values }) => {
      for (const representation of refs(values[2])) addTo(shapesOf, representation, id);
    });
    await eachOf(this.#engine, [...shapesOf.keys()], ({ id, values }) => {
      const names = [id, ...refs(values[3])].flatMap((item) => this.#layersOf.get(item) ?? []);
      for (const shape of shapesOf.get(id)!) {
        for (const name of new Set(names)) addTo(found, shape, name, MAX_LABELS);
      }
    });
    return found;
  }
}

function put(texts: string[], given: string): void {
  const name = shortName(given);
  if (name !== '' && texts.length < MAX_LABELS && !texts.includes(name)) texts.push(name);
}

/** `21.22 External walls`: the code, then its meaning. */
function classText({ values }: StepLine): string {
  return [values[1], values[2]]
    .map(text)
    .filter((word) => word !== '')
    .join(' ');
}

/**
 * Follows sets, layers, profiles and constituents down to the names of materials. Each entity is read once, and its
 * names are gathered once, so that nested sets cost no more than their contents.
 */
async function nameMaterials(engine: IfcEngine, materials: ReadonlyMap<number, Source>): Promise<void> {
  const known = new Map<number, { readonly name: string; readonly inner: readonly number[] }>();
  let reached = [...materials.keys()];
  for (let depth = 0; depth <= MAX_MATERIAL_DEPTH && reached.length > 0; depth++) {
    const next = new Set<number>();
    await eachOf(engine, reached, ({ id, type, values }) => {
      const isNamedFirst = /^IfcMaterial(Profile|Constituent)(Set|WithOffsets)?$/.test(type);
      const inner = refs(values[isNamedFirst ? 2 : 0]);
      known.set(id, { name: type === 'IfcMaterial' ? text(values[0]) : '', inner });
      for (const child of inner) if (!known.has(child)) next.add(child);
    });
    reached = [...next];
  }
  const named = new Map<number, string[]>();
  const namesOf = (id: number, depth: number): readonly string[] => {
    let names = named.get(id);
    if (names !== undefined || depth > MAX_MATERIAL_DEPTH) return names ?? [];
    named.set(id, (names = [])); // also where an entity is inside itself
    const { name = '', inner = [] } = known.get(id) ?? {};
    put(names, name);
    for (const child of inner) for (const deeper of namesOf(child, depth + 1)) put(names, deeper);
    return names;
  };
  for (const [id, { texts }] of materials) texts.push(...namesOf(id, 0));
}
