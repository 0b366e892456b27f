/**
 * Which pieces of a cut solid are bonded: pieces with a common face, or with faces on the same seam whose boxes meet.
 */
import { OUTSIDE } from './cut-complex.js';
import type { Fracture } from './shatter.js';

export interface Bond {
  readonly a: number;
  readonly b: number;
  /** The area of the common faces; with a seam between them, that of the smaller side. */
  readonly area: number;
}

/** The faces of a piece on a seam: their box, and their area. */
interface Patch {
  readonly box: Float64Array;
  area: number;
}

/** Pairs of pieces, a < b, sorted. */
export function bondsOf(fracture: Fracture): Bond[] {
  const { sides, pieceCount } = fracture;
  const areas = new Map<number, number>();
  const join = (a: number, b: number, area: number) => {
    const key = Math.min(a, b) * pieceCount + Math.max(a, b);
    areas.set(key, (areas.get(key) ?? 0) + area);
  };
  /** Seam → piece → the faces between them. */
  const seams = new Map<number, Map<number, Patch>>();
  for (let t = 0; t < sides.length / 2; t++) {
    const [low, high] = [sides[2 * t], sides[2 * t + 1]].sort((a, b) => a - b);
    if (low === OUTSIDE || low >= pieceCount) continue;
    if (high < pieceCount) join(low, high, areaOf(fracture, t));
    else {
      let patches = seams.get(high);
      if (!patches) seams.set(high, (patches = new Map()));
      let patch = patches.get(low);
      if (!patch) {
        const box = Float64Array.of(Infinity, Infinity, Infinity, -Infinity, -Infinity, -Infinity);
        patches.set(low, (patch = { box, area: 0 }));
      }
      patch.area += areaOf(fracture, t);
      growBox(patch.box, fracture, t);
    }
  }
  for (const patches of seams.values()) {
    const thickness = seamThickness(patches);
    for (const [a, patchA] of patches) {
      for (const [b, patchB] of patches) {
        if (a < b && boxesMeet(patchA.box, patchB.box, thickness))
          join(a, b, Math.min(patchA.area, patchB.area));
      }
    }
  }
  return [...areas]
    .sort(([x], [y]) => x - y)
    .map(([key, area]) => ({ a: Math.floor(key / pieceCount), b: key % pieceCount, area }));
}

function areaOf({ positions: x, indices }: Fracture, t: number): number {
  const [a, b, c] = [0, 1, 2].map((i) => 3 * indices[3 * t + i]);
  const u = [0, 1, 2].map((k) => x[b + k] - x[a + k]);
  const v = [0, 1, 2].map((k) => x[c + k] - x[a + k]);
  return 0.5 * Math.hypot(u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]);
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
function seamThickness(patches: ReadonlyMap<number, Patch>): number {
  let longest = 0;
  for (const { box } of patches.values())
    for (let k = 0; k < 3; k++) longest = Math.max(longest, box[3 + k] - box[k]);
  return 0.02 * longest;
}

function boxesMeet(a: Float64Array, b: Float64Array, slack: number): boolean {
  return [0, 1, 2].every((k) => a[k] <= b[3 + k] + slack && b[k] <= a[3 + k] + slack);
}
