/** Levels around a body, held in memory while a step is computed. */
import { LevelsTarget } from '@impinge/model';
import { type Mesh, type Vec3, within } from 'impinge';
import type { Obstacle } from './types.js';

export interface HeldPieces {
  /** Everything of the model within the distance is stood for by one of them. */
  readonly pieces: readonly Obstacle[];
  dispose(): void;
}

export class HeldLevels extends LevelsTarget {
  /** Pieces within `distance` of a body with its origin at a point, up to an error. */
  async around(body: Mesh, at: Vec3, distance: number, error: number): Promise<HeldPieces> {
    const found = await within(this, body, { pose: { translation: at }, distance, error });
    const placed = new Map<string, { readonly object: number; readonly piece: number }>();
    for (let i = 0; i < 2 * found.count; i += 2) {
      const [object, piece] = [Number(found.objects![i]), found.pieces![i]];
      placed.set(`${object} ${piece}`, { object, piece });
    }
    const { model, cache } = this;
    const stored = [...placed.values()].map(({ object, piece }) => model.firstPiece(object) + piece);
    await cache.acquire(stored);
    return {
      pieces: [...placed.values()].map(({ object, piece }, i) => ({
        ...{ object, mesh: cache.mesh(stored[i]), pose: model.pose(object) },
        out: this.errorsOf(object, piece).out,
      })),
      dispose: () => cache.release(stored),
    };
  }
}
