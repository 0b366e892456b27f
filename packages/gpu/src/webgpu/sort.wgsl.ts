/**
 * Puts the meeting pairs in order and into columns: a counting sort by the first slot, then each pair finds its place
 * among those with the same first slot by counting the lesser ones.
 *
 * `verdict` tallies the pairs in which each slot comes first, in state[tallyWord ..]. `sumBlocks` adds up blocks of
 * slots, `offsets` makes the tallies the places where the pairs of each slot begin, `scatter` moves the pairs there and
 * the places on: afterwards the tally of a slot is the end of its pairs, and that of the slot before is their
 * beginning.
 *
 * Counting is quadratic in the pairs of a slot. Where one has more than MOST_PARTNERS, `rank` leaves it to the host,
 * which learns of it from MOST.
 */
import { MOST_PARTNERS, SLOTS_PER_BLOCK } from './layout.js';

const THREADS = 256;
const PER_THREAD = SLOTS_PER_BLOCK / THREADS;

/**
 * Layout of `columns`: ids of the objects of each pair, then, after those of all pairs, the numbers of the triangles.
 */
export const SORT = /* wgsl */ `

var<workgroup> sums: array<vec2u, ${THREADS}>;

/** The sum of this thread's numbers and those of the threads before. To be called by all threads. */
fn sumUpTo(thread: u32, numbers: vec2u) -> vec2u {
  var sum = numbers;
  sums[thread] = sum;
  workgroupBarrier();
  for (var distance = 1u; distance < ${THREADS}u; distance *= 2u) {
    if (thread >= distance) {
      sum += sums[thread - distance];
    }
    workgroupBarrier();
    sums[thread] = sum;
    workgroupBarrier();
  }
  return sum;
}

fn tallyOf(slot: u32) -> u32 {
  if (slot >= step.slots) {
    return 0u;
  }
  return atomicLoad(&state[step.tallyWord + slot]);
}

fn blockCount() -> u32 {
  return (step.slots + ${SLOTS_PER_BLOCK - 1}u) / ${SLOTS_PER_BLOCK}u;
}

@compute @workgroup_size(${THREADS})
fn sumBlocks(
  @builtin(workgroup_id) group: vec3u,
  @builtin(num_workgroups) groups: vec3u,
  @builtin(local_invocation_index) thread: u32,
) {
  let blocks = blockCount();
  for (var block = group.x; block < blocks; block += groups.x) {
    var sum = 0u;
    var most = 0u;
    for (var i = thread; i < ${SLOTS_PER_BLOCK}u; i += ${THREADS}u) {
      let tally = tallyOf(block * ${SLOTS_PER_BLOCK}u + i);
      sum += tally;
      most = max(most, tally);
    }
    if (most > ${MOST_PARTNERS}u) {
      atomicMax(&state[MOST], most);
    }
    sum = sumUpTo(thread, vec2u(sum, 0u)).x;
    if (thread == ${THREADS - 1}u) {
      atomicStore(&state[step.blockWord + block], sum);
    }
  }
}

@compute @workgroup_size(${THREADS})
fn offsets(
  @builtin(workgroup_id) group: vec3u,
  @builtin(num_workgroups) groups: vec3u,
  @builtin(local_invocation_index) thread: u32,
) {
  let blocks = blockCount();
  for (var block = group.x; block < blocks; block += groups.x) {
    let first = block * ${SLOTS_PER_BLOCK}u + ${PER_THREAD}u * thread;
    var tallies: array<u32, ${PER_THREAD}>;
    var own = 0u;
    for (var i = 0u; i < ${PER_THREAD}u; i++) {
      tallies[i] = tallyOf(first + i);
      own += tallies[i];
    }
    var before = 0u;
    for (var b = thread; b < block; b += ${THREADS}u) {
      before += atomicLoad(&state[step.blockWord + b]);
    }
    var at = sumUpTo(thread, vec2u(own, before)).x - own + sums[${THREADS - 1}u].y;
    for (var i = 0u; i < ${PER_THREAD}u; i++) {
      if (first + i < step.slots) {
        atomicStore(&state[step.tallyWord + first + i], at);
      }
      at += tallies[i];
    }
    workgroupBarrier();
  }
}

/** How many pairs there are: if they did not all fit, the request is repeated. */
fn meetingCount() -> u32 {
  return min(atomicLoad(&state[MEETING]), step.meetingCapacity);
}

@compute @workgroup_size(64)
fn scatter(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
  let count = meetingCount();
  for (var i = id.x; i < count; i += 64u * groups.x) {
    let pair = found[i];
    grouped[atomicAdd(&state[step.tallyWord + pair.x], 1u)] = pair;
  }
}

@compute @workgroup_size(64)
fn rank(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
  if (atomicLoad(&state[MOST]) != 0u) {
    return;
  }
  let count = meetingCount();
  for (var i = id.x; i < count; i += 64u * groups.x) {
    let pair = grouped[i];
    var at = 0u;
    if (pair.x > 0u) {
      at = atomicLoad(&state[step.tallyWord + pair.x - 1u]);
    }
    let end = atomicLoad(&state[step.tallyWord + pair.x]);
    for (var j = at; j < end; j++) {
      at += select(0u, 1u, grouped[j].y < pair.y);
    }
    let a = parts[pair.x / PART];
    let b = parts[pair.y / PART];
    columns[at] = vec2u(ids[a.x], ids[b.x]);
    columns[count + at] = vec2u(pair.x - a.w * PART, pair.y - b.w * PART);
  }
}
`;
