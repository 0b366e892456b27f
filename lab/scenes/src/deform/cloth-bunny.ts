/** A cloth above a bunny. Paper: HASH, benchmark 2 and figure 5. */
import { Random, seedOf } from '../random.js';
import { bunny } from './bunny.js';
import { boundsOf, type SceneMesh } from './scene-mesh.js';
import { cloth, floor, START_GAP } from './surfaces.js';

export interface ClothBunnyOptions {
  /** The model under the cloth, y up, of any size; default: a bunny of 60 thousand triangles. */
  readonly model?: Pick<SceneMesh, 'positions' | 'indices'> & { readonly name?: string };
  /** Vertices along a side of the cloth; default 100. */
  readonly clothVertices?: number;
  /** Default 1. */
  readonly seed?: number;
}

export interface ClothBunnyScene {
  /** Horizontal, clothVertices² vertices row by row. */
  readonly cloth: SceneMesh;
  readonly clothVertices: number;
  /** The model, scaled to MODEL_SIZE along its longest side, standing in the middle of the floor. */
  readonly model: SceneMesh;
  readonly floor: SceneMesh;
}

const MODEL_SIZE = 1.5;
const CLOTH_SIDE = 2.4;

/** A cloth at rest close above the model. */
export function clothBunny(options: ClothBunnyOptions = {}): ClothBunnyScene {
  const { model = bunny(), clothVertices = 100, seed = 1 } = options;
  const standing = stand(model);
  const top = boundsOf(standing.positions)[4];
  const random = new Random(seedOf(seed, 2));
  return {
    cloth: cloth(clothVertices, CLOTH_SIDE, top + 4 * START_GAP, random),
    clothVertices,
    model: standing,
    floor: floor(4, 8),
  };
}

function stand({ name = 'model', positions, indices }: NonNullable<ClothBunnyOptions['model']>): SceneMesh {
  const bounds = boundsOf(positions);
  const scale = MODEL_SIZE / Math.max(bounds[3] - bounds[0], bounds[4] - bounds[1], bounds[5] - bounds[2]);
  const origin = [(bounds[0] + bounds[3]) / 2, bounds[1], (bounds[2] + bounds[5]) / 2];
  const moved = positions.map((value, i) => (value - origin[i % 3]) * scale + (i % 3 === 1 ? START_GAP : 0));
  return { name, positions: moved, indices };
}
