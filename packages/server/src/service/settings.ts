/** Settings of `impinge serve`, and its fixed limits. */
import { homedir } from 'node:os';
import { join } from 'node:path';
import type { LeastPace } from '@impinge/model/node';
import type { NetworkPolicy } from './network/guarded-request.js';

export interface ServiceSettings {
  /** Folder of uploads, reports and, unless `database` is set, the database. */
  readonly data: string;
  /** postgres://…; undefined: an embedded database. */
  readonly database: string | undefined;
  /** Queue whose workers measure; undefined: checks run on this machine alone. */
  readonly queue: string | undefined;
  /** Whether to start a worker for the queue. */
  readonly worker: boolean;
  readonly host: string;
  readonly port: number;
  /** The public base URL, such as that of a proxy. */
  readonly publicUrl: URL | undefined;
  /** Addresses and ranges of trusted proxies. */
  readonly proxies: readonly string[];
  /** Folders and s3://bucket/… that models may be named in. */
  readonly models: readonly string[];
  readonly network: NetworkPolicy;
  readonly uploadBytes: number;
  /** Number of concurrent checks. */
  readonly concurrency: number;
  readonly runMs: number;
  /** For geometry, as `impinge check --memory`. */
  readonly memory: string;
  /** Total memory limit of a check, where the system reports its use (Linux). */
  readonly processBytes: number;
  /** Threads per check. */
  readonly workers: number;
  /** 0: no limit. */
  readonly keepRuns: number;
  readonly keepDays: number;
  readonly limits: RequestLimits;
  /** Delay before the second attempt of a webhook; it doubles each time. */
  readonly retryMs: number;
}

export interface RequestLimits {
  readonly headerMs: number;
  /** Time without a byte in either direction. */
  readonly idleMs: number;
  /** For a whole request that is not an upload. */
  readonly bodyMs: number;
  /** Minimum bytes per second of uploaded and fetched models, within each `bodyMs`. */
  readonly modelRate: number;
  /**
   * Requests per minute: of a token, of a token for parts of files, of an address without a token; and failed logins.
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
/** Per project, so that one cannot fill the queue. */
export const WAITING_RUNS_OF_PROJECT_MAX = 1000;
export const MODELS_MAX = 500;
export const EVENT_STREAMS_MAX = 256;
export const EVENT_STREAMS_OF_TOKEN_MAX = 64;

/** The minimum pace of models. */
export function leastPace({ modelRate, bodyMs }: RequestLimits): LeastPace {
  return { bytes: (modelRate * bodyMs) / 1000, ms: bodyMs };
}

/** The system's folder for application data. */
export function defaultDataFolder(env = process.env, platform = process.platform): string {
  if (platform === 'win32') return join(env['LOCALAPPDATA'] ?? homedir(), 'impinge');
  // root's own folders are not accessible to the user that runs the database
  if (process.getuid?.() === 0) return '/var/lib/impinge';
  if (platform === 'darwin') return join(homedir(), 'Library', 'Application Support', 'impinge');
  return join(env['XDG_DATA_HOME'] || join(homedir(), '.local', 'share'), 'impinge');
}
