/**
 * Culling where WebAssembly SIMD is missing: boxes of triangles alone, swept along x. Every pair whose boxes meet is
 * left to be decided.
 */
import type { Mesh } from 'impinge/internal/mesh/mesh.js';
import { type BackendResult, type CullingRequest, Row, TABLE_STRIDE, type World } from '../backend.js';

/** More than the rounding of float64 adds to coordinates below 1. */
const OUTWARD = 2 ** -40;

export function askPortable(world: World, request: CullingRequest): BackendResult {
  const startedMs = request.now();
  const boxes = boxesOf(world);
  const paired = new Set<number>();
  const doubtful: number[] = [];
  for (let o = 0; o < world.objects.length; o++) if (isSelf(world, o)) paired.add(o);
  sweep(boxes, (i, j) => {
    const [first, second] = boxes.slots[i] < boxes.slots[j] ? [i, j] : [j, i];
    const a = boxes.owners[first];
    const b = boxes.owners[second];
    if (a === b) {
      const base = world.partSize * world.partBase[a];
      if (!isSelf(world, a)) return;
      const { mesh } = world.objects[a];
      const byPlace = request.distance === 0;
      if (areNeighbours(mesh, boxes.slots[first] - base, boxes.slots[second] - base, byPlace)) return;
    }
    paired.add(a).add(b);
    if (request.kind === 'pairs') doubtful.push(boxes.slots[first], boxes.slots[second]);
  });
  const deviceMs = request.now() - startedMs;
  return {
    objects: Uint32Array.from(paired).sort(),
    meeting: new Uint32Array(0),
    doubtful: Uint32Array.from(doubtful),
    levels: [],
    candidates: doubtful.length / 2,
    ms: { calls: 0, device: deviceMs, wait: deviceMs },
  };
}

function isSelf({ table }: World, object: number): boolean {
  return table[TABLE_STRIDE * object + Row.self] !== 0;
}

interface Boxes {
  readonly owners: Uint32Array;
  readonly slots: Uint32Array;
  /** Least x, y, z and greatest of each. */
  readonly bounds: Float64Array;
}

/** Enlarged boxes of all triangles in the frame. */
function boxesOf({ objects, table, partBase, partSize }: World): Boxes {
  const count = objects.reduce((sum, { mesh }) => sum + mesh.triangleCount, 0);
  const boxes = {
    owners: new Uint32Array(count),
    slots: new Uint32Array(count),
    bounds: new Float64Array(6 * count),
  };
  let i = 0;
  for (let o = 0; o < objects.length; o++) {
    const { storedPositions: positions, storedIndices: indices, triangleCount } = objects[o].mesh;
    const m = table.subarray(TABLE_STRIDE * o, TABLE_STRIDE * (o + 1));
    const margin = m[Row.margin] + OUTWARD;
    for (let t = 0; t < triangleCount; t++, i++) {
      boxes.owners[i] = o;
      boxes.slots[i] = partSize * partBase[o] + t;
      for (let k = 0; k < 3; k++) {
        let least = Infinity;
        let greatest = -Infinity;
        for (let corner = 0; corner < 3; corner++) {
          const v = 3 * indices[3 * t + corner];
          const x =
            m[4 * k] * positions[v] +
            m[4 * k + 1] * positions[v + 1] +
            m[4 * k + 2] * positions[v + 2] +
            m[4 * k + 3];
          least = Math.min(least, x);
          greatest = Math.max(greatest, x);
        }
        boxes.bounds[6 * i + k] = least - margin;
        boxes.bounds[6 * i + 3 + k] = greatest + margin;
      }
    }
  }
  return boxes;
}

/** Calls `meet` for every two boxes that meet. */
function sweep({ bounds, owners }: Boxes, meet: (i: number, j: number) => void): void {
  const order = Uint32Array.from(owners.keys()).sort((i, j) => bounds[6 * i] - bounds[6 * j]);
  const open: number[] = [];
  for (const i of order) {
    const b = 6 * i;
    let left = 0;
    for (const j of open) {
      const c = 6 * j;
      if (bounds[c + 3] < bounds[b]) continue; // ended
      open[left++] = j;
      const apart =
        bounds[c + 1] > bounds[b + 4] ||
        bounds[b + 1] > bounds[c + 4] ||
        bounds[c + 2] > bounds[b + 5] ||
        bounds[b + 2] > bounds[c + 5];
      if (!apart) meet(i, j);
    }
    open.length = left;
    open.push(i);
  }
}

/** Whether two triangles of a mesh share a corner: by number, or also by place. */
function areNeighbours(
  { storedIndices: indices, storedPositions: positions }: Mesh,
  s: number,
  t: number,
  byPlace: boolean,
): boolean {
  for (let k = 0; k < 3; k++) {
    for (let l = 0; l < 3; l++) {
      const v = 3 * indices[3 * s + k];
      const w = 3 * indices[3 * t + l];
      if (v === w) return true;
      const same =
        positions[v] === positions[w] &&
        positions[v + 1] === positions[w + 1] &&
        positions[v + 2] === positions[w + 2];
      if (byPlace && same) return true;
    }
  }
  return false;
}
