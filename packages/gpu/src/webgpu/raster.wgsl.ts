/**
 * Items into images, and against them: the rule of visibility.ts, all colours of a batch at once.
 *
 * A workgroup takes RASTER_ITEMS items, works out which pixels each may cover, and its threads share the pixels of all
 * of them evenly. Items with more than TASK_PIXELS go into a list of tasks, done by a dispatch of its own.
 *
 * Layout of the images: [view of the batch][colour of the batch][pixel][near, far]. An item is written into the image
 * of its object's colour, and tested against those of its partners' (the low bits of its word).
 *
 * A depth w is held in 24 bits, as the whole part of (w + 2) · 2²² (|w| < 2): the sum is off by half a step, the whole
 * part loses less than one more, so near is put one step before it and far two behind. Near is kept as its complement:
 * both are maxima. The upper 8 bits are the generation, which rises with every use of the images: values of older ones
 * are less than any new one, and need not be cleared.
 *
 * The cover of an item, and why it misses nothing: item-cover.wgsl.ts.
 */
import { ITEMS } from './collect.wgsl.js';
import { itemCover } from './item-cover.wgsl.js';
import { KEPT_BIT, RASTER_ITEMS, TASK_PIXELS } from './layout.js';

const raster = (test: boolean) => /* wgsl */ `
${ITEMS}

override THREADS: u32 = 64u;

const TEST = ${test};
const ITEMS = ${RASTER_ITEMS}u;
const TASK_PIXELS = ${TASK_PIXELS}u;
const KEPT = ${1 << KEPT_BIT}u;

${itemCover('STAGE')}
var<workgroup> items: array<Item, ITEMS>;
var<workgroup> ends: array<u32, ITEMS>;
var<workgroup> failed: array<atomic<u32>, ITEMS>;
var<workgroup> shared0: u32;

/** The word of the unit that is dropped if all its items are free. */
fn wordOf(item: u32, object: u32) -> u32 {
  switch (STAGE) {
    case 2u: { return step.partWord + item; }
    case 3u: { return step.slotWord + item; }
    default: { return step.objectWord + object; }
  }
}

/** The bit of a word that says: not free of a colour of the batch in a view. The lowest are the partners' colours. */
fn blockedBit(colour: u32, view: u32) -> u32 {
  return 1u << (step.colours + colour * step.viewCount + view);
}

/** The images of the batch that an item has to do with in a view; NONE if with none. */
const NONE = 0xffffffffu;
fn imagesOf(item: u32, object: u32, view: u32) -> u32 {
  if (!TEST) {
    let colour = u32(boxes[step.parts + object].low.w) - step.firstColour;
    return select(NONE, colour, colour < step.colourCount);
  }
  let word = atomicLoad(&state[wordOf(item, object)]);
  if ((word & KEPT) != 0u) {
    return NONE;
  }
  // a triangle of an object has partners of its own
  var mask = word;
  if (STAGE == 1u) {
    mask = atomicLoad(&state[step.slotWord + item]);
  }
  var wanted = (mask >> step.firstColour) & ((1u << step.colourCount) - 1u);
  for (var colour = 0u; colour < step.colourCount; colour++) {
    if ((word & blockedBit(colour, view)) != 0u) {
      wanted &= ~(1u << colour);
    }
  }
  return select(wanted, NONE, wanted == 0u);
}

/** Takes note that an item is not free of some of the images. */
fn block(word: u32, found: u32, view: u32) {
  var bits = 0u;
  for (var left = found; left != 0u; left &= left - 1u) {
    bits |= blockedBit(firstTrailingBit(left), view);
  }
  atomicOr(&state[word], bits);
}

/** The step of a depth. */
fn stepOf(depth: f32) -> u32 {
  return u32(clamp((depth + 2) * 0x1p22, 1, 0x1p24 - 3));
}

/** The k-th pixel of an item: written, or tested; of the test it returns the images that it is not free of. */
fn fragment(item: Item, k: u32, view: u32, wanted: u32) -> u32 {
  let x = k % item.place.z;
  let y = k / item.place.z;
  if (any(item.a * f32(x) + item.b * f32(y) + item.c < vec3f(0))) {
    return 0u;
  }
  let middle = item.plane.x * f32(x) + item.plane.y * f32(y) + item.plane.z;
  let near = stepOf(max(middle - item.plane.w, item.range.x)) - 1u;
  let far = stepOf(min(middle + item.plane.w, item.range.y)) + 2u;
  let pixel = (item.place.y + y) * step.resolution + item.place.x + x;
  let area = step.resolution * step.resolution;
  let firstImage = (view - step.firstView) * step.colourCount;
${
  test
    ? `
  // the least values that block it: near before this far, and far behind this near
  let least = vec2u(step.generation) | vec2u(0xffffffu - far, near);
  var found = 0u;
  for (var left = wanted; left != 0u; left &= left - 1u) {
    let colour = firstTrailingBit(left);
    if (all(images[(firstImage + colour) * area + pixel] >= least)) {
      found |= 1u << colour;
    }
  }
  return found;`
    : `
  let at = (firstImage + wanted) * area + pixel;
  let nearWord = step.generation | (0xffffffu - near);
  let farWord = step.generation | far;
  // most are behind the image: a load is cheaper than a maximum
  if (atomicLoad(&images[at][0]) < nearWord) {
    atomicMax(&images[at][0], nearWord);
  }
  if (atomicLoad(&images[at][1]) < farWord) {
    atomicMax(&images[at][1], farWord);
  }
  return 0u;`
}
}

fn reserve(pieces: u32) -> u32 {
  if (atomicLoad(&state[TASKS]) > MANY) {
    atomicStore(&state[FULL], 1u);
    return MANY;
  }
  return atomicAdd(&state[TASKS], pieces);
}

/** Whether the previous round dropped nothing. */
fn idle() -> bool {
  return step.previousWord != 0u && atomicLoad(&state[step.previousWord]) == 0u;
}

/** Items of the list, RASTER_ITEMS at a time; a row of workgroups in z for each view. */
@compute @workgroup_size(THREADS)
fn small(
  @builtin(workgroup_id) group: vec3u,
  @builtin(num_workgroups) groups: vec3u,
  @builtin(local_invocation_index) thread: u32,
) {
  if (thread == 0u) {
    shared0 = select(atomicLoad(&state[step.drawnWord]), 0u, idle());
  }
  let itemsDrawn = workgroupUniformLoad(&shared0);
  let view = step.firstView + group.z;
  for (var first = group.x * ITEMS; first < itemsDrawn; first += groups.x * ITEMS) {
    var word = 0u;
    if (thread < ITEMS) {
      var count = 0u;
      if (first + thread < itemsDrawn) {
        let index = drawn[first + thread];
        let object = objectOf(index);
        if (object < step.objects) {
          word = wordOf(index, object);
          let which = imagesOf(index, object, view);
          if (!TEST || which != NONE) {
            var item: Item;
            count = setUp(index, object, view, which, &item);
            items[thread] = item;
            if (count > TASK_PIXELS) {
              addTasks(index, view, count);
              count = 0u;
            }
            count = select(count, 0u, which == NONE);
          }
        }
      }
      atomicStore(&failed[thread], 0u);
      ends[thread] = count;
    }
    for (var stride = 1u; stride < ITEMS; stride *= 2u) {
      workgroupBarrier();
      var before = 0u;
      if (thread >= stride && thread < ITEMS) {
        before = ends[thread - stride];
      }
      workgroupBarrier();
      if (thread < ITEMS) {
        ends[thread] += before;
      }
    }
    workgroupBarrier();
    let total = ends[ITEMS - 1u];
    for (var i = thread; i < total; i += THREADS) {
      // the first item that ends after i
      var at = 0u;
      for (var half = ITEMS / 2u; half > 0u; half /= 2u) {
        if (ends[at + half - 1u] <= i) {
          at += half;
        }
      }
      var before = 0u;
      if (at > 0u) {
        before = ends[at - 1u];
      }
      var wanted = items[at].place.w;
      if (TEST) {
        wanted &= ~atomicLoad(&failed[at]);
        if (wanted == 0u) {
          continue;
        }
      }
      let found = fragment(items[at], i - before, view, wanted);
      if (TEST && found != 0u) {
        atomicOr(&failed[at], found);
      }
    }
    workgroupBarrier();
    if (TEST && thread < ITEMS) {
      let found = atomicLoad(&failed[thread]);
      if (found != 0u) {
        block(word, found, view);
      }
    }
  }
}

/** The tests take the tasks that the writing made: of all items, whether they are written in this batch or not. */
fn addTasks(item: u32, view: u32, count: u32) {
  if (TEST) {
    return;
  }
  let pieces = (count + TASK_PIXELS - 1u) / TASK_PIXELS;
  let at = reserve(pieces);
  for (var i = 0u; i < pieces && at + i < step.taskCapacity; i++) {
    tasks[at + i] = vec2u(item, (view << 24u) | i);
  }
}

@compute @workgroup_size(THREADS)
fn large(
  @builtin(workgroup_id) group: vec3u,
  @builtin(num_workgroups) groups: vec3u,
  @builtin(local_invocation_index) thread: u32,
) {
  if (idle()) {
    return;
  }
  let taskCount = min(atomicLoad(&state[TASKS]), step.taskCapacity);
  for (var t = group.x; t < taskCount; t += groups.x) {
    let task = tasks[t];
    let view = task.y >> 24u;
    let object = objectOf(task.x);
    if (object == step.objects) {
      continue;
    }
    var wanted = imagesOf(task.x, object, view);
    if (wanted == NONE) {
      continue;
    }
    var item: Item;
    let count = setUp(task.x, object, view, wanted, &item);
    let first = (task.y & 0xffffffu) * TASK_PIXELS;
    for (var i = first + thread; i < min(count, first + TASK_PIXELS); i += THREADS) {
      let found = fragment(item, i, view, wanted);
      if (TEST && found != 0u) {
        block(wordOf(task.x, object), found, view);
        wanted &= ~found;
        if (wanted == 0u) {
          break;
        }
      }
    }
  }
}
`;

export const WRITE = raster(false);
export const TEST = raster(true);
