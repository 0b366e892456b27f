/**
 * The search for a point inside both objects that is as deep as the offset in one of them and deeper than P_AT_LEAST in
 * the other. It looks among the triangles of the first object, moved inwards by the offset. overlap.ts of the host says
 * what such a point proves.
 *
 * Idea: cells work as in deepest.ts; their polygons are such moved triangles. A part of a polygon is dropped if it lies
 * outside the other object or not deep enough in it (by the same bounds), if one triangle of its own surface is closer
 * than the offset to all of it, or if it lies outside its own object. The first point that passes all tests ends the
 * search. Lanes are not moved: the ball around such a point lies in both objects, and so does the point where it
 * touches the face. Boxes outside the other object are dropped; a moved triangle is deeper than its box by at most the
 * offset.
 * Errs: by two hundred-thousandths of the offset, and by rounding.
 */
import { EMPTY, indicesOf, positionsOf, vertexAt } from '../layout';
import { DONE, NEED_TREELET } from '../context';
import { cornerDistances } from '../corner-distances';
import { boundByTwo, findMiddle, isTriangle, knownSide, middleRadius, middleX, middleY, middleZ, raise, remember, sideOf, turnAxis, writeDistances } from './deepest-bound';
import { C_CORNERS, C_CORNER_COUNT, C_CROSSERS, C_CROSSER_COUNT, C_CUT, C_KIND, C_MATE, C_MATE_PART, C_PART, C_SEED, C_SEED_PART, C_SLOT, SURFACE, WHOLLY_INSIDE, push } from './deepest-cells';
import { PLANE_BYTES, planesOf, storePlane } from './deepest-planes';
import { P_AT_LEAST, P_A_TO_B, P_B_TO_A, P_CAP_A, P_EVALUATIONS, P_OFFSET, P_PLANE_COUNT_A, P_TOLERANCE } from './point-context';
import { nearPart, nearSq, nearTriangle, nearest, nearestOf } from './point-nearest';
import { INSIDE, OUTSIDE, STOPPED, UNKNOWN, sideByParity } from './point-side';
import { MANY, along, clip, crossPolygon, cutAt, cutCount, cutShare, cutX, cutY, cutZ, edgePlane, setCut, shareOf, shareOfEdges, writePosed } from './polygon';
import { DISTANCES, OWN_CORNERS, OWN_CROSSERS, OWN_DISTANCES, OWN_MIDDLE, scratch } from './scratch';
import { partMesh } from './walk';

/** Share of the offset by which a point may be too close to its own surface. */
const CLOSER: f64 = 1e-5;
/** Share of a polygon's radius that must lie on either side of a cut. */
const WORTH_A_CUT: f64 = 1e-4;
/** Share of the offset that must lie on either side of a plane along a triangle. */
const WORTH_A_STRIP: f64 = 1e-3;
/** Bytes of the distances of a polygon's corners from a triangle. */
const DISTANCE_ROW: usize = 64;

export function lookAtOffset(query: usize, cell: usize): i32 {
  const kind = load<u32>(cell, C_KIND);
  const surface = <usize>(kind & SURFACE);
  const other: usize = 1 - surface;
  const corners = cell + C_CORNERS;
  const least = load<f64>(query, P_AT_LEAST), tolerance = load<f64>(query, P_TOLERANCE);
  let count = load<u32>(cell, C_CORNER_COUNT);
  if (count < 3) return DONE;
  let bound = load<f64>(query + 8 * other, P_CAP_A);
  const planes = planesOf(query, other);
  for (let i: u32 = 0; i < load<u32>(query + 4 * other, P_PLANE_COUNT_A); i++) {
    const plane = planes + PLANE_BYTES * <usize>i;
    const nx = load<f64>(plane), ny = load<f64>(plane, 8), nz = load<f64>(plane, 16), reach = load<f64>(plane, 24);
    let lowest: f64 = Infinity, most: f64 = -Infinity;
    for (let k: u32 = 0; k < count; k++) {
      const under = reach - along(corners + 24 * <usize>k, nx, ny, nz);
      if (under < lowest) lowest = under;
      if (under > most) most = under;
    }
    if (!(most > least)) return DONE;
    if (lowest < least) {
      count = clip(corners, count, nx, ny, nz, reach - least);
      if (count < 3) return DONE;
    }
    if (most < bound) bound = most;
  }
  store<u32>(cell, count, C_CORNER_COUNT);
  if (!(bound > least)) return DONE;
  let seedRow = scratch + DISTANCES, mateRow = seedRow + DISTANCE_ROW;
  if (load<u32>(cell, C_SEED) != EMPTY) {
    writeDistances(query, other, cell, C_SEED_PART, seedRow);
    if (load<u32>(cell, C_MATE) != EMPTY) writeDistances(query, other, cell, C_MATE_PART, mateRow);
    const most = boundByTwo(cell, seedRow, mateRow);
    if (most < bound) bound = most;
    if (!(bound > least)) return DONE;
  }
  findMiddle(corners, count);
  const x = middleX, y = middleY, z = middleZ, radius = middleRadius;

  // depth in the other object
  store<u32>(query, load<u32>(query, P_EVALUATIONS) + 1, P_EVALUATIONS);
  if (nearest(query, other, x, y, z, load<u32>(cell, C_SEED_PART), load<u32>(cell, C_SEED), least - radius) != DONE) return NEED_TREELET;
  const distance = sqrt(nearSq);
  if (distance <= least - radius) return DONE;
  const part = nearPart, triangle = nearTriangle;
  if (distance + radius < bound) bound = distance + radius;
  if (!(bound > least)) return DONE;
  const whole = (kind & WHOLLY_INSIDE) != 0;
  let side: i32 = whole ? INSIDE : knownSide(cell, x, y, z);
  if (side == UNKNOWN) {
    side = sideOf(query, other, true, x, y, z);
    if (side == STOPPED) return NEED_TREELET;
  }
  if (!isTriangle(cell, C_SEED_PART, part, triangle)) {
    store<u32>(cell, load<u32>(cell, C_SEED_PART), C_MATE_PART);
    store<u32>(cell, load<u32>(cell, C_SEED), C_MATE);
    store<u32>(cell, part, C_SEED_PART);
    store<u32>(cell, triangle, C_SEED);
    const row = mateRow;
    mateRow = seedRow;
    seedRow = row;
    writeDistances(query, other, cell, C_SEED_PART, seedRow);
    if (load<u32>(cell, C_MATE) != EMPTY) writeDistances(query, other, cell, C_MATE_PART, mateRow);
    const most = boundByTwo(cell, seedRow, mateRow);
    if (most < bound) bound = most;
    if (!(bound > least)) return DONE;
  }
  let crossed = false;
  let share: f64 = 0, planeX: f64 = 0, planeY: f64 = 0, planeZ: f64 = 0, planeAt: f64 = 0;
  if (!whole && distance <= radius * (1 + 1e-9)) {
    if (crossPolygon(query, other, corners, count, x, y, z, radius, tolerance, cell + C_CROSSERS, load<u32>(cell, C_CROSSER_COUNT)) != DONE) return NEED_TREELET;
    crossed = cutCount > 0;
    store<u32>(cell, cutCount, C_CROSSER_COUNT);
    share = cutShare;
    planeX = cutX; planeY = cutY; planeZ = cutZ; planeAt = cutAt;
  }
  if (side == OUTSIDE) {
    if (!crossed) return DONE;
    if (radius - distance < bound) bound = radius - distance;
    if (!(bound > least)) return DONE;
  }
  if (side == INSIDE && !crossed && !whole) store<u32>(cell, kind | WHOLLY_INSIDE, C_KIND);
  remember(cell, side, x, y, z, distance, true);

  // distance from its own surface
  const offset = abs(load<f64>(query, P_OFFSET)) * (1 - CLOSER);
  const back = query + (surface == 0 ? P_B_TO_A : P_A_TO_B);
  const own = scratch + OWN_CORNERS;
  for (let k: u32 = 0; k < count; k++) {
    const p = corners + 24 * <usize>k;
    writePosed(back, load<f64>(p), load<f64>(p, 8), load<f64>(p, 16), own + 24 * <usize>k);
  }
  writePosed(back, x, y, z, scratch + OWN_MIDDLE);
  const ox = load<f64>(scratch, OWN_MIDDLE), oy = load<f64>(scratch, OWN_MIDDLE + 8), oz = load<f64>(scratch, OWN_MIDDLE + 16);
  nearestOf(query, surface, ox, oy, oz, load<u32>(cell, C_PART), load<u32>(cell, C_SLOT));
  const ownSide = nearSq > 0 ? sideByParity(query, surface, ox, oy, oz) : UNKNOWN;
  if (ownSide == STOPPED) return NEED_TREELET;
  let divided = false;
  if (ownSide == OUTSIDE) {
    if (crossPolygon(query, surface, own, count, ox, oy, oz, radius, tolerance, scratch + OWN_CROSSERS, MANY) != DONE) return NEED_TREELET;
    if (cutCount == 0) return DONE;
    divided = cutShare > 0;
  }
  store<u32>(query, load<u32>(query, P_EVALUATIONS) + 1, P_EVALUATIONS);
  if (nearest(query, surface, ox, oy, oz, load<u32>(cell, C_PART), load<u32>(cell, C_SLOT), offset - radius) != DONE) return NEED_TREELET;
  const ownDistance = sqrt(nearSq);
  if (ownDistance <= offset - radius) return DONE;
  const mesh = partMesh(query, surface, nearPart);
  const ownTriangle = nearTriangle;
  if (ownDistance < offset && isWithin(mesh, ownTriangle, own, count, offset)) return DONE;
  store<u32>(cell, nearPart, C_PART);
  store<u32>(cell, ownTriangle, C_SLOT);
  const deepEnough = ownDistance >= offset * (1 - CLOSER);
  if (deepEnough && ownSide == INSIDE && side == INSIDE && distance > least) {
    raise(query, distance, x, y, z, surface);
    return DONE;
  }
  if (!divided && !deepEnough) {
    // divide at the distance where the triangle is no longer too close, or where the triangle ends
    divided = facePlane(mesh, ownTriangle, own, count, offset * (1 - CLOSER));
    for (let k: usize = 0; k < 3 && !divided; k++) divided = edgePlane(mesh, ownTriangle, k) && shareOf(cutX, cutY, cutZ, cutAt, own, count) > WORTH_A_CUT * radius;
  }
  const ownX = cutX, ownY = cutY, ownZ = cutZ, ownAt = cutAt;
  const worth = WORTH_A_CUT * radius;
  if (crossed && share > 0) storePlane(cell + C_CUT, planeX, planeY, planeZ, planeAt);
  else if (divided) {
    const to = query + (surface == 0 ? P_A_TO_B : P_B_TO_A);
    turnAxis(to, ownX, ownY, ownZ, own);
    const nx = load<f64>(own), ny = load<f64>(own, 8), nz = load<f64>(own, 16);
    storePlane(cell + C_CUT, nx, ny, nz, ownAt + nx * load<f64>(to, 72) + ny * load<f64>(to, 80) + nz * load<f64>(to, 88));
  } else storePlane(cell + C_CUT, 0, 0, 0, distance < 2 * radius && shareOfEdges(partMesh(query, other, part), triangle, corners, count) > worth ? worth : 0);
  return push(query, cell, bound);
}

/** Whether all corners of a polygon, and so all its points, are within a distance of a triangle. */
function isWithin(mesh: usize, triangle: u32, corners: usize, count: u32, distance: f64): bool {
  const row = scratch + OWN_DISTANCES;
  cornerDistances(corners, count, mesh, triangle, row);
  for (let k: u32 = 0; k < count; k++) if (!(load<f64>(row + 8 * <usize>k) < distance)) return false;
  return true;
}

/**
 * Sets the plane, parallel to a triangle at a distance on either side, that divides a polygon; false if neither does.
 */
function facePlane(mesh: usize, triangle: u32, corners: usize, count: u32, distance: f64): bool {
  const positions = positionsOf(mesh);
  const corner = indicesOf(mesh) + 12 * <usize>triangle;
  const v0 = vertexAt(positions, load<u32>(corner)), v1 = vertexAt(positions, load<u32>(corner, 4)), v2 = vertexAt(positions, load<u32>(corner, 8));
  const x = <f64>load<f32>(v0), y = <f64>load<f32>(v0, 4), z = <f64>load<f32>(v0, 8);
  const ux = <f64>load<f32>(v1) - x, uy = <f64>load<f32>(v1, 4) - y, uz = <f64>load<f32>(v1, 8) - z;
  const vx = <f64>load<f32>(v2) - x, vy = <f64>load<f32>(v2, 4) - y, vz = <f64>load<f32>(v2, 8) - z;
  const nx = uy * vz - uz * vy, ny = uz * vx - ux * vz, nz = ux * vy - uy * vx;
  const unit = 1 / sqrt(nx * nx + ny * ny + nz * nz);
  if (!(unit < Infinity)) return false;
  const at = unit * (nx * x + ny * y + nz * z);
  for (let way: f64 = -1; way < 2; way += 2) {
    if (!(shareOf(unit * nx, unit * ny, unit * nz, at + way * distance, corners, count) > WORTH_A_STRIP * distance)) continue;
    setCut(unit * nx, unit * ny, unit * nz, at + way * distance);
    return true;
  }
  return false;
}
