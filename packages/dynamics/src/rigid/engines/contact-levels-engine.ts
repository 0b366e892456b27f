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
 * difference is compensated at first and released a little with each search: bodies sink onto the finer level. A
 * coarser pair replaces finer ones only where its gap is no less than the thickness, so that it neither pushes nor
 * stops anything when it comes.
 */
import { NO_NODE } from '../../contact-levels/layout.js';
import type { ContactEngine, ContactSettings, PairMotion, PosedPair } from '../contact-engine.js';
import { CONTACT_NUMBERS, ContactSet } from '../contact-set.js';
import { type ContactShape, flatnessOf } from '../contact-shape.js';
import { GAP, POINT_B } from '../exact/layout.generated.js';
import { PatchContacts } from '../exact/patch-contacts.js';
import { distanceOf } from '../exact/shape-distance.js';
import { searchedShareOf } from '../searched-share.js';
import { type DualShape, MOST_LEVELS } from './dual-shape.js';
import { HullFront, keyOf, type NearNodes, NO_PAIR } from './hull-front.js';
import { planesOfHullsHold } from './hull-guard.js';
import { partOf } from './pair-motion.js';

/** Minimum gap of a pair of patches that may still be divided, in thicknesses. */
const LEAST_GAP = 0.75;
/** Shares of a motion that is not free, tried before triangles are tested. */
const SHARES = [0.5, 0.25, 0.125];
/** The difference between two levels released with each search, as a share of the thickness. */
const GIVEN_BACK = 1 / 16;
/** Offset of feature ids by the levels of both sides. */
const OF_LEVELS = 2 ** 45;

/** The result of a search, by pairs of nodes. */
interface Look {
  /** Gaps used; their remaining compensation of differences between levels; pairs that were divided. */
  readonly gaps: Map<number, number>;
  readonly slacks: Map<number, number>;
  readonly divided: Set<number>;
  /** Extra reach below a pair, because of such differences. */
  readonly rooms: Map<number, number>;
  atLeast: number;
}

function emptyLook(atLeast: number): Look {
  return { gaps: new Map(), slacks: new Map(), divided: new Set(), rooms: new Map(), atLeast };
}

export class ContactLevelsEngine implements ContactEngine {
  readonly #settings: ContactSettings;
  readonly #front: HullFront;
  readonly #patches = new PatchContacts();
  readonly #all = new ContactSet();
  readonly #part = new ContactSet();
  /** By id: where a contact is in `#all`. */
  readonly #places = new Map<number, number>();
  readonly #pose = new Float64Array(12);
  #topA = 0;
  #topB = 0;
  readonly #ofA: number[] = [];
  readonly #ofB: number[] = [];
  #last = emptyLook(0);
  #error: number;

  constructor(a: DualShape, b: DualShape, settings: ContactSettings) {
    this.#settings = settings;
    this.#error = settings.error;
    this.#front = new HullFront(a, b);
  }

  /** Whether the contacts change though nothing moves. */
  get restless(): boolean {
    return this.#last.slacks.size > 0 || this.#error !== this.#settings.error;
  }

  contacts({ pose }: PosedPair, reach: number, out: ContactSet): void {
    const { error } = this.#settings;
    const switched = error !== this.#error;
    const room = switched ? Math.max(error, this.#error) : (this.#last.rooms.get(NO_PAIR) ?? 0);
    this.#last = this.#look(pose, reach, room, switched);
    this.#error = error;
    this.#patches.reduce(this.#all, reach, out);
    out.atLeast = Math.max(0, this.#last.atLeast);
  }

  freeShare(a: DualShape, b: DualShape, motion: PairMotion, distance: number): number {
    const { error } = this.#settings;
    if (planesOfHullsHold(this.#front, motion, distance, error)) return 1;
    for (const share of SHARES) {
      const part = partOf(motion, 0, share);
      if (part && planesOfHullsHold(this.#front, part, distance, error)) return share;
    }
    return searchedShareOf(a, b, motion, distance);
  }

  distance(pair: PosedPair<ContactShape>): number {
    return distanceOf(pair);
  }

  dispose(): void {
    this.#front.dispose();
    this.#patches.dispose();
  }

  /** Finds all contacts. */
  #look(pose: Float64Array, reach: number, room: number, switched: boolean): Look {
    const { error, thickness } = this.#settings;
    const last = this.#last;
    const look = emptyLook(reach);
    this.#all.clear();
    this.#places.clear();
    this.#front.each(pose, reach, room, error, (found, divisible) => {
      const key = keyOf(found.nodeA, found.nodeB);
      const apart = this.#apart(found, pose);
      if (divisible) {
        const least = switched || last.divided.has(key) ? thickness : LEAST_GAP * thickness;
        if (found.gap < least || apart - found.gap > error) {
          look.divided.add(key);
          const more = last.gaps.has(key) ? error : (last.rooms.get(key) ?? 0);
          if (more > found.room) {
            found.room = more;
            found.root = key;
          }
          return false;
        }
      }
      const slack = this.#slackOf(found, key, switched);
      const gap = found.gap - slack;
      if (gap > reach) return true;
      look.gaps.set(key, gap);
      if (slack > 0) {
        look.slacks.set(key, slack);
        look.rooms.set(found.root, Math.max(slack, look.rooms.get(found.root) ?? 0));
      }
      this.#enter(found, gap, apart, pose, reach);
      look.atLeast = Math.min(look.atLeast, divisible ? found.gap : Math.max(found.gap, this.#nearest()));
      return true;
    });
    return look;
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

  /** The compensation of a pair of patches, if it replaces a coarser one that was nearer, or had some. */
  #slackOf({ nodeA, nodeB, gap, of }: NearNodes, key: number, switched: boolean): number {
    const { gaps, slacks } = this.#last;
    const { thickness } = this.#settings;
    let left = 0;
    if (gaps.has(key)) left = (slacks.get(key) ?? 0) - GIVEN_BACK * thickness;
    else {
      const before = gaps.get(of) ?? (switched ? this.#coarser(nodeA, nodeB) : undefined);
      if (before !== undefined) left = gap - before;
    }
    // a patch that is moved towards the other may stop it, not push it
    return Math.max(0, Math.min(left, gap - thickness));
  }

  /** The gap that was used for a pair of nodes that two are below. */
  #coarser(nodeA: number, nodeB: number): number | undefined {
    const { a, b } = this.#front;
    for (let i = nodeA; i !== NO_NODE; i = a.parent[i]) {
      for (let j = nodeB; j !== NO_NODE; j = b.parent[j]) {
        const gap = this.#last.gaps.get(keyOf(i, j));
        if (gap !== undefined) return gap;
      }
    }
    return undefined;
  }

  /**
   * Adds the contacts of two patches, with that of b moved from where it is `apart` from the other to where it is
   * `gap`.
   */
  #enter(found: NearNodes, gap: number, apart: number, p: Float64Array, reach: number): void {
    const { a, b } = this.#front;
    const { nodeA, nodeB, x, y, z } = found;
    const [levelA, levelB] = [a.levelOf(nodeA), b.levelOf(nodeB)];
    const [surfaceA, surfaceB] = [a.surfaceOf(levelA), b.surfaceOf(levelB)];
    const [bx, by, bz] = turnedBack(p, x, y, z);
    const shift = gap - apart;
    const [topA, topB] = [this.#topA, this.#topB];
    const pose = this.#pose;
    pose.set(p);
    pose[9] += shift * x;
    pose[10] += shift * y;
    pose[11] += shift * z;
    // triangles farther back than this on one side are out of reach of the whole other side
    const deep = reach - gap;
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
    this.#take(this.#part, (MOST_LEVELS * levelA + levelB) * OF_LEVELS, shift * bx, shift * by, shift * bz);
  }

  /** Copies contacts, each once, with b's points moved along with its patch. */
  #take(part: ContactSet, levels: number, x: number, y: number, z: number): void {
    const all = this.#all;
    for (let i = 0; i < part.count; i++) {
      const from = CONTACT_NUMBERS * i;
      const id = part.ids[i] + levels;
      const known = this.#places.get(id);
      if (known !== undefined && all.data[known + GAP] <= part.data[from + GAP]) continue;
      const at = known ?? all.open(id);
      this.#places.set(id, at);
      for (let k = 0; k < CONTACT_NUMBERS; k++) all.data[at + k] = part.data[from + k];
      all.data[at + POINT_B] += x;
      all.data[at + POINT_B + 1] += y;
      all.data[at + POINT_B + 2] += z;
    }
  }
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
