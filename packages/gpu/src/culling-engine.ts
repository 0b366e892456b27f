/**
 * Chooses the engine for a query about many objects: the culler, or the one on the CPU that keeps trees or hashes.
 *
 * Trees pay off while surfaces stay rigid: nothing is prepared again, and a walk visits little. They lose where much
 * deforms or is new, because trees must be refitted or built before the first walk; a culler prepares nothing, and pays
 * for its round trip and for every triangle. The break-even point depends on the device.
 */
import { readChoice } from 'impinge/internal/base/options.js';
import type { BackendKind, CullingDevice } from './types.js';

/** `auto`: the engine expected to be faster. All give the same answer. */
export type EngineChoice = 'auto' | 'culler' | 'cpu';
export type Engine = 'culler' | 'cpu';

/** Changes since the previous query. */
export interface Changes {
  /** Objects that moved as they are. */
  readonly movedObjects: number;
  /** Triangles of surfaces that deformed or came. */
  readonly deformedTriangles: number;
}

const NEVER = { movedObjects: Infinity, deformedTriangles: Infinity };

/** Against whom: trees of meshes, or the spatial hash of the deformables. */
type Rival = 'scene' | 'surfaces';

/** From these counts on the culler answers, as measured (docs/gpu.md, "When it pays"). */
const CROSS_OVER: Readonly<Record<BackendKind, Readonly<Record<Rival, Changes>>>> = {
  webgpu: {
    scene: { movedObjects: 100, deformedTriangles: 10_000 },
    surfaces: { movedObjects: Infinity, deformedTriangles: 5_000 },
  },
  // 20 000 triangles are the fewest that were measured
  cpu: {
    scene: { movedObjects: Infinity, deformedTriangles: 20_000 },
    surfaces: { movedObjects: Infinity, deformedTriangles: 20_000 },
  },
};

const CHOICES: readonly EngineChoice[] = ['auto', 'culler', 'cpu'];

export class EngineRule {
  readonly #choice: EngineChoice;
  readonly #rival: Rival;
  readonly #inSoftware: boolean;

  constructor(choice: EngineChoice, rival: Rival, devices: CullingDevice | readonly CullingDevice[]) {
    this.#choice = readChoice('engine', choice, CHOICES);
    this.#rival = rival;
    this.#inSoftware = [devices].flat().some(isSoftware);
  }

  /** The engine to use if the culler's device is of this kind. */
  choose(kind: BackendKind, { movedObjects, deformedTriangles }: Changes): Engine {
    if (this.#choice !== 'auto') return this.#choice;
    const from = this.#inSoftware ? NEVER : CROSS_OVER[kind][this.#rival];
    return movedObjects >= from.movedObjects || deformedTriangles >= from.deformedTriangles
      ? 'culler'
      : 'cpu';
  }
}

/** A driver that has no GPU is slower than any engine here. */
function isSoftware(device: CullingDevice): boolean {
  return (
    typeof device === 'object' &&
    device !== null &&
    'adapterInfo' in device &&
    (device.adapterInfo as Partial<GPUAdapterInfo> | undefined)?.isFallbackAdapter === true
  );
}
