/**
 * Pairs of deforming surfaces at the end of a step with a culler: `intersecting` and `within` of the detector, by the
 * culler or by the detector's own hash, whichever is the faster.
 *
 * The culler finds candidates; the detector decides about them with its own numbers. So both give the same answer, to
 * the last bit. Contacts during a step are not for the culler: visibility speaks about one instant.
 */
import type { Deformables } from '@impinge/dynamics/internal/deform/deformables.js';
import type {
  CloseOptions,
  StandingSurface,
  TrianglePairs,
} from '@impinge/dynamics/internal/deform/types.js';
import { DISPOSE } from 'impinge/internal/base/dispose.js';
import { ImpingeError } from 'impinge/internal/base/errors.js';
import { readBag, readKnown } from 'impinge/internal/base/options.js';
import { VisibilityCuller } from './culler.js';
import { type Changes, type Engine, type EngineChoice, EngineRule } from './culling-engine.js';
import { StoredSurfaces } from './stored-surfaces.js';
import type { CullerOptions, CullingDevice, CullingStats } from './types.js';

export interface DeformableCullerOptions extends CullerOptions {
  /** Default `auto`: the engine expected to be faster, given the moves since the previous query. */
  readonly engine?: EngineChoice;
}

export interface CulledTrianglePairs extends TrianglePairs {
  /** The engine that found the candidates. */
  readonly engine: Engine;
  /** If it was the culler. */
  readonly culling?: CullingStats;
}

export class DeformableCuller {
  readonly detector: Deformables;
  readonly #culler: VisibilityCuller;
  readonly #stored: StoredSurfaces;
  readonly #rule: EngineRule;
  /** Revisions of the surfaces at the last query. */
  #seen = new Map<number, number>();

  /** Devices as for `VisibilityCuller`. The detector stays the caller's. */
  constructor(
    detector: Deformables,
    devices: CullingDevice | readonly CullingDevice[],
    settings: DeformableCullerOptions = {},
  ) {
    const { engine = 'auto', ...options } = readBag(settings);
    if (typeof detector?.withinBy !== 'function')
      throw new ImpingeError('bad-input', 'a DeformableCuller needs Deformables');
    this.#rule = new EngineRule(engine, 'surfaces', devices);
    this.detector = detector;
    this.#culler = new VisibilityCuller(devices, options);
    this.#stored = new StoredSurfaces(this.#culler);
  }

  /** Pairs of triangles without a common vertex that meet at the end of the step. */
  intersecting(): Promise<CulledTrianglePairs> {
    return this.within({ distance: 0 });
  }

  /**
   * Pairs of triangles without a common vertex at most `distance` apart at the end of the step. Until it has answered,
   * the detector must not be changed or queried.
   */
  async within(options: CloseOptions = {}): Promise<CulledTrianglePairs> {
    const { distance = this.detector.thickness } = readKnown('within', options, { distance: true });
    const engine = this.#rule.choose(this.#culler.backend, this.#changes());
    if (engine === 'cpu') return { ...this.detector.within({ distance }), engine };
    let culling: CullingStats | undefined;
    const candidates = async (surfaces: readonly StandingSurface[], apart: number) => {
      const widened = apart + this.#stored.follow(surfaces);
      const found = await this.#culler.candidates({ distance: widened * (1 + 2 ** -50) });
      culling = found.stats;
      return this.#stored.named(found);
    };
    const answer = await this.detector.withinBy({ candidates }, { distance });
    return { ...answer, engine, ...(culling && { culling }) };
  }

  /** Frees the memory of the culler. The detector stays. */
  dispose(): void {
    this.#culler.dispose();
  }

  [DISPOSE](): void {
    this.dispose();
  }

  /** Moves since the previous query. */
  #changes(): Changes {
    const seen = new Map<number, number>();
    let deformedTriangles = 0;
    for (const { id, revision, indices } of this.detector.surfaces) {
      if (this.#seen.get(id) !== revision) deformedTriangles += indices.length / 3;
      seen.set(id, revision);
    }
    this.#seen = seen;
    return { movedObjects: 0, deformedTriangles };
  }
}
