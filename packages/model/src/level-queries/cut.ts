/**
 * The cut of a walk over two trees: which pairs of nodes it ended at, kept while b moves.
 *
 * A walk from both roots leaves a pair of nodes out where their boxes are farther apart than a reach, and opens one of
 * the two otherwise, the larger, until both are parts: then the pair is visited. What it went through is kept as a tree
 * of pairs. After b has moved by m, pairs that were g apart are at least g − m apart, so a pair that was left out need
 * not be looked at until g − m is within the reach; and no pair below one need, until that is so for the least g of all
 * below it. Where it is, the cut moves down: the pair is opened. Where everything below a pair is out of reach and so
 * is the pair itself, the cut moves up. Where other steps are split, `openAgain` finds the nodes that are opened into
 * something else now, and marks the pairs that are open at them and those above: there, the children that are new or
 * gone are put in or taken out. All the others stay as they are.
 *
 * The pairs visited do not depend on what was asked before: they are the pairs of parts of the two fronts whose boxes
 * are within the reach, and maybe others, since what is kept of a pair is a lower bound; who visits them decides.
 */
import type { RigidPose } from 'impinge/internal/math/pose.js';
import type { PlacedTree } from './level-tree.js';
import { type PosedBoxes, rootBelow } from './posed-boxes.js';

/** Pairs kept at most from one question to the next: some 30 MB. */
const MOST = 1 << 20;
const ROOM = 256;
/** In place of a first child: of a pair that is not open, and of one that is opened into nothing. */
const NONE = -1;
const NO_CHILDREN = -2;
/** Pairs whose squared gap along the axes of a is so many times that of the reach are not looked at more closely. */
const MUCH_FARTHER = 16;

export interface CutMove {
  readonly bToA: RigidPose;
  /** How far b has gone, step by step: no point of it went farther. */
  readonly way: number;
  /** How far apart pairs may be. */
  readonly reach: number;
}

/** What a node of a tree is opened into. */
export type Open = (node: number) => readonly number[];

/** Called with a pair of parts, and how far their boxes are apart at least. */
export type Visit = (partA: number, partB: number, gap: number) => void;

/**
 * The nodes of a and b; the first child within reach, the first of the others, the next one of the same list (of an
 * entry that is free, the next free one); the pair above; what is out of date. Together in memory: a walk looks at them
 * together.
 */
const WORDS = 8;
const NODE_A = 0;
const NODE_B = 1;
const FIRST = 2;
const APART = 3;
const NEXT = 4;
const ABOVE = 5;
const STALE = 6;
/** Its children; something below. */
const CHILDREN = 1;
const BELOW = 2;
/** When b has gone w, everything of the pair is at least the first less w apart; the second is the least of `APART`. */
const NUMBERS = 2;
const FAR = 0;
const APART_FAR = 1;

/** What cuts took. */
export class Walked {
  /** Pairs in the cut that was moved last. */
  cut = 0;
  /** Pairs that were opened so far, and pairs that were put together again or taken out. */
  split = 0;
  merged = 0;
}

/** What a node was opened into, and the pairs that are open at it. */
interface Opened {
  children: readonly number[];
  readonly entries: Set<number>;
}

export class Cut {
  readonly #a: PlacedTree;
  readonly #b: PlacedTree;
  readonly #boxes: PosedBoxes;
  readonly #walked: Walked;
  #openA: Open;
  #openB: Open;
  /** By node, those of pairs in the cut. */
  readonly #openedA = new Map<number, Opened>();
  readonly #openedB = new Map<number, Opened>();
  /** What is kept of a pair, WORDS and NUMBERS each. */
  #words: Int32Array = new Int32Array(WORDS * ROOM);
  #numbers: Float64Array = new Float64Array(NUMBERS * ROOM);
  #used = 0;
  #free = NONE;
  #count = 0;
  #move!: CutMove;
  #visit!: Visit;

  constructor(a: PlacedTree, b: PlacedTree, boxes: PosedBoxes, walked: Walked, openA: Open, openB: Open) {
    this.#a = a;
    this.#b = b;
    this.#boxes = boxes;
    this.#walked = walked;
    this.#openA = openA;
    this.#openB = openB;
  }

  /** From now on nodes are opened into these; returns whether that is something else for any pair in the cut. */
  openAgain(openA: Open, openB: Open): boolean {
    this.#openA = openA;
    this.#openB = openB;
    return this.#guarded(() => {
      const isOther = this.#isOther(this.#openedA, openA);
      return this.#isOther(this.#openedB, openB) || isOther;
    });
  }

  #isOther(opened: ReadonlyMap<number, Opened>, open: Open): boolean {
    let isOther = false;
    for (const [node, known] of opened) {
      const children = open(node);
      if (isSame(children, known.children)) continue;
      known.children = children;
      isOther = true;
      for (const entry of known.entries) {
        this.#words[WORDS * entry + STALE] |= CHILDREN;
        for (let above = this.#words[WORDS * entry + ABOVE]; above >= 0; ) {
          if (this.#words[WORDS * above + STALE] & BELOW) break;
          this.#words[WORDS * above + STALE] |= BELOW;
          above = this.#words[WORDS * above + ABOVE];
        }
      }
    }
    return isOther;
  }

  /** Whoever says what a node is opened into may fail: then nothing is kept. */
  #guarded<T>(work: () => T): T {
    try {
      return work();
    } catch (error) {
      this.#clear();
      throw error;
    }
  }

  /** Moves the cut, and visits the pairs of parts that are within the reach, in any order. */
  move(move: CutMove, visit: Visit): void {
    if (this.#a.parts === 0 || this.#b.parts === 0) return;
    if (this.#count > MOST) this.#clear();
    if (this.#count === 0) this.#enter(this.#a.root, this.#b.root, NONE);
    this.#boxes.pose(move.bToA);
    this.#move = move;
    this.#visit = visit;
    this.#guarded(() => this.#update(0));
    this.#walked.cut = this.#count;
  }

  /** Returns `far` of an entry. */
  #update(entry: number): number {
    const { way, reach } = this.#move;
    const stale = this.#words[WORDS * entry + STALE];
    const isFar = this.#numbers[NUMBERS * entry + FAR] - way > reach;
    if (isFar && stale === 0) return this.#numbers[NUMBERS * entry + FAR];
    const a = this.#words[WORDS * entry];
    const b = this.#words[WORDS * entry + NODE_B];
    if (this.#words[WORDS * entry + FIRST] === NONE) {
      const gap = rootBelow(this.#boxes.gapSq(a, b, MUCH_FARTHER * reach * reach));
      if (gap > reach) return (this.#numbers[NUMBERS * entry + FAR] = gap + way);
      if (a >= this.#a.nodes && b >= this.#b.nodes) {
        this.#visit(a - this.#a.nodes, b - this.#b.nodes, gap);
        return (this.#numbers[NUMBERS * entry + FAR] = gap + way);
      }
      this.#list(entry);
      this.#walked.split++;
    } else if (stale !== 0) {
      const gap = isFar ? rootBelow(this.#boxes.gapSq(a, b)) : 0;
      if (gap > reach) return this.#putTogether(entry, gap);
      this.#words[WORDS * entry + STALE] = 0;
      const all = this.#allBelow(entry);
      if (stale & CHILDREN) this.#listAgain(entry, all);
    }
    this.#updateBelow(entry);
    const far = this.#numbers[NUMBERS * entry + FAR];
    if (far - way > reach) {
      const gap = rootBelow(this.#boxes.gapSq(a, b));
      if (gap > reach) return this.#putTogether(entry, gap);
    }
    return far;
  }

  /** Moves the cut up to a pair that is that far apart; returns `far` of it. */
  #putTogether(entry: number, gap: number): number {
    this.#takeOutBelow(entry);
    this.#walked.merged++;
    return (this.#numbers[NUMBERS * entry + FAR] = gap + this.#move.way);
  }

  /**
   * Updates what a pair was opened into: what was within reach, and where the nearest of the others may be now, those,
   * too. Sets `far` of the pair to the least of all.
   */
  #updateBelow(entry: number): void {
    const { way, reach } = this.#move;
    const isApart = this.#numbers[NUMBERS * entry + APART_FAR] - way > reach;
    let child = isApart ? this.#words[WORDS * entry + FIRST] : this.#allBelow(entry);
    let near = NO_CHILDREN;
    let apart = this.#words[WORDS * entry + APART];
    let least = Infinity;
    let leastApart = this.#numbers[NUMBERS * entry + APART_FAR];
    while (child >= 0) {
      const next = this.#words[WORDS * child + NEXT];
      const far = this.#update(child);
      if (far - way > reach) {
        this.#words[WORDS * child + NEXT] = apart;
        apart = child;
        if (far < leastApart) leastApart = far;
      } else {
        this.#words[WORDS * child + NEXT] = near;
        near = child;
        if (far < least) least = far;
      }
      child = next;
    }
    this.#words[WORDS * entry + FIRST] = near;
    this.#words[WORDS * entry + APART] = apart;
    this.#numbers[NUMBERS * entry + APART_FAR] = leastApart;
    this.#numbers[NUMBERS * entry + FAR] = Math.min(least, leastApart);
  }

  /** Whether a pair is opened into nodes of a. */
  #opensA(entry: number): boolean {
    return this.#boxes.opensFirst(this.#words[WORDS * entry], this.#words[WORDS * entry + NODE_B]);
  }

  /** The node that an open pair is open at. */
  #nodeOf(entry: number, ofA: boolean): number {
    return this.#words[WORDS * entry + (ofA ? NODE_A : NODE_B)];
  }

  #list(entry: number): void {
    const ofA = this.#opensA(entry);
    const node = this.#nodeOf(entry, ofA);
    const nodes = ofA ? this.#openedA : this.#openedB;
    let opened = nodes.get(node);
    if (!opened) {
      opened = { children: ofA ? this.#openA(node) : this.#openB(node), entries: new Set() };
      nodes.set(node, opened);
    }
    opened.entries.add(entry);
    const { children } = opened;
    let first = NO_CHILDREN;
    for (let i = children.length - 1; i >= 0; i--) first = this.#child(entry, ofA, children[i], first);
    this.#words[WORDS * entry + FIRST] = first;
  }

  /** Lists the children of a pair again; `all` is the first of those that it has. */
  #listAgain(entry: number, all: number): void {
    const ofA = this.#opensA(entry);
    const nodes = ofA ? this.#openedA : this.#openedB;
    const children = [...nodes.get(this.#nodeOf(entry, ofA))!.children];
    let first = NO_CHILDREN;
    for (let child = all; child >= 0; ) {
      const next = this.#words[WORDS * child + NEXT];
      const place = children.indexOf(this.#nodeOf(child, ofA));
      if (place < 0) {
        this.#takeOut(child);
        this.#walked.merged++;
      } else {
        children[place] = children[children.length - 1];
        children.length--;
        this.#words[WORDS * child + NEXT] = first;
        first = child;
      }
      child = next;
    }
    for (let i = 0; i < children.length; i++) {
      first = this.#child(entry, ofA, children[i], first);
      this.#walked.split++;
    }
    this.#words[WORDS * entry + FIRST] = first;
  }

  #child(entry: number, ofA: boolean, node: number, next: number): number {
    const child = ofA
      ? this.#enter(node, this.#words[WORDS * entry + NODE_B], entry)
      : this.#enter(this.#words[WORDS * entry], node, entry);
    this.#words[WORDS * child + NEXT] = next;
    return child;
  }

  #enter(nodeA: number, nodeB: number, above: number): number {
    let entry = this.#free;
    if (entry >= 0) this.#free = this.#words[WORDS * entry + NEXT];
    else {
      entry = this.#used++;
      if (NUMBERS * entry === this.#numbers.length) this.#grow();
    }
    this.#count++;
    this.#words[WORDS * entry] = nodeA;
    this.#words[WORDS * entry + NODE_B] = nodeB;
    this.#words[WORDS * entry + FIRST] = NONE;
    this.#words[WORDS * entry + APART] = NO_CHILDREN;
    this.#words[WORDS * entry + ABOVE] = above;
    this.#words[WORDS * entry + STALE] = 0;
    this.#numbers[NUMBERS * entry + APART_FAR] = Infinity;
    this.#numbers[NUMBERS * entry + FAR] = -Infinity;
    return entry;
  }

  /** Puts what is within reach and what is not into one list; returns its first. */
  #allBelow(entry: number): number {
    let first = this.#words[WORDS * entry + FIRST];
    for (let child = this.#words[WORDS * entry + APART]; child >= 0; ) {
      const next = this.#words[WORDS * child + NEXT];
      this.#words[WORDS * child + NEXT] = first;
      first = child;
      child = next;
    }
    this.#words[WORDS * entry + FIRST] = first;
    this.#words[WORDS * entry + APART] = NO_CHILDREN;
    this.#numbers[NUMBERS * entry + APART_FAR] = Infinity;
    return first;
  }

  #takeOutBelow(entry: number): void {
    if (this.#words[WORDS * entry + FIRST] === NONE) return;
    const ofA = this.#opensA(entry);
    const nodes = ofA ? this.#openedA : this.#openedB;
    const node = this.#nodeOf(entry, ofA);
    const { entries } = nodes.get(node)!;
    entries.delete(entry);
    if (entries.size === 0) nodes.delete(node);
    this.#words[WORDS * entry + STALE] = 0;
    for (let child = this.#allBelow(entry); child >= 0; ) {
      const next = this.#words[WORDS * child + NEXT];
      this.#takeOut(child);
      child = next;
    }
    this.#words[WORDS * entry + FIRST] = NONE;
  }

  #takeOut(entry: number): void {
    this.#takeOutBelow(entry);
    this.#words[WORDS * entry + NEXT] = this.#free;
    this.#free = entry;
    this.#count--;
  }

  #clear(): void {
    this.#used = 0;
    this.#free = NONE;
    this.#count = 0;
    this.#openedA.clear();
    this.#openedB.clear();
  }

  #grow(): void {
    const [words, numbers] = [this.#words, this.#numbers];
    this.#words = new Int32Array(2 * words.length);
    this.#words.set(words);
    this.#numbers = new Float64Array(2 * numbers.length);
    this.#numbers.set(numbers);
  }
}

function isSame(list: readonly number[], other: readonly number[]): boolean {
  return list === other || (list.length === other.length && list.every((node, i) => node === other[i]));
}
