/**
 * Names contacts consistently from search to search, by their position: the cut, and the front it is cut from, change
 * on the way, and vertices have no lasting numbers.
 */
import type { StateReader, StateWriter } from '../../bodies/state-bytes.js';
import { CONTACT_NUMBERS, type ContactSet } from '../contact-set.js';
import { NORMAL, POINT_A, POINT_B } from '../exact/layout.generated.js';

/** Cosine of the maximum angle between the normals of contacts that may be the same. */
const SAME_WAY = 0.9;

export class ContactNames {
  #next = 1;
  #count = 0;
  #data: Float64Array = new Float64Array(0);
  #ids: Float64Array = new Float64Array(0);

  /**
   * Gives each contact the name of the nearest one of before, no farther than `distance` away on either side, or a new
   * one.
   */
  name(set: ContactSet, distance: number): void {
    const used = new Uint8Array(this.#count);
    for (let i = 0; i < set.count; i++) {
      let best = -1;
      let leastSq = distance * distance;
      for (let j = 0; j < this.#count; j++) {
        if (used[j] !== 0) continue;
        const sq = this.#apartSq(set.data, CONTACT_NUMBERS * i, CONTACT_NUMBERS * j);
        if (!(sq < leastSq)) continue;
        leastSq = sq;
        best = j;
      }
      if (best >= 0) used[best] = 1;
      set.ids[i] = best >= 0 ? this.#ids[best] : this.#next++;
    }
    this.#count = set.count;
    this.#data = set.data.slice(0, CONTACT_NUMBERS * set.count);
    this.#ids = set.ids.slice(0, set.count);
  }

  save(out: StateWriter): void {
    out.number(this.#next);
    out.array(this.#data);
    out.array(this.#ids);
  }

  restore(from: StateReader): void {
    this.#next = from.number();
    this.#data = from.doubles();
    this.#ids = from.doubles();
    this.#count = this.#ids.length;
  }

  /** Squared; on the side where they are nearer, since one of the two moves with the body that slides. */
  #apartSq(data: Float64Array, i: number, j: number): number {
    const old = this.#data;
    let [along, onA, onB] = [0, 0, 0];
    for (let k = 0; k < 3; k++) {
      along += data[i + NORMAL + k] * old[j + NORMAL + k];
      onA += (data[i + POINT_A + k] - old[j + POINT_A + k]) ** 2;
      onB += (data[i + POINT_B + k] - old[j + POINT_B + k]) ** 2;
    }
    return along < SAME_WAY ? Infinity : Math.min(onA, onB);
  }
}
