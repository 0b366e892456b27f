/**
 * Runs `impinge` as a child process in its own process group, so that a hostile file that crashes it, hangs it or
 * exhausts its memory cannot harm the service. It ends with the service because it watches the pipe between them.
 */
import { spawn } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { beginningOf, isRunning } from '@impinge/cli/internal/jobs/process-identity.js';
import { fileSize } from '@impinge/cli/internal/terminal.js';

const OUT_BYTES_MAX = 4 << 20;
const ERROR_CHARACTERS_KEPT = 16_384;
const MEMORY_EVERY_MS = 100;
const GRACE_MS = 10_000;
const GONE_POLL_MS = 20;

export interface CheckProgress {
  /** Such as `checking` or `packing`. */
  readonly label: string;
  /** 0 … 1. */
  readonly share: number;
  /** Further information: `0:42 left, 312 clashes`. */
  readonly text: string;
}

export interface ProcessLimits {
  readonly ms?: number;
  readonly bytes?: number;
  /** Passed in the environment: all users of the computer can read arguments, and it may contain credentials. */
  readonly queue?: string | undefined;
}

export interface ProcessEnd {
  readonly code: number | undefined;
  readonly out: string;
  readonly errors: readonly string[];
  /** Why it was killed or crashed; undefined after a normal exit. */
  readonly broken: string | undefined;
}

export interface CheckProcess {
  /** Identifies the process uniquely, even if its id is reused. */
  readonly tag: string;
  readonly ended: Promise<ProcessEnd>;
  /** Immediately. */
  kill(why: string): void;
  /** Gives it time to save finished work. */
  stop(why: string): void;
}

/** The installed command. */
function commandPath(): string {
  return join(
    dirname(createRequire(import.meta.url).resolve('@impinge/cli/package.json')),
    'bin',
    'impinge.js',
  );
}

export function startCheckProcess(
  args: readonly string[],
  { ms, bytes: most = Infinity, queue }: ProcessLimits,
  onProgress: (progress: CheckProgress) => void,
): CheckProcess {
  const child = spawn(process.execPath, [commandPath(), ...args], {
    detached: true,
    stdio: ['pipe', 'pipe', 'pipe'],
    env: {
      ...process.env,
      ...{ IMPINGE_STOP_WITH_STDIN: '1', NO_COLOR: '1', PROGRESS_SECONDS: '0.5' },
      // models of others are kept as long as their runs, unless the operator says where else
      IMPINGE_CACHE: process.env['IMPINGE_CACHE'] || 'off',
      ...(queue !== undefined && { IMPINGE_QUEUE: queue }),
    },
  });
  let broken: string | undefined;
  let out = '';
  let errors = '';
  let rest = '';
  const signal = (name: NodeJS.Signals) => {
    try {
      if (child.pid !== undefined) process.kill(-child.pid, name);
    } catch {
      // the group has ended, or does not exist (Windows)
      child.kill(name);
    }
  };
  const kill = (why: string) => {
    broken ??= why;
    signal('SIGKILL');
  };
  const stop = (why: string) => {
    broken ??= why;
    signal('SIGTERM');
    setTimeout(() => signal('SIGKILL'), GRACE_MS).unref();
  };
  child.stdin.on('error', () => {});
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    out += text;
    if (out.length > OUT_BYTES_MAX) kill('it printed too much');
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    const lines = (rest + text).split('\n');
    rest = lines.pop()!.slice(-ERROR_CHARACTERS_KEPT);
    for (const line of lines) {
      const progress = progressIn(line);
      if (progress) onProgress(progress);
      else errors = `${errors}${line}\n`.slice(-ERROR_CHARACTERS_KEPT);
    }
  });
  const late =
    ms === undefined ? undefined : setTimeout(() => kill(`it took longer than ${duration(ms)}`), ms);
  const watch = setInterval(() => {
    void residentBytes(child.pid).then((bytes) => {
      if (bytes > most) kill(`it needed more than ${fileSize(most)} of memory`);
    });
  }, MEMORY_EVERY_MS);
  const ended = new Promise<ProcessEnd>((resolve) => {
    const end = (code: number | null, name: string | null, error?: string) => {
      clearTimeout(late);
      clearInterval(watch);
      // ends all its descendants
      signal('SIGKILL');
      const own = name === null ? error : `it was killed by ${name}`;
      const lines = `${errors}${rest}`.split('\n').filter((line) => line.trim() !== '');
      resolve({ code: code ?? undefined, out, errors: lines, broken: broken ?? own });
    };
    child.on('error', (error) => end(null, null, `it cannot be started: ${error.message}`));
    child.on('close', (code, name) => end(code, name));
  });
  return { tag: tagOf(child.pid ?? 0), ended, kill, stop };
}

/** Parses `checking 47 %, 0:42 left, 312 clashes`. */
function progressIn(line: string): CheckProgress | undefined {
  const [, label, percent, text = ''] = /^([a-z][a-z ]{0,40}) (\d{1,3}) %(?:, (.*))?$/.exec(line) ?? [];
  return label === undefined ? undefined : { label, share: Math.min(100, Number(percent)) / 100, text };
}

function duration(ms: number): string {
  const minutes = ms / 60_000;
  return minutes < 1 ? `${ms / 1000} seconds` : `${Number(minutes.toPrecision(3))} minutes`;
}

/** 0 if the system does not report it. */
async function residentBytes(pid: number | undefined): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '');
  return 1024 * Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1] ?? 0);
}

function tagOf(pid: number): string {
  return `${pid} ${beginningOf(pid) ?? ''}`;
}

/** Kills the check that a killed service left behind, if it can be identified. */
export async function endLeftOver(tag: string): Promise<void> {
  const [pid, began] = tag.split(' ');
  if (!(Number(pid) > 1) || !began || !isRunning(Number(pid), began)) return;
  process.kill(-Number(pid), 'SIGKILL');
  for (const end = Date.now() + GRACE_MS; Date.now() < end && isRunning(Number(pid), began); )
    await delay(GONE_POLL_MS);
}
