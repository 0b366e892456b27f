/**
 * A planner: one tree grows from the start, one from the goals, until they meet (RRT-Connect, Kuffner and LaValle).
 *
 * Each step moves the nearest state of one tree towards a random state, as far as it is free, and then the other tree
 * as far as it gets towards where that ended. A tree that is stuck, as in a hole, slides along what is in its way.
 * Before all that, trees follow the directions that the surfaces about the start and the goals leave, as a nut its
 * thread, to where these end.
 * Motions in trees are only sampled: what hangs on one that turns out not to be free is cut off, the samples get
 * denser, and the search goes on.
 */
import type { SeededRandom } from 'impinge/internal/base/seeded-random.js';
import type { Candidate, Planner } from './planner.js';
import { SearchTree } from './search-tree.js';
import { apart, type State, type StateSpace } from './state-space.js';

/** The longest motion of a tree, as a share of the space's extent. */
const LONGEST = 0.2;
/** Where a motion ends at an obstacle, fewer samples of it are not worth a state. */
const LEAST_SAMPLES = 2;
/** Trees of so many states have not found a way that is wide: from then on samples are so much denser. */
const MANY = 3000;
const DENSER_OF_MANY = 3;
/** Denser samples after a motion that was not free, and how dense they may get. */
const DENSER = 0.7;
const DENSEST = 0.02;
/** A tree slides when so many steps in turn got nowhere, and again after half as many. */
const STUCK = 200;
/** How often a slide goes on where the last one of the tree ended. */
const GO_ON = 0.5;
/** Motions of one slide; the first, the shortest, and the longest, a radian of a body, by distances of samples. */
const MOST_SLIDES = 300;
const FIRST_SLIDE = 0.33;
const LEAST_SLIDE = 0.003;
const LONGEST_SLIDE = 8;

interface Advance {
  readonly state: State;
  readonly arrived: boolean;
}

/** A direction that is still to be followed. */
interface Lead {
  readonly tree: 0 | 1;
  readonly at: number;
  readonly heading: Float64Array;
}

export class ConnectTrees implements Planner {
  readonly #space: StateSpace;
  readonly #random: SeededRandom;
  readonly #trees: readonly [SearchTree, SearchTree];
  readonly #longest: number;
  #resolution: number;
  #turn = 0;
  #leads: Lead[] | undefined;

  constructor(space: StateSpace, start: State, goals: readonly State[], random: SeededRandom) {
    this.#space = space;
    this.#random = random;
    this.#trees = [new SearchTree(space, [start]), new SearchTree(space, goals)];
    this.#longest = LONGEST * space.extent;
    this.#resolution = space.resolution;
  }

  get nodes(): number {
    return this.#trees[0].size + this.#trees[1].size;
  }

  step(): Candidate | undefined {
    this.#leads ??= this.#findLeads();
    const lead = this.#leads.pop();
    if (lead) {
      const tree = this.#trees[lead.tree];
      const reached = this.#slide(tree, lead.at, lead.heading);
      return reached === lead.at ? undefined : this.#connect(tree, reached);
    }
    const tree = this.#trees[this.#turn];
    this.#turn = 1 - this.#turn;
    const reached = tree.misses >= STUCK ? this.#slideAnywhere(tree) : this.#grow(tree);
    return reached < 0 ? undefined : this.#connect(tree, reached);
  }

  /** Directions from the starts and the goals, both ways, those with the most room last. */
  #findLeads(): Lead[] {
    const out: Lead[] = [];
    for (const tree of [0, 1] as const) {
      for (const [at, root] of this.#trees[tree].states.entries()) {
        for (const heading of this.#space.freedom(root)) {
          for (const way of [heading, heading.map((x) => -x)]) out.push({ tree, at, heading: way });
        }
      }
    }
    return out.reverse();
  }

  /** Moves the other tree as far as it gets towards a state. */
  #connect(a: SearchTree, reached: number): Candidate | undefined {
    const b = this.#trees[a === this.#trees[0] ? 1 : 0];
    const end = a.states[reached];
    let other = b.nearest(end);
    for (;;) {
      const next = this.#advance(b.states[other], end);
      if (!next) return undefined;
      if (next.arrived) return this.#join(a, reached, b, other);
      const isStopped = apart(this.#space, b.states[other], next.state) < 0.99 * this.#longest;
      other = b.add(next.state, other);
      if (isStopped) return undefined;
    }
  }

  /** Moves the nearest state towards a random one; the number of the new state, −1 where it is stuck. */
  #grow(tree: SearchTree): number {
    const towards = this.#space.sample(this.#random);
    const from = tree.nearest(towards);
    const moved = this.#advance(tree.states[from], towards);
    tree.misses = moved ? 0 : tree.misses + 1;
    return moved ? tree.add(moved.state, from) : -1;
  }

  /** Slides on from where the last slide ended, or from any state; where to, −1 where it is stuck. */
  #slideAnywhere(tree: SearchTree): number {
    const random = this.#random;
    tree.misses = STUCK / 2;
    const isOn = tree.slid >= 0 && random.next() < GO_ON;
    const from = isOn ? tree.slid : Math.floor(random.next() * tree.size);
    if (tree.isGone(from)) return -1;
    const at = this.#slide(tree, from, this.#space.heading(tree.states[from], random));
    if (at === from) return -1;
    return (tree.slid = at);
  }

  /**
   * Slides from a state for as long as it gets somewhere; the number of the last state. It goes on as it went so far in
   * the mean: what is in the way pushes it to one side and to the other.
   */
  #slide(tree: SearchTree, first: number, wish: Float64Array): number {
    let at = first;
    let heading = wish;
    const way = new Float64Array(wish.length);
    let length = FIRST_SLIDE * this.#resolution;
    let left = MOST_SLIDES;
    while (left-- > 0 && length > LEAST_SLIDE * this.#resolution) {
      const from = tree.states[at];
      const next = this.#space.slide(from, heading, length);
      const isFree = next && this.#advance(from, next.state)?.arrived;
      if (isFree) {
        for (let k = 0; k < way.length; k++) way[k] += length * next.heading[k];
        const scale = 1 / Math.hypot(...way);
        heading = way.map((x) => x * scale);
        at = tree.add(next.state, at);
        length = Math.min(1.5 * length, LONGEST_SLIDE * this.#space.resolution);
      } else {
        length *= 0.5;
      }
    }
    return at;
  }

  /** Moves as far as samples are free, at most by the longest motion. */
  #advance(from: State, towards: State): Advance | undefined {
    const space = this.#space;
    const way = apart(space, from, towards);
    const share = Math.min(1, this.#longest / way);
    const to = share < 1 ? space.interpolate(from, towards, share) : towards;
    const denser = this.nodes > MANY ? DENSER_OF_MANY : 1;
    const samples = Math.max(1, Math.ceil((denser * way * share) / this.#resolution));
    let last: State | undefined;
    for (let i = 1; i <= samples; i++) {
      const state = i === samples ? to : space.interpolate(from, to, i / samples);
      if (!space.keepsClear(state))
        return last && i > LEAST_SAMPLES ? { state: last, arrived: false } : undefined;
      last = state;
    }
    return { state: to, arrived: share === 1 };
  }

  /** The path over two states that see each other. */
  #join(a: SearchTree, inA: number, b: SearchTree, inB: number): Candidate {
    const isFirst = a === this.#trees[0];
    const [tree, end, other, otherEnd] = isFirst ? [a, inA, b, inB] : [b, inB, a, inA];
    const there = tree.branch(end);
    const back = other.branch(otherEnd).reverse();
    const states = [...there.map((i) => tree.states[i]), ...back.map((i) => other.states[i])];
    const refuse = (motion: number) => {
      this.#resolution = Math.max(DENSER * this.#resolution, DENSEST * this.#space.resolution);
      const after = motion + 1 - there.length;
      if (after < 0) tree.cut(there[motion + 1]);
      else if (after > 0) other.cut(back[after - 1]);
    };
    return { states, refuse };
  }
}
