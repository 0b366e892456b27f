/** The places in view on the GPU, all and the most visible ones, as ranges of every slab. */
import { keyOf, rangesOf } from './draw-ranges.js';
import type { Place } from './places.js';
import type { DrawRanges } from './protocol.js';

/** Classes of visibility per doubling. */
const STEPS = 2;
const CLASSES = 512;

export interface DrawnRanges {
  readonly slabs: DrawRanges[];
  readonly triangles: number;
}

export class DrawnPlaces {
  readonly #places: Place[] = [];
  readonly #objects: number[] = [];
  #indices = 0;

  add(object: number, place: Place): void {
    this.#places.push(place);
    this.#objects.push(object);
    this.#indices += place.indices;
  }

  all(slabCount: number): DrawnRanges {
    return this.#ranges(slabCount, () => true);
  }

  /**
   * The objects with the most covered pixels per triangle, up to `triangles` in total (and all of the best class); null
   * if that is all of them.
   */
  few(slabCount: number, triangles: number, sizeOf: (object: number) => number): DrawnRanges | null {
    if (this.#indices <= 3 * triangles) return null;
    const ofObject = new Map<number, number>();
    this.#places.forEach(({ indices }, i) => {
      const object = this.#objects[i];
      ofObject.set(object, (ofObject.get(object) ?? 0) + indices);
    });
    const worth = new Map<number, number>();
    const indices = new Float64Array(CLASSES);
    for (const [object, count] of ofObject) {
      const step = Math.floor(STEPS * Math.log2(sizeOf(object) ** 2 / count)) + CLASSES / 2;
      const ofThis = Math.min(CLASSES - 1, Math.max(0, step));
      worth.set(object, ofThis);
      indices[ofThis] += count;
    }
    let least = CLASSES - 1;
    let sum = 0;
    for (; least >= 0; least--) {
      sum += indices[least];
      if (sum > 3 * triangles && sum > indices[least]) break;
    }
    return this.#ranges(slabCount, (i) => worth.get(this.#objects[i])! > least);
  }

  #ranges(slabCount: number, isDrawn: (i: number) => boolean): DrawnRanges {
    const keys: number[][] = Array.from({ length: slabCount }, () => []);
    this.#places.forEach((place, i) => {
      if (isDrawn(i)) keys[place.slab].push(keyOf(place));
    });
    let indices = 0;
    const slabs = keys.map((ofSlab) => {
      const { starts, counts, indices: sum } = rangesOf(ofSlab);
      indices += sum;
      return { starts, counts };
    });
    return { slabs, triangles: indices / 3 };
  }
}
