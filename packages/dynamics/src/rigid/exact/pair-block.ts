/** Two shapes as kernels see them: the cached triangles near each other, and contacts. */
import { arena } from 'impinge/internal/base/arena.js';
import { tooFar } from 'impinge/internal/query/pair/context.js';
import type { StateReader, StateWriter } from '../../bodies/state-bytes.js';
import { CONTACT_NUMBERS, type ContactSet } from '../contact-set.js';
import type { ContactShape } from '../contact-shape.js';
import {
  CONTACT_BYTES,
  CONTACT_ID,
  CONTACT_ORDER,
  ENTRY_BYTES,
  P,
  PAIR_BYTES,
  S,
  Status,
} from './layout.generated.js';
import type { OwnedMemory } from './owned-memory.js';

/** Factor of spare room over the room needed. */
const SPARE = 1.5;

export class PairBlock {
  /** In the arena. */
  readonly at: number;
  readonly #memory: OwnedMemory;
  /** How far the surfaces of both are from their triangles. */
  #round: readonly [number, number] = [0, 0];
  /** Makes the contacts found those of surfaces that triangles stand for. */
  refine?: (set: ContactSet, pose: Float64Array) => void;

  constructor(memory: OwnedMemory) {
    this.#memory = memory;
    this.at = memory.alloc(PAIR_BYTES);
    arena()
      .u32()
      .fill(0, this.at >>> 2, (this.at + PAIR_BYTES) >>> 2);
  }

  /** Findings about earlier shapes are void, and must be forgotten. */
  setShapes(a: ContactShape, b: ContactShape): void {
    const [blockA, blockB] = [a.block, b.block];
    const words = arena().u32();
    words[(this.at + P.shapeA) >>> 2] = blockA;
    words[(this.at + P.shapeB) >>> 2] = blockB;
    this.#round = [a.round, b.round];
    arena().f64()[(this.at + P.round) >>> 3] = a.round + b.round;
  }

  dispose(): void {
    for (const field of [P.list, P.contacts]) {
      const block = this.word(field);
      if (block !== 0) this.#memory.free(block);
    }
    this.#memory.free(this.at);
  }

  word(field: number): number {
    return arena().u32()[(this.at + field) >>> 2];
  }

  number(field: number): number {
    return arena().f64()[(this.at + field) >>> 3];
  }

  /** A distance of surfaces: that of triangles in a field, less the roundness of both. */
  length(field: number): number {
    return this.number(field) - this.number(P.round);
  }

  /** Where b is in the frame of a; good until memory grows. */
  get pose(): Float64Array {
    const at = (this.at + P.pose) >>> 3;
    return arena()
      .f64()
      .subarray(at, at + 12);
  }

  /** A lower bound on the distance of the two with b at a pose, by the cached near triangles; may be below 0. */
  apartAt(pose: Float64Array, radius: number): number {
    const doubles = arena().f64();
    const from = (this.at + P.listPose) >>> 3;
    let shift = 0;
    let turn = 0;
    for (let k = 0; k < 9; k++) turn += (pose[k] - doubles[from + k]) ** 2;
    for (let k = 9; k < 12; k++) shift += (pose[k] - doubles[from + k]) ** 2;
    return this.length(P.listLeast) - Math.sqrt(shift) - Math.sqrt(turn) * radius;
  }

  /** Twice the sine of half the angle between a pose of b and that in which contacts were found. */
  turnedTo(pose: Float64Array): number {
    const doubles = arena().f64();
    const from = (this.at + P.foundPose) >>> 3;
    let turn = 0;
    for (let k = 0; k < 9; k++) turn += (pose[k] - doubles[from + k]) ** 2;
    return Math.sqrt(turn / 2);
  }

  /** Discards contacts; near triangles stay known. */
  forgetContacts(): void {
    arena().f64()[(this.at + P.reach) >>> 3] = 0;
  }

  /** Discards all findings: the shapes have been moved. */
  forget(): void {
    this.forgetContacts();
    arena().f64()[(this.at + P.listReach) >>> 3] = 0;
    arena().f64()[(this.at + P.listLeast) >>> 3] = 0;
  }

  /** Whether a request must be repeated, with the room that it lacked. */
  lacksRoom(status: number): boolean {
    if (status === Status.tooFar) throw tooFar();
    if (status !== Status.needsRoom) return false;
    this.#make(P.list, P.listRoom, this.word(P.listCount), ENTRY_BYTES);
    this.#make(P.contacts, P.contactRoom, this.word(P.found), CONTACT_BYTES);
    // a list without room is incomplete, and one that moved has no entries
    this.forget();
    return true;
  }

  #make(field: number, room: number, needed: number, bytes: number): void {
    if (needed <= this.word(room)) return;
    const count = Math.ceil(SPARE * needed);
    const block = this.#memory.replace(this.word(field), count * bytes);
    const words = arena().u32();
    words[(this.at + field) >>> 2] = block;
    words[(this.at + room) >>> 2] = count;
  }

  /** Writes the findings; leaves are counted from the first of their shape. */
  save(out: StateWriter): void {
    const memory = arena();
    const header = memory.u32().slice(this.at >>> 2, (this.at + PAIR_BYTES) >>> 2);
    // addresses say nothing elsewhere
    for (const field of [P.shapeA, P.shapeB, P.list, P.contacts]) header[field >>> 2] = 0;
    out.array(header);
    const entries = memory.u8().slice(this.word(P.list), this.word(P.list) + ENTRY_BYTES * this.#listed);
    const words = new Uint32Array(entries.buffer);
    const bases = this.#firstLeaves;
    for (let i = 0; i < words.length; i++) if (i % 3 < 2) words[i] -= bases[i % 3];
    out.array(entries);
    const contacts = this.word(P.contacts);
    const found = Math.min(this.word(P.found), this.word(P.contactRoom));
    out.array(memory.u8().slice(contacts, contacts + CONTACT_BYTES * found));
  }

  restore(from: StateReader): void {
    const header = from.bytes();
    const saved = new Uint32Array(header.buffer);
    const own = [P.shapeA, P.shapeB].map((field) => this.word(field));
    for (const field of [P.list, P.contacts]) if (this.word(field) !== 0) this.#memory.free(this.word(field));
    const [listRoom, contactRoom] = [saved[P.listRoom >>> 2], saved[P.contactRoom >>> 2]];
    const list = listRoom > 0 ? this.#memory.alloc(ENTRY_BYTES * listRoom) : 0;
    const contacts = contactRoom > 0 ? this.#memory.alloc(CONTACT_BYTES * contactRoom) : 0;
    saved[P.shapeA >>> 2] = own[0];
    saved[P.shapeB >>> 2] = own[1];
    saved[P.list >>> 2] = list;
    saved[P.contacts >>> 2] = contacts;
    const entries = from.bytes();
    const words = new Uint32Array(entries.buffer);
    arena().u8().set(header, this.at);
    const bases = this.#firstLeaves;
    for (let i = 0; i < words.length; i++) if (i % 3 < 2) words[i] += bases[i % 3];
    arena().u8().set(entries, list);
    arena().u8().set(from.bytes(), contacts);
  }

  /** The number of entries that there are. */
  get #listed(): number {
    return Math.min(this.word(P.listCount), this.word(P.listRoom));
  }

  /** Where the leaves of both shapes begin. */
  get #firstLeaves(): number[] {
    const words = arena().u32();
    return [P.shapeA, P.shapeB].map((field) => words[words[(this.word(field) + S.leafOf) >>> 2] >>> 2]);
  }

  /** Takes over the contacts that are kept. */
  read(out: ContactSet): void {
    out.clear();
    const contacts = this.word(P.contacts);
    const count = this.word(P.kept);
    const memory = arena();
    const words = memory.u32();
    const doubles = memory.f64();
    for (let k = 0; k < count; k++) {
      const i = words[(contacts + k * CONTACT_BYTES + CONTACT_ORDER) >>> 2];
      const from = (contacts + i * CONTACT_BYTES) >>> 3;
      const at = out.open(doubles[from + CONTACT_ID / 8], ...this.#round);
      for (let n = 0; n < CONTACT_NUMBERS; n++) out.data[at + n] = doubles[from + n];
    }
    out.atLeast = this.length(P.atLeast);
    this.refine?.(out, this.pose);
  }

  /** Puts contacts in place of those found. */
  write({ count, data, ids }: ContactSet): void {
    this.#make(P.contacts, P.contactRoom, count, CONTACT_BYTES);
    const contacts = this.word(P.contacts);
    const memory = arena();
    memory.u32()[(this.at + P.found) >>> 2] = count;
    const doubles = memory.f64();
    for (let i = 0; i < count; i++) {
      const to = (contacts + i * CONTACT_BYTES) >>> 3;
      for (let n = 0; n < CONTACT_NUMBERS; n++) doubles[to + n] = data[CONTACT_NUMBERS * i + n];
      doubles[to + CONTACT_ID / 8] = ids[i];
    }
  }
}
