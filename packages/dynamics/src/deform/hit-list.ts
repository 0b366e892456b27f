/**
 * Element pairs found in contact, in the numbers of the world, and the order in which they are reported.
 *
 * Layout: entry i: four vertices (vertex and face corners, or both edges' ends), the face (or NO_FACE), and
 * time, two weights, normal.
 * Sorting: a counting sort by the first vertex leaves short runs, which are sorted by insertion; few hits among many
 * vertices are compared directly.
 */
export const VALUES = 6;

const FIRST_CAPACITY = 256;
const SHORT_RUN = 24;

export class HitList {
  count = 0;
  quads = new Uint32Array(4 * FIRST_CAPACITY);
  faces = new Uint32Array(FIRST_CAPACITY);
  values = new Float64Array(VALUES * FIRST_CAPACITY);
  #order = new Uint32Array(FIRST_CAPACITY);
  #runs = new Uint32Array(0);
  readonly #compare = (i: number, j: number): number => this.#difference(i, j);

  clear(): void {
    this.count = 0;
  }

  /** Makes room for `more` entries behind those there are. */
  reserve(more: number): void {
    const capacity = this.faces.length;
    if (this.count + more <= capacity) return;
    const wanted = Math.max(this.count + more, 2 * capacity);
    const grown = { quads: this.quads, faces: this.faces, values: this.values };
    this.quads = new Uint32Array(4 * wanted);
    this.faces = new Uint32Array(wanted);
    this.values = new Float64Array(VALUES * wanted);
    this.#order = new Uint32Array(wanted);
    this.quads.set(grown.quads);
    this.faces.set(grown.faces);
    this.values.set(grown.values);
  }

  /** Adds a pair whose values are at the head of `values`. */
  push(v0: number, v1: number, v2: number, v3: number, face: number, values: Float64Array): void {
    this.reserve(1);
    const i = this.count++;
    this.quads[4 * i] = v0;
    this.quads[4 * i + 1] = v1;
    this.quads[4 * i + 2] = v2;
    this.quads[4 * i + 3] = v3;
    this.faces[i] = face;
    for (let k = 0; k < VALUES; k++) this.values[VALUES * i + k] = values[k];
  }

  /** Entries by first vertex, then by face; without faces by the other vertices. Valid until the list changes. */
  sorted(vertexCount: number): Uint32Array {
    const order = this.#order.subarray(0, this.count);
    if (16 * this.count < vertexCount) {
      for (let i = 0; i < order.length; i++) order[i] = i;
      return order.sort(this.#compare);
    }
    const runs = this.#countFirst(vertexCount);
    for (let i = 0; i < order.length; i++) order[runs[this.quads[4 * i]]++] = i;
    // every entry of `runs` now stands at the end of its run
    for (let v = 0, begin = 0; v < vertexCount; v++) {
      const end = runs[v];
      if (end - begin > SHORT_RUN) order.subarray(begin, end).sort(this.#compare);
      else if (end - begin > 1) this.#insertionSort(order, begin, end);
      begin = end;
    }
    return order;
  }

  #countFirst(vertexCount: number): Uint32Array {
    if (this.#runs.length < vertexCount + 1) this.#runs = new Uint32Array(vertexCount + 1);
    const runs = this.#runs.fill(0, 0, vertexCount + 1);
    for (let i = 0; i < this.count; i++) runs[this.quads[4 * i] + 1]++;
    for (let v = 0; v < vertexCount; v++) runs[v + 1] += runs[v];
    return runs;
  }

  #insertionSort(order: Uint32Array, begin: number, end: number): void {
    for (let k = begin + 1; k < end; k++) {
      const entry = order[k];
      let at = k;
      while (at > begin && this.#difference(order[at - 1], entry) > 0) {
        order[at] = order[at - 1];
        at--;
      }
      order[at] = entry;
    }
  }

  #difference(i: number, j: number): number {
    const { quads, faces } = this;
    const first = quads[4 * i] - quads[4 * j];
    if (first !== 0) return first;
    const face = faces[i] - faces[j];
    if (face !== 0) return face;
    for (let k = 1; k < 4; k++) {
      const other = quads[4 * i + k] - quads[4 * j + k];
      if (other !== 0) return other;
    }
    return 0;
  }
}
