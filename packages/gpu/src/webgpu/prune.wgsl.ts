/**
 * Before anything is drawn: objects whose box meets no other object's box are dropped, then parts and triangles whose
 * box meets no box of an object that theirs meets. On a device that is nearly free, and leaves little to be drawn.
 *
 * `near` marks, with the colour of the partner (colour.wgsl.ts; all are 0 where they are not needed). `prune` drops
 * unmarked items and clears the results of the first search for pairs of objects: pairs are searched again after the
 * stages.
 */

/** Whether triangles are looked at, too: they are if a stage draws them. */
const TRIANGLES = /* wgsl */ `
override TRIANGLES: bool = true;
`;

export const NEAR = /* wgsl */ `
${TRIANGLES}

fn corner(at: u32) -> vec3f {
  return vec3f(placed[at], placed[at + 1u], placed[at + 2u]);
}

fn mark(word: u32, bit: u32) {
  if ((atomicLoad(&state[word]) & bit) == 0u) {
    atomicOr(&state[word], bit);
  }
}

/** Marks the items of an object near another. The parts are shared out over the workgroups of a column. */
fn look(object: u32, other: u32, first: u32, stride: u32, thread: u32) {
  let box = boxes[step.parts + other];
  let margin = table[4u * object + 3u].x;
  let bit = 1u << u32(box.low.w);
  if (first == 0u && thread == 0u) {
    mark(step.objectWord + object, bit);
  }
  for (var part = objects[object] + first; part < objects[object + 1u]; part += stride) {
    if (!overlaps(boxes[part], box)) {
      continue;
    }
    if (thread == 0u) {
      mark(step.partWord + part, bit);
    }
    if (TRIANGLES) {
      for (var t = thread; t < parts[part].z; t += 64u) {
        let slot = part * PART + t;
        let at = 9u * slot;
        if (overlaps(enlarged(corner(at), corner(at + 3u), corner(at + 6u), margin), box)) {
          mark(step.slotWord + slot, bit);
        }
      }
    }
  }
}

@compute @workgroup_size(64)
fn near(
  @builtin(workgroup_id) group: vec3u,
  @builtin(num_workgroups) groups: vec3u,
  @builtin(local_invocation_index) thread: u32,
) {
  let count = min(atomicLoad(&state[OBJECT_PAIRS]), step.objectPairCapacity);
  for (var i = group.x; i < count; i += groups.x) {
    let pair = previous[i];
    if (pair.x != pair.y) {
      look(pair.x, pair.y, group.y, groups.y, thread);
      look(pair.y, pair.x, group.y, groups.y, thread);
    }
  }
}
`;

export const PRUNE = /* wgsl */ `
${TRIANGLES}

/** The words of objects, parts and slots follow each other. Of the marks, the colours in use are left. */
@compute @workgroup_size(256)
fn prune(@builtin(global_invocation_id) thread: vec3u, @builtin(num_workgroups) groups: vec3u) {
  let used = (1u << step.colours) - 1u;
  let end = select(step.slotWord, step.slotWord + step.parts * PART, TRIANGLES);
  for (var word = step.objectWord + thread.x; word < end; word += 256u * groups.x) {
    let marks = atomicLoad(&state[word]);
    if (word < step.partWord) {
      atomicStore(&state[MET + word - step.objectWord], 0u);
    }
    atomicStore(&state[word], select(marks & used, DROPPED, marks == 0u));
  }
  if (thread.x == 0u) {
    atomicStore(&state[FIRST_OBJECT_PAIRS], atomicExchange(&state[OBJECT_PAIRS], 0u));
  }
}
`;
