/** Contact levels cached in a folder, one file per model: rebuilt if the model has changed or the file is invalid. */
import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { CommandError } from '@impinge/cli/internal/command-error.js';
import { writeAtomically } from '@impinge/cli/internal/jobs/atomic-file.js';
import { fileErrorCause } from '@impinge/cli/internal/jobs/file-errors.js';
import { makeFolder } from '@impinge/cli/internal/jobs/folder.js';
import { buildContactLevels, ContactLevels } from '@impinge/dynamics';
import { ImpingeError, type Mesh } from 'impinge';

/** More than contact levels ever have, per triangle and in addition: larger files are not ours. */
const BYTES_PER_TRIANGLE = 4096;
const BYTES_BESIDES = 65536;

/** Of a mesh, from the folder or new; `onBuild` is called before they are built. Without a folder nothing is cached. */
export async function contactLevelsOf(
  mesh: Mesh,
  folder: string | undefined,
  onBuild?: () => void,
): Promise<ContactLevels> {
  const path = folder && join(folder, `${mesh.name.replace(/[^\w-]+/g, '-') || 'model'}.contact`);
  const kept = path ? await read(path, mesh) : undefined;
  if (kept) return kept;
  onBuild?.();
  const levels = buildContactLevels(mesh);
  if (folder && path) {
    await makeFolder(folder);
    await writeAtomically(path, async (file) => void (await file.write(levels.toBytes())));
  }
  return levels;
}

/** Undefined if missing or unusable. */
async function read(path: string, mesh: Mesh): Promise<ContactLevels | undefined> {
  const bytes = await bytesOf(path, BYTES_BESIDES + BYTES_PER_TRIANGLE * mesh.triangleCount);
  if (!bytes) return undefined;
  try {
    const levels = ContactLevels.fromBytes(bytes);
    if (levels.isOf(mesh)) return levels;
    levels.dispose();
    return undefined;
  } catch (error) {
    if (error instanceof ImpingeError && error.code === 'bad-buffer') return undefined;
    throw error;
  }
}

/** Undefined if there is no file, or it has more bytes than `most`; other errors are reported when it is written. */
async function bytesOf(path: string, most: number): Promise<Uint8Array | undefined> {
  try {
    const there = await stat(path);
    return there.isFile() && there.size <= most ? await readFile(path) : undefined;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    const cause = fileErrorCause(error);
    throw cause === undefined
      ? error
      : new CommandError(`${path}: cannot be read: ${cause}`, { cause: error });
  }
}
