/** Inputs and results of the detector of deformables. */
import type { AbortSignalLike } from 'impinge/internal/base/platform-types.js';
import type { WorkerPool } from 'impinge/internal/kernel/worker-pool.js';

/**
 * `deforming`: any vertex may go anywhere. `rigid`: moves, but never meets itself. `static`: stands still, is hashed
 * once, and never meets other static surfaces.
 */
export type SurfaceKind = 'deforming' | 'rigid' | 'static';

export interface SurfaceInput {
  /** x, y, z of every vertex. Copied. */
  readonly positions: ArrayLike<number>;
  /** Three vertices of every triangle. Copied. */
  readonly indices: ArrayLike<number>;
  /** Default `deforming`. */
  readonly kind?: SurfaceKind;
  /** Whether it is tested against itself; static surfaces never are. Default: only if it is deforming. */
  readonly self?: boolean;
  /** Surfaces of one collision group (a positive integer) are not tested against each other. Default: none. */
  readonly collisionGroup?: number;
  /** For messages. Default `surface <id>`. */
  readonly name?: string;
}

/** A surface in a detector. Vertices and triangles are numbered as they were given. */
export interface Surface {
  /** Numbered from 0 in the order of adding; never given twice. */
  readonly id: number;
  readonly name: string;
  readonly kind: SurfaceKind;
  readonly vertexCount: number;
  readonly triangleCount: number;
  /** Sets a step from the current positions to `end`. */
  moveTo(end: ArrayLike<number>): void;
  /** Sets a step from `start` to `end`. */
  setStep(start: ArrayLike<number>, end: ArrayLike<number>): void;
  /** New triangles, perhaps new vertices (breaking, cutting); the surface stands at `positions`. */
  setTopology(positions: ArrayLike<number>, indices: ArrayLike<number>): void;
  remove(): void;
}

/**
 * Contacts of moving elements, each once, vertex–face before edge–edge, then by the numbers of their elements: vertex
 * and face, or the ends of both edges. The ends of an edge come as in the lowest triangle that has it, and the edge of
 * the lower triangle first. Surfaces are numbered in the order of adding, static ones first.
 * The arrays are the detector's own and hold the next answer after the next step: copy anything that must last.
 * Layout: entry i of `kinds`, `times`, `faces`; 2 i of `surfaces` and `weights`; 3 i of `normals`; 4 i of `vertices`.
 */
export interface ContactEvents {
  readonly count: number;
  /** VERTEX_FACE or EDGE_EDGE. */
  readonly kinds: Uint8Array;
  /** Ids of the surfaces of the first and second element. */
  readonly surfaces: Uint32Array;
  /** Vertices in their surfaces: vertex, face corners; or the ends of the first edge, of the second. */
  readonly vertices: Uint32Array;
  /** The triangle of a vertex–face event in its surface; 0xffffffff for edges. */
  readonly faces: Uint32Array;
  /** First time of contact in [0, 1]: not later than the true one. */
  readonly times: Float64Array;
  /** Weights of the second and third corner of the face; or the places along the first and second edge, in [0, 1]. */
  readonly weights: Float64Array;
  /** Unit vectors from the second element to the first as they approach. */
  readonly normals: Float64Array;
  readonly stats: DeformStats;
}

/**
 * Pairs of triangles, each once, the lower first, sorted; surfaces are numbered in the order of adding, static ones
 * first. Layout: entry 2 i and 2 i + 1 of `surfaces` and `triangles`. The caller owns the arrays.
 */
export interface TrianglePairs {
  readonly count: number;
  readonly surfaces: Uint32Array;
  readonly triangles: Uint32Array;
  /** True: the detector leaves none out. */
  readonly complete: boolean;
  /**
   * Bound on the distance between the queried geometry and the surfaces: 0, since the surfaces themselves are queried.
   */
  readonly error: number;
  readonly stats: DeformStats;
}

/**
 * Pairs of triangles that may be close at the end of a step, from another source: none twice, in any order and
 * orientation. Layout: as in `TrianglePairs`.
 */
export interface CandidatePairs {
  readonly count: number;
  readonly surfaces: Uint32Array;
  readonly triangles: Uint32Array;
}

/** A surface as it stands at the end of the step. */
export interface StandingSurface {
  readonly id: number;
  readonly name: string;
  /** Whether pairs of its own triangles count. */
  readonly self: boolean;
  /** Three vertices of every triangle. A new array when triangles are exchanged. */
  readonly indices: Uint32Array;
  /** Rises whenever vertices move. */
  readonly revision: number;
  /** x, y, z of every vertex. A read-only view, stale after any allocation. */
  end(): Float64Array;
}

/** Another source of the pairs at the end of a step. */
export interface CandidateSource {
  /**
   * All pairs at most `distance` apart, or more: those that do not count (common vertices, collision groups, static
   * surfaces) are sorted out later. Surfaces stay as they are until it has answered.
   */
  candidates(surfaces: readonly StandingSurface[], distance: number): Promise<CandidatePairs>;
}

/** Pairs that each stage left, and its time if the detector was given a clock. */
export interface DeformStats {
  readonly triangles: number;
  /** Triangles whose cluster meets another it may touch. */
  readonly activeTriangles: number;
  /** Triangle pairs of neighbouring cells. */
  readonly candidates: number;
  readonly boxPairs: number;
  readonly dopPairs: number;
  /** After the normal test of neighbours: the result of primitive culling. */
  readonly primitivePairs: number;
  /** Element pairs before and after element culling; the latter reach the exact test. */
  readonly elementPairs: number;
  readonly testedPairs: number;
  /** Tested pairs that floating point could not decide. */
  readonly exactPairs: number;
  readonly events: number;
  readonly ms?: StageTimes;
}

export interface StageTimes {
  readonly sweep: number;
  readonly grid: number;
  readonly primitives: number;
  readonly elements: number;
  readonly exact: number;
  readonly sort: number;
}

/** How candidate pairs are found; both give the same answer. `brute` compares everything with everything. */
export type SurfaceBroadPhase = 'hash' | 'brute';

export interface DeformablesOptions {
  /** Elements this close count as touching; neighbours in a mesh only where they really touch. Default 0. */
  readonly thickness?: number;
  /** Default `hash`. */
  readonly broadPhase?: SurfaceBroadPhase;
  /** A clock in milliseconds, for statistics. */
  readonly now?: () => number;
}

/** The scope of a step's contacts. */
export interface StepOptions {
  /** In place of the detector's own. */
  readonly thickness?: number;
  /**
   * Only contacts in which one of these takes part, with itself or with any other; static ones do not count. Default:
   * all.
   */
  readonly of?: readonly Surface[];
  /** Excludes contacts in which one of these takes part: their positions need not be known. Default: none. */
  readonly without?: readonly Surface[];
}

export interface ParallelContactsOptions extends StepOptions {
  readonly pool: WorkerPool;
  readonly signal?: AbortSignalLike;
}

export interface CloseOptions {
  /** Default: the detector's thickness. */
  readonly distance?: number;
}

/** The interface of `Deformables` (deformables.ts). */
export interface Detector extends Disposable {
  readonly thickness: number;
  add(input: SurfaceInput): Surface;
  /** All contacts of the step, or of some surfaces. */
  continuous(options?: StepOptions): ContactEvents;
  continuousParallel(options: ParallelContactsOptions): Promise<ContactEvents>;
  /** Pairs of triangles without a common vertex that meet at the end of the step. */
  intersecting(): TrianglePairs;
  /** Pairs of triangles without a common vertex at most `distance` apart at the end of the step. */
  within(options?: CloseOptions): TrianglePairs;
  /**
   * The same by candidates from another source, `intersecting` at distance 0. The detector must not be changed
   * meanwhile.
   */
  withinBy(source: CandidateSource, options?: CloseOptions): Promise<TrianglePairs>;
  dispose(): void;
}
