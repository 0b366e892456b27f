/**
 * Bodies and contacts as the kernels want them, in the arena (kernels/rigid/layout.ts).
 *
 * Bodies have numbers of their own here, in the order in which they are added: an island's follow each other, and
 * scenery has a copy in every island. So do pairs of bodies and their contacts. Layout: offsets below count float64
 * numbers.
 */
import { arena } from 'impinge/internal/base/arena.js';
import type { StateReader, StateWriter } from '../bodies/state-bytes.js';
import type { BodyTable } from './body-table.js';
import { CONTACT_NUMBERS, type ContactSet } from './contact-set.js';
import { CORNER, NORMAL, POINT_A, POINT_B } from './exact/layout.generated.js';
import { type RigidKernels, rigidKernels } from './kernels.generated.js';
import {
  ACCELERATION,
  ANGULAR,
  BALLS,
  BODY,
  CONTACT,
  CONTACT_CORNER,
  CONTACT_NORMAL,
  CONTACT_ROUND,
  FRAME,
  FREE,
  FRICTION,
  IMPULSES,
  INVERSE,
  INVERSE_INERTIA,
  INVERSE_MASS,
  MATRIX,
  PAIR,
  PUSHED,
  RADIUS,
  RESTITUTION,
  ROW,
  SPIN,
  TARGET,
  TORQUE,
  TURN,
} from './layout.generated.js';

const ROOM = 1.5;
const BLOCKS = { bodies: 8 * BODY, frames: 8 * FRAME, pairs: 4 * PAIR, rows: 8 * ROW, contacts: 8 * CONTACT };
type BlockName = keyof typeof BLOCKS;

/** Two bodies, their contacts, and a count of changes to these; and what is held of them, and where. */
export interface HeldPair {
  readonly set: ContactSet;
  readonly renewals: number;
  readonly target: number;
  readonly friction: number;
  readonly restitution: number;
  /** Whether both are balls. */
  readonly areBalls?: boolean;
  readonly impulses: Float64Array;
  held?: ImpulseSystem | undefined;
  firstRow?: number;
}

export class ImpulseSystem {
  readonly kernel: RigidKernels = rigidKernels.kernels();
  bodiesHeld = 0;
  pairsHeld = 0;
  rowsHeld = 0;
  /** The arena's numbers; good until something is allocated in it. */
  numbers: Float64Array = new Float64Array(0);
  #words: Uint32Array = new Uint32Array(0);
  readonly #blocks: Record<BlockName, { at: number; room: number }> = {
    bodies: { at: 0, room: 0 },
    frames: { at: 0, room: 0 },
    pairs: { at: 0, room: 0 },
    rows: { at: 0, room: 0 },
    contacts: { at: 0, room: 0 },
  };

  /** The contents at each pair: rows are consecutive, so nothing else has been written there since. */
  readonly #laid: { pair: HeldPair | undefined; renewals: number; row: number }[] = [];

  /** Clears it, and makes room for these counts. */
  open(bodies: number, pairs: number, rows: number): void {
    this.#laid.length = this.pairsHeld;
    this.#reserve('bodies', bodies);
    this.#reserve('frames', bodies);
    this.#reserve('pairs', pairs);
    this.#reserve('rows', rows);
    this.#reserve('contacts', rows);
    this.bodiesHeld = this.pairsHeld = this.rowsHeld = 0;
    this.#open();
  }

  #open(): void {
    this.numbers = arena().f64();
    this.#words = arena().u32();
    const { bodies: b, frames: f, pairs: p, rows: r, contacts: c } = this.#blocks;
    this.kernel.openSystem(b.at, f.at, p.at, r.at, c.at);
  }

  dispose(): void {
    for (const block of Object.values(this.#blocks)) {
      if (block.room > 0) arena().free(block.at);
      block.room = 0;
    }
  }

  /** Writes the rows that are laid out, with the numbers of their pairs. */
  save(out: StateWriter, pairs: readonly HeldPair[]): void {
    const numberOf = new Map(pairs.map((pair, i) => [pair, i]));
    for (const { room } of Object.values(this.#blocks)) out.number(room);
    for (const count of [this.bodiesHeld, this.pairsHeld, this.rowsHeld]) out.number(count);
    const bytes = arena().u8();
    for (const [{ at }, size] of this.#laidBlocks) out.array(bytes.slice(at, at + size));
    const laid = this.#laid.slice(0, this.pairsHeld);
    out.number(laid.length);
    for (const { pair, renewals, row } of laid) {
      out.number(pair && renewals === pair.renewals ? (numberOf.get(pair) ?? -1) : -1);
      out.number(row);
    }
  }

  restore(from: StateReader, pairs: readonly HeldPair[]): void {
    this.dispose();
    for (const [name, block] of Object.entries(this.#blocks) as [BlockName, { at: number; room: number }][]) {
      block.room = from.number();
      if (block.room > 0) block.at = arena().alloc(block.room * BLOCKS[name]);
    }
    this.bodiesHeld = from.number();
    this.pairsHeld = from.number();
    this.rowsHeld = from.number();
    for (const [{ at }] of this.#laidBlocks) arena().u8().set(from.bytes(), at);
    this.#laid.length = 0;
    for (let left = from.number(); left > 0; left--) {
      const number = from.number();
      const pair = number < 0 ? undefined : pairs[number];
      const renewals = pair?.renewals ?? 0;
      this.#laid.push({ pair, renewals, row: from.number() });
    }
  }

  /** What stays from step to step, and its bytes. */
  get #laidBlocks(): [{ readonly at: number }, number][] {
    const { pairs, rows, contacts } = this.#blocks;
    return [
      [pairs, BLOCKS.pairs * this.pairsHeld],
      [rows, BLOCKS.rows * this.rowsHeld],
      [contacts, BLOCKS.contacts * this.rowsHeld],
    ];
  }

  bodyAt(body: number): number {
    return this.#blocks.bodies.at / 8 + BODY * body;
  }

  frameAt(body: number): number {
    return this.#blocks.frames.at / 8 + FRAME * body;
  }

  rowAt(row: number): number {
    return this.#blocks.rows.at / 8 + ROW * row;
  }

  contactAt(row: number): number {
    return this.#blocks.contacts.at / 8 + CONTACT * row;
  }

  /** Takes over body i of a table; returns its number here. */
  addBody(table: BodyTable, i: number): number {
    this.writeBody(this.bodiesHeld, table, i);
    return this.bodiesHeld++;
  }

  /** Writes body i of a table in the place of one here. */
  writeBody(number: number, table: BodyTable, i: number): void {
    const { numbers: x } = this;
    const body = this.bodyAt(number);
    const frame = this.frameAt(number);
    const state = table.states[i];
    copy(table.velocity, 3 * i, x, body, 3);
    copy(table.spin, 3 * i, x, body + SPIN, 3);
    x[body + INVERSE_MASS] = table.inverseMass[i];
    x[body + PUSHED] = table.pushed[i];
    for (let k = 0; k < 6; k++) x[body + INVERSE_INERTIA + k] = table.inverseInertia[9 * i + SYMMETRIC[k]];
    copy(table.place, 3 * i, x, frame, 3);
    copy(table.turn, 4 * i, x, frame + TURN, 4);
    copy(table.angular, 3 * i, x, body + ANGULAR, 3);
    copy(table.matrix, 9 * i, x, frame + MATRIX, 9);
    x[frame + FREE] = state ? 1 : 0;
    x[frame + RADIUS] = table.radius[i];
    if (state) {
      copy(table.acceleration, 3 * i, x, frame + ACCELERATION, 3);
      copy(table.torque, 3 * i, x, frame + TORQUE, 3);
      copy(state.inverseInertia, 0, x, frame + INVERSE, 9);
    } else x.fill(0, frame + ACCELERATION, frame + INVERSE);
  }

  /** Adds a body that stays where the world is; returns its number. */
  addWorld(): number {
    const { numbers: x } = this;
    const body = this.bodyAt(this.bodiesHeld);
    const frame = this.frameAt(this.bodiesHeld);
    x.fill(0, body, body + BODY);
    x.fill(0, frame, frame + FRAME);
    x[frame + TURN + 3] = x[frame + MATRIX] = x[frame + MATRIX + 4] = x[frame + MATRIX + 8] = 1;
    return this.bodiesHeld++;
  }

  /**
   * Copies the contacts of two bodies, to be kept `target` apart, with scaled initial impulses. Where the same contacts
   * were in the same place before, they are still there. From here on their impulses are those of the rows
   * (`readImpulses`).
   */
  addPair(a: number, b: number, pair: HeldPair, scale: number): void {
    const { set, renewals } = pair;
    const { numbers: x } = this;
    const words = this.#words;
    const slot = this.pairsHeld++;
    const row = this.rowsHeld;
    const at = this.#blocks.pairs.at / 4 + PAIR * slot;
    pair.held = this;
    pair.firstRow = row;
    words[at] = a;
    words[at + 1] = b;
    x[at / 2 + FRICTION] = pair.friction;
    x[at / 2 + RESTITUTION] = pair.restitution;
    x[at / 2 + TARGET] = pair.target;
    x[at / 2 + BALLS] = pair.areBalls ? 1 : 0;
    this.rowsHeld += set.count;
    const laid = slot < this.#laid.length ? this.#laid[slot] : undefined;
    const isThere = laid?.pair === pair && laid.renewals === renewals && laid.row === row;
    if (!isThere) {
      if (laid) {
        laid.pair = pair;
        laid.renewals = renewals;
        laid.row = row;
      } else this.#laid[slot] = { pair, renewals, row };
      words[at + 2] = row;
      words[at + 3] = set.count;
      this.#writeContacts(set, row);
    } else if (scale === 1) return;
    for (let i = 0; i < set.count; i++) {
      const to = this.rowAt(row + i) + IMPULSES;
      for (let k = 0; k < 3; k++) x[to + k] = scale * pair.impulses[3 * i + k];
    }
  }

  /** Begins another step with all that is laid out. */
  openAgain(): void {
    this.#open();
    for (let slot = 0; slot < this.pairsHeld; slot++) {
      const at = this.#blocks.pairs.at / 8 + (PAIR / 2) * slot;
      this.numbers[at + TARGET] = (this.#laid[slot].pair as HeldPair).target;
    }
  }

  /** Has all pairs that are laid out know their impulses, before others take their places. */
  readAll(): void {
    for (let slot = 0; slot < this.pairsHeld; slot++) {
      const { pair } = this.#laid[slot] ?? {};
      if (pair?.held !== this) continue;
      this.readImpulses(pair);
      pair.held = undefined;
    }
  }

  /** Has a pair know the impulses of its rows. */
  readImpulses({ set, impulses, firstRow = 0 }: HeldPair): void {
    const x = arena().f64();
    for (let i = 0; i < set.count; i++) {
      const row = this.rowAt(firstRow + i) + IMPULSES;
      for (let k = 0; k < 3; k++) impulses[3 * i + k] = x[row + k];
    }
  }

  #writeContacts({ data, count, round }: ContactSet, first: number): void {
    const { numbers: x } = this;
    for (let i = 0; i < count; i++) {
      const contact = this.contactAt(first + i);
      const at = CONTACT_NUMBERS * i;
      for (let k = 0; k < 3; k++) {
        x[contact + 2 * k] = data[at + POINT_A + k];
        x[contact + 2 * k + 1] = data[at + POINT_B + k];
        x[contact + CONTACT_NORMAL + k] = data[at + NORMAL + k];
      }
      x[contact + CONTACT_CORNER] = data[at + CORNER];
      x[contact + CONTACT_ROUND] = round[2 * i];
      x[contact + CONTACT_ROUND + 1] = round[2 * i + 1];
    }
  }

  /** Writes a body back to where a table has it. */
  readBody(body: number, table: BodyTable, i: number): void {
    const { numbers: x } = this;
    const at = this.bodyAt(body);
    const frame = this.frameAt(body);
    copy(x, at, table.velocity, 3 * i, 3);
    copy(x, at + SPIN, table.spin, 3 * i, 3);
    table.pushed[i] = x[at + PUSHED];
    for (let k = 0; k < 9; k++) table.inverseInertia[9 * i + k] = x[at + INVERSE_INERTIA + OF_NINE[k]];
    copy(x, frame, table.place, 3 * i, 3);
    copy(x, frame + TURN, table.turn, 4 * i, 4);
    copy(x, at + ANGULAR, table.angular, 3 * i, 3);
    copy(x, frame + MATRIX, table.matrix, 9 * i, 9);
  }

  #reserve(name: BlockName, count: number): void {
    const block = this.#blocks[name];
    if (count <= block.room) return;
    this.#laid.length = 0;
    if (block.room > 0) arena().free(block.at);
    block.room = Math.ceil(ROOM * count);
    block.at = arena().alloc(block.room * BLOCKS[name]);
  }
}

/** Where six numbers of a symmetric matrix are among nine, and the other way round. */
const SYMMETRIC = [0, 1, 2, 4, 5, 8];
const OF_NINE = [0, 1, 2, 1, 3, 4, 2, 4, 5];

function copy(from: Float64Array, at: number, to: Float64Array, into: number, count: number): void {
  for (let k = 0; k < count; k++) to[into + k] = from[at + k];
}

/** Moves body i of a table on by h seconds as if there were nothing else. */
export function moveFreely(table: BodyTable, i: number, h: number): void {
  const system = new ImpulseSystem();
  system.open(1, 0, 0);
  try {
    const body = system.addBody(table, i);
    system.kernel.openIsland(0, 1, 0, 0);
    system.kernel.accelerate(h, true);
    system.kernel.advance(h, false);
    system.kernel.orient();
    system.readBody(body, table, i);
  } finally {
    system.dispose();
  }
}
