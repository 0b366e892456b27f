/**
 * Which rigid bodies and moving scenery soft bodies come near in a step: the rest need not be tested.
 *
 * By boxes of whole motions, enlarged by the thickness. Contacts change the motion of bodies, so this is repeated
 * before each search for contacts; a body that was near once takes part for the rest of the step.
 */
import { RigidBody } from './rigid-body.js';
import type { Participant } from './solver-state.js';

/** Enlargement of boxes, in thicknesses, with room for rounding to float32. */
const REACH_THICKNESSES = 2;

interface Shaped {
  readonly moves: boolean;
  /** Least and greatest x, y, z of the motion. */
  readonly box: Float64Array;
}

export class NearSoft {
  readonly #reach: number;
  readonly #box = new Float64Array(6);
  #shaped = new Map<Participant, Shaped>();
  /** Bodies that no soft body has come near in this step. */
  #out = new Set<Participant>();

  constructor(thickness: number) {
    this.#reach = REACH_THICKNESSES * thickness;
  }

  get leftOut(): ReadonlySet<Participant> {
    return this.#out;
  }

  /** Begins a step of these shape-keeping bodies, which have made their proposals. */
  begin(shaped: readonly Participant[]): void {
    this.#shaped = new Map(shaped.map((participant) => [participant, shapedOf(participant, this.#reach)]));
    this.#out = new Set(shaped);
  }

  /** Whether one of them moves in this step. */
  moves(participant: Participant): boolean {
    return this.#shaped.get(participant)?.moves ?? false;
  }

  /** Bodies left out so far that the motion of a soft body comes near; with `moving`, only moving ones. */
  reach({ start, end }: Participant, moving: boolean): Participant[] {
    if (this.#out.size === 0) return [];
    const box = this.#box.fill(Infinity, 0, 3).fill(-Infinity, 3);
    widen(box, start);
    widen(box, end);
    const found = Array.from(this.#out).filter((participant) => {
      const other = this.#shaped.get(participant)!;
      return (other.moves || !moving) && overlap(box, other.box);
    });
    for (const participant of found) this.#out.delete(participant);
    return found;
  }

  /** All bodies left out so far. */
  rest(): Participant[] {
    const found = [...this.#out];
    this.#out.clear();
    return found;
  }
}

function shapedOf({ body }: Participant, reach: number): Shaped {
  const box = new Float64Array(6).fill(Infinity, 0, 3).fill(-Infinity, 3);
  let moves: boolean;
  if (body instanceof RigidBody) {
    moves = !body.asleep;
    const { radius } = body;
    const ends = new Float64Array(6);
    ends.set(body.state.centre);
    body.readAim(ends, new Float64Array(8), 1);
    widen(box, ends);
    for (let k = 0; k < 3; k++) {
      box[k] -= radius;
      box[3 + k] += radius;
    }
  } else {
    const { positions, proposed } = body;
    moves = positions.some((x, i) => x !== Math.fround(proposed[i]));
    widen(box, positions);
    widen(box, proposed);
  }
  for (let k = 0; k < 3; k++) {
    box[k] -= reach;
    box[3 + k] += reach;
  }
  return { moves, box };
}

function widen(box: Float64Array, x: Float64Array): void {
  for (let i = 0; i < x.length; i += 3) {
    for (let k = 0; k < 3; k++) {
      const at = x[i + k];
      if (at < box[k]) box[k] = at;
      if (at > box[3 + k]) box[3 + k] = at;
    }
  }
}

function overlap(a: Float64Array, b: Float64Array): boolean {
  return a[0] <= b[3] && b[0] <= a[3] && a[1] <= b[4] && b[1] <= a[4] && a[2] <= b[5] && b[2] <= a[5];
}
