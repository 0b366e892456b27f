/**
 * Where a path is looked for: a box for the middle of the body, around its way. What is farther from it than the body
 * reaches is never met, so only what is nearer has to be in memory.
 */
import type { Vec3 } from 'impinge';

/** More than poses and boxes lose, relative to coordinates. */
const ROUNDING = 1e-6;

export interface Region {
  readonly min: Vec3;
  readonly max: Vec3;
}

/** Shares of the room beside the way: the first that fits into memory is taken. */
const ROOM = [1, 0.5, 0.25, 0.1, 0.03, 0];
/** Room beside the way, as shares of its length and of the body's size. */
const OF_WAY = 0.5;
const OF_BODY = 2;

/**
 * All of the way from one place of the middle to another, and as much room beside it as memory allows: `near` holds
 * what meets a region, or says by undefined that it does not fit. `reach` is how far the body is met from its middle.
 */
export async function widestRegion<Held>(
  ends: readonly Vec3[],
  { radius, reach }: { readonly radius: number; readonly reach: number },
  near: (region: Region) => Promise<Held | undefined>,
): Promise<{ readonly region: Region; readonly held: Held; readonly isCut: boolean } | undefined> {
  const way = aroundPoints(ends);
  const length = Math.hypot(...way.max.map((high, k) => high - way.min[k]));
  const room = OF_WAY * length + OF_BODY * 2 * radius;
  for (const share of ROOM) {
    const region = grown(way, share * room);
    const held = await near(grown(region, reach));
    if (held !== undefined) return { region, held, isCut: share < 1 };
  }
  return undefined;
}

export function aroundPoints(points: readonly Vec3[]): Region {
  const along = (pick: (...of: number[]) => number) =>
    [0, 1, 2].map((k) => pick(...points.map((point) => point[k]))) as unknown as Vec3;
  return { min: along(Math.min), max: along(Math.max) };
}

/** Larger on all sides, and by more than rounding. */
export function grown({ min, max }: Region, by: number): Region {
  const moved = (corner: Vec3, way: number) =>
    corner.map((x) => x + way * (by + ROUNDING * Math.abs(x))) as unknown as Vec3;
  return { min: moved(min, -1), max: moved(max, 1) };
}

export function scaled({ min, max }: Region, factor: number): Region {
  const times = (corner: Vec3) => corner.map((x) => x * factor) as unknown as Vec3;
  return { min: times(min), max: times(max) };
}
