/** The objects of model files as meshes in world coordinates. */
import { Mesh } from 'impinge/internal/mesh/mesh.js';
import { readModel } from '../packages/cli/src/formats/read-model.js';
import { placeOf } from '../packages/cli/src/formats/source-object.js';
import { matrixOfPose } from '../packages/cli/src/matrix.js';

export interface WorldObject {
  readonly name: string;
  readonly mesh: Mesh;
}

/** All of them, or those with these names. */
export async function worldObjects(file: string, names?: readonly string[]): Promise<WorldObject[]> {
  const { shapes } = await readModel(file);
  return shapes.flatMap(({ geometry, objects }) => {
    const own = objects.filter(({ name }) => names?.includes(name) ?? true);
    if (own.length === 0) return [];
    const mesh = Mesh.from(geometry);
    return own.map((object) => {
      const pose = placeOf(object);
      return { name: object.name, mesh: pose ? mesh.transformed(matrixOfPose(pose)) : mesh };
    });
  });
}

/** The one object of a file. */
export async function worldMesh(file: string): Promise<Mesh> {
  const objects = await worldObjects(file);
  if (objects.length !== 1) throw new Error(`${file}: ${objects.length} objects`);
  return objects[0].mesh;
}
