/**
 * Brings the contacts of near pairs up to date.
 *
 * Contacts are found while there is still a gap, within the thickness plus the relative motion of the two. Pairs that
 * hardly move keep their contacts; pairs that approach from afar are searched where they first come near.
 * Invariant: the contacts of a pair are valid as long as the relative motion of the two has not exceeded the margin of
 * the search.
 */
import { UnionFind } from 'impinge/internal/base/union-find.js';
import type { Work } from 'impinge/internal/kernel/schedule.js';
import type { StateReader, StateWriter } from '../bodies/state-bytes.js';
import type { PlacedPair } from './contact-error.js';
import { CONTACT_NUMBERS } from './contact-set.js';
import { CHANGE, GAP, NORMAL, P, POINT_A, POINT_B, Status } from './exact/layout.generated.js';
import type { PairBatch } from './exact/pair-batch.js';
import type { PairBlock } from './exact/pair-block.js';
import type { Member } from './member.js';
import { MOST_TURN, type MotionGuard } from './motion-guard.js';
import type { MovingBodies } from './moving-bodies.js';
import type { NearBodies } from './near-bodies.js';
import type { NearPair } from './near-pair.js';
import { placedPair, writeRelative } from './placing.js';
import { ballsApart, pointFromTo } from './shapes/ball-contacts.js';

/** Margin of a search in thicknesses, so that pairs that hardly move are not searched again. */
const MARGIN_THICKNESSES = 0.5;
/**
 * Reaches above this many thicknesses and this share of the smaller radius are looked at where they first come near;
 * for a ball, whose contacts stay good as it turns, and for two, whose contacts stay good however they move, a larger
 * share.
 */
const FAR_THICKNESSES = 4;
const FAR_RADII = 0.25;
const FAR_RADII_BALL = 0.5;
const FAR_RADII_BALLS = 2;
/** Initial number of contact searches in a step. */
const FIRST_LOOKS = 4;
/** Pairs nearer than this in the last search, in thicknesses, touch. */
const TOUCHING_THICKNESSES = 2;
/**
 * Searches are frequent enough that turning takes points off their straight paths by less than 2 / BEND of the
 * thickness.
 */
const BEND = 4;
/** Times that contacts which slide are only followed, between two searches for all; and how worn they may be. */
const MOST_FOLLOWED = 4;
const MOST_WORN = 2;

/** Above this number of lots, those with equally many searches are merged. */
const MOST_LOTS = 16;
/** Share of the searches of all bodies together that lots must save. */
const WORTH_PARTING = 0.25;

/** Bodies that go through a step together, by index, with the initial number of searches. */
export interface Lot {
  readonly bodies: number[];
  readonly looks: number;
}

export class ContactFinding {
  readonly #bodies: MovingBodies;
  readonly #near: NearBodies;
  readonly #guard: MotionGuard;
  readonly #batch: PairBatch;
  readonly #thickness: number;
  readonly #pose = new Float64Array(12);
  readonly #speed = new Float64Array(3);
  /** The number of searches so far. */
  #looks = 0;
  /** By index: whether the kernels have a body as moving; how far it was to go and turn, six numbers. */
  #paced: Uint8Array = new Uint8Array(0);
  #motions: Float64Array = new Float64Array(0);

  constructor(
    bodies: MovingBodies,
    near: NearBodies,
    guard: MotionGuard,
    batch: PairBatch,
    thickness: number,
  ) {
    this.#bodies = bodies;
    this.#near = near;
    this.#guard = guard;
    this.#batch = batch;
    this.#thickness = thickness;
  }

  /**
   * Divides the bodies awake into lots that do not meet at their current velocities, with the number of contact
   * searches for each: touching bodies should not move far between two. Where there are many lots, or they `mayPart`
   * later, those with equally many searches are merged.
   */
  lots(dt: number, mayPart: boolean): Lot[] {
    const thickness = this.#thickness;
    const { members, awake } = this.#bodies;
    if (this.#areSlow(dt)) return [this.#together(1)];
    const near = this.#within(thickness, dt);
    const times = this.#times(near, dt);
    const most = times.reduce((sofar, one) => Math.max(sofar, one), 1);
    if (mayPart && most === 1) return [this.#together(1)];
    const joined = new UnionFind(members.length);
    const looks = new Uint8Array(members.length).fill(1);
    for (const { a, b } of near) {
      if (a.rigid && b.rigid && this.#near.mayTouch(a, b)) joined.union(a.index, b.index);
    }
    for (const [a, b] of this.#bodies.ties) if (a.rigid && b.rigid) joined.union(a.index, b.index);
    for (const [i, { a, b }] of near.entries()) {
      const root = joined.find(a.rigid ? a.index : b.index);
      looks[root] = Math.max(looks[root], times[i]);
    }
    const lots = new Map<number, Lot>();
    const enter = (key: number, root: number, bodies: readonly number[]) => {
      const lot = lots.get(key) ?? { bodies: [], looks: looks[root] };
      lot.bodies.push(...bodies);
      lots.set(key, lot);
    };
    for (const { index } of members)
      if (awake[index] !== 0) enter(joined.find(index), joined.find(index), [index]);
    if (lots.size <= MOST_LOTS && !mayPart) return [...lots.values()];
    const roots = [...lots];
    lots.clear();
    for (const [root, { bodies }] of roots) enter(looks[root], root, bodies);
    const parted = [...lots.values()];
    const searches = parted.reduce((sum, lot) => sum + lot.looks * lot.bodies.length, 0);
    const all = this.#together(most);
    // those that meet after all begin again
    return mayPart && searches > (1 - WORTH_PARTING) * most * all.bodies.length ? [all] : parted;
  }

  /** All bodies awake. */
  #together(looks: number): Lot {
    const { awake } = this.#bodies;
    const bodies: number[] = [];
    for (let i = 0; i < awake.length; i++) if (awake[i] !== 0) bodies.push(i);
    return { bodies, looks };
  }

  /** The number of searches for each pair; those that approach from afar take one, which shows where they touch. */
  #times(near: readonly NearPair[], dt: number): Uint8Array {
    const thickness = this.#thickness;
    const times = new Uint8Array(near.length).fill(1);
    for (const [i, pair] of near.entries()) {
      if (pair.least > TOUCHING_THICKNESSES * thickness) continue;
      const { a, b } = pair;
      const isHeavy = pair.block !== undefined && pair.block.word(P.heavy) !== 0;
      const way = isHeavy ? dt * this.#slidingSpeed(pair) : this.#relativeMotion(a, b, dt);
      const bend = Math.sqrt((BEND * way * dt * Math.max(this.#turning(a), this.#turning(b))) / thickness);
      times[i] = Math.min(FIRST_LOOKS, Math.ceil(Math.max(way / this.#long(pair), bend)));
    }
    return times;
  }

  /** Whether one search is enough, whoever is near whom: a bound on what `lots` works out for two. */
  #areSlow(dt: number): boolean {
    const { members, motion, awake } = this.#bodies;
    let way = 0;
    let smallest = Infinity;
    for (let i = 0; i < members.length; i++) {
      smallest = Math.min(smallest, members[i].shape.radius);
      if (awake[i] !== 0) way = Math.max(way, motion[i]);
    }
    const long = Math.max(FAR_THICKNESSES * this.#thickness, FAR_RADII * smallest);
    return 2 * way <= long && BEND * 2 * way * dt * this.#mostTurning() <= this.#thickness;
  }

  #mostTurning(): number {
    const { members, awake } = this.#bodies;
    let most = 0;
    for (let i = 0; i < members.length; i++)
      if (awake[i] !== 0) most = Math.max(most, this.#turning(members[i]));
    return most;
  }

  /**
   * The part of the next h seconds, which have begun, in which bodies that come near others do not turn too far to be
   * followed.
   */
  followed(h: number): number {
    if (h * this.#mostTurning() <= MOST_TURN) return h;
    let most = 0;
    for (const { a, b } of this.#within(this.#thickness, h))
      if (this.#near.mayTouch(a, b)) most = Math.max(most, this.#turning(a), this.#turning(b));
    return h * most > MOST_TURN ? MOST_TURN / most : h;
  }

  /** Pairs with a body awake, without those that are certainly farther apart in the next h seconds. */
  #within(distance: number, h: number): NearPair[] {
    const { motion, table } = this.#bodies;
    const { place: x, velocity: v, acceleration: g, inverseMass } = table;
    const margin = (1 + MARGIN_THICKNESSES) * this.#thickness;
    // as #ask and #askBalls find nothing
    return this.#near.within(distance, this.#bodies, motion, (a, b, radii) => {
      let [distanceSq, speedSq, pullSq] = [0, 0, 0];
      for (let p = 3 * a, q = 3 * b; p < 3 * a + 3; p++, q++) {
        distanceSq += (x[q] - x[p]) ** 2;
        speedSq += (v[q] - v[p]) ** 2;
        pullSq += ((inverseMass[b] > 0 ? g[q] : 0) - (inverseMass[a] > 0 ? g[p] : 0)) ** 2;
      }
      const apart = Math.sqrt(distanceSq) * (1 - 1e-12) - radii;
      const needed = h * (Math.sqrt(speedSq) + h * Math.sqrt(pullSq)) + CHANGE * (motion[a] + motion[b]);
      return apart > needed + margin ? apart : -1;
    });
  }

  /**
   * Finds the contacts of pairs with a body awake that may touch in the next h seconds, and wakes bodies that others
   * come near.
   */
  *find(h: number): Work<NearPair[]> {
    const batch = this.#batch;
    const margin = (1 + MARGIN_THICKNESSES) * this.#thickness;
    const look = ++this.#looks;
    for (;;) {
      this.#writePaces(h);
      const pairs = this.#within(margin, h);
      batch.clear();
      const asked = pairs.filter((pair) => pair.look !== look && !this.#isKept(pair, h, look));
      for (const pair of asked) this.#ask(pair, h, look);
      yield* batch.update(this.#thickness, h);
      for (const pair of batch.pairs) this.#take(pair);
      for (const pair of asked) this.#near.keepApart(pair);
      if (!this.#rouse(pairs, h)) return pairs;
    }
  }

  /** Writes which bodies the kernels have as moving, and how. */
  save(out: StateWriter): void {
    out.array(this.#paced);
    out.array(this.#motions);
  }

  restore(from: StateReader): void {
    this.#paced = from.bytes();
    this.#motions = from.doubles();
  }

  /** Wakes bodies that others come near; true where there was any. */
  #rouse(pairs: readonly NearPair[], h: number): boolean {
    let any = false;
    for (const pair of pairs) {
      const { a, b, set, least, target, motion } = pair;
      if (set.count === 0 || least > target + motion) continue;
      const sleeper = a.rigid?.state.asleep ? a : b;
      if (!sleeper.rigid?.state.asleep || !this.#reaches(pair, sleeper, h)) continue;
      this.#bodies.rouse(sleeper, h);
      any = true;
    }
    if (any) this.#bodies.eachTied((member) => this.#bodies.rouse(member, h));
    return any;
  }

  /**
   * Whether a body that moves may come near one that sleeps, towards which it goes: what lies or slides beside that,
   * and falls past it, lets it sleep. What touches it does not, as it may be what that lies on.
   */
  #reaches(pair: NearPair, sleeper: Member, h: number): boolean {
    const { a, b, set, least, target, motion } = pair;
    const near = MARGIN_THICKNESSES * this.#thickness;
    if (least <= this.#thickness + near || motion > this.#far(pair)) return true;
    const { data, count } = set;
    const { matrix, acceleration } = this.#bodies.table;
    const [mover, point, sign] = sleeper === b ? [a.index, POINT_A, 1] : [b.index, POINT_B, -1];
    const v = this.#speed;
    const m = 9 * a.index;
    for (let i = 0; i < count; i++) {
      const at = CONTACT_NUMBERS * i;
      this.#velocityAt(mover, data, at + point, v);
      const [x, y, z] = [data[at + NORMAL], data[at + NORMAL + 1], data[at + NORMAL + 2]];
      let way = 0;
      for (let k = 0; k < 3; k++) {
        const normal = matrix[m + 3 * k] * x + matrix[m + 3 * k + 1] * y + matrix[m + 3 * k + 2] * z;
        way += sign * normal * h * (v[k] + h * acceleration[3 * mover + k]);
      }
      if (data[at + GAP] <= target + way + near) return true;
    }
    return false;
  }

  /** Passes the motion of bodies to the kernels: none for those that do not move now. */
  #writePaces(h: number): void {
    const { awake, table, members } = this.#bodies;
    if (this.#paced.length !== awake.length) {
      this.#paced = new Uint8Array(awake.length).fill(1);
      this.#motions = new Float64Array(6 * awake.length);
      for (const member of members) member.unrest += this.#thickness;
    }
    for (let i = 0; i < awake.length; i++) {
      if (awake[i] !== 0) this.#batch.writePace(i, h, table);
      else if (this.#paced[i] !== 0) this.#batch.writePace(i, h);
      // what moves at another time of this step is not met
      if (awake[i] !== 0) this.#noteChange(members[i], h);
      else if (!this.#bodies.staysFor(i)) this.#noteChange(members[i], 0);
      this.#paced[i] = awake[i];
    }
  }

  /** Adds to the unrest of a body how much farther, or elsewhere, its points are to move than in the last search. */
  #noteChange(member: Member, h: number): void {
    const { velocity, spin, acceleration, inverseMass } = this.#bodies.table;
    const i = member.index;
    const motions = this.#motions;
    const pulled = inverseMass[i] > 0 ? h : 0;
    let waySq = 0;
    let turnSq = 0;
    for (let k = 0; k < 3; k++) {
      const way = h * (velocity[3 * i + k] + pulled * acceleration[3 * i + k]);
      const turn = h * spin[3 * i + k];
      waySq += (way - motions[6 * i + k]) ** 2;
      turnSq += (turn - motions[6 * i + 3 + k]) ** 2;
      motions[6 * i + k] = way;
      motions[6 * i + 3 + k] = turn;
    }
    member.unrest += Math.sqrt(waySq) + Math.sqrt(turnSq) * member.shape.arm;
  }

  /**
   * Whether the contacts of a pair are good for another motion. They were found as far as its points were to move, and
   * a margin: where they are a little elsewhere, and are to move a little otherwise, no others come near.
   */
  #isKept(pair: NearPair, h: number, look: number): boolean {
    const { a, b, engine } = pair;
    if (engine.restless) return false;
    if (a.unrest + b.unrest > pair.goodUntil && !this.#slides(pair, h)) return false;
    pair.look = look;
    return true;
  }

  /**
   * How worn contacts are whose search takes long, of two bodies that slide steadily: up to 1 they hold. Then the two
   * have slid so far that a surface as round as the smaller one is off its plane by half the thickness, or have turned
   * so far meanwhile that a plane that turns with one of them is off by the thickness. Infinity where they do not slide
   * so.
   */
  #wear(pair: NearPair, h: number): number {
    const { a, b, block, set } = pair;
    const thickness = this.#thickness;
    if (!block || set.count === 0 || block.word(P.heavy) === 0) return Infinity;
    if (pair.goodUntil === -Infinity) return Infinity;
    // the search foresaw so much of another motion
    if (this.#swerve(pair) > MARGIN_THICKNESSES * thickness + CHANGE * h * this.#slidingSpeed(pair))
      return Infinity;
    const pose = this.#pose;
    writeRelative(this.#bodies.table, a.index, b.index, pose);
    const slid = pair.slidTo(pose);
    const round = Math.min(a.shape.radius, b.shape.radius);
    return Math.max(slid / Math.sqrt(thickness * round), (slid * block.turnedTo(pose)) / thickness);
  }

  /** Whether contacts beside those of two that slide on each other are enough: others come slowly. */
  #mayFollow(pair: NearPair, h: number): boolean {
    if (pair.followed === MOST_FOLLOWED || pair.least > TOUCHING_THICKNESSES * this.#thickness) return false;
    return this.#wear(pair, h) <= MOST_WORN;
  }

  /** Whether such contacts hold two bodies, which then have their gaps measured. */
  #slides(pair: NearPair, h: number): boolean {
    if (this.#wear(pair, h) > 1) return false;
    pair.apart = 0;
    this.#measure(pair, this.#pose);
    return true;
  }

  /** How much farther, or elsewhere, two are to move against each other than when their contacts were found. */
  #swerve({ a, b, motions }: NearPair): number {
    const now = this.#motions;
    const [i, j] = [6 * a.index, 6 * b.index];
    let [waySq, turnSqA, turnSqB] = [0, 0, 0];
    for (let k = 0; k < 3; k++) {
      waySq += (now[j + k] - now[i + k] - motions[6 + k] + motions[k]) ** 2;
      turnSqA += (now[i + 3 + k] - motions[3 + k]) ** 2;
      turnSqB += (now[j + 3 + k] - motions[9 + k]) ** 2;
    }
    return Math.sqrt(waySq) + Math.sqrt(turnSqA) * a.shape.arm + Math.sqrt(turnSqB) * b.shape.arm;
  }

  /** Updates the contacts of a pair, or adds it to the batch that the kernels update together. */
  #ask(pair: NearPair, h: number, look: number): void {
    const { a, b, block } = pair;
    const thickness = this.#thickness;
    const margin = MARGIN_THICKNESSES * thickness;
    pair.look = look;
    pair.apart = 0;
    pair.motion = this.#relativeMotion(a, b, h);
    if (pair.motion > thickness)
      pair.motion = this.#guard.motionNear(pair, h, thickness + margin) ?? pair.motion;
    const needed = thickness + pair.motion;
    if (!this.#near.mayTouch(a, b)) {
      if (pair.reach !== 0 || pair.set.count !== 0) pair.forget();
      pair.target = thickness;
      return;
    }
    if (pair.areBalls && needed <= this.#far(pair)) {
      // one that another strikes goes elsewhere
      const { motion } = this.#bodies;
      this.#askBalls(pair, needed + CHANGE * (motion[a.index] + motion[b.index]));
      return;
    }
    if (block && needed <= this.#far(pair)) {
      this.#batch.add(pair, needed, margin, this.#mayFollow(pair, h));
      return;
    }
    const pose = this.#pose;
    writeRelative(this.#bodies.table, a.index, b.index, pose);
    if (block && block.apartAt(pose, b.shape.arm) >= needed) {
      pair.forget();
      pair.apart = needed;
    } else {
      const isKnown = !block && !pair.areBalls && pair.reach > 0 && !pair.engine.restless;
      const moved = isKnown ? pair.movedSince(pose) : 0;
      if (isKnown && pair.reach >= needed + moved) pair.apart = pair.set.atLeast - moved;
      else if (needed <= this.#far(pair)) this.#look(pair, pose, needed + margin, margin);
      else this.#lookAhead(pair, h);
    }
    this.#measure(pair, pose);
  }

  /** Two balls have one contact, which follows their centres: it is good as long as they are near. */
  #askBalls(pair: NearPair, needed: number): void {
    const { a, b } = pair;
    const { place, matrix } = this.#bodies.table;
    const margin = MARGIN_THICKNESSES * this.#thickness;
    const [p, q] = [3 * a.index, 3 * b.index];
    const x = place[q] - place[p];
    const y = place[q + 1] - place[p + 1];
    const z = place[q + 2] - place[p + 2];
    const apart = ballsApart(a.shape, b.shape, x, y, z);
    if (apart > needed + margin) {
      if (pair.reach !== 0 || pair.set.count > 0) pair.forget();
      pair.apart = apart;
      pair.target = this.#thickness;
      return;
    }
    if (pair.set.count === 0) {
      writeRelative(this.#bodies.table, a.index, b.index, this.#pose);
      this.#look(pair, this.#pose, needed + margin, margin);
    } else {
      pair.believe(needed + margin, margin);
      // its direction is told to those who ask for contacts
      const m = 3 * p;
      const across = (k: number) => matrix[m + k] * x + matrix[m + 3 + k] * y + matrix[m + 6 + k] * z;
      pointFromTo(pair.set, across(0), across(1), across(2));
    }
    pair.apart = apart;
    pair.least = pair.set.data[GAP] = apart;
    pair.target = Math.min(this.#thickness, Math.max(pair.target, apart));
  }

  /** Copies the kernels' findings. */
  #take(pair: NearPair): void {
    const block = pair.block as PairBlock;
    pair.apart = block.length(P.apart);
    if (block.word(P.status) === Status.renewed) {
      const reach = block.number(P.reach);
      pair.believe(reach > 0 ? block.length(P.reach) : 0, MARGIN_THICKNESSES * this.#thickness);
      pair.followed = reach > 0 ? 0 : pair.followed + 1;
      for (let k = 0; k < 6 && reach > 0; k++) {
        pair.motions[k] = this.#motions[6 * pair.a.index + k];
        pair.motions[6 + k] = this.#motions[6 * pair.b.index + k];
      }
      if (block.word(P.kept) + pair.set.count > 0) pair.renew((set) => block.read(set));
    }
    if (pair.set.count > 0) this.#measure(pair, block.pose);
    else {
      pair.least = Infinity;
      pair.target = this.#thickness;
    }
  }

  /** Measures the gaps, and the distance to keep between the two. */
  #measure(pair: NearPair, pose: Float64Array): void {
    pair.measure(pose);
    if (pair.set.count === 0) pair.target = this.#thickness;
    else pair.target = Math.min(this.#thickness, Math.max(pair.target, pair.least));
  }

  /** Finds contacts within a reach, which is all that a motion needs, and a margin where one is given. */
  #look(pair: NearPair, pose: Float64Array, reach: number, margin?: number): void {
    const posed = { a: pair.a.shape, b: pair.b.shape, pose };
    pair.renew((set) => pair.engine.contacts(posed, reach, set, this.#placed(pair)));
    pair.believe(reach, margin);
    pair.apart = pair.set.atLeast;
    if (pair.found.length > 0) pair.found.set(pose);
  }

  #placed({ a, b }: NearPair): () => PlacedPair {
    return () => placedPair(this.#bodies.table, a.index, b.index);
  }

  /** For a long way: contacts as they are where the two first come near. */
  #lookAhead(pair: NearPair, h: number): void {
    const { a, b } = pair;
    const share = this.#guard.firstNear(pair, h, this.#thickness);
    if (share >= 1) {
      pair.forget();
      return;
    }
    const reach = (1 + MARGIN_THICKNESSES) * this.#thickness;
    if (share === 0) {
      this.#look(pair, this.#pose, reach);
      return;
    }
    const pose = this.#guard.relativeAt(a, b, h, share);
    const posed = { a: a.shape, b: b.shape, pose };
    pair.renew((set) => pair.engine.contacts(posed, reach, set, this.#placed(pair)));
    pair.believe(0);
    pair.apart = 0;
  }

  /** The length of a long motion for two bodies. */
  #long({ a, b, areBalls }: NearPair): number {
    const isBall = a.shape.arm === 0 || b.shape.arm === 0;
    const share = areBalls ? FAR_RADII_BALLS : isBall ? FAR_RADII_BALL : FAR_RADII;
    return Math.max(FAR_THICKNESSES * this.#thickness, share * Math.min(a.shape.radius, b.shape.radius));
  }

  /** The reach too large for a search of everything within it. */
  #far(pair: NearPair): number {
    return Math.min(this.#long(pair), pair.engine.far ?? Infinity);
  }

  /** Radians per second; less where turning moves a round surface less than its farthest points. */
  #turning({ index, shape: { arm, radius } }: Member): number {
    const { spin: w } = this.#bodies.table;
    return Math.sqrt(w[3 * index] ** 2 + w[3 * index + 1] ** 2 + w[3 * index + 2] ** 2) * (arm / radius);
  }

  /** The greatest speed of two bodies against each other where they touch. */
  #slidingSpeed({ a, b, set: { data, count } }: NearPair): number {
    let most = 0;
    const [u, v] = [new Float64Array(3), new Float64Array(3)];
    for (let i = 0; i < count; i++) {
      this.#velocityAt(a.index, data, CONTACT_NUMBERS * i + POINT_A, u);
      this.#velocityAt(b.index, data, CONTACT_NUMBERS * i + POINT_B, v);
      most = Math.max(most, Math.hypot(v[0] - u[0], v[1] - u[1], v[2] - u[2]));
    }
    return most;
  }

  /** The velocity of a point in a body's own frame. */
  #velocityAt(i: number, points: Float64Array, at: number, out: Float64Array): void {
    const { velocity, spin: w, matrix } = this.#bodies.table;
    const m = 9 * i;
    const along = (k: number) =>
      matrix[m + k] * points[at] + matrix[m + k + 1] * points[at + 1] + matrix[m + k + 2] * points[at + 2];
    const [x, y, z] = [along(0), along(3), along(6)];
    out[0] = velocity[3 * i] + w[3 * i + 1] * z - w[3 * i + 2] * y;
    out[1] = velocity[3 * i + 1] + w[3 * i + 2] * x - w[3 * i] * z;
    out[2] = velocity[3 * i + 2] + w[3 * i] * y - w[3 * i + 1] * x;
  }

  /** A bound on the relative motion of points of b and a, by the velocities at the start. */
  #relativeMotion(
    { index: i, shape: { arm: ra } }: Member,
    { index: j, shape: { arm: rb } }: Member,
    h: number,
  ): number {
    const { velocity: v, spin: w, acceleration: g, inverseMass } = this.#bodies.table;
    let speedSq = 0;
    let turnA = 0;
    let turnB = 0;
    let pullSq = 0;
    for (let k = 0; k < 3; k++) {
      const pullA = inverseMass[i] > 0 ? g[3 * i + k] : 0;
      const pullB = inverseMass[j] > 0 ? g[3 * j + k] : 0;
      speedSq += (v[3 * j + k] - v[3 * i + k]) ** 2;
      pullSq += (pullB - pullA) ** 2;
      turnA += w[3 * i + k] ** 2;
      turnB += w[3 * j + k] ** 2;
    }
    return h * (Math.sqrt(speedSq) + h * Math.sqrt(pullSq) + Math.sqrt(turnA) * ra + Math.sqrt(turnB) * rb);
  }
}
