/** The contact data of shapes given by numbers: triangles, and surfaces at a distance around them. */
import type { Vec3 } from 'impinge/internal/math/pose.js';
import type { BodyShape } from '../contact-engine.js';
import { ContactShape } from '../contact-shape.js';
import { CylinderShape } from './cylinder-shape.js';
import { JoinedShape } from './joined-shape.js';
import type { RoundSolid } from './round-solids.js';

/** Triangles, with a surface this far from them all around: a point is a ball, a segment a capsule. */
export interface Core {
  readonly positions: Float64Array;
  readonly indices: Uint32Array;
  readonly round: number;
  /** Of a cylinder, which is a shape of its own; its core is its axis. */
  readonly cylinder?: RoundSolid;
}

/** The shape of several cores as one, about a centre. */
export function shapeOfCores(name: string, cores: readonly Core[], centre: Vec3): BodyShape {
  const others = cores.filter(({ cylinder }) => !cylinder);
  const shapes: ContactShape[] = [...new Set(others.map(({ round }) => round))].map((round) => {
    const triangles = joinTriangles(others.filter((core) => core.round === round));
    return new ContactShape({ name, ...triangles }, centre, round === 0, round);
  });
  for (const { cylinder } of cores) if (cylinder) shapes.push(new CylinderShape(name, cylinder, centre));
  return shapes.length === 1 ? shapes[0] : new JoinedShape(name, shapes);
}

/** The triangles of several as one list. */
export function joinTriangles(
  all: readonly { readonly positions: ArrayLike<number>; readonly indices: ArrayLike<number> }[],
): { readonly positions: Float64Array; readonly indices: Uint32Array } {
  let first = 0;
  const indices: number[] = [];
  for (const { positions, indices: own } of all) {
    for (const i of Array.from(own)) indices.push(first + i);
    first += positions.length / 3;
  }
  const positions = Float64Array.from(all.flatMap((one) => Array.from(one.positions)));
  return { positions, indices: Uint32Array.from(indices) };
}
