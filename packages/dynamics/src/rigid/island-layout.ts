/**
 * Islands and their bodies, contacts and joints as they are laid out for the kernels, with the parts of a step that
 * each takes. While nothing begins or ends to touch, all of that stays where it is.
 */
import { frictionOf, restitutionOf, type TouchLaw, touchChanges } from '../bodies/touch.js';
import type { BodyTable } from './body-table.js';
import type { ImpulseSystem } from './impulse-system.js';
import { findIslands, type Island } from './islands.js';
import type { Joint } from './joint.js';
import type { MovingBodies } from './moving-bodies.js';
import type { NearPair } from './near-pair.js';

/** Maximum length of a part of a step, in seconds, and maximum number of parts. */
const LONGEST_PART = 1 / 240;
const MOST_PARTS = 16;
/**
 * Radians that the arm of a joint turns by in a part, at most; of the fastest swing under the load of joints, and of
 * the nodding of tops; how many times as many parts there are for that.
 */
const MOST_TURN = 0.15;
const MOST_PHASE = 1;
const MOST_NOD = 0.5;
const MOST_FACTOR = 32;
/**
 * In seconds: islands still for longer begin a step with friction, too, and longer parts will do: they are where they
 * were.
 */
const CALM_TIME = 0.1;
const CALM_PART = 1 / 60;
/** How many times as heavy as another a body in such an island may be: heavier loads come to rest in short parts. */
const MOST_LOAD = 30;

/** An island as it was laid out: its parts and their time, its bodies and pairs, both bodies of each joint. */
export interface Entered {
  parts: number;
  /** Whether these are enough for how fast arms turn and loads swing. */
  readonly follows: boolean;
  h: number;
  readonly body: number;
  readonly pair: number;
  readonly ties: readonly (readonly [number, number])[];
  /** Numbers of the carriers that its bodies touch or hang on, by index. */
  readonly carriers: ReadonlyMap<number, number>;
}

const NO_CARRIERS: ReadonlyMap<number, number> = new Map();
const NO_TIES: Entered['ties'] = [];

/** What islands and their layout depend on: while that stays the same, they do. */
interface Layout {
  readonly pairs: readonly NearPair[];
  readonly renewals: readonly number[];
  readonly awake: Uint8Array;
  readonly joints: number;
  readonly touchChanges: number;
  readonly table: Float64Array;
}

export class IslandLayout {
  islands: readonly Island[] = [];
  /** Of each, and where the last ends. */
  starts: readonly Entered[] = [];
  readonly #bodies: MovingBodies;
  readonly #law: TouchLaw;
  readonly #system: ImpulseSystem;
  /** By index of a body: its number in the system, and the island that it has this in. */
  #numbers = new Int32Array(0);
  #numberedFor = new Int32Array(0);
  /** By number: the index. */
  #indices: number[] = [];
  #layout: Layout | undefined;

  constructor(bodies: MovingBodies, law: TouchLaw, system: ImpulseSystem) {
    this.#bodies = bodies;
    this.#law = law;
    this.#system = system;
  }

  /** What is laid out is not what it was. */
  forget(): void {
    this.#layout = undefined;
  }

  /** Lays out what moves in the next dt seconds, by pairs with contacts; impulses are those of the last time. */
  lay(dt: number, pairs: readonly NearPair[], joints: readonly Joint[]): void {
    const { kernel } = this.#system;
    const parts = Math.min(MOST_PARTS, Math.max(1, Math.ceil(dt / LONGEST_PART - 1e-9)));
    const kept = this.#isLaidOut(pairs, joints);
    if (kept) this.#enterAgain();
    else this.#layOut(pairs, joints, dt, parts);
    for (let i = 0; i < this.islands.length; i++) {
      this.open(i);
      kernel.beginRows(kept ? this.#pace(this.islands[i], this.starts[i], dt, parts) : 1);
    }
  }

  /** Has kernels work on an island. */
  open(i: number): void {
    const [start, end] = [this.starts[i], this.starts[i + 1]];
    this.#system.kernel.openIsland(start.body, end.body, start.pair, end.pair);
  }

  /** Whether these pairs are laid out as they are, and so is all else. */
  #isLaidOut(pairs: readonly NearPair[], joints: readonly Joint[]): boolean {
    const layout = this.#layout;
    const { awake, table } = this.#bodies;
    if (!layout || joints.length + layout.joints > 0 || layout.pairs.length !== pairs.length) return false;
    if (layout.touchChanges !== touchChanges() || layout.table !== table.place) return false;
    for (let i = 0; i < pairs.length; i++)
      if (layout.pairs[i] !== pairs[i] || layout.renewals[i] !== pairs[i].renewals) return false;
    for (let i = 0; i < awake.length; i++) if (layout.awake[i] !== awake[i]) return false;
    return true;
  }

  /** Finds islands and lays them out. */
  #layOut(pairs: readonly NearPair[], joints: readonly Joint[], dt: number, parts: number): void {
    const { awake, table } = this.#bodies;
    this.#system.readAll();
    this.islands = findIslands(this.#bodies, pairs, joints);
    this.starts = this.#enter(this.islands, dt, parts);
    this.#layout = {
      pairs,
      renewals: pairs.map(({ renewals }) => renewals),
      awake: awake.slice(),
      joints: joints.length,
      touchChanges: touchChanges(),
      table: table.place,
    };
  }

  /** The same bodies and contacts as before, where bodies are now. */
  #enterAgain(): void {
    const system = this.#system;
    const { table } = this.#bodies;
    system.openAgain();
    for (let number = 0; number < this.#indices.length; number++)
      system.writeBody(number, table, this.#indices[number]);
  }

  /** Gives an island as many parts as it needs now; returns the proportion of their time to what it was. */
  #pace(island: Island, start: Entered, dt: number, least: number): number {
    const before = start.h;
    start.parts = this.#partsOf(island, dt, least);
    start.h = dt / start.parts;
    if (start.h !== before) for (const pair of island.pairs) pair.time = start.h;
    return start.h / before;
  }

  #partsOf(island: Island, dt: number, least: number): number {
    if (island.joints.length > 0 || island.pairs.length === 0 || !this.isCalm(island)) return least;
    if (this.#isLoaded(island)) return least;
    return Math.min(least, Math.max(1, Math.ceil(dt / CALM_PART - 1e-9)));
  }

  /** Whether it has been still for a while. */
  isCalm({ bodies }: Island): boolean {
    const { members } = this.#bodies;
    for (const i of bodies) if (members[i].still <= CALM_TIME) return false;
    return true;
  }

  #isLoaded({ bodies }: Island): boolean {
    const { inverseMass } = this.#bodies.table;
    let [least, most] = [Infinity, 0];
    for (const i of bodies) {
      least = Math.min(least, inverseMass[i]);
      most = Math.max(most, inverseMass[i]);
    }
    return most > MOST_LOAD * least;
  }

  /** Lays islands out, one after the other; returns where each begins, and where the last ends. */
  #enter(islands: readonly Island[], dt: number, least: number): Entered[] {
    const system = this.#system;
    const { table } = this.#bodies;
    let [bodies, pairs, rows] = [0, 0, 0];
    for (const island of islands) {
      // at most: every pair and joint with scenery of its own
      bodies += island.bodies.length + island.pairs.length + island.joints.length;
      pairs += island.pairs.length;
      for (const { set } of island.pairs) rows += set.count;
    }
    system.open(bodies, pairs, rows);
    this.#indices = [];
    if (this.#numbers.length !== table.count) this.#numbers = new Int32Array(table.count);
    this.#numberedFor = new Int32Array(table.count).fill(-1);
    const starts = islands.map((island, i) => {
      const { joints } = island;
      const wanted = Math.max(1, Math.ceil(this.#factorOf(island, dt / least)));
      const parts = this.#partsOf(island, dt, least) * Math.min(MOST_FACTOR, wanted);
      const h = dt / parts;
      const [body, pair] = [system.bodiesHeld, system.pairsHeld];
      let carriers: Map<number, number> | undefined;
      for (const index of island.bodies) this.#numberOf(index, i, table);
      for (const one of island.pairs) {
        const a = this.#numberOf(one.a.index, i, table);
        const b = this.#numberOf(one.b.index, i, table);
        if (one.a.carrier) (carriers ??= new Map()).set(one.a.index, a);
        if (one.b.carrier) (carriers ??= new Map()).set(one.b.index, b);
        this.#touch(one);
        system.addPair(a, b, one, h / one.time);
        one.time = h;
      }
      const world = joints.some(({ b }) => !b.member) ? system.addWorld() : -1;
      const tie = ({ a, b }: Joint) => {
        const [p, q] = [a, b].map(({ member }) => (member ? this.#numberOf(member.index, i, table) : world));
        if (b.member?.carrier) (carriers ??= new Map()).set(b.member.index, q);
        return [p, q] as const;
      };
      const ties = joints.length > 0 ? joints.map(tie) : NO_TIES;
      return {
        parts,
        h,
        follows: wanted <= MOST_FACTOR,
        body,
        pair,
        ties,
        carriers: carriers ?? NO_CARRIERS,
      };
    });
    const end = { body: system.bodiesHeld, pair: system.pairsHeld, ties: NO_TIES, carriers: NO_CARRIERS };
    starts.push({ parts: 0, h: 0, follows: true, ...end });
    return starts;
  }

  /** Works out how two bodies touch, if that may have changed. */
  #touch(pair: NearPair): void {
    const changes = touchChanges();
    if (pair.touchChanges === changes) return;
    pair.touchChanges = changes;
    pair.friction = frictionOf(pair.a.body, pair.b.body, this.#law);
    pair.restitution = restitutionOf(pair.a.body, pair.b.body, this.#law);
  }

  /**
   * How many times as many parts an island needs. A body on arms r that loads F pull at swings across them at up to ω²
   * = Σ F r / I + Σ F / (m r): a chain of small links under a heavy load is stiff like this. By itself, it would nod at
   * up to L / I, which joints keep it from.
   */
  #factorOf({ joints }: Island, h: number): number {
    if (joints.length === 0) return 1;
    const { table } = this.#bodies;
    let most = 0;
    let nods = 0;
    const swings = new Map<number, number>();
    for (const { kind, a, b, load, motor } of joints) {
      const driven = kind === 'hinge' && motor && 'speed' in motor ? Math.abs(motor.speed) : 0;
      for (const { member, at } of [a, b]) {
        const r = Math.hypot(at[0], at[1], at[2]);
        if (!member?.rigid || r === 0) continue;
        most = Math.max(most, driven, table.speedAbout(member.index, at) / r);
        const { inverseInertia: t, mass, angular } = member.rigid.state;
        const [x, y, z] = at;
        const along =
          t[0] * x * x + t[4] * y * y + t[8] * z * z + 2 * (t[1] * x * y + t[5] * y * z + t[2] * x * z);
        const across = 0.5 * (t[0] + t[4] + t[8] - along / (r * r));
        const before = swings.get(member.index) ?? 0;
        swings.set(member.index, before + load * (r * across + 1 / (r * mass.mass)));
        nods = Math.max(nods, across * Math.hypot(angular[0], angular[1], angular[2]));
      }
    }
    const phase = h * Math.sqrt(Math.max(0, ...swings.values()));
    return Math.max((h * most) / MOST_TURN, phase / MOST_PHASE, (h * nods) / MOST_NOD);
  }

  /** The number of a body in an island, to which it is added if it is not there yet. */
  #numberOf(index: number, island: number, table: BodyTable): number {
    if (this.#numberedFor[index] !== island) {
      this.#numberedFor[index] = island;
      this.#numbers[index] = this.#system.addBody(table, index);
      this.#indices.push(index);
    }
    return this.#numbers[index];
  }
}
