/**
 * Items into images, and against them: the rule of visibility.ts, all colours of a batch at once.
 *
 * A workgroup takes RASTER_ITEMS items, works out which pixels each may cover, and its threads share the pixels of all of
 * them evenly. Items with more than TASK_PIXELS go into a list of tasks, done by a dispatch of its own.
 *
 * Layout of the images: [view of the batch][colour of the batch][pixel][near, far]. An item is written into the image of
 * its object's colour, and tested against those of its partners' (the low bits of its word).
 *
 * A depth w is held in 24 bits, as the whole part of (w + 2) · 2²² (|w| < 2): the sum is off by half a step, the whole
 * part loses less than one more, so near is put one step before it and far two behind. Near is kept as its complement:
 * both are maxima. The upper 8 bits are the generation, which rises with every use of the images: what older ones left
 * is less than anything new, and need not be wiped.
 *
 * **The cover of a triangle.** The projections of the corners, as computed, span a triangle; every point of the item
 * projects to within PIXEL_SLACK and the margin of it. A pixel is covered unless the rectangle about its centre (half
 * a pixel, the margin, SLACK) lies outside one of its edges or its bounding rectangle. An edge function has terms up
 * to L D (edge length times distance, both below 2¹⁵ pixels) and is off by 2⁻²⁰ L D: less than L / 32, which the SLACK of
 * 1/16 in place of PIXEL_SLACK = 1/64 makes up for. Depths: the plane through the computed corners, over the rectangle,
 * within the depths of the corners. With |det| > 2⁻¹² of its two products, det is off by 2⁻⁹ of itself and a slope by
 * less than 2⁻⁷ n / |det|, n the sum of the products in its numerator; times the extent that is added. Where det
 * is smaller (edge-on, degenerate), the bounding rectangle and the depths of the corners are the cover.
 */
import { DEPTH_SLACK } from '../visibility.js';
import { ITEMS } from './collect.wgsl.js';
import { COMMON } from './common.wgsl.js';
import { KEPT_BIT, RASTER_ITEMS, TASK_PIXELS } from './layout.js';

const raster = (test: boolean) => /* wgsl */ `
${COMMON}
@group(0) @binding(1) var<storage, read> parts: array<vec4u>;
@group(0) @binding(2) var<storage, read> table: array<vec4f>;
@group(0) @binding(3) var<storage, read> placed: array<f32>;
@group(0) @binding(4) var<storage, read> boxes: array<Box>;
@group(0) @binding(5) var<storage, read> drawn: array<u32>;
@group(0) @binding(6) var<storage, read_write> state: array<atomic<u32>>;
@group(0) @binding(7) var<storage, read_write> tasks: array<vec2u>;
/** Per view: u, v, w; in the fourth place of u and v the pixels per unit. */
@group(0) @binding(8) var<uniform> views: array<array<vec4f, 3>, 32>;
@group(0) @binding(9) ${
  test
    ? 'var<storage, read> images: array<vec2u>'
    : 'var<storage, read_write> images: array<array<atomic<u32>, 2>>'
};
${ITEMS}

override THREADS: u32 = 64u;

const TEST = ${test};
const ITEMS = ${RASTER_ITEMS}u;
const TASK_PIXELS = ${TASK_PIXELS}u;
const KEPT = ${1 << KEPT_BIT}u;
const SLACK = 0.0625;
const DEPTH_SLACK = ${DEPTH_SLACK};

struct Item {
  /** First pixel, width; the image it is written into, or those it is tested against, a bit for each. */
  place: vec4u,
  /** Edges: at the pixel (x, y), counted from the first, a x + b y + c is negative outside. */
  a: vec3f,
  b: vec3f,
  c: vec3f,
  /** Depth: x, y and constant; half the interval. */
  plane: vec4f,
  /** Depths of the whole item. */
  range: vec2f,
}

var<workgroup> items: array<Item, ITEMS>;
var<workgroup> ends: array<u32, ITEMS>;
var<workgroup> failed: array<atomic<u32>, ITEMS>;
var<workgroup> shared0: u32;

/** The word of what is dropped if the item, and all others of that word, are free. */
fn wordOf(item: u32, object: u32) -> u32 {
  switch (LEVEL) {
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
  if (LEVEL == 1u) {
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

fn cornerOf(at: u32, rows: array<vec4f, 3>) -> vec3f {
  let p = vec3f(placed[at], placed[at + 1u], placed[at + 2u]);
  let centre = 0.5 * f32(step.resolution);
  return vec3f(dot(rows[0].xyz, p) * rows[0].w + centre, dot(rows[1].xyz, p) * rows[1].w + centre, dot(rows[2].xyz, p));
}

/** Pixels of a range of coordinates, and how many. */
fn pixels(low: f32, high: f32) -> vec2u {
  let last = f32(step.resolution - 1u);
  let first = clamp(floor(low), 0, last);
  return vec2u(u32(first), u32(clamp(floor(high), first, last) - first) + 1u);
}

/** What an item covers; returns the pixels of its bounding rectangle. */
fn setUp(index: u32, object: u32, view: u32, which: u32, item: ptr<function, Item>) -> u32 {
  let rows = views[view];
  let centre = 0.5 * f32(step.resolution);
  (*item).a = vec3f(0);
  (*item).b = vec3f(0);
  (*item).c = vec3f(1);
  (*item).plane = vec4f(0, 0, 0, 1e30);
  if (LEVEL == 0u || LEVEL == 2u) {
    let box = boxes[select(index, step.parts + index, LEVEL == 0u)];
    let middle = 0.5 * (box.low.xyz + box.high.xyz);
    let half = 0.5 * (box.high.xyz - box.low.xyz);
    let at = vec3f(
      dot(rows[0].xyz, middle) * rows[0].w + centre,
      dot(rows[1].xyz, middle) * rows[1].w + centre,
      dot(rows[2].xyz, middle),
    );
    let reach = vec3f(
      dot(abs(rows[0].xyz), half) * rows[0].w + SLACK,
      dot(abs(rows[1].xyz), half) * rows[1].w + SLACK,
      dot(abs(rows[2].xyz), half) + DEPTH_SLACK,
    );
    let x = pixels(at.x - reach.x, at.x + reach.x);
    let y = pixels(at.y - reach.y, at.y + reach.y);
    (*item).place = vec4u(x.x, y.x, x.y, which);
    (*item).range = vec2f(at.z - reach.z, at.z + reach.z);
    return x.y * y.y;
  }
  let p0 = cornerOf(9u * index, rows);
  let p1 = cornerOf(9u * index + 3u, rows);
  let p2 = cornerOf(9u * index + 6u, rows);
  let margin = table[4u * object + 3u].x;
  let grown = vec3f(
    margin * dot(abs(rows[0].xyz), vec3f(1)) * rows[0].w + SLACK,
    margin * dot(abs(rows[1].xyz), vec3f(1)) * rows[1].w + SLACK,
    margin * dot(abs(rows[2].xyz), vec3f(1)) + DEPTH_SLACK,
  );
  let low = min(min(p0, p1), p2) - grown;
  let high = max(max(p0, p1), p2) + grown;
  let x = pixels(low.x, high.x);
  let y = pixels(low.y, high.y);
  (*item).place = vec4u(x.x, y.x, x.y, which);
  (*item).range = vec2f(low.z, high.z);
  // from here on about the centre of the first pixel
  let first = vec2f(f32(x.x), f32(y.x)) + 0.5;
  let q0 = p0.xy - first;
  let q1 = p1.xy - first;
  let q2 = p2.xy - first;
  let d1 = q1 - q0;
  let d2 = q2 - q0;
  let det = d1.x * d2.y - d2.x * d1.y;
  let size = abs(d1.x * d2.y) + abs(d2.x * d1.y);
  if (abs(det) > 0x1p-12 * size && size > 1e-20) {
    let turn = sign(det);
    let d = q2 - q1;
    let rectangle = grown.xy + 0.5;
    let a = turn * vec3f(-d1.y, -d.y, d2.y);
    let b = turn * vec3f(d1.x, d.x, -d2.x);
    (*item).a = a;
    (*item).b = b;
    (*item).c = abs(a) * rectangle.x + abs(b) * rectangle.y
      - (a * vec3f(q0.x, q1.x, q2.x) + b * vec3f(q0.y, q1.y, q2.y));
    let w1 = p1.z - p0.z;
    let w2 = p2.z - p0.z;
    let slope = vec2f(w1 * d2.y - w2 * d1.y, d1.x * w2 - d2.x * w1) / det;
    let steep = vec2f(abs(w1 * d2.y) + abs(w2 * d1.y), abs(d1.x * w2) + abs(d2.x * w1)) / abs(det);
    let extent = vec2f(f32(x.y), f32(y.y)) + 1;
    (*item).plane = vec4f(
      slope,
      p0.z - dot(slope, q0),
      dot(abs(slope), rectangle) + 0x1p-6 * dot(steep, extent) + grown.z,
    );
  }
  return x.y * y.y;
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
  // what it would have to be: near before this far, and far behind this near
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
  // most are behind what is there: a look is cheaper than a maximum
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
