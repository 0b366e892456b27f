/** Few contacts that hold what many hold: how, and by how much it errs, is said in kernels/contacts/reduction.ts. */
import { CONTACT_NUMBERS, type ContactSet } from '../../../src/rigid/contact-set.js';
import { GAP, NORMAL, POINT_A } from '../../../src/rigid/exact/layout.generated.js';

/** Cosine of the angle between normals of one lot: 8°. */
const CONE = 0.99;
/** No lot of this size or less is reduced, but for contacts that are the same. */
const FEW = 2;
const AXES = 8;
/** Of the extent, and of the reach: contacts closer together are the same. */
const SAME_PLACE = 1e-3;
const SAME_GAP = 1e-3;

/** Writes the contacts to keep to the end of `out`. */
export function reduceContacts(all: ContactSet, reach: number, out: ContactSet): void {
  const { count } = all;
  if (count <= FEW) {
    for (let i = 0; i < count; i++) out.take(all, i);
    return;
  }
  const taken = new Uint8Array(count);
  const lot: number[] = [];
  for (let left = count; left > 0; left -= lot.length) {
    gather(all, taken, lot);
    keep(all, lot, reach, out);
  }
}

/** The nearest contact that no lot has yet, and all with nearly its normal. */
function gather({ count, data }: ContactSet, taken: Uint8Array, lot: number[]): void {
  let seed = -1;
  for (let i = 0; i < count; i++) {
    if (taken[i] === 0 && (seed < 0 || data[CONTACT_NUMBERS * i + GAP] < data[CONTACT_NUMBERS * seed + GAP]))
      seed = i;
  }
  const n = CONTACT_NUMBERS * seed + NORMAL;
  lot.length = 0;
  for (let i = 0; i < count; i++) {
    if (taken[i] !== 0) continue;
    const m = CONTACT_NUMBERS * i + NORMAL;
    const cosine = data[n] * data[m] + data[n + 1] * data[m + 1] + data[n + 2] * data[m + 2];
    if (i !== seed && cosine < CONE) continue;
    taken[i] = 1;
    // the seed comes first
    if (i === seed) lot.unshift(i);
    else lot.push(i);
  }
}

function keep(all: ContactSet, lot: readonly number[], reach: number, out: ContactSet): void {
  const { data } = all;
  const seed = CONTACT_NUMBERS * lot[0];
  if (lot.length <= FEW) {
    for (const i of lot) out.take(all, i);
    return;
  }
  // two directions across the normal of the seed
  const [nx, ny, nz] = [data[seed + NORMAL], data[seed + NORMAL + 1], data[seed + NORMAL + 2]];
  const sign = nz < 0 ? -1 : 1;
  const scale = -1 / (sign + nz);
  const cross = nx * ny * scale;
  const [ux, uy, uz] = [1 + sign * nx * nx * scale, sign * cross, -sign * nx];
  const [vx, vy, vz] = [cross, sign + ny * ny * scale, -ny];
  const us: number[] = [];
  const vs: number[] = [];
  let [lowU, highU, lowV, highV] = [Infinity, -Infinity, Infinity, -Infinity];
  for (const i of lot) {
    const p = CONTACT_NUMBERS * i + POINT_A;
    const u = ux * data[p] + uy * data[p + 1] + uz * data[p + 2];
    const v = vx * data[p] + vy * data[p + 1] + vz * data[p + 2];
    us.push(u);
    vs.push(v);
    lowU = Math.min(lowU, u);
    highU = Math.max(highU, u);
    lowV = Math.min(lowV, v);
    highV = Math.max(highV, v);
  }
  const [midU, midV] = [0.5 * (lowU + highU), 0.5 * (lowV + highV)];
  const extent = Math.max(0.5 * Math.hypot(highU - lowU, highV - lowV), Number.MIN_VALUE);
  const kept: number[] = [];
  const enter = (at: number) => {
    for (const other of kept) {
      const apart = Math.max(Math.abs(us[at] - us[other]), Math.abs(vs[at] - vs[other]));
      if (apart <= SAME_PLACE * extent) return;
    }
    kept.push(at);
    out.take(all, lot[at]);
  };
  let leastKept = Infinity;
  for (let axis = 0; axis < AXES; axis++) {
    const angle = ((2 * axis + 1) * Math.PI) / AXES;
    const [c, s] = [(Math.cos(angle) * reach) / extent, (Math.sin(angle) * reach) / extent];
    let best = 0;
    let least = Infinity;
    for (let at = 0; at < lot.length; at++) {
      const left = data[CONTACT_NUMBERS * lot[at] + GAP] - c * (us[at] - midU) - s * (vs[at] - midV);
      if (left < least - SAME_GAP * SAME_GAP * reach) {
        least = left;
        best = at;
      }
    }
    enter(best);
    leastKept = Math.min(leastKept, data[CONTACT_NUMBERS * lot[best] + GAP]);
  }
  if (data[seed + GAP] < leastKept - SAME_GAP * reach) enter(0);
}
