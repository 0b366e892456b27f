/** The culler's inputs and results. */
import type { GpuDeviceLike } from 'impinge/internal/base/platform-types.js';
import type { WorkerPool } from 'impinge/internal/kernel/worker-pool.js';
import type { Pose } from 'impinge/internal/math/pose.js';
import type { Mesh } from 'impinge/internal/mesh/mesh.js';
import type { MeshInput } from 'impinge/internal/mesh/mesh-input.js';

export type BackendKind = 'webgpu' | 'cpu';

/** Where culling runs: a WebGPU device, threads, or the calling thread. */
export type CullingDevice = GpuDeviceLike | WorkerPool | 'cpu';

/**
 * `queries`: the paper's two passes, objects in order and in reverse, an occlusion query for each. `split-tree`: all
 * objects against pictures of their partners, which are told apart by colours; a few draws for all of them.
 */
export type CullingMethod = 'queries' | 'split-tree';

/**
 * The items drawn, and the units dropped when fully visible; on WebGPU alone. `boxes`: boxes of objects, objects.
 * `objects`: triangles, objects. `parts`: boxes or triangles of parts, parts (runs of `partSize` triangles).
 * `triangles`: triangles, triangles.
 */
export type CullingStage = 'boxes' | 'objects' | 'parts' | 'triangles';

export interface CullerOptions {
  /** Pixels along each side of a view. Any number gives the same pairs. Default 800. */
  readonly resolution?: number;
  /** Default `split-tree`, the faster one. */
  readonly method?: CullingMethod;
  /**
   * In this order; without any, boxes alone cull. Default: none for pairs, where boxes alone are faster everywhere it
   * was measured, and `triangles` for the potentially colliding set. The CPU draws nothing.
   */
  readonly stages?: readonly CullingStage[];
  /** Triangles per part: a power of two from 16 to 256. Default 64. */
  readonly partSize?: number;
  /** Directions to look along besides the three axes: at most 25. Default 0. */
  readonly randomDirections?: number;
  /** For the random directions. Default 1. */
  readonly seed?: number;
  /**
   * Most rounds per stage; a stage ends earlier when the set stops shrinking. Default 2: a third one dropped less than
   * 1 % more wherever it was measured.
   */
  readonly rounds?: number;
  /**
   * Called once when a device fails and the next one takes over. Default: `console.warn`.
   */
  readonly onFallback?: (message: string) => void;
  /** A clock in milliseconds, for statistics. */
  readonly now?: () => number;
}

export interface CulledObjectOptions {
  readonly pose?: Pose;
  /** Whether it is tested against itself as well. Default false. */
  readonly self?: boolean;
}

/** An object of a culler. */
export interface CulledObject {
  /** Numbered from 0 in the order of adding; never given twice. */
  readonly id: number;
  readonly mesh: Mesh;
  move(pose: Pose): void;
  /** New places of the same vertices, as in `Mesh.setPositions`. A mesh the culler was given changes with it. */
  deform(positions: ArrayLike<number>): void;
  /** Other triangles (broken, cut, refined). */
  replace(shape: Mesh | MeshInput): void;
  remove(): void;
}

/** The objects that may collide, a superset of those that do. */
export interface PotentiallyCollidingSet {
  /** Ids, rising. */
  readonly objects: Uint32Array;
  readonly stats: CullingStats;
}

export interface CullerWithinOptions {
  /** In the meshes' unit. */
  readonly distance: number;
}

export interface CullerDistanceOptions {
  /** The search ends at this distance. Default Infinity. */
  readonly atMost?: number;
}

/**
 * Pairs of triangles, each once, the lower first: sorted by first object, its triangle, second object, its triangle.
 * Layout: entry 2 i and 2 i + 1 of `objects` (ids) and `triangles`. The arrays are the caller's.
 */
export interface CulledCandidates {
  readonly count: number;
  readonly objects: Uint32Array;
  readonly triangles: Uint32Array;
  readonly stats: CullingStats;
}

/** Pairs that were decided. */
export interface CulledPairs extends CulledCandidates {
  /** True: a culler leaves none out. */
  readonly complete: boolean;
  /** Bound on the distance between the queried geometry and the meshes: 0, since the meshes themselves are queried. */
  readonly error: number;
}

/** The closest two triangles. Points are in the world. */
export interface ClosestPair {
  readonly distance: number;
  readonly objects: readonly [number, number];
  readonly triangles: readonly [number, number];
  readonly points: readonly [readonly [number, number, number], readonly [number, number, number]];
}

export interface CullingStats {
  readonly backend: BackendKind;
  readonly method: CullingMethod;
  readonly resolution: number;
  readonly objects: number;
  readonly triangles: number;
  /** Items that each stage kept, in order; empty on the CPU. */
  readonly stages: readonly StageStats[];
  /** Triangle pairs whose boxes meet, after all culling. */
  readonly candidates: number;
  /** Pairs that the culling backend left to exact arithmetic. */
  readonly doubts: number;
  /** If the culler was given a clock. */
  readonly ms?: CullingTimes;
}

export interface StageStats {
  readonly stage: CullingStage;
  /** The number of drawn objects, parts or triangles that are left. */
  readonly kept: number;
  readonly of: number;
}

export interface CullingTimes {
  /** Everything, from the query to the answer. */
  readonly total: number;
  /** Writing tables and commands. */
  readonly calls: number;
  /** On the device, where it can be measured (timestamp queries); on the CPU, all of its culling. */
  readonly device?: number;
  /** Time until the answer is readable, including the device's work. */
  readonly wait: number;
  /** Deciding doubts and distances, sorting. */
  readonly exact: number;
}
