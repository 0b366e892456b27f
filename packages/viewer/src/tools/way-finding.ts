/**
 * The way of an object from where it starts to where it was dragged: searched for in the worker, then played. It is
 * drawn in colours of the room that it has.
 */
import { batch, computed, effect, signal } from '@preact/signals';
import type { Viewer } from '../app/viewer.js';
import type { WayAnswer } from '../exact/types.js';
import type { Mark, Point } from '../picture/types.js';
import type { Dragging } from './dragging.js';

/** Of the room, in metres, from the least on. */
export const ROOMS = [
  { below: 0.05, colour: 0xc8281d, text: 'under 50 mm' },
  { below: 0.2, colour: 0xb35900, text: 'under 200 mm' },
  { below: Infinity, colour: 0x0a7d3c, text: 'more' },
] as const;

/** Of one search. */
export const SECONDS = 30;
/** Milliseconds between two looks at the clock, and those of a frame of the way. */
const TICK = 200;
const FRAME = 33;

type Found = Extract<WayAnswer, { found: true }>;

export class WayFinding {
  readonly #viewer: Viewer;
  readonly #dragging: Dragging;
  /** Where it starts; undefined: where the model has it. */
  readonly start = signal<Float64Array | undefined>(undefined);
  /** Seconds since a search began; undefined: none is under way. */
  readonly seconds = signal<number | undefined>(undefined);
  /** The last one; undefined: none yet, or it was for another start or goal. */
  readonly answer = signal<WayAnswer | undefined>(undefined);
  readonly frame = signal(0);
  readonly isPlaying = signal(false);
  #turn = 0;

  readonly marks = computed<readonly Mark[]>(() => {
    const answer = this.answer.value;
    return answer?.found ? wayMarks(answer, this.#viewer.metresPerUnit.value) : [];
  });

  constructor(viewer: Viewer, dragging: Dragging) {
    this.#viewer = viewer;
    this.#dragging = dragging;
    const { move, turn, clearance } = dragging;
    effect(() => {
      // each of them makes it another question
      void [move.value, turn.value, clearance.value];
      this.forget();
    });
  }

  /** Lets it start from where it is now. */
  startHere(): void {
    this.forget();
    this.start.value = this.#dragging.pose;
  }

  /** Searches for a way to where it is now. */
  async find(): Promise<void> {
    this.forget();
    const turn = ++this.#turn;
    const from = this.start.peek() ?? this.#dragging.storedPose;
    const clearance = this.#dragging.clearance.peek() / this.#viewer.metresPerUnit.peek();
    const began = performance.now();
    this.seconds.value = 0;
    const clock = setInterval(() => {
      if (turn === this.#turn) this.seconds.value = (performance.now() - began) / 1000;
    }, TICK);
    try {
      const answer = await this.#viewer.exact.way({
        from,
        to: this.#dragging.pose,
        clearance,
        seconds: SECONDS,
      });
      if (turn === this.#turn) this.answer.value = answer;
    } catch (error) {
      if (turn === this.#turn) this.#viewer.fail('Could not look for a way', error);
    } finally {
      clearInterval(clock);
      if (turn === this.#turn) this.seconds.value = undefined;
    }
  }

  /** Ends a search: any other question does. */
  cancel(): void {
    this.forget();
    void this.#viewer.exact.drag(this.#dragging.pose, 0).catch(() => {}); // what fails is reported elsewhere
  }

  /** The way is no longer the one that is asked about. */
  forget(): void {
    this.#turn++;
    const object = this.#dragging.object.peek();
    if (object !== undefined && this.answer.peek()?.found)
      this.#viewer.picture.peek()?.move(object, Float64Array.from(this.#dragging.pose));
    batch(() => {
      this.seconds.value = undefined;
      this.answer.value = undefined;
      this.isPlaying.value = false;
      this.frame.value = 0;
    });
  }

  go(frame: number): void {
    const [object, answer] = [this.#dragging.object.peek(), this.answer.peek()];
    if (object === undefined || !answer?.found) return;
    const shown = Math.max(0, Math.min(answer.poses.length - 1, frame));
    this.frame.value = shown;
    this.#viewer.picture.peek()?.move(object, Float64Array.from(answer.poses[shown]));
  }

  /** Moves the camera so that all of the way is in view. */
  show(): void {
    const answer = this.answer.peek();
    if (!answer?.found) return;
    const around = (pick: (...of: number[]) => number) =>
      [0, 1, 2].map((k) => pick(...answer.middles.map((middle) => middle[k]))) as unknown as Point;
    this.#viewer.picture.peek()?.fit({ min: around(Math.min), max: around(Math.max) });
  }

  /** Plays, from the beginning where it is at the end, or pauses. */
  toggle(): void {
    const answer = this.answer.peek();
    if (!answer?.found) return;
    this.isPlaying.value = !this.isPlaying.peek();
    if (!this.isPlaying.peek()) return;
    if (this.frame.peek() === answer.poses.length - 1) this.go(0);
    const turn = this.#turn;
    const tick = () => {
      if (turn !== this.#turn || !this.isPlaying.peek()) return;
      this.go(this.frame.peek() + 1);
      if (this.frame.peek() === answer.poses.length - 1) this.isPlaying.value = false;
      else setTimeout(tick, FRAME);
    };
    setTimeout(tick, FRAME);
  }
}

/** How far the middle moves. */
export function lengthOf({ middles }: Found): number {
  let length = 0;
  for (let i = 1; i < middles.length; i++)
    length += Math.hypot(...middles[i].map((x, k) => x - middles[i - 1][k]));
  return length;
}

/** The way of the middle, each stretch in the colour of its least room. */
export function wayMarks({ middles, room }: Found, metresPerUnit: number): Mark[] {
  const stretches: Point[][] = ROOMS.map(() => []);
  for (let i = 1; i < middles.length; i++) {
    const least = Math.min(room[i - 1], room[i]) * metresPerUnit;
    stretches[ROOMS.findIndex(({ below }) => least < below || below === Infinity)].push(
      middles[i - 1],
      middles[i],
    );
  }
  return ROOMS.flatMap(({ colour }, i) =>
    stretches[i].length > 0
      ? [{ kind: 'line', points: Float64Array.from(stretches[i].flat()), colour } as const]
      : [],
  );
}
