/**
 * From objects to pairs of triangles whose boxes meet, a list at a time: pairs of objects, (part, object), pairs of
 * parts, pairs of slots. The length of a list is known to the device only: workgroups loop over it.
 *
 * Invariant: a counter rises for entries beyond the capacity of its list too, so the host sees the room needed. It
 * stops near MANY, and FULL flags it: additions under way by then cannot carry it past 2³².
 * An object against itself (self) is a pair (o, o); culling by visibility does not decide those, so flags are ignored.
 */
import { TILE } from './layout.js';

/** Appending to `list`, counted in state[counter]: entries gather in the workgroup and are written together. */
const APPEND = (counter: string, capacity: string, threads: number, room: string) => /* wgsl */ `
const THREADS = ${threads}u;
override ROOM: u32 = ${room};

var<workgroup> gathered: array<vec2u, ROOM>;
var<workgroup> gatheredCount: atomic<u32>;
var<workgroup> shared0: u32;
var<workgroup> shared1: u32;

fn reserve(count: u32) -> u32 {
  if (count == 0u) {
    return 0u;
  }
  if (atomicLoad(&state[${counter}]) > MANY) {
    atomicStore(&state[FULL], 1u);
    return MANY;
  }
  return atomicAdd(&state[${counter}], count);
}

fn store(at: u32, entry: vec2u) {
  if (at < step.${capacity}) {
    list[at] = entry;
  }
}

fn emit(entry: vec2u) {
  let at = atomicAdd(&gatheredCount, 1u);
  if (at < ROOM) {
    gathered[at] = entry;
  } else {
    store(reserve(1u), entry);
  }
}

/** Writes the gathered entries if there are more than \`patience\`. To be called by all threads. */
fn flush(thread: u32, patience: u32) {
  workgroupBarrier();
  if (thread == 0u) {
    shared0 = min(atomicLoad(&gatheredCount), ROOM);
  }
  let count = workgroupUniformLoad(&shared0);
  if (count <= patience) {
    return;
  }
  if (thread == 0u) {
    shared1 = reserve(count);
    atomicStore(&gatheredCount, 0u);
  }
  let at = workgroupUniformLoad(&shared1);
  for (var i = thread; i < count; i += THREADS) {
    store(at + i, gathered[i]);
  }
  workgroupBarrier();
}

/** The length of a list, the same for all threads. */
fn lengthOf(thread: u32, word: u32, most: u32) -> u32 {
  if (thread == 0u) {
    shared0 = min(atomicLoad(&state[word]), most);
  }
  return workgroupUniformLoad(&shared0);
}
`;

export const OBJECT_PAIRS = /* wgsl */ `
${APPEND('OBJECT_PAIRS', 'objectPairCapacity', TILE, '256u')}

var<workgroup> tile: array<Box, ${TILE}>;

fn boxOf(object: u32) -> Box {
  if (object >= step.objects || (atomicLoad(&state[step.objectWord + object]) & DROPPED) != 0u) {
    return Box(vec4f(1e30), vec4f(-1e30));
  }
  return boxes[step.parts + object];
}

fn partsOf(object: u32) -> u32 {
  return objects[object + 1u] - objects[object];
}

/** All pairs of two runs of ${TILE} objects; in a pair, the object with more parts comes first. */
@compute @workgroup_size(${TILE})
fn objectPairs(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) thread: u32) {
  if (group.y < group.x) {
    return;
  }
  let a = group.x * ${TILE}u + thread;
  let mine = boxOf(a);
  tile[thread] = boxOf(group.y * ${TILE}u + thread);
  workgroupBarrier();
  for (var k = 0u; k < ${TILE}u; k++) {
    let b = group.y * ${TILE}u + k;
    if (b > a && overlaps(mine, tile[k])) {
      emit(select(vec2u(a, b), vec2u(b, a), partsOf(b) > partsOf(a)));
      atomicStore(&state[MET + a], 1u);
      atomicStore(&state[MET + b], 1u);
    }
  }
  if (group.x == group.y && a < step.objects && table[4u * a + 3u].z != 0) {
    emit(vec2u(a, a));
    atomicStore(&state[MET + a], 1u);
  }
  flush(thread, 0u);
}
`;

/** Whether a part takes part in pairs with other objects, or, if `own`, with its own. */
const PART_LEFT = /* wgsl */ `
fn partLeft(part: u32, own: bool) -> bool {
  return own || (atomicLoad(&state[step.partWord + part]) & DROPPED) == 0u;
}
`;

export const PART_ITEMS = /* wgsl */ `
${APPEND('PART_ITEMS', 'partItemCapacity', 64, '512u')}
${PART_LEFT}

@compute @workgroup_size(64)
fn partItems(
  @builtin(workgroup_id) group: vec3u,
  @builtin(num_workgroups) groups: vec3u,
  @builtin(local_invocation_index) thread: u32,
) {
  let count = lengthOf(thread, OBJECT_PAIRS, step.objectPairCapacity);
  for (var i = group.x; i < count; i += groups.x) {
    let pair = previous[i];
    let end = objects[pair.x + 1u];
    let other = boxes[step.parts + pair.y];
    for (var part = objects[pair.x] + thread; part < end; part += 64u) {
      if (partLeft(part, pair.x == pair.y) && overlaps(boxes[part], other)) {
        emit(vec2u(part, pair.y));
      }
    }
    flush(thread, 256u);
  }
  flush(thread, 0u);
}
`;

export const PART_PAIRS = /* wgsl */ `
${APPEND('PART_PAIRS', 'partPairCapacity', 64, '512u')}
${PART_LEFT}

@compute @workgroup_size(64)
fn partPairs(
  @builtin(workgroup_id) group: vec3u,
  @builtin(num_workgroups) groups: vec3u,
  @builtin(local_invocation_index) thread: u32,
) {
  let count = lengthOf(thread, PART_ITEMS, step.partItemCapacity);
  for (var i = group.x; i < count; i += groups.x) {
    let item = previous[i];
    let mine = boxes[item.x];
    let own = parts[item.x].x == item.y;
    let end = objects[item.y + 1u];
    for (var part = select(objects[item.y], item.x, own) + thread; part < end; part += 64u) {
      if (partLeft(part, own) && overlaps(mine, boxes[part])) {
        emit(vec2u(item.x, part));
      }
    }
    flush(thread, 256u);
  }
  flush(thread, 0u);
}
`;

export const CANDIDATES = /* wgsl */ `
${APPEND('CANDIDATES', 'candidateCapacity', 64, 'select(512u, 128u, PART > 128u)')}

struct Slim {
  low0: f32, low1: f32, low2: f32,
  high0: f32, high1: f32, high2: f32,
  slot: u32,
}
var<workgroup> sideA: array<Slim, PART>;
var<workgroup> sideB: array<Slim, PART>;
var<workgroup> countA: atomic<u32>;
var<workgroup> countB: atomic<u32>;

fn corner(at: u32) -> vec3f {
  return vec3f(placed[at], placed[at + 1u], placed[at + 2u]);
}

fn boxOf(slot: u32, margin: f32) -> Box {
  return enlarged(corner(9u * slot), corner(9u * slot + 3u), corner(9u * slot + 6u), margin);
}

fn slotLeft(slot: u32, own: bool) -> bool {
  return own || (atomicLoad(&state[step.slotWord + slot]) & DROPPED) == 0u;
}

fn slim(box: Box, slot: u32) -> Slim {
  return Slim(box.low.x, box.low.y, box.low.z, box.high.x, box.high.y, box.high.z, slot);
}

fn meet(a: Slim, b: Slim) -> bool {
  return a.low0 <= b.high0 && b.low0 <= a.high0 && a.low1 <= b.high1 && b.low1 <= a.high1
    && a.low2 <= b.high2 && b.low2 <= a.high2;
}

/** Of both parts, the triangles that reach the other part's box; then all pairs of those. */
@compute @workgroup_size(64)
fn candidates(
  @builtin(workgroup_id) group: vec3u,
  @builtin(num_workgroups) groups: vec3u,
  @builtin(local_invocation_index) thread: u32,
) {
  let count = lengthOf(thread, PART_PAIRS, step.partPairCapacity);
  for (var i = group.x; i < count; i += groups.x) {
    let pair = previous[i];
    let a = parts[pair.x];
    let b = parts[pair.y];
    let own = a.x == b.x;
    for (var t = thread; t < a.z; t += 64u) {
      let slot = pair.x * PART + t;
      let box = boxOf(slot, table[4u * a.x + 3u].x);
      if (slotLeft(slot, own) && overlaps(box, boxes[pair.y])) {
        sideA[atomicAdd(&countA, 1u)] = slim(box, slot);
      }
    }
    for (var t = thread; t < b.z; t += 64u) {
      let slot = pair.y * PART + t;
      let box = boxOf(slot, table[4u * b.x + 3u].x);
      if (slotLeft(slot, own) && overlaps(box, boxes[pair.x])) {
        sideB[atomicAdd(&countB, 1u)] = slim(box, slot);
      }
    }
    workgroupBarrier();
    if (thread == 0u) {
      shared0 = atomicLoad(&countA);
      shared1 = atomicLoad(&countB);
      atomicStore(&countA, 0u);
      atomicStore(&countB, 0u);
    }
    let manyA = workgroupUniformLoad(&shared0);
    let manyB = workgroupUniformLoad(&shared1);
    for (var k = thread; k < manyA * manyB; k += 64u) {
      let s = sideA[k / manyB];
      let t = sideB[k % manyB];
      if ((!own || s.slot < t.slot) && meet(s, t)) {
        emit(vec2u(min(s.slot, t.slot), max(s.slot, t.slot)));
      }
    }
    flush(thread, ROOM / 2u);
  }
  flush(thread, 0u);
}
`;
