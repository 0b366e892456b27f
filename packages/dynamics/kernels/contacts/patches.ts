/**
 * Contacts of selected triangles of two shapes, all of one against all of the other whose boxes come near.
 *
 * Layout: lists of triangles, and room for a box of six float64 for each of b's.
 */
import { beginFeatures, countAll, enterFeatures, nearestSq, reachFor } from './features';
import { NEEDS_ROOM, P_AT_LEAST, P_CONTACT_ROOM, P_FOUND, P_POSE, P_SHAPE_A, P_SHAPE_B, RENEWED, S_CORNERS, S_VERTICES } from './layout';
import { keepAll } from './reduction';

const BOX_BYTES: usize = 48;

/**
 * Enters all contacts within a reach at the pose in a pair, some of them twice; sets its P_AT_LEAST to the least
 * distance of triangles.
 */
export function patchContacts(pair: usize, reach: f64, ofA: usize, countA: u32, ofB: usize, countB: u32, boxes: usize): i32 {
  beginFeatures(pair);
  countAll();
  reachFor(reach, reach, 0, 0, 0);
  const a: usize = load<u32>(pair, P_SHAPE_A), b: usize = load<u32>(pair, P_SHAPE_B);
  for (let i: u32 = 0; i < countB; i++) writeBox(b, load<u32>(ofB + 4 * <usize>i), pair + P_POSE, reach, boxes + BOX_BYTES * <usize>i);
  const cornersA: usize = load<u32>(a, S_CORNERS), verticesA: usize = load<u32>(a, S_VERTICES);
  for (let i: u32 = 0; i < countA; i++) {
    const ta = load<u32>(ofA + 4 * <usize>i);
    const corners = cornersA + 12 * <usize>ta;
    const p = verticesA + 24 * <usize>load<u32>(corners), q = verticesA + 24 * <usize>load<u32>(corners, 4), r = verticesA + 24 * <usize>load<u32>(corners, 8);
    const lowX = min(min(load<f64>(p), load<f64>(q)), load<f64>(r)), highX = max(max(load<f64>(p), load<f64>(q)), load<f64>(r));
    const lowY = min(min(load<f64>(p, 8), load<f64>(q, 8)), load<f64>(r, 8)), highY = max(max(load<f64>(p, 8), load<f64>(q, 8)), load<f64>(r, 8));
    const lowZ = min(min(load<f64>(p, 16), load<f64>(q, 16)), load<f64>(r, 16)), highZ = max(max(load<f64>(p, 16), load<f64>(q, 16)), load<f64>(r, 16));
    for (let j: u32 = 0; j < countB; j++) {
      const box = boxes + BOX_BYTES * <usize>j;
      if (highX < load<f64>(box) || highY < load<f64>(box, 8) || highZ < load<f64>(box, 16)) continue;
      if (lowX > load<f64>(box, 24) || lowY > load<f64>(box, 32) || lowZ > load<f64>(box, 40)) continue;
      enterFeatures(ta, load<u32>(ofB + 4 * <usize>j));
    }
  }
  if (load<u32>(pair, P_FOUND) > load<u32>(pair, P_CONTACT_ROOM)) return NEEDS_ROOM;
  keepAll(pair);
  store<f64>(pair, min(reach, sqrt(nearestSq)), P_AT_LEAST);
  return RENEWED;
}

/** Writes a box around a triangle of b in the frame of a, enlarged by the reach. */
function writeBox(b: usize, t: u32, pose: usize, reach: f64, box: usize): void {
  const corners = <usize>load<u32>(b, S_CORNERS) + 12 * <usize>t, vertices: usize = load<u32>(b, S_VERTICES);
  for (let k: usize = 0; k < 3; k++) {
    let low: f64 = Infinity, high: f64 = -Infinity;
    for (let i: usize = 0; i < 3; i++) {
      const v = vertices + 24 * <usize>load<u32>(corners + 4 * i);
      const row = pose + 24 * k;
      const at = load<f64>(row) * load<f64>(v) + load<f64>(row, 8) * load<f64>(v, 8) + load<f64>(row, 16) * load<f64>(v, 16) + load<f64>(pose + 8 * k, 72);
      low = min(low, at);
      high = max(high, at);
    }
    store<f64>(box + 8 * k, low - reach);
    store<f64>(box + 8 * k, high + reach, 24);
  }
}
