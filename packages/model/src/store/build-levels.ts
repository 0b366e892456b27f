/** Levels of meshes that are in memory: the same store as a file would be, in memory too. */
import { ImpingeError } from 'impinge/internal/base/errors.js';
import { readKnown } from 'impinge/internal/base/options.js';
import { type Pose, toRigidPose } from 'impinge/internal/math/pose.js';
import { assertMesh, Mesh } from 'impinge/internal/mesh/mesh.js';
import type { StoredModel } from './model.js';
import { openStore } from './open.js';
import { MemorySink, MemorySource } from './page-source.js';
import type { SourceObject } from './source.js';
import { StoreWriter, type StoreWriterOptions } from './writer.js';

export interface LevelsObject {
  /** Objects of one mesh share its levels. */
  readonly mesh: Mesh;
  /** The mesh's name by default. */
  readonly name?: string;
  readonly pose?: Pose;
}

export type BuildLevelsOptions = Pick<StoreWriterOptions, 'pieceTriangles' | 'pool' | 'onLevels'>;

/**
 * Makes levels of a mesh, or of objects with their poses: a model for queries with an `error`. The meshes remain the
 * caller's, and are not needed afterwards.
 */
export async function buildLevels(
  what: Mesh | readonly LevelsObject[],
  options: BuildLevelsOptions = {},
): Promise<StoredModel> {
  const objects = what instanceof Mesh ? [{ mesh: what }] : what;
  if (!Array.isArray(objects) || objects.length === 0) {
    throw new ImpingeError('bad-input', 'a mesh is needed, or a list of objects');
  }
  const shapes = new Map<Mesh, SourceObject[]>();
  objects.forEach((object: LevelsObject, i) => {
    const { mesh, name, pose } = readKnown('an object', object, { mesh: true, name: true, pose: true });
    assertMesh(mesh);
    const shape = shapes.get(mesh) ?? [];
    shapes.set(mesh, shape);
    shape.push(sourceObject(i, name ?? mesh.name, pose));
  });
  const sink = new MemorySink();
  const names = { pieceTriangles: true, pool: true, onLevels: true } as const;
  const { pieceTriangles, pool, onLevels } = readKnown('buildLevels', options, names);
  const writer = new StoreWriter(sink, {
    ...(pieceTriangles !== undefined && { pieceTriangles }),
    ...(pool !== undefined && { pool }),
    ...(onLevels !== undefined && { onLevels }),
    levels: true,
  });
  for (const [geometry, objects] of shapes) await writer.add({ geometry, objects });
  const [{ name }] = shapes.values().next().value!;
  await writer.finish({ title: name, metresPerUnit: 1, files: [], recipe: '' });
  return openStore(new MemorySource(sink.bytes()));
}

function sourceObject(index: number, name: string, pose: Pose | undefined): SourceObject {
  return {
    ...{ id: String(index), name, path: name, type: '', discipline: '', file: '', storey: '' },
    pose: pose === undefined ? undefined : toRigidPose(pose),
  };
}
