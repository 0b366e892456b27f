/**
 * A file's objects as the library takes them: a mesh and a rigid pose each. Meshes are made when first asked for;
 * instances share theirs. A matrix that scales, shears or mirrors is baked into a mesh of its own.
 */
import { ImpingeError, Mesh } from 'impinge';
import { type Box, boxOfVertices, transformedBox } from './box.js';
import { CommandError } from './command-error.js';
import type { Model } from './formats/model.js';
import { readModel } from './formats/read.js';
import { isRigid, multiply } from './matrix.js';

export class PlacedObject {
  readonly name: string;
  readonly path: string;
  readonly triangleCount: number;
  /** Holds the object in world coordinates, with a small margin. */
  readonly box: Box;
  /** Where the mesh is: sixteen column-major entries. */
  readonly pose: Float64Array | undefined;
  readonly #makeMesh: () => Mesh;
  #mesh: Mesh | undefined;

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

  get mesh(): Mesh {
    this.#mesh ??= this.#makeMesh();
    return this.#mesh;
  }
}

export class PlacedModel {
  readonly file: string;
  readonly objects: readonly PlacedObject[];
  readonly triangleCount: number;

  constructor(file: string, model: Model, pose: Float64Array | undefined) {
    this.file = file;
    const meshes: (Mesh | undefined)[] = [];
    const boxes: (Box | undefined)[] = [];
    this.objects = model.objects.map(({ name, path, geometry: g, matrix }) => {
      const geometry = model.geometries[g];
      const shared = () => (meshes[g] ??= named(file, path, () => Mesh.from(geometry, { name })));
      const box = (boxes[g] ??= boxOfVertices(geometry));
      const world = pose && matrix ? multiply(pose, matrix) : (pose ?? matrix);
      const rigid = matrix === undefined || isRigid(matrix);
      const baked = () => named(file, path, () => shared().transformed(matrix!, { name }));
      return new PlacedObject(
        name,
        path,
        geometry.indices.length / 3,
        transformedBox(box, world),
        rigid ? world : pose,
        rigid ? shared : baked,
      );
    });
    this.triangleCount = this.objects.reduce((sum, object) => sum + object.triangleCount, 0);
  }

  static async read(file: string, pose: Float64Array | undefined): Promise<PlacedModel> {
    const { model } = await readModel(file);
    return new PlacedModel(file, model, pose);
  }
}

/** Says in which file and object the library found something wrong. */
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
