/**
 * A box in a mesh's coordinates: its corners, the planes around it, and all other parts of a convex shape.
 *
 * Layout: in a query whose shape is a box, planes, corners, edges and the table are at fixed places; the host's input
 * is at BOX_GIVEN: minimum, maximum, origin of the mesh, and S_COUNT poses that are applied to the corners in sequence.
 * Errs: corners are rounded as by posePoint in src/math/pose.ts, so exact decisions use the same ones. A plane is above
 * all of them.
 */
import { BOXES_ROOT } from '../rays/layout';
import {
  BOX_CORNERS, BOX_EDGES, BOX_GIVEN, BOX_PLANES, BOX_TABLE, CONVEX, PLANE_BYTES, P_INNER, P_OFFSET, S_BLUR, S_BOX, S_CORNERS,
  S_CORNER_COUNT, S_COUNT, S_EDGES, S_EDGE_COUNT, S_FACE_COUNT, S_KIND, S_PLANES, S_PLANE_COUNT, S_RADIUS, S_TABLE, S_TREE,
} from './layout';

// host: ROUNDING
/** Relative bound of the rounding of a distance from a plane, generous. */
const ROUNDING: f64 = 4e-15;
/** Boxes thinner than this, relative to the numbers involved, are placed by the host like any other hull. */
const THIN: f64 = 1e-9;

/** Returns false if finding its planes requires a search for faces; its corners are placed nevertheless. */
export function placeBox(query: usize): bool {
  placeCorners(query);
  store<u32>(query, CONVEX, S_KIND);
  store<u32>(query, <u32>(query + BOX_PLANES), S_PLANES);
  store<u32>(query, 6, S_PLANE_COUNT);
  store<u32>(query, <u32>(query + BOX_CORNERS), S_CORNERS);
  store<u32>(query, 8, S_CORNER_COUNT);
  store<u32>(query, <u32>(query + BOX_EDGES), S_EDGES);
  store<u32>(query, 12, S_EDGE_COUNT);
  store<u32>(query, 0, S_FACE_COUNT);
  store<u32>(query, <u32>(query + BOX_TABLE), S_TABLE);
  store<f64>(query, 0, S_RADIUS);
  putEdges(query + BOX_EDGES);
  const most = max(largestOfMesh(query), putBounds(query));
  store<f64>(query, ROUNDING * most, S_BLUR);
  return putSides(query, 0, most) && putSides(query, 1, most) && putSides(query, 2, most);
}

/** Writes corners with x varying fastest, then y; if a pose mirrors, x runs the other way. */
function placeCorners(query: usize): void {
  const given = query + BOX_GIVEN, corners = query + BOX_CORNERS;
  const ox = load<f64>(given, 48), oy = load<f64>(given, 56), oz = load<f64>(given, 64);
  const end = given + 72 + 96 * <usize>load<u32>(query, S_COUNT);
  for (let c: usize = 0; c < 8; c++) {
    let x = load<f64>(given + 24 * (c & 1)), y = load<f64>(given + 24 * ((c >> 1) & 1), 8), z = load<f64>(given + 24 * (c >> 2), 16);
    for (let p = given + 72; p < end; p += 96) {
      const px = load<f64>(p) * x + load<f64>(p, 8) * y + load<f64>(p, 16) * z + load<f64>(p, 72);
      const py = load<f64>(p, 24) * x + load<f64>(p, 32) * y + load<f64>(p, 40) * z + load<f64>(p, 80);
      z = load<f64>(p, 48) * x + load<f64>(p, 56) * y + load<f64>(p, 64) * z + load<f64>(p, 88);
      x = px;
      y = py;
    }
    store<f64>(corners + 24 * c, x - ox);
    store<f64>(corners + 24 * c, y - oy, 8);
    store<f64>(corners + 24 * c, z - oz, 16);
  }
  if (!isMirrored(corners)) return;
  for (let c = corners; c < corners + 192; c += 48) {
    for (let k = c; k < c + 24; k += 8) {
      const other = load<f64>(k, 24);
      store<f64>(k, load<f64>(k), 24);
      store<f64>(k, other);
    }
  }
}

function isMirrored(p: usize): bool {
  const x = load<f64>(p), y = load<f64>(p, 8), z = load<f64>(p, 16);
  const ux = load<f64>(p, 24) - x, uy = load<f64>(p, 32) - y, uz = load<f64>(p, 40) - z;
  const vx = load<f64>(p, 48) - x, vy = load<f64>(p, 56) - y, vz = load<f64>(p, 64) - z;
  const wx = load<f64>(p, 96) - x, wy = load<f64>(p, 104) - y, wz = load<f64>(p, 112) - z;
  return wx * (uy * vz - uz * vy) + wy * (uz * vx - ux * vz) + wz * (ux * vy - uy * vx) < 0;
}

/** Writes the pairs of planes that are not opposite to each other. */
function putEdges(at: usize): void {
  for (let a: u32 = 0; a < 4; a++) {
    for (let b = (a | 1) + 1; b < 6; b++, at += 8) {
      store<u32>(at, a);
      store<u32>(at, b, 4);
    }
  }
}

/** Writes the box around the corners; returns their largest absolute coordinate. */
function putBounds(query: usize): f64 {
  let most: f64 = 0;
  for (let k: usize = 0; k < 24; k += 8) {
    let low: f64 = Infinity, high: f64 = -Infinity;
    for (let at = query + BOX_CORNERS + k; at < query + BOX_CORNERS + 192; at += 24) {
      low = min(low, load<f64>(at));
      high = max(high, load<f64>(at));
    }
    store<f64>(query + k, low, S_BOX);
    store<f64>(query + k, high, S_BOX + 24);
    most = max(most, max(abs(low), abs(high)));
  }
  return most;
}

function largestOfMesh(query: usize): f64 {
  const tree = <usize>load<u32>(query, S_TREE);
  let most: f32 = 0;
  for (let k: usize = 0; k < 24; k += 4) most = max(most, abs(load<f32>(tree + k, BOXES_ROOT)));
  return <f64>most;
}

/**
 * Writes the two planes across an axis of a box, the low one first; false if the box is too thin, or its sides too
 * uneven, for these to be its faces.
 */
function putSides(query: usize, axis: usize, most: f64): bool {
  const p = query + BOX_CORNERS;
  const u = p + (24 << ((axis + 1) % 3)), v = p + (24 << ((axis + 2) % 3));
  const x = load<f64>(p), y = load<f64>(p, 8), z = load<f64>(p, 16);
  const ux = load<f64>(u) - x, uy = load<f64>(u, 8) - y, uz = load<f64>(u, 16) - z;
  const vx = load<f64>(v) - x, vy = load<f64>(v, 8) - y, vz = load<f64>(v, 16) - z;
  const nx = uy * vz - uz * vy, ny = uz * vx - ux * vz, nz = ux * vy - uy * vx;
  const length = sqrt(nx * nx + ny * ny + nz * nz);
  const longer = sqrt(max(ux * ux + uy * uy + uz * uz, vx * vx + vy * vy + vz * vz));
  const width = length / longer;
  if (!(width > THIN * most)) return false;
  const px = nx / length, py = ny / length, pz = nz / length;
  // the lowest and the highest corner of the low side and of the high side
  let a: f64 = Infinity, b: f64 = -Infinity, c: f64 = Infinity, d: f64 = -Infinity;
  for (let i: usize = 0; i < 8; i++) {
    const at = p + 24 * i;
    const along = px * load<f64>(at) + py * load<f64>(at, 8) + pz * load<f64>(at, 16);
    if ((i >> axis) & 1) {
      c = min(c, along);
      d = max(d, along);
    } else {
      a = min(a, along);
      b = max(b, along);
    }
  }
  const uneven = max(b - a, d - c);
  if (!(c - b > THIN * most && c - b > 1000 * uneven && width > 1000 * uneven)) return false;
  // corners off their plane turn the faces through them, over the extent of the side
  const turn = longer / width;
  const inner = (uneven + ROUNDING * most) * (1 + 4 * turn) + 4 * ROUNDING * most * (1 + turn);
  const low = query + BOX_PLANES + 2 * PLANE_BYTES * axis, high = low + PLANE_BYTES;
  putPlane(low, -px, -py, -pz, ROUNDING * most - a, inner);
  putPlane(high, px, py, pz, d + ROUNDING * most, inner);
  return true;
}

// @ts-ignore: decorator
@inline function putPlane(at: usize, x: f64, y: f64, z: f64, offset: f64, inner: f64): void {
  store<f64>(at, x);
  store<f64>(at, y, 8);
  store<f64>(at, z, 16);
  store<f64>(at, offset, P_OFFSET);
  store<f64>(at, inner, P_INNER);
}
