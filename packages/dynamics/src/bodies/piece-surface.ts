/** The surface of some cells of a cut solid: the triangles that have one of them on one side only. */

export interface PieceSurface {
  readonly name: string;
  /** On the float32 grid. */
  readonly positions: Float64Array;
  /** Facing outwards. */
  readonly indices: Uint32Array;
  /** The vertex of the cut solid that each vertex is. */
  readonly sources: Uint32Array;
}

/** The part of a cut solid used here. */
export interface CutSolid {
  readonly name: string;
  readonly positions: Float64Array;
  readonly indices: Uint32Array;
  /** Of each triangle: the cell behind it, and the one in front of it or −1. */
  readonly sides: Int32Array;
}

/** Closed, since a complex has no boundary. */
export function surfaceOf(solid: CutSolid, cells: ReadonlySet<number>): PieceSurface {
  const { positions, indices, sides } = solid;
  const corners: number[] = [];
  for (let t = 0; t < indices.length / 3; t++) {
    const behind = cells.has(sides[2 * t]);
    if (behind === cells.has(sides[2 * t + 1])) continue;
    const [a, b, c] = indices.subarray(3 * t, 3 * t + 3);
    corners.push(a, behind ? b : c, behind ? c : b);
  }
  const sources = Uint32Array.from(new Set(corners)).sort();
  const numbers = new Uint32Array(positions.length / 3);
  sources.forEach((v, i) => {
    numbers[v] = i;
  });
  return {
    name: solid.name,
    positions: Float64Array.from(
      { length: 3 * sources.length },
      (_, k) => positions[3 * sources[Math.floor(k / 3)] + (k % 3)],
    ),
    indices: Uint32Array.from(corners, (v) => numbers[v]),
    sources,
  };
}
