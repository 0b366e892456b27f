/**
 * A planner that follows a map of roads, and once no way is left on it, goes on as another does.
 *
 * Only roads of the shortest way are looked at (lazily, Bohlin and Kavraki): where one is blocked, the next shortest
 * way is looked for. What the search then proves, it proves anew: the map is not trusted.
 */
import type { Candidate, Planner } from './planner.js';
import { otherEnd, type Road, type RoadGraph } from './road-graph.js';
import { looksFree } from './shorten-path.js';
import type { State, StateSpace } from './state-space.js';

export class RoadSearch implements Planner {
  readonly #space: StateSpace;
  readonly #graph: RoadGraph;
  readonly #start: number;
  /** The way to the goals that is left at each state, at least. */
  readonly #left: Float64Array;
  readonly #makeNext: () => Planner;
  #next: Planner | undefined;

  constructor(
    space: StateSpace,
    graph: RoadGraph,
    start: State,
    goals: readonly State[],
    makeNext: () => Planner,
  ) {
    this.#space = space;
    this.#graph = graph;
    this.#start = graph.addEnd(start);
    this.#left = graph.leftTo(goals.map((goal) => graph.addEnd(goal)));
    this.#makeNext = makeNext;
  }

  /** Of the other planner. */
  get nodes(): number {
    return this.#next?.nodes ?? 0;
  }

  /** Whether the map led nowhere. */
  get isLost(): boolean {
    return this.#next !== undefined;
  }

  step(): Candidate | undefined {
    if (this.#next) return this.#next.step();
    const way = this.#graph.shortest(this.#start, this.#left);
    if (!way) {
      this.#next = this.#makeNext();
      return undefined;
    }
    const states = [this.#graph.state(this.#start)];
    let at = this.#start;
    for (const road of way) states.push(this.#graph.state((at = otherEnd(road, at))));
    // from both ends: what is blocked is often near them
    for (let i = 0; i < way.length; i++) {
      const k = i % 2 === 0 ? i >> 1 : way.length - 1 - (i >> 1);
      if (!this.#isFree(way[k], states[k], states[k + 1])) return undefined;
    }
    return {
      states,
      refuse: (motion) => {
        way[motion].known = 'blocked';
      },
    };
  }

  #isFree(road: Road, from: State, to: State): boolean {
    if (road.known === 'nothing') {
      const isFree = looksFree(this.#space, from, to) && this.#space.edgeFree(from, to);
      road.known = isFree ? 'free' : 'blocked';
    }
    return road.known === 'free';
  }
}
