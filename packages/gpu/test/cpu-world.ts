/** Worlds made by hand, in the coordinates of the frame, and requests about them. */
import { SeededRandom } from 'impinge/internal/base/seeded-random.js';
import { intersectsTriangleTriangle } from 'impinge/internal/geometry/intersect/triangle-triangle.js';
import { IDENTITY, type RigidPose } from 'impinge/internal/math/pose.js';
import { Mesh } from 'impinge/internal/mesh/mesh.js';
import { type BackendResult, type CullingRequest, Row, TABLE_STRIDE, type World } from '../src/backend.js';
import { makeViews } from '../src/views.js';
import type { Level } from './level-items.js';

let layouts = 0;

/** Objects whose stored positions are those of the frame. Its meshes are for the caller to dispose. */
export function worldOf(
  meshes: readonly Mesh[],
  margins: readonly number[],
  options: { readonly partSize?: number; readonly self?: readonly number[] } = {},
): World {
  const { partSize = 16, self = [] } = options;
  const table = new Float32Array(TABLE_STRIDE * meshes.length);
  const partBase = new Uint32Array(meshes.length + 1);
  meshes.forEach((mesh, o) => {
    for (let k = 0; k < 3; k++) table[TABLE_STRIDE * o + 5 * k] = 1;
    table[TABLE_STRIDE * o + Row.margin] = margins[o];
    table[TABLE_STRIDE * o + Row.rounding] = margins[o];
    table[TABLE_STRIDE * o + Row.self] = self.includes(o) ? 1 : 0;
    partBase[o + 1] = partBase[o] + Math.ceil(mesh.triangleCount / partSize);
  });
  return {
    objects: meshes.map((mesh, id) => ({
      id,
      mesh,
      pose: IDENTITY as RigidPose,
      self: self.includes(id),
    })),
    partSize,
    partBase,
    codes: shuffled(meshes.length),
    layout: layouts++,
    table,
    half: [1, 1, 1],
  };
}

/** A permutation of n numbers. */
function shuffled(n: number): Uint32Array {
  const random = new SeededRandom(n);
  const numbers = Uint32Array.from({ length: n }, (_, i) => i);
  for (let i = n - 1; i > 0; i--) {
    const j = Math.floor(random.next() * (i + 1));
    [numbers[i], numbers[j]] = [numbers[j], numbers[i]];
  }
  return numbers;
}

/** Slot of each item of a level. */
export function slotsOf({ objects, margins }: Level, partSize = 16): number[] {
  const counts = margins.map((_, o) => objects.filter((owner) => owner === o).length);
  const next = counts.map((_, o) =>
    counts.slice(0, o).reduce((sum, count) => sum + partSize * Math.ceil(count / partSize), 0),
  );
  return objects.map((o) => next[o]++);
}

/** Pairs of items of different objects that meet, as `pairsOf` names them. */
export function meetingPairs(level: Level, partSize = 16): string[] {
  const { objects } = level;
  const data = Float64Array.from(level.data);
  const slots = slotsOf(level, partSize);
  const found: string[] = [];
  objects.forEach((a, i) => {
    objects.forEach((b, j) => {
      if (a < b && intersectsTriangleTriangle(data, 9 * i, data, 9 * j))
        found.push(`${slots[i]} ${slots[j]}`);
    });
  });
  return found;
}

/** The items of a level as objects: triangles of one object become its mesh. */
export function worldOfLevel({ data, objects, margins }: Level, partSize = 16): World {
  const meshes = margins.map((_, o) => {
    const positions = objects.flatMap((owner, i) => (owner === o ? data.slice(9 * i, 9 * i + 9) : []));
    return Mesh.from({ positions: Float32Array.from(positions) });
  });
  return worldOf(meshes, margins, { partSize });
}

export function disposeWorld({ objects }: World): void {
  for (const { mesh } of objects) mesh.dispose();
}

export function requestOf(
  request: Partial<CullingRequest> & { readonly directions?: number },
): CullingRequest {
  const { directions = 0, ...rest } = request;
  return {
    kind: 'pairs',
    distance: 0,
    method: 'split-tree',
    levels: ['triangles'],
    resolution: 64,
    rounds: 3,
    views: makeViews(directions, 7),
    now: () => 0,
    ...rest,
  };
}

/** All pairs of a finding as sorted keys. */
export function pairsOf({ meeting, doubtful }: Pick<BackendResult, 'meeting' | 'doubtful'>): string[] {
  const keys: string[] = [];
  for (const list of [meeting, doubtful]) {
    for (let i = 0; i < list.length; i += 2) keys.push(`${list[i]} ${list[i + 1]}`);
  }
  return keys.sort();
}
