/**
 * Parameters of kernels: one `Step` per distinct dispatch, all of a request in one uniform buffer.
 *
 * Layout: STEP_BYTES apart; the fields are those of `struct Step` in common.wgsl.ts, in the same order.
 */

/** The default alignment of dynamic offsets. */
export const STEP_BYTES = 256;

/** The fields, each four bytes. `distance` is a float, the rest are counts. */
export const STEP_FIELDS = [
  'distance',
  'objects',
  'parts',
  'stamp',
  'objectWord',
  'partWord',
  'slotWord',
  'resolution',
  'viewCount',
  'firstView',
  /** Of all objects; 0 where they are not needed. */
  'colours',
  'firstColour',
  'colourCount',
  /** STEP_COMPLETE: all views of its colours have been tested after this batch. STEP_LAST: the round ends with it. */
  'ends',
  'taskCapacity',
  /** The word with the number dropped by the previous round; 0 in the first round. */
  'previousWord',
  'droppedWord',
  /** The word for the number before the stage; 0 after the first round. */
  'leftWord',
  /** The word that counts the items drawn by the stage. */
  'drawnWord',
  /** Of the images, in the upper 8 bits. */
  'generation',
  'objectPairCapacity',
  'partItemCapacity',
  'partPairCapacity',
  'candidateCapacity',
  'meetingCapacity',
  'doubtfulCapacity',
  'slots',
  /** Words that count, for each slot, the meeting pairs that it comes first in; then those for blocks of slots. */
  'tallyWord',
  'blockWord',
  /** For `queries`: the stage, triangles per part, and whether the view looks from behind. */
  'stage',
  'partSize',
  'mirrored',
] as const;

export type StepField = (typeof STEP_FIELDS)[number];

export const STEP_COMPLETE = 1;
export const STEP_LAST = 2;

const OFFSET = Object.fromEntries(STEP_FIELDS.map((name, i) => [name, 4 * i])) as Record<StepField, number>;

/** The steps of a request, filled in order. */
export class Steps {
  #bytes = new ArrayBuffer(16 * STEP_BYTES);
  #view = new DataView(this.#bytes);
  #count = 0;

  get count(): number {
    return this.#count;
  }

  get bytes(): Uint8Array<ArrayBuffer> {
    return new Uint8Array(this.#bytes, 0, this.#count * STEP_BYTES);
  }

  clear(): void {
    this.#count = 0;
  }

  /** Adds a copy of the first step, or one of zeros, with some fields changed, and returns its byte offset. */
  add(fields: Partial<Record<StepField, number>>): number {
    const at = this.#count * STEP_BYTES;
    if (at + STEP_BYTES > this.#bytes.byteLength) {
      const larger = new ArrayBuffer(2 * this.#bytes.byteLength);
      new Uint8Array(larger).set(new Uint8Array(this.#bytes));
      this.#bytes = larger;
      this.#view = new DataView(larger);
    }
    if (at > 0) new Uint8Array(this.#bytes).copyWithin(at, 0, STEP_BYTES);
    else new Uint8Array(this.#bytes, 0, STEP_BYTES).fill(0);
    for (const name in fields) {
      const value = fields[name as StepField]!;
      if (name === 'distance') this.#view.setFloat32(at, value, true);
      else this.#view.setUint32(at + OFFSET[name as StepField], value, true);
    }
    this.#count++;
    return at;
  }
}
