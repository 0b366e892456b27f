/**
 * Which products of an IFC file belong together: fillings of openings, connections by ports, coverings,
 * joints. The tree of
 * places provides the parts of assemblies.
 */
import type { IfcEngine } from './engine.js';
import { addTo, eachLine, refs } from './step-lines.js';

/** Elements are related and relating to each other in attributes 5 and 6 of all of these. */
const JOINTS = [
  'IFCRELCONNECTSELEMENTS',
  'IFCRELCONNECTSPATHELEMENTS',
  'IFCRELCONNECTSWITHREALIZINGELEMENTS',
];

/** Limit per kind and object; real models have fewer. */
const MAX_RELATED = 64;

export interface IfcRelated {
  readonly fills: readonly number[];
  readonly connectedTo: readonly number[];
  readonly covers: readonly number[];
  readonly joinedTo: readonly number[];
}

export class IfcRelations {
  readonly #fills = new Map<number, number[]>();
  readonly #connectedTo = new Map<number, number[]>();
  readonly #covers = new Map<number, number[]>();
  readonly #joinedTo = new Map<number, number[]>();

  private constructor() {}

  /** `parentOf` includes the ports nested in their elements. */
  static async read(engine: IfcEngine, parentOf: ReadonlyMap<number, number>): Promise<IfcRelations> {
    const out = new IfcRelations();
    const hostsOf = new Map<number, number[]>();
    await eachLine(engine, 'IFCRELVOIDSELEMENT', ({ values }) => {
      const [host] = refs(values[4]);
      for (const opening of refs(values[5]))
        if (host !== undefined) addTo(hostsOf, opening, host, MAX_RELATED);
    });
    await eachLine(engine, 'IFCRELFILLSELEMENT', ({ values }) => {
      const hosts = refs(values[4]).flatMap((opening) => hostsOf.get(opening) ?? []);
      for (const filler of refs(values[5])) for (const host of hosts) relate(out.#fills, filler, host);
    });
    await eachLine(engine, 'IFCRELCOVERSBLDGELEMENTS', ({ values }) => {
      const [covered] = refs(values[4]);
      if (covered === undefined) return;
      for (const covering of refs(values[5])) relate(out.#covers, covering, covered);
    });
    for (const type of JOINTS) {
      await eachLine(engine, type, ({ values }) => {
        // realizing elements, in attribute 7, are joined to both
        const joined = [values[5], values[6], values[7]].flatMap(refs);
        for (const from of joined) for (const to of joined) relate(out.#joinedTo, from, to);
      });
    }
    const elementOf = new Map<number, number>();
    await eachLine(engine, 'IFCRELCONNECTSPORTTOELEMENT', ({ values }) => {
      const [port, element] = [refs(values[4])[0], refs(values[5])[0]];
      if (port !== undefined && element !== undefined) elementOf.set(port, element);
    });
    await eachLine(engine, 'IFCRELCONNECTSPORTS', ({ values }) => {
      const ends = [values[4], values[5]].flatMap((port) => {
        const [id] = refs(port);
        return id === undefined ? [] : (elementOf.get(id) ?? parentOf.get(id) ?? []);
      });
      // the connecting element, a fitting or a weld, is connected to both
      const joined = [...ends, ...refs(values[6]).slice(0, 1)];
      for (const from of joined) for (const to of joined) relate(out.#connectedTo, from, to);
    });
    return out;
  }

  /** The relations of a product and of the assemblies that it is a part of. */
  of(ids: readonly number[]): IfcRelated {
    const all = (related: ReadonlyMap<number, readonly number[]>) =>
      [...new Set(ids.flatMap((id) => related.get(id) ?? []))]
        .filter((id) => !ids.includes(id))
        .slice(0, MAX_RELATED);
    return {
      fills: all(this.#fills),
      connectedTo: all(this.#connectedTo),
      covers: all(this.#covers),
      joinedTo: all(this.#joinedTo),
    };
  }
}

function relate(related: Map<number, number[]>, from: number, to: number): void {
  if (from !== to && !related.get(from)?.includes(to)) addTo(related, from, to, MAX_RELATED);
}
