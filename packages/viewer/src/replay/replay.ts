/** A recording that is played: where its bodies were, what they touched, and the times of each step of a flight. */
import { batch, computed, effect, signal } from '@preact/signals';
import { composed, type Placement, type RecordedBody } from '../../../cli/src/wire/recorded-bodies.js';
import type { FlightRecordStep, RecordedRun } from '../../../cli/src/wire/recording.js';
import type { ReplayedBody } from '../app/object-styles.js';
import type { Picture } from '../picture/picture.js';
import type { Box, Mark, Point } from '../picture/types.js';
import { add, subtract } from '../picture/vectors.js';

const COLOURS = { hit: 0xd6006c, path: 0x0b7285, contact: 0xd6006c } as const;
/** Maximum number of drawn segments of the path. */
const MOST_SEGMENTS = 400;

/** The model that is shown with it. */
export interface ReplayedModel {
  readonly metresPerUnit: number;
  /** Of the objects that are the bodies; empty if bodies are no objects of the model. */
  readonly names: readonly string[];
  /** Of all objects. */
  readonly allNames?: readonly string[];
}

export class Replay {
  readonly run: RecordedRun;
  readonly frame = signal(0);
  readonly isPlaying = signal(false);
  /** Whether the camera goes along. */
  readonly isFollowed;
  /** Whether contacts are marked. */
  readonly showsContacts = signal(true);
  /** The time of drawing each frame, in milliseconds; NaN: not drawn while playing. Signalled by `drawn`. */
  readonly renderMs: Float64Array;
  readonly drawn = signal(0);
  /** How many bodies sleep in each frame. */
  readonly asleep: Float64Array;
  /** Those that are drawn from the recording, not from the model. */
  readonly bodies: readonly RecordedBody[];
  readonly #objects: readonly (number | undefined)[];
  readonly #toModel: Placement;
  readonly #path: Float64Array;
  /** The middle of a body that flies, and half of its diagonal, in its own frame. */
  readonly #middle: Point = [0, 0, 0];
  readonly #radius: number = 0;
  /** Whether a picture has shown it; another one keeps the camera. */
  #isFramed = false;

  /** Objects hit in this frame. */
  readonly hit = computed<readonly number[]>(() => {
    const hits = this.step?.hits ?? [];
    const objects = [...new Set(hits.map(({ object }) => object))].sort((p, q) => p - q);
    // the same list while they are the same
    if (String(objects) !== String(this.#hit)) this.#hit = objects;
    return this.#hit;
  });
  #hit: readonly number[] = [];

  /** How the bodies look in this frame. */
  readonly looks = computed<readonly ReplayedBody[]>(() => {
    const frame = this.frame.value;
    const isOther = this.bodies.some((body, i) => body.isAsleep(frame) !== this.#looks[i]?.isAsleep);
    if (isOther) {
      this.#looks = this.bodies.map((body, i) => ({
        object: this.#objects[i],
        colour: body.colour,
        isAsleep: body.isAsleep(frame),
      }));
    }
    return this.#looks;
  });
  #looks: readonly ReplayedBody[] = [];

  readonly marks = computed<readonly Mark[]>(() => {
    const hits = this.step?.hits.flatMap(({ point }) => [...point]);
    const points = hits ? Float64Array.from(hits) : this.#contacts(this.showsContacts.value);
    const path: Mark[] =
      this.#path.length > 0 ? [{ kind: 'line', points: this.#path, colour: COLOURS.path }] : [];
    const colour = hits ? COLOURS.hit : COLOURS.contact;
    return points.length > 0 ? [...path, { kind: 'dot', points, colour }] : path;
  });

  constructor(run: RecordedRun, { metresPerUnit, names, allNames = [] }: ReplayedModel) {
    this.run = run;
    this.renderMs = new Float64Array(this.frameCount).fill(Number.NaN);
    this.isFollowed = signal(run.flight !== undefined);
    // recordings are in metres with y up, models in their unit with z up
    const unit = 1 / metresPerUnit;
    this.#toModel = Float64Array.of(unit, 0, 0, 0, 0, -unit, 0, unit, 0, 0, 0, 0);
    const numberOf = new Map([...names.entries()].reverse().map(([object, name]) => [name, object]));
    // what does not move is shown as the model has it
    this.bodies = names.length > 0 ? run.bodies.filter(({ moves }) => moves) : run.bodies;
    const { path } = run;
    // of another model, it is nothing that is there
    const own = path?.object !== undefined && allNames[path.object] === path.name ? path.object : undefined;
    this.#objects = this.bodies.map(({ name }) => own ?? numberOf.get(name));
    this.asleep = Float64Array.from(
      run.times,
      (_, frame) => this.bodies.filter((body) => body.isAsleep(frame)).length,
    );
    if (run.flight || path) {
      const box = boxOf(this.bodies[0].surface.positions);
      this.#middle = add([0, 0, 0], add(box.min, box.max), 0.5);
      this.#radius = (unit * Math.hypot(...subtract(box.max, box.min))) / 2;
      const lengths = this.bodies[0].placeAt(0).subarray(0, 3);
      this.#radius *= Math.hypot(...lengths);
    }
    this.#path = run.flight || path ? this.#pathOfFlight() : new Float64Array(0);
  }

  get frameCount(): number {
    return this.run.times.length;
  }

  /** Of a flight, now. */
  get step(): FlightRecordStep | undefined {
    return this.run.flight?.steps[this.frame.value];
  }

  /** Places of contacts now. */
  get contactCount(): number | undefined {
    const contacts = this.run.contacts?.[this.frame.value];
    return contacts && contacts.length / 3;
  }

  go(frame: number): void {
    this.frame.value = Math.max(0, Math.min(this.frameCount - 1, Math.round(frame)));
  }

  /** Plays, from the beginning if it is at the end, or pauses. */
  toggle(): void {
    batch(() => {
      const isAtEnd = this.frame.peek() === this.frameCount - 1;
      this.isPlaying.value = !this.isPlaying.peek();
      if (this.isPlaying.peek() && isAtEnd) this.frame.value = 0;
    });
  }

  /** Shows the bodies in a picture until the returned function is called. */
  follow(picture: Picture): () => void {
    picture.setBodies(
      this.bodies.map(({ surface, shapeAt }) => ({ ...surface, deforms: shapeAt !== undefined })),
    );
    if (!this.#isFramed && (this.run.flight || this.run.path)) picture.fit(this.#surroundings());
    this.#isFramed = true;
    let [isEnded, isRunning, before] = [false, false, this.frame.peek()];
    const play = async () => {
      isRunning = true;
      while (!isEnded && this.isPlaying.peek()) await this.#playFrame(picture);
      isRunning = false;
    };
    const ends = [
      effect(() => {
        const frame = this.frame.value;
        for (const [i, body] of this.bodies.entries())
          picture.placeBody(i, this.#placeAt(body, frame), body.shapeAt?.(frame));
        const last = before;
        before = frame;
        if (!this.isFollowed.peek()) return;
        const moved = subtract(this.#middleAt(frame), this.#middleAt(last));
        const { eye, target, ...rest } = picture.view;
        picture.look({ ...rest, eye: add(eye, moved), target: add(target, moved) });
      }),
      effect(() => {
        if (this.isPlaying.value && !isRunning) void play();
      }),
    ];
    return () => {
      isEnded = true;
      for (const end of ends) end();
    };
  }

  /** Shows the next frame, no sooner than it was recorded after the last, and measures how long it takes to draw. */
  async #playFrame(picture: Picture): Promise<void> {
    const began = performance.now();
    const { times } = this.run;
    const next = Math.min(this.frame.peek() + 1, this.frameCount - 1);
    const interval = times[next] - times[this.frame.peek()];
    this.go(next);
    const ms = await picture.drawn();
    batch(() => {
      this.renderMs[this.frame.peek()] = ms;
      this.drawn.value++;
      if (next >= this.frameCount - 1) this.isPlaying.value = false;
    });
    const rest = 1000 * interval - (performance.now() - began);
    if (rest > 0) await new Promise((resolve) => setTimeout(resolve, rest));
  }

  #placeAt(body: RecordedBody, frame: number): Placement {
    return composed(this.#toModel, body.placeAt(frame));
  }

  #middleAt(frame: number): Point {
    return placed(this.#placeAt(this.bodies[0], frame), this.#middle);
  }

  #contacts(isShown: boolean): Float64Array {
    const contacts = (isShown && this.run.contacts?.[this.frame.value]) || [];
    const points = new Float64Array(contacts.length);
    for (let i = 0; i < points.length; i += 3)
      points.set(placed(this.#toModel, [contacts[i], contacts[i + 1], contacts[i + 2]]), i);
    return points;
  }

  #pathOfFlight(): Float64Array {
    const count = this.frameCount;
    const each = Math.max(1, Math.ceil(count / MOST_SEGMENTS));
    const stations = Array.from({ length: count }, (_, i) => i).filter(
      (i) => i % each === 0 || i === count - 1,
    );
    return Float64Array.from(
      stations.slice(1).flatMap((frame, i) => [...this.#middleAt(stations[i]), ...this.#middleAt(frame)]),
    );
  }

  /** What the picture shows at first: of a flight the body, of a path all of it, with some room around it. */
  #surroundings(): Box {
    const middle = this.#middleAt(this.frame.peek());
    const reach = 2 * this.#radius;
    const { min, max } = this.run.flight ? { min: middle, max: middle } : boxOf([...middle, ...this.#path]);
    return { min: add(min, [-reach, -reach, -reach]), max: add(max, [reach, reach, reach]) };
  }
}

function placed(m: Placement, [x, y, z]: Point): Point {
  const at = (k: number) => m[3 * k] * x + m[3 * k + 1] * y + m[3 * k + 2] * z + m[9 + k];
  return [at(0), at(1), at(2)];
}

function boxOf(positions: ArrayLike<number>): Box {
  const [min, max] = [
    [Infinity, Infinity, Infinity],
    [-Infinity, -Infinity, -Infinity],
  ];
  for (let i = 0; i < positions.length; i++) {
    min[i % 3] = Math.min(min[i % 3], positions[i]);
    max[i % 3] = Math.max(max[i % 3], positions[i]);
  }
  if (positions.length === 0) return { min: [0, 0, 0], max: [0, 0, 0] };
  return { min: min as unknown as Point, max: max as unknown as Point };
}
