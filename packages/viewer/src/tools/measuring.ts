/** The state of a measurement: picks and exact results. Lengths come from the model, not from the picture. */
import { computed, signal } from '@preact/signals';
import { lengthText, pointText } from '../../../ui/src/text.js';
import type { Viewer } from '../app/viewer.js';
import { angleBetween } from '../exact/angle.js';
import type { Nearest } from '../exact/types.js';
import type { Mark, Pick, Point } from '../picture/types.js';
import { dot, subtract } from '../picture/vectors.js';
import { curveMark, dotMark, gapMark } from '../review/clash-marks.js';

export const MEASURES = {
  distance: 'Distance',
  clearance: 'Clearance',
  angle: 'Angle',
  point: 'Point',
} as const;
export type MeasureKind = keyof typeof MEASURES;

export const HINTS: Readonly<Record<MeasureKind, readonly string[]>> = {
  distance: ['Pick the first object.', 'Pick the second object.'],
  clearance: ['Pick an object.'],
  angle: ['Pick the first face.', 'Pick the second face.'],
  point: ['Pick a point.'],
};

export interface Measured {
  readonly text: string;
  readonly detail: string;
  /** All objects near an object, the nearest first. */
  readonly near: readonly Nearest[];
  readonly marks: readonly Mark[];
}

type Face = { readonly point: Point; readonly normal: Point };

/** Faces with a smaller angle are parallel, in degrees. */
const PARALLEL = 0.01;

export class Measuring {
  readonly #viewer: Viewer;
  readonly kind = signal<MeasureKind>('distance');
  /** Search distance around an object, in metres. */
  readonly clearance = signal(0.1);
  readonly picks = signal<readonly Pick[]>([]);
  readonly result = signal<Measured | undefined>(undefined);
  readonly busy = signal(false);
  #asked = 0;

  readonly marks = computed<readonly Mark[]>(
    () => this.result.value?.marks ?? this.picks.value.map(({ point }) => dotMark(point)),
  );

  constructor(viewer: Viewer) {
    this.#viewer = viewer;
  }

  clear(): void {
    this.#asked++;
    this.picks.value = [];
    this.result.value = undefined;
    this.busy.value = false;
  }

  begin(kind: MeasureKind): void {
    this.clear();
    this.kind.value = kind;
  }

  /** Handles a pick in the picture. */
  async pick(pick: Pick): Promise<void> {
    if (this.result.peek() || this.busy.peek()) this.clear();
    const picks = [...this.picks.peek(), pick];
    this.picks.value = picks;
    if (picks.length < HINTS[this.kind.peek()].length) return;
    const asked = ++this.#asked;
    this.busy.value = true;
    try {
      const result = await this.#measure(picks);
      if (asked === this.#asked) this.result.value = result;
    } catch (error) {
      this.#viewer.fail('Could not measure', error);
    } finally {
      if (asked === this.#asked) this.busy.value = false;
    }
  }

  /** Repeats the measurement with another clearance. */
  async again(clearance: number): Promise<void> {
    this.clearance.value = clearance;
    const [pick] = this.picks.peek();
    if (!pick) return;
    this.clear();
    await this.pick(pick);
  }

  async #measure(picks: readonly Pick[]): Promise<Measured> {
    switch (this.kind.peek()) {
      case 'distance':
        return this.#distance(picks[0].object, picks[1].object);
      case 'clearance':
        return this.#around(picks[0].object);
      case 'angle':
        return this.#angle(picks[0], picks[1]);
      case 'point':
        return this.#point(picks[0]);
    }
  }

  async #angle(p: Pick, q: Pick): Promise<Measured> {
    const faces = await Promise.all(
      [p, q].map(({ object, point }) => this.#viewer.exact.surface(object, point)),
    );
    return angle(faces[0], faces[1], this.#viewer.metresPerUnit.peek());
  }

  /** On the exact surface: the pick is on the drawn surface, which may be simplified. */
  async #point({ object, point }: Pick): Promise<Measured> {
    const there = (await this.#viewer.exact.surface(object, point)).point;
    const text = pointText(there.map((x) => x * this.#viewer.metresPerUnit.peek()));
    return { text, detail: 'x, y, z in metres', near: [], marks: [dotMark(there, text)] };
  }

  async #distance(a: number, b: number): Promise<Measured> {
    if (a === b)
      return { text: 'the same object', detail: 'Pick two different objects.', near: [], marks: [] };
    const { distance, pointA, pointB } = await this.#viewer.exact.distance(a, b);
    if (distance === 0) {
      const { segments } = await this.#viewer.exact.contactCurve(a, b);
      return { text: 'touching', detail: 'The distance is 0.', near: [], marks: [curveMark(segments)] };
    }
    const unit = this.#viewer.metresPerUnit.peek();
    const text = lengthText(distance * unit);
    const delta = [0, 1, 2].map((axis) => lengthText(Math.abs(pointB[axis] - pointA[axis]) * unit));
    const detail = `along x, y, z: ${delta.join(', ')}`;
    return {
      text,
      detail,
      near: [],
      marks: [gapMark(pointA, pointB, text), dotMark(pointA), dotMark(pointB)],
    };
  }

  async #around(object: number): Promise<Measured> {
    const unit = this.#viewer.metresPerUnit.peek();
    const near = await this.#viewer.exact.around(object, this.clearance.peek() / unit);
    const within = lengthText(this.clearance.peek());
    const text = near.length === 0 ? `nothing within ${within}` : `${near.length} within ${within}`;
    const marks = near
      .slice(0, 50)
      .filter(({ distance }) => distance > 0)
      .map(({ pointA, pointB, distance }) => gapMark(pointA, pointB, lengthText(distance * unit)));
    return { text, detail: near.length > 0 ? 'The nearest first.' : '', near, marks };
  }
}

/** The angle between the planes of two faces, or the distance of parallel ones. */
export function angle(p: Face, q: Face, metresPerUnit: number): Measured {
  const degrees = angleBetween(p.normal, q.normal);
  const marks = [dotMark(p.point), dotMark(q.point)];
  if (degrees >= PARALLEL) {
    const other = (180 - degrees).toFixed(2);
    return {
      text: `${degrees.toFixed(2)}°`,
      detail: `or ${other}°, seen from the other side`,
      near: [],
      marks,
    };
  }
  const apart = Math.abs(dot(p.normal, subtract(q.point, p.point)));
  return { text: 'parallel', detail: `planes ${lengthText(apart * metresPerUnit)} apart`, near: [], marks };
}
