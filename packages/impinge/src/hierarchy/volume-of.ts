/** Which module implements a kind of volume. */
import * as aabb from '../volumes/aabb.js';
import * as dop26 from '../volumes/dop26.js';
import * as obb from '../volumes/obb.js';
import * as sphere from '../volumes/sphere.js';
import type { VolumeModule } from '../volumes/volume.js';
import type { VolumeKind } from './layout.js';

export function volumeOf(kind: VolumeKind): VolumeModule {
  switch (kind) {
    case 'sphere':
      return sphere;
    case 'aabb':
      return aabb;
    case 'obb':
      return obb;
    case 'dop26':
      return dop26;
  }
}
