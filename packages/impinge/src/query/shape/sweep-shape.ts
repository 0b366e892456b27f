/**
 * The first contact of a shape that moves straight on, for whatever walks, slides or flies through a mesh.
 *
 * A shape that touches something at the start is said to be in it, with a depth and the way out, where it would get
 * deeper or is more than rounding deep; what it only touches and does not move into is passed over, so that things
 * slide along what they rest on.
 */
import { ImpingeError } from '../../base/errors.js';
import { kernelSupported } from '../../kernel/kernel.js';
import { type Point, readPoint } from '../../math/point.js';
import type { Vec3 } from '../../math/pose.js';
import { assertMesh, type Mesh } from '../../mesh/mesh.js';
import type { Place, Target } from '../target.js';
import { largest } from './convex-shape.js';
import { cornersOf, findTriangles } from './find-triangles.js';
import { shapesKernels } from './kernels.generated.js';
import { ALONG, NEAR, S, STEPS } from './layout.generated.js';
import { readPose, type ShapeOptions } from './meets-shape.js';
import type { MeshPlace } from './mesh-place.js';
import { largestOf, type PlacedShape, placeShape } from './place-shape.js';
import { ShapeBlock } from './shape-block.js';
import { evenly, gapTo, toWorld } from './shape-distance.js';
import { readShape, type Shape, type WorldShape } from './shape-input.js';
import { type StartContact, StartContacts } from './start-contact.js';

export type ShapeContact<T extends Target = Mesh> = Place<T> & {
  /** From 0, the start, to 1, the end of the motion. */
  readonly time: number;
  readonly triangle: number;
  /** Where the mesh is touched; at a start in touch, the point of the triangle where the shape would leave it. */
  readonly point: Vec3;
  /** Of length 1, from the mesh towards the shape. */
  readonly normal: Vec3;
  /** How far along the normal the shape has to move to be free of the triangle: more than 0 only at the start. */
  readonly depth: number;
};

const NONE = 0xffffffff;
/** Share of the numbers involved: how deep a start may be without being in something. */
const SKIN = 1e-9;

/**
 * Moves a shape (a sphere, capsule, box, frustum or hull) by a vector, and says what of the mesh it touches first;
 * undefined: nothing. The time is never late.
 */
export function sweepShape(
  given: Mesh,
  shape: Shape,
  by: Point,
  options?: ShapeOptions,
): ShapeContact | undefined {
  assertMesh(given);
  const { mesh, place } = evenly(given, readPose(options));
  const world = readSweptShape(shape);
  const motion = toMesh(readMotion(by), place);
  const placed = placeShape(world, mesh, place);
  const most = Math.max(largestOf(mesh), largest(placed.shape.box));
  const inside = deepestStart(findTriangles(world, mesh, place, false), mesh, placed, motion, SKIN * most);
  if (inside) return contactOf(mesh, place, placed, motion, { time: 0, ...inside });
  if (motion.every((x) => x === 0)) return undefined;
  const found = kernelSupported() ? first(mesh, placed, motion) : firstPortable(mesh, placed, motion, most);
  return found && contactOf(mesh, place, placed, motion, found);
}

/** A shape that can be moved on. */
export function readSweptShape(shape: Shape): WorldShape {
  const world = readShape('sweepShape', shape);
  if (world.form === 'half-space')
    throw new ImpingeError('bad-input', 'sweepShape: a half-space is infinite and cannot be swept');
  if (world.form === 'cylinder')
    throw new ImpingeError(
      'bad-input',
      'sweepShape: cylinders are not supported; use a capsule, or a hull of points',
    );
  return world;
}

interface Found {
  readonly time: number;
  readonly triangle: number;
  /** From the mesh towards the shape, any length. */
  readonly normal: Float64Array;
  readonly depth: number;
}

/** The motion as three finite numbers. */
export function readMotion(by: Point): Float64Array {
  return readPoint('sweepShape: by', by, new Float64Array(3));
}

function toMesh([x, y, z]: Float64Array, { back: b }: MeshPlace): Float64Array {
  return Float64Array.of(
    b[0] * x + b[1] * y + b[2] * z,
    b[3] * x + b[4] * y + b[5] * z,
    b[6] * x + b[7] * y + b[8] * z,
  );
}

/** Of the triangles touched at the start, the one the shape is deepest in, unless it is in none. */
function deepestStart(
  touched: ArrayLike<number>,
  mesh: Mesh,
  { shape }: PlacedShape,
  motion: Float64Array,
  skin: number,
): (StartContact & { triangle: number }) | undefined {
  if (touched.length === 0) return undefined;
  const [x, y, z] = motion;
  const along = -ALONG * Math.hypot(x, y, z);
  const contacts = new StartContacts(shape);
  const { storedPositions: positions, storedIndices: indices } = mesh;
  const corners = new Float64Array(9);
  let deepest: (StartContact & { triangle: number }) | undefined;
  for (let i = 0; i < touched.length; i++) {
    const triangle = touched[i];
    for (let k = 0; k < 3; k++) {
      const at = 3 * indices[3 * triangle + k];
      for (let axis = 0; axis < 3; axis++) corners[3 * k + axis] = positions[at + axis];
    }
    const contact = contacts.deeper(corners, deepest?.depth ?? -1);
    if (!contact) continue;
    const { normal, depth } = contact;
    const into = normal[0] * x + normal[1] * y + normal[2] * z < along;
    if (into || depth > skin) deepest = { normal, depth, triangle };
  }
  return deepest;
}

function first(mesh: Mesh, { shape }: PlacedShape, motion: Float64Array): Found | undefined {
  const block = ShapeBlock.take(mesh, shape, true);
  try {
    motion.forEach((x, k) => {
      block.setDouble(S.motion + 8 * k, x);
    });
    block.setDouble(S.best, 1);
    shapesKernels.kernels().sweepShape(block.block);
    const triangle = block.word(S.triangle);
    if (triangle === NONE) return undefined;
    const normal = Float64Array.from([0, 8, 16], (k) => -block.double(S.gap + k));
    return { time: block.double(S.best), triangle, normal, depth: 0 };
  } finally {
    block.release();
  }
}

/** Every triangle, as kernels/shapes/sweep.ts does it. */
function firstPortable(
  mesh: Mesh,
  placed: PlacedShape,
  motion: Float64Array,
  most: number,
): Found | undefined {
  const near = NEAR * (most + Math.hypot(...motion));
  let best: Found | undefined;
  for (let t = 0; t < mesh.triangleCount; t++) {
    const found = touches(placed, cornersOf(mesh, t), motion, near, best?.time ?? 1);
    if (found && (!best || found.time < best.time)) best = { ...found, triangle: t, depth: 0 };
  }
  return best;
}

/** When a moving shape touches a triangle, and the way between them shortly before. */
function touches(
  placed: PlacedShape,
  corners: Float64Array,
  motion: Float64Array,
  near: number,
  atMost: number,
): { readonly time: number; readonly normal: Float64Array } | undefined {
  const radius = placed.shape.kind === 2 ? 0 : placed.shape.radius;
  let time = 0;
  let normal = new Float64Array(3);
  for (let step = 0; step < STEPS; step++) {
    const { core, way } = gapTo(
      placed,
      corners.map((x, i) => x - time * motion[i % 3]),
    );
    const closing = (way[0] * motion[0] + way[1] * motion[1] + way[2] * motion[2]) / Math.hypot(...way);
    const gap = core - radius;
    if (radius > 0 || gap > 1e5 * near || step === 0) normal = way.map((x) => -x);
    if (gap <= near) {
      if (time > 0) return { time, normal };
      const contact = new StartContacts(placed.shape).deeper(corners, -1)!;
      const along = contact.normal.reduce((sum, x, k) => sum + x * motion[k], 0);
      return along < -ALONG * Math.hypot(...motion) ? { time, normal: contact.normal } : undefined;
    }
    if (!(closing > 0)) return undefined;
    time += (gap - 0.5 * near) / closing;
    if (!(time <= atMost)) return undefined;
  }
  return { time, normal };
}

/** What was found as callers get it. */
function contactOf(
  mesh: Mesh,
  place: MeshPlace,
  placed: PlacedShape,
  motion: Float64Array,
  { time, triangle, normal, depth }: Found,
): ShapeContact {
  const { pose, stretch } = place;
  // where the shape leaves the triangle, or touches it
  const moved = cornersOf(mesh, triangle);
  const by = [0, 1, 2].map((k) => time * motion[k] + depth * normal[k]);
  for (let i = 0; i < 9; i++) moved[i] -= by[i % 3];
  const { points } = gapTo(placed, moved);
  for (let i = 0; i < 6; i++) points[i] += by[i % 3];
  const [nx, ny, nz] = normal;
  const out = [0, 3, 6].map((k) => pose[k] * nx + pose[k + 1] * ny + pose[k + 2] * nz);
  const length = Math.hypot(out[0], out[1], out[2]);
  return {
    time,
    triangle,
    point: toWorld(points, mesh, place)[0],
    normal: length > 0 ? [out[0] / length, out[1] / length, out[2] / length] : [0, 0, 0],
    depth: depth * stretch.scale,
  };
}
