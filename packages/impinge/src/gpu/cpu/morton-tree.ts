/**
 * The culler's broad phase by itself: near pairs of boxes by the tree in Morton order that pairs its objects
 * (kernels/gpu/scene.ts), made anew for every query.
 *
 * Layout: a record per box, a tree of one lane; then those lanes, the record of the tree over all of them, its levels,
 * its order and room to sort.
 * Errs: the tree outward, in float32 about the middle of all boxes; what it finds is compared in float64.
 */
import { arena } from '../../base/arena.js';
import { ArenaBuffer } from '../../base/arena-buffer.js';
import { assertBoxes, type BroadPhase, boxesNear } from '../../volumes/broad-phase.js';
import { roundDown, roundUp } from '../../volumes/round.js';
import { gpuKernels } from '../gpu-kernel.js';
import { GROUP_BYTES, groupsPerLevel, OBJECT_BYTES, ObjectField, TASK_BYTES } from './layout.js';
import { writeTree } from './object-table.js';

/** Coordinates beyond are taken for this: an empty lane lies farther out. */
const FARTHEST = 3e38;
/** Pairs per box that there is room for at first. */
const FIRST_CAPACITY = 16;

/** Needs WebAssembly SIMD. */
export const mortonTree: BroadPhase = {
  pairs(boxes, distance) {
    assertBoxes(boxes, distance);
    const count = boxes.length / 6;
    if (count < 2) return new Uint32Array(0);
    const memory = new ArenaBuffer();
    try {
      return orderedPairs(findTasks(boxes, distance, memory), boxes, distance);
    } finally {
      memory.dispose();
    }
  },
};

/** Pairs that the tree finds, as words of tasks. */
function findTasks(boxes: Float64Array, distance: number, memory: ArenaBuffer): Uint32Array {
  const kernels = gpuKernels.kernels();
  const count = boxes.length / 6;
  const levels = groupsPerLevel(count).reduce((sum, onLevel) => sum + onLevel, 0);
  const lanesAt = OBJECT_BYTES * count;
  const sceneAt = lanesAt + GROUP_BYTES * count;
  const levelsAt = sceneAt + OBJECT_BYTES;
  const keysAt = levelsAt + GROUP_BYTES * levels;
  const orderAt = keysAt + 16 * count;
  const tasksAt = Math.ceil((orderAt + 4 * count) / 16) * 16;
  for (let capacity = FIRST_CAPACITY * count; ; ) {
    const at = memory.reserve(tasksAt + TASK_BYTES * capacity);
    const words = arena().u32();
    words.fill(0, at >>> 2, (at + lanesAt) >>> 2);
    for (let i = 0; i < count; i++) {
      words[(at + OBJECT_BYTES * i + ObjectField.height) >>> 2] = 1;
      words[(at + OBJECT_BYTES * i + ObjectField.levels) >>> 2] = at + lanesAt + GROUP_BYTES * i;
    }
    writeLanes(boxes, distance, arena().f32(), (at + lanesAt) >>> 2);
    const scene = at + sceneAt;
    words.fill(0, scene >>> 2, (scene + OBJECT_BYTES) >>> 2);
    words[(scene + ObjectField.order) >>> 2] = at + orderAt;
    writeTree(words, scene >>> 2, count, at + levelsAt);
    kernels.fitScene(at, scene, at + keysAt, at + keysAt + 8 * count);
    const found = kernels.pairObjects(at, scene, at + tasksAt, capacity);
    if (found <= capacity) {
      const first = (at + tasksAt) >>> 2;
      return words.subarray(first, first + (TASK_BYTES / 4) * found);
    }
    capacity = found;
  }
}

/** Each box as the first lane of a group, its maximum with the distance added. */
function writeLanes(boxes: Float64Array, distance: number, floats: Float32Array, at: number): void {
  const middle = [0, 1, 2].map((k) => {
    let low = Infinity;
    let high = -Infinity;
    for (let i = k; i < boxes.length; i += 6) {
      low = Math.min(low, boxes[i]);
      high = Math.max(high, boxes[i + 3]);
    }
    return 0.5 * low + 0.5 * high;
  });
  const clamp = (x: number) => Math.min(Math.max(x, -FARTHEST), FARTHEST);
  for (let i = 0; i < boxes.length; i += 6) {
    const lane = at + ((GROUP_BYTES / 4) * i) / 6;
    for (let k = 0; k < 3; k++) {
      floats.fill(Infinity, lane + 4 * k, lane + 4 * k + 4);
      floats.fill(-Infinity, lane + 12 + 4 * k, lane + 16 + 4 * k);
      floats[lane + 4 * k] = clamp(roundDown(boxes[i + k] - middle[k]));
      floats[lane + 12 + 4 * k] = clamp(roundUp(boxes[i + 3 + k] + distance - middle[k]));
    }
  }
}

/** The near ones among the pairs of tasks, ordered. */
function orderedPairs(tasks: Uint32Array, boxes: Float64Array, distance: number): Uint32Array {
  const count = boxes.length / 6;
  const keys = new Float64Array(tasks.length / (TASK_BYTES / 4));
  let near = 0;
  for (let t = 0; t < tasks.length; t += TASK_BYTES / 4) {
    const [i, j] = [tasks[t], tasks[t + 1]];
    if (boxesNear(boxes, i, j, distance)) keys[near++] = i * count + j;
  }
  const pairs = new Uint32Array(2 * near);
  keys
    .subarray(0, near)
    .sort()
    .forEach((key, at) => {
      pairs[2 * at] = Math.floor(key / count);
      pairs[2 * at + 1] = key % count;
    });
  return pairs;
}
