/** The items that a stage draws, as a list: most of them were dropped before, by boxes. */

/**
 * Numbers of items: objects, triangles, parts or triangles, by a stage (0 boxes, 1 objects, 2 parts, 3 triangles).
 * Stage and size of parts are constants of a pipeline, or of a step; `load` reads a word of `state`.
 */
export const itemsOf = (stage: string, part: string, load: (word: string) => string) => /* wgsl */ `
fn dropped(word: u32) -> bool {
  return (${load('word')} & DROPPED) != 0u;
}

fn itemCount() -> u32 {
  switch (${stage}) {
    case 0u: { return step.objects; }
    case 2u: { return step.parts; }
    default: { return step.parts * ${part}; }
  }
}

/** The object of an item, or the number of objects if it is not to be drawn. */
fn objectOf(item: u32) -> u32 {
  if (item >= itemCount()) {
    return step.objects;
  }
  if (${stage} == 0u) {
    return select(item, step.objects, dropped(step.objectWord + item));
  }
  if (${stage} != 2u && dropped(step.slotWord + item)) {
    return step.objects;
  }
  let part = select(item / ${part}, item, ${stage} == 2u);
  let entry = parts[part];
  if ((${stage} != 2u && item % ${part} >= entry.z)
    || dropped(step.partWord + part) || dropped(step.objectWord + entry.x)) {
    return step.objects;
  }
  return entry.x;
}
`;

/** With a stage for each pipeline. */
export const ITEMS = /* wgsl */ `
override STAGE: u32 = 0u;
${itemsOf('STAGE', 'PART', (word) => `atomicLoad(&state[${word}])`)}
`;

export const COLLECT = /* wgsl */ `
${ITEMS}

var<workgroup> found: atomic<u32>;
var<workgroup> firstPlace: u32;

/** Each item once: the list has room for all. */
@compute @workgroup_size(256)
fn collect(
  @builtin(workgroup_id) group: vec3u,
  @builtin(num_workgroups) groups: vec3u,
  @builtin(local_invocation_index) thread: u32,
) {
  for (var first = group.x * 256u; first < itemCount(); first += groups.x * 256u) {
    let item = first + thread;
    let there = objectOf(item) < step.objects;
    var place = 0u;
    if (there) {
      place = atomicAdd(&found, 1u);
    }
    workgroupBarrier();
    if (thread == 0u) {
      let count = atomicExchange(&found, 0u);
      firstPlace = 0u;
      if (count > 0u) {
        firstPlace = atomicAdd(&state[step.drawnWord], count);
      }
    }
    place += workgroupUniformLoad(&firstPlace);
    if (there) {
      drawn[place] = item;
    }
  }
}
`;
