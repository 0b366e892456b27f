/**
 * Allocates pieces in pairs of buffers of a fixed size ("slabs"), so that nothing is ever copied to make room.
 *
 * First fit from the front: pieces loaded together lie together, and are drawn as one range.
 */

/**
 * Sizes of a slab: 12.6 MB on the GPU. A closed surface has half as many vertices as triangles, and borders add some.
 */
export const SLAB_VERTICES = 3 * 2 ** 17;
export const SLAB_INDICES = 3 * 2 ** 19;
/** A position and an object number; an index. */
export const VERTEX_BYTES = 16;
export const INDEX_BYTES = 4;
export const SLAB_BYTES = VERTEX_BYTES * SLAB_VERTICES + INDEX_BYTES * SLAB_INDICES;

/** The place of a piece of an object. */
export interface Place {
  readonly slab: number;
  readonly vertexAt: number;
  readonly vertices: number;
  readonly indexAt: number;
  readonly indices: number;
}

export function bytesOf({ vertices, indices }: Pick<Place, 'vertices' | 'indices'>): number {
  return VERTEX_BYTES * vertices + INDEX_BYTES * indices;
}

/** Free gaps in a row of cells, sorted and merged. */
export class Gaps {
  readonly #starts: number[] = [0];
  readonly #sizes: number[];

  constructor(size: number) {
    this.#sizes = [size];
  }

  /** The first gap that is large enough; −1: none. */
  find(size: number): number {
    for (let i = 0; i < this.#sizes.length; i++) if (this.#sizes[i] >= size) return this.#starts[i];
    return -1;
  }

  /** Takes cells found by `find`. */
  take(start: number, size: number): void {
    const i = this.#indexOf(start);
    if (this.#sizes[i] === size) {
      this.#starts.splice(i, 1);
      this.#sizes.splice(i, 1);
    } else {
      this.#starts[i] += size;
      this.#sizes[i] -= size;
    }
  }

  give(start: number, size: number): void {
    const i = this.#indexOf(start);
    const joinsBefore = i > 0 && this.#starts[i - 1] + this.#sizes[i - 1] === start;
    const joinsAfter = i < this.#starts.length && this.#starts[i] === start + size;
    if (joinsBefore && joinsAfter) {
      this.#sizes[i - 1] += size + this.#sizes[i];
      this.#starts.splice(i, 1);
      this.#sizes.splice(i, 1);
    } else if (joinsBefore) this.#sizes[i - 1] += size;
    else if (joinsAfter) {
      this.#starts[i] = start;
      this.#sizes[i] += size;
    } else {
      this.#starts.splice(i, 0, start);
      this.#sizes.splice(i, 0, size);
    }
  }

  /** The first gap that does not start before `start`. */
  #indexOf(start: number): number {
    let [low, high] = [0, this.#starts.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.#starts[middle] < start) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

export class Places {
  readonly #slabs: { vertices: Gaps; indices: Gaps }[] = [];

  get slabCount(): number {
    return this.#slabs.length;
  }

  /** Bytes in use. */
  usedBytes = 0;

  /** A place in the existing slabs; undefined: none. */
  find(vertices: number, indices: number): Place | undefined {
    for (let slab = 0; slab < this.#slabs.length; slab++) {
      const { vertices: rows, indices: corners } = this.#slabs[slab];
      const vertexAt = rows.find(vertices);
      const indexAt = vertexAt < 0 ? -1 : corners.find(indices);
      if (indexAt < 0) continue;
      rows.take(vertexAt, vertices);
      corners.take(indexAt, indices);
      this.usedBytes += bytesOf({ vertices, indices });
      return { slab, vertexAt, vertices, indexAt, indices };
    }
    return undefined;
  }

  addSlab(): void {
    this.#slabs.push({ vertices: new Gaps(SLAB_VERTICES), indices: new Gaps(SLAB_INDICES) });
  }

  free(place: Place): void {
    this.#slabs[place.slab].vertices.give(place.vertexAt, place.vertices);
    this.#slabs[place.slab].indices.give(place.indexAt, place.indices);
    this.usedBytes -= bytesOf(place);
  }
}
