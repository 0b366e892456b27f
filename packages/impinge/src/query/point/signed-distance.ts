/**
 * How far points are from a mesh, and on which side: inside a closed one by parity, exactly; of an open one by its
 * generalised winding number.
 */
import { arena } from '../../base/arena.js';
import { ImpingeError } from '../../base/errors.js';
import { kernelSupported } from '../../kernel/kernel.js';
import { type Point, readPoint } from '../../math/point.js';
import { assertClosed, isClosed } from '../../mesh/closed.js';
import { assertMesh, type Mesh } from '../../mesh/mesh.js';
import { HIT_BYTES, R, RAY_BYTES } from '../ray/layout.generated.js';
import { locateChunk } from '../ray/parity.js';
import { CHUNK, RayBlock } from '../ray/ray-block.js';
import { eachClosest } from './closest-point.js';
import { pointsKernels } from './kernels.generated.js';
import { type PointAsk, type PointOptions, readPointOptions, readPoints, writePoint } from './point-input.js';

/**
 * The distance of a point from a mesh, negative inside. Of a closed mesh the side is exact; of an open one it is inside
 * where the generalised winding number is above a half, which looks at every triangle.
 */
export function signedDistance(mesh: Mesh, point: Point, options?: PointOptions): number {
  assertMesh(mesh);
  const ask = readPointOptions(options);
  return signed('signedDistance', mesh, readPoint('signedDistance: the point', point, [0, 0, 0]), ask)[0];
}

/** The same for many points, three numbers each. */
export function signedDistances(mesh: Mesh, points: ArrayLike<number>, options?: PointOptions): Float64Array {
  assertMesh(mesh);
  const ask = readPointOptions(options);
  return signed('signedDistances', mesh, readPoints('signedDistances', points), ask);
}

/**
 * Says where many points, three numbers each, lie: 1 inside, 0 on the surface, −1 outside. The mesh must be closed,
 * else 'bad-input'. Exact.
 */
export function pointsInMesh(mesh: Mesh, points: ArrayLike<number>, options?: PointOptions): Int8Array {
  assertClosed(mesh);
  const ask = readPointOptions(options);
  return sidesOf(mesh, readPoints('pointsInMesh', points), ask, true);
}

function signed(name: string, mesh: Mesh, read: ArrayLike<number>, ask: PointAsk): Float64Array {
  const closed = isClosed(mesh);
  if (!closed && !kernelSupported())
    throw new ImpingeError('unsupported', `${name} of an open mesh needs WebAssembly SIMD`);
  const out = new Float64Array(read.length / 3);
  const sides = sidesOf(mesh, read, ask, closed);
  eachClosest(mesh, read, ask, (i, { distance }) => {
    out[i] = sides[i] > 0 ? -distance : sides[i] < 0 ? distance : 0;
  });
  return out;
}

function sidesOf(mesh: Mesh, points: ArrayLike<number>, { local }: PointAsk, closed: boolean): Int8Array {
  const count = points.length / 3;
  const out = new Int8Array(count);
  let block = RayBlock.take();
  try {
    for (let from = 0; from < count; from += CHUNK) {
      const size = Math.min(CHUNK, count - from);
      const doubles = arena().f64();
      for (let i = 0; i < size; i++)
        writePoint(points, from + i, local, mesh.origin, doubles, (block.rays + RAY_BYTES * i) >>> 3);
      if (closed) block = locateChunk(mesh, block, size, out, from);
      else windChunk(mesh, block, size, out, from);
    }
    return out;
  } finally {
    block.release();
  }
}

function windChunk(mesh: Mesh, { block, hits }: RayBlock, size: number, out: Int8Array, at: number): void {
  const words = arena().u32();
  words[(block + R.mesh) >>> 2] = mesh.block;
  words[(block + R.count) >>> 2] = size;
  pointsKernels.kernels().windingNumbers(block);
  const doubles = arena().f64();
  for (let i = 0; i < size; i++) out[at + i] = doubles[(hits + HIT_BYTES * i) >>> 3] > 0.5 ? 1 : -1;
}
