/** Settings of `impinge serve`, and its fixed limits. */
import { homedir } from 'node:os';
import { join } from 'node:path';
import type { LeastPace } from '@impinge/model/node';
import type { NetworkPolicy } from './network/guarded-request.js';

export interface ServiceSettings {
  /** Where uploads, reports and, unless `database` is given, the database are. */
  readonly data: string;
  /** postgres://…, where the state is not in a database of our own. */
  readonly database: string | undefined;
  /** Where checks are shared out to workers; undefined: each is made here alone. */
  readonly queue: string | undefined;
  /** Whether this machine takes part in what is on that queue. */
  readonly worker: boolean;
  readonly host: string;
  readonly port: number;
  /** The public base URL, such as that of a proxy. */
  readonly publicUrl: URL | undefined;
  /** Addresses and ranges of proxies, which say for whom they ask. */
  readonly proxies: readonly string[];
  /** Folders and s3://bucket/… of which models may be named. */
  readonly models: readonly string[];
  readonly network: NetworkPolicy;
  readonly uploadBytes: number;
  /** Checks at the same time. */
  readonly concurrency: number;
  readonly runMs: number;
  /** For geometry, as `impinge check --memory`. */
  readonly memory: string;
  /** Of a check in all, where the system tells (Linux). */
  readonly processBytes: number;
  /** Threads of a check. */
  readonly workers: number;
  /** 0: all, for ever. */
  readonly keepRuns: number;
  readonly keepDays: number;
  readonly limits: RequestLimits;
  /** Until a webhook is tried a second time; then twice as long, and so on. */
  readonly retryMs: number;
}

export interface RequestLimits {
  readonly headerMs: number;
  /** Without a byte from either side. */
  readonly idleMs: number;
  /** For the whole of a request that is not an upload. */
  readonly bodyMs: number;
  /** Bytes per second that models have to come with, sent or fetched, in each `bodyMs`. */
  readonly modelRate: number;
  /**
   * Requests per minute: of a token, of it for parts of files, of an address that has none, and tokens that were wrong.
   */
  readonly perToken: number;
  readonly filesPerToken: number;
  readonly perAddress: number;
  readonly wrongTokens: number;
}

export const REQUEST_LIMITS: RequestLimits = {
  headerMs: 10_000,
  idleMs: 60_000,
  bodyMs: 30_000,
  modelRate: 16_000,
  perToken: 1200,
  filesPerToken: 30_000,
  perAddress: 600,
  wrongTokens: 20,
};

export const WAITING_RUNS_MAX = 10_000;
/** Of one project, so that others have room. */
export const WAITING_RUNS_OF_PROJECT_MAX = 1000;
export const MODELS_MAX = 500;
export const EVENT_STREAMS_MAX = 256;
export const EVENT_STREAMS_OF_TOKEN_MAX = 64;

/** How fast models have to come. */
export function leastPace({ modelRate, bodyMs }: RequestLimits): LeastPace {
  return { bytes: (modelRate * bodyMs) / 1000, ms: bodyMs };
}

/** Where data of programs belongs. */
export function defaultDataFolder(env = process.env, platform = process.platform): string {
  if (platform === 'win32') return join(env['LOCALAPPDATA'] ?? homedir(), 'impinge');
  // what belongs to root alone, its own database could not get into
  if (process.getuid?.() === 0) return '/var/lib/impinge';
  if (platform === 'darwin') return join(homedir(), 'Library', 'Application Support', 'impinge');
  return join(env['XDG_DATA_HOME'] || join(homedir(), '.local', 'share'), 'impinge');
}
