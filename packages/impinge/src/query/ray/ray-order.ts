/**
 * An order of many rays in which neighbours take much the same way through a tree, so that what one of them reads is at hand for the
 * next. Answers do not depend on it.
 */
import { arena } from '../../base/arena.js';
import type { Mesh } from '../../mesh/mesh.js';
import { MeshHeader } from '../../mesh/mesh-layout.js';
import type { RayFrame } from './ray-input.js';

type Write = (i: number, frame: RayFrame, out: Float64Array, at: number) => void;

/** Fewer are not worth it. */
const LEAST = 2048;
/** Neighbours that are looked at to tell whether the order is good as it is. */
const SAMPLES = 256;
/** Of the 30 bits of a key, those below this are near. */
const NEAR_BITS = 15;
const DIGIT = 1024;

/** Which ray comes first, second …; undefined: as they are given. */
export function orderOf(mesh: Mesh, count: number, frame: RayFrame, write: Write): Uint32Array | undefined {
  if (count < LEAST) return undefined;
  const box = (mesh.block >>> 2) + MeshHeader.box;
  const sides = Float64Array.from(
    arena()
      .f32()
      .subarray(box, box + 6),
  );
  const ray = new Float64Array(8);
  const keyOf = (i: number): number => {
    write(i, frame, ray, 0);
    return key(ray, sides);
  };
  const step = Math.floor(count / SAMPLES);
  let apart = 0;
  for (let i = 0; i + 1 < count; i += step) apart += (keyOf(i) ^ keyOf(i + 1)) >>> NEAR_BITS ? 1 : 0;
  if (2 * apart < SAMPLES) return undefined;
  const keys = new Uint32Array(count);
  for (let i = 0; i < count; i++) keys[i] = keyOf(i);
  return sorted(keys);
}

/** Where a ray (eight numbers) enters the box, as bits of x, y and z in turns. */
function key(ray: Float64Array, box: Float64Array): number {
  let enters = 0;
  for (let k = 0; k < 3; k++) {
    const step = ray[3 + k];
    if (step !== 0) enters = Math.max(enters, ((step > 0 ? box[k] : box[3 + k]) - ray[k]) / step);
  }
  return (
    spread(cell(ray[0] + enters * ray[3], box[0], box[3])) |
    (spread(cell(ray[1] + enters * ray[4], box[1], box[4])) << 1) |
    (spread(cell(ray[2] + enters * ray[5], box[2], box[5])) << 2)
  );
}

/** From 0 to 1023 across the box. */
function cell(x: number, low: number, high: number): number {
  const share = (x - low) / (high - low);
  return share > 0 ? Math.min(DIGIT - 1, Math.floor(DIGIT * share)) : 0;
}

/** Ten bits, each with two zeros above it. */
function spread(bits: number): number {
  let x = bits;
  x = (x | (x << 16)) & 0x030000ff;
  x = (x | (x << 8)) & 0x0300f00f;
  x = (x | (x << 4)) & 0x030c30c3;
  return (x | (x << 2)) & 0x09249249;
}

/** The numbers of keys in rising order, by ten bits at a time. */
function sorted(keys: Uint32Array): Uint32Array {
  let from = Uint32Array.from(keys, (_, i) => i);
  let to = new Uint32Array(keys.length);
  for (let shift = 0; shift < 30; shift += 10) {
    const starts = new Uint32Array(DIGIT + 1);
    for (let i = 0; i < keys.length; i++) starts[((keys[i] >>> shift) & (DIGIT - 1)) + 1]++;
    for (let d = 0; d < DIGIT; d++) starts[d + 1] += starts[d];
    for (let i = 0; i < keys.length; i++) to[starts[(keys[from[i]] >>> shift) & (DIGIT - 1)]++] = from[i];
    [from, to] = [to, from];
  }
  return from;
}
