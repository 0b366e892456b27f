/**
 * Answers many questions of small.ts in sequence; those that do not need the host are answered in one call.
 *
 * Twins: `writeRelativePose` of src/math/pose.ts, `shiftPose` and `pairRounding` of src/mesh/stored-pose.ts,
 * `reachBeyond` of src/query/pair/within.ts. They compute in the same order, so that a pair gets the same numbers from
 * either.
 */
import { MESH_BOX, MESH_ORIGIN } from './layout';
import {
  DONE, Q_BOUND, Q_BOXES_A, Q_BOXES_B, Q_DOUBT_COUNT, Q_LEAF_PAIRS, Q_MESH_A, Q_MESH_B, Q_PAIRS, Q_PAIRS_FOUND, Q_PAIR_CAPACITY, Q_POSE, Q_STACK_TOP, Q_STARTED,
  Q_STATUS,
} from './context';
import { mayMeet, reportPair, searchPair } from './small';

// host: Entry.* = ENTRY_* / 4
// host: Thing.* = THING_* / 4
// host: ENTRY_BYTES THING_BYTES NOTHING_KNOWN MORE_PAIRS
/**
 * A question: the addresses of two placed meshes and its number; once answered, the number of pairs found, with
 * MORE_PAIRS if there may be more; a triangle of each that met in the previous query, or NOTHING_KNOWN twice.
 */
const ENTRY_BYTES: usize = 24;
const ENTRY_FIRST: usize = 0;
const ENTRY_SECOND: usize = 4;
const ENTRY_NUMBER: usize = 8;
const ENTRY_FOUND: usize = 12;
const ENTRY_LAST: usize = 16;
const NOTHING_KNOWN: u32 = 0xffffffff;
const MORE_PAIRS: u32 = 0x80000000;
/** A placed mesh: its mesh, its boxes or 0, then its pose in the world, twelve float64. */
const THING_BYTES: usize = 104;
const THING_MESH: usize = 0;
const THING_BOXES: usize = 4;
const THING_POSE: usize = 8;
/** No further question is started with less room for pairs than this. */
const ROOM: u32 = 256;

function samePose(a: usize, b: usize): bool {
  for (let k: usize = 0; k < 96; k += 8) if (load<f64>(a + k) != load<f64>(b + k)) return false;
  return true;
}

/** Writes the pose from the frame of b to the frame of a. */
function writeRelativePose(a: usize, b: usize, out: usize): void {
  const b0 = load<f64>(b), b1 = load<f64>(b, 8), b2 = load<f64>(b, 16);
  const b3 = load<f64>(b, 24), b4 = load<f64>(b, 32), b5 = load<f64>(b, 40);
  const b6 = load<f64>(b, 48), b7 = load<f64>(b, 56), b8 = load<f64>(b, 64);
  const x = load<f64>(b, 72), y = load<f64>(b, 80), z = load<f64>(b, 88);
  const ax = load<f64>(a, 72), ay = load<f64>(a, 80), az = load<f64>(a, 88);
  for (let i: usize = 0; i < 3; i++) {
    const r0 = load<f64>(a + 8 * i), r1 = load<f64>(a + 8 * i, 24), r2 = load<f64>(a + 8 * i, 48);
    const row = out + 24 * i;
    store<f64>(row, r0 * b0 + r1 * b3 + r2 * b6);
    store<f64>(row, r0 * b1 + r1 * b4 + r2 * b7, 8);
    store<f64>(row, r0 * b2 + r1 * b5 + r2 * b8, 16);
    store<f64>(out + 8 * i, r0 * x + r1 * y + r2 * z - (r0 * ax + r1 * ay + r2 * az), 72);
  }
}

/** Adjusts a pose for the origins of the meshes. */
function shiftPose(p: usize, meshA: usize, meshB: usize): void {
  const bx = load<f64>(meshB, MESH_ORIGIN), by = load<f64>(meshB, MESH_ORIGIN + 8), bz = load<f64>(meshB, MESH_ORIGIN + 16);
  for (let i: usize = 0; i < 3; i++) {
    const row = p + 24 * i;
    const turned = load<f64>(row) * bx + load<f64>(row, 8) * by + load<f64>(row, 16) * bz;
    store<f64>(p + 8 * i, turned - load<f64>(meshA + 8 * i, MESH_ORIGIN) + load<f64>(p + 8 * i, 72), 72);
  }
}

function sameOrigin(meshA: usize, meshB: usize): bool {
  for (let k: usize = 0; k < 24; k += 8) if (load<f64>(meshA + k, MESH_ORIGIN) != load<f64>(meshB + k, MESH_ORIGIN)) return false;
  return true;
}

function largestCoordinate(mesh: usize): f64 {
  let largest: f32 = 0;
  for (let k: usize = 0; k < 24; k += 4) largest = max(largest, abs(load<f32>(mesh + k, MESH_BOX)));
  return <f64>largest;
}

/**
 * Sets up the query for one question: its meshes, the pose between their coordinates, and the distances to compare
 * with.
 */
function pose(query: usize, a: usize, b: usize, distance: f64): void {
  const meshA: usize = load<u32>(a, THING_MESH), meshB: usize = load<u32>(b, THING_MESH);
  const p = query + Q_POSE;
  store<u32>(query, <u32>meshA, Q_MESH_A);
  store<u32>(query, <u32>meshB, Q_MESH_B);
  const moves = !samePose(a + THING_POSE, b + THING_POSE);
  if (moves) writeRelativePose(a + THING_POSE, b + THING_POSE, p);
  else {
    memory.fill(p, 0, 96);
    store<f64>(p, 1);
    store<f64>(p, 1, 32);
    store<f64>(p, 1, 64);
  }
  if (moves || !sameOrigin(meshA, meshB)) shiftPose(p, meshA, meshB);
  if (distance == 0) {
    store<f64>(query, 0, Q_BOUND);
    return;
  }
  const far = abs(load<f64>(p, 72)) + abs(load<f64>(p, 80)) + abs(load<f64>(p, 88));
  const rounding = 1e-15 * (largestCoordinate(meshA) + largestCoordinate(meshB) + far);
  store<f64>(query, distance * (1 + 1e-14) + rounding, Q_BOUND);
}

/**
 * Moves the questions that the meshes' boxes leave open, and those with a pair that met before, to the front; returns
 * their number.
 */
export function keepNear(query: usize, entries: usize, count: u32, distance: f64): u32 {
  let kept = entries;
  const end = entries + ENTRY_BYTES * <usize>count;
  for (let entry = entries; entry < end; entry += ENTRY_BYTES) {
    if (load<u32>(entry, ENTRY_LAST) == NOTHING_KNOWN) {
      pose(query, load<u32>(entry, ENTRY_FIRST), load<u32>(entry, ENTRY_SECOND), distance);
      if (!mayMeet(query)) continue;
    }
    v128.store(kept, v128.load(entry));
    store<u64>(kept, load<u64>(entry, ENTRY_LAST), ENTRY_LAST);
    kept += ENTRY_BYTES;
  }
  return <u32>((kept - entries) / ENTRY_BYTES);
}

/**
 * Answers questions from number `from` on, each as smallPair of small.ts does; their pairs are stored consecutively.
 * Returns the number of the first unanswered question: it was just left with Q_STATUS, or has not been started
 * (Q_STARTED 0).
 */
export function smallPairs(query: usize, entries: usize, from: u32, to: u32, distance: f64): u32 {
  for (; from < to; from++) {
    const entry = entries + ENTRY_BYTES * <usize>from;
    store<u32>(query, 0, Q_STARTED);
    if (load<u32>(query, Q_PAIR_CAPACITY) < ROOM) return from;
    pose(query, load<u32>(entry, ENTRY_FIRST), load<u32>(entry, ENTRY_SECOND), distance);
    store<u32>(query, load<u32>(<usize>load<u32>(entry, ENTRY_FIRST), THING_BOXES), Q_BOXES_A);
    store<u32>(query, load<u32>(<usize>load<u32>(entry, ENTRY_SECOND), THING_BOXES), Q_BOXES_B);
    store<u32>(query, 0, Q_STACK_TOP);
    store<u32>(query, 0, Q_LEAF_PAIRS);
    const last = load<u32>(entry, ENTRY_LAST);
    const lastB = load<u32>(entry, ENTRY_LAST + 4);
    const met = last != NOTHING_KNOWN && reportPair(query, last, lastB);
    const status = met ? DONE : searchPair(query, last, lastB);
    if (status != DONE || load<u32>(query, Q_DOUBT_COUNT)) {
      store<u32>(query, status, Q_STATUS);
      store<u32>(query, 1, Q_STARTED);
      return from;
    }
    const found = load<u32>(query, Q_PAIRS_FOUND);
    store<u32>(entry, met || load<u32>(query, Q_STACK_TOP) ? found | MORE_PAIRS : found, ENTRY_FOUND);
    store<u32>(query, 0, Q_PAIRS_FOUND);
    store<u32>(query, load<u32>(query, Q_PAIRS) + 8 * found, Q_PAIRS);
    store<u32>(query, load<u32>(query, Q_PAIR_CAPACITY) - found, Q_PAIR_CAPACITY);
  }
  return from;
}
