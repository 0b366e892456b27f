/**
 * How the mass of a stored solid is spread: sums over its originals, piece by piece, so that few of them are in memory
 * at a time.
 */
import type { StoredModel } from '@impinge/model/internal/store/model.js';
import type { PieceCache } from '@impinge/model/internal/store/piece-cache.js';
import { ImpingeError } from 'impinge/internal/base/errors.js';
import { posePoint, type RigidPose } from 'impinge/internal/math/pose.js';
import type { Mesh } from 'impinge/internal/mesh/mesh.js';
import { joinedMass, SECOND_MOMENTS, type SolidMass } from '../../bodies/solid-mass.js';

/** Pieces that are read at once. */
const TOGETHER = 16;
/** Maximum remainder by rounding of the sum of directed areas, as a share of the total area. */
const CANCELS = 1e-6;

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
      for (const piece of pieces) sums.add(cache.mesh(piece));
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
  return new ImpingeError('bad-input', `${name} ${why}, so its mass cannot be computed: pass it as mass`, {
    object: name,
  });
}

/** Sums over tetrahedra between the triangles and a point. */
class SolidSums {
  readonly #origin: readonly number[];
  #volumeTimes6 = 0;
  /** Twice the areas, with their directions and without. */
  readonly #areas = new Float64Array(3);
  #area = 0;
  readonly #first = new Float64Array(3);
  readonly #second = new Float64Array(6);

  constructor(origin: readonly number[]) {
    this.#origin = origin;
  }

  get volume(): number {
    return this.#volumeTimes6 / 6;
  }

  /** Areas with their directions cancel out where a surface is closed and faces one way. */
  get isClosed(): boolean {
    const [x, y, z] = this.#areas;
    return Math.hypot(x, y, z) <= CANCELS * this.#area;
  }

  add({ storedPositions: p, storedIndices: indices, origin }: Mesh): void {
    const [areas, first, second] = [this.#areas, this.#first, this.#second];
    const ox = origin[0] - this.#origin[0];
    const oy = origin[1] - this.#origin[1];
    const oz = origin[2] - this.#origin[2];
    let volumeTimes6 = 0;
    let area = 0;
    for (let t = 0; t < indices.length; t += 3) {
      const i = 3 * indices[t];
      const j = 3 * indices[t + 1];
      const k = 3 * indices[t + 2];
      const ax = p[i] + ox;
      const ay = p[i + 1] + oy;
      const az = p[i + 2] + oz;
      const bx = p[j] + ox;
      const by = p[j + 1] + oy;
      const bz = p[j + 2] + oz;
      const cx = p[k] + ox;
      const cy = p[k + 1] + oy;
      const cz = p[k + 2] + oz;
      const nx = (by - ay) * (cz - az) - (bz - az) * (cy - ay);
      const ny = (bz - az) * (cx - ax) - (bx - ax) * (cz - az);
      const nz = (bx - ax) * (cy - ay) - (by - ay) * (cx - ax);
      areas[0] += nx;
      areas[1] += ny;
      areas[2] += nz;
      area += Math.sqrt(nx * nx + ny * ny + nz * nz);
      const det = ax * (by * cz - bz * cy) + ay * (bz * cx - bx * cz) + az * (bx * cy - by * cx);
      const sx = ax + bx + cx;
      const sy = ay + by + cy;
      const sz = az + bz + cz;
      volumeTimes6 += det;
      first[0] += det * sx;
      first[1] += det * sy;
      first[2] += det * sz;
      second[0] += det * (ax * ax + bx * bx + cx * cx + sx * sx);
      second[1] += det * (ay * ay + by * by + cy * cy + sy * sy);
      second[2] += det * (az * az + bz * bz + cz * cz + sz * sz);
      second[3] += det * (ax * ay + bx * by + cx * cy + sx * sy);
      second[4] += det * (ay * az + by * bz + cy * cz + sy * sz);
      second[5] += det * (az * ax + bz * bx + cz * cx + sz * sx);
    }
    this.#volumeTimes6 += volumeTimes6;
    this.#area += area;
  }

  mass(density: number): SolidMass {
    const mass = (density * this.#volumeTimes6) / 6;
    const from = Array.from(this.#first, (value) => value / (4 * this.#volumeTimes6));
    const [x, y, z] = from.map((value, k) => value + this.#origin[k]);
    const second = this.#second.map(
      (value, i) => (density * value) / 120 - mass * from[SECOND_MOMENTS[i][0]] * from[SECOND_MOMENTS[i][1]],
    );
    return { mass, centre: [x, y, z], second };
  }
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
