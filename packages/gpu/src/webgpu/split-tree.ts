/**
 * Culling by split-tree: objects are split by colours, and items are held against images of their partners' colours
 * (colour.wgsl.ts, visibility.ts). A batch is as many colours and views as the images have memory for. Per round and
 * batch: write, test, settle; a round after one that dropped nothing returns at once.
 */
import { ImpingeError } from 'impinge/internal/base/errors.js';
import type { CullingStage } from '../types.js';
import type { Kernels } from './kernels.js';
import {
  Head,
  KEPT_BIT,
  MAX_GROUPS_IN_SOFTWARE,
  RASTER_GROUPS,
  RASTER_ITEMS,
  RASTER_THREADS,
  RASTER_THREADS_IN_SOFTWARE,
  STAGE_WORDS,
} from './layout.js';
import type { Lists } from './lists.js';
import type { SentRequest } from './sent-request.js';
import { STEP_COMPLETE, STEP_LAST, type Steps } from './step.js';

/** As `STAGE` in the kernels. */
export const STAGE_NUMBER: Record<CullingStage, number> = { boxes: 0, objects: 1, parts: 2, triangles: 3 };

/** Near and far. */
const BYTES_PER_PIXEL = 8;
const MAX_IMAGE_BYTES = 2 ** 28;

/** Most colours: every one takes memory; overlapping boxes of objects that are spread at random need four or five. */
const MAX_COLOURS = 7;
/** Rounds of choosing another colour. */
const COLOUR_TURNS = 3;
/** Images hold it in 8 bits; those of a new buffer, or wiped, are of generation 0. */
const MAX_GENERATION = 255;

export interface Batch {
  readonly firstColour: number;
  readonly colourCount: number;
  readonly firstView: number;
  readonly viewCount: number;
  /** Whether it ends with the last view of its colours. */
  readonly complete: boolean;
}

/** The number of colours for these objects: with their views, they must fit below KEPT in a word. */
export function colourCountOf(objectCount: number, views: number): number {
  if (objectCount < 2) return 0;
  return Math.min(objectCount, MAX_COLOURS, KEPT_BIT - views);
}

/** Colours that the objects of a request have; none if nothing is held against them. */
export function coloursOf({ objectCount, request: { method, stages, views } }: SentRequest): number {
  return method === 'split-tree' && stages.length > 0 ? colourCountOf(objectCount, views.length / 9) : 0;
}

/**
 * Which colours and views go together. Colours of a batch have all views, or one colour has some of them.
 * Invariant: colours and those of the batch · views fit below KEPT in a word, and the images into `limit` bytes.
 */
export function planBatches(colours: number, views: number, resolution: number, limit: number): Batch[] {
  const imageBytes = BYTES_PER_PIXEL * resolution ** 2;
  if (imageBytes > limit) {
    throw new ImpingeError(
      'unsupported',
      `WebGPU: ${resolution} × ${resolution} pixels take ${imageBytes} bytes, maxStorageBufferBindingSize is ${limit}`,
      { limit: 'maxStorageBufferBindingSize' },
    );
  }
  // a device with the minimum limits is likely to be a small one
  const images = Math.max(1, Math.floor(Math.min(limit / 2, MAX_IMAGE_BYTES) / imageBytes));
  const batches: Batch[] = [];
  if (images >= views) {
    const most = Math.min(Math.floor(images / views), Math.floor((KEPT_BIT - colours) / views));
    // batches of nearly equal size
    const count = Math.ceil(colours / most);
    for (let i = 0, firstColour = 0; i < count; i++) {
      const colourCount = Math.ceil((colours - firstColour) / (count - i));
      batches.push({ firstColour, colourCount, firstView: 0, viewCount: views, complete: true });
      firstColour += colourCount;
    }
    return batches;
  }
  for (let firstColour = 0; firstColour < colours; firstColour++) {
    for (let firstView = 0; firstView < views; firstView += images) {
      const viewCount = Math.min(images, views - firstView);
      const complete = firstView + viewCount === views;
      batches.push({ firstColour, colourCount: 1, firstView, viewCount, complete });
    }
  }
  return batches;
}

export function imageBytesOf(batches: readonly Batch[], resolution: number): number {
  const images = Math.max(0, ...batches.map(({ colourCount, viewCount }) => colourCount * viewCount));
  return BYTES_PER_PIXEL * resolution ** 2 * images;
}

/** Workgroups along x and y for a count that may exceed the limit of x. */
export function spread(count: number): [number, number] {
  return count <= 65535 ? [count, 1] : [32768, Math.ceil(count / 32768)];
}

/** Where the counts of the i-th stage begin. */
export function stageWord(i: number): number {
  return Head.stages + i * STAGE_WORDS;
}

/** How many units a stage may drop: objects, parts or triangles. */
export function unitCountOf({ objectCount, partCount, slotCount }: SentRequest, stage: CullingStage): number {
  return [objectCount, objectCount, partCount, slotCount][STAGE_NUMBER[stage]];
}

/** Uses of the images, numbered so that remains of older ones need not be cleared. */
export class Generations {
  #last = 0;

  /** The next one; `wipe` is called when all numbers have been used. */
  next(wipe: () => void): number {
    if (this.#last === MAX_GENERATION) {
      wipe();
      this.#last = 0;
    }
    return ++this.#last;
  }
}

/** Colours for all objects, once their pairs are known. */
export function encodeColours(
  pass: GPUComputePassEncoder,
  kernels: Kernels,
  lists: Lists,
  objectCount: number,
  colours: number,
): void {
  const groups = Math.min(lists.maxGroups, Math.ceil(objectCount / 64));
  const turn = (entry: string) => {
    kernels.use(pass, 'colour', entry, {}).dispatchWorkgroups(groups);
  };
  turn('first');
  if (objectCount <= colours) return;
  for (let i = 0; i < COLOUR_TURNS; i++) {
    kernels.use(pass, 'clash', 'clash', {}).dispatchWorkgroups(lists.groups('objectPairs', 64));
    turn('again');
  }
}

/** Encodes all rounds of the i-th stage of a request. */
export function encodeStage(
  pass: GPUComputePassEncoder,
  kernels: Kernels,
  lists: Lists,
  steps: Steps,
  sent: SentRequest,
  generations: Generations,
  i: number,
  batches: readonly Batch[],
  rounds: number,
): void {
  const { objectCount, partCount, slotCount, request, input } = sent;
  const stage = STAGE_NUMBER[request.stages[i]];
  const items = [objectCount, slotCount, partCount, slotCount][stage];
  const flagged = unitCountOf(sent, request.stages[i]);
  const constants = { PART: input.partSize, STAGE: stage };
  const software = lists.maxGroups === MAX_GROUPS_IN_SOFTWARE;
  const raster = { ...constants, THREADS: software ? RASTER_THREADS_IN_SOFTWARE : RASTER_THREADS };
  const rasterGroups = Math.min(lists.maxGroups, RASTER_GROUPS, Math.ceil(items / RASTER_ITEMS));
  const word = stageWord(i);
  const wipe = () => {
    kernels.use(pass, 'wipe', 'wipe', {}).dispatchWorkgroups(lists.maxGroups);
  };
  for (let round = 0; round < rounds; round++) {
    for (let b = 0; b < batches.length; b++) {
      const { firstColour, colourCount, firstView, viewCount, complete } = batches[b];
      const last = b === batches.length - 1;
      const at = steps.add({
        firstColour,
        colourCount,
        firstView,
        ends: (complete ? STEP_COMPLETE : 0) | (last ? STEP_LAST : 0),
        previousWord: round === 0 ? 0 : word + round,
        leftWord: round === 0 && last ? word : 0,
        droppedWord: word + 1 + round,
        drawnWord: word + STAGE_WORDS - 1,
        generation: generations.next(wipe) * 2 ** 24,
      });
      if (round === 0 && b === 0) {
        kernels
          .use(pass, 'collect', 'collect', constants, at)
          .dispatchWorkgroups(Math.min(lists.maxGroups, Math.ceil(items / 256)));
      }
      for (const module of ['write', 'test'] as const) {
        kernels.use(pass, module, 'small', raster, at).dispatchWorkgroups(rasterGroups, 1, viewCount);
        kernels.use(pass, module, 'large', raster, at).dispatchWorkgroups(lists.groups('tasks', 1));
      }
      kernels
        .use(pass, 'settle', 'settle', constants, at)
        .dispatchWorkgroups(Math.min(lists.maxGroups, Math.ceil(flagged / 256)));
    }
  }
}
