/**
 * After a batch: the findings of the views are gathered, and at the end of a round items are dropped. After a stage:
 * parts without a triangle left, then objects without a part left, are dropped too.
 *
 * Layout of the word of an item: from bit 0 on its partners' colours; then, for each colour of the batch, the views in
 * which it is not free of it; KEPT; DROPPED.
 */
import { KEPT_BIT } from './layout.js';
import { STEP_COMPLETE, STEP_LAST } from './step.js';

export const SETTLE = /* wgsl */ `

override STAGE: u32 = 0u;

const KEPT = ${1 << KEPT_BIT}u;

var<workgroup> shared0: u32;
var<workgroup> leftCount: atomic<u32>;
var<workgroup> droppedCount: atomic<u32>;

fn dropped(word: u32) -> bool {
  return (atomicLoad(&state[word]) & DROPPED) != 0u;
}

fn wordCount() -> u32 {
  switch (STAGE) {
    case 2u: { return step.parts; }
    case 3u: { return step.parts * PART; }
    default: { return step.objects; }
  }
}

fn firstWord() -> u32 {
  switch (STAGE) {
    case 2u: { return step.partWord; }
    case 3u: { return step.slotWord; }
    default: { return step.objectWord; }
  }
}

/** Whether it took part in this round. */
fn left(item: u32) -> bool {
  if (dropped(firstWord() + item)) {
    return false;
  }
  if (STAGE < 2u) {
    return true;
  }
  let part = select(item / PART, item, STAGE == 2u);
  let entry = parts[part];
  return !dropped(step.objectWord + entry.x)
    && (STAGE == 2u || (!dropped(step.partWord + part) && item % PART < entry.z));
}

@compute @workgroup_size(256)
fn settle(
  @builtin(workgroup_id) group: vec3u,
  @builtin(num_workgroups) groups: vec3u,
  @builtin(local_invocation_index) thread: u32,
) {
  if (thread == 0u) {
    shared0 = u32(step.previousWord != 0u && atomicLoad(&state[step.previousWord]) == 0u);
  }
  if (workgroupUniformLoad(&shared0) != 0u) {
    return;
  }
  let first = group.x * 256u + thread;
  let stride = groups.x * 256u;
  let complete = (step.ends & ${STEP_COMPLETE}u) != 0u;
  let last = (step.ends & ${STEP_LAST}u) != 0u;
  if (complete) {
    let all = (1u << step.viewCount) - 1u;
    for (var item = first; item < wordCount(); item += stride) {
      if (!left(item)) {
        continue;
      }
      let word = firstWord() + item;
      let before = atomicLoad(&state[word]);
      let partners = before & ((1u << step.colours) - 1u);
      var kept = (before & KEPT) != 0u;
      for (var colour = 0u; colour < step.colourCount; colour++) {
        let views = all << (step.colours + colour * step.viewCount);
        kept = kept || (before & views) == views;
      }
      if (last) {
        atomicStore(&state[word], select(DROPPED, partners, kept));
        atomicAdd(&leftCount, 1u);
        atomicAdd(&droppedCount, select(1u, 0u, kept));
      } else {
        atomicStore(&state[word], partners | select(0u, KEPT, kept));
      }
    }
  }
  workgroupBarrier();
  if (thread == 0u) {
    if (step.leftWord != 0u) {
      atomicAdd(&state[step.leftWord], atomicLoad(&leftCount));
    }
    if (last) {
      atomicAdd(&state[step.droppedWord], atomicLoad(&droppedCount));
    }
    if (group.x == 0u) {
      atomicMax(&state[MOST_TASKS], atomicExchange(&state[TASKS], 0u));
    }
  }
}

const FREE_OF_EARLIER = 1u;
const FREE_OF_LATER = 2u;

/**
 * After the passes of a round of \`queries\`, in order and in reverse by turns. The bits FREE stay from round to round:
 * an item that was once free of all objects before it stays so, as these only become fewer; likewise of all after it.
 */
@compute @workgroup_size(64)
fn settleQueries(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
  let stride = (wordCount() + 31u) & ~31u;
  for (var item = id.x; item < wordCount(); item += 64u * groups.x) {
    if (!left(item)) {
      continue;
    }
    let word = firstWord() + item;
    var free = atomicLoad(&state[word]);
    if (step.leftWord != 0u) {
      atomicAdd(&state[step.leftWord], 1u);
    }
    for (var i = 0u; i < 2u * step.viewCount; i++) {
      if (all(answers[i * stride + item] == vec2u(0))) {
        free |= select(FREE_OF_EARLIER, FREE_OF_LATER, (i & 1u) == 1u);
      }
    }
    if (free == (FREE_OF_EARLIER | FREE_OF_LATER)) {
      free = DROPPED;
      atomicAdd(&state[step.droppedWord], 1u);
    } else if ((step.ends & ${STEP_LAST}u) != 0u) {
      free = 0u;
    }
    atomicStore(&state[word], free);
  }
}
`;

/** Once the generations are used up. */
export const WIPE = /* wgsl */ `

@compute @workgroup_size(256)
fn wipe(@builtin(global_invocation_id) thread: vec3u, @builtin(num_workgroups) groups: vec3u) {
  for (var i = thread.x; i < arrayLength(&images); i += 256u * groups.x) {
    atomicStore(&images[i][0], 0u);
    atomicStore(&images[i][1], 0u);
  }
}
`;

export const SWEEP = /* wgsl */ `

var<workgroup> found: atomic<u32>;

/** A workgroup per part. */
@compute @workgroup_size(64)
fn sweepParts(
  @builtin(workgroup_id) group: vec3u,
  @builtin(num_workgroups) groups: vec3u,
  @builtin(local_invocation_index) thread: u32,
) {
  let part = groupIndex(group, groups);
  if (part >= step.parts) {
    return;
  }
  for (var t = thread; t < parts[part].z; t += 64u) {
    if ((atomicLoad(&state[step.slotWord + part * PART + t]) & DROPPED) == 0u) {
      atomicStore(&found, 1u);
    }
  }
  workgroupBarrier();
  if (thread == 0u && atomicLoad(&found) == 0u) {
    atomicStore(&state[step.partWord + part], DROPPED);
  }
}

/** A workgroup per object. */
@compute @workgroup_size(64)
fn sweepObjects(
  @builtin(workgroup_id) group: vec3u,
  @builtin(num_workgroups) groups: vec3u,
  @builtin(local_invocation_index) thread: u32,
) {
  let object = groupIndex(group, groups);
  if (object >= step.objects) {
    return;
  }
  for (var part = objects[object] + thread; part < objects[object + 1u]; part += 64u) {
    if ((atomicLoad(&state[step.partWord + part]) & DROPPED) == 0u) {
      atomicStore(&found, 1u);
    }
  }
  workgroupBarrier();
  if (thread == 0u && atomicLoad(&found) == 0u) {
    atomicStore(&state[step.objectWord + object], DROPPED);
  }
}
`;
