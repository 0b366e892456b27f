/** Patches that come near each other, in columns that grow, and keep their room when the list is cleared. */

/** Of two parts, both sides added up. */
export interface PatchErrors {
  /** No point that their triangles stand for is farther from them. */
  readonly out: number;
  /** None of their points is farther from what they stand for. */
  readonly in: number;
  /** Whatever is added has originals that are no farther apart. */
  readonly most: number;
}

export class PatchList {
  count = 0;
  /** What the two patches of each pair are parts of. */
  parts = new Uint32Array(128);
  /** A triangle of each patch: of a, of b. */
  triangles = new Uint32Array(128);
  /** Where each patch begins in the order of its tree, and how many triangles it has: of a, of b. */
  firsts = new Uint32Array(128);
  counts = new Uint32Array(128);
  /** Per pair: lower and upper bound of how near what the patches stand for comes. */
  bounds = new Float64Array(128);
  #partA = 0;
  #partB = 0;
  #errors: PatchErrors = { out: 0, in: 0, most: Infinity };

  clear(): void {
    this.count = 0;
  }

  /**
   * What follows is about these two parts. Bounds that are added are about their triangles; those kept are about what
   * the triangles stand for.
   */
  between(partA: number, partB: number, errors: PatchErrors): void {
    this.#partA = partA;
    this.#partB = partB;
    this.#errors = errors;
  }

  /** Adds the answer of the kernel that lies at `at`; the orders of triangles begin at `orderA` and `orderB`. */
  add(words: Uint32Array, floats: Float32Array, at: number, orderA: number, orderB: number): void {
    const n = this.#open(floats[at + 7], floats[at + 8]);
    this.triangles[n] = words[orderA + words[at + 5]];
    this.triangles[n + 1] = words[orderB + words[at + 6]];
    this.firsts[n] = words[at + 1];
    this.firsts[n + 1] = words[at + 2];
    this.counts[n] = words[at + 3];
    this.counts[n + 1] = words[at + 4];
  }

  /** Adds two triangles that meet, at positions of their trees' orders. */
  addMeeting(triangleA: number, triangleB: number, positionA: number, positionB: number): void {
    const n = this.#open(0, 0);
    this.triangles[n] = triangleA;
    this.triangles[n + 1] = triangleB;
    this.firsts[n] = positionA;
    this.firsts[n + 1] = positionB;
    this.counts[n] = 1;
    this.counts[n + 1] = 1;
  }

  /** Makes room and writes what does not depend on triangles; returns where these go. */
  #open(lower: number, upper: number): number {
    const at = 2 * this.count++;
    if (at === this.parts.length) {
      this.parts = grown(this.parts);
      this.triangles = grown(this.triangles);
      this.firsts = grown(this.firsts);
      this.counts = grown(this.counts);
      this.bounds = grown(this.bounds);
    }
    this.parts[at] = this.#partA;
    this.parts[at + 1] = this.#partB;
    this.bounds[at] = Math.max(0, lower - this.#errors.out);
    this.bounds[at + 1] = Math.min(upper + this.#errors.in, this.#errors.most);
    return at;
  }
}

function grown<T extends Uint32Array | Float64Array>(array: T): T {
  const larger = new (array.constructor as new (length: number) => T)(2 * array.length);
  larger.set(array);
  return larger;
}
