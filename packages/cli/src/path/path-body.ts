/** The body that is moved: a file, or an object of the model, which then leaves its place. */
import { stat } from 'node:fs/promises';
import { SELECTOR_KEYS, type Selection, type StoredModel, selectObjects } from '@impinge/model';
import { ImpingeError, Mesh, type Vec3 } from 'impinge';
import { CommandError } from '../command-error.js';
import type { Model } from '../formats/read-model.js';
import { placeOf } from '../formats/source-object.js';
import { matrixOfPose, multiply, transformedAxis } from '../matrix.js';
import { type FileOptions, readFiles } from '../reading.js';
import { counted, pathEnd } from '../terminal.js';
import { JoinedTriangles, objectMesh } from '../wire/object-mesh.js';
import { inverseOf, meshPose, type PlacedPose, transformed } from './path-poses.js';

export interface PathBody {
  readonly name: string;
  /** In the model's unit. */
  readonly mesh: Mesh;
  /** Takes the mesh to the body's own axes and point: a rigid matrix in the model's unit. */
  readonly frame: Float64Array;
  /** Of the model; undefined: it came from a file. */
  readonly object: number | undefined;
  /** Where an object stands: a matrix as `frame`; poses of the body's own point. */
  readonly stands: Float64Array | undefined;
}

const NAMED = new RegExp(`^(${SELECTOR_KEYS.join('|')}):(.*)$`, 's');
/** Triangles of a box, outward. */
const BOX = [
  ...[0, 6, 4, 0, 2, 6, 1, 7, 3, 1, 5, 7, 0, 5, 1, 0, 4, 5],
  ...[2, 7, 6, 2, 3, 7, 0, 3, 2, 0, 1, 3, 4, 7, 5, 4, 6, 7],
];
/** Objects that a message about too many names. */
const SHOWN = 3;

/** A file, or a selector such as `id:2O2Fr$t4X7Zf8NOew3FNr2` or a pattern of paths. */
export async function openBody(name: string, model: StoredModel, options: FileOptions): Promise<PathBody> {
  if (!NAMED.test(name) && (await isThere(name))) {
    const models = await readFiles([name], options);
    return { name, ...meshOfFiles(name, models, model.meta.metresPerUnit), object: undefined };
  }
  const [object, ...more] = await objectsOf(name, model);
  if (object === undefined) {
    throw new CommandError(
      NAMED.test(name)
        ? `--body ${name}: selects no object of the model`
        : `--body ${name}: there is no such file, and no object of the model has this path`,
    );
  }
  if (more.length > 0) {
    const shown = [object, ...more].slice(0, SHOWN).map((one) => pathEnd(model.text(one, 'path'), 40));
    throw new CommandError(
      `--body ${name}: selects ${counted(more.length + 1, 'object')}, and one is moved: ${shown.join(', ')}${more.length >= SHOWN ? ' …' : ''}`,
    );
  }
  return bodyOfObject(model, object);
}

/** What `key:pattern`, or a pattern of paths, selects. */
export async function objectsOf(text: string, model: StoredModel): Promise<number[]> {
  const [, key, pattern] = NAMED.exec(text) ?? [];
  const selection: Selection = key === undefined ? text : { [key]: pattern };
  return (await selectObjects(model, [selection]))[0];
}

/** An object as a body: its triangles to the bit, relative to their origin. */
export async function bodyOfObject(model: StoredModel, object: number): Promise<PathBody> {
  const name = model.text(object, 'path');
  const { mesh, origin } = await objectMesh(model, object);
  const box = model.box(object);
  const middle = [0, 1, 2].map((k) => 0.5 * (box[k] + box[3 + k]));
  const stands = moved(middle);
  const stored = multiply(matrixOfPose(model.pose(object)), moved(origin));
  return { name, mesh, frame: multiply(inverseOf(stands), stored), object, stands };
}

function meshOfFiles(name: string, models: readonly Model[], metresPerUnit: number) {
  const parts = models.flatMap(({ shapes, metresPerUnit: own }) =>
    shapes.flatMap(({ geometry, objects }) =>
      objects.map((object) => ({ ...geometry, place: placeOf(object), factor: own / metresPerUnit })),
    ),
  );
  const joined = new JoinedTriangles(Float64Array, parts);
  for (const { positions: p, indices, place, factor } of parts) {
    const matrix = place ? matrixOfPose(place) : moved([0, 0, 0]);
    const placed = new Float64Array(p.length);
    for (let i = 0; i < p.length; i++) {
      const at = i - (i % 3);
      placed[i] = factor * transformedAxis(matrix, i % 3, p[at], p[at + 1], p[at + 2]);
    }
    joined.add(placed, indices);
  }
  try {
    const mesh = Mesh.from(joined, { name });
    return { mesh, frame: moved([0, 0, 0]), stands: undefined };
  } catch (error) {
    throw error instanceof ImpingeError ? new CommandError(`${name}: ${error.message}`) : error;
  }
}

/** Width, depth and height in metres: x, y and z. */
export type BoxBody = readonly [number, number, number];

/** A box that stands on its own point. */
export function bodyOfBox([width, depth, height]: BoxBody, metresPerUnit: number): PathBody {
  const corner = (i: number) => [((i & 1) - 0.5) * width, (((i >> 1) & 1) - 0.5) * depth, (i >> 2) * height];
  const positions = [0, 1, 2, 3, 4, 5, 6, 7].flatMap(corner).map((x) => x / metresPerUnit);
  const mesh = Mesh.from({ positions, indices: BOX, name: 'box' });
  return { name: 'box', mesh, frame: moved([0, 0, 0]), object: undefined, stands: undefined };
}

/** The middle of its box, in the coordinates of the mesh: the point whose place is bounded. */
export function bodyMiddle({ mesh: { box } }: PathBody): Vec3 {
  return box.min.map((low, k) => 0.5 * (low + box.max[k])) as unknown as Vec3;
}

/** No point is farther from the middle. */
export function bodyRadius({ mesh: { box } }: PathBody): number {
  return 0.5 * Math.hypot(...box.min.map((low, k) => box.max[k] - low));
}

/** In metres, how far no point of the body is from where it was: a corner of its box is the farthest. */
export function farthestMoved(
  body: PathBody,
  from: PlacedPose,
  to: PlacedPose,
  metresPerUnit: number,
): number {
  const { min, max } = body.mesh.box;
  const [before, after] = [from, to].map((pose) => meshPose(pose, body.frame, metresPerUnit));
  let most = 0;
  for (let corner = 0; corner < 8; corner++) {
    const point = min.map((low, k) => ((corner >> k) & 1 ? max[k] : low));
    const [a, b] = [transformed(before, point), transformed(after, point)];
    most = Math.max(most, Math.hypot(...a.map((x, k) => x - b[k])));
  }
  return most * metresPerUnit;
}

function moved([x, y, z]: ArrayLike<number> & Iterable<number>): Float64Array {
  return Float64Array.of(1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, x, y, z, 1);
}

async function isThere(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  );
}
