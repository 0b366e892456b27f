/**
 * Contacts of two bodies by their contact levels, as finely as the permitted error requires. Holds the state of one
 * pair of bodies.
 *
 * Coarse patches represent the originals below them: features of the two patches (exact/patch-contacts.ts) become
 * contacts, with the patch of b moved along the normal to where it is as far from that of a as the originals certainly
 * are (hull-front.ts). So the solver holds apart the originals, not the simplified surfaces, and nothing meets at the
 * end of a step, as with the exact engine; bodies only keep farther apart than necessary, since patches count as their
 * convex hulls. A pair of patches is good enough if no more detail is omitted than allowed (σ* ≤ error, as in the
 * paper), originals stick out of the two hulls by no more than the error along the normal, and the gap is not much less
 * than the thickness. Where it is less, coarse patches would push bodies apart needlessly: finer ones are visited, in
 * the end the surface itself.
 *
 * Originals below two boxes may be entangled, so that no normal separates them: then boxes are divided down to
 * triangles, which are as far apart as their features.
 *
 * Switching levels: a finer pair has a larger gap, as a rule, and a body resting on the coarse one would fall. So the
 * difference is compensated at first and released a little with each search: bodies sink onto the finer level. Gaps of
 * contacts are lowered for that; patches are not moved through each other, which would find other features. A
 * coarser pair replaces finer ones only where its gap is no less than the thickness, so that it neither pushes nor
 * stops anything when it comes.
 */
import type { Vec3 } from 'impinge/internal/math/pose.js';
import type { Allowance } from 'impinge/internal/query/pair/allowed.js';
import type { StateReader, StateWriter } from '../../bodies/state-bytes.js';
import type { ContactEngine, ContactSettings, PairMotion, PosedPair } from '../contact-engine.js';
import { allowanceAt, type PlacedPair, sameAllowance } from '../contact-error.js';
import { CONTACT_NUMBERS, ContactSet } from '../contact-set.js';
import { type ContactShape, flatnessOf } from '../contact-shape.js';
import { GAP, NORMAL, POINT_B } from '../exact/layout.generated.js';
import { PatchContacts } from '../exact/patch-contacts.js';
import { distanceOf } from '../exact/shape-distance.js';
import { searchedShareOf } from '../searched-share.js';
import { type DualShape, MOST_LEVELS } from './dual-shape.js';
import { type FrontQuestion, HullFront, keyOf, type NearNodes, NO_PAIR, nodesOf } from './hull-front.js';
import { HeldPairs, type PlanesFound, planesOfHulls } from './hull-guard.js';
import { partOf } from './pair-motion.js';

/** Minimum gap of a pair of patches that may still be divided, in thicknesses. */
const LEAST_GAP = 0.75;
/** Maximum gap of a pair of patches on which something may rest, in thicknesses. */
const TOUCHING = 2;
/** Shares of a motion that is not free, tried before triangles are tested. */
const SHARES = [0.5, 0.25, 0.125];
/** A guard may look at this many pairs for each that was found, whatever the budget. */
const LEAST_PLANES = 2;
/** The difference between two levels released with each search, as a share of the thickness. */
const GIVEN_BACK = 1 / 16;
/** The share of the last ratio that a budget must allow for a search though nothing moves. */
const FINER = 0.75;
/** Offset of feature ids by the levels of both sides. */
const OF_LEVELS = 2 ** 45;

/** A pair of patches on which something may rest, the gap that was used for it, and its contacts: normals and gaps. */
interface Touching {
  readonly nodeA: number;
  readonly nodeB: number;
  readonly gap: number;
  readonly ways: Float64Array;
}

/** Numbers of a normal and a gap. */
const WAY = 4;
/** Cosine of the angle between normals of contacts that hold the same. */
const ALIKE = 0.7;
const NO_WAYS = new Float64Array(0);

/** How gaps are lowered: see `#lower`. */
interface Lowering {
  readonly slack: number;
  readonly least: number;
  readonly ways: readonly Float64Array[];
  readonly left: number;
}

/** The result of a search, by pairs of nodes. */
interface Look {
  /** Gaps used; how much farther apart their originals may be; remaining compensation of differences between levels. */
  readonly gaps: Map<number, number>;
  readonly outs: Map<number, number>;
  readonly slacks: Map<number, number>;
  /** Where something may rest, normals and gaps of contacts. */
  readonly ways: Map<number, Float64Array>;
  /** Extra reach below a pair, because of such differences. */
  readonly rooms: Map<number, number>;
  /** Patches by level, and the most detail left out. */
  readonly levels: number[];
  error: number;
  atLeast: number;
}

function emptyLook(atLeast: number): Look {
  const maps = { gaps: new Map(), outs: new Map(), slacks: new Map(), ways: new Map(), rooms: new Map() };
  return { ...maps, levels: [], error: 0, atLeast };
}

export class ContactLevelsEngine implements ContactEngine {
  readonly #settings: ContactSettings;
  readonly #front: HullFront;
  readonly #patches = new PatchContacts();
  readonly #all = new ContactSet();
  readonly #part = new ContactSet();
  /** By id: where a contact is in `#all`, and the detail left out there. */
  readonly #places = new Map<number, number>();
  readonly #errors = new Map<number, number>();
  readonly #pose = new Float64Array(12);
  readonly #origin: Vec3;
  #topA = 0;
  #topB = 0;
  readonly #ofA: number[] = [];
  readonly #ofB: number[] = [];
  #last = emptyLook(0);
  readonly #held = new HeldPairs();
  /** What was allowed in the last search, by which setting, and how often it was exceeded. */
  #allowance: Allowance;
  #error: ContactSettings['error'] | undefined;
  #limit = 1;

  constructor(a: DualShape, b: DualShape, settings: ContactSettings) {
    this.#settings = settings;
    this.#allowance = { size: settings.thickness };
    this.#front = new HullFront(a, b);
    this.#origin = a.levels.origin.map((x, k) => x - a.centre[k]) as unknown as Vec3;
  }

  /** Whether something may rest on patches with such a gap. */
  #touches(gap: number): boolean {
    return gap < TOUCHING * this.#settings.thickness;
  }

  /** Whether the contacts change though nothing moves. */
  get restless(): boolean {
    const { error, step } = this.#settings;
    return this.#last.slacks.size > 0 || this.#error !== error || step.limit < FINER * this.#limit;
  }

  contacts({ pose }: PosedPair, reach: number, out: ContactSet, placed?: () => PlacedPair): void {
    const { error, step } = this.#settings;
    step.timed(() => {
      const allowance = allowanceAt(error, placed, this.#origin);
      const allotted = step.allot(this);
      const isNew = step.isLimited || !sameAllowance(allowance, this.#allowance);
      const starts = this.#starts(isNew);
      this.#allowance = allowance;
      this.#error = error;
      this.#look(pose, { reach, allowance, starts, ...allotted });
      this.#patches.reduce(this.#all, reach, out);
      out.atLeast = Math.max(0, this.#last.atLeast);
    });
  }

  errorAt(id: number): number {
    return this.#errors.get(id) ?? 0;
  }

  freeShare(a: DualShape, b: DualShape, motion: PairMotion, distance: number): number {
    const { step } = this.#settings;
    const look = (part: PairMotion): PlanesFound => {
      const most = Math.max(LEAST_PLANES * this.#held.count, step.leftFor(this));
      const found = planesOfHulls(this.#front, part, distance, this.#held, this.#allowance, most);
      step.guarded(this, found.tests);
      return found;
    };
    return step.timed(() => {
      let { holds, stopped } = look(motion);
      if (holds) return 1;
      for (const share of SHARES) {
        const part = stopped ? undefined : partOf(motion, 0, share);
        if (!part) continue;
        ({ holds, stopped } = look(part));
        if (holds) return share;
      }
      return searchedShareOf(a, b, motion, distance);
    });
  }

  distance(pair: PosedPair<ContactShape>): number {
    return distanceOf(pair);
  }

  save(out: StateWriter): void {
    const { gaps, outs, slacks, ways, rooms, levels, error, atLeast } = this.#last;
    this.#front.save(out);
    this.#held.save(out);
    for (const map of [gaps, outs, slacks, rooms, this.#errors])
      out.array(Float64Array.from([...map].flat()));
    out.array(Float64Array.from(ways.keys()));
    for (const numbers of ways.values()) out.array(numbers);
    out.array(Float64Array.from(levels, (x) => x ?? 0));
    for (const number of [error, atLeast, this.#limit]) out.number(number);
    out.text(JSON.stringify(this.#allowance));
    out.flag(this.#error === this.#settings.error);
    this.#settings.step.savePair(this, out);
  }

  restore(from: StateReader): void {
    this.#front.restore(from);
    this.#held.restore(from);
    const [gaps, outs, slacks, rooms, errors] = Array.from({ length: 5 }, () => pairsOf(from.doubles()));
    const ways = new Map(Array.from(from.doubles(), (key) => [key, from.doubles()] as const));
    const levels = Array.from(from.doubles());
    const [error, atLeast, limit] = [from.number(), from.number(), from.number()];
    this.#last = { gaps, outs, slacks, ways, rooms, levels, error, atLeast };
    this.#limit = limit;
    this.#errors.clear();
    for (const [id, one] of errors) this.#errors.set(id, one);
    this.#allowance = JSON.parse(from.text());
    this.#error = from.flag() ? this.#settings.error : undefined;
    this.#settings.step.restorePair(this, from);
  }

  dispose(): void {
    this.#front.dispose();
    this.#patches.dispose();
  }

  /** Pairs below which more than the reach must be looked at, if levels have become finer than they are. */
  #starts(isNew: boolean): Map<number, number> {
    const { gaps, outs, rooms } = this.#last;
    const starts = new Map(rooms);
    if (!isNew) return starts;
    for (const [key, gap] of gaps)
      if (this.#touches(gap)) starts.set(key, Math.max(outs.get(key) ?? 0, rooms.get(key) ?? 0));
    return starts;
  }

  /** Finds all contacts. */
  #look(pose: Float64Array, question: FrontQuestion & { starts: ReadonlyMap<number, number> }): void {
    const { thickness, step } = this.#settings;
    const { reach, starts } = question;
    const last = this.#last;
    const look = emptyLook(reach);
    const touching: Touching[] = [];
    for (const [key, gap] of last.gaps) {
      const [nodeA, nodeB] = nodesOf(key);
      if (this.#touches(gap)) touching.push({ nodeA, nodeB, gap, ways: last.ways.get(key) ?? NO_WAYS });
    }
    this.#held.begin(pose, reach);
    this.#all.clear();
    this.#places.clear();
    this.#errors.clear();
    const divided: Touching[] = [];
    const divide = (found: NearNodes, room: number, key: number, before: number | undefined): void => {
      const more = Math.max(room, starts.get(key) ?? 0);
      if (more > found.room) {
        found.room = more;
        found.root = key;
      }
      const { nodeA, nodeB } = found;
      if (before !== undefined && this.#touches(before))
        divided.push({ nodeA, nodeB, gap: before, ways: last.ways.get(key) ?? NO_WAYS });
    };
    const visit = (found: NearNodes, divisible: boolean, limit: number): boolean => {
      this.#limit = limit;
      const { nodeA, nodeB } = found;
      const key = keyOf(nodeA, nodeB);
      const before = last.gaps.get(key);
      const apart = this.#apart(found, pose);
      if (divisible) {
        const error = limit * this.#front.allowedNear(nodeA);
        // a pair that was not there neither stops nor pushes when it comes
        const least = before === undefined ? thickness : LEAST_GAP * thickness;
        if (found.coarse || found.gap < least || apart - found.gap > error) {
          const isHeld = this.#overlapping(found, touching).length > 0;
          divide(found, isHeld ? Math.min(error, this.#front.outOf(found, apart)) : 0, key, before);
          return false;
        }
      }
      // a pair that stays takes over from those that are divided in this search
      const taken = this.#overlapping(found, before === undefined ? touching : divided);
      const coarser = taken.reduce((least, { gap }) => Math.min(least, gap), before ?? Infinity);
      const stays = before !== undefined && coarser === before;
      const left = stays ? (last.slacks.get(key) ?? 0) - GIVEN_BACK * thickness : Infinity;
      // what is moved towards the other side may stop it, not push it
      const least = Math.max(coarser, thickness);
      let slack = Math.max(0, Math.min(left, found.gap - least));
      if (found.gap - slack > reach) {
        this.#held.add(found);
        return true;
      }
      let gap = this.#find(found, apart, pose, reach + slack);
      if (divisible && before === undefined && !this.#holdsFor(found, taken)) {
        divide(found, this.#front.outOf(found, apart), key, before);
        return false;
      }
      this.#held.add(found);
      if (gap < Infinity) slack = Math.max(slack, Math.min(left, gap - least));
      look.atLeast = Math.min(look.atLeast, divisible ? found.gap : Math.max(found.gap, this.#nearest()));
      const ways = taken.map((one) => one.ways);
      if (before !== undefined) ways.push(last.ways.get(key) ?? NO_WAYS);
      if (left > 0) ({ gap, slack } = this.#lower({ slack, least, ways, left }, pose));
      if (slack > 0) {
        look.slacks.set(key, slack);
        // below a pair of the walk, the room begins at the pair itself
        const root = found.root === NO_PAIR ? key : found.root;
        look.rooms.set(root, Math.max(slack, look.rooms.get(root) ?? 0));
      }
      if (this.#touches(gap)) look.ways.set(key, this.#waysOf(look.ways.get(key)));
      look.gaps.set(key, Math.min(gap, look.gaps.get(key) ?? Infinity));
      look.outs.set(key, Math.min(limit * this.#front.allowedNear(nodeA), this.#front.outOf(found, apart)));
      this.#enter(found, apart, pose, look);
      return true;
    };
    const { reached, ...work } = this.#front.each(pose, question, visit);
    let { beyond } = work;
    for (const { nodeA, nodeB } of this.#uncovered(touching, look)) {
      const room = Math.max(starts.get(keyOf(nodeA, nodeB)) ?? 0, last.slacks.get(keyOf(nodeA, nodeB)) ?? 0);
      beyond += this.#front.below(nodeA, nodeB, pose, reach + room, (found, divisible) =>
        visit(found, divisible, this.#limit),
      );
    }
    this.#last = look;

    const { error, levels, gaps } = look;
    step.searched(this, { reached, error, patches: gaps.size, levels }, { ...work, beyond }, question.costs);
  }

  /** The distance of the last triangles entered of two patches: they are no nearer (kernels/contacts/features.ts). */
  #nearest(): number {
    const { a, b } = this.#front;
    return this.#part.atLeast - flatnessOf(a, b);
  }

  /** The gap of two nodes' patches along the normal; records the extent of each. */
  #apart({ nodeA, nodeB, x, y, z }: NearNodes, p: Float64Array): number {
    const { a, b } = this.#front;
    const [bx, by, bz] = turnedBack(p, x, y, z);
    this.#topA = a.patchFarthest(nodeA, x, y, z);
    this.#topB = b.patchFarthest(nodeB, -bx, -by, -bz);
    return x * p[9] + y * p[10] + z * p[11] - this.#topB - this.#topA;
  }

  /** Those that have originals in common with two nodes. */
  #overlapping({ nodeA, nodeB }: NearNodes, touching: readonly Touching[]): Touching[] {
    const { a, b } = this.#front;
    return touching.filter((one) => a.overlap(nodeA, one.nodeA) && b.overlap(nodeB, one.nodeB));
  }

  /** Whether there is a contact along the normal of each that two nodes above theirs would replace. */
  #holdsFor({ nodeA, nodeB }: NearNodes, taken: readonly Touching[]): boolean {
    const { data } = this.#part;
    return taken.every(({ nodeA: partA, nodeB: partB, ways }) => {
      // nodes above others have larger numbers
      if (partA > nodeA || partB > nodeB) return true;
      for (let w = 0; w < ways.length; w += WAY) {
        let holds = false;
        for (let i = 0; i < this.#part.count && !holds; i++)
          holds = areAlike(ways, w, data, CONTACT_NUMBERS * i + NORMAL);
        if (!holds) return false;
      }
      return true;
    });
  }

  /** Normals and gaps of the contacts found on which something may rest, after others. */
  #waysOf(others: Float64Array = NO_WAYS): Float64Array {
    const { count, data } = this.#part;
    const ways = [...others];
    for (let at = 0; at < CONTACT_NUMBERS * count; at += CONTACT_NUMBERS)
      if (this.#touches(data[at + GAP]))
        ways.push(data[at + NORMAL], data[at + NORMAL + 1], data[at + NORMAL + 2], data[at + GAP]);
    return Float64Array.from(ways);
  }

  /** Pairs on which something rested, of whose originals no pair was found in this search. */
  #uncovered(touching: readonly Touching[], { gaps }: Look): Touching[] {
    const gone = touching.filter(({ nodeA, nodeB }) => !gaps.has(keyOf(nodeA, nodeB)));
    if (gone.length === 0) return gone;
    const { a, b } = this.#front;
    const found = Array.from(gaps.keys(), nodesOf);
    return gone.filter((one) => !found.some(([x, y]) => a.overlap(x, one.nodeA) && b.overlap(y, one.nodeB)));
  }

  /**
   * Lowers the gaps of the contacts found: by the slack, but to no less than `least`; and to those of contacts that
   * held along the same normal before, but by no more than `left`. Returns the least gap, and by how much any was
   * lowered.
   */
  #lower({ slack, least, ways, left }: Lowering, p: Float64Array): { gap: number; slack: number } {
    const { thickness } = this.#settings;
    const { count, data } = this.#part;
    let [nearest, most] = [Infinity, slack];
    for (let at = 0; at < CONTACT_NUMBERS * count; at += CONTACT_NUMBERS) {
      let held = Infinity;
      for (const numbers of ways) {
        for (let w = 0; w < numbers.length; w += WAY)
          if (areAlike(numbers, w, data, at + NORMAL)) held = Math.min(held, numbers[w + WAY - 1]);
      }
      const gap = data[at + GAP];
      const by = Math.max(0, Math.min(slack, gap - least), Math.min(left, gap - Math.max(held, thickness)));
      data[at + GAP] -= by;
      nearest = Math.min(nearest, data[at + GAP]);
      most = Math.max(most, by);
      turnedBack(p, data[at + NORMAL], data[at + NORMAL + 1], data[at + NORMAL + 2]).forEach((n, k) => {
        data[at + POINT_B + k] -= by * n;
      });
    }
    return { gap: nearest, slack: most };
  }

  /**
   * Finds the contacts of two patches, with that of b moved from where it is `apart` from the other to where the
   * originals are; returns the least gap.
   */
  #find(found: NearNodes, apart: number, p: Float64Array, reach: number): number {
    const { a, b } = this.#front;
    const { nodeA, nodeB, x, y, z } = found;
    const [levelA, levelB] = [a.levelOf(nodeA), b.levelOf(nodeB)];
    const [surfaceA, surfaceB] = [a.surfaceOf(levelA), b.surfaceOf(levelB)];
    const [bx, by, bz] = turnedBack(p, x, y, z);
    const shift = found.gap - apart;
    const [topA, topB] = [this.#topA, this.#topB];
    const pose = this.#pose;
    pose.set(p);
    pose[9] += shift * x;
    pose[10] += shift * y;
    pose[11] += shift * z;
    // triangles farther back than this on one side are out of reach of the whole other side
    const deep = reach - found.gap;
    const [ofA, ofB] = [this.#ofA, this.#ofB];
    ofA.length = 0;
    ofB.length = 0;
    a.eachTriangle(nodeA, levelA, (t) => {
      if (reaches(surfaceA, t, x, y, z) >= topA - deep) ofA.push(t);
    });
    b.eachTriangle(nodeB, levelB, (t) => {
      if (reaches(surfaceB, t, -bx, -by, -bz) >= topB - deep) ofB.push(t);
    });
    this.#patches.find({ a: surfaceA, b: surfaceB, pose }, reach, ofA, ofB, this.#part);
    const { count, data } = this.#part;
    let least = Infinity;
    for (let i = 0; i < count; i++) least = Math.min(least, data[CONTACT_NUMBERS * i + GAP]);
    return least;
  }

  /** Adds the contacts that were found of two patches. */
  #enter(found: NearNodes, apart: number, p: Float64Array, look: Look): void {
    const { a, b } = this.#front;
    const { nodeA, nodeB, x, y, z } = found;
    const [levelA, levelB] = [a.levelOf(nodeA), b.levelOf(nodeB)];
    const error = this.#front.errorOf(nodeA, nodeB, this.#limit);
    look.error = Math.max(look.error, error);
    for (const level of [levelA, levelB]) look.levels[level] = (look.levels[level] ?? 0) + 1;
    const shift = found.gap - apart;
    const [bx, by, bz] = turnedBack(p, x, y, z);
    const way = [shift * bx, shift * by, shift * bz] as const;
    this.#take(this.#part, (MOST_LEVELS * levelA + levelB) * OF_LEVELS, way, error);
  }

  /** Copies contacts, each once, with b's points moved along with its patch. */
  #take(part: ContactSet, levels: number, [x, y, z]: Vec3, error: number): void {
    const all = this.#all;
    for (let i = 0; i < part.count; i++) {
      const from = CONTACT_NUMBERS * i;
      const id = part.ids[i] + levels;
      const known = this.#places.get(id);
      if (known !== undefined && all.data[known + GAP] <= part.data[from + GAP]) continue;
      const at = known ?? all.open(id);
      this.#places.set(id, at);
      if (error > 0) this.#errors.set(id, error);
      for (let k = 0; k < CONTACT_NUMBERS; k++) all.data[at + k] = part.data[from + k];
      all.data[at + POINT_B] += x;
      all.data[at + POINT_B + 1] += y;
      all.data[at + POINT_B + 2] += z;
    }
  }
}

/** Whether two normals are nearly the same. */
function areAlike(one: Float64Array, i: number, other: Float64Array, j: number): boolean {
  return one[i] * other[j] + one[i + 1] * other[j + 1] + one[i + 2] * other[j + 2] > ALIKE;
}

/** A map of numbers that lie one after the other. */
function pairsOf(numbers: Float64Array): Map<number, number> {
  const map = new Map<number, number>();
  for (let i = 0; i < numbers.length; i += 2) map.set(numbers[i], numbers[i + 1]);
  return map;
}

/** A direction of a's frame, as b sees it. */
function turnedBack(p: Float64Array, x: number, y: number, z: number): readonly [number, number, number] {
  return [p[0] * x + p[3] * y + p[6] * z, p[1] * x + p[4] * y + p[7] * z, p[2] * x + p[5] * y + p[8] * z];
}

/** The extent of a triangle along a direction. */
function reaches({ vertices, corners }: ContactShape, t: number, dx: number, dy: number, dz: number): number {
  let most = -Infinity;
  for (let i = 3 * t; i < 3 * t + 3; i++) {
    const v = 3 * corners[i];
    most = Math.max(most, dx * vertices[v] + dy * vertices[v + 1] + dz * vertices[v + 2]);
  }
  return most;
}
