/**
 * @ifc-lite/wasm in the in-memory check: a ClashSession that is given all elements at once, in world coordinates (made
 * beforehand), and one rule of everything against itself. It has its own broad phase.
 */
import { readFileSync } from 'node:fs';
import { ClashSession, initSync } from '@ifc-lite/wasm';
import { runMemoryContender } from '../check/memory-contender.mjs';
import { worldPositions } from '../check/random-plant.mjs';

const HARD = 0;
const CLEARANCE = 1;

initSync({ module: readFileSync(new URL(import.meta.resolve('@ifc-lite/wasm/ifc-lite_bg.wasm'))) });

await runMemoryContender({
  prepare(objects) {
    const positionCount = objects.reduce((sum, { positions }) => sum + positions.length, 0);
    const indexCount = objects.reduce((sum, { indices }) => sum + indices.length, 0);
    const positions = new Float32Array(positionCount);
    const indices = new Uint32Array(indexCount);
    const positionRanges = new Uint32Array(2 * objects.length);
    const indexRanges = new Uint32Array(2 * objects.length);
    const boxes = new Float32Array(6 * objects.length);
    let positionAt = 0;
    let indexAt = 0;
    objects.forEach((object, i) => {
      positions.set(worldPositions(object), positionAt);
      indices.set(object.indices, indexAt);
      positionRanges.set([positionAt, object.positions.length], 2 * i);
      indexRanges.set([indexAt, object.indices.length], 2 * i);
      const box = boxes.subarray(6 * i, 6 * i + 6).fill(Infinity, 0, 3);
      box.fill(-Infinity, 3);
      for (let k = 0; k < object.positions.length; k++) {
        const value = positions[positionAt + k];
        if (value < box[k % 3]) box[k % 3] = value;
        if (value > box[3 + (k % 3)]) box[3 + (k % 3)] = value;
      }
      positionAt += object.positions.length;
      indexAt += object.indices.length;
    });
    return [positions, positionRanges, indices, indexRanges, boxes];
  },
  build(objects, arrays) {
    const session = new ClashSession();
    session.ingest(...arrays);
    return { session, all: Uint32Array.from(objects, (_, i) => i) };
  },
  hard: ({ session, all }) => run(session, all, HARD, 0),
  clearance: ({ session, all }, _, clearance) => run(session, all, CLEARANCE, clearance),
  dispose: ({ session }) => session.free(),
});

function run(session, all, mode, clearance) {
  const found = session.runRule(all, new Uint32Array(0), mode, 0, clearance, false);
  const { a, b } = found;
  const pairs = new Set();
  a.forEach((_, i) => {
    pairs.add(Math.min(a[i], b[i]) * all.length + Math.max(a[i], b[i]));
  });
  found.free();
  return [...pairs].flatMap((key) => [Math.floor(key / all.length), key % all.length]);
}
