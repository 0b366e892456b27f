/**
 * Which events become contacts: those that would be missed. But two bodies on frames touch in hundreds of places and
 * have few nodes to move: of all contacts whose elements lie nearest to the same two nodes, only the one that comes
 * nearest is taken, until another turns out to be missed still.
 */
import { type EDGE_EDGE, VERTEX_FACE } from '../deform/layout.generated.js';
import type { ContactEvents } from '../deform/types.js';
import { type ContactList, TAKEN, WANTED } from './contact-list.js';
import type { Participant, SolverState } from './solver-state.js';

/** Room for the second of two mass numbers in a key. */
const KEY_BASE = 2 ** 26;

export interface Choice {
  /** Permitted miss of a contact's target gap, as a share of the thickness. */
  readonly slack: number;
  /** Default: both. */
  readonly kind?: typeof VERTEX_FACE | typeof EDGE_EDGE;
}

export class ContactSelection {
  readonly #state: SolverState;
  readonly #contacts: ContactList;
  /** One byte per event. */
  #states = new Uint8Array(0);
  #gaps = new Float64Array(0);
  #keys = new Float64Array(0);
  /** Slots of 1 + event by key, open addressing; at least two per event. */
  #slots = new Uint32Array(0);

  constructor(state: SolverState, contacts: ContactList) {
    this.#state = state;
    this.#contacts = contacts;
  }

  /** Turns to new events: none of them is taken. */
  begin(count: number): void {
    if (count > this.#states.length) {
      const room = 2 ** Math.ceil(Math.log2(count));
      this.#states = new Uint8Array(room);
      this.#gaps = new Float64Array(room);
      this.#keys = new Float64Array(room);
      this.#slots = new Uint32Array(2 * room);
    } else this.#states.fill(0);
  }

  /** Makes contacts of the events that need one now; returns whether there are any. */
  take(events: ContactEvents, { slack, kind }: Choice): boolean {
    const states = this.#states;
    const contacts = this.#contacts;
    const { participants, places } = this.#state;
    const { count, kinds, surfaces } = events;
    this.#slots.fill(0);
    for (let e = 0; e < count; e++) {
      if (states[e] === TAKEN || (kind !== undefined && kinds[e] !== kind)) continue;
      if (!contacts.misses(events, e, slack)) continue;
      const first = participants[places[surfaces[2 * e]]];
      const second = participants[places[surfaces[2 * e + 1]]];
      states[e] = WANTED;
      if (first.body.frame || second.body.frame) this.#compete(events, e, first, second);
    }
    const before = contacts.count;
    contacts.add(events, states);
    return contacts.count > before;
  }

  /** Keeps only the nearest of the events at the same nodes wanted. */
  #compete(events: ContactEvents, e: number, first: Participant, second: Participant): void {
    const keys = this.#keys;
    const gaps = this.#gaps;
    const slots = this.#slots;
    const { vertices } = events;
    const pair = KEY_BASE * nodeOf(first, vertices[4 * e]) + nodeOf(second, vertices[4 * e + 3]);
    const key = 2 * pair + (events.kinds[e] === VERTEX_FACE ? 0 : 1);
    keys[e] = key;
    gaps[e] = this.#state.gap(events, e, this.#state.end);
    let slot = (Math.imul(key % 0xffffffff, 0x9e3779b1) >>> 0) & (slots.length - 1);
    while (slots[slot] !== 0 && keys[slots[slot] - 1] !== key) slot = (slot + 1) & (slots.length - 1);
    if (slots[slot] !== 0) {
      const rival = slots[slot] - 1;
      if (gaps[rival] <= gaps[e]) {
        this.#states[e] = 0;
        return;
      }
      this.#states[rival] = 0;
    }
    slots[slot] = e + 1;
  }
}

/** The mass that a vertex follows most closely; for scenery, all of it counts as one. */
function nodeOf({ body, massOffset, leaders }: Participant, vertex: number): number {
  if (leaders) return massOffset + leaders[vertex];
  return body.kind === 'dynamic' ? massOffset + vertex : massOffset;
}
