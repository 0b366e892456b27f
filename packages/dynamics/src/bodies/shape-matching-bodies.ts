/**
 * Many copies of a few shapes: letters in a heap. Each is a body of its own; their memory is one block, a row of bodies
 * for each kind of number, so that a step over all of them walks through memory in order.
 */
import { ImpingeError } from 'impinge/internal/base/errors.js';
import { shown } from 'impinge/internal/base/options.js';
import type { Point } from 'impinge/internal/math/point.js';
import { type Pose, posePoint, toRigidPose } from 'impinge/internal/math/pose.js';
import { steady } from 'impinge/internal/mesh/mesh-arrays.js';
import { type Lattice, latticeShape } from './lattice-shape.js';
import { embed, type MatchedShape } from './matched-shape.js';
import { type MatchingScratch, type MatchingState, ShapeMatchingBody } from './shape-matching.js';
import { StepGuard } from './step-guard.js';
import { checkOption, readVector, type SurfaceArrays, withDefaults } from './surface-input.js';
import { TOUCH_NAMES, type TouchOptions } from './touch.js';

export interface LatticeSurface extends SurfaceArrays {
  readonly lattice: Lattice;
}

export interface PlacedShape {
  /** Which of the shapes. */
  readonly shape: number;
  readonly pose?: Pose;
  readonly velocity?: Point;
  readonly name?: string;
}

export interface ShapeMatchingBodiesOptions extends TouchOptions {
  /** Kilograms per cubic metre of occupied cells. */
  readonly density?: number;
  /** 1 / s²: (2π · frequency)² of vibrations. */
  readonly stiffness?: number;
  /** Rate at which motion other than rigid dies away, 1 / s. */
  readonly damping?: number;
  /** A region holds the corners of all occupied cells at most this many cells away. More make bodies stiffer. */
  readonly halfWidth?: number;
}

export const SHAPE_MATCHING_DEFAULTS = {
  density: 300,
  stiffness: 2e5,
  damping: 2,
  halfWidth: 1,
} as const;

export class ShapeMatchingBodies {
  /** As they were placed. */
  readonly bodies: readonly ShapeMatchingBody[];
  readonly shapes: readonly MatchedShape[];

  constructor(
    surfaces: readonly LatticeSurface[],
    placements: readonly PlacedShape[],
    options: ShapeMatchingBodiesOptions = {},
  ) {
    const { density, stiffness, damping, halfWidth, ...touch } = withDefaults(
      'ShapeMatchingBodies',
      SHAPE_MATCHING_DEFAULTS,
      options,
      TOUCH_NAMES,
    );
    checkOption('density', density, density > 0);
    checkOption('stiffness', stiffness, stiffness >= 0);
    checkOption('damping', damping, damping >= 0);
    if (!Array.isArray(surfaces) || !Array.isArray(placements))
      throw new ImpingeError('bad-input', 'lists of surfaces and of placements are needed');
    this.shapes = surfaces.map((surface) => {
      const lattice = readLattice(surface);
      const { cellSize, cells } = lattice;
      return latticeShape(surface, lattice, {
        mass: (density * cellSize ** 3 * cells.length) / 3,
        halfWidth,
      });
    });
    const shapes = placements.map((placement: PlacedShape | undefined, i) => {
      const shape: unknown = placement?.shape;
      const found = typeof shape === 'number' ? this.shapes[shape] : undefined;
      if (found) return found;
      throw new ImpingeError('index-out-of-range', `placement ${i}: there is no shape ${shown(shape)}`, {
        placement: i,
      });
    });
    const states = allocateStates(shapes);
    const scratch = allocateScratch(shapes);
    this.bodies = placements.map((placement, i) => {
      place(shapes[i], states[i], placement);
      const given: unknown = placement.name;
      if (given !== undefined && typeof given !== 'string')
        throw new ImpingeError('bad-input', `placement ${i}: a name cannot be ${shown(given)}`, {
          placement: i,
        });
      const name = given ?? `${surfaces[placement.shape].name ?? 'shape'} ${i + 1}`;
      return new ShapeMatchingBody(name, shapes[i], states[i], { ...touch, stiffness, damping }, scratch);
    });
  }
}

/** The lattice of a surface, with whole cells. */
function readLattice(surface: LatticeSurface): Lattice {
  const lattice: Partial<Lattice> = Object(surface?.lattice);
  const cells = lattice.cells && steady(lattice.cells);
  const cellSize: unknown = lattice.cellSize;
  if (!cells || cells.length === 0 || cells.length % 3 !== 0 || !Array.from(cells).every(Number.isInteger))
    throw new ImpingeError('bad-input', 'a lattice needs three whole numbers for each of its cells');
  if (typeof cellSize !== 'number' || !(cellSize > 0 && cellSize < Infinity))
    throw new ImpingeError('bad-option', `a lattice needs a cell size above 0, got ${shown(cellSize)}`);
  return { ...lattice, cells, cellSize } as Lattice;
}

/** One block for all bodies. */
function allocateStates(shapes: readonly MatchedShape[]): MatchingState[] {
  const nodes = rows(shapes, ({ particles }) => 3 * particles.count);
  const regions = rows(shapes, ({ regions }) => 4 * regions.count);
  const vertices = rows(shapes, ({ embedding }) => 3 * embedding.vertexCount);
  const [x, v, solved, solvedVelocity, pushedNodes] = Array.from({ length: 5 }, nodes);
  const [rotations, nextRotations] = Array.from({ length: 2 }, regions);
  const [positions, proposed, pushes] = Array.from({ length: 3 }, vertices);
  return shapes.map((_, i) => ({
    x: x[i],
    v: v[i],
    solved: solved[i],
    solvedVelocity: solvedVelocity[i],
    pushedNodes: pushedNodes[i],
    rotations: rotations[i],
    nextRotations: nextRotations[i],
    positions: positions[i],
    proposed: proposed[i],
    pushes: pushes[i],
  }));
}

function allocateScratch(shapes: readonly MatchedShape[]): MatchingScratch {
  const nodeCount = shapes.reduce((most, { particles }) => Math.max(most, particles.count), 0);
  return {
    guard: new StepGuard(),
    goals: new Float64Array(3 * nodeCount),
    fit: new Float64Array(12),
  };
}

/** A maker of arrays that hold one stretch per shape, one after the other. */
function rows(
  shapes: readonly MatchedShape[],
  lengthOf: (shape: MatchedShape) => number,
): () => Float64Array[] {
  const total = shapes.reduce((sum, shape) => sum + lengthOf(shape), 0);
  return () => {
    const block = new Float64Array(total);
    let at = 0;
    return shapes.map((shape) => block.subarray(at, (at += lengthOf(shape))));
  };
}

/** Puts the nodes at rest in their place. */
function place(shape: MatchedShape, state: MatchingState, { pose, velocity }: PlacedShape): void {
  const rigid = toRigidPose(pose);
  const moving = velocity && readVector('velocity', velocity);
  const { rest } = shape;
  for (let k = 0; k < rest.length; k += 3) {
    posePoint(rigid, rest[k], rest[k + 1], rest[k + 2], state.x, k);
    if (moving) state.v.set(moving, k);
  }
  const quaternion = quaternionOf(rigid);
  for (let r = 0; r < state.rotations.length; r += 4) state.rotations.set(quaternion, r);
  embed(shape.embedding, state.x, state.proposed);
  for (let k = 0; k < state.positions.length; k++) state.positions[k] = Math.fround(state.proposed[k]);
}

/**
 * The rotation of a pose as x, y, z, w: the largest component from the diagonal, the rest from the off-diagonal
 * entries.
 */
function quaternionOf(pose: Float64Array): number[] {
  const [m00, m01, m02, m10, m11, m12, m20, m21, m22] = pose;
  const squares = [1 + m00 - m11 - m22, 1 - m00 + m11 - m22, 1 - m00 - m11 + m22, 1 + m00 + m11 + m22];
  const most = squares.indexOf(Math.max(...squares));
  const q = [
    [squares[0], m01 + m10, m20 + m02, m21 - m12],
    [m01 + m10, squares[1], m12 + m21, m02 - m20],
    [m20 + m02, m12 + m21, squares[2], m10 - m01],
    [m21 - m12, m02 - m20, m10 - m01, squares[3]],
  ][most];
  const norm = 1 / Math.hypot(...q);
  return q.map((part) => part * norm);
}
