/** Two balls, by their centres: their one contact, and how far they can go before they are near each other. */
import type { BodyShape, ContactEngine, PairMotion, PosedPair } from '../contact-engine.js';
import type { ContactSet } from '../contact-set.js';
import { NORMAL } from '../exact/layout.generated.js';

/** Less than one by more than rounding. */
const ROUNDED = 1 - 1e-12;

/** Writes the unit vector between centres, of b in the frame of a, to the contact of two balls. */
export function pointFromTo({ data }: ContactSet, x: number, y: number, z: number): void {
  const length = Math.sqrt(x * x + y * y + z * z);
  data[NORMAL] = x / length;
  data[NORMAL + 1] = y / length;
  data[NORMAL + 2] = z / length;
}

/** How far balls are apart whose centres are at the ends of a vector, rounded down. */
export function ballsApart(a: BodyShape, b: BodyShape, x: number, y: number, z: number): number {
  return Math.sqrt(x * x + y * y + z * z) * ROUNDED - a.radius - b.radius;
}

export class BallContacts implements ContactEngine {
  contacts({ a, b, pose }: PosedPair, reach: number, out: ContactSet): void {
    out.clear();
    const apart = ballsApart(a, b, pose[9], pose[10], pose[11]);
    out.atLeast = Math.min(reach, apart);
    if (apart > reach) return;
    const at = out.open(0, a.radius, b.radius);
    out.data.fill(0, at, at + NORMAL);
    pointFromTo(out, pose[9], pose[10], pose[11]);
  }

  freeShare(a: BodyShape, b: BodyShape, { fromA, toA, fromB, toB }: PairMotion, distance: number): number {
    const least = (a.radius + b.radius + distance) / ROUNDED;
    let [startSq, along, waySq] = [0, 0, 0];
    for (let k = 9; k < 12; k++) {
      const start = fromB[k] - fromA[k];
      const way = toB[k] - toA[k] - start;
      startSq += start * start;
      along += start * way;
      waySq += way * way;
    }
    const left = startSq - least * least;
    if (left <= 0) return 0;
    // |start + share way|² = least², at the first of two
    const root = along * along - waySq * left;
    if (along >= 0 || root < 0) return 1;
    return Math.min(1, (left / (Math.sqrt(root) - along)) * ROUNDED);
  }

  distance({ a, b, pose }: PosedPair): number {
    return ballsApart(a, b, pose[9], pose[10], pose[11]);
  }

  save(): void {}

  restore(): void {}
}
