/**
 * `impinge` as a process of its own, in a group of its own: whatever a stranger's file makes of it, crash, endless work
 * or all the memory there is, the service goes on. It ends with the service, since it watches the pipe between them.
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
  /** `checking`, `packing`. */
  readonly label: string;
  /** 0 … 1. */
  readonly share: number;
  /** What else there is to say: `0:42 left, 312 clashes`. */
  readonly text: string;
}

export interface ProcessLimits {
  readonly ms?: number;
  readonly bytes?: number;
  /** What gives access to it is not among the arguments, which everybody can read. */
  readonly queue?: string | undefined;
}

export interface ProcessEnd {
  readonly code: number | undefined;
  readonly out: string;
  readonly errors: readonly string[];
  /** Why it was ended, or what ended it; undefined where it came to its own end. */
  readonly broken: string | undefined;
}

export interface CheckProcess {
  /** Tells the process from all others. */
  readonly tag: string;
  readonly ended: Promise<ProcessEnd>;
  /** At once. */
  kill(why: string): void;
  /** Lets it put away what is finished, for a while. */
  stop(why: string): void;
}

/** The command as it is installed. */
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
      // the group has ended, or there are no groups: Windows
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
      // whatever it has started
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

/** `checking 47 %, 0:42 left, 312 clashes`. */
function progressIn(line: string): CheckProgress | undefined {
  const [, label, percent, text = ''] = /^([a-z][a-z ]{0,40}) (\d{1,3}) %(?:, (.*))?$/.exec(line) ?? [];
  return label === undefined ? undefined : { label, share: Math.min(100, Number(percent)) / 100, text };
}

function duration(ms: number): string {
  const minutes = ms / 60_000;
  return minutes < 1 ? `${ms / 1000} seconds` : `${Number(minutes.toPrecision(3))} minutes`;
}

/** 0 where the system does not tell. */
async function residentBytes(pid: number | undefined): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '');
  return 1024 * Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1] ?? 0);
}

function tagOf(pid: number): string {
  return `${pid} ${beginningOf(pid) ?? ''}`;
}

/** Ends what a service that was killed has left behind, where it can be told that it is the same process. */
export async function endLeftOver(tag: string): Promise<void> {
  const [pid, began] = tag.split(' ');
  if (!(Number(pid) > 1) || !began || !isRunning(Number(pid), began)) return;
  process.kill(-Number(pid), 'SIGKILL');
  for (const end = Date.now() + GRACE_MS; Date.now() < end && isRunning(Number(pid), began); )
    await delay(GONE_POLL_MS);
}
