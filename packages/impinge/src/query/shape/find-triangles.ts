/** Which triangles of a mesh a shape meets: the kernel tells what floating point can, exact arithmetic the rest. */
import { distanceSqSegmentTriangle } from '../../geometry/distance/segment-triangle.js';
import { kernelSupported } from '../../kernel/kernel.js';
import { posePoint } from '../../math/pose.js';
import type { Mesh } from '../../mesh/mesh.js';
import { cylinderDecision } from './cylinder.js';
import { type Decision, decisionOf } from './exact-shape.js';
import { shapesKernels } from './kernels.generated.js';
import { S, ShapeMode, ShapeStatus } from './layout.generated.js';
import type { MeshPlace } from './mesh-place.js';
import { type PlacedShape, placeShape, roundShape } from './place-shape.js';
import { ShapeBlock } from './shape-block.js';
import type { CylinderWorldShape, RoundWorldShape, WorldShape } from './shape-input.js';

const NONE: readonly number[] = [];

/** All triangles that meet the shape, or one if any does, in order. `known`: the shape, where it is placed already. */
export function findTriangles(
  world: WorldShape,
  mesh: Mesh,
  place: MeshPlace,
  any: boolean,
  known?: PlacedShape,
): Uint32Array | readonly number[] {
  if (world.form === 'box' && kernelSupported()) {
    const block = ShapeBlock.takeBox(mesh, world, place);
    // it is placed once more where floating point cannot tell, or there are very many triangles
    if (block) return ask(block, mesh, any, () => placeShape(world, mesh, place));
  }
  const placed = known ?? placeShape(world, mesh, place);
  if (!placed.encloses) return find(mesh, placed, any);
  // no sphere or capsule in the mesh's numbers, or a cylinder: decided in the world
  const meets = worldDecision(world as RoundWorldShape | CylinderWorldShape, mesh, place);
  const met: number[] = [];
  for (const triangle of find(mesh, placed, false)) {
    if (!meets(cornersOf(mesh, triangle))) continue;
    met.push(triangle);
    if (any) break;
  }
  return met;
}

function find(mesh: Mesh, placed: PlacedShape, any: boolean): Uint32Array | readonly number[] {
  if (kernelSupported()) return ask(ShapeBlock.take(mesh, placed.shape, false), mesh, any, () => placed);
  const meets = decisionOf(placed.shape, placed.halfSpace);
  const met: number[] = [];
  for (let t = 0; t < mesh.triangleCount && !(any && met.length > 0); t++) {
    if (meets(cornersOf(mesh, t))) met.push(t);
  }
  return met;
}

/** Asks the kernel about the shape of a block, and releases that. */
function ask(
  first: ShapeBlock,
  mesh: Mesh,
  any: boolean,
  placed: () => PlacedShape,
): Uint32Array | readonly number[] {
  let block = first;
  try {
    for (;;) {
      block.setWord(S.mode, any ? ShapeMode.any : ShapeMode.all);
      const status = shapesKernels.kernels().meetShape(block.block);
      if (status === ShapeStatus.met) return [block.word(S.triangle)];
      if (status === ShapeStatus.done) break;
      const { room } = block;
      const { shape } = placed();
      block.release();
      block = ShapeBlock.take(mesh, shape, false, Math.min(8 * room, Math.max(2 * room, mesh.triangleCount)));
    }
    const foundCount = block.word(S.foundCount);
    if (block.word(S.doubtCount) === 0) return foundCount === 0 ? NONE : inOrder(block.list(S.found).slice());
    const { shape, halfSpace } = placed();
    const meets = decisionOf(shape, halfSpace);
    const met: number[] = [];
    for (const triangle of block.list(S.doubts).slice()) {
      if (!meets(cornersOf(mesh, triangle))) continue;
      met.push(triangle);
      if (any) return met;
    }
    const all = new Uint32Array(foundCount + met.length);
    all.set(block.list(S.found));
    all.set(met, foundCount);
    return inOrder(all);
  } finally {
    block.release();
  }
}

/** Few, of which most are in order, are sorted sooner by hand. */
function inOrder(triangles: Uint32Array): Uint32Array {
  if (triangles.length > 64) return triangles.sort();
  for (let i = 1; i < triangles.length; i++) {
    const triangle = triangles[i];
    let at = i;
    for (; at > 0 && triangles[at - 1] > triangle; at--) triangles[at] = triangles[at - 1];
    triangles[at] = triangle;
  }
  return triangles;
}

/** The corners of a triangle in the mesh's numbers. */
export function cornersOf(mesh: Mesh, triangle: number): Float64Array {
  const { storedPositions: positions, storedIndices: indices } = mesh;
  const out = new Float64Array(9);
  for (let k = 0; k < 3; k++) {
    const at = 3 * indices[3 * triangle + k];
    for (let axis = 0; axis < 3; axis++) out[3 * k + axis] = positions[at + axis];
  }
  return out;
}

/** The same triangle where it is in the world. */
export function toWorld(corners: Float64Array, { origin }: Mesh, { pose }: MeshPlace): Float64Array {
  const out = new Float64Array(9);
  for (let i = 0; i < 9; i += 3)
    posePoint(pose, corners[i] + origin[0], corners[i + 1] + origin[1], corners[i + 2] + origin[2], out, i);
  return out;
}

function worldDecision(world: RoundWorldShape | CylinderWorldShape, mesh: Mesh, place: MeshPlace): Decision {
  const { min, max } = mesh.box;
  const size = Math.max(...min.map(Math.abs), ...max.map(Math.abs)) * place.stretch.most;
  const far = size + Math.max(...place.pose.map(Math.abs));
  if (world.form === 'cylinder') {
    const meets = cylinderDecision(world, far);
    return (corners) => meets(toWorld(corners, mesh, place));
  }
  const { axis, reach } = roundShape(world.axis, world.radius, far);
  const ends = Float64Array.from(axis);
  return (corners) =>
    distanceSqSegmentTriangle(ends, 0, 3, toWorld(corners, mesh, place), 0) <= reach * reach;
}
