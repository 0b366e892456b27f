/**
 * Guarantees that no bodies overlap at the end of a step, and that none passed through another on the way.
 *
 * Every body moves straight and turns at a constant rate from its old pose to the solver's. Two bodies farther apart
 * than their relative motion are free, at no cost. For other pairs the engine finds the share of the motion that is
 * free. If that is not all, and these are few among many, they alone make that share of it (`#holdBack`). Else bodies
 * start again and take only that share of the time, all or those that a blocked one affects (`unaffected`), and the
 * rest is simulated after another search; or, after too many repetitions, bodies that may touch each other make the
 * same share of it and lose the rest of their time. Invariant: at the start everything is free. Bodies that make the
 * same share of their motions are in a relative pose found to be free; bodies that do not are out of each other's
 * reach, or these shorter motions were found to be free. Errs: positions are rounded to float32 afterwards, which moves
 * points by at most 2⁻²⁴ of their coordinates; the distance kept is larger.
 */
import { UnionFind } from 'impinge/internal/base/union-find.js';
import { runHere, type Work } from 'impinge/internal/kernel/schedule.js';
import { turnAt, turnBetween, writeMatrix } from '../bodies/rotation.js';
import type { StateReader, StateWriter } from '../bodies/state-bytes.js';
import type { BodyTable } from './body-table.js';
import type { PairMotion } from './contact-engine.js';
import { relativePose } from './engines/pair-motion.js';
import { P, Status } from './exact/layout.generated.js';
import type { PairBatch } from './exact/pair-batch.js';
import type { PairBlock } from './exact/pair-block.js';
import type { Member } from './member.js';
import type { MovingBodies } from './moving-bodies.js';
import type { NearBodies } from './near-bodies.js';
import type { NearPair } from './near-pair.js';

/** The distance kept, as a share of the thickness and of the initial distance. */
const KEPT_THICKNESSES = 1 / 8;
const KEPT_OF_START = 0.5;
/** Relative to coordinates: more than float32 rounding of both sides. */
const FLOAT32 = 2 ** -21;
/** The share of the free motion that is made; bodies with a smaller share than LEAST_SHARE stay where they are. */
const MADE_SHARE = 0.9;
const LEAST_SHARE = 1e-3;
/**
 * Share of the bodies that move that may make less of their motions while all others make them: in a pile of a
 * thousand, almost every search leaves one or two pairs that the solver did not hold apart, and all would begin again.
 */
const MOST_HELD = 1 / 32;
/** In radians: a body that turns farther may have taken another way than the shortest turn. */
export const MOST_TURN = 2;

/** The result of checking a motion. */
export interface Held {
  /** The share of it that all can make; 1 where blocked bodies have lost their time. */
  readonly share: number;
  /** Bodies, by index, that lost time. */
  readonly shortened: readonly number[];
  /** Carriers that wait because they would crush something. */
  readonly waiting: readonly Member[];
}

/** Two bodies, and the share of their motions that is free. */
interface Cut {
  readonly pair: NearPair;
  readonly free: number;
}

export class MotionGuard {
  readonly #bodies: MovingBodies;
  readonly #table: BodyTable;
  readonly #near: NearBodies;
  readonly #batch: PairBatch;
  readonly #thickness: number;
  /** By index: share of the motion made; the ways, turns, and bounds of the whole motion. */
  #share = new Float64Array(0);
  /** Whether a body is near another in a way that is not free in the motion last checked. */
  #blocked = new Uint8Array(0);
  #way: Float64Array = new Float64Array(0);
  #turn: Float64Array = new Float64Array(0);
  #angle: Float64Array = new Float64Array(0);
  #bound: Float64Array = new Float64Array(0);
  /** Displacements: least along the axes, then greatest. */
  readonly #swing = new Float64Array(6);
  readonly #motion = {
    fromA: new Float64Array(12),
    toA: new Float64Array(12),
    fromB: new Float64Array(12),
    toB: new Float64Array(12),
  };

  constructor(bodies: MovingBodies, near: NearBodies, batch: PairBatch, thickness: number) {
    this.#bodies = bodies;
    this.#table = bodies.table;
    this.#near = near;
    this.#batch = batch;
    this.#thickness = thickness;
  }

  /**
   * Cuts the motions of h seconds in the table where they are not free: all of them, if at least the share `together`
   * can be made, else only those near a blocked pair. With `again`, motions of which all can make a share are left
   * unchanged, for the caller to start again.
   */
  *hold(h: number, together: number, again: boolean): Work<Held> {
    const { members, awake } = this.#bodies;
    this.#measure(awake);
    this.#writeEnds(awake);
    const cuts = yield* this.#cuts();
    if (cuts.length === 0) return { share: 1, shortened: [], waiting: [] };
    this.#blocked.fill(0);
    let least = 1;
    let followed = 1;
    for (const { pair, free } of cuts) {
      this.#blocked[pair.a.index] = this.#blocked[pair.b.index] = 1;
      least = Math.min(least, MADE_SHARE * free);
      followed = Math.min(followed, Math.max(MADE_SHARE * free, this.#followedShare(pair, h)));
    }
    if (again) {
      const held = (yield* this.#holdBack(cuts)) && this.#share.slice();
      // it has made motions shorter than they are
      this.#measure(awake);
      if (held) {
        this.#share.set(held);
        this.#apply(h, true);
        return { share: 1, shortened: this.#shortened(), waiting: [] };
      }
    }
    const all = least < 1 && least >= together;
    if (all && again) return { share: followed, shortened: [], waiting: [] };
    const joined = this.#joined();
    const shares = new Float64Array(members.length).fill(all ? least : 1);
    for (const { pair, free } of cuts) {
      const root = joined.find(awake[pair.a.index] !== 0 ? pair.a.index : pair.b.index);
      const share = MADE_SHARE * free;
      if (!all) shares[root] = Math.min(shares[root], share < LEAST_SHARE ? 0 : share);
    }
    for (let i = 0; i < members.length; i++) this.#share[i] = awake[i] === 0 ? 1 : shares[joined.find(i)];
    const waiting = all ? [] : members.filter(({ carrier, index }) => carrier && this.#share[index] < 1);
    this.#apply(h, all);
    return { share: all ? least : 1, shortened: all ? [] : this.#shortened(), waiting };
  }

  /** Bodies, by index, that lose time. */
  #shortened(): number[] {
    const { members } = this.#bodies;
    return members.filter(({ rigid, index }) => rigid && this.#share[index] < 1).map(({ index }) => index);
  }

  /** Pairs whose motions are not free, all or those of bodies that have `changed`, and the share that is. */
  *#cuts(changed?: Uint8Array): Work<Cut[]> {
    const cuts: Cut[] = [];
    for (const pair of yield* this.#notFree(this.#bodies.awake, changed)) {
      const free = this.#freeShare(pair);
      if (free >= 1) continue;
      pair.distrust();
      cuts.push({ pair, free });
    }
    return cuts;
  }

  /**
   * Has a few bodies that block each other make less of their motions while all others make theirs; what they then
   * block makes less, too. False where these would be too many, or not free bodies without joints. The share of each is
   * in `#share`, and measured motions are as short. Each path stays what it was, and is made more slowly: only pairs
   * with such a body have to be checked again. This ends: shares only shrink, and below LEAST_SHARE to 0; where both
   * stay, they are free as at the start.
   */
  *#holdBack(first: readonly Cut[]): Work<boolean> {
    const { awake, members, ties } = this.#bodies;
    if (ties.length > 0) return false;
    let moving = 0;
    for (let i = 0; i < awake.length; i++) moving += awake[i];
    const most = MOST_HELD * moving;
    const share = this.#share;
    const factor = new Float64Array(awake.length);
    const changed = new Uint8Array(awake.length);
    const pose = this.#motion.fromA;
    let held = 0;
    for (let cuts = first; cuts.length > 0; cuts = yield* this.#cuts(changed)) {
      factor.fill(1);
      changed.fill(0);
      for (const { pair, free } of cuts) {
        const made = MADE_SHARE * free;
        for (const { index: i, rigid } of [pair.a, pair.b]) {
          if (awake[i] === 0) continue;
          if (!rigid) return false;
          if (share[i] === 1 && factor[i] === 1 && ++held > most) return false;
          factor[i] = Math.min(factor[i], share[i] * made < LEAST_SHARE ? 0 : made);
          changed[i] = 1;
        }
      }
      for (const { index: i } of members) {
        if (changed[i] === 0) continue;
        share[i] *= factor[i];
        for (let k = 3 * i; k < 3 * i + 3; k++) {
          this.#way[k] *= factor[i];
          this.#turn[k] *= factor[i];
        }
        this.#angle[i] *= factor[i];
        this.#bound[i] *= factor[i];
        this.#writePose(i, 1, pose);
        this.#batch.writeEnd(i, pose, 0, pose, 9);
      }
    }
    return true;
  }

  /**
   * By index: awake bodies that in the motion last checked neither pushed a blocked one nor came near it, nor others
   * that did. So they may keep this motion, wherever blocked ones go: in it, the boxes of either are apart.
   */
  unaffected(touching: readonly NearPair[]): Uint8Array {
    const { awake } = this.#bodies;
    const joined = this.#joined();
    for (const { a, b, set } of touching)
      if (set.count > 0 && awake[a.index] !== 0 && awake[b.index] !== 0) joined.union(a.index, b.index);
    const affected = new Uint8Array(awake.length);
    for (let i = 0; i < awake.length; i++)
      if (awake[i] * this.#blocked[i] !== 0) affected[joined.find(i)] = 1;
    return awake.map((moves, i) => (moves !== 0 && affected[joined.find(i)] === 0 ? 1 : 0));
  }

  /** Writes the motions last measured. */
  save(out: StateWriter): void {
    for (const array of [this.#way, this.#turn, this.#angle, this.#bound]) out.array(array);
  }

  restore(from: StateReader): void {
    [this.#way, this.#turn, this.#angle, this.#bound] = [0, 1, 2, 3].map(() => from.doubles());
    this.#share = new Float64Array(this.#bound.length);
    this.#blocked = new Uint8Array(this.#bound.length);
  }

  /** Whether the motions of bodies to their current aims are free as they are. */
  keepsClear(): boolean {
    const { members, awake } = this.#bodies;
    const { place, turn } = this.#table;
    const moved = awake.slice();
    for (const { rigid, index } of members) {
      if (!rigid?.readAim(place, turn, index)) continue;
      moved[index] = 1;
      writeMatrix(turn, 4 * index, this.#table.matrix, 9 * index);
    }
    this.#measure(moved);
    this.#writeEnds(moved);
    // pairs with contacts have no valid bound where contacts were not searched in this step
    if (!awake.includes(1)) this.#near.forgetDistances();
    return runHere(this.#notFree(moved)).every((pair) => this.#freeShare(pair) >= 1);
  }

  /** Joins bodies that are tied, or whose motions may bring them near each other. */
  #joined(): UnionFind {
    const { members, awake } = this.#bodies;
    const joined = new UnionFind(members.length);
    for (const { a, b } of this.#near.pairs(members)) {
      if (awake[a.index] !== 0 && awake[b.index] !== 0 && this.#near.mayTouch(a, b))
        joined.union(a.index, b.index);
    }
    // what is tied loses time together, or it would come apart
    for (const [a, b] of this.#bodies.ties)
      if (awake[a.index] !== 0 && awake[b.index] !== 0) joined.union(a.index, b.index);
    return joined;
  }

  #writeEnds(awake: Uint8Array): void {
    const { matrix, place } = this.#table;
    for (let i = 0; i < awake.length; i++)
      if (awake[i] !== 0) this.#batch.writeEnd(i, matrix, 9 * i, place, 3 * i);
  }

  /**
   * Pairs not proved free, neither by their distance nor by planes between triangles: all, or those with bodies that
   * have `changed`.
   */
  *#notFree(awake: Uint8Array, changed?: Uint8Array): Work<NearPair[]> {
    const batch = this.#batch;
    const { members, travelled } = this.#bodies;
    batch.clear();
    const open: NearPair[] = [];
    const mostKept = Math.max(KEPT_THICKNESSES * this.#thickness, FLOAT32 * this.#near.farthestOfAll);
    const moving = { members, awake, travelled };
    const ballsApart = (a: number, b: number, radii: number) => (this.#pass(a, b, radii + mostKept) ? 1 : -1);
    for (const pair of this.#near.notApart(mostKept, moving, this.#bound, ballsApart)) {
      const [a, b] = [pair.a.index, pair.b.index];
      if (changed && (changed[a] + changed[b] === 0 || this.#bound[a] + this.#bound[b] === 0)) continue;
      // a bound holds on, whether they were searched or not
      pair.apart = this.#near.leastApart(pair);
      const motion = this.#motionOf(pair) * (1 + 1e-9);
      const kept = this.#keptBy(pair);
      if (motion < pair.apart - kept || (pair.areBalls && this.#ballsPass(pair, kept))) continue;
      if (pair.block) batch.add(pair, kept, motion + this.#thickness);
      else open.push(pair);
    }
    yield* batch.guard();
    for (const pair of batch.pairs) {
      if ((pair.block as PairBlock).word(P.status) === Status.open) open.push(pair);
    }
    return open;
  }

  #ballsPass({ a, b }: NearPair, kept: number): boolean {
    return this.#pass(a.index, b.index, a.shape.radius + b.shape.radius + kept);
  }

  /** Whether the centres of two bodies, which move straight, keep a distance. */
  #pass(a: number, b: number, distance: number): boolean {
    const { startPlace } = this.#bodies;
    const ways = this.#way;
    let [startSq, alongSq, along] = [0, 0, 0];
    for (let p = 3 * a, q = 3 * b; p < 3 * a + 3; p++, q++) {
      const start = startPlace[q] - startPlace[p];
      const way = ways[q] - ways[p];
      startSq += start * start;
      along += start * way;
      alongSq += way * way;
    }
    const share = alongSq > 0 ? Math.min(1, Math.max(0, -along / alongSq)) : 0;
    const leastSq = startSq + share * (2 * along + share * alongSq);
    return leastSq * (1 - 1e-12) > distance ** 2;
  }

  /** Maximum relative motion of points of two bodies. */
  #motionOf({ a, b }: NearPair): number {
    const [i, j] = [a.index, b.index];
    let sq = 0;
    for (let k = 0; k < 3; k++) sq += (this.#way[3 * j + k] - this.#way[3 * i + k]) ** 2;
    return Math.sqrt(sq) + this.#angle[i] * a.shape.arm + this.#angle[j] * b.shape.arm;
  }

  /** More than float32 rounding takes away. */
  #leastOf({ a, b }: NearPair): number {
    return FLOAT32 * Math.max(this.#near.farthest(a), this.#near.farthest(b));
  }

  /** The distance that two bodies keep. */
  #keptBy(pair: NearPair): number {
    const { apart } = pair;
    const most = Math.min(KEPT_THICKNESSES * this.#thickness, apart > 0 ? KEPT_OF_START * apart : Infinity);
    return Math.max(this.#leastOf(pair), most);
  }

  /** The share of the motion at current velocities before two bodies are within a distance. */
  firstNear({ a, b, engine }: NearPair, dt: number, distance: number): number {
    return engine.freeShare(a.shape, b.shape, this.#predicted(a, b, dt), distance);
  }

  /**
   * Maximum relative motion of points that may come within a distance in that motion; undefined where the engine has no
   * bound.
   */
  motionNear({ a, b, engine }: NearPair, dt: number, distance: number): number | undefined {
    return engine.motionNear?.(a.shape, b.shape, this.#predicted(a, b, dt), distance);
  }

  #predicted(a: Member, b: Member, dt: number): PairMotion {
    const motion = this.#motion;
    this.#predict(a.index, dt, 0, motion.fromA);
    this.#predict(a.index, dt, 1, motion.toA);
    this.#predict(b.index, dt, 0, motion.fromB);
    this.#predict(b.index, dt, 1, motion.toB);
    return motion;
  }

  /** Where b is in the frame of a after a share of that motion. */
  relativeAt(a: Member, b: Member, dt: number, share: number): Float64Array {
    const { fromA: p, fromB: q } = this.#motion;
    this.#predict(a.index, dt, share, p);
    this.#predict(b.index, dt, share, q);
    return relativePose(p, q);
  }

  #predict(i: number, dt: number, share: number, out: Float64Array): void {
    const { place, turn, velocity, spin, acceleration, inverseMass } = this.#table;
    const q = turn.slice(4 * i, 4 * i + 4);
    const h = share * dt;
    turnAt(q, 0, h * spin[3 * i], h * spin[3 * i + 1], h * spin[3 * i + 2]);
    writeMatrix(q, 0, out, 0);
    for (let k = 0; k < 3; k++) {
      const pull = inverseMass[i] > 0 ? 0.5 * dt * acceleration[3 * i + k] : 0;
      out[9 + k] = place[3 * i + k] + h * (velocity[3 * i + k] + pull);
    }
  }

  /** Ways and turns of the whole motion, and boxes that hold it. */
  #measure(awake: Uint8Array): void {
    const { members, startPlace, startTurn } = this.#bodies;
    const { count, place, turn } = this.#table;
    if (this.#share.length !== count) {
      this.#share = new Float64Array(count);
      this.#blocked = new Uint8Array(count);
      this.#way = new Float64Array(3 * count);
      this.#turn = new Float64Array(3 * count);
      this.#angle = new Float64Array(count);
      this.#bound = new Float64Array(count);
    }
    this.#share.fill(1);
    for (const member of members) {
      const { index: i, shape } = member;
      if (awake[i] === 0) {
        if (this.#bound[i] !== 0) this.#stay(i);
        continue;
      }
      for (let k = 3 * i; k < 3 * i + 3; k++) this.#way[k] = place[k] - startPlace[k];
      const by = turnBetween(startTurn, turn, 4 * i);
      for (let k = 0; k < 3; k++) this.#turn[3 * i + k] = by[k];
      this.#angle[i] = Math.sqrt(by[0] ** 2 + by[1] ** 2 + by[2] ** 2);
      const way = Math.sqrt(this.#way[3 * i] ** 2 + this.#way[3 * i + 1] ** 2 + this.#way[3 * i + 2] ** 2);
      this.#bound[i] = (way + this.#angle[i] * shape.arm) * (1 + 1e-9);
      // the centre moves straight, and points turn about it
      const turned = this.#angle[i] * shape.arm * (1 + 1e-9);
      for (let k = 0; k < 3; k++) {
        this.#swing[k] = Math.min(0, this.#way[3 * i + k]) - turned;
        this.#swing[3 + k] = Math.max(0, this.#way[3 * i + k]) + turned;
      }
      this.#near.widen(member, this.#swing);
    }
  }

  /** A body that moved when motions were last measured does not move now. */
  #stay(i: number): void {
    const { startPlace, startTurn } = this.#bodies;
    const matrix = this.#motion.fromA;
    writeMatrix(startTurn, 4 * i, matrix, 0);
    this.#batch.writeEnd(i, matrix, 0, startPlace, 3 * i);
    this.#way.fill(0, 3 * i, 3 * i + 3);
    this.#turn.fill(0, 3 * i, 3 * i + 3);
    this.#angle[i] = 0;
    this.#bound[i] = 0;
  }

  /** The free share of the motions of two bodies, where planes do not prove all of it free. */
  #freeShare(pair: NearPair): number {
    const { a, b, engine } = pair;
    const { fromA, toA, fromB, toB } = this.#motion;
    this.#writePose(a.index, 0, fromA);
    this.#writePose(a.index, 1, toA);
    this.#writePose(b.index, 0, fromB);
    this.#writePose(b.index, 1, toB);
    const free = engine.freeShare(a.shape, b.shape, this.#motion, this.#keptBy(pair));
    return free === 0 ? this.#escape(pair, 0.5 * this.#leastOf(pair)) : free;
  }

  /** The share of the motion that two bodies really follow, where they turn too far for the checked path; else 0. */
  #followedShare({ a, b }: NearPair, h: number): number {
    const { spin: w } = this.#table;
    let most = 0;
    for (const { index: i } of [a, b])
      most = Math.max(most, h * Math.hypot(w[3 * i], w[3 * i + 1], w[3 * i + 2]));
    return most > MOST_TURN ? (MADE_SHARE * MOST_TURN) / most : 0;
  }

  /** For two bodies nearer than the distance kept: what keeps half of their distance, and more than rounding. */
  #escape({ a, b, engine }: NearPair, least: number): number {
    const { fromA, toA, fromB, toB } = this.#motion;
    const shapes = { a: a.shape, b: b.shape };
    const apart = engine.distance({ ...shapes, pose: relativePose(fromA, fromB) });
    const after = engine.distance({ ...shapes, pose: relativePose(toA, toB) });
    const kept = KEPT_OF_START * apart;
    // those that separate may have been nearer than that
    if (after < Math.max(least, apart) && kept < 2 * least) return 0;
    return engine.freeShare(a.shape, b.shape, this.#motion, kept);
  }

  #apply(h: number, timely: boolean): void {
    const { members, awake, startTurn } = this.#bodies;
    const table = this.#table;
    const pose = this.#motion.fromA;
    for (const { index: i } of members) {
      const share = this.#share[i];
      if (awake[i] === 0 || share === 1) continue;
      let allowed = twiceKinetic(table, i);
      this.#writePose(i, share, pose);
      for (let k = 0; k < 3; k++) {
        table.place[3 * i + k] = pose[9 + k];
        const force = table.inverseMass[i] > 0 ? table.acceleration[3 * i + k] / table.inverseMass[i] : 0;
        allowed -= 2 * (1 - share) * force * this.#way[3 * i + k];
        // gravity did no work on the way that was not made
        if (table.pushed[i] === 0)
          table.velocity[3 * i + k] -= (1 - share) * h * table.acceleration[3 * i + k];
        if (timely) continue;
        // so that nothing gathers speed where it cannot move
        table.velocity[3 * i + k] *= share;
        table.angular[3 * i + k] *= share;
      }
      for (let k = 0; k < 4; k++) table.turn[4 * i + k] = startTurn[4 * i + k];
      turnAt(
        table.turn,
        4 * i,
        share * this.#turn[3 * i],
        share * this.#turn[3 * i + 1],
        share * this.#turn[3 * i + 2],
      );
      table.orient(i);
      // elsewhere, and turned otherwise, the same momenta may mean more energy than there was
      const now = twiceKinetic(table, i);
      if (now <= allowed || now === 0) continue;
      const slower = Math.sqrt(Math.max(0, allowed) / now);
      for (let k = 3 * i; k < 3 * i + 3; k++) {
        table.velocity[k] *= slower;
        table.angular[k] *= slower;
      }
      table.orient(i);
    }
  }

  /** The pose of a frame after a share of its motion. */
  #writePose(i: number, share: number, out: Float64Array): void {
    const { startPlace, startTurn } = this.#bodies;
    const q = startTurn.slice(4 * i, 4 * i + 4);
    turnAt(q, 0, share * this.#turn[3 * i], share * this.#turn[3 * i + 1], share * this.#turn[3 * i + 2]);
    writeMatrix(q, 0, out, 0);
    for (let k = 0; k < 3; k++) out[9 + k] = startPlace[3 * i + k] + share * this.#way[3 * i + k];
  }
}

/** Twice the energy of motion of a body that is free to move, else 0. */
function twiceKinetic(
  { velocity: v, angular: l, spin: w, inverseMass, states }: BodyTable,
  i: number,
): number {
  if (!states[i]) return 0;
  const k = 3 * i;
  const speedSq = v[k] ** 2 + v[k + 1] ** 2 + v[k + 2] ** 2;
  return speedSq / inverseMass[i] + l[k] * w[k] + l[k + 1] * w[k + 1] + l[k + 2] * w[k + 2];
}
