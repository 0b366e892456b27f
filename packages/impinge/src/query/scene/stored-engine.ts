/** A stored model asked as if it were one mesh: pieces are read as they are needed, under a cap of memory. */

import { ASYNC_DISPOSE } from '../../base/dispose.js';
import { readBag, readPositive } from '../../base/options.js';
import type { Vec3 } from '../../math/pose.js';
import { assertModel, type StoredModel } from '../../store/model.js';
import { PieceCache, type PieceCacheStats } from '../../store/piece-cache.js';
import type { EnginePart } from '../pair/engine.js';
import { useHierarchy } from '../pair/hierarchy-of.js';
import { PartsEngine } from '../pair/parts-engine.js';
import { PlacedPieces } from './placed-pieces.js';

export interface StoredEngineOptions {
  /** Bytes of memory for geometry and hierarchies (default 160 MiB). */
  readonly memory?: number;
}

export const STORED_ENGINE_DEFAULTS = { memory: 160 * 2 ** 20 } as const satisfies StoredEngineOptions;

/** `collide(engine, mesh)` and the like name objects of the model. The model stays the caller's. */
export class StoredEngine extends PartsEngine implements AsyncDisposable {
  readonly name: string;
  readonly box: { readonly min: Vec3; readonly max: Vec3 };
  /** Stored triangles are exact. */
  readonly error = 0;
  readonly #placed: PlacedPieces;
  protected readonly model: StoredModel;
  protected readonly cache: PieceCache;

  constructor(model: StoredModel, options: StoredEngineOptions = {}) {
    super();
    assertModel(model);
    const { memory } = { ...STORED_ENGINE_DEFAULTS, ...readBag(options) };
    readPositive('memory', memory);
    this.name = model.meta.title;
    this.model = model;
    this.#placed = new PlacedPieces(model);
    this.cache = new PieceCache(model, { limit: memory, onLoad: (_, tree) => useHierarchy(tree) });
    const min: [number, number, number] = [Infinity, Infinity, Infinity];
    const max: [number, number, number] = [-Infinity, -Infinity, -Infinity];
    const { objectBox } = model.directory;
    for (let i = 0; i < objectBox.length; i += 6) {
      for (let k = 0; k < 3; k++) {
        min[k] = Math.min(min[k], objectBox[i + k]);
        max[k] = Math.max(max[k], objectBox[i + 3 + k]);
      }
    }
    this.box = { min, max };
  }

  get stats(): PieceCacheStats {
    return this.cache.stats;
  }

  async *parts(near: Float64Array, distance: () => number): AsyncGenerator<EnginePart> {
    for (const { placed, gap } of this.#placed.near(near, distance())) {
      if (gap > distance()) return;
      const object = this.#placed.objectOf[placed];
      const piece = this.#placed.pieceOf(placed);
      await this.cache.acquire([piece]);
      try {
        const own = piece - this.model.firstPiece(object);
        yield { object, piece: own, mesh: this.cache.mesh(piece), pose: this.model.pose(object) };
      } finally {
        this.cache.release([piece]);
      }
    }
  }

  /** Frees the pieces that are in memory. */
  async dispose(): Promise<void> {
    await this.cache.dispose();
  }
  [ASYNC_DISPOSE](): Promise<void> {
    return this.dispose();
  }
}
