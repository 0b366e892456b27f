/**
 * A roadmap: free states all over a world and the roads between them, for many questions of one body or mechanism.
 *
 * Roads are proved when a way first leads over them, and remembered as free or blocked. Where the map leads nowhere,
 * trees are grown as by `findPath`, and their path is added to it.
 */
import { ImpingeError, type Mesh, type Pose } from 'impinge';
import { type OptionNames, readInteger, readKnown } from 'impinge/internal/base/options.js';
import { SeededRandom } from 'impinge/internal/base/seeded-random.js';
import type { MechanismSpace } from '../mechanism/mechanism-space.js';
import { type Obstacles, readObstacles } from '../obstacles.js';
import { type FindJointPathOptions, type JointPath, MovedJoints } from './find-joint-path.js';
import { type FindPathOptions, type MotionPath, MovedBody } from './find-path.js';
import type { MakePlanner } from './planner.js';
import { PLANNERS } from './planners.js';
import { RoadGraph } from './road-graph.js';
import { RoadSearch } from './road-search.js';
import {
  type Moved,
  PATH_OPTION_NAMES,
  type PathOptions,
  type PathResult,
  readSearch,
  type SearchOptions,
  searchPath,
  Turns,
} from './search-path.js';

/** It is built until it has as many states, or time runs out. */
export interface RoadmapOptions extends Omit<SearchOptions, 'planner' | 'limits'> {
  /** Free states to begin with (default 1000). */
  readonly nodes?: number;
  readonly limits?: {
    /** States that may ever be kept, with those that questions add (default 20 000). */
    readonly nodes?: number;
  };
}

type NotMade = 'start' | 'goals' | 'allowed' | 'planner' | 'limits';

export interface BodyRoadmapOptions extends RoadmapOptions, Omit<FindPathOptions, NotMade> {}

export interface JointRoadmapOptions extends RoadmapOptions, Omit<FindJointPathOptions, NotMade> {}

/** The clearance and the accuracy are those that the roadmap was made with. */
export interface RoadmapQuestion<End> extends Omit<PathOptions<End>, 'clearance' | 'accuracy'> {}

const { start: _start, goals: _goals, planner: _planner, ...MADE_NAMES } = PATH_OPTION_NAMES;
const BODY_NAMES: OptionNames<BodyRoadmapOptions> = {
  ...{ ...MADE_NAMES, nodes: true, centre: true, bounds: true, upright: true, speed: true },
};
const JOINT_NAMES: OptionNames<JointRoadmapOptions> = { ...MADE_NAMES, nodes: true, speeds: true };
const { clearance: _clearance, accuracy: _accuracy, ...QUESTION_NAMES } = PATH_OPTION_NAMES;
const NODES = 1000;
const MOST_NODES = 20_000;

/** Answers as `findPath` or `findJointPath` do. One question at a time. */
export class Roadmap<End, Path> {
  readonly #moved: Moved<End, Path>;
  readonly #graph: RoadGraph;
  #revision: number;
  #isAsked = false;

  /** @internal */
  constructor(moved: Moved<End, Path>, graph: RoadGraph) {
    this.#moved = moved;
    this.#graph = graph;
    this.#revision = moved.revision;
  }

  /** States on the map. */
  get nodes(): number {
    return this.#graph.size;
  }

  /** Looks for a path; `stats.nodes` are states beside the map, 0 where that leads to the goal. */
  async find(question: RoadmapQuestion<End>): Promise<PathResult<Path>> {
    const began = performance.now();
    const { start, goals, ...given } = readKnown('find', question, QUESTION_NAMES);
    const search = readSearch(given);
    if (this.#isAsked) throw new ImpingeError('busy', 'find: the roadmap is being asked');
    const moved = this.#moved;
    const graph = this.#graph;
    const [from, ...to] = moved.statesOf(start, goals);
    const { revision } = moved;
    if (revision !== this.#revision) graph.forget();
    this.#revision = revision;
    this.#isAsked = true;
    let roads!: RoadSearch;
    const plan: MakePlanner = (space, begin, ends, random) => {
      const grow = () => PLANNERS[search.planner](space, begin, ends, random);
      return (roads = new RoadSearch(space, graph, begin, ends, grow));
    };
    try {
      const found = await searchPath('find', moved.space, from, to, { ...search, began }, plan);
      if (!found.states) return { found: false, reason: found.reason, stats: found.stats() };
      graph.forgetEnds();
      if (roads.isLost) graph.addPath(found.states);
      const path = moved.pathOf(found.states, found.random, found.isLate);
      return { found: true, path, stats: found.stats() };
    } finally {
      graph.forgetEnds();
      this.#isAsked = false;
    }
  }
}

/** A roadmap of a rigid body among obstacles that stand still; bounds are around these, if none are given. */
export async function makeRoadmap(
  body: Mesh,
  obstacles: Obstacles,
  options: BodyRoadmapOptions = {},
): Promise<Roadmap<Pose, MotionPath>> {
  const given = readKnown('makeRoadmap', options, BODY_NAMES);
  const standing = readObstacles(obstacles);
  if (standing.length === 0 && given.bounds === undefined)
    throw new ImpingeError('bad-input', 'makeRoadmap: without obstacles, bounds are needed');
  return build(new MovedBody('find', body, standing, given, { poses: [], allowed: 0 }), given);
}

/** A roadmap of a mechanism; what is known of its roads is forgotten when something in its world moves. */
export async function makeJointRoadmap(
  space: MechanismSpace,
  options: JointRoadmapOptions = {},
): Promise<Roadmap<ArrayLike<number>, JointPath>> {
  const given = readKnown('makeJointRoadmap', options, JOINT_NAMES);
  return build(new MovedJoints('find', space, given), given);
}

async function build<End, Path>(
  moved: Moved<End, Path>,
  { nodes, limits, ...options }: RoadmapOptions,
): Promise<Roadmap<End, Path>> {
  const search = readSearch({ ...options, limits: { nodes: MOST_NODES, ...limits } });
  const wanted = readInteger('nodes', nodes ?? Math.min(NODES, search.nodes), 0, search.nodes);
  const graph = new RoadGraph(moved.space, search.nodes);
  const random = new SeededRandom(search.seed);
  const turns = new Turns('the roadmap', search);
  const began = performance.now();
  const seconds = () => (performance.now() - began) / 1000;
  while (graph.size < wanted && seconds() < search.timeLimit) {
    const state = moved.space.sample(random);
    if (moved.space.keepsClear(state)) graph.add(state);
    if (turns.isDue) await turns.take({ nodes: graph.size, seconds: seconds() });
  }
  return new Roadmap(moved, graph);
}
