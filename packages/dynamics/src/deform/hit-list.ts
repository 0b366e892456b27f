/**
 * Element pairs found in contact, in the numbers of the table, and the order in which they are reported.
 *
 * Layout: entry i: four vertices (vertex and face corners, or both edges' ends), the face (or NO_FACE), and
 * time, two weights, normal.
 */
export const VALUES = 6;

export class HitList {
  readonly quads: number[] = [];
  readonly faces: number[] = [];
  readonly values: number[] = [];

  get count(): number {
    return this.faces.length;
  }

  /** Adds a pair whose values are at the head of `values`. */
  push(v0: number, v1: number, v2: number, v3: number, face: number, values: Float64Array): void {
    this.quads.push(v0, v1, v2, v3);
    this.faces.push(face);
    for (let k = 0; k < VALUES; k++) this.values.push(values[k]);
  }

  /** Entries by first vertex, then by face; without faces by the other vertices. */
  sorted(): Uint32Array {
    const { quads, faces } = this;
    return Uint32Array.from(faces.keys()).sort((i, j) => {
      let difference = quads[4 * i] - quads[4 * j] || faces[i] - faces[j];
      for (let k = 1; k < 4 && difference === 0; k++) difference = quads[4 * i + k] - quads[4 * j + k];
      return difference;
    });
  }
}
