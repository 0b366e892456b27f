/**
 * The search for a path in any space of states: what a planner proposes is proved and shortened, or refused, until time
 * or memory run out.
 */
import { ImpingeError } from 'impinge';
import { readAtMost, readChoice, readInteger, readKnown } from 'impinge/internal/base/options.js';
import type { AbortSignalLike } from 'impinge/internal/base/platform-types.js';
import { SeededRandom } from 'impinge/internal/base/seeded-random.js';
import type { MakePlanner } from './planner.js';
import { PLANNERS, type PlannerName } from './planners.js';
import { provePath, shortenPath } from './shorten-path.js';
import type { State, StateSpace } from './state-space.js';

export interface SearchOptions {
  /** Equal seeds find equal paths on every machine, unless time runs out (default 1). */
  readonly seed?: number;
  /** How it is looked for (default `connect`). */
  readonly planner?: PlannerName;
  /** Seconds (default 60). */
  readonly timeLimit?: number;
  readonly limits?: {
    /** States that may be kept (default 1 000 000). */
    readonly nodes?: number;
  };
  readonly signal?: AbortSignalLike;
  readonly onProgress?: (progress: PathProgress) => void;
}

/** What is asked of a search for a path, whatever is moved. */
export interface PathOptions<End> extends SearchOptions {
  readonly start: End;
  /** Any of these will do. */
  readonly goals: readonly End[];
  /** Distances of at most this are contacts (default 0: touching is). */
  readonly clearance?: number;
  /**
   * How near a motion may come beyond the clearance and be given up (default: 10⁻⁶ of the size of a body, 10⁻⁴ of the
   * reach of a mechanism).
   */
  readonly accuracy?: number;
}

export type PathResult<Path> =
  | { readonly found: true; readonly path: Path; readonly stats: PathStats }
  | {
      /** None was found; there may be one. */
      readonly found: false;
      /** What was used up; `places`, of walks: all that can be reached at the finest spacing was looked at. */
      readonly reason: 'time' | 'nodes' | 'places';
      readonly stats: PathStats;
    };

export interface PathProgress {
  readonly nodes: number;
  readonly seconds: number;
}

export interface PathStats {
  /** States kept by the search. */
  readonly nodes: number;
  readonly seconds: number;
}

export const PATH_OPTION_NAMES = {
  start: true,
  goals: true,
  clearance: true,
  accuracy: true,
  seed: true,
  planner: true,
  timeLimit: true,
  limits: true,
  signal: true,
  onProgress: true,
} as const;

const TIME_LIMIT = 60;
const MOST_NODES = 1_000_000;
/** Milliseconds between two looks at the event loop. */
const TURN = 50;

export interface Search extends SearchOptions {
  readonly seed: number;
  readonly planner: PlannerName;
  readonly timeLimit: number;
  readonly nodes: number;
}

export function readSearch(options: SearchOptions): Search {
  const { seed = 1, planner = 'connect', timeLimit = TIME_LIMIT, limits } = options;
  const { nodes = MOST_NODES } = readKnown('limits', limits ?? {}, { nodes: true });
  readInteger('seed', seed, 0, 2 ** 32 - 1);
  readInteger('limits.nodes', nodes, 2);
  readAtMost('timeLimit', timeLimit);
  readChoice('planner', planner, Object.keys(PLANNERS) as PlannerName[]);
  return { ...options, seed, planner, timeLimit, nodes };
}

/** What is moved, and how questions and answers about it are told. */
export interface Moved<End, Path> {
  readonly space: StateSpace;
  /** Another number once something may have moved that it is not to touch. */
  readonly revision: number;
  /** The start and the goals as states; throws where they cannot be. */
  statesOf(start: End, goals: readonly End[]): readonly State[];
  /** Made of states between which all motions are proved; stops improving it when it is late. */
  pathOf(states: readonly State[], random: SeededRandom, isLate: () => boolean): Path;
}

/** Lets the event loop turn now and then, and says how far something is. */
export class Turns {
  readonly #name: string;
  readonly #options: Pick<SearchOptions, 'signal' | 'onProgress'>;
  #turned = performance.now();

  constructor(name: string, options: Pick<SearchOptions, 'signal' | 'onProgress'>) {
    this.#name = name;
    this.#options = options;
  }

  get isDue(): boolean {
    return performance.now() - this.#turned >= TURN;
  }

  async take(progress: PathProgress): Promise<void> {
    this.#options.onProgress?.(progress);
    await new Promise((resolve) => setTimeout(resolve));
    if (this.#options.signal?.aborted)
      throw new ImpingeError('aborted', `${this.#name} was aborted after ${progress.nodes} states`);
    this.#turned = performance.now();
  }
}

interface Ended {
  /** The time until now. */
  stats(): PathStats;
}

export type SearchResult = Ended &
  (
    | {
        /** All motions between them are proved. */
        readonly states: State[];
        readonly random: SeededRandom;
        readonly isLate: () => boolean;
      }
    | { readonly states: undefined; readonly reason: 'time' | 'nodes' | 'places' }
  );

/** `began` is when the time of the search began, by `performance.now()`. */
export async function searchPath(
  name: string,
  space: StateSpace,
  start: State,
  goals: readonly State[],
  { seed, planner, timeLimit, nodes, began, ...given }: Search & { readonly began: number },
  plan: MakePlanner = PLANNERS[planner],
): Promise<SearchResult> {
  const random = new SeededRandom(seed);
  const search = plan(space, start, goals, random);
  const stats = () => ({ nodes: search.nodes, seconds: (performance.now() - began) / 1000 });
  const isLate = () => performance.now() - began > 1000 * timeLimit;
  const straight = goals.find((goal) => space.edgeFree(start, goal));
  if (straight) return { states: [start, straight], random, isLate, stats };
  const turns = new Turns(name, given);
  for (;;) {
    const candidate = search.step();
    const proved = candidate && provePath(space, candidate.states);
    if (typeof proved === 'number') candidate!.refuse(proved);
    else if (proved) return { states: shortenPath(space, proved, random, isLate), random, isLate, stats };
    if (search.isExhausted) return { states: undefined, reason: 'places', stats };
    if (search.nodes >= nodes) return { states: undefined, reason: 'nodes', stats };
    if (isLate()) return { states: undefined, reason: 'time', stats };
    if (turns.isDue) await turns.take(stats());
  }
}

/** The answer to one question. */
export async function answerPath<End, Path>(
  name: string,
  moved: Moved<End, Path>,
  { start, goals, ...search }: Search & { start: End; goals: readonly End[]; began: number },
  plan?: MakePlanner,
): Promise<PathResult<Path>> {
  const [from, ...to] = moved.statesOf(start, goals);
  const found = await searchPath(name, moved.space, from, to, search, plan);
  if (!found.states) return { found: false, reason: found.reason, stats: found.stats() };
  const path = moved.pathOf(found.states, found.random, found.isLate);
  return { found: true, path, stats: found.stats() };
}
