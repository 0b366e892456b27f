/**
 * How far points are from a mesh, and on which side: inside a closed one by parity, exactly; of an open one by its
 * generalised winding number.
 */
import { arena } from '../../base/arena.js';
import { ImpingeError } from '../../base/errors.js';
import { kernelSupported } from '../../kernel/kernel.js';
import { assertClosed, isClosed } from '../../mesh/closed.js';
import type { Mesh } from '../../mesh/mesh.js';
import { HIT_BYTES, R, RAY_BYTES } from '../ray/layout.generated.js';
import { locateChunk } from '../ray/parity.js';
import { CHUNK, type RayBlock } from '../ray/ray-block.js';
import { eachClosest } from './closest-point.js';
import { pointsKernels } from './kernels.generated.js';
import { writePoint } from './point-input.js';

/**
 * The distances of many points, three numbers each, from a mesh that is where the block says, rigidly; negative inside.
 * Of a closed mesh the side is exact; in an open one it is inside where the generalised winding number is above a half,
 * which looks at every triangle.
 */
export function signedDistances(mesh: Mesh, points: ArrayLike<number>, block: RayBlock): Float64Array {
  const closed = isClosed(mesh);
  if (!closed && !kernelSupported())
    throw new ImpingeError('unsupported', 'signedDistance of an open mesh needs WebAssembly SIMD');
  const out = new Float64Array(points.length / 3);
  const sides = sidesOf(mesh, points, block, closed);
  eachClosest(mesh, points, block, (i, { distance }) => {
    out[i] = sides[i] > 0 ? -distance : sides[i] < 0 ? distance : 0;
  });
  return out;
}

/**
 * Says where many points, three numbers each, lie: 1 inside, 0 on the surface, −1 outside. The mesh, which may be
 * stretched, must be closed, else 'bad-input'. Exact.
 */
export function pointsInMesh(mesh: Mesh, points: ArrayLike<number>, block: RayBlock): Int8Array {
  assertClosed(mesh);
  return sidesOf(mesh, points, block, true);
}

function sidesOf(mesh: Mesh, points: ArrayLike<number>, block: RayBlock, closed: boolean): Int8Array {
  const count = points.length / 3;
  const out = new Int8Array(count);
  for (let from = 0; from < count; from += CHUNK) {
    const size = Math.min(CHUNK, count - from);
    const doubles = arena().f64();
    for (let i = 0; i < size; i++) {
      const at = (block.rays + RAY_BYTES * i) >>> 3;
      writePoint(points, from + i, block.ask.local, mesh.origin, doubles, at);
    }
    if (closed) locateChunk(mesh, block, size, out, from);
    else windChunk(mesh, block, size, out, from);
  }
  return out;
}

function windChunk(mesh: Mesh, { block, hits }: RayBlock, size: number, out: Int8Array, at: number): void {
  const words = arena().u32();
  words[(block + R.mesh) >>> 2] = mesh.block;
  words[(block + R.count) >>> 2] = size;
  pointsKernels.kernels().windingNumbers(block);
  const doubles = arena().f64();
  for (let i = 0; i < size; i++) out[at + i] = doubles[(hits + HIT_BYTES * i) >>> 3] > 0.5 ? 1 : -1;
}
