/**
 * Matches many patterns while reading the text once.
 *
 * Idea: all patterns become one nondeterministic automaton, whose subsets are made into states of a deterministic one
 * as texts reach them: one table look-up per character, and no pattern can make it go back. A pattern that has matched
 * whatever follows (`…**`) is noted on the way instead of being kept in the subset, or every combination of matches so
 * far would need states of its own.
 *
 * Layout: of state s, the successors at ASCII characters are #ascii[128 s …]; the rest are in a map.
 * Invariant: state 0 is the empty subset. The states are a cache of at most MAX_STATES, thrown away when full.
 */
import { anything, foldCode, type GlobItem, type GlobTest, isAscii, SLASH } from './glob-pattern.js';

const MAX_STATES = 4096;
const MAX_OTHERS = 1 << 18;
const NONE = -1;
/** States that last for fewer characters each than this, before they are thrown away, are too many. */
const WORTHWHILE = 32;

/** Sets of patterns by number; equal numbers are equal sets. Number 0 is the empty one. */
export class PatternSets {
  readonly #sets: ReadonlySet<number>[] = [];
  readonly #numbers = new Map<string, number>();
  readonly #unions = new Map<number, number>();

  constructor() {
    this.of([]);
  }

  of(patterns: readonly number[]): number {
    const set = new Set([...patterns].sort((a, b) => a - b));
    const key = [...set].join();
    let number = this.#numbers.get(key);
    if (number === undefined) {
      number = this.#sets.push(set) - 1;
      this.#numbers.set(key, number);
    }
    return number;
  }

  union(a: number, b: number): number {
    if (a === 0 || a === b) return b;
    if (b === 0) return a;
    const key = a * 2 ** 26 + b;
    let number = this.#unions.get(key);
    if (number === undefined) {
      number = this.of([...this.#sets[a], ...this.#sets[b]]);
      this.#unions.set(key, number);
    }
    return number;
  }

  get(number: number): ReadonlySet<number> {
    return this.#sets[number];
  }
}

/** Tests with one successor, forks with two, ends of patterns. */
export class GlobGraph {
  readonly caseless: boolean;
  readonly tests: (GlobTest | undefined)[] = [];
  readonly next: number[] = [];
  readonly fork: number[] = [];
  /** The pattern that ends here. */
  readonly endOf: number[] = [];
  /** The pattern that has matched here, whatever follows. */
  readonly sureOf: number[] = [];

  constructor(caseless: boolean) {
    this.caseless = caseless;
  }

  /** Takes a pattern in; returns where it begins. */
  append(items: readonly GlobItem[], pattern: number): number {
    const end = this.#state(undefined, NONE, NONE);
    this.endOf[end] = pattern;
    return this.#emit(items, end);
  }

  /** Appends the states of `items`, from the last to the first, in front of `next`; returns the entry. */
  #emit(items: readonly GlobItem[], next: number): number {
    for (let i = items.length - 1; i >= 0; i--) {
      const item = items[i];
      if (item.kind === 'one') next = this.#state(item.test, next, NONE);
      else if (item.kind === 'many') next = this.#loop(item.test, next);
      else if (item.kind === 'folders') {
        const folders = this.#loop(anything, this.#state(SLASH, next, NONE));
        next = this.#state(undefined, folders, next);
      } else {
        const after = next;
        const entries = item.of.map((alternative) => this.#emit(alternative, after));
        next = entries.reduce((a, b) => this.#state(undefined, a, b));
      }
    }
    return next;
  }

  #loop(test: GlobTest, next: number): number {
    const body = this.#state(test, NONE, NONE);
    const fork = this.#state(undefined, body, next);
    this.next[body] = fork;
    if (test === anything) this.sureOf[fork] = this.endOf[next];
    return fork;
  }

  #state(test: GlobTest | undefined, next: number, fork: number): number {
    this.next.push(next);
    this.fork.push(fork);
    this.endOf.push(NONE);
    this.sureOf.push(NONE);
    return this.tests.push(test) - 1;
  }
}

export class GlobAutomaton {
  readonly #graph: GlobGraph;
  readonly #entries: readonly number[];
  readonly #sets: PatternSets;
  readonly #states = new Map<string, number>();
  #members: (readonly number[])[] = [];
  /** By state: the patterns that match if the text ends here, and those that match whatever follows. */
  #ends: number[] = [];
  #sure: number[] = [];
  #ascii = new Int16Array(128 * 16);
  readonly #others = new Map<number, number>();
  #characters = 0;
  #crowded = false;

  /** Searches for the patterns that begin at `entries`; all numbers of sets are those of `sets`. */
  constructor(graph: GlobGraph, entries: readonly number[], sets: PatternSets) {
    this.#graph = graph;
    this.#entries = entries;
    this.#sets = sets;
    this.#restart();
  }

  /** Whether texts need more states than are kept: two automata with half of the patterns each will be faster. */
  get crowded(): boolean {
    return this.#crowded && this.#entries.length > 1;
  }

  halves(): GlobAutomaton[] {
    const middle = this.#entries.length >>> 1;
    return [this.#entries.slice(0, middle), this.#entries.slice(middle)].map(
      (entries) => new GlobAutomaton(this.#graph, entries, this.#sets),
    );
  }

  /** The number of the set of patterns that match. */
  run(given: string): number {
    const text = isAscii(given) ? given : given.normalize();
    this.#characters += text.length;
    if (this.#members.length === 1) this.#enter(this.#entries);
    let state = 1;
    let last = this.#sure[state];
    let sure = last;
    for (let i = 0; i < text.length && state !== 0; i++) {
      let code = text.charCodeAt(i);
      let next: number;
      if (code < 128) next = this.#ascii[128 * state + code];
      else {
        code = text.codePointAt(i) ?? code;
        if (code > 0xffff) i++;
        next = this.#others.get(0x110000 * state + code) ?? NONE;
      }
      state = next === NONE ? this.#step(state, code) : next;
      const now = this.#sure[state];
      if (now !== 0 && now !== last) {
        last = now;
        sure = this.#sets.union(sure, now);
      }
    }
    return this.#sets.union(sure, this.#ends[state]);
  }

  /** Makes the successor of a state, and remembers it. */
  #step(state: number, code: number): number {
    const { caseless, tests, next } = this.#graph;
    const folded = caseless ? foldCode(code) : code;
    const reached: number[] = [];
    for (const member of this.#members[state]) {
      const test = tests[member];
      if (test !== undefined && (typeof test === 'number' ? test === folded : test(code)))
        reached.push(next[member]);
    }
    const full = this.#members.length >= MAX_STATES || this.#others.size >= MAX_OTHERS;
    if (full) {
      this.#crowded = this.#characters < WORTHWHILE * MAX_STATES;
      this.#restart();
      this.#enter(this.#entries);
    }
    const to = this.#enter(reached);
    if (full) return to; // `state` is gone
    if (code < 128) this.#ascii[128 * state + code] = to;
    else this.#others.set(0x110000 * state + code, to);
    return to;
  }

  /** The state of everything that is reached from these without reading. */
  #enter(from: readonly number[]): number {
    const { next, fork, endOf, sureOf } = this.#graph;
    const seen = new Set<number>();
    const members: number[] = [];
    const ends: number[] = [];
    const sure: number[] = [];
    const stack = [...from];
    for (let at = stack.pop(); at !== undefined; at = stack.pop()) {
      if (seen.has(at)) continue;
      seen.add(at);
      if (sureOf[at] !== NONE) sure.push(sureOf[at]);
      else if (fork[at] !== NONE) stack.push(next[at], fork[at]);
      else if (endOf[at] !== NONE) ends.push(endOf[at]);
      else members.push(at);
    }
    const sureSet = this.#sets.of(sure);
    const endSet = this.#sets.of(ends);
    const key = `${members.sort((a, b) => a - b).join()} ${endSet} ${sureSet}`;
    let state = this.#states.get(key);
    if (state !== undefined) return state;
    state = this.#members.push(members) - 1;
    this.#states.set(key, state);
    this.#ends.push(endSet);
    this.#sure.push(sureSet);
    if (128 * (state + 1) > this.#ascii.length) {
      const grown = new Int16Array(2 * this.#ascii.length).fill(NONE);
      grown.set(this.#ascii);
      this.#ascii = grown;
    }
    return state;
  }

  #restart(): void {
    this.#states.clear();
    this.#others.clear();
    this.#members = [];
    this.#ends = [];
    this.#sure = [];
    this.#ascii.fill(NONE);
    this.#characters = 0;
    this.#enter([]);
  }
}
