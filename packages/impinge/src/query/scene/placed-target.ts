/** What everyday questions are asked about besides meshes: scenes and engines, whose objects have their own poses. */
import { RIGID, type Stretch } from '../../math/linear-map.js';
import type { RigidPose } from '../../math/pose.js';
import type { Mesh } from '../../mesh/mesh.js';
import type { BoxBound } from '../../scene/nearest-first.js';
import type { EnginePart, QueryEngine } from '../pair/engine.js';
import { dropBoxTree } from '../ray/box-tree.js';

/** A mesh somewhere. */
export interface PosedMesh {
  readonly mesh: Mesh;
  readonly pose: RigidPose;
  readonly stretch: Stretch;
}

/** How an engine is asked for parts: by a box and a distance, or by a bound where it knows how. */
export interface PartsAsk {
  readonly near: Float64Array;
  readonly distance: () => number;
  readonly bound: BoxBound;
  readonly limit: () => number;
}

/**
 * Visits parts of an engine, each with its box tree freed afterwards, so that the engine's cap of memory holds. `visit`
 * returns true to end it.
 */
export async function eachPart(
  engine: QueryEngine,
  { near, distance, bound, limit }: PartsAsk,
  visit: (part: EnginePart & PosedMesh) => boolean,
): Promise<void> {
  const parts = engine.partsBy ? engine.partsBy(bound, limit) : engine.parts(near, distance);
  for await (const part of parts) {
    try {
      if (visit({ ...part, stretch: RIGID })) return;
    } finally {
      dropBoxTree(part.mesh);
    }
  }
}
