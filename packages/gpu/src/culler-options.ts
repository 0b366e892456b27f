/** The culler's options, checked and completed. */
import { ImpingeError } from 'impinge/internal/base/errors.js';
import {
  type OptionNames,
  readChoice,
  readFunction,
  readInteger,
  readKnown,
  shown,
} from 'impinge/internal/base/options.js';
import type { CullerOptions, CullingMethod, CullingStage } from './types.js';
import { MAX_RESOLUTION } from './visibility.js';

const METHODS: readonly CullingMethod[] = ['queries', 'split-tree'];
const STAGES: readonly CullingStage[] = ['boxes', 'objects', 'parts', 'triangles'];
/** With the axes they fit into a word beside the colours (webgpu/split-tree.ts). */
const MAX_DIRECTIONS = 25;
const MAX_ROUNDS = 64;

export interface ReadOptions {
  readonly resolution: number;
  readonly method: CullingMethod;
  /** Undefined: the default of the kind of query. */
  readonly stages: readonly CullingStage[] | undefined;
  readonly partSize: number;
  readonly randomDirections: number;
  readonly seed: number;
  readonly rounds: number;
  readonly onFallback: (message: string) => void;
  readonly now: (() => number) | undefined;
}

export const CULLER_NAMES: OptionNames<CullerOptions> = {
  ...{ resolution: true, method: true, stages: true, partSize: true, randomDirections: true, seed: true },
  ...{ rounds: true, onFallback: true, now: true },
};

export function readOptions(options: CullerOptions): ReadOptions {
  const { resolution = 800, method = 'split-tree', stages } = readKnown('culler', options, CULLER_NAMES);
  if (stages !== undefined) checkStages(stages);
  const partSize = readInteger('partSize', options.partSize ?? 64, 16, 256);
  if ((partSize & (partSize - 1)) !== 0) throw bad(`partSize must be a power of two, got ${partSize}`);
  const seed = options.seed ?? 1;
  if (!Number.isFinite(seed)) throw bad(`seed must be a finite number, got ${shown(seed)}`);
  for (const name of ['onFallback', 'now'] as const) {
    if (options[name] !== undefined) readFunction(name, options[name]);
  }
  return {
    resolution: readInteger('resolution', resolution, 1, MAX_RESOLUTION),
    method: readChoice('method', method, METHODS),
    stages: stages && [...stages],
    partSize,
    randomDirections: readInteger('randomDirections', options.randomDirections ?? 0, 0, MAX_DIRECTIONS),
    seed,
    rounds: readInteger('rounds', options.rounds ?? 2, 1, MAX_ROUNDS),
    onFallback: options.onFallback ?? ((message) => console.warn(message)),
    now: options.now,
  };
}

function checkStages(stages: readonly CullingStage[]): void {
  if (!Array.isArray(stages)) throw bad(`stages must be a list, got ${shown(stages)}`);
  stages.forEach((stage, i) => {
    readChoice('each of stages', stage, STAGES);
    if (stages.indexOf(stage) !== i) throw bad(`stages name ${stage} twice`);
  });
}

function bad(why: string): ImpingeError {
  return new ImpingeError('bad-option', why);
}
