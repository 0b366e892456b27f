/**
 * Whether an opening is larger than what goes through it needs.
 *
 * Measured in the own axes of the host, in the section that the opening cuts out of it. Judged is an opening that
 * passes through the host along one axis and lies within it along the two others, and through which services go from
 * face to face with their clearance; one of more than a square metre is a shaft or a passage, which people have
 * planned. What is needed is the box around all services in it, each with its clearance on all sides; where the opening
 * is no box, the circle around them.
 *
 * Errs: by rounding in float64, and, where it is round, towards what is needed: the circle is about the middle of the
 * box around the services.
 */

import { invertPose, posePoint, type RigidPose, toRigidPose, type Vec3 } from 'impinge/internal/math/pose.js';
import { widenBox } from 'impinge/internal/mesh/reach.js';
import { signedVolumeTimes6 } from 'impinge/internal/mesh/signed-volume.js';
import type { StoreOpening } from '../../store/layout.js';
import type { StoredModel } from '../../store/model.js';
import { emptyBox } from '../../store/placed-box.js';
import { type PieceArrays, readPieces } from '../../store/read-pieces.js';
import { type ClashMeasure, clashOf } from '../clash.js';
import { clippedTo, type ZoneCell } from '../zones/zone-part.js';
import { OPENING_SLACK } from './services.js';

/** The area of a shaft or a passage, in square metres. */
const SHAFT = 1;
/** A mesh of more than this share of its box is that box. */
const BOXY = 0.999;

/** A service, and how far from the edge it has to be, in the model's unit. */
export interface OpeningService {
  readonly object: number;
  readonly clearance: number;
}

export interface OpeningMeasure {
  /** Its `distance` is what the opening has beyond need: the larger of two axes. */
  readonly measure: ClashMeasure;
  /** The services that are in it. */
  readonly services: readonly number[];
}

/** Undefined: it is not judged. */
export async function measureOpening(
  model: StoredModel,
  { positions, indices }: StoreOpening,
  host: number,
  services: readonly OpeningService[],
): Promise<OpeningMeasure | undefined> {
  const slack = OPENING_SLACK / model.meta.metresPerUnit;
  const axes = toRigidPose({ rotation: model.axes(host) });
  const toOwn = invertPose(axes);
  const hole = posed(positions, toOwn);
  const own = boxAround(hole);
  const body = emptyBox();
  await eachPiece(model, host, undefined, (points) => widenBox(body, posed(points, toOwn)));
  const through = [0, 1, 2].filter((k) => own[k] <= body[k] + slack && own[3 + k] >= body[3 + k] - slack);
  const [along] = through;
  const across = [0, 1, 2].filter((k) => k !== along);
  const isWithin = across.every((k) => own[k] >= body[k] - slack && own[3 + k] <= body[3 + k] + slack);
  if (through.length !== 1 || !isWithin) return undefined;
  const width = (k: number) => own[3 + k] - own[k];
  if (width(across[0]) * width(across[1]) > SHAFT / model.meta.metresPerUnit ** 2) return undefined;
  const isBox = Math.abs(signedVolumeTimes6(hole, indices)) > 6 * BOXY * width(0) * width(1) * width(2);
  const cell = own.slice();
  [cell[along], cell[3 + along]] = [body[along], body[3 + along]];
  const sections = await sectionsIn(model, cell, toOwn, axes, services);
  const taken = emptyBox();
  const needed = emptyBox();
  for (const { points, clearance } of sections) {
    const box = boxAround(points);
    widenBox(taken, box);
    for (const k of across) [box[k], box[3 + k]] = [box[k] - clearance, box[3 + k] + clearance];
    widenBox(needed, box);
  }
  if (!(taken[along] <= cell[along] + slack && taken[3 + along] >= cell[3 + along] - slack)) return undefined;
  const beyond = isBox
    ? across.map((k) => width(k) - (needed[3 + k] - needed[k]))
    : [Math.min(...across.map(width)) - circleAround(sections, needed, across)];
  // too tight, whatever it is the other way
  if (Math.min(...beyond) <= slack) return undefined;
  const middle = [0, 1, 2].map((k) => 0.5 * (cell[k] + cell[3 + k]));
  const box = boxAround(posed(cornersOf(cell), axes));
  const measure = clashOf('oversized', {
    distance: Math.max(...beyond),
    point: pointOf(posed(middle, axes), 0),
    box: { min: pointOf(box, 0), max: pointOf(box, 3) },
  });
  return { measure, services: sections.map(({ object }) => object) };
}

/** What a service has in the opening: points in the host's axes. */
interface Section extends OpeningService {
  readonly points: Float64Array;
}

async function sectionsIn(
  model: StoredModel,
  cell: Float64Array,
  toOwn: RigidPose,
  axes: RigidPose,
  services: readonly OpeningService[],
): Promise<Section[]> {
  const sides: ZoneCell = {
    planes: [0, 1, 2].flatMap((k) => {
      const normal = [0, 1, 2].map((i) => (i === k ? 1 : 0));
      return [...normal, cell[3 + k], ...normal.map((n) => -n), -cell[k]];
    }),
    length: [],
    base: [],
  };
  const near = boxAround(posed(cornersOf(cell), axes));
  const sections: Section[] = [];
  for (const service of services) {
    const found: number[] = [];
    await eachPiece(model, service.object, near, (points, indices) => {
      const own = posed(points, toOwn);
      for (let t = 0; t < indices.length; t += 3) {
        const corners = [0, 1, 2].flatMap((i) =>
          Array.from(own.subarray(3 * indices[t + i], 3 * indices[t + i] + 3)),
        );
        found.push(...clippedTo(sides, corners));
      }
    });
    if (found.length > 0) sections.push({ ...service, points: Float64Array.from(found) });
  }
  return sections;
}

/** The diameter of the circle about the middle of what is needed that holds every section with its clearance. */
function circleAround(sections: readonly Section[], needed: Float64Array, [u, v]: readonly number[]): number {
  const [x, y] = [0.5 * (needed[u] + needed[3 + u]), 0.5 * (needed[v] + needed[3 + v])];
  let radius = 0;
  for (const { points, clearance } of sections)
    for (let i = 0; i < points.length; i += 3)
      radius = Math.max(radius, clearance + Math.hypot(points[i + u] - x, points[i + v] - y));
  return 2 * radius;
}

/** Hands out the points, in the model, and the triangles of an object's pieces, or of those that meet a box. */
async function eachPiece(
  model: StoredModel,
  object: number,
  near: Float64Array | undefined,
  take: (points: Float64Array, indices: PieceArrays['indices']) => void,
): Promise<void> {
  const { placedBox, objectFirstPlaced } = model.directory;
  const pose = model.pose(object);
  for (let k = 0; k < model.pieceCountOf(object); k++) {
    if (near && !boxesMeet(placedBox, 6 * (objectFirstPlaced[object] + k), near)) continue;
    const [{ origin, positions, indices }] = await readPieces(model, [model.firstPiece(object) + k]);
    const points = Float64Array.from(positions, (x, i) => x + origin[i % 3]);
    take(posed(points, pose), indices);
  }
}

function boxesMeet(boxes: Float64Array, at: number, other: Float64Array): boolean {
  return [0, 1, 2].every((k) => boxes[at + k] <= other[3 + k] && boxes[at + 3 + k] >= other[k]);
}

function posed(points: ArrayLike<number>, pose: RigidPose): Float64Array {
  const out = new Float64Array(points.length);
  for (let i = 0; i < out.length; i += 3) posePoint(pose, points[i], points[i + 1], points[i + 2], out, i);
  return out;
}

function pointOf(numbers: Float64Array, at: number): Vec3 {
  return [numbers[at], numbers[at + 1], numbers[at + 2]];
}

function boxAround(points: Float64Array): Float64Array {
  const box = emptyBox();
  widenBox(box, points);
  return box;
}

function cornersOf(box: Float64Array): number[] {
  return [0, 1, 2, 3, 4, 5, 6, 7].flatMap((corner) => [0, 1, 2].map((k) => box[k + 3 * ((corner >> k) & 1)]));
}
