/**
 * The objects of files in the form that the library takes: a mesh and a rigid pose each. Meshes are made on first use;
 * instances share theirs.
 */
import { ImpingeError, Mesh } from 'impinge';
import { type Box, boxOfVertices, transformedBox } from './box.js';
import { CommandError } from './command-error.js';
import type { LoadedShape, Model } from './formats/read-model.js';
import { scaledShape } from './formats/scaled-shape.js';
import { placeOf } from './formats/source-object.js';
import { matrixOfPose, multiply } from './matrix.js';

export class PlacedObject {
  readonly name: string;
  readonly path: string;
  readonly triangleCount: number;
  /** Contains the object in world coordinates, with a small margin. */
  readonly box: Box;
  /** The pose of the mesh: sixteen column-major entries. */
  readonly pose: Float64Array | undefined;
  readonly #makeMesh: () => Mesh;

  constructor(
    name: string,
    path: string,
    triangleCount: number,
    box: Box,
    pose: Float64Array | undefined,
    makeMesh: () => Mesh,
  ) {
    this.name = name;
    this.path = path;
    this.triangleCount = triangleCount;
    this.box = box;
    this.pose = pose;
    this.#makeMesh = makeMesh;
  }

  /** Shared by all objects of the same shape. */
  get mesh(): Mesh {
    return this.#makeMesh();
  }
}

/**
 * All objects in these files, placed by `pose`, whose translation is in metres. Lengths are in units of
 * `metresPerUnit`; files in other units are converted.
 */
export function placedObjects(
  models: readonly Model[],
  metresPerUnit: number,
  pose: Float64Array | undefined,
): PlacedObject[] {
  const frame = pose?.map((x, i) => (i >= 12 && i < 15 ? x / metresPerUnit : x));
  return models.flatMap((model) => {
    const factor = model.metresPerUnit / metresPerUnit;
    return model.shapes.flatMap((shape) => placed(model.path, scaledShape(shape, factor), frame));
  });
}

/** The unit in which files can be compared: theirs, if it is the same for all, otherwise the metre. */
export function commonUnit(models: readonly Model[]): number {
  const units = new Set(models.map(({ metresPerUnit }) => metresPerUnit));
  return units.size === 1 ? [...units][0] : 1;
}

function placed(file: string, { geometry, objects }: LoadedShape, frame: Float64Array | undefined) {
  const box = boxOfVertices(geometry);
  let mesh: Mesh | undefined;
  return objects.map((object) => {
    const { name, path } = object;
    const place = placeOf(object);
    const local = place && matrixOfPose(place);
    const world = frame && local ? multiply(frame, local) : (frame ?? local);
    return new PlacedObject(
      name,
      path,
      geometry.indices.length / 3,
      transformedBox(box, world),
      world,
      () => (mesh ??= named(file, path, () => Mesh.from(geometry, { name }))),
    );
  });
}

/** Adds the file and the object to errors of the library. */
function named<T>(file: string, path: string, make: () => T): T {
  try {
    return make();
  } catch (error) {
    if (!(error instanceof ImpingeError)) throw error;
    throw new CommandError(
      error.message.includes(path) ? `${file}: ${error.message}` : `${file}: ${path}: ${error.message}`,
    );
  }
}
