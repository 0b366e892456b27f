/** Many spheres against a mesh in one call. */
import { arena } from '../../base/arena.js';
import { ImpingeError } from '../../base/errors.js';
import { readLength, shown } from '../../base/options.js';
import { kernelSupported } from '../../kernel/kernel.js';
import { assertMesh, type Mesh } from '../../mesh/mesh.js';
import { steady } from '../../mesh/mesh-arrays.js';
import { readPoints } from '../point/point-input.js';
import { findTriangles } from './find-triangles.js';
import { shapesKernels } from './kernels.generated.js';
import { S, ShapeMode } from './layout.generated.js';
import type { RoundShape } from './local-shape.js';
import { readPose, type ShapeOptions } from './meets-shape.js';
import { readPlace } from './mesh-place.js';
import { placeShape } from './place-shape.js';
import { ShapeBlock } from './shape-block.js';

/** Three numbers for each centre, and a radius for each or one for all. */
export interface Spheres {
  readonly centres: ArrayLike<number>;
  readonly radii: ArrayLike<number> | number;
}

/** Spheres that are handed to the kernel at once; a block has room for their answers. */
const CHUNK = 512;
const SPHERE_NUMBERS = 5;

/** Which of many spheres meet the mesh: 1 or 0 for each, as `meetsShape` says of one. */
export function meetsSpheres(mesh: Mesh, spheres: Spheres, options?: ShapeOptions): Uint8Array {
  assertMesh(mesh);
  const place = readPlace(readPose(options));
  const { centres, radiusOf } = readSpheres(spheres);
  const out = new Uint8Array(centres.length / 3);
  // those that are no spheres in the mesh's numbers, and points, about which decisions are exact, are asked about one
  // by one
  const even = place.stretch.rigid || place.stretch.scale > 0;
  const together: number[] = [];
  for (let i = 0; i < out.length; i++) {
    const radius = radiusOf(i);
    if (even && radius > 0 && kernelSupported()) together.push(i);
    else out[i] = findTriangles(sphereAt(centres, i, radius), mesh, place, true).length;
  }
  for (let from = 0; from < together.length; from += CHUNK) {
    const some = together.slice(from, from + CHUNK);
    const local = some.map(
      (i) => placeShape(sphereAt(centres, i, radiusOf(i)), mesh, place).shape as RoundShape,
    );
    ask(mesh, local).forEach((met, k) => {
      out[some[k]] = met;
    });
  }
  return out;
}

/** One of many. */
export function sphereAt(centres: ArrayLike<number>, i: number, radius: number) {
  const [x, y, z] = [centres[3 * i], centres[3 * i + 1], centres[3 * i + 2]];
  return { form: 'round', axis: [x, y, z, x, y, z], radius } as const;
}

/** Centres, three numbers each, and the radius of each. */
export function readSpheres(spheres: Spheres) {
  if (typeof spheres !== 'object' || spheres === null)
    throw new ImpingeError('bad-input', `meetsSpheres: spheres are an object, got ${shown(spheres)}`);
  const centres = readPoints('meetsSpheres', spheres.centres);
  const { radii } = spheres;
  if (typeof radii === 'number') {
    const radius = readLength('radii', radii);
    return { centres, radiusOf: () => radius };
  }
  const list = steady(radii);
  if (list?.length !== centres.length / 3) {
    throw new ImpingeError(
      'bad-input',
      `meetsSpheres: radii must be one number, or one for each of ${centres.length / 3} centres, got ${list?.length ?? shown(radii)}`,
    );
  }
  for (let i = 0; i < list.length; i++) readLength(`radius ${i}`, list[i]);
  return { centres, radiusOf: (i: number) => list[i] };
}

function ask(mesh: Mesh, spheres: readonly RoundShape[]): Uint32Array {
  const block = ShapeBlock.take(mesh, spheres[0], false);
  const list = arena().alloc(8 * SPHERE_NUMBERS * spheres.length);
  try {
    const doubles = arena().f64();
    spheres.forEach(({ axis, radius, reach }, i) => {
      const at = (list >>> 3) + SPHERE_NUMBERS * i;
      for (let k = 0; k < 3; k++) doubles[at + k] = axis[k];
      doubles[at + 3] = radius;
      doubles[at + 4] = reach;
    });
    block.setWord(S.planes, list);
    block.setWord(S.count, spheres.length);
    block.setWord(S.mode, ShapeMode.any);
    shapesKernels.kernels().meetSpheres(block.block);
    const at = block.word(S.found) >>> 2;
    return arena()
      .u32()
      .slice(at, at + spheres.length);
  } finally {
    arena().free(list);
    block.release();
  }
}
