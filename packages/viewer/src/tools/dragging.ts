/**
 * An object that the user moves: its place, its clashes there, and the nearest free place. The picture follows
 * immediately. In a model with levels, answers while it moves come from levels within the size of a pixel, which are
 * drawn around it; exact answers follow when it rests. Otherwise all answers are exact.
 */
import { batch, computed, signal } from '@preact/signals';
import type { AskedCheck } from '../../../cli/src/wire/report.js';
import { lengthText } from '../../../ui/src/text.js';
import type { ExactClient } from '../exact/exact-client.js';
import type { FreePlace, LiveAnswer, LiveNear, Violation } from '../exact/types.js';
import type { Picture } from '../picture/picture.js';
import type { Box, Mark, Point } from '../picture/types.js';
import type { Way } from './drag-ray.js';
import { NO_TURN, shortAngle, turnedBox, turnedPose } from './turns.js';

export interface DragHost {
  picture(): Picture | undefined;
  exact(): ExactClient;
  metresPerUnit(): number;
  hasLevels(): boolean;
  /** The clash criteria; undefined: those of a check without options. */
  asked(): AskedCheck | undefined;
  fail(what: string, error: unknown): void;
}

/** Milliseconds without a move before exact answers, and before a free place is searched. */
const SETTLED = 150;
/** Contacts, clearance violations, the way to a free place. */
const COLOURS = { met: 0xd6006c, near: 0xb35900, free: 0x0a7d3c } as const;
/** Maximum number of distance marks: more would hide the model. */
const MOST_LINES = 40;

export class Dragging {
  readonly #host: DragHost;
  /** The moved object; undefined: none. */
  readonly object = signal<number | undefined>(undefined);
  /** In units of the model. */
  readonly move = signal<Point>([0, 0, 0]);
  /** Degrees about X, then Y, then Z, around its centre. */
  readonly turn = signal<Point>(NO_TURN);
  /** In metres, in addition to the rules. */
  readonly clearance = signal(0.05);
  readonly way = signal<Way>('xy');
  /** While it moves: at the last answered place; undefined: the exact answer counts. */
  readonly live = signal<LiveAnswer | undefined>(undefined);
  /** At the last place with an exact answer; undefined: none yet. */
  readonly violations = signal<readonly Violation[] | undefined>(undefined);
  /** From the current place. Null: none found. Undefined: unknown. */
  readonly free = signal<FreePlace | null | undefined>(undefined);
  #stored: Float64Array = new Float64Array(12);
  /** The centre of its box at the stored place. */
  #middle: Point = [0, 0, 0];
  #wanted: number | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;
  /** Incremented to invalidate earlier answers. */
  #turn = 0;

  readonly marks = computed<readonly Mark[]>(() =>
    this.live.value
      ? this.#liveMarks(this.live.value)
      : this.#marksOf(this.violations.value ?? [], this.free.value),
  );

  constructor(host: DragHost) {
    this.#host = host;
  }

  /** Starts moving an object; another one is put back first. */
  async take(object: number): Promise<void> {
    if (object === this.#wanted) return;
    await this.putBack();
    this.#wanted = object;
    const turn = ++this.#turn;
    try {
      const stored = await this.#host
        .exact()
        .take(object, this.#inUnits(this.clearance.peek()), this.#host.asked());
      if (turn !== this.#turn) return;
      this.#stored = stored;
      const box = this.#host.picture()?.boxOf(object);
      if (box) this.#middle = middleOf(box);
      batch(() => {
        this.object.value = object;
        this.move.value = [0, 0, 0];
        this.turn.value = NO_TURN;
      });
      await this.#askExactly(++this.#turn);
    } catch (error) {
      if (turn === this.#turn) this.#wanted = undefined;
      this.#host.fail('Could not move the object', error);
    }
  }

  /** Relative to the stored place. */
  moveTo(move: Point): Promise<void> {
    return this.#place(move, this.turn.peek());
  }

  /** Relative to the stored orientation. */
  turnTo([x, y, z]: Point): Promise<void> {
    return this.#place(this.move.peek(), [shortAngle(x), shortAngle(y), shortAngle(z)]);
  }

  /** About Z. */
  turnBy(degrees: number): Promise<void> {
    const [x, y, z] = this.turn.peek();
    return this.turnTo([x, y, z + degrees]);
  }

  /** Where it is now, and where the store has it; twelve numbers. */
  get pose(): Float64Array {
    return this.#pose();
  }
  get storedPose(): Float64Array {
    return this.#stored;
  }

  /** The object's current box. */
  get box(): Box | undefined {
    const object = this.object.peek();
    const box = object === undefined ? undefined : this.#host.picture()?.boxOf(object);
    return box && turnedBox(box, this.turn.peek(), this.move.peek());
  }

  async #place(move: Point, turn: Point): Promise<void> {
    const object = this.object.peek();
    if (object === undefined || ![...move, ...turn].every(Number.isFinite)) return;
    batch(() => {
      this.move.value = move;
      this.turn.value = turn;
      this.free.value = undefined;
    });
    this.#host.picture()?.move(object, this.#pose());
    await this.#ask();
  }

  moveBy([x, y, z]: Point): Promise<void> {
    const [p, q, r] = this.move.peek();
    return this.moveTo([p + x, q + y, r + z]);
  }

  /** Moves to the free place that was found. */
  async goFree(): Promise<void> {
    const free = this.free.peek();
    if (free) await this.moveBy(free.move);
  }

  async setClearance(metres: number): Promise<void> {
    this.clearance.value = metres;
    if (this.object.peek() !== undefined) await this.#ask();
  }

  /** Says that it is not being moved any more. */
  async rest(): Promise<void> {
    if (this.live.peek()) await this.#askExactly(++this.#turn);
  }

  /** Ends the move and restores the stored place. */
  async putBack(): Promise<void> {
    const object = this.object.peek();
    this.#wanted = undefined;
    this.#turn++;
    clearTimeout(this.#timer);
    if (object === undefined) return;
    batch(() => {
      this.object.value = undefined;
      this.move.value = [0, 0, 0];
      this.turn.value = NO_TURN;
      this.live.value = undefined;
      this.violations.value = undefined;
      this.free.value = undefined;
    });
    this.#host.picture()?.move(object, null);
    this.#host.picture()?.refine(null);
    try {
      await this.#host.exact().putBack();
    } catch (error) {
      this.#host.fail('Could not put the object back', error);
    }
  }

  /** Queries what is near here and, once it rests, the clashes. */
  async #ask(): Promise<void> {
    const turn = ++this.#turn;
    clearTimeout(this.#timer);
    const [picture, { box }] = [this.#host.picture(), this];
    if (!this.#host.hasLevels() || !picture || !box) return this.#askExactly(turn);
    const clearance = this.#inUnits(this.clearance.peek());
    const around = widened(box, clearance);
    const error = picture.pixelAt(around);
    picture.refine({ box: around, error });
    try {
      const answer = await this.#host.exact().live(this.#pose(), clearance, error);
      // a newer move was queried meanwhile, or the object was put back
      if (!answer || this.object.peek() === undefined) return;
      if (turn === this.#turn || this.live.peek()) this.live.value = answer;
      if (turn === this.#turn) this.#timer = setTimeout(() => void this.rest(), SETTLED);
    } catch (error) {
      this.#host.fail('Could not check the object', error);
    }
  }

  /** Queries the clashes here and, once it rests, the nearest free place. */
  async #askExactly(turn: number): Promise<void> {
    clearTimeout(this.#timer);
    try {
      const clearance = this.#inUnits(this.clearance.peek());
      const answer = await this.#host.exact().drag(this.#pose(), clearance);
      // a newer move was queried meanwhile, or the object was put back
      if (!answer || this.object.peek() === undefined) return;
      // with levels, an answer for the newer place will soon be there
      if (turn !== this.#turn && this.#host.hasLevels()) return;
      batch(() => {
        this.live.value = undefined;
        this.violations.value = answer.violations;
      });
      if (turn !== this.#turn) return;
      if (answer.violations.length === 0) this.free.value = { move: [0, 0, 0], length: 0 };
      else this.#timer = setTimeout(() => void this.#lookForFree(turn, clearance), SETTLED);
    } catch (error) {
      this.#host.fail('Could not check the object', error);
    }
  }

  async #lookForFree(turn: number, clearance: number): Promise<void> {
    try {
      const free = await this.#host.exact().nearestFree(clearance);
      if (turn === this.#turn) this.free.value = free;
    } catch (error) {
      if (turn === this.#turn) this.#host.fail('Could not search for a free place', error);
    }
  }

  #pose(): Float64Array {
    return turnedPose(this.#stored, this.#middle, this.turn.peek(), this.move.peek());
  }

  #inUnits(metres: number): number {
    return metres / this.#host.metresPerUnit();
  }

  #liveMarks({ tooNear }: LiveAnswer): Mark[] {
    const touching = tooNear.filter(mayTouch).map(({ point }) => point);
    const marks: Mark[] = [{ kind: 'dot', points: joined(touching), colour: COLOURS.met }];
    for (const { point, pointOther, bounds } of tooNear
      .filter((one) => !mayTouch(one))
      .slice(0, MOST_LINES)) {
      const label = `≥ ${lengthText(bounds[0] * this.#host.metresPerUnit())}`;
      marks.push({ kind: 'line', points: joined([point, pointOther]), colour: COLOURS.near, label });
    }
    return marks.filter(({ points }) => points.length > 0);
  }

  #marksOf(violations: readonly Violation[], free: FreePlace | null | undefined): Mark[] {
    const curves = violations
      .filter(({ curve }) => curve.segments.length > 0)
      .map(({ curve }) => curve.segments);
    const marks: Mark[] = [{ kind: 'line', points: joined(curves), colour: COLOURS.met }];
    const inside = violations.filter(isInside).map(({ point }) => point);
    marks.push({ kind: 'dot', points: joined(inside), colour: COLOURS.met });
    const near = violations.filter(isTooNear).slice(0, MOST_LINES);
    for (const { point, pointOther, distance } of near) {
      const label = lengthText(distance * this.#host.metresPerUnit());
      marks.push({ kind: 'line', points: joined([point, pointOther]), colour: COLOURS.near, label });
    }
    if (free && free.length > 0 && violations.length > 0) {
      const { point } = violations[0];
      const end = point.map((x, k) => x + free.move[k]);
      const label = lengthText(free.length * this.#host.metresPerUnit());
      marks.push({ kind: 'arrow', points: joined([point, end]), colour: COLOURS.free, label });
    }
    return marks.filter(({ points }) => points.length > 0);
  }
}

export function mayTouch({ bounds }: LiveNear): boolean {
  return bounds[0] === 0;
}

export function isTooNear({ kind }: Violation): boolean {
  return kind === 'clearance';
}

/** Clashes without a contact curve. */
function isInside(violation: Violation): boolean {
  return violation.curve.segments.length === 0 && !isTooNear(violation);
}

function widened({ min, max }: Box, by: number): Box {
  return {
    min: [min[0] - by, min[1] - by, min[2] - by],
    max: [max[0] + by, max[1] + by, max[2] + by],
  };
}

export function middleOf({ min, max }: Box): Point {
  return [(min[0] + max[0]) / 2, (min[1] + max[1]) / 2, (min[2] + max[2]) / 2];
}

function joined(lists: readonly (readonly number[] | Float64Array)[]): Float64Array {
  const out = new Float64Array(lists.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const list of lists) {
    out.set(list, at);
    at += list.length;
  }
  return out;
}
