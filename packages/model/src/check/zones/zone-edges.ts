/** The edges of a zone, to draw it: where its faces turn by more than those of something round. */
import { cross, type ZonePart } from './zone-part.js';

/** Cosine of the angle between two faces up to which their edge is not drawn. */
const FLAT = Math.cos((20 * Math.PI) / 180);

/** Six numbers each. */
export function zoneEdges(parts: readonly ZonePart[]): Float64Array {
  const segments: number[] = [];
  for (const { positions, indices } of parts) {
    const normals = new Map<string, number[][]>();
    const at = (v: number) => [positions[3 * v], positions[3 * v + 1], positions[3 * v + 2]];
    for (let t = 0; t < indices.length; t += 3) {
      const [p, q, r] = [at(indices[t]), at(indices[t + 1]), at(indices[t + 2])];
      const normal = cross(
        q.map((x, k) => x - p[k]),
        r.map((x, k) => x - p[k]),
      );
      const size = Math.hypot(...normal) || 1;
      for (let k = 0; k < 3; k++) {
        const edge = [indices[t + k], indices[t + ((k + 1) % 3)]].sort((i, j) => i - j).join();
        const own = normals.get(edge);
        const unit = normal.map((x) => x / size);
        if (own) own.push(unit);
        else normals.set(edge, [unit]);
      }
    }
    for (const [edge, [p, q]] of normals) {
      if (q && p[0] * q[0] + p[1] * q[1] + p[2] * q[2] > FLAT) continue;
      for (const v of edge.split(',')) segments.push(...at(Number(v)));
    }
  }
  return Float64Array.from(segments);
}
