/** Small stored models in memory, and brute force over their triangles. */
import {
  MemorySink,
  MemorySource,
  openStore,
  type SourceObject,
  type StoredModel,
  StoreWriter,
  type StoreWriterOptions,
} from '@impinge/model';
import { Random } from '@impinge/scenes/random';
import type { Vec3 } from 'impinge';
import { crossingRayTriangle, distanceSqTriangleTriangle, RAY_DEGENERATE } from 'impinge/geometry';

export interface Solid {
  readonly positions: Float32Array;
  readonly indices: Uint32Array;
}

/** Triangles in the world, nine numbers each. */
export type Triangles = Float64Array;

export interface SmallModel {
  readonly model: StoredModel;
  readonly bytes: Uint8Array;
  /** Of each object. */
  readonly triangles: readonly Triangles[];
}

/** A closed box around the origin, each face of n × n squares. */
export function box(x: number, y: number, z: number, n = 1): Solid {
  const positions: number[] = [];
  const indices: number[] = [];
  const sizes = [x, y, z];
  for (let axis = 0; axis < 3; axis++) {
    for (const side of [-0.5, 0.5]) {
      const first = positions.length / 3;
      for (let i = 0; i <= n; i++) {
        for (let j = 0; j <= n; j++) {
          const at = [0, 0, 0];
          at[axis] = side * sizes[axis];
          at[(axis + 1) % 3] = (i / n - 0.5) * sizes[(axis + 1) % 3];
          at[(axis + 2) % 3] = (j / n - 0.5) * sizes[(axis + 2) % 3];
          positions.push(...at);
        }
      }
      for (let i = 0; i < n; i++) {
        for (let j = 0; j < n; j++) {
          const [a, b] = [first + i * (n + 1) + j, first + (i + 1) * (n + 1) + j];
          const quad = side > 0 ? [a, b, b + 1, a, b + 1, a + 1] : [a, b + 1, b, a, a + 1, b + 1];
          indices.push(...quad);
        }
      }
    }
  }
  return { positions: Float32Array.from(positions), indices: Uint32Array.from(indices) };
}

export function moved(x: number, y: number, z: number): Float64Array {
  return Float64Array.of(1, 0, 0, 0, 1, 0, 0, 0, 1, x, y, z);
}

/** A rotation about a vertical axis, then a translation. */
export function turned(angle: number, x: number, y: number, z: number): Float64Array {
  const [c, s] = [Math.cos(angle), Math.sin(angle)];
  return Float64Array.of(c, -s, 0, s, c, 0, 0, 0, 1, x, y, z);
}

/** A closed ball of 4 n² − 4 n triangles around the origin. */
export function ball(radius: number, n: number): Solid {
  const positions = [0, 0, radius];
  for (let i = 1; i < n; i++) {
    for (let j = 0; j < 2 * n; j++) {
      const [p, q] = [(Math.PI * i) / n, (Math.PI * j) / n];
      positions.push(
        radius * Math.sin(p) * Math.cos(q),
        radius * Math.sin(p) * Math.sin(q),
        radius * Math.cos(p),
      );
    }
  }
  positions.push(0, 0, -radius);
  const vertex = (i: number, j: number) =>
    i === 0 ? 0 : i === n ? positions.length / 3 - 1 : 1 + (i - 1) * 2 * n + (j % (2 * n));
  const indices: number[] = [];
  for (let i = 0; i < n; i++) {
    for (let j = 0; j < 2 * n; j++) {
      const [a, b, c, d] = [vertex(i, j), vertex(i + 1, j), vertex(i + 1, j + 1), vertex(i, j + 1)];
      if (i < n - 1) indices.push(a, b, c);
      if (i > 0) indices.push(a, c, d);
    }
  }
  return { positions: Float32Array.from(positions), indices: Uint32Array.from(indices) };
}

/** A shape, the poses of its objects, and texts that replace the defaults. */
export interface StoreShape {
  readonly solid: Solid;
  readonly poses: readonly Float64Array[];
  readonly words?: Partial<Omit<SourceObject, 'pose'>>;
}

/** Objects are numbered in this order, and named `thing 0`, `thing 1` … by default. */
export async function storeBytes(
  shapes: readonly StoreShape[],
  { title = 'test', ...options }: StoreWriterOptions & { readonly title?: string } = {},
): Promise<Uint8Array> {
  const sink = new MemorySink();
  const writer = new StoreWriter(sink, options);
  let count = 0;
  for (const { solid, poses, words } of shapes) {
    const objects = poses.map((pose) => {
      const name = words?.name ?? `thing ${count}`;
      const usual = { id: `${count++}`, type: 'thing', discipline: '', file: 'test', storey: '' };
      return { ...usual, name, path: `test/${name}`, ...words, pose };
    });
    await writer.add({ geometry: solid, objects });
  }
  await writer.finish({ title, metresPerUnit: 1, files: [], recipe: '' });
  return sink.bytes();
}

/** A model of placed solids, in pieces of few triangles. */
export async function modelOf(
  things: readonly { readonly solid: Solid; readonly pose: Float64Array }[],
  pieceTriangles = 64,
): Promise<SmallModel> {
  const shapes = things.map(({ solid, pose }) => ({ solid, poses: [pose] }));
  const bytes = await storeBytes(shapes, { pieceTriangles });
  const model = await openStore(new MemorySource(bytes));
  return { model, bytes, triangles: things.map(({ solid, pose }) => trianglesOf(solid, pose)) };
}

/** Boxes at random places, some of them intersecting. */
export function clutter(seed: number, count: number, size: number): { solid: Solid; pose: Float64Array }[] {
  const random = new Random(seed);
  return Array.from({ length: count }, (_, i) => ({
    solid: box(0.3 + random.next(), 0.3 + random.next(), 0.3 + 2 * random.next(), 1 + (i % 3)),
    pose: turned(
      6 * random.next(),
      size * random.next(),
      size * random.next(),
      1 + 2 * (random.next() - 0.5),
    ),
  }));
}

export function trianglesOf({ positions, indices }: Solid, pose: Float64Array): Triangles {
  const out = new Float64Array(3 * indices.length);
  for (const [i, vertex] of indices.entries()) {
    const [x, y, z] = positions.subarray(3 * vertex, 3 * vertex + 3);
    for (let k = 0; k < 3; k++) {
      out[3 * i + k] = pose[3 * k] * x + pose[3 * k + 1] * y + pose[3 * k + 2] * z + pose[9 + k];
    }
  }
  return out;
}

/** The distance of two surfaces; Infinity or a larger number if it exceeds `atMost`. */
export function apart(a: Triangles, b: Triangles, atMost = Infinity): number {
  let least = atMost * atMost;
  if (boxGapSq(a, b) > least) return Infinity;
  for (let i = 0; i < a.length; i += 9) {
    for (let j = 0; j < b.length; j += 9) {
      if (gapSq(a, i, b, j) >= least) continue;
      least = Math.min(least, distanceSqTriangleTriangle(a, i, b, j));
      if (least === 0) return 0;
    }
  }
  return Math.sqrt(least);
}

/** Between the bounding boxes of all triangles. */
function boxGapSq(a: Triangles, b: Triangles): number {
  const [p, q] = [boxOf(a), boxOf(b)];
  return [0, 1, 2].reduce((sum, k) => sum + Math.max(0, p[k] - q[3 + k], q[k] - p[3 + k]) ** 2, 0);
}

function boxOf(triangles: Triangles): number[] {
  const box = [Infinity, Infinity, Infinity, -Infinity, -Infinity, -Infinity];
  for (let i = 0; i < triangles.length; i++) {
    box[i % 3] = Math.min(box[i % 3], triangles[i]);
    box[3 + (i % 3)] = Math.max(box[3 + (i % 3)], triangles[i]);
  }
  return box;
}

/** Between the boxes of two triangles. */
function gapSq(a: Triangles, i: number, b: Triangles, j: number): number {
  let sum = 0;
  for (let k = 0; k < 3; k++) {
    const gap = Math.max(
      Math.min(a[i + k], a[i + 3 + k], a[i + 6 + k]) - Math.max(b[j + k], b[j + 3 + k], b[j + 6 + k]),
      Math.min(b[j + k], b[j + 3 + k], b[j + 6 + k]) - Math.max(a[i + k], a[i + 3 + k], a[i + 6 + k]),
      0,
    );
    sum += gap * gap;
  }
  return sum;
}

/** Whether a point is inside the solid bounded by closed triangles. */
export function inside(triangles: Triangles, [x, y, z]: Vec3): boolean {
  for (let turn = 1; ; turn++) {
    const end = Float64Array.of(x + 100 * Math.cos(turn), y + 100 * Math.sin(turn), z + 31.7 * turn);
    let crossings = 0;
    for (let t = 0; t < triangles.length && crossings >= 0; t += 9) {
      const crossing = crossingRayTriangle(Float64Array.of(x, y, z), 0, end, 0, triangles, t);
      crossings = crossing === RAY_DEGENERATE ? Number.NEGATIVE_INFINITY : crossings + Math.abs(crossing);
    }
    if (crossings >= 0) return crossings % 2 === 1;
  }
}
