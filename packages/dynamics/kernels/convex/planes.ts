/**
 * Whether a plane proves that two convex shapes stay apart during a motion, in which each turns by φ at a constant rate
 * about its centre, which moves straight. Convexity is not needed for that: hulls hold the surfaces.
 *
 * A path x(τ), 0 ≤ τ ≤ 1, is nowhere farther than max |x″| / 8 from the straight way between its ends. So the gap along
 * a direction is at least the smaller one of both ends less that. Three kinds of planes are tried, with the directions
 * between closest points at either end:
 * - one that does not turn: |x″| ≤ φa² ra + φb² rb;
 * - one that turns with a, as for bodies that lie on each other and turn together. In a's frame, where c leads from
 *   centre to centre, v is its change, w = v − ωa × c, δ = ωb − ωa, and q is a point of b about its centre, the point
 *   moves at w + δ × q, so |x″| = |−2 ωa × w − ωa × (ωa × c) − ωa × (δ × q) + δ × (ωb × q)|, which is at most
 *   2 φa |w| + φa² |c| + |δ| (φa + φb) rb; |w| and |c| are largest at an end, because both change evenly;
 * - one that turns with b: the same with a and b swapped.
 */
import { POSE_BYTES, P_POSE, P_SHAPE_A, P_SHAPE_B, S_RADIUS } from '../contacts/layout';
import { arc, halfSine, writeRelative } from '../contacts/poses';
import { triangles } from '../contacts/scratch';
import { apart, awayX, awayY, awayZ, findNearest, gapAlong } from './nearest';

/** Relative error that exceeds the rounding of a pose, a corner and a product with a direction. */
const ROUNDING: f64 = 1e-12;
/** Sines above this are not those of slow turns; and more than the series of their arcs leaves out. */
const SLOW: f64 = 0.3;
const LEFT_OUT: f64 = 1e-5;

// rotation vectors of both
let ax: f64 = 0; let ay: f64 = 0; let az: f64 = 0;
let bx: f64 = 0; let by: f64 = 0; let bz: f64 = 0;

/** Whether both shapes stay farther apart than `kept`, by planes; b's pose at the start is the pair's. */
export function stayApart(pair: usize, fromA: usize, toA: usize, fromB: usize, toB: usize, kept: f64): bool {
  const ra = load<f64>(<usize>load<u32>(pair, P_SHAPE_A), S_RADIUS), rb = load<f64>(<usize>load<u32>(pair, P_SHAPE_B), S_RADIUS);
  const angleA = 2 * arc(halfSine(fromA, toA)), angleB = 2 * arc(halfSine(fromB, toB));
  let waySq: f64 = 0, size = ra + rb, firstSq: f64 = 0, lastSq: f64 = 0;
  for (let k: usize = 72; k < POSE_BYTES; k += 8) {
    const first = load<f64>(fromB + k) - load<f64>(fromA + k), last = load<f64>(toB + k) - load<f64>(toA + k);
    waySq += (last - first) * (last - first);
    firstSq += first * first; lastSq += last * last;
    size += abs(load<f64>(fromA + k)) + abs(load<f64>(fromB + k)) + abs(load<f64>(toA + k)) + abs(load<f64>(toB + k));
  }
  const least = kept + ROUNDING * size;
  const way = sqrt(waySq) + angleA * ra + angleB * rb;
  if (!findNearest(pair, way + least)) return false;
  if (apart > way + least) return true;
  if (!(apart > least)) return false;
  const start = pair + P_POSE, end = triangles + 144, turn = end + POSE_BYTES;
  writeRelative(toA, toB, end);
  writeRelative(fromA, toA, turn);
  const still = least + (angleA * angleA * ra + angleB * angleB * rb) / 8;
  let withA: f64 = Infinity, withB: f64 = Infinity;
  if (slowTurns(fromA, toA, fromB, toB)) {
    const far = sqrt(max(firstSq, lastSq));
    const apartTurns = sqrt((bx - ax) * (bx - ax) + (by - ay) * (by - ay) + (bz - az) * (bz - az)) + LEFT_OUT * (angleA + angleB);
    const more = apartTurns * (angleA + angleB);
    const slack = LEFT_OUT * far;
    withA = least + (2 * angleA * (drift(fromA, fromB, toA, toB, ax, ay, az) + slack * angleA) + angleA * angleA * far + more * rb) / 8;
    withB = least + (2 * angleB * (drift(fromA, fromB, toA, toB, bx, by, bz) + slack * angleB) + angleB * angleB * far + more * ra) / 8;
  }
  // a direction at the start, then at the end, and the same of planes that turn with a, not at all, and with b
  const nx = awayX, ny = awayY, nz = awayZ;
  let here = gapAlong(pair, start, nx, ny, nz);
  if (here > withA && gapAlong(pair, end, nx, ny, nz) > withA) return true;
  if (here > still && gapAlong(pair, end, back(turn, 0, nx, ny, nz), back(turn, 8, nx, ny, nz), back(turn, 16, nx, ny, nz)) > still) return true;
  if (here > withB && carried(pair, start, end, nx, ny, nz) > withB) return true;
  const before = turn + POSE_BYTES;
  memory.copy(before, start, POSE_BYTES);
  memory.copy(start, end, POSE_BYTES);
  const isApart = findNearest(pair, Infinity);
  memory.copy(start, before, POSE_BYTES);
  if (!isApart || !(apart > least)) return false;
  const mx = awayX, my = awayY, mz = awayZ;
  here = gapAlong(pair, end, mx, my, mz);
  if (here > withA && gapAlong(pair, start, mx, my, mz) > withA) return true;
  if (here > still && gapAlong(pair, start, onward(turn, 0, mx, my, mz), onward(turn, 24, mx, my, mz), onward(turn, 48, mx, my, mz)) > still) return true;
  return here > withB && carried(pair, end, start, mx, my, mz) > withB;
}

// @ts-ignore: decorator
@inline function back(p: usize, column: usize, x: f64, y: f64, z: f64): f64 {
  return load<f64>(p + column) * x + load<f64>(p + column, 24) * y + load<f64>(p + column, 48) * z;
}

// @ts-ignore: decorator
@inline function onward(p: usize, row: usize, x: f64, y: f64, z: f64): f64 {
  return load<f64>(p + row) * x + load<f64>(p + row, 8) * y + load<f64>(p + row, 16) * z;
}

/** The gap at a pose along a direction that b carries there from another pose. */
function carried(pair: usize, from: usize, to: usize, x: f64, y: f64, z: f64): f64 {
  const u = back(from, 0, x, y, z), v = back(from, 8, x, y, z), w = back(from, 16, x, y, z);
  return gapAlong(pair, to, onward(to, 0, u, v, w), onward(to, 24, u, v, w), onward(to, 48, u, v, w));
}

/** The largest |v − ω × c| during a motion. */
function drift(fromA: usize, fromB: usize, toA: usize, toB: usize, x: f64, y: f64, z: f64): f64 {
  const cx = load<f64>(fromB, 72) - load<f64>(fromA, 72), cy = load<f64>(fromB, 80) - load<f64>(fromA, 80), cz = load<f64>(fromB, 88) - load<f64>(fromA, 88);
  const dx = load<f64>(toB, 72) - load<f64>(toA, 72), dy = load<f64>(toB, 80) - load<f64>(toA, 80), dz = load<f64>(toB, 88) - load<f64>(toA, 88);
  const vx = dx - cx, vy = dy - cy, vz = dz - cz;
  return sqrt(max(
    square(vx - (y * cz - z * cy)) + square(vy - (z * cx - x * cz)) + square(vz - (x * cy - y * cx)),
    square(vx - (y * dz - z * dy)) + square(vy - (z * dx - x * dz)) + square(vz - (x * dy - y * dx)),
  ));
}

// @ts-ignore: decorator
@inline function square(x: f64): f64 { return x * x; }

/** Finds the rotation vectors of both; false where one turns far. */
function slowTurns(fromA: usize, toA: usize, fromB: usize, toB: usize): bool {
  if (!takeTurn(fromB, toB)) return false;
  bx = ax; by = ay; bz = az;
  return takeTurn(fromA, toA);
}

/** The vector along the axis of a rotation, as long as its angle. */
function takeTurn(from: usize, to: usize): bool {
  if (halfSine(from, to) > 0.5 * SLOW) return false;
  const x = 0.5 * (dotRows(to + 48, from + 24) - dotRows(to + 24, from + 48));
  const y = 0.5 * (dotRows(to, from + 48) - dotRows(to + 48, from));
  const z = 0.5 * (dotRows(to + 24, from) - dotRows(to, from + 24));
  // arc over sine
  const sq = x * x + y * y + z * z;
  const scale = 1 + sq * (1 / 6.0 + sq * (3 / 40.0 + sq * (5 / 112.0)));
  ax = scale * x; ay = scale * y; az = scale * z;
  return true;
}

// @ts-ignore: decorator
@inline function dotRows(p: usize, q: usize): f64 {
  return load<f64>(p) * load<f64>(q) + load<f64>(p, 8) * load<f64>(q, 8) + load<f64>(p, 16) * load<f64>(q, 16);
}
