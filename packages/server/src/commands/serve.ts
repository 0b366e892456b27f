/** `impinge serve`: checks as a web service, and the tokens for access to it. */
import { once } from 'node:events';
import { availableParallelism, totalmem } from 'node:os';
import { resolve } from 'node:path';
import { CommandError } from '@impinge/cli/internal/command-error.js';
import { interruptible } from '@impinge/cli/internal/interruptible.js';
import { parseBytes, parseLimit, parseMemory, parseWorkers } from '@impinge/cli/internal/quantities.js';
import { isRemote } from '@impinge/cli/internal/remote/location.js';
import { printable, type Terminal, table } from '@impinge/cli/internal/terminal.js';
import { startDatabase } from '../embedded-database.js';
import { queueAddress } from '../queue/backends.js';
import type { Role } from '../service/api/schemas.js';
import { jsonLog } from '../service/log.js';
import { isRange } from '../service/network/address-ranges.js';
import { startService } from '../service/service.js';
import { defaultDataFolder, REQUEST_LIMITS, type ServiceSettings } from '../service/settings.js';
import { Database } from '../service/state/database.js';
import { Tokens } from '../service/state/tokens.js';

export interface StateOptions {
  readonly data?: string;
  readonly queue?: string;
  readonly state?: string;
}

export interface ServeOptions extends StateOptions {
  readonly host: string;
  readonly port: string;
  readonly public?: string;
  readonly models: readonly string[];
  readonly allowPrivate?: true | string;
  readonly trustProxy?: string;
  readonly uploadLimit: string;
  readonly runs: string;
  readonly runTime: string;
  readonly memory: string;
  readonly processMemory?: string;
  readonly workers?: string;
  readonly worker: boolean;
  readonly keepRuns: string;
  readonly keepDays: string;
}

const PORTS = 65_536;
const RETRY_MS = 30_000;
const LONGEST_MS = 2 ** 31 - 1;

export function serve(options: ServeOptions, terminal: Terminal): Promise<number> {
  const settings = readSettings(options);
  return interruptible(async (signal) => {
    const service = await startService(settings, jsonLog(terminal.out));
    try {
      const { address, firstToken } = service;
      const first = firstToken && `impinge: admin token, shown only once: ${firstToken}\n`;
      terminal.error(`${first ?? ''}impinge: ${address} (${placesText(settings)}), until Ctrl-C\n`);
      if (!signal.aborted) await Promise.race([once(signal, 'abort'), service.failed]);
    } finally {
      await service.stop();
    }
    return 0;
  });
}

/** `data in /var/lib/impinge, state in postgres://db/impinge, queue redis://cache`, without credentials. */
function placesText({ data, database, queue }: ServiceSettings): string {
  const state = database === undefined ? [] : [`state in ${queueAddress(database).display}`];
  const jobs = queue === undefined ? [] : [`queue ${queueAddress(queue).display}`];
  return [`data in ${printable(data)}`, ...state, ...jobs].join(', ');
}

/** The addresses of state and queue. */
function placesOf({ data, queue, state }: StateOptions) {
  const isPostgres = (url: string) => /^postgres(ql)?:\/\//.test(url);
  const isInPostgres = queue !== undefined && queueAddress(queue).backend === 'postgres';
  if (state !== undefined && !isPostgres(state))
    throw new CommandError('--state: expected an address such as postgres://…');
  return {
    data: resolve(data ?? defaultDataFolder()),
    // jobs may be on Redis; projects, runs and tokens are always in PostgreSQL
    database: state ?? (isInPostgres ? queue : undefined),
  };
}

function readSettings(options: ServeOptions): ServiceSettings {
  const concurrency = parseLimit(options.runs, '--runs');
  parseMemory(options.memory);
  const cores = Math.max(1, Math.floor(availableParallelism() / concurrency));
  return {
    ...placesOf(options),
    queue: options.queue,
    worker: options.worker,
    host: options.host,
    port: parsePort(options.port),
    publicUrl: parsePublic(options.public),
    models: options.models.map((place) => (isRemote(place) ? place : resolve(place))),
    network: { allowPrivate: parseAllowed(options.allowPrivate) },
    proxies: options.trustProxy === undefined ? [] : parseRanges(options.trustProxy, '--trust-proxy'),
    uploadBytes: parseBytes(options.uploadLimit, '--upload-limit'),
    concurrency,
    runMs: parseDuration(options.runTime),
    memory: options.memory,
    processBytes:
      options.processMemory === undefined
        ? Math.floor((0.8 * totalmem()) / concurrency)
        : parseBytes(options.processMemory, '--process-memory'),
    workers: options.workers === undefined ? cores : parseWorkers(options.workers),
    keepRuns: parseKept(options.keepRuns, '--keep-runs'),
    keepDays: parseKept(options.keepDays, '--keep-days'),
    limits: REQUEST_LIMITS,
    retryMs: RETRY_MS,
  };
}

function parsePort(text: string): number {
  if (/^\d{1,5}$/.test(text) && Number(text) < PORTS) return Number(text);
  throw new CommandError(`--port: "${text}" is not a number from 0 to ${PORTS - 1}`);
}

function parseAllowed(text: true | string | undefined): boolean | readonly string[] {
  return text === undefined || text === true ? text === true : parseRanges(text, '--allow-private');
}

/** Parses `10.1.0.0/16,fd00::/8`. */
function parseRanges(text: string, option: string): readonly string[] {
  const ranges = text.split(',').map((range) => range.trim());
  const wrong = ranges.find((range) => !isRange(range));
  if (wrong !== undefined) throw new CommandError(`${option}: "${wrong}" is not a range such as 10.1.0.0/16`);
  return ranges;
}

function parsePublic(text: string | undefined): URL | undefined {
  if (text === undefined) return undefined;
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url || !/^https?:$/.test(url.protocol) || url.pathname !== '/')
    throw new CommandError(`--public: "${text}" is not an address such as https://clashes.example.com`);
  return url;
}

/** Parses `90s`, `15min` or `2h` to milliseconds. */
function parseDuration(text: string): number {
  const [, number, unit] = /^(\d+(?:\.\d+)?) ?(s|min|h)$/.exec(text.trim()) ?? [];
  const ms = Number(number) * { s: 1000, min: 60_000, h: 3600_000 }[unit as 's' | 'min' | 'h'];
  if (!(ms > 0 && ms <= LONGEST_MS))
    throw new CommandError(`--run-time: "${text}" is not a time such as 90s, 15min or 2h`);
  return ms;
}

function parseKept(text: string, option: string): number {
  const value = Number(text);
  if (Number.isSafeInteger(value) && value >= 0 && value <= 100_000) return value;
  throw new CommandError(`${option}: "${text}" is not a count; 0 keeps all`);
}

/** Runs `work` on the tokens, whether or not the service is running. */
async function withTokens<T>(options: StateOptions, work: (tokens: Tokens) => Promise<T>): Promise<T> {
  const { data, database: named } = placesOf(options);
  const embedded = named === undefined ? await startDatabase(data) : undefined;
  try {
    const database = await Database.open(named ?? embedded!.url, () => {});
    try {
      return await work(new Tokens(database));
    } finally {
      await database.close();
    }
  } finally {
    if (embedded && !embedded.wasRunning) await embedded.stop();
  }
}

export async function createToken(
  name: string,
  options: StateOptions & { readonly role: Role; readonly project: readonly string[] },
  terminal: Terminal,
): Promise<number> {
  const { token } = await withTokens(options, (tokens) =>
    tokens.create(name, options.role, options.project.length > 0 ? options.project : undefined),
  );
  terminal.out(`${token}\n`);
  return 0;
}

export async function listTokens(options: StateOptions, terminal: Terminal): Promise<number> {
  const all = await withTokens(options, (tokens) => tokens.list());
  const rows = all.map(({ id, role, projects, created, revoked, name }) => [
    ...[id, role, projects === null ? 'all projects' : projects.join(' '), created.slice(0, 10)],
    revoked === null ? '' : `revoked ${revoked.slice(0, 10)}`,
    printable(name, 60),
  ]);
  terminal.out(table(rows, [], ''));
  return 0;
}

export async function revokeToken(id: string, options: StateOptions, terminal: Terminal): Promise<number> {
  if (!(await withTokens(options, (tokens) => tokens.revoke(id))))
    throw new CommandError(`${id}: no active token has this id; "impinge serve token list" lists them`);
  terminal.out(`${id}: revoked\n`);
  return 0;
}
