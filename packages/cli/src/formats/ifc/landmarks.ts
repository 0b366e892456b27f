/**
 * Storeys and rooms of an IFC file.
 *
 * The floor of a storey is where its placement is: that is what its elements are placed on. Only where the placements
 * of several storeys are equally high although they state different elevations, these are added to it.
 */
import type { StoreRoom, StoreStorey } from '@impinge/model';
import { FormatError } from '../format-error.js';
import { type GrowthLimit, shortName } from '../growth-limit.js';
import { PlacementProblem } from './axis-placement.js';
import type { IfcEngine, StepLine } from './engine.js';
import type { GridPlacements } from './grid-placement.js';
import { bakedParts } from './part-shape.js';
import { linesOf, refs, text } from './step-lines.js';

const NAME = 2;
const PLACEMENT = 5;
const LONG_NAME = 7;
const ELEVATION = 9;
/** Limit on the data kept of a file. */
const MAX_STOREYS = 1000;
/** Heights that differ by less, relative to the largest, are equal. */
const EQUAL = 1e-9;

/** From the lowest to the highest. */
export async function readStoreys(engine: IfcEngine, placements: GridPlacements): Promise<StoreStorey[]> {
  const ids = (await engine.idsOf('IFCBUILDINGSTOREY')).slice(0, MAX_STOREYS);
  const found: { name: string; placed: number | undefined; stated: number | undefined }[] = [];
  for (const { values } of await linesOf(engine, ids)) {
    const stated = values[ELEVATION];
    found.push({
      name: shortName(text(values[NAME])),
      placed: await heightOf(refs(values[PLACEMENT])[0], placements),
      stated: typeof stated === 'number' && Number.isFinite(stated) ? stated : undefined,
    });
  }
  const isOne = (heights: readonly (number | undefined)[]) => {
    const all = heights.map((height) => height ?? 0);
    const size = Math.max(...all.map(Math.abs));
    return Math.max(...all) - Math.min(...all) <= EQUAL * size;
  };
  const isStated = isOne(found.map(({ placed }) => placed)) && !isOne(found.map(({ stated }) => stated));
  return found
    .flatMap(({ name, placed, stated }) => {
      const elevation = isStated ? (placed ?? 0) + (stated ?? 0) : (placed ?? stated);
      return name === '' || elevation === undefined ? [] : [{ name, elevation: rounded(elevation) }];
    })
    .sort((p, q) => p.elevation - q.elevation);
}

async function heightOf(placement: number | undefined, placements: GridPlacements) {
  try {
    return placement === undefined ? undefined : (await placements.place(placement))[14];
  } catch (error) {
    if (error instanceof PlacementProblem) return undefined;
    throw error;
  }
}

/** Files have 3.100000000000378 for 3.1. */
function rounded(height: number): number {
  return Number(height.toFixed(9)) + 0;
}

/** Spaces that have triangles, by number and name: `A102 Bathroom`. */
export async function readRooms(
  engine: IfcEngine,
  file: string,
  growth: GrowthLimit,
  segments: number,
): Promise<StoreRoom[]> {
  const rooms: StoreRoom[] = [];
  for (const line of await linesOf(engine, await engine.idsOf('IFCSPACE'))) {
    const name = roomName(line);
    const parts = await engine.parts(line.id, segments);
    if (name === '' || parts.length === 0) continue;
    const fail = (why: string) => new FormatError(file, why, `IfcSpace #${line.id}`);
    const { positions, indices } = bakedParts(parts, fail);
    const room = { name, positions: Array.from(positions, rounded), indices: Array.from(indices) };
    growth.object(JSON.stringify(room).length);
    rooms.push(room);
  }
  return rooms;
}

function roomName({ values }: StepLine): string {
  const [number, name] = [text(values[NAME]), text(values[LONG_NAME])];
  return shortName([...new Set([number, name].filter((word) => word !== ''))].join(' '));
}
