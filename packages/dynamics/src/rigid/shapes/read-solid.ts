/** The solids that bodies are made of: surfaces, shapes given by numbers, and several of these as one. */
import { ImpingeError } from 'impinge/internal/base/errors.js';
import type { Vec3 } from 'impinge/internal/math/pose.js';
import { Mesh } from 'impinge/internal/mesh/mesh.js';
import { facesOfHull } from 'impinge/internal/query/shape/convex-shape.js';
import { cornersOfBox } from 'impinge/internal/query/shape/place-shape.js';
import {
  type BoxShape,
  type CapsuleShape,
  type CylinderShape,
  type HullShape,
  readShape,
  type SphereShape,
} from 'impinge/internal/query/shape/shape-input.js';
import { joinedMass, type SolidMass, solidMass } from '../../bodies/solid-mass.js';
import { type CheckedSurface, readSurface, type SurfaceSource } from '../../bodies/surface-input.js';
import { middleOf } from '../box-middle.js';
import type { BodyShape } from '../contact-engine.js';
import { type Core, joinTriangles, shapeOfCores } from './core-shapes.js';
import { massOfRound, type RoundSolid, surfaceOfRound } from './round-solids.js';

/** A solid given by numbers; its kind follows from its properties. Coordinates are rounded to float32. */
export type SolidShape = (SphereShape | CapsuleShape | CylinderShape | BoxShape | HullShape) & {
  readonly name?: string;
};

/** Several solids as one, where they are given; where they overlap, their masses add up. */
export interface CompoundShape {
  readonly parts: readonly SolidShape[];
  readonly name?: string;
}

/** What bodies are made of. */
export type BodySource = SurfaceSource | SolidShape | CompoundShape;

/** A body's surface; of a shape, also its mass and its true surface. */
export interface ReadSolid extends CheckedSurface {
  readonly shape?: {
    readonly massOf: (density: number) => SolidMass;
    /** About a centre; without, about the middle. */
    readonly contactShape: (centre?: Vec3) => BodyShape;
  };
}

/** A part of a shape: triangles inside of it, its mass, and its true surface. */
interface Part {
  readonly surface: CheckedSurface;
  readonly massOf: (density: number) => SolidMass;
  readonly core: Core;
}

const BOX_FACES = [0, 2, 3, 1, 4, 5, 7, 6, 0, 1, 5, 4, 2, 6, 7, 3, 0, 4, 6, 2, 1, 3, 7, 5];

export function readSolid(source: BodySource, fallbackName: string): ReadSolid {
  if (isSurface(source)) return readSurface(source, fallbackName);
  const { name = fallbackName } = source;
  if (typeof name !== 'string')
    throw new ImpingeError('bad-input', `${fallbackName}: its name must be a string`);
  const given = 'parts' in source ? source.parts : [source];
  if (!Array.isArray(given) || given.length === 0)
    throw new ImpingeError('bad-input', `${name}: parts must be a list of shapes`, { object: name });
  const parts = given.map((part) => readPart(name, part));
  return {
    ...joined(
      name,
      parts.map(({ surface }) => surface),
    ),
    shape: {
      massOf: (density) =>
        parts.length === 1
          ? parts[0].massOf(density)
          : joinedMass(parts.map(({ massOf }) => massOf(density))),
      contactShape: (centre) =>
        shapeOfCores(
          name,
          parts.map(({ core }) => core),
          centre ?? middleOf(Float64Array.from(parts.flatMap(({ core }) => Array.from(core.positions)))),
        ),
    },
  };
}

function isSurface(source: BodySource): source is SurfaceSource {
  if (typeof source !== 'object' || source === null || source instanceof Mesh) return true;
  return (
    ['attributes', 'positions', 'indices'].some((key) => key in source) || Object.keys(source).length === 0
  );
}

function readPart(name: string, given: SolidShape): Part {
  const shape = readShape(name, given);
  if (shape.form === 'half-space')
    throw new ImpingeError('bad-input', `${name}: a half-space is no body`, { object: name });
  if (shape.form === 'round' || shape.form === 'cylinder') {
    const [x, y, z, u, v, w] = shape.axis.map(Math.fround);
    const { radius } = shape;
    if (!(radius > 0))
      throw new ImpingeError('bad-input', `${name}: a shape without a volume`, { object: name });
    const solid: RoundSolid = { from: [x, y, z], to: [u, v, w], radius, flat: shape.form === 'cylinder' };
    return {
      surface: readSurface({ ...surfaceOfRound(solid), name }, name),
      massOf: (density) => massOfRound(solid, density),
      core: coreOf(solid),
    };
  }
  const surface = readSurface(
    { ...(shape.form === 'box' ? boxSurface(cornersOfBox(shape)) : hullSurface(shape.points)), name },
    name,
  );
  const { positions, indices } = surface;
  const { mass } = solidMass(positions, indices, 1);
  if (!(mass > 0)) throw new ImpingeError('bad-input', `${name}: a shape without a volume`, { object: name });
  return {
    surface,
    massOf: (density) => solidMass(positions, indices, density),
    core: { positions, indices, round: 0 },
  };
}

/** A point or a segment, as a triangle without area. */
function coreOf(solid: RoundSolid): Core {
  const { from, to, radius, flat } = solid;
  const isPoint = from.every((x, k) => x === to[k]);
  return isPoint
    ? { positions: Float64Array.from(from), indices: Uint32Array.of(0, 0, 0), round: radius }
    : {
        positions: Float64Array.of(...from, ...to),
        indices: Uint32Array.of(0, 1, 1),
        round: radius,
        ...(flat && { cylinder: solid }),
      };
}

function boxSurface(positions: Float64Array) {
  const indices = [0, 4, 8, 12, 16, 20].flatMap((f) => [0, 1, 2, 0, 2, 3].map((k) => BOX_FACES[f + k]));
  return { positions, indices };
}

/** The corners of the hull of points, and its faces. */
function hullSurface(points: Float64Array) {
  const grid = points.map(Math.fround);
  const faces = facesOfHull(grid);
  const used = [...new Set(faces)].sort((p, q) => p - q);
  const numbers = new Map(used.map((point, i) => [point, i]));
  return {
    positions: used.flatMap((point) => Array.from(grid.subarray(3 * point, 3 * point + 3))),
    indices: Array.from(faces, (point) => numbers.get(point) as number),
  };
}

function joined(name: string, surfaces: readonly CheckedSurface[]): CheckedSurface {
  if (surfaces.length === 1) return surfaces[0];
  const { positions, indices } = joinTriangles(surfaces);
  return { name, positions, indices, vertexCount: positions.length / 3 };
}
