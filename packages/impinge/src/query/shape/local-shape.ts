/** Shapes in the numbers of a mesh, ready for the kernel. */

/** A sphere (both ends of its axis are one point) or a capsule. */
export interface RoundShape {
  readonly kind: 0 | 1;
  /** The ends of the axis: six numbers. */
  readonly axis: readonly number[];
  readonly radius: number;
  /** Up to which distance from the axis a triangle counts: beyond the radius by more than rounding. */
  readonly reach: number;
  readonly box: readonly number[];
  readonly blur: number;
}

/** The hull of points; without points, what is below one plane. */
export interface ConvexShape {
  readonly kind: 2;
  readonly points: Float64Array;
  /** Normal of length 1, offset, and how far below a point must be to be inside for certain: five numbers each. */
  readonly planes: Float64Array;
  /** Pairs of planes. */
  readonly edges: Uint32Array;
  /** Triangles of the surface, as corners. */
  readonly faces: Uint32Array;
  /** Around it: minimum, maximum. */
  readonly box: ArrayLike<number>;
  /** More than rounding does to the distance of a point of the mesh or shape from a plane. */
  readonly blur: number;
}

export type LocalShape = RoundShape | ConvexShape;
