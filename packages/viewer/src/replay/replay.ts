/** A recorded flight that is played: where its body was, what it hit, and the times of each step. */
import { batch, computed, effect, signal } from '@preact/signals';
import type { FlightRecord } from '../../../cli/src/wire/flight-record.js';
import type { Picture } from '../picture/picture.js';
import type { Box, Mark, Point } from '../picture/types.js';
import { add, subtract } from '../picture/vectors.js';

const COLOURS = { hit: 0xd6006c, path: 0x0b7285 } as const;
/** Maximum number of drawn segments of the path. */
const MOST_SEGMENTS = 400;

export class Replay {
  readonly record: FlightRecord;
  readonly step = signal(0);
  readonly isPlaying = signal(false);
  /** Whether the camera goes along. */
  readonly isFollowed = signal(true);
  /** The time of drawing each step, in milliseconds; NaN: not drawn while playing. Signalled by `drawn`. */
  readonly renderMs: Float64Array;
  readonly drawn = signal(0);
  readonly #path: Float64Array;
  /** The middle of the body, and half of its diagonal, in its own frame. */
  readonly #middle: Point;
  readonly #radius: number;
  /** Whether a picture has shown it; another one keeps the camera. */
  #isFramed = false;

  /** Objects hit in this step. */
  readonly hit = computed<readonly number[]>(() => {
    const objects = [...new Set(this.now.hits.map(({ object }) => object))].sort((p, q) => p - q);
    // the same list while they are the same
    if (String(objects) !== String(this.#hit)) this.#hit = objects;
    return this.#hit;
  });
  #hit: readonly number[] = [];

  readonly marks = computed<readonly Mark[]>(() => {
    const points = Float64Array.from(this.now.hits.flatMap(({ point }) => [...point]));
    const path: Mark = { kind: 'line', points: this.#path, colour: COLOURS.path };
    return points.length > 0 ? [path, { kind: 'dot', points, colour: COLOURS.hit }] : [path];
  });

  constructor(record: FlightRecord) {
    this.record = record;
    this.renderMs = new Float64Array(record.steps.length).fill(Number.NaN);
    const box = boxOf(record.body.positions);
    this.#middle = add([0, 0, 0], add(box.min, box.max), 0.5);
    this.#radius = Math.hypot(...subtract(box.max, box.min)) / 2;
    const each = Math.max(1, Math.ceil(record.steps.length / MOST_SEGMENTS));
    const stations = record.steps
      .map((_, i) => i)
      .filter((i) => i % each === 0 || i === record.steps.length - 1);
    this.#path = Float64Array.from(
      stations.slice(1).flatMap((step, i) => [...this.#middleAt(stations[i]), ...this.#middleAt(step)]),
    );
  }

  get now(): FlightRecord['steps'][number] {
    return this.record.steps[this.step.value];
  }

  go(step: number): void {
    this.step.value = Math.max(0, Math.min(this.record.steps.length - 1, Math.round(step)));
  }

  /** Plays, from the beginning if it is at the end, or pauses. */
  toggle(): void {
    batch(() => {
      const isAtEnd = this.step.peek() === this.record.steps.length - 1;
      this.isPlaying.value = !this.isPlaying.peek();
      if (this.isPlaying.peek() && isAtEnd) this.step.value = 0;
    });
  }

  /** Shows the body in a picture until the returned function is called. */
  follow(picture: Picture): () => void {
    const { positions, indices } = this.record.body;
    picture.setBody({ positions: Float32Array.from(positions), indices: Uint32Array.from(indices) });
    if (!this.#isFramed) picture.fit(this.#surroundings());
    this.#isFramed = true;
    let [isEnded, isRunning, before] = [false, false, this.step.peek()];
    const run = async () => {
      isRunning = true;
      while (!isEnded && this.isPlaying.peek()) await this.#playStep(picture);
      isRunning = false;
    };
    const ends = [
      effect(() => {
        picture.moveBody(Float64Array.from(this.now.pose));
        const moved = subtract(this.#middleAt(this.step.value), this.#middleAt(before));
        before = this.step.value;
        if (!this.isFollowed.peek()) return;
        const { eye, target, ...rest } = picture.view;
        picture.look({ ...rest, eye: add(eye, moved), target: add(target, moved) });
      }),
      effect(() => {
        if (this.isPlaying.value && !isRunning) void run();
      }),
    ];
    return () => {
      isEnded = true;
      for (const end of ends) end();
    };
  }

  /** Shows the next step, no sooner than it was recorded after the last, and measures how long it takes to draw. */
  async #playStep(picture: Picture): Promise<void> {
    const began = performance.now();
    const next = this.step.peek() + 1;
    this.go(next);
    const ms = await picture.drawn();
    batch(() => {
      this.renderMs[this.step.peek()] = ms;
      this.drawn.value++;
      if (next >= this.record.steps.length - 1) this.isPlaying.value = false;
    });
    const rest = 1000 * this.record.interval - (performance.now() - began);
    if (rest > 0) await new Promise((resolve) => setTimeout(resolve, rest));
  }

  #middleAt(step: number): Point {
    const { pose } = this.record.steps[step];
    const [x, y, z] = this.#middle;
    const at = (k: number) => pose[3 * k] * x + pose[3 * k + 1] * y + pose[3 * k + 2] * z + pose[9 + k];
    return [at(0), at(1), at(2)];
  }

  /** What the picture shows at first: the body with some room around it. */
  #surroundings(): Box {
    const middle = this.#middleAt(this.step.peek());
    const reach = 2 * this.#radius;
    return { min: add(middle, [-reach, -reach, -reach]), max: add(middle, [reach, reach, reach]) };
  }
}

function boxOf(positions: readonly number[]): Box {
  const [min, max] = [
    [Infinity, Infinity, Infinity],
    [-Infinity, -Infinity, -Infinity],
  ];
  positions.forEach((x, i) => {
    min[i % 3] = Math.min(min[i % 3], x);
    max[i % 3] = Math.max(max[i % 3], x);
  });
  if (positions.length === 0) return { min: [0, 0, 0], max: [0, 0, 0] };
  return { min: min as unknown as Point, max: max as unknown as Point };
}
