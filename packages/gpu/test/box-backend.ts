/** The plainest backend: places triangles in float32 as devices do, and leaves open all pairs whose boxes meet. */
import {
  type Backend,
  type BackendResult,
  type CullingInput,
  type CullingRequest,
  Row,
  TABLE_STRIDE,
} from '../src/backend.js';

const f = Math.fround;

export class BoxBackend implements Backend {
  readonly kind = 'cpu';
  readonly description = 'boxes alone';

  async ask(input: CullingInput, request: CullingRequest): Promise<BackendResult> {
    const { objects, partSize, partBase } = input;
    const boxes = objects.map((_, o) => placeBoxes(input, o));
    const kept = new Set<number>();
    const pairs: number[] = [];
    for (let a = 0; a < objects.length; a++) {
      for (let b = a; b < objects.length; b++) {
        if (a === b && input.table[TABLE_STRIDE * a + Row.self] !== 1) continue;
        for (let i = 0; i < boxes[a].length; i += 6) {
          for (let j = a === b ? i + 6 : 0; j < boxes[b].length; j += 6) {
            if (!boxesMeet(boxes[a], i, boxes[b], j)) continue;
            if (a !== b) kept.add(a).add(b);
            pairs.push(partSize * partBase[a] + i / 6, partSize * partBase[b] + j / 6);
          }
        }
      }
    }
    return {
      objects: Uint32Array.from(kept).sort(),
      meeting: new Uint32Array(0),
      doubtful: Uint32Array.from(request.kind === 'pairs' ? pairs : []),
      stages: [],
      candidates: pairs.length / 2,
      ms: { calls: 0, wait: 0 },
    };
  }

  dispose(): void {}
}

/** Lower and upper corners of an object's triangles in the frame, enlarged by its margin. */
function placeBoxes(input: CullingInput, object: number): Float32Array {
  const row = input.table.subarray(TABLE_STRIDE * object, TABLE_STRIDE * (object + 1));
  const { positions, indices } = input.objects[object].mesh;
  const margin = row[Row.margin];
  const boxes = new Float32Array(2 * indices.length);
  for (let t = 0; t < indices.length; t += 3) {
    for (let k = 0; k < 3; k++) {
      const m = row.subarray(Row.matrix + 4 * k, Row.matrix + 4 * k + 4);
      const corners = [0, 1, 2].map((c) => {
        const v = 3 * indices[t + c];
        const [x, y, z] = [positions[v], positions[v + 1], positions[v + 2]];
        return f(f(f(f(m[0] * x) + f(m[1] * y)) + f(m[2] * z)) + m[3]);
      });
      const [low, high] = [Math.min(...corners), Math.max(...corners)];
      if (!(Math.max(-low, high) + margin <= input.half[k]))
        throw new Error(`object ${object} leaves the frame`);
      boxes[2 * t + k] = (low - margin) * (1 - 2 ** -22 * Math.sign(low - margin));
      boxes[2 * t + 3 + k] = (high + margin) * (1 + 2 ** -22 * Math.sign(high + margin));
    }
  }
  return boxes;
}

function boxesMeet(a: Float32Array, i: number, b: Float32Array, j: number): boolean {
  for (let k = 0; k < 3; k++) {
    if (a[i + k] > b[j + 3 + k] || b[j + k] > a[i + 3 + k]) return false;
  }
  return true;
}
