/**
 * Nested mapped representations can grow exponentially: twenty maps of two items each are a million parts in 5 KB. They
 * are counted before the engine unfolds them. Most files map only once; there, nothing is read.
 */
import { FormatError } from '../format-error.js';
import type { IfcEngine } from './engine.js';
import { linesOf, refs } from './step-lines.js';

/** Maps in maps; files have two or three. */
const MAX_DEPTH = 100;
/** Attributes: of a mapped item, of a map, of a representation. */
const MAP = 0;
const MAPPED = 1;
const ITEMS = 3;

/** Refuses a file in which a representation unfolds into more than `most` parts, or into itself. */
export async function assertUnfoldable(engine: IfcEngine, file: string, most: number): Promise<void> {
  const mapped = new Set(await engine.idsOf('IFCMAPPEDITEM'));
  if (mapped.size === 0) return;
  const mapOf = new Map<number, number>();
  const representationOf = new Map<number, number>();
  for (const { id, values } of await linesOf(engine, await engine.idsOf('IFCREPRESENTATIONMAP'))) {
    for (const ref of refs(values[MAPPED])) representationOf.set(id, ref);
  }
  const itemsOf = new Map<number, number[]>();
  for (const { id, values } of await linesOf(engine, [...new Set(representationOf.values())])) {
    itemsOf.set(id, refs(values[ITEMS]));
  }
  const isNested = [...itemsOf.values()].some((items) => items.some((item) => mapped.has(item)));
  if (!isNested) return;
  for (const { id, values } of await linesOf(engine, await engine.idsOf('IFCSHAPEREPRESENTATION'))) {
    itemsOf.set(id, refs(values[ITEMS]));
  }
  for (const { id, values } of await linesOf(engine, [...mapped])) {
    for (const ref of refs(values[MAP])) mapOf.set(id, ref);
  }
  const counts = new Map<number, number>();
  const partsOf = (representation: number, depth: number): number => {
    const known = counts.get(representation);
    if (known !== undefined) return known;
    // infinite recursion
    counts.set(representation, Infinity);
    let count = 0;
    for (const item of itemsOf.get(representation) ?? []) {
      const inner = representationOf.get(mapOf.get(item) ?? 0);
      count += inner === undefined ? 1 : depth > MAX_DEPTH ? Infinity : partsOf(inner, depth + 1);
    }
    counts.set(representation, count);
    return count;
  };
  for (const id of itemsOf.keys()) {
    if (partsOf(id, 0) > most) {
      throw new FormatError(file, `it unfolds into more than ${Math.floor(most)} parts`, `#${id}`);
    }
  }
}
