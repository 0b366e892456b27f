/**
 * Which objects come within a distance of some others, by their surfaces. Boxes say which may; of these, the pieces
 * near each other are read and compared, until one member is found to be near.
 */
import { distance } from 'impinge/internal/query/pair/distance.js';
import { useHierarchy } from 'impinge/internal/query/pair/hierarchy-of.js';
import { asPose } from 'impinge/internal/query/solid/placed-pair.js';
import type { StoredModel } from '../store/model.js';
import { PieceCache } from '../store/piece-cache.js';
import { nearPieces } from './pair-pieces.js';
import { MembersNear } from './rules/members-near.js';
import type { NearQuestion } from './rules/selection.js';

/** Two pieces at a time are held; the rest are of earlier pairs. */
const CACHE_BYTES = 32e6;

/** 1 for every object within the distance of a member; a member is near itself, and so is what is inside its box. */
export async function objectsNearSurfaces(
  model: StoredModel,
  { members, within }: NearQuestion,
): Promise<Uint8Array> {
  const near = new MembersNear(model.directory.objectBox, members, within);
  const cache = new PieceCache(model, {
    limit: CACHE_BYTES,
    onLoad: (_, tree) => useHierarchy(tree),
    nextUse: () => 0,
  });
  const found = members.slice();
  try {
    for (let object = 0; object < found.length; object++) {
      if (found[object] === 1) continue;
      for (const member of near.of(object)) {
        if (!(await areNear(model, cache, object, member, within))) continue;
        found[object] = 1;
        break;
      }
    }
  } finally {
    await cache.dispose();
  }
  return found;
}

async function areNear(model: StoredModel, cache: PieceCache, a: number, b: number, within: number) {
  if (holds(model.box(a), model.box(b)) || holds(model.box(b), model.box(a))) return true;
  const poses = { poseA: asPose(model.pose(a)), poseB: asPose(model.pose(b)), atMost: within };
  const near = nearPieces(model, a, b, within);
  for (let i = 0; i < near.length; i += 2) {
    const pieces = [model.firstPiece(a) + near[i], model.firstPiece(b) + near[i + 1]];
    await cache.acquire(pieces);
    try {
      const [meshA, meshB] = pieces.map((piece) => cache.mesh(piece));
      if (distance(meshA, meshB, poses).distance <= within) return true;
    } finally {
      cache.release(pieces);
    }
  }
  return false;
}

/** Whether box `a` holds box `b`. */
function holds(a: Float64Array, b: Float64Array): boolean {
  for (let k = 0; k < 3; k++) if (b[k] < a[k] || b[3 + k] > a[3 + k]) return false;
  return true;
}
