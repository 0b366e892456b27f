/** Words and numbers that the host and the kernels share. */

/** Words at the start of `state`, all 0 when a request begins. */
export const Head = {
  /** The number of the request, written by the device: proof that it ran. */
  stamp: 0,
  objectPairs: 1,
  partItems: 2,
  partPairs: 3,
  candidates: 4,
  meeting: 5,
  doubtful: 6,
  /** Not 0 if a list came near 2³² entries. */
  full: 7,
  tasks: 8,
  /** Most tasks that any batch had. */
  mostTasks: 9,
  /** Pairs of objects before anything was dropped. */
  firstObjectPairs: 10,
  /** Not 0 if a slot has too many pairs for the device to sort. */
  mostPartners: 11,
  /**
   * From here on, STAGE_WORDS for each stage in order: the count left before it, then the count dropped per round, last
   * the number of items drawn.
   */
  stages: 16,
} as const;

/** More rounds than this are not begun: the rule allows to stop at any time. */
export const MAX_ROUNDS = 16;
export const STAGE_WORDS = 2 + MAX_ROUNDS;

/** The first of the words that flag objects which may collide; the words of the objects follow. */
export const MET_WORD = 128;

/** In the word of an item: dropped for good. */
export const DROPPED_BIT = 31;
/** In the word of an item: cannot be dropped in this round. The bits below are laid out in settle.wgsl.ts. */
export const KEPT_BIT = 30;

/** Items that a workgroup of the rasteriser takes at once, its threads, and most workgroups for a view. */
export const RASTER_ITEMS = 32;
export const RASTER_THREADS = 256;
export const RASTER_THREADS_IN_SOFTWARE = 64;
export const RASTER_GROUPS = 1024;
/** An item with more pixels is split into tasks of this many. */
export const TASK_PIXELS = 1024;
/**
 * Maximum workgroups of kernels that loop: as many as a large device runs at once. In software, threads of a workgroup
 * that wait for each other are expensive: few of them.
 */
export const MAX_GROUPS = 2048;
export const MAX_GROUPS_IN_SOFTWARE = 16;
/** Objects on a side of a tile of object pairs. */
export const TILE = 256;

/** Slots whose pairs are counted together. */
export const SLOTS_PER_BLOCK = 4096;
/** Most pairs with the same first triangle that the device sorts. */
export const MOST_PARTNERS = 1024;

/** GPUBufferUsage, GPUShaderStage and GPUMapMode, which are globals only where there is WebGPU. */
export const Usage = {
  mapRead: 0x1,
  copySource: 0x4,
  copyTarget: 0x8,
  uniform: 0x40,
  storage: 0x80,
  queryResolve: 0x200,
} as const;
export const COMPUTE_STAGE = 0x4;
export const MAP_READ = 0x1;
