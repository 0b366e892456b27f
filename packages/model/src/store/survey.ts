/** The first pass over a shape that does not fit into memory: where it is, and a sample of its triangles. */
import { arena } from 'impinge/internal/base/arena.js';
import { ImpingeError } from 'impinge/internal/base/errors.js';
import { widenBox } from 'impinge/internal/mesh/reach.js';
import { type CornerPart, cornerParts } from './corner-parts.js';
import { piecesKernels } from './kernels.generated.js';
import { emptyBox } from './placed-box.js';
import type { ShapeStream } from './source.js';

const MOST_SAMPLES = 1 << 17;

/** The result of the first pass. */
export interface Survey {
  /** Minimum, maximum. */
  readonly box: Float64Array;
  /** Whether all coordinates are float32. */
  readonly single: boolean;
  readonly count: number;
  /** Centres (times three): x, y, z. */
  readonly sample: Float32Array;
}

/** Reads all triangles once. The result does not depend on the stream's expected number of triangles. */
export async function survey(stream: ShapeStream, label: string): Promise<Survey> {
  const sample = new Sample();
  const bounds = new Bounds();
  let count = 0;
  let single = true;
  try {
    for await (const part of cornerParts(stream, label)) {
      const { corners } = part;
      if (!(corners instanceof Float32Array)) single = false;
      if (!bounds.widen(part)) throw notFinite(corners, count, label);
      sample.add(corners, count);
      count += corners.length / 9;
    }
    if (count === 0)
      throw new ImpingeError('empty-mesh', `object "${label}" has no triangles`, { object: label });
    return { box: bounds.box(), single, count, sample: sample.centres };
  } finally {
    bounds.dispose();
  }
}

/** The box of everything: kernels widen one for float32. */
class Bounds {
  readonly #wide = emptyBox();
  readonly #narrow = arena().alloc(24);

  constructor() {
    arena()
      .f32()
      .set(emptyBox(), this.#narrow >>> 2);
  }

  /** False where a coordinate is not finite. */
  widen({ corners, at }: CornerPart): boolean {
    if (at === undefined) return widenBox(this.#wide, corners);
    return piecesKernels.kernels().widenBox(at, corners.length / 9, this.#narrow) !== 0;
  }

  box(): Float64Array {
    const narrow = arena()
      .f32()
      .subarray(this.#narrow >>> 2);
    return this.#wide.map((x, k) => (k < 3 ? Math.min(x, narrow[k]) : Math.max(x, narrow[k])));
  }

  dispose(): void {
    arena().free(this.#narrow);
  }
}

/** Every n-th triangle: every one at first, and half of them whenever there are too many. */
class Sample {
  #centres = new Float32Array(3 << 6);
  #count = 0;
  #step = 1;

  /** Takes in a batch; `before` triangles came before it. */
  add(batch: Float32Array | Float64Array, before: number): void {
    for (let t = this.#next(before) - before; 9 * t < batch.length; t = this.#next(before + t) - before) {
      if (this.#count === MOST_SAMPLES) {
        this.#halve();
        continue;
      }
      const to = 3 * this.#count++;
      if (to === this.#centres.length) this.#grow();
      for (let k = 0; k < 3; k++) {
        const at = 9 * t + k;
        this.#centres[to + k] = batch[at] + batch[at + 3] + batch[at + 6];
      }
      t++;
    }
  }
  /** The first triangle from number `from` on that belongs to the sample. */
  #next(from: number): number {
    return this.#step * Math.ceil(from / this.#step);
  }
  #grow(): void {
    const larger = new Float32Array(2 * this.#centres.length);
    larger.set(this.#centres);
    this.#centres = larger;
  }
  #halve(): void {
    this.#step *= 2;
    this.#count /= 2;
    for (let i = 1; i < this.#count; i++) this.#centres.copyWithin(3 * i, 6 * i, 6 * i + 3);
  }
  get centres(): Float32Array {
    return this.#centres.slice(0, 3 * this.#count);
  }
}

/** About the first coordinate of `batch` that is not; `before` triangles came before it. */
function notFinite(batch: Float32Array | Float64Array, before: number, label: string): ImpingeError {
  const i = batch.findIndex((x) => !Number.isFinite(x));
  const triangle = before + Math.floor(i / 9);
  const message = `object "${label}": triangle ${triangle} has ${'xyz'[i % 3]} = ${batch[i]}`;
  return new ImpingeError('non-finite', message, { object: label, triangle });
}
