/** Hits of many rays as columns, whatever they are on. */
import type { Hit } from './cast.js';

export type BriefHit = Pick<Hit, 'distance' | 'triangle' | 'u' | 'v'>;

/** Infinity, −1 and zeros where a ray meets nothing. */
export function hitColumns(found: readonly (BriefHit | undefined)[]) {
  return {
    count: found.filter(Boolean).length,
    distances: Float64Array.from(found, (hit) => hit?.distance ?? Infinity),
    triangles: Int32Array.from(found, (hit) => hit?.triangle ?? -1),
    weights: Float64Array.from(found.flatMap((hit) => (hit ? [hit.u, hit.v] : [0, 0]))),
  };
}
