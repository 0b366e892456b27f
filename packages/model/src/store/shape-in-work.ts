/** A shape being written to a store: data collected from its pieces. */
import { f64Column } from 'impinge/internal/base/column.js';
import type { Mesh } from 'impinge/internal/mesh/mesh.js';
import type { DividedShape } from './divided-shape.js';
import type { MadePage } from './page-task.js';
import { writePlacedBox } from './placed-box.js';
import type { PlacedObjects } from './placed-objects.js';
import type { SourceShape } from './source.js';

export class ShapeInWork {
  readonly source: SourceShape;
  readonly divided: DividedShape;
  readonly objects: PlacedObjects;
  pieces = 0;
  /** Of the pages that are made. */
  triangles = 0;
  #parity = 0n;
  origin: ArrayLike<number> = [0, 0, 0];
  /** The boxes of all objects, piece by piece: an array per object would take more than its contents. */
  readonly #boxes = f64Column(6);
  readonly #box = new Float64Array(6);

  constructor(source: SourceShape, divided: DividedShape, objects: PlacedObjects) {
    this.source = source;
    this.divided = divided;
    this.objects = objects;
  }

  /** Pieces of one shape must have the same origin. */
  addPage({ triangles, parity }: MadePage): void {
    this.triangles += triangles;
    this.#parity ^= parity;
  }

  /** Whether the pages close it, once all of them are made. */
  get isClosed(): boolean {
    return this.#parity === 0n;
  }

  add(piece: Mesh): void {
    this.pieces++;
    this.origin = piece.origin;
    for (const pose of this.objects.poses()) {
      writePlacedBox(piece, pose, this.#box, 0);
      this.#boxes.append(this.#box);
    }
  }

  /** The boxes of all pieces of an object, by its place among `objects`, one after the other. */
  boxesOf(index: number): Float64Array {
    if (this.pieces === 1) return this.#boxes.slice(6 * index, 6 * index + 6);
    const boxes = new Float64Array(6 * this.pieces);
    for (let piece = 0; piece < this.pieces; piece++) {
      const at = 6 * (piece * this.objects.count + index);
      boxes.set(this.#boxes.slice(at, at + 6), 6 * piece);
    }
    return boxes;
  }
}
