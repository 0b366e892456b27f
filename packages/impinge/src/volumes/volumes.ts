/** Every kind of bounding volume by its name. */
import * as aabb from './aabb.js';
import * as dop26 from './dop26.js';
import type { FittedKind } from './kinds.js';
import * as obb from './obb.js';
import * as sphere from './sphere.js';
import type { FittedVolume, VolumeModule } from './volume.js';

export const VOLUMES: Readonly<Record<FittedKind, FittedVolume> & { obb: VolumeModule }> = {
  sphere,
  aabb,
  obb,
  dop26,
};
