/**
 * How the mass of a stored solid is spread: sums over its originals, piece by piece, so that few of them are in memory
 * at a time.
 */
import type { StoredModel } from '@impinge/model/internal/store/model.js';
import type { PieceCache } from '@impinge/model/internal/store/piece-cache.js';
import { ImpingeError } from 'impinge/internal/base/errors.js';
import { posePoint, type RigidPose } from 'impinge/internal/math/pose.js';
import { joinedMass, SECOND_MOMENTS, type SolidMass, SolidSums } from '../../bodies/solid-mass.js';

/** Pieces that are read at once. */
const TOGETHER = 16;

/**
 * The mass of everything that the objects of a model enclose, filled with one material. Throws, with the object's name,
 * where that is no solid.
 */
export async function storedMass(model: StoredModel, cache: PieceCache, density: number): Promise<SolidMass> {
  const shapes = new Map<number, SolidMass>();
  const parts: SolidMass[] = [];
  for (let object = 0; object < model.objectCount; object++) {
    const shape = model.directory.objectShape[object];
    let own = shapes.get(shape);
    if (!own) shapes.set(shape, (own = await shapeMass(model, cache, object, density)));
    parts.push(placedMass(own, model.pose(object)));
  }
  return joinedMass(parts);
}

async function shapeMass(
  model: StoredModel,
  cache: PieceCache,
  object: number,
  density: number,
): Promise<SolidMass> {
  if (!model.isClosed(object)) throw noSolid(model, object, 'is open');
  const first = model.firstPiece(object);
  const end = first + model.pieceCountOf(object);
  const box = model.directory.pieceBox;
  // about a point of the shape: far from it, numbers would be large and differ by little
  const sums = new SolidSums([0, 1, 2].map((k) => 0.5 * (box[6 * first + k] + box[6 * first + 3 + k])));
  for (let from = first; from < end; from += TOGETHER) {
    const pieces = Array.from({ length: Math.min(TOGETHER, end - from) }, (_, i) => from + i);
    const wait = cache.acquire(pieces);
    if (wait) await wait;
    try {
      for (const piece of pieces) {
        const { storedPositions, storedIndices, origin } = cache.mesh(piece);
        sums.add(storedPositions, storedIndices, origin);
      }
    } finally {
      cache.release(pieces);
    }
  }
  if (!sums.isClosed) throw noSolid(model, object, 'does not face one way consistently');
  if (!(sums.volume > 0)) throw noSolid(model, object, 'is inside out, or has no volume');
  return sums.mass(density);
}

function noSolid(model: StoredModel, object: number, why: string): ImpingeError {
  const name = model.object(object).name || model.meta.title;
  return new ImpingeError(
    'bad-input',
    `${name} ${why}, so its mass cannot be computed: give mass, centre and inertia`,
    {
      object: name,
    },
  );
}

function placedMass({ mass, centre, second }: SolidMass, pose: RigidPose): SolidMass {
  const at = new Float64Array(3);
  posePoint(pose, centre[0], centre[1], centre[2], at, 0);
  const [xx, yy, zz, xy, yz, zx] = second;
  const m = [xx, xy, zx, xy, yy, yz, zx, yz, zz];
  const turned = SECOND_MOMENTS.map(([k, l]) => {
    let sum = 0;
    for (let i = 0; i < 3; i++)
      for (let j = 0; j < 3; j++) sum += pose[3 * k + i] * m[3 * i + j] * pose[3 * l + j];
    return sum;
  });
  return { mass, centre: [at[0], at[1], at[2]], second: Float64Array.from(turned) };
}
