/**
 * Contacts by triangles that take over from coarser patches: these held bodies farther apart, which must not fall now.
 * So contacts below a pair of patches are moved together by what they have more of a gap, and that is given back a
 * little with each search (see contact-levels-engine.ts).
 */
import { NO_NODE } from '../../contact-levels/layout.js';
import { CONTACT_NUMBERS, type ContactSet } from '../contact-set.js';
import {
  EDGE_A_VERTEX_B,
  EDGES,
  FACE_A_VERTEX_B,
  GAP,
  NORMAL,
  POINT_B,
  VERTEX_A_EDGE_B,
  VERTEX_A_FACE_B,
} from '../exact/layout.generated.js';
import { GIVEN_BACK } from './contact-levels-engine.js';
import type { DualShape } from './dual-shape.js';
import { keyOf, nodesOf } from './hull-front.js';

/** See kernels/contacts/features.ts. */
const KINDS = 8;
const NUMBERS = 2 ** 23;

interface Held {
  readonly gap: number;
  /** The compensation that is left; before the first search, the most it can be. */
  room: number;
}

export class HeldContacts {
  readonly #a: DualShape;
  readonly #b: DualShape;
  readonly #thickness: number;
  readonly #held: Map<number, Held>;
  readonly #ofA = new Set<number>();
  readonly #ofB = new Set<number>();
  #isFirst = true;

  /** `held`: by pair of nodes, with `keyOf`. */
  constructor(a: DualShape, b: DualShape, held: ReadonlyMap<number, Readonly<Held>>, thickness: number) {
    this.#a = a;
    this.#b = b;
    this.#thickness = thickness;
    this.#held = new Map(Array.from(held, ([key, one]) => [key, { ...one }]));
    for (const key of held.keys()) {
      const [nodeA, nodeB] = nodesOf(key);
      this.#ofA.add(nodeA);
      this.#ofB.add(nodeB);
    }
  }

  /** The extra reach that is necessary; 0 when everything has been given back. */
  get room(): number {
    let most = 0;
    for (const { room } of this.#held.values()) most = Math.max(most, room);
    return most;
  }

  /** Moves contacts, with b at `pose` in the frame of a, together. */
  hold(set: ContactSet, pose: Float64Array): void {
    const above = Array.from(set.ids.subarray(0, set.count), (id) => this.#above(id));
    if (this.#isFirst) {
      const rooms = new Map<Held, number>();
      above.forEach((held, i) => {
        if (held)
          rooms.set(held, Math.max(rooms.get(held) ?? 0, set.data[CONTACT_NUMBERS * i + GAP] - held.gap));
      });
      for (const held of this.#held.values()) held.room = Math.min(held.room, rooms.get(held) ?? 0);
      this.#isFirst = false;
    } else for (const held of this.#held.values()) held.room -= GIVEN_BACK * this.#thickness;
    for (const [key, { room }] of this.#held) if (!(room > 0)) this.#held.delete(key);
    above.forEach((held, i) => {
      if (held && held.room > 0) this.#shift(set.data, CONTACT_NUMBERS * i, held.room, pose);
    });
  }

  /** A contact that is moved towards the other body may stop it, not push it. */
  #shift(data: Float64Array, at: number, room: number, p: Float64Array): void {
    const by = Math.min(room, data[at + GAP] - this.#thickness);
    if (!(by > 0)) return;
    data[at + GAP] -= by;
    const [x, y, z] = [data[at + NORMAL], data[at + NORMAL + 1], data[at + NORMAL + 2]];
    for (let k = 0; k < 3; k++) data[at + POINT_B + k] -= by * (p[k] * x + p[3 + k] * y + p[6 + k] * z);
  }

  /** What held the features of a contact before. */
  #above(id: number): Held | undefined {
    const kind = id % KINDS;
    const ofA = Math.floor(id / KINDS) % NUMBERS;
    const ofB = Math.floor(id / (KINDS * NUMBERS));
    const kindA =
      kind === FACE_A_VERTEX_B ? 'facet' : kind === EDGES || kind === EDGE_A_VERTEX_B ? 'edge' : 'vertex';
    const kindB =
      kind === VERTEX_A_FACE_B ? 'facet' : kind === EDGES || kind === VERTEX_A_EDGE_B ? 'edge' : 'vertex';
    for (const leafA of this.#a.leavesOf(kindA, ofA)) {
      for (let i = leafA; i !== NO_NODE; i = this.#a.parent[i]) {
        if (!this.#ofA.has(i)) continue;
        for (const leafB of this.#b.leavesOf(kindB, ofB)) {
          for (let j = leafB; j !== NO_NODE; j = this.#b.parent[j]) {
            const held = this.#ofB.has(j) ? this.#held.get(keyOf(i, j)) : undefined;
            if (held) return held;
          }
        }
      }
    }
    return undefined;
  }
}
