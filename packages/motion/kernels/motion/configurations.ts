/**
 * Many configurations of a mechanism among obstacles: at which its parts keep apart, and at which they meet.
 *
 * Twin of src/mechanism/convex-gap.ts, pair-gap.ts, sine-cosine.ts and mechanism-space.ts, which say why it holds;
 * nothing is kept from one configuration to the next, so that answers do not depend on what was asked together. Where
 * convex solids do not decide, triangles of meshes do, in the same poses as those of the host.
 * Layout: a space is its header, by which limits, links, bodies and obstacles (things) are found, the pairs of bodies,
 * and which body may touch which obstacle (a byte for each two). Things share solids, their points, and surfaces.
 */
// host: S.* = S_*
// host: SPACE_BYTES
// host: LINK.* = LINK_*
// host: LINK_BYTES
// host: LinkType.* = FIXED TURNS SLIDES PLANAR FLOATS
// host: THING.* = THING_*
// host: THING_BYTES
// host: SOLID.* = SOLID_*
// host: SOLID_BYTES
// host: CONFIGURATION_WORK
import { Q_POSE } from '../../../impinge/kernels/context';
import { writeStored } from './poses';
import { DOUBT, FREE, MEETS, SURFACE_ORIGIN, compareSurfaces } from './surfaces';

export const S_BODIES: usize = 0;
export const S_BODY_COUNT: usize = 4;
export const S_OBSTACLES: usize = 8;
export const S_OBSTACLE_COUNT: usize = 12;
export const S_OWN: usize = 16;
export const S_OWN_COUNT: usize = 20;
export const S_ALLOWED: usize = 24;
export const S_LINKS: usize = 28;
export const S_LINK_COUNT: usize = 32;
export const S_VARIABLES: usize = 36;
/** Of each variable, the least and the most. */
export const S_LIMITS: usize = 40;
export const S_CLEARANCE: usize = 48;
/** That of the mechanism. */
export const S_REACH: usize = 56;
/** The pose of obstacles. */
export const S_IDENTITY: usize = 64;
export const SPACE_BYTES: usize = 160;

export const LINK_PARENT: usize = 0;
/** How its joint moves: FIXED and so on. */
export const LINK_TYPE: usize = 4;
/** The first variable of its joint. */
export const LINK_FIRST: usize = 8;
/** The pose of its joint in its parent; of the first link in the world. */
export const LINK_BEFORE: usize = 16;
export const LINK_FACTOR: usize = 112;
export const LINK_OFFSET: usize = 120;
/** Three unit vectors: the axis, and two across it. */
export const LINK_AXIS: usize = 128;
export const LINK_BYTES: usize = 200;

export const FIXED: u32 = 0;
export const TURNS: u32 = 1;
export const SLIDES: u32 = 2;
export const PLANAR: u32 = 3;
export const FLOATS: u32 = 4;

export const THING_SOLID: usize = 0;
/** 0 where nothing is known of what it fills. */
export const THING_INNER: usize = 4;
/** Of a body. */
export const THING_LINK: usize = 8;
/** 1 where the solid is what is meant, 2 where it is a half-space. */
export const THING_KIND: usize = 12;
export const THING_NORMAL: usize = 16;
export const THING_ROUNDING: usize = 40;
/** Of an obstacle, in the world. */
export const THING_BOX: usize = 48;
/** Of a mesh (surfaces.ts), or 0; its pose in the frame of the link, or in the world. */
export const THING_SURFACE: usize = 96;
export const THING_SURFACE_POSE: usize = 104;
/** Of what it certainly fills: how much it reaches beyond that, and how wide that is at least. */
export const THING_SKIN: usize = 200;
export const THING_WIDTH: usize = 208;
export const THING_BYTES: usize = 216;

export const SOLID_RADIUS: usize = 0;
export const SOLID_DISK: usize = 8;
export const SOLID_REACH: usize = 16;
export const SOLID_CENTRE: usize = 24;
export const SOLID_AXIS: usize = 48;
export const SOLID_COUNT: usize = 72;
/** Where lists of points begin, by cell, and the lists; 0 where all points are looked at. */
export const SOLID_CELLS: usize = 76;
export const SOLID_POINTS: usize = 80;
export const SOLID_BYTES: usize = 80;

/**
 * Bytes of the work of a call: four corners, the frame of a joint and its move, where two surfaces are, pairs in doubt;
 * then the poses of all links.
 */
export const CONFIGURATION_WORK: usize = 992;
const POSED_A: usize = 288;
const POSED_B: usize = 384;
const DOUBTS: usize = 480;
/** Of a pair in doubt: both things and where they are. */
const DOUBT_BYTES: usize = 16;
const MOST_DOUBTS: u32 = 32;

const EXACT: u32 = 1;
const HALF_SPACE: u32 = 2;

/** As of src/mechanism/body-pair.ts. */
const ROUNDING: f64 = 1e-13;
const MOST_STEPS: i32 = 48;
const NOTHING: f64 = 1e-14;
const NOTHING_ACROSS: f64 = 1e-15;
const CELLS: i32 = 8;

/** Half angles beyond are left to the host. */
const MOST_ANGLE: f64 = 1e6;

let sine: f64 = 0, cosine: f64 = 0;
let w: usize = 0;
let doubts: u32 = 0;
let count: i32 = 0;
let kept: i32 = 0;
let vx: f64 = 0, vy: f64 = 0, vz: f64 = 0;
let nx: f64 = 0, ny: f64 = 0, nz: f64 = 0;
let least: f64 = 0, most: f64 = 0;
let px: f64 = 0, py: f64 = 0, pz: f64 = 0;

/**
 * Writes 1 for each configuration that is free, 0 where something meets or a variable is out of its limits, 2 where the
 * host has to decide. `query` is one of surfaces, if there are any.
 */
export function checkConfigurations(space: usize, query: usize, work: usize, at: usize, verdicts: usize, configurations: u32): void {
  w = work;
  const poses = work + CONFIGURATION_WORK;
  const stride = 8 * <usize>load<u32>(space, S_VARIABLES);
  for (let i: usize = 0; i < <usize>configurations; i++) {
    const variables = at + stride * i;
    let verdict = MEETS;
    if (isWithinLimits(space, variables, stride)) {
      verdict = DOUBT;
      if (forward(space, variables, work + 96, poses)) verdict = check(space, query, poses, marginOf(space, poses));
    }
    store<u8>(verdicts + i, verdict);
  }
}

function isWithinLimits(space: usize, variables: usize, bytes: usize): bool {
  const limits = <usize>load<u32>(space, S_LIMITS);
  for (let k: usize = 0; k < bytes; k += 8) {
    const value = load<f64>(variables + k);
    if (!(value >= load<f64>(limits + 2 * k) && value <= load<f64>(limits + 2 * k, 8))) return false;
  }
  return true;
}

/** Writes the poses of all links; false where an angle is too large. */
function forward(space: usize, variables: usize, frame: usize, poses: usize): bool {
  const move = frame + 96;
  let link = <usize>load<u32>(space, S_LINKS);
  memory.copy(poses, link + LINK_BEFORE, 96);
  for (let i: u32 = 1, links = load<u32>(space, S_LINK_COUNT); i < links; i++) {
    link += LINK_BYTES;
    const pose = poses + 96 * <usize>i;
    const parent = poses + 96 * <usize>load<u32>(link, LINK_PARENT);
    if (load<u32>(link, LINK_TYPE) == FIXED) {
      compose(parent, link + LINK_BEFORE, pose);
      continue;
    }
    if (!writeMove(link, variables + 8 * <usize>load<u32>(link, LINK_FIRST), move)) return false;
    compose(parent, link + LINK_BEFORE, frame);
    compose(frame, move, pose);
  }
  return true;
}

/** Writes how a joint that has its variables at `q` is moved. */
function writeMove(link: usize, q: usize, out: usize): bool {
  const type = load<u32>(link, LINK_TYPE);
  const axis = link + LINK_AXIS;
  const value = load<f64>(link, LINK_FACTOR) * load<f64>(q) + load<f64>(link, LINK_OFFSET);
  if (type == FLOATS) {
    writeTurn(load<f64>(q, 24), load<f64>(q, 32), load<f64>(q, 40), load<f64>(q, 48), out);
    memory.copy(out + 72, q, 24);
    return true;
  }
  const half = type == TURNS ? 0.5 * value : type == PLANAR ? 0.5 * load<f64>(q, 16) : 0;
  if (!(abs(half) < MOST_ANGLE)) return false;
  setSineCosine(half);
  writeTurn(sine * load<f64>(axis), sine * load<f64>(axis, 8), sine * load<f64>(axis, 16), cosine, out);
  for (let k: usize = 0; k < 24; k += 8) {
    let slide: f64 = 0;
    if (type == SLIDES) slide = value * load<f64>(axis + k);
    else if (type == PLANAR) slide = load<f64>(q) * load<f64>(axis + k, 24) + load<f64>(q, 8) * load<f64>(axis + k, 48);
    store<f64>(out + k, slide, 72);
  }
  return true;
}

/** Writes the rotation of a quaternion. */
function writeTurn(x: f64, y: f64, z: f64, w: f64, out: usize): void {
  const s = 2 / (x * x + y * y + z * z + w * w);
  store<f64>(out, 1 - s * (y * y + z * z));
  store<f64>(out, s * (x * y - z * w), 8);
  store<f64>(out, s * (x * z + y * w), 16);
  store<f64>(out, s * (x * y + z * w), 24);
  store<f64>(out, 1 - s * (x * x + z * z), 32);
  store<f64>(out, s * (y * z - x * w), 40);
  store<f64>(out, s * (x * z - y * w), 48);
  store<f64>(out, s * (y * z + x * w), 56);
  store<f64>(out, 1 - s * (x * x + y * y), 64);
}

/**
 * Sine and cosine of an angle below MOST_ANGLE, to some 10⁻¹⁶: less the nearest quarter turns in two parts, the first
 * of 33 bits, whose products with so few are exact; then the polynomials of fdlibm.
 */
function setSineCosine(angle: f64): void {
  const quarters = nearest(angle * 0.6366197723675814);
  const x = angle - quarters * 1.57079632673412561417 - quarters * 6.07710050650619224932e-11;
  const z = x * x;
  const s = x + z * x * (-1.66666666666666324348e-01 + z * (8.33333333332248946124e-03 + z * (-1.98412698298579493134e-04
    + z * (2.75573137070700676789e-06 + z * (-2.50507602534068634195e-08 + z * 1.58969099521155010221e-10)))));
  const c = 1 - (0.5 * z - z * z * (4.16666666666666019037e-02 + z * (-1.38888888888741095749e-03 + z * (2.48015872894767294178e-05
    + z * (-2.75573143513906633035e-07 + z * (2.08757232129817482790e-09 + z * -1.13596475577881948265e-11))))));
  const turn = <i32>quarters & 3;
  sine = turn == 0 ? s : turn == 1 ? c : turn == 2 ? -s : -c;
  cosine = turn == 0 ? c : turn == 1 ? -s : turn == 2 ? -c : s;
}

/** Writes the pose that applies `b` first, then `a`. */
function compose(a: usize, b: usize, out: usize): void {
  for (let row: usize = 0; row < 3; row++) {
    const x = load<f64>(a + 24 * row), y = load<f64>(a + 24 * row, 8), z = load<f64>(a + 24 * row, 16);
    const to = out + 24 * row;
    store<f64>(to, x * load<f64>(b) + y * load<f64>(b, 24) + z * load<f64>(b, 48));
    store<f64>(to, x * load<f64>(b, 8) + y * load<f64>(b, 32) + z * load<f64>(b, 56), 8);
    store<f64>(to, x * load<f64>(b, 16) + y * load<f64>(b, 40) + z * load<f64>(b, 64), 16);
    store<f64>(out + 8 * row, x * load<f64>(b, 72) + y * load<f64>(b, 80) + z * load<f64>(b, 88) + load<f64>(a + 8 * row, 72), 72);
  }
}

/** More than rounding changes in any length. */
function marginOf(space: usize, poses: usize): f64 {
  let most = load<f64>(space, S_REACH);
  if (most < Infinity) {
    for (let pose = poses, end = poses + 96 * <usize>load<u32>(space, S_LINK_COUNT); pose < end; pose += 96)
      most = max(most, farthestAlong(pose));
    return ROUNDING * most;
  }
  most = 0;
  let body = <usize>load<u32>(space, S_BODIES);
  for (const end = body + THING_BYTES * <usize>load<u32>(space, S_BODY_COUNT); body < end; body += THING_BYTES) {
    const solid = <usize>load<u32>(body, THING_SOLID);
    const x = load<f64>(solid, SOLID_CENTRE), y = load<f64>(solid, SOLID_CENTRE + 8), z = load<f64>(solid, SOLID_CENTRE + 16);
    most = max(most, farthestAlong(poseOf(body, poses)) + sqrt(x * x + y * y + z * z) + load<f64>(solid, SOLID_REACH));
  }
  return ROUNDING * most;
}

// @ts-ignore: decorator
@inline function farthestAlong(pose: usize): f64 {
  return max(abs(load<f64>(pose, 72)), max(abs(load<f64>(pose, 80)), abs(load<f64>(pose, 88))));
}

function check(space: usize, query: usize, poses: usize, margin: f64): u8 {
  const clearance = load<f64>(space, S_CLEARANCE);
  const bodies = <usize>load<u32>(space, S_BODIES);
  const obstacles = <usize>load<u32>(space, S_OBSTACLES);
  const bodyCount = load<u32>(space, S_BODY_COUNT), obstacleCount = load<u32>(space, S_OBSTACLE_COUNT);
  let own = <usize>load<u32>(space, S_OWN);
  doubts = 0;
  for (const end = own + 8 * <usize>load<u32>(space, S_OWN_COUNT); own < end; own += 8) {
    const a = bodies + THING_BYTES * <usize>load<u32>(own);
    const b = bodies + THING_BYTES * <usize>load<u32>(own, 4);
    if (checkPair(a, poseOf(a, poses), b, poseOf(b, poses), clearance, margin) == MEETS) return MEETS;
  }
  let allowed = <usize>load<u32>(space, S_ALLOWED);
  for (let i: u32 = 0; i < bodyCount; i++) {
    const a = bodies + THING_BYTES * <usize>i;
    const pose = poseOf(a, poses);
    const solid = <usize>load<u32>(a, THING_SOLID);
    const distance = load<f64>(solid, SOLID_REACH) + clearance + margin;
    const x = turned(pose, solid + SOLID_CENTRE), y = turned(pose + 24, solid + SOLID_CENTRE), z = turned(pose + 48, solid + SOLID_CENTRE);
    const cx = x + load<f64>(pose, 72), cy = y + load<f64>(pose, 80), cz = z + load<f64>(pose, 88);
    for (let j: u32 = 0; j < obstacleCount; j++, allowed++) {
      const b = obstacles + THING_BYTES * <usize>j;
      if (load<f64>(b, THING_BOX) - cx > distance || cx - load<f64>(b, THING_BOX + 24) > distance) continue;
      if (load<f64>(b, THING_BOX + 8) - cy > distance || cy - load<f64>(b, THING_BOX + 32) > distance) continue;
      if (load<f64>(b, THING_BOX + 16) - cz > distance || cz - load<f64>(b, THING_BOX + 40) > distance) continue;
      if (load<u8>(allowed) != 0) continue;
      if (checkPair(a, pose, b, space + S_IDENTITY, clearance, margin) == MEETS) return MEETS;
    }
  }
  if (doubts > MOST_DOUBTS) return DOUBT;
  let verdict = FREE;
  for (let pair = w + DOUBTS, end = pair + DOUBT_BYTES * <usize>doubts; pair < end; pair += DOUBT_BYTES) {
    const found = compareTriangles(query, load<u32>(pair), load<u32>(pair, 4), load<u32>(pair, 8), load<u32>(pair, 12), clearance);
    if (found == MEETS) return MEETS;
    if (found != FREE) verdict = DOUBT;
  }
  return verdict;
}

/** As of a `ConvexSolid`. */
// @ts-ignore: decorator
@inline function hides(a: usize, b: usize): bool {
  const skin = load<f64>(a, THING_SKIN);
  return skin > 0 && load<f64>(b, THING_WIDTH) <= 2 * skin;
}

/** Decides about a pair that its solids leave open, if both are meshes. */
function compareTriangles(query: usize, a: usize, poseA: usize, b: usize, poseB: usize, clearance: f64): u8 {
  const surfaceA = <usize>load<u32>(a, THING_SURFACE), surfaceB = <usize>load<u32>(b, THING_SURFACE);
  if (surfaceA == 0 || surfaceB == 0) return DOUBT;
  compose(poseA, a + THING_SURFACE_POSE, w + POSED_A);
  compose(poseB, b + THING_SURFACE_POSE, w + POSED_B);
  writeStored(w + POSED_A, w + POSED_B, surfaceA + SURFACE_ORIGIN, surfaceB + SURFACE_ORIGIN, query + Q_POSE);
  // what both certainly fill tells whether one lies in the other
  const inside = load<u32>(a, THING_INNER) == 0 || load<u32>(b, THING_INNER) == 0 || hides(a, b) || hides(b, a);
  return compareSurfaces(query, surfaceA, surfaceB, clearance, inside);
}

// @ts-ignore: decorator
@inline function poseOf(body: usize, poses: usize): usize {
  return poses + 96 * <usize>load<u32>(body, THING_LINK);
}

/** A row of a pose times a point. */
// @ts-ignore: decorator
@inline function turned(row: usize, point: usize): f64 {
  return load<f64>(row) * load<f64>(point) + load<f64>(row, 8) * load<f64>(point, 8) + load<f64>(row, 16) * load<f64>(point, 16);
}

/** `DOUBT` is put on the list, too. */
function checkPair(a: usize, poseA: usize, b: usize, poseB: usize, clearance: f64, slack: f64): u8 {
  const enough = clearance + slack + load<f64>(b, THING_ROUNDING);
  boundGap(a, poseA, b, poseB, enough, clearance, slack);
  if (least > enough) return FREE;
  const kindA = load<u32>(a, THING_KIND), kindB = load<u32>(b, THING_KIND);
  if (kindB == HALF_SPACE || (kindA == EXACT && kindB == EXACT)) return MEETS;
  const innerA = <usize>load<u32>(a, THING_INNER), innerB = <usize>load<u32>(b, THING_INNER);
  if (innerA != 0 && innerB != 0) {
    measure(innerA, poseA, innerB, poseB, clearance + slack, clearance, slack);
    if (most <= clearance) return MEETS;
  }
  if (doubts < MOST_DOUBTS) {
    const at = w + DOUBTS + DOUBT_BYTES * <usize>doubts;
    store<u32>(at, <u32>a);
    store<u32>(at, <u32>poseA, 4);
    store<u32>(at, <u32>b, 8);
    store<u32>(at, <u32>poseB, 12);
  }
  doubts++;
  return DOUBT;
}

function boundGap(a: usize, poseA: usize, b: usize, poseB: usize, enough: f64, near: f64, slack: f64): void {
  const solidA = <usize>load<u32>(a, THING_SOLID), solidB = <usize>load<u32>(b, THING_SOLID);
  if (load<u32>(b, THING_KIND) == HALF_SPACE) {
    const x = load<f64>(b, THING_NORMAL), y = load<f64>(b, THING_NORMAL + 8), z = load<f64>(b, THING_NORMAL + 16);
    const deepest = -extent(solidA, -column(poseA, x, y, z), -column(poseA + 8, x, y, z), -column(poseA + 16, x, y, z));
    least = deepest - load<f64>(solidA, SOLID_RADIUS) + x * (load<f64>(poseA, 72) - load<f64>(solidB, SOLID_POINTS))
      + y * (load<f64>(poseA, 80) - load<f64>(solidB, SOLID_POINTS + 8)) + z * (load<f64>(poseA, 88) - load<f64>(solidB, SOLID_POINTS + 16));
    return;
  }
  const c = solidA + SOLID_CENTRE, d = solidB + SOLID_CENTRE;
  nx = turned(poseB, d) + load<f64>(poseB, 72) - (turned(poseA, c) + load<f64>(poseA, 72));
  ny = turned(poseB + 24, d) + load<f64>(poseB, 80) - (turned(poseA + 24, c) + load<f64>(poseA, 80));
  nz = turned(poseB + 48, d) + load<f64>(poseB, 88) - (turned(poseA + 48, c) + load<f64>(poseA, 88));
  const apart = sqrt(nx * nx + ny * ny + nz * nz);
  least = apart - load<f64>(solidA, SOLID_REACH) - load<f64>(solidB, SOLID_REACH);
  if (least > enough) return;
  if (apart > 0) { nx /= apart; ny /= apart; nz /= apart; }
  else { nx = 1; ny = 0; nz = 0; }
  measure(solidA, poseA, solidB, poseB, enough, near, slack);
}

/** A column of a pose times a vector. */
// @ts-ignore: decorator
@inline function column(at: usize, x: f64, y: f64, z: f64): f64 {
  return load<f64>(at) * x + load<f64>(at, 24) * y + load<f64>(at, 48) * z;
}

function measure(a: usize, poseA: usize, b: usize, poseB: usize, enough: f64, near: f64, slack: f64): void {
  const radii = load<f64>(a, SOLID_RADIUS) + load<f64>(b, SOLID_RADIUS);
  const size = load<f64>(a, SOLID_REACH) + load<f64>(b, SOLID_REACH) + abs(load<f64>(poseA, 72) - load<f64>(poseB, 72))
    + abs(load<f64>(poseA, 80) - load<f64>(poseB, 80)) + abs(load<f64>(poseA, 88) - load<f64>(poseB, 88));
  count = 0;
  least = -Infinity;
  most = Infinity;
  let x = nx, y = ny, z = nz;
  for (let step = 0; step < MOST_STEPS; step++) {
    const gap = support(a, poseA, b, poseB, x, y, z) - radii;
    if (gap > least) {
      least = gap;
      nx = x; ny = y; nz = z;
      if (gap > enough) break;
    }
    if (most - least <= slack) break;
    if (isKnown()) break;
    count++;
    if (!reduce()) {
      most = 0;
      return;
    }
    const length = sqrt(vx * vx + vy * vy + vz * vz);
    if (length - radii < most) most = max(0, length - radii);
    const isNothing = !(length > NOTHING * size);
    if (most <= near || isNothing) {
      if (isNothing) most = 0;
      return;
    }
    x = -vx / length; y = -vy / length; z = -vz / length;
  }
  if (most < least) most = least;
}

/** The farthest point along a direction of any length, left in px, py, pz, without the radius; how far it is. */
function extent(solid: usize, x: f64, y: f64, z: f64): f64 {
  const points = solid + SOLID_POINTS;
  const cells = <usize>load<u32>(solid, SOLID_CELLS);
  let far = -Infinity;
  let best = points;
  if (cells == 0) {
    for (let p = points, end = points + 24 * <usize>load<u32>(solid, SOLID_COUNT); p < end; p += 24) {
      const along = load<f64>(p) * x + load<f64>(p, 8) * y + load<f64>(p, 16) * z;
      if (along > far) { far = along; best = p; }
    }
  } else {
    const cell = cells + 4 * cellOf(x, y, z);
    for (let c = cells + <usize>load<u32>(cell), end = cells + <usize>load<u32>(cell, 4); c < end; c += 4) {
      const p = points + <usize>load<u32>(c);
      const along = load<f64>(p) * x + load<f64>(p, 8) * y + load<f64>(p, 16) * z;
      if (along > far) { far = along; best = p; }
    }
  }
  px = load<f64>(best); py = load<f64>(best, 8); pz = load<f64>(best, 16);
  const disk = load<f64>(solid, SOLID_DISK);
  if (disk == 0) return far;
  const ax = load<f64>(solid, SOLID_AXIS), ay = load<f64>(solid, SOLID_AXIS + 8), az = load<f64>(solid, SOLID_AXIS + 16);
  const along = x * ax + y * ay + z * az;
  let dx = x - along * ax, dy = y - along * ay, dz = z - along * az;
  const rest = dx * ax + dy * ay + dz * az;
  dx -= rest * ax; dy -= rest * ay; dz -= rest * az;
  const length = sqrt(dx * dx + dy * dy + dz * dz);
  if (length > NOTHING_ACROSS * abs(along)) {
    const k = disk / length;
    px += k * dx; py += k * dy; pz += k * dz;
  }
  return far + disk * length;
}

/** The cell of a direction, as of src/mechanism/farthest-points.ts. */
// @ts-ignore: decorator
@inline function cellOf(x: f64, y: f64, z: f64): usize {
  const ax = abs(x), ay = abs(y), az = abs(z);
  let face = 0;
  let far = x, u = y, v = z;
  if (ay > ax && ay >= az) { face = 2; far = y; u = z; v = x; }
  else if (az > ax && az > ay) { face = 4; far = z; u = x; v = y; }
  if (far < 0) face++;
  const scale = 0.5 * <f64>CELLS / abs(far);
  const i = <i32>min(<f64>(CELLS - 1), floor(u * scale + 0.5 * <f64>CELLS));
  const j = <i32>min(<f64>(CELLS - 1), floor(v * scale + 0.5 * <f64>CELLS));
  return <usize>((face * CELLS + i) * CELLS + j);
}

/** Adds the difference of the points farthest along (x, y, z); returns the gap along it, without radii. */
function support(a: usize, p: usize, b: usize, q: usize, x: f64, y: f64, z: f64): f64 {
  extent(a, column(p, x, y, z), column(p + 8, x, y, z), column(p + 16, x, y, z));
  const x0 = px, y0 = py, z0 = pz;
  extent(b, -column(q, x, y, z), -column(q + 8, x, y, z), -column(q + 16, x, y, z));
  const at = w + 24 * <usize>count;
  const wx = placed(p, 0, x0, y0, z0) - placed(q, 0, px, py, pz);
  const wy = placed(p, 1, x0, y0, z0) - placed(q, 1, px, py, pz);
  const wz = placed(p, 2, x0, y0, z0) - placed(q, 2, px, py, pz);
  store<f64>(at, wx);
  store<f64>(at, wy, 8);
  store<f64>(at, wz, 16);
  return -(wx * x + wy * y + wz * z);
}

// @ts-ignore: decorator
@inline function placed(pose: usize, k: usize, x: f64, y: f64, z: f64): f64 {
  const row = pose + 24 * k;
  return load<f64>(row) * x + load<f64>(row, 8) * y + load<f64>(row, 16) * z + load<f64>(pose + 8 * k, 72);
}

function isKnown(): bool {
  const at = w + 24 * <usize>count;
  const x = load<f64>(at), y = load<f64>(at, 8), z = load<f64>(at, 16);
  for (let p = w; p < at; p += 24) if (load<f64>(p) == x && load<f64>(p, 8) == y && load<f64>(p, 16) == z) return true;
  return false;
}

function reduce(): bool {
  if (count == 1) take();
  else if (count == 2) ofSegment();
  else if (count == 3) {
    ofTriangle(0, 1, 2, Infinity);
    keep();
  } else return ofFour();
  return true;
}

function take(): void {
  vx = load<f64>(w); vy = load<f64>(w, 8); vz = load<f64>(w, 16);
}

function ofSegment(): void {
  const x = load<f64>(w), y = load<f64>(w, 8), z = load<f64>(w, 16);
  const dx = load<f64>(w, 24) - x, dy = load<f64>(w, 32) - y, dz = load<f64>(w, 40) - z;
  const lengthSq = dx * dx + dy * dy + dz * dz;
  const t = lengthSq > 0 ? -(x * dx + y * dy + z * dz) / lengthSq : 0;
  if (t <= 0) {
    count = 1;
    take();
  } else if (t >= 1) {
    memory.copy(w, w + 24, 24);
    count = 1;
    take();
  } else {
    vx = x + t * dx; vy = y + t * dy; vz = z + t * dz;
  }
}

function ofTriangle(i: i32, j: i32, k: i32, bestSq: f64): f64 {
  const a = w + 24 * <usize>i, b = w + 24 * <usize>j, c = w + 24 * <usize>k;
  const ax = load<f64>(a), ay = load<f64>(a, 8), az = load<f64>(a, 16);
  const bx = load<f64>(b), by = load<f64>(b, 8), bz = load<f64>(b, 16);
  const cx = load<f64>(c), cy = load<f64>(c, 8), cz = load<f64>(c, 16);
  const ux = bx - ax, uy = by - ay, uz = bz - az;
  const tx = cx - ax, ty = cy - ay, tz = cz - az;
  const d1 = -(ux * ax + uy * ay + uz * az), d2 = -(tx * ax + ty * ay + tz * az);
  const d3 = -(ux * bx + uy * by + uz * bz), d4 = -(tx * bx + ty * by + tz * bz);
  const d5 = -(ux * cx + uy * cy + uz * cz), d6 = -(tx * cx + ty * cy + tz * cz);
  const va = d3 * d6 - d5 * d4, vb = d5 * d2 - d1 * d6, vc = d1 * d4 - d3 * d2;
  let s: f64 = 0, t: f64 = 0;
  if (d1 <= 0 && d2 <= 0) { s = 0; t = 0; }
  else if (d3 >= 0 && d4 <= d3) s = 1;
  else if (d6 >= 0 && d5 <= d6) t = 1;
  else if (vc <= 0 && d1 >= 0 && d3 <= 0) s = d1 / (d1 - d3);
  else if (vb <= 0 && d2 >= 0 && d6 <= 0) t = d2 / (d2 - d6);
  else if (va <= 0 && d4 - d3 >= 0 && d5 - d6 >= 0) {
    t = (d4 - d3) / (d4 - d3 + (d5 - d6));
    s = 1 - t;
  } else {
    const sum = va + vb + vc;
    s = vb / sum;
    t = vc / sum;
  }
  const x = ax + s * ux + t * tx, y = ay + s * uy + t * ty, z = az + s * uz + t * tz;
  const distanceSq = x * x + y * y + z * z;
  if (!(distanceSq < bestSq)) return bestSq;
  vx = x; vy = y; vz = z;
  kept = 0;
  if (1 - s - t > 0) kept |= 1 << i;
  if (s > 0) kept |= 1 << j;
  if (t > 0) kept |= 1 << k;
  return distanceSq;
}

function keep(): void {
  let left: i32 = 0;
  for (let i: i32 = 0; i < count; i++) {
    if ((kept & (1 << i)) == 0) continue;
    if (left < i) memory.copy(w + 24 * <usize>left, w + 24 * <usize>i, 24);
    left++;
  }
  count = left;
}

function ofFour(): bool {
  const whole = volume();
  const isSized = whole != 0;
  let inside = isSized;
  let bestSq = Infinity;
  for (let without = 0; without < 4; without++) {
    const i = without == 0 ? 1 : 0, j = without < 2 ? 2 : 1, k = without < 3 ? 3 : 2;
    const part = volumeAtOrigin(i, j, k) * ((without & 1) == 0 ? 1.0 : -1.0) * (whole > 0 ? 1.0 : -1.0);
    if (isSized && part > 0) continue;
    inside = false;
    bestSq = ofTriangle(i, j, k, bestSq);
  }
  if (inside) return false;
  keep();
  return true;
}

/** Six times the signed volume of the four corners. */
function volume(): f64 {
  const x = load<f64>(w), y = load<f64>(w, 8), z = load<f64>(w, 16);
  const ax = load<f64>(w, 24) - x, ay = load<f64>(w, 32) - y, az = load<f64>(w, 40) - z;
  const bx = load<f64>(w, 48) - x, by = load<f64>(w, 56) - y, bz = load<f64>(w, 64) - z;
  const cx = load<f64>(w, 72) - x, cy = load<f64>(w, 80) - y, cz = load<f64>(w, 88) - z;
  return ax * (by * cz - bz * cy) + ay * (bz * cx - bx * cz) + az * (bx * cy - by * cx);
}

function volumeAtOrigin(i: i32, j: i32, k: i32): f64 {
  const a = w + 24 * <usize>i, b = w + 24 * <usize>j, c = w + 24 * <usize>k;
  const bx = load<f64>(b), by = load<f64>(b, 8), bz = load<f64>(b, 16);
  const cx = load<f64>(c), cy = load<f64>(c, 8), cz = load<f64>(c, 16);
  return load<f64>(a) * (by * cz - bz * cy) + load<f64>(a, 8) * (bz * cx - bx * cz) + load<f64>(a, 16) * (bx * cy - by * cx);
}
