/**
 * Generalised winding numbers: the share of all directions around a point that the triangles of a mesh cover, signed by
 * their orientation. Every triangle is visited; tan(angle / 2) by van Oosterom and Strackee.
 */
import { MESH_TRIANGLE_COUNT, indicesOf, positionsOf, vertexAt } from '../layout';
import { DONE, HIT_BYTES, HIT_DISTANCE, RAY_BYTES, R_COUNT, R_HITS, R_MESH, R_RAYS } from '../rays/layout';

/** Writes the winding number of each point as its distance. */
export function windingNumbers(query: usize): i32 {
  const mesh = <usize>load<u32>(query, R_MESH);
  const count = load<u32>(query, R_COUNT);
  let point = <usize>load<u32>(query, R_RAYS), hit = <usize>load<u32>(query, R_HITS);
  for (let i: u32 = 0; i < count; i++, point += RAY_BYTES, hit += HIT_BYTES) {
    store<f64>(hit, windingNumber(mesh, load<f64>(point), load<f64>(point, 8), load<f64>(point, 16)), HIT_DISTANCE);
  }
  return DONE;
}

function windingNumber(mesh: usize, px: f64, py: f64, pz: f64): f64 {
  const positions = positionsOf(mesh);
  let corner = indicesOf(mesh);
  let sum: f64 = 0;
  for (let t = load<u32>(mesh, MESH_TRIANGLE_COUNT); t > 0; t--, corner += 12) {
    const a = vertexAt(positions, load<u32>(corner)), b = vertexAt(positions, load<u32>(corner, 4)), c = vertexAt(positions, load<u32>(corner, 8));
    const ax = <f64>load<f32>(a) - px, ay = <f64>load<f32>(a, 4) - py, az = <f64>load<f32>(a, 8) - pz;
    const bx = <f64>load<f32>(b) - px, by = <f64>load<f32>(b, 4) - py, bz = <f64>load<f32>(b, 8) - pz;
    const cx = <f64>load<f32>(c) - px, cy = <f64>load<f32>(c, 4) - py, cz = <f64>load<f32>(c, 8) - pz;
    const la = sqrt(ax * ax + ay * ay + az * az), lb = sqrt(bx * bx + by * by + bz * bz), lc = sqrt(cx * cx + cy * cy + cz * cz);
    const volume = ax * (by * cz - bz * cy) + ay * (bz * cx - bx * cz) + az * (bx * cy - by * cx);
    const rest = la * lb * lc + (ax * bx + ay * by + az * bz) * lc + (bx * cx + by * cy + bz * cz) * la + (cx * ax + cy * ay + cz * az) * lb;
    if (volume != 0) sum += Math.atan2(volume, rest);
  }
  return sum / (2 * Math.PI);
}
