/**
 * A mechanism among obstacles: which configurations and which straight motions between them are free.
 *
 * Idea: everything is decided pair by pair: each body of the mechanism and each obstacle near it, and all pairs of
 * bodies that joints move relative to each other and that may not touch. Convex bodies are solids: what is inside of
 * one is in collision. Other meshes are surfaces. Follows what is attached, and what moves in the scene. Pairs that may
 * be in contact are held otherwise (hold-pair.ts), and found anew whenever something changes.
 */
import { ImpingeError, type Mesh, type Scene } from 'impinge';
import { readAtMost, readKnown, readLength, shown } from 'impinge/internal/base/options.js';
import { readDepth } from '../held-pair.js';
import { BodyPair, describe, type MeetingPair, mayHold, ROUNDING } from './body-pair.js';
import { BodySet } from './body-set.js';
import { ConvexGap } from './convex-gap.js';
import { DrawnBodies } from './drawn-body.js';
import { type EdgeOptions, EdgeProof, type EdgeResult } from './edge-proof.js';
import { type AllowedBetweenBodies, holdPair, type JointContact } from './hold-pair.js';
import type { LinkBody } from './link-body.js';
import type { Mechanism } from './mechanism.js';
import { type Obstacle, ObstacleSet } from './obstacle-set.js';
import { boundGap } from './pair-gap.js';

export interface MechanismSpaceOptions {
  /**
   * Pairs of names that may touch: of links, of attached objects, of objects of the scene. Links that no joint moves
   * relative to each other need not be named.
   */
  readonly allowed?: readonly (readonly [string, string])[];
  /** Contacts that there may be from the start, and how deep (default: none). */
  readonly contact?: JointContact;
}

const NAMES = { allowed: true, contact: true } as const;
const CONTACT_NAMES = { configurations: true, allowed: true, clearance: true } as const;
/** Of the reach of a mechanism: how well clearances are known. */
const ROUGH = 1e-3;
/** And relative to themselves. */
const SHARE = 0.05;
const MOST_DOUBLINGS = 2 ** 24;

export class MechanismSpace {
  readonly mechanism: Mechanism;
  readonly #obstacles: ObstacleSet;
  readonly #names: readonly (readonly [string, string])[];
  readonly #allowed = new Set<string>();
  readonly #contact: Required<JointContact> | undefined;
  readonly #gap = new ConvexGap();
  #revision = -1;
  #changes = 0;
  #bodies!: BodySet;
  #poses!: Float64Array;
  #own: BodyPair[] = [];
  /** Pairs that may be in contact. */
  #held: BodyPair[] = [];
  #depth = 0;
  /** While they are looked for: how a pair is held that may be so deep. */
  #hold: ((pair: BodyPair, most: number) => BodyPair) | undefined;
  /** By body: pairs with obstacles, made when they first come near; undefined: allowed. */
  #met: Map<number, BodyPair | undefined>[] = [];
  #search!: EdgeProof;
  #last: BodyPair | undefined;
  readonly #doubts: BodyPair[] = [];
  #doubtful: boolean[] | undefined;
  readonly #box = new Float64Array(6);

  /** The world is a mesh, or a scene of meshes and primitives, and may be missing. */
  constructor(mechanism: Mechanism, world?: Mesh | Scene, options: MechanismSpaceOptions = {}) {
    const { allowed = [], contact } = readKnown('MechanismSpace', options, NAMES);
    if (typeof mechanism?.forward !== 'function')
      throw new ImpingeError('bad-input', 'a mechanism is needed');
    this.mechanism = mechanism;
    this.#obstacles = new ObstacleSet(world);
    if (!Array.isArray(allowed))
      throw new ImpingeError('bad-option', 'allowed must be a list of pairs of names');
    for (const pair of allowed) {
      if (!Array.isArray(pair) || pair.length !== 2 || pair.some((name) => typeof name !== 'string'))
        throw new ImpingeError('bad-option', `allowed must be pairs of names, got ${shown(pair)}`);
    }
    for (const [a, b] of allowed) this.#allowed.add(keyOf(a, b));
    this.#names = allowed;
    this.#contact = contact && this.#readContact(contact);
  }

  #readContact(contact: JointContact): Required<JointContact> {
    const { configurations, allowed, clearance = 0 } = readKnown('contact', contact, CONTACT_NAMES);
    if (!Array.isArray(configurations))
      throw new ImpingeError('bad-option', 'contact.configurations must be a list of configurations');
    for (const one of configurations) this.mechanism.assertConfiguration(one, 'a configuration of contact');
    if (typeof allowed !== 'function') readDepth(allowed);
    readLength('clearance', clearance);
    return { configurations: configurations.map((one) => Float64Array.from(one)), allowed, clearance };
  }

  /** @internal The same with other contacts; itself where none are allowed. */
  holding(contact: JointContact): MechanismSpace {
    if (contact.allowed === 0) return this;
    return new MechanismSpace(this.mechanism, this.#obstacles.scene, { allowed: this.#names, contact });
  }

  /** The most that two things may be in each other; 0 where nothing is in contact. */
  get depth(): number {
    this.refresh();
    return this.#depth;
  }

  /** Whether a configuration is free: everything keeps more than `clearance` apart (default 0). Ignores limits. */
  isFree(configuration: ArrayLike<number>, clearance = 0): boolean {
    this.mechanism.assertConfiguration(configuration);
    readLength('clearance', clearance);
    this.refresh();
    return this.#meeting(configuration, clearance) === undefined;
  }

  /** The first pair found that is not more than `clearance` apart; undefined where the configuration is free. */
  meeting(configuration: ArrayLike<number>, clearance = 0): MeetingPair | undefined {
    this.mechanism.assertConfiguration(configuration);
    readLength('clearance', clearance);
    this.refresh();
    const found = this.#meeting(configuration, clearance);
    return found && describe(found);
  }

  /**
   * The same of many configurations, one after the other in an array: 1 where one is free, 0 where something meets or a
   * variable is out of its limits.
   */
  areFree(configurations: ArrayLike<number>, clearance = 0): Uint8Array {
    const { variables } = this.mechanism;
    const all = this.readConfigurations(configurations);
    readLength('clearance', clearance);
    this.refresh();
    const out = new Uint8Array(all.length / variables);
    for (let i = 0; i < out.length; i++) {
      const one = all.subarray(variables * i, variables * (i + 1));
      if (this.mechanism.outOfLimits(one) < 0 && this.#meeting(one, clearance) === undefined) out[i] = 1;
    }
    return out;
  }

  /** @internal A copy of many configurations; throws unless all are some. */
  readConfigurations(configurations: ArrayLike<number>): Float64Array {
    const { variables } = this.mechanism;
    const count = configurations?.length / variables;
    if (!Number.isInteger(count))
      throw new ImpingeError(
        'bad-input',
        `${shown(configurations?.length)} numbers are no configurations of ${variables}`,
      );
    const all = new Float64Array(configurations.length);
    // an array that is detached has no length, and cannot be copied
    if (all.length > 0) all.set(configurations);
    const hasQuaternions = this.mechanism.jointOf.some((joint) => joint?.type === 'floating');
    if (!hasQuaternions && all.every(Number.isFinite)) return all;
    for (let i = 0; i < count; i++) {
      this.mechanism.assertConfiguration(
        all.subarray(variables * i, variables * (i + 1)),
        `configuration ${i}`,
      );
    }
    return all;
  }

  /**
   * Whether the straight motion between two configurations is free: all joints at constant rates, at once. Limits are
   * not looked at: they hold in between if they do at both ends.
   */
  edge(from: ArrayLike<number>, to: ArrayLike<number>, options: EdgeOptions = {}): EdgeResult {
    this.mechanism.assertConfiguration(from, 'from');
    this.mechanism.assertConfiguration(to, 'to');
    if (options?.allowed !== undefined) {
      const { allowed, ...asked } = options;
      const { clearance = 0 } = asked;
      return this.holding({ configurations: [from], allowed, clearance }).edge(from, to, asked);
    }
    this.refresh();
    return this.#search.run(from, to, options);
  }

  /** @internal Whether a motion is free, where what slides is proved by `timeOfImpact` alone. */
  isFreeByImpact(from: ArrayLike<number>, to: ArrayLike<number>, clearance: number): boolean {
    this.mechanism.assertConfiguration(from, 'from');
    this.mechanism.assertConfiguration(to, 'to');
    this.refresh();
    return this.#search.run(from, to, { clearance, mode: 'any' }, { byImpact: true }).verdict === 'free';
  }

  /**
   * How far everything keeps apart along the straight motion between two configurations: at least `least`, which is
   * certified, and at most `most`, which is more by no more than three times the accuracy, or 15 %. Does not look
   * beyond `atMost`. What may be in contact is not looked at, but for whether it gets too deep.
   */
  edgeClearance(
    from: ArrayLike<number>,
    to: ArrayLike<number>,
    options: { readonly atMost?: number; readonly accuracy?: number } = {},
  ): { readonly least: number; readonly most: number } {
    const { atMost = Infinity, accuracy } = readKnown('edgeClearance', options, {
      atMost: true,
      accuracy: true,
    });
    readAtMost('atMost', atMost);
    this.mechanism.assertConfiguration(from, 'from');
    this.mechanism.assertConfiguration(to, 'to');
    this.refresh();
    const { reach } = this.#bodies;
    const fine = readLength('accuracy', accuracy ?? ROUGH * (Number.isFinite(reach) ? reach : 1));
    const slackAt = (clearance: number) => Math.max(fine, SHARE * clearance);
    const isClear = (clearance: number, onlyApart = true) => {
      const asked = { clearance, accuracy: slackAt(clearance), mode: 'any' } as const;
      return this.#search.run(from, to, asked, { onlyApart }).verdict === 'free';
    };
    if (!isClear(0, false)) return { least: 0, most: slackAt(0) };
    let least = 0;
    let most = Infinity;
    // beyond this nothing is near
    const farthest = Math.min(atMost, MOST_DOUBLINGS * fine);
    for (let next = Math.min(farthest, 4 * fine); most === Infinity; next = Math.min(farthest, 2 * next)) {
      if (!isClear(next)) most = next + slackAt(next);
      else if ((least = next) >= farthest) return { least, most };
    }
    while (most - least > 3 * slackAt(most)) {
      const middle = 0.5 * (least + most);
      if (isClear(middle)) least = middle;
      else most = middle + slackAt(middle);
    }
    return { least, most };
  }

  /** @internal Follows the scene and the mechanism. */
  refresh(): void {
    const { mechanism } = this;
    const changed = this.#obstacles.refresh();
    if (mechanism.revision !== this.#revision) {
      this.#revision = mechanism.revision;
      this.#bodies = new BodySet(mechanism);
      this.#poses = new Float64Array(12 * mechanism.links.length);
      this.#own = this.#ownPairs();
      this.#search = new EdgeProof(this);
    } else if (!changed) return;
    this.#met = this.#bodies.bodies.map(() => new Map());
    this.#doubtful = undefined;
    this.#last = undefined;
    this.#changes++;
    if (this.#contact) this.#holdContacts(this.#contact);
  }

  /** Draws in one of both of each pair that is in contact. */
  #holdContacts({ configurations, allowed, clearance }: Required<JointContact>): void {
    this.#held = [];
    this.#bodies = new BodySet(this.mechanism);
    const places = configurations.map((configuration) => {
      const poses = this.#poses.slice();
      this.mechanism.forward(configuration, poses);
      return { poses, margin: this.marginOf(poses) };
    });
    const parts = (pair: BodyPair) =>
      places.every(({ poses, margin }) => {
        const keeps = pair.heldTo(clearance);
        return !(this.#areWithin(pair, poses, clearance, margin) ?? pair.isWithin(poses, keeps));
      });
    const nearest = (pair: BodyPair) => Math.min(...places.map(({ poses }) => this.#distance(pair, poses)));
    const drawn = new DrawnBodies();
    this.#hold = (pair, most) => {
      const held = most === 0 || parts(pair) ? pair : holdPair(pair, most, { parts, nearest }, drawn);
      if (held.depth > 0) this.#held.push(held);
      return held;
    };
    this.#own = this.#ownPairs().flatMap((pair) => this.#heldPair(pair, allowed) ?? []);
    for (const { poses, margin } of places) {
      for (let body = 0; body < this.#bodies.count; body++)
        this.eachNear(body, poses, clearance + margin, () => true);
    }
    this.#hold = undefined;
    this.#depth = this.#held.reduce((most, { depth }) => Math.max(most, depth), 0);
    drawn.keep(new Set(this.#held.flatMap(({ surfaceA, surfaceB }) => [surfaceA, surfaceB])));
    // a box around what is drawn in reaches beyond that around the body by its depth along every axis
    this.#bodies = new BodySet(this.mechanism, 2 * this.#depth);
    this.#search = new EdgeProof(this);
  }

  /** A pair as it is held; undefined where the two may pass through each other. */
  #heldPair(pair: BodyPair, allowed: AllowedBetweenBodies): BodyPair | undefined {
    const most = readDepth(typeof allowed === 'function' ? allowed(describe(pair)) : allowed);
    return most === Infinity ? undefined : this.#hold ? this.#hold(pair, most) : pair;
  }

  /** How far two that are apart are apart. */
  #distance(pair: BodyPair, poses: Float64Array): number {
    if (!pair.isSolid) return pair.distance(poses, Infinity);
    boundGap(this.#gap, pair, poses, Infinity, 0, 0);
    return this.#gap.least;
  }

  /** @internal How often the scene or the mechanism has changed, as far as that was followed. */
  get revision(): number {
    return this.#changes;
  }

  /** @internal Pairs of bodies that joints move relative to each other. */
  get own(): readonly BodyPair[] {
    return this.#own;
  }

  /** @internal */
  get obstacles(): ObstacleSet {
    return this.#obstacles;
  }

  /** @internal Pairs that may be in contact. */
  get held(): readonly BodyPair[] {
    return this.#held;
  }

  /** @internal Whether pairs that may be in contact are not too deep in each other at a configuration. */
  keepsHeld(configuration: ArrayLike<number>): boolean {
    const poses = this.#poses;
    this.mechanism.forward(configuration, poses);
    const margin = this.marginOf(poses);
    return this.#held.every((pair) => !(this.#areWithin(pair, poses, 0, margin) ?? pair.isWithin(poses, 0)));
  }

  /** @internal Whether a body and an obstacle need not keep the clearance. */
  isExempt(body: number, obstacle: number): boolean {
    if (!this.#contact) return this.#mayTouch(this.#bodies.bodies[body], this.#obstacles.all[obstacle]);
    const pair = this.#pairWith(body, obstacle);
    return !pair || pair.depth > 0;
  }

  #mayTouch({ name }: LinkBody, obstacle: Obstacle): boolean {
    return this.#allowed.has(keyOf(name, obstacle.name));
  }

  /** @internal */
  get bodies(): BodySet {
    return this.#bodies;
  }

  /** @internal More than rounding changes in any length here. */
  marginOf(poses: Float64Array): number {
    let most = this.#bodies.reach;
    for (let link = 0; link < this.mechanism.links.length; link++) {
      for (let k = 9; k < 12; k++) most = Math.max(most, Math.abs(poses[12 * link + k]));
    }
    return ROUNDING * (Number.isFinite(most) ? most : largestOf(poses, this.#bodies));
  }

  /** @internal Visits the pairs of a body and obstacles that come within a distance of it. */
  eachNear(body: number, poses: Float64Array, distance: number, visit: (pair: BodyPair) => boolean): void {
    const { all } = this.#obstacles;
    if (all.length === 0) return;
    const { link, solid } = this.#bodies.bodies[body];
    const at = 12 * link;
    const [x, y, z] = solid.centre;
    const box = this.#box;
    for (let k = 0; k < 3; k++) {
      const row = at + 3 * k;
      box[k] = box[3 + k] = poses[row] * x + poses[row + 1] * y + poses[row + 2] * z + poses[at + 9 + k];
    }
    let goesOn = true;
    this.#obstacles.near(box, solid.reach + this.#bodies.more + distance, (index) => {
      if (!goesOn) return;
      const pair = this.#pairWith(body, index);
      if (pair && !visit(pair)) goesOn = false;
    });
  }

  #pairWith(body: number, index: number): BodyPair | undefined {
    const met = this.#met[body];
    if (met.has(index)) return met.get(index);
    const own = this.#bodies.bodies[body];
    const obstacle = this.#obstacles.all[index];
    let pair = this.#mayTouch(own, obstacle) ? undefined : new BodyPair({ index: body, body: own }, obstacle);
    if (pair && this.#contact) pair = this.#heldPair(pair, this.#contact.allowed);
    met.set(index, pair);
    return pair;
  }

  #ownPairs(): BodyPair[] {
    const { bodies, chains } = this.#bodies;
    const pairs: BodyPair[] = [];
    for (let a = 0; a < bodies.length; a++) {
      for (let b = a + 1; b < bodies.length; b++) {
        const [one, two] = [bodies[a], bodies[b]];
        if (this.#allowed.has(keyOf(one.name, two.name)) || this.mechanism.mayTouch(one, two)) continue;
        const shared = this.#bodies.shared(one.link, two.link);
        const chain = chains[one.link];
        if (chain.length === shared && chains[two.link].length === shared) continue;
        const ancestor = shared > 0 ? chain[shared - 1] : -1;
        pairs.push(new BodyPair({ index: a, body: one }, { index: b, body: two }, shared, ancestor));
      }
    }
    return pairs;
  }

  #meeting(configuration: ArrayLike<number>, clearance: number): BodyPair | undefined {
    const poses = this.#poses;
    this.mechanism.forward(configuration, poses);
    const margin = this.marginOf(poses);
    const doubts = this.#doubts;
    doubts.length = 0;
    let found: BodyPair | undefined;
    const visit = (pair: BodyPair) => {
      const isFound = this.#areWithin(pair, poses, clearance, margin);
      if (isFound === undefined) doubts.push(pair);
      else if (isFound) found = pair;
      return isFound !== true;
    };
    // what met last is likely to meet again
    const last = this.#last;
    if (last && !visit(last)) return last;
    for (const pair of this.#own) if (!visit(pair)) break;
    // what is farthest from the base meets most
    for (let body = this.#bodies.count; body-- > 0 && !found; )
      this.eachNear(body, poses, clearance + margin, visit);
    found ??= doubts.find((pair) => pair.isWithin(poses, pair.heldTo(clearance)));
    if (found) this.#last = found;
    return found;
  }

  /** Whether a pair is nearer than it is held to, if its solids tell; undefined: triangles must be asked. */
  #areWithin(pair: BodyPair, poses: Float64Array, given: number, margin: number): boolean | undefined {
    const clearance = pair.heldTo(given);
    const enough = clearance + margin + pair.rounding;
    const gap = this.#gap;
    boundGap(gap, pair, poses, enough, clearance, margin);
    if (gap.least > enough) return false;
    if (pair.isSolid || pair.innerMost(gap, poses, clearance, margin) <= clearance) return true;
    return undefined;
  }

  /** @internal Of every two links, or things they hold, that may meet, whether they do. */
  ownMeetings(
    configuration: Float64Array,
  ): { readonly a: string; readonly b: string; readonly meets: boolean }[] {
    this.refresh();
    const poses = this.#poses;
    this.mechanism.forward(configuration, poses);
    const margin = this.marginOf(poses);
    const found = new Map<string, { a: string; b: string; meets: boolean }>();
    for (const pair of this.#own) {
      const [a, b] = [pair.bodyA.name, pair.bodyB.name];
      const key = keyOf(a, b);
      const known = found.get(key);
      if (known?.meets) continue;
      const meets = this.#areWithin(pair, poses, 0, margin) ?? pair.isWithin(poses, 0);
      if (known) known.meets = meets;
      else found.set(key, { a, b, meets });
    }
    return [...found.values()];
  }

  /** @internal Whether something lies in something else at a configuration, which only triangles tell. */
  insideAt(configuration: ArrayLike<number>): BodyPair | undefined {
    const poses = this.#poses;
    this.mechanism.forward(configuration, poses);
    let found: BodyPair | undefined;
    const visit = (pair: BodyPair) => {
      if (!pair.mayHold) return true;
      boundGap(this.#gap, pair, poses, 0, 0, Infinity);
      if (this.#gap.least <= 0 && pair.isInside(poses)) found = pair;
      return found === undefined;
    };
    for (const pair of this.#own) if (!visit(pair)) break;
    const doubtful = (this.#doubtful ??= this.#doubtfulBodies());
    for (let body = 0; body < doubtful.length && !found; body++)
      if (doubtful[body] || this.#held.length > 0) this.eachNear(body, poses, 0, visit);
    return found;
  }

  /** By body: whether an obstacle may be in it, or it in one, without what both certainly fill telling. */
  #doubtfulBodies(): boolean[] {
    const meshes = this.#obstacles.all.filter(({ normal }) => !normal);
    return this.#bodies.bodies.map((body) => meshes.some((obstacle) => mayHold(body, obstacle)));
  }
}

function largestOf(poses: Float64Array, { bodies }: BodySet): number {
  let most = 0;
  for (const { link, solid } of bodies) {
    for (let k = 9; k < 12; k++)
      most = Math.max(most, Math.abs(poses[12 * link + k]) + Math.hypot(...solid.centre) + solid.reach);
  }
  return most;
}

function keyOf(a: string, b: string): string {
  return a < b ? JSON.stringify([a, b]) : JSON.stringify([b, a]);
}
