/** Levels in a store, taken apart again. */
import { Mesh } from 'impinge/internal/mesh/mesh.js';
import { buildLevels } from '../../src/store/build-levels.js';
import { frontOf } from '../../src/store/front.js';
import type { StoredModel } from '../../src/store/model.js';
import { readPieces } from '../../src/store/read-pieces.js';
import type { Shape } from './families.js';

export interface StoredLevels {
  readonly model: StoredModel;
  /** The meshes of all pieces. */
  readonly pieces: readonly Shape[];
}

export async function levelsOf(shape: Shape, pieceTriangles: number): Promise<StoredLevels> {
  const mesh = Mesh.from(shape);
  try {
    const model = await buildLevels(mesh, { pieceTriangles });
    return { model, pieces: await piecesOf(model) };
  } finally {
    mesh.dispose();
  }
}

async function piecesOf(model: StoredModel): Promise<Shape[]> {
  const pieces = await readPieces(model, [...Array(model.pieceCount).keys()]);
  return pieces.map(({ positions, indices }) => ({ positions, indices: Uint32Array.from(indices) }));
}

/** What stands for the first shape at an error. */
export function frontAt({ model, pieces }: StoredLevels, error: number): Shape {
  return together(Array.from(frontOf(model, 0, error), (piece) => pieces[piece]));
}

export function together(shapes: readonly Shape[]): Shape {
  const positions: number[] = [];
  const indices: number[] = [];
  for (const shape of shapes) {
    const first = positions.length / 3;
    for (const x of shape.positions) positions.push(x);
    for (const v of shape.indices) indices.push(v + first);
  }
  return { positions: Float32Array.from(positions), indices: Uint32Array.from(indices) };
}

export function errorOf({ directory }: StoredModel, piece: number): number {
  return directory.pieceOut[piece] + directory.pieceIn[piece];
}

/** All errors that pieces have, and what lies between and around them. */
export function errorsOf(model: StoredModel): number[] {
  const found = Array.from({ length: model.pieceCount }, (_, piece) => errorOf(model, piece));
  const own = [...new Set(found)].sort((a, b) => a - b);
  return [...own, ...own.slice(1).map((error, i) => (error + own[i]) / 2), 2 * own[own.length - 1], Infinity];
}
