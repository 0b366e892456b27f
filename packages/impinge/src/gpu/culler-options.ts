/** The culler's options, checked and completed. */
import { ImpingeError } from '../base/errors.js';
import { readBag, readChoice, readFunction, readInteger, shown } from '../base/options.js';
import type { Choices } from './defaults.js';
import type { CullerOptions, CullingLevel, CullingMethod } from './types.js';
import { MAX_RESOLUTION } from './visibility.js';

const METHODS: readonly CullingMethod[] = ['queries', 'split-tree'];
const LEVELS: readonly CullingLevel[] = ['boxes', 'objects', 'parts', 'triangles'];
const MAX_DIRECTIONS = 64;
const MAX_ROUNDS = 64;

/** Everything that does not depend on the device; what is left out there follows its defaults. */
export interface ReadOptions extends Partial<Choices> {
  readonly partSize: number;
  readonly randomDirections: number;
  readonly seed: number;
  readonly rounds: number;
  readonly onFallback: (message: string) => void;
  readonly now: (() => number) | undefined;
}

export function readOptions(options: CullerOptions): ReadOptions {
  const { resolution, method, levels } = readBag(options);
  if (resolution !== undefined) readInteger('resolution', resolution, 1, MAX_RESOLUTION);
  if (method !== undefined) readChoice('method', method, METHODS);
  if (levels !== undefined) checkLevels(levels);
  const partSize = readInteger('partSize', options.partSize ?? 64, 16, 256);
  if ((partSize & (partSize - 1)) !== 0) throw bad(`partSize must be a power of two, got ${partSize}`);
  const seed = options.seed ?? 1;
  if (!Number.isFinite(seed)) throw bad(`seed must be a finite number, got ${shown(seed)}`);
  for (const name of ['onFallback', 'now'] as const) {
    if (options[name] !== undefined) readFunction(name, options[name]);
  }
  return {
    ...(resolution === undefined ? {} : { resolution }),
    ...(method === undefined ? {} : { method }),
    ...(levels === undefined ? {} : { levels: [...levels] }),
    partSize,
    randomDirections: readInteger('randomDirections', options.randomDirections ?? 0, 0, MAX_DIRECTIONS),
    seed,
    rounds: readInteger('rounds', options.rounds ?? 2, 1, MAX_ROUNDS),
    onFallback: options.onFallback ?? ((message) => console.warn(message)),
    now: options.now,
  };
}

function checkLevels(levels: readonly CullingLevel[]): void {
  if (!Array.isArray(levels)) throw bad(`levels must be a list, got ${shown(levels)}`);
  levels.forEach((level, i) => {
    readChoice('each of levels', level, LEVELS);
    if (levels.indexOf(level) !== i) throw bad(`levels name ${level} twice`);
  });
}

function bad(why: string): ImpingeError {
  return new ImpingeError('bad-option', why);
}
