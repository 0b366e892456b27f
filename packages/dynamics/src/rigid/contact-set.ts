/**
 * Places at which two bodies are near each other, with the data that holds them apart there.
 *
 * Layout: contact i has numbers 11 i … of `data`: the point of a, seen from a's centre in a's frame; that of b in b's
 * frame; the unit normal, from a to b, in a's frame; the gap along it; and whose point is a corner, which takes the
 * place of contact along as it slides over a face: −1 for a, 1 for b, 0 for neither. `round` has two numbers of each:
 * how far the surfaces are from the points of a and b along the normal; where they are round, their points are the
 * centres of curvature, so that the gap is the same as a ball rolls. Feature ids are whole numbers that
 * name the pair of vertex, edge or face of either side, the same in every step.
 */
import { CONTACT_ID } from './exact/layout.generated.js';
export const CONTACT_NUMBERS = CONTACT_ID / 8;

const NO_NUMBERS = new Float64Array(0);

export class ContactSet {
  count = 0;
  data: Float64Array = NO_NUMBERS;
  ids: Float64Array = NO_NUMBERS;
  round: Float64Array = NO_NUMBERS;
  /** A lower bound on the distance of the surfaces; where nothing is in reach, the reach. */
  atLeast = 0;

  clear(): void {
    this.count = 0;
  }

  /** Makes room for one more, with how far the surfaces are from its points; returns where its numbers go. */
  open(id: number, roundA = 0, roundB = 0): number {
    if (this.count === this.ids.length) {
      // balls have one contact, boxes four
      const room = this.count === 0 ? 1 : Math.max(4, 2 * this.count);
      const { data, ids, round } = this;
      this.data = new Float64Array(CONTACT_NUMBERS * room);
      this.ids = new Float64Array(room);
      this.round = new Float64Array(2 * room);
      this.data.set(data);
      this.ids.set(ids);
      this.round.set(round);
    }
    this.ids[this.count] = id;
    this.round[2 * this.count] = roundA;
    this.round[2 * this.count + 1] = roundB;
    return CONTACT_NUMBERS * this.count++;
  }

  /** Copies entry `i` of another set. */
  take(from: ContactSet, i: number): void {
    const at = this.open(from.ids[i], from.round[2 * i], from.round[2 * i + 1]);
    for (let k = 0; k < CONTACT_NUMBERS; k++) this.data[at + k] = from.data[CONTACT_NUMBERS * i + k];
  }
}
