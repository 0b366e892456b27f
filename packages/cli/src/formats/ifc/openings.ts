/** Holes of an IFC file that no door or window fills: where services are meant to go through. */
import type { StoreOpening } from '@impinge/model';
import { FormatError } from '../format-error.js';
import { type GrowthLimit, shortName } from '../growth-limit.js';
import type { IfcEngine } from './engine.js';
import { objectId } from './info.js';
import { bakedParts } from './part-shape.js';
import { eachLine, linesOf, refs, text } from './step-lines.js';

const GUID = 0;
const NAME = 2;
const TYPES = ['IFCOPENINGELEMENT', 'IFCOPENINGSTANDARDCASE', 'IFCVOIDINGFEATURE'];

export async function readOpenings(
  engine: IfcEngine,
  file: string,
  growth: GrowthLimit,
  segments: number,
): Promise<StoreOpening[]> {
  const filled = new Set<number>();
  await eachLine(engine, 'IFCRELFILLSELEMENT', ({ values }) => {
    for (const opening of refs(values[4])) filled.add(opening);
  });
  const hostOf = new Map<number, number>();
  await eachLine(engine, 'IFCRELVOIDSELEMENT', ({ values }) => {
    const [host] = refs(values[4]);
    for (const opening of refs(values[5])) if (host !== undefined) hostOf.set(opening, host);
  });
  const hostIds = new Map<number, string>();
  for (const { id, values } of await linesOf(engine, [...new Set(hostOf.values())]))
    hostIds.set(id, objectId(text(values[GUID]), id));
  const openings: StoreOpening[] = [];
  for (const type of TYPES) {
    const ids = (await engine.idsOf(type)).filter((id) => !filled.has(id));
    for (const { id, values } of await linesOf(engine, ids)) {
      const parts = await engine.parts(id, segments);
      if (parts.length === 0) continue;
      const fail = (why: string) => new FormatError(file, why, `an opening, #${id}`);
      const { positions, indices } = bakedParts(parts, fail);
      const opening = {
        name: shortName(text(values[NAME]) || objectId(text(values[GUID]), id)),
        host: hostIds.get(hostOf.get(id) ?? -1) ?? '',
        positions: Array.from(positions, (x) => Number(x.toFixed(9)) + 0),
        indices: Array.from(indices),
      };
      growth.object(JSON.stringify(opening).length);
      openings.push(opening);
    }
  }
  return openings;
}
