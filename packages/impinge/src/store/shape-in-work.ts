/** A shape on its way into a store: what its pieces tell while they are written. */
import type { Mesh } from '../mesh/mesh.js';
import { f64Column } from './column.js';
import type { DividedShape } from './divided-shape.js';
import { writePlacedBox } from './placed-box.js';
import { ShapeSums } from './shape-sums.js';
import type { SourceObject, SourceShape } from './source.js';

export interface PlacedObject {
  readonly object: SourceObject;
  readonly pose: Float64Array | undefined;
}

export class ShapeInWork {
  readonly source: SourceShape;
  readonly divided: DividedShape;
  /** Each with the boxes of its pieces, one after the other; most have one. */
  readonly objects: readonly (PlacedObject & { readonly boxes: ReturnType<typeof f64Column> })[];
  /** Of the pages. */
  readonly sums = new ShapeSums();
  pieces = 0;
  origin: ArrayLike<number> = [0, 0, 0];
  readonly #box = new Float64Array(6);

  constructor(source: SourceShape, divided: DividedShape, objects: readonly PlacedObject[]) {
    this.source = source;
    this.divided = divided;
    this.objects = objects.map((one) => ({ ...one, boxes: f64Column(6) }));
  }

  add(piece: Mesh): void {
    this.pieces++;
    this.origin = piece.origin;
    for (const { pose, boxes } of this.objects) {
      writePlacedBox(piece, pose, this.#box, 0);
      boxes.append(this.#box);
    }
  }
}
