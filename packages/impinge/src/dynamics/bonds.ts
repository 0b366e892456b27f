/**
 * Which pieces of a cut solid hold on to each other: those with a face in common, or with faces on the same seam whose
 * boxes meet.
 */
import { OUTSIDE } from './cut-complex.js';
import type { Fracture } from './shatter.js';

export interface Bond {
  readonly a: number;
  readonly b: number;
}

/** Pairs of pieces, a < b, sorted. */
export function bondsOf(fracture: Fracture): Bond[] {
  const { sides, pieceCount } = fracture;
  const keys = new Set<number>();
  const join = (a: number, b: number) => keys.add(Math.min(a, b) * pieceCount + Math.max(a, b));
  /** Seam → piece → box of the faces between them. */
  const faces = new Map<number, Map<number, Float64Array>>();
  for (let t = 0; t < sides.length / 2; t++) {
    const [low, high] = [sides[2 * t], sides[2 * t + 1]].sort((a, b) => a - b);
    if (low === OUTSIDE || low >= pieceCount) continue;
    if (high < pieceCount) join(low, high);
    else {
      if (!faces.has(high)) faces.set(high, new Map());
      const boxes = faces.get(high)!;
      if (!boxes.has(low))
        boxes.set(low, Float64Array.of(Infinity, Infinity, Infinity, -Infinity, -Infinity, -Infinity));
      growBox(boxes.get(low)!, fracture, t);
    }
  }
  for (const boxes of faces.values()) {
    const thickness = seamThickness(boxes);
    for (const [a, boxA] of boxes) {
      for (const [b, boxB] of boxes) if (a < b && boxesMeet(boxA, boxB, thickness)) join(a, b);
    }
  }
  return [...keys]
    .sort((x, y) => x - y)
    .map((key) => ({ a: Math.floor(key / pieceCount), b: key % pieceCount }));
}

function growBox(box: Float64Array, { positions, indices }: Fracture, t: number): void {
  for (let i = 3 * t; i < 3 * t + 3; i++) {
    for (let k = 0; k < 3; k++) {
      const x = positions[3 * indices[i] + k];
      box[k] = Math.min(box[k], x);
      box[3 + k] = Math.max(box[3 + k], x);
    }
  }
}

/** Boxes of facing faces are a seam apart at most: far less than a hundredth of the faces. */
function seamThickness(boxes: ReadonlyMap<number, Float64Array>): number {
  let longest = 0;
  for (const box of boxes.values())
    for (let k = 0; k < 3; k++) longest = Math.max(longest, box[3 + k] - box[k]);
  return 0.02 * longest;
}

function boxesMeet(a: Float64Array, b: Float64Array, slack: number): boolean {
  return [0, 1, 2].every((k) => a[k] <= b[3 + k] + slack && b[k] <= a[3 + k] + slack);
}
