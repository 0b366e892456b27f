/** A shape of a link: what encloses it, and what it is exactly. */
import { ImpingeError, isClosed, isConvex, type Mesh, type Shape } from 'impinge';
import { readKnown, shown } from 'impinge/internal/base/options.js';
import { orthonormalised, type RigidPose, toRigidPose } from 'impinge/internal/math/pose.js';
import { assertMesh } from 'impinge/internal/mesh/mesh.js';
import { Derived } from 'impinge/internal/mesh/revisions.js';
import { boxSolid, ConvexSolid, hullOfMesh, isHullOf } from './convex-solid.js';
import { innerOfMesh } from './inner-solid.js';
import type { LinkShape } from './mechanism-data.js';
import { numbersOf } from './read-mechanism.js';

/** The surface of a mesh, which may fill less than the solid around it. */
export interface Surface {
  readonly mesh: Mesh;
  /** In the frame of what bears it. */
  readonly pose: RigidPose;
  readonly isClosed: boolean;
}

export class LinkBody {
  readonly link: number;
  /** That of the link, or of the attached object. */
  readonly name: string;
  /** In the link's frame. */
  readonly solid: ConvexSolid;
  /** A solid that it certainly fills; undefined where none is known. */
  readonly inner: ConvexSolid | undefined;
  /** Whether the solid is what is meant. */
  readonly isExact: boolean;
  /** Of a mesh. */
  readonly surface: Surface | undefined;

  constructor(link: number, name: string, shape: LinkShape) {
    this.link = link;
    this.name = name;
    try {
      readShapeNames(shape);
      const pose = orthonormalised(toRigidPose(shape.pose));
      const { solid, inner, isExact, isShut } =
        'mesh' in shape ? solids.of(shape.mesh) : exactly(solidOf(shape));
      this.solid = solid.posed(pose);
      this.inner = isExact ? this.solid : inner?.posed(pose);
      this.isExact = isExact;
      this.surface = 'mesh' in shape ? { mesh: shape.mesh, pose, isClosed: isShut } : undefined;
    } catch (error) {
      if (!(error instanceof ImpingeError)) throw error;
      throw new ImpingeError(error.code, `${name}: ${error.message}`, { ...error.detail, link: name });
    }
  }
}

/** What is known of a mesh, in its coordinates. */
export const solids = new Derived((mesh: Mesh) => {
  const solid = hullOfMesh(mesh);
  if (isHullOf(mesh) && isConvex(mesh)) return exactly(solid);
  return { solid, inner: innerOfMesh(mesh, solid), isExact: false, isShut: isClosed(mesh) };
});

function exactly(solid: ConvexSolid) {
  return { solid, inner: solid as ConvexSolid | undefined, isExact: true, isShut: true };
}

/** Throws unless it is one of the shapes, with no other names. */
function readShapeNames(shape: LinkShape): void {
  const kinds = ['mesh', 'box', 'sphere', 'cylinder', 'capsule'] as const;
  const given: Readonly<Record<string, unknown>> = Object(shape);
  const kind = kinds.find((name) => given[name] !== undefined);
  if (!kind) throw new ImpingeError('bad-input', `a shape is a ${kinds.join(', ')}`);
  readKnown('a shape', given, { pose: true, [kind]: true });
  if (kind === 'mesh') assertMesh(given['mesh'] as Mesh);
  if (kind === 'mesh' || kind === 'box') return;
  const names = kind === 'sphere' ? ['radius'] : ['radius', 'length'];
  const other = Object.keys(Object(given[kind])).find((name) => !names.includes(name));
  if (other !== undefined)
    throw new ImpingeError('bad-option', `a ${kind} has ${names.join(' and ')}, no ${other}`);
}

function solidOf(shape: Exclude<LinkShape, { readonly mesh: Mesh }>): ConvexSolid {
  if ('box' in shape) {
    const edges = numbersOf(shape.box);
    if (edges?.length !== 3)
      throw new ImpingeError('bad-input', `a box has 3 edges, got ${shown(shape.box)}`);
    const half = edges.map((edge, k) => 0.5 * size(`edge ${k} of a box`, edge));
    return boxSolid(
      half.map((x) => -x),
      half,
    );
  }
  if ('sphere' in shape)
    return new ConvexSolid(new Float64Array(3), size('the radius of a sphere', shape.sphere.radius));
  const kind = 'cylinder' in shape ? 'cylinder' : 'capsule';
  const round = 'cylinder' in shape ? shape.cylinder : shape.capsule;
  const half = 0.5 * size(`the length of a ${kind}`, round.length);
  const radius = size(`the radius of a ${kind}`, round.radius);
  const ends = Float64Array.of(0, 0, -half, 0, 0, half);
  return kind === 'cylinder' ? new ConvexSolid(ends, 0, radius) : new ConvexSolid(ends, radius);
}

function size(name: string, value: unknown): number {
  if (typeof value === 'number' && value > 0 && value < Infinity) return value;
  throw new ImpingeError('bad-input', `${name} must be a finite number above 0, got ${shown(value)}`);
}

/** A solid in the world, for questions about meshes. */
export function shapeOf({ points, radius, disk }: ConvexSolid): Shape {
  const last = points.subarray(points.length - 3);
  if (disk > 0) return { bottom: points.subarray(0, 3), top: last, radius: disk };
  if (radius === 0) return { points };
  return points.length === 3 ? { centre: points, radius } : { from: points.subarray(0, 3), to: last, radius };
}
