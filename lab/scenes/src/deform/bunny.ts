/** A sitting hare as a smooth closed surface of rounded parts blended together. It faces +x, y is up. */
import { meshField } from './implicit-surface.js';
import { type SceneMesh, square } from './scene-mesh.js';

// cosine and sine of the angles by which an ear leans back and outwards
const [LEAN_COS, LEAN_SIN] = [15 / 17, 8 / 17];
const [SPLAY_COS, SPLAY_SIN] = [40 / 41, 9 / 41];
const BOUNDS = [-0.85, -0.06, -0.55, 0.8, 1.6, 0.55];
/** Yields 60 thousand triangles. */
const CELL_SIZE = 0.01375;

/** About 1.5 m high, standing on y = 0; closed; free of self-intersections with cells of at most 0.04. */
export function bunny(cellSize = CELL_SIZE): SceneMesh {
  return { name: 'bunny', ...meshField(bunnyField, BOUNDS, cellSize) };
}

/** The field is symmetric in z: one side is defined for both. */
function bunnyField(x: number, y: number, side: number): number {
  const z = Math.sqrt(side * side + 1e-6);
  let f = ellipsoid(x, y, z, -0.14, 0.4, 0, 0.46, 0.37, 0.34);
  f = melt(f, ellipsoid(x, y, z, 0.17, 0.46, 0, 0.27, 0.32, 0.25), 0.12);
  f = melt(f, ellipsoid(x, y, z, -0.2, 0.29, 0.24, 0.27, 0.25, 0.16), 0.05);
  f = melt(f, cone(x, y, z, -0.22, 0.09, 0.27, 0.13, 0.07, 0.3, 0.09, 0.07), 0.13);
  f = melt(f, cone(x, y, z, 0.27, 0.42, 0.13, 0.33, 0.075, 0.13, 0.105, 0.07), 0.07);
  f = melt(f, ellipsoid(x, y, z, 0.39, 0.06, 0.13, 0.12, 0.058, 0.075), 0.04);
  f = melt(f, ellipsoid(x, y, z, -0.62, 0.33, 0, 0.13, 0.14, 0.13), 0.05);
  f = melt(f, cone(x, y, z, 0.22, 0.62, 0, 0.32, 0.8, 0, 0.2, 0.17), 0.1);
  f = melt(f, headField(x, y, z), 0.08);
  return melt(f, earField(x, y, z), 0.06);
}

function headField(x: number, y: number, z: number): number {
  let f = ellipsoid(x, y, z, 0.36, 0.87, 0, 0.24, 0.205, 0.19);
  f = melt(f, ellipsoid(x, y, z, 0.52, 0.81, 0, 0.13, 0.1, 0.1), 0.08);
  f = melt(f, ellipsoid(x, y, z, 0.45, 0.785, 0.1, 0.11, 0.09, 0.09), 0.06);
  f = melt(f, ellipsoid(x, y, z, 0.632, 0.845, 0, 0.03, 0.025, 0.035), 0.04);
  // eyes lie in shallow hollows
  f = carve(f, ellipsoid(x, y, z, 0.5, 0.92, 0.18, 0.06, 0.055, 0.045), 0.04);
  return melt(f, ellipsoid(x, y, z, 0.478, 0.915, 0.132, 0.044, 0.044, 0.044), 0.05);
}

/** A spoon leaning back and outwards, hollow in front. */
function earField(x: number, y: number, z: number): number {
  const dx = x - 0.16;
  const dy = y - 1.24;
  const dz = z - 0.155;
  const along = LEAN_COS * dy - LEAN_SIN * dx;
  const across = LEAN_COS * dx + LEAN_SIN * dy;
  const up = SPLAY_COS * along + SPLAY_SIN * dz;
  const wide = SPLAY_COS * dz - SPLAY_SIN * along;
  const leaf = ellipsoid(across, up, wide, 0, 0, 0, 0.066, 0.31, 0.112);
  return carve(leaf, ellipsoid(across, up, wide, 0.07, 0.02, 0, 0.046, 0.19, 0.056), 0.05);
}

/** Approximately the distance, near the surface. */
function ellipsoid(
  x: number,
  y: number,
  z: number,
  cx: number,
  cy: number,
  cz: number,
  rx: number,
  ry: number,
  rz: number,
): number {
  const ux = (x - cx) / rx;
  const uy = (y - cy) / ry;
  const uz = (z - cz) / rz;
  const length = Math.sqrt(ux * ux + uy * uy + uz * uz);
  const slope = Math.sqrt(square(ux / rx) + square(uy / ry) + square(uz / rz));
  return slope === 0 ? -Math.min(rx, ry, rz) : (length * (length - 1)) / slope;
}

/** A rod from a to b whose radius changes from ra to rb. */
function cone(
  x: number,
  y: number,
  z: number,
  ax: number,
  ay: number,
  az: number,
  bx: number,
  by: number,
  bz: number,
  ra: number,
  rb: number,
): number {
  const [dx, dy, dz] = [bx - ax, by - ay, bz - az];
  const t = ((x - ax) * dx + (y - ay) * dy + (z - az) * dz) / (dx * dx + dy * dy + dz * dz);
  const s = Math.max(0, Math.min(1, t));
  const [px, py, pz] = [x - ax - s * dx, y - ay - s * dy, z - az - s * dz];
  return Math.sqrt(px * px + py * py + pz * pz) - (ra + s * (rb - ra));
}

/** The union, rounded where the parts meet. */
const melt = (a: number, b: number, width: number): number => {
  const near = Math.max(width - Math.abs(a - b), 0) / width;
  return Math.min(a, b) - (near * near * width) / 4;
};

/** a without b, rounded along the rim. */
const carve = (a: number, b: number, width: number): number => -melt(-a, b, width);
