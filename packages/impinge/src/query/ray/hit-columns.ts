/** Hits of many rays as columns, whatever they are on. */
import type { Mesh } from '../../mesh/mesh.js';
import type { PlaceColumns, Target } from '../target.js';
import type { Hit } from './cast.js';
import type { RayMode } from './ray-input.js';

/** Hits of many rays, as columns. */
export type RayHits<T extends Target = Mesh, M extends RayMode = 'first'> = PlaceColumns<T> & {
  /** How many hits there are. */
  readonly count: number;
  /** Infinity and −1 where a ray meets nothing. */
  readonly distances: Float64Array;
  readonly triangles: Int32Array;
  /** Weights of the second and third corner, two for each ray; that of the first is what they lack of 1. */
  readonly weights: Float64Array;
} & (M extends 'all' ? AllStarts : { readonly starts?: undefined });

interface AllStarts {
  /** In mode `all`: the hits of ray i are from starts[i] up to starts[i + 1], the nearest first. */
  readonly starts: Uint32Array;
}

export type BriefHit = Pick<Hit, 'distance' | 'triangle' | 'u' | 'v'>;

/** Infinity, −1 and zeros where a ray meets nothing. */
export function hitColumns(
  found: readonly (BriefHit | undefined)[],
): Pick<RayHits, 'count' | 'distances' | 'triangles' | 'weights'> {
  return {
    count: found.filter(Boolean).length,
    distances: Float64Array.from(found, (hit) => hit?.distance ?? Infinity),
    triangles: Int32Array.from(found, (hit) => hit?.triangle ?? -1),
    weights: Float64Array.from(found.flatMap((hit) => (hit ? [hit.u, hit.v] : [0, 0]))),
  };
}
