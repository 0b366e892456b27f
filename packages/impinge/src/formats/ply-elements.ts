/** The elements of a PLY file that make its mesh: vertices, faces and strips. */
import type { PlyElement, PlyHeader, PlyProperty } from './ply-header.js';

/** Which properties are x, y and z. */
export function axesOf(properties: readonly PlyProperty[]): number[] {
  return ['x', 'y', 'z'].map((axis) =>
    properties.findIndex(({ name, countType }) => name === axis && countType === undefined),
  );
}

/** The vertices, and whether their coordinates hold more than float32; `failure` makes the error. */
export function verticesOf(
  { elements }: Pick<PlyHeader, 'elements'>,
  failure: (why: string) => Error,
): { readonly vertex: PlyElement; readonly isWide: boolean } {
  const vertex = elements.find(({ name }) => name === 'vertex');
  if (vertex === undefined) throw failure('there is no element "vertex"');
  const axes = axesOf(vertex.properties);
  const missing = axes.indexOf(-1);
  if (missing >= 0) throw failure(`element "vertex" has no property "${'xyz'[missing]}"`);
  return { vertex, isWide: axes.some((axis) => ['f8', 'i4', 'u4'].includes(vertex.properties[axis].type)) };
}

/** Which list of an element holds vertex indices. */
export function indexListOf(element: PlyElement): number {
  if (element.name !== 'face' && element.name !== 'tristrips') return -1;
  return element.properties.findIndex(
    ({ name, countType }) => countType !== undefined && /^vertex_ind(ices|ex)$/.test(name),
  );
}

/** Where triangles go. */
export interface TriangleSink {
  isVertex(index: number): boolean;
  triangle(a: number, b: number, c: number): void;
}

/** Turns a row's index list into triangles: a fan for a face, alternating turns (−1 restarts) for a strip. */
export class ListSink {
  readonly #to: TriangleSink;
  readonly #strip: boolean;
  #count = 0;
  #first = 0;
  #previous = 0;

  constructor(to: TriangleSink, strip: boolean) {
    this.#to = to;
    this.#strip = strip;
  }

  begin(): void {
    this.#count = 0;
  }

  /** False when the index refers to no vertex. */
  add(index: number): boolean {
    const strip = this.#strip;
    if (strip && index === -1) {
      this.#count = 0;
      return true;
    }
    if (!this.#to.isVertex(index)) return false;
    const count = this.#count++;
    if (count >= 2) {
      // every other triangle of a strip is turned, to keep the winding
      if (strip && count % 2 === 1) this.#to.triangle(this.#previous, this.#first, index);
      else this.#to.triangle(this.#first, this.#previous, index);
    }
    if (count === 0) this.#first = index;
    else if (strip && count >= 2) this.#first = this.#previous;
    if (count > 0) this.#previous = index;
    return true;
  }
}
