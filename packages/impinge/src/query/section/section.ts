/**
 * The section of a mesh by a plane: closed curves where the mesh is closed, open ones where it is not.
 *
 * Idea: a vertex is above the plane or it is not, decided exactly; on the plane it is not. So the section is that of a
 * plane which is higher by less than anything: it passes through no vertex, cuts each triangle that it cuts in one
 * stretch between two of its edges, and what two triangles share there is one point. Stretches are linked by the places
 * of these edges, not by where the points are rounded to: nothing gapes, nothing is there twice, whatever lies in the
 * plane.
 */
import { ImpingeError } from '../../base/errors.js';
import { readKnown } from '../../base/options.js';
import { kernelSupported } from '../../kernel/kernel.js';
import { toCommonIntegers } from '../../math/dyadic.js';
import { isMirror } from '../../math/linear-map.js';
import { posePoint } from '../../math/pose.js';
import { assertMesh, type Mesh } from '../../mesh/mesh.js';
import { halfSpaceShape } from '../shape/convex-shape.js';
import { shapesKernels } from '../shape/kernels.generated.js';
import { S, ShapeMode, ShapeStatus } from '../shape/layout.generated.js';
import { readPose, type ShapeOptions } from '../shape/meets-shape.js';
import { type MeshPlace, readPlace } from '../shape/mesh-place.js';
import { largestOf, placeShape } from '../shape/place-shape.js';
import { ShapeBlock } from '../shape/shape-block.js';
import { type HalfSpaceShape, readShape } from '../shape/shape-input.js';
import { linkStretches, type SectionCurve } from './link-stretches.js';

export type { SectionCurve } from './link-stretches.js';

/**
 * Cuts a mesh by the plane normal · p = offset. Seen from where the normal points to, curves run counter-clockwise
 * around what the triangles, by the way they face, enclose. Points on the plane count as below it: a face in it has an
 * outline where the mesh goes on above.
 */
export function section(mesh: Mesh, plane: HalfSpaceShape, options?: ShapeOptions): SectionCurve[] {
  assertMesh(mesh);
  const place = readPlace(readPose(readKnown('section', options ?? {}, { pose: true })));
  const world = readShape('section', plane);
  if (world.form !== 'half-space')
    throw new ImpingeError('bad-input', 'section: a plane has a normal and an offset');
  const { halfSpace } = placeShape(world, mesh, place) as { halfSpace: readonly number[] };
  const cut = new Cut(mesh, halfSpace);
  for (const triangle of cutTriangles(mesh, halfSpace)) cut.add(triangle);
  return cut.curves(place);
}

/** Triangles that may be cut: those that are neither above nor below for certain. */
function cutTriangles(mesh: Mesh, [nx, ny, nz, offset]: readonly number[]): Uint32Array {
  if (!kernelSupported()) return Uint32Array.from({ length: mesh.triangleCount }, (_, t) => t);
  const above = halfSpaceShape([-nx, -ny, -nz], -offset, largestOf(mesh));
  const below = halfSpaceShape([nx, ny, nz], offset, largestOf(mesh));
  // nothing is inside both: what is left is in doubt
  const shape = { ...above, planes: Float64Array.of(...above.planes, ...below.planes) };
  for (let room = 1024; ; room = Math.min(8 * room, Math.max(2 * room, mesh.triangleCount))) {
    const block = ShapeBlock.take(mesh, shape, false, room);
    try {
      block.setWord(S.mode, ShapeMode.all);
      const status = shapesKernels.kernels().meetShape(block.block);
      if (status === ShapeStatus.done) return block.list(S.doubts).slice().sort();
    } finally {
      block.release();
    }
  }
}

/** Stretches of a section, with the edges they run between. */
class Cut {
  readonly #mesh: Mesh;
  readonly #plane: readonly number[];
  /**
   * Vertices by their places; what was located of each: its place's number, and whether it is above (1), on (0) or
   * below (−1).
   */
  readonly #places = new Map<string, number>();
  readonly #known = new Map<number, { readonly place: number; readonly side: number }>();
  /** Edges that are cut, by the places of their ends, and where. */
  readonly #edges = new Map<string, number>();
  readonly #points: number[] = [];
  /** From edge, to edge, triangle. */
  readonly #stretches: number[] = [];

  constructor(mesh: Mesh, plane: readonly number[]) {
    this.#mesh = mesh;
    this.#plane = plane;
  }

  add(triangle: number): void {
    const { storedIndices: indices } = this.#mesh;
    const corners = [0, 1, 2].map((k) => indices[3 * triangle + k]);
    const above = corners.map((v) => this.#look(v).side > 0);
    if (above[0] === above[1] && above[1] === above[2]) return;
    // around the triangle it goes down once and up once; the stretch runs from the one to the other
    const down = [0, 1, 2].find((k) => above[k] && !above[(k + 1) % 3])!;
    const up = [0, 1, 2].find((k) => !above[k] && above[(k + 1) % 3])!;
    const from = this.#edge(corners[(down + 1) % 3], corners[down]);
    const to = this.#edge(corners[up], corners[(up + 1) % 3]);
    if (from !== to) this.#stretches.push(from, to, triangle);
  }

  curves({ pose, stretch }: MeshPlace): SectionCurve[] {
    const { origin } = this.#mesh;
    const points = Float64Array.from(this.#points);
    for (let i = 0; i < points.length; i += 3)
      posePoint(pose, points[i] + origin[0], points[i + 1] + origin[1], points[i + 2] + origin[2], points, i);
    const mirrored = !stretch.rigid && isMirror(pose);
    return linkStretches(this.#stretches, points, mirrored);
  }

  #look(vertex: number): { readonly place: number; readonly side: number } {
    const seen = this.#known.get(vertex);
    if (seen) return seen;
    const at = this.#at(vertex);
    const name = at.map((x) => x + 0).join(' ');
    const place = this.#places.get(name) ?? this.#places.size;
    this.#places.set(name, place);
    const located = { place, side: sideOf(this.#plane, at) };
    this.#known.set(vertex, located);
    return located;
  }

  #at(vertex: number): [number, number, number] {
    const { storedPositions: positions } = this.#mesh;
    return [positions[3 * vertex], positions[3 * vertex + 1], positions[3 * vertex + 2]];
  }

  /** The number of the edge between a vertex that is not above the plane and one that is. */
  #edge(below: number, above: number): number {
    const low = this.#look(below);
    const name = `${low.place} ${this.#look(above).place}`;
    const known = this.#edges.get(name);
    if (known !== undefined) return known;
    const [p, q] = [this.#at(below), this.#at(above)];
    const [nx, ny, nz, offset] = this.#plane;
    const [depth, height] = [p, q].map(([x, y, z]) => nx * x + ny * y + nz * z - offset);
    const share = low.side === 0 ? 0 : Math.min(1, Math.max(0, depth / (depth - height)));
    for (let k = 0; k < 3; k++) this.#points.push(p[k] + (Number.isNaN(share) ? 0 : share) * (q[k] - p[k]));
    this.#edges.set(name, this.#edges.size);
    return this.#edges.size - 1;
  }
}

/** The sign of normal · p − offset, without rounding. */
function sideOf([nx, ny, nz, offset]: readonly number[], [x, y, z]: readonly number[]): number {
  const value = nx * x + ny * y + nz * z - offset;
  const size = Math.abs(nx * x) + Math.abs(ny * y) + Math.abs(nz * z) + Math.abs(offset);
  if (Math.abs(value) > 1e-15 * size) return Math.sign(value);
  const [a, b, c, d, p, q, r, one] = toCommonIntegers(Float64Array.of(nx, ny, nz, offset, x, y, z, 1));
  const exact = a * p + b * q + c * r - d * one;
  return exact > 0n ? 1 : exact < 0n ? -1 : 0;
}
