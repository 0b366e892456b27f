/** Commands run by tests: in this process, or built, as a process of their own that can be stopped and killed. */
import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import pc from 'picocolors';
import { run } from '../src/program.js';

export interface Ended {
  /** Undefined when a signal ended it. */
  readonly code: number | undefined;
  readonly out: string;
  readonly err: string;
}

/** A command line, run in this process. */
export type CommandLine = (...args: string[]) => Promise<Ended & { readonly code: number }>;

export const impinge: CommandLine = (...args) => captured(run, args);

/** Runs a program in this process, and keeps what it prints. */
export async function captured(program: typeof run, args: readonly string[]): ReturnType<CommandLine> {
  let out = '';
  let err = '';
  const code = await program(args, {
    out: (text) => {
      out += text;
    },
    error: (text) => {
      err += text;
    },
    colors: pc.createColors(false),
  });
  return { code, out, err };
}

/** What a command prints with --json. */
// biome-ignore lint/suspicious/noExplicitAny: tests know what they ask for
export async function impingeJson(...args: string[]): Promise<any> {
  return JSON.parse((await impinge(...args, '--json')).out);
}

/** The lines of a report's clashes.jsonl. */
// biome-ignore lint/suspicious/noExplicitAny: tests know what they look for
export function clashesIn(report: string): any[] {
  const lines = readFileSync(join(report, 'clashes.jsonl'), 'utf8').split('\n').slice(0, -1);
  return lines.map((line) => JSON.parse(line));
}

const MAIN = fileURLToPath(new URL('../dist/command/main.js', import.meta.url));

export interface Started {
  readonly child: ChildProcess;
  readonly ended: Promise<Ended>;
}

/** Starts the built command; `npm test` builds first. */
export function start(...args: string[]): Started {
  return startNode([], {}, args);
}

/** The same, as another user; `ended` rejects where that is not allowed. */
export function startAs(uid: number, ...args: string[]): Started {
  return startNode([], {}, args, uid);
}

/** The same, interrupted at a certain write: see interrupt-at-write.mjs. */
export function startInterrupted(
  at: `${'kill' | 'stop' | 'hold' | 'spin'} ${'write' | 'writeFile' | 'read' | 'sync' | 'datasync'} ${number}`,
  ...args: string[]
): Started {
  const preloaded = new URL('./interrupt-at-write.mjs', import.meta.url);
  return startNode(['--import', preloaded.href], { INTERRUPT: at }, args);
}

/**
 * The same as process 1 of a numbering of its own, as in a container; INTERRUPT is for interrupt-at-write.mjs, SIGNAL
 * for end-in-time.mjs.
 */
export function startAsFirst(env: { INTERRUPT: string } | { SIGNAL: string }, ...args: string[]): Started {
  const module = 'SIGNAL' in env ? './end-in-time.mjs' : './interrupt-at-write.mjs';
  const preloaded = new URL(module, import.meta.url).href;
  const unshare = [
    '--pid',
    '--fork',
    '--kill-child',
    '--mount-proc',
    process.execPath,
    '--import',
    preloaded,
  ];
  return startProgram('unshare', [...unshare, MAIN, ...args], env);
}

/** The same, sent a signal when it starts a certain thread: see interrupt-at-thread.mjs. */
export function startInterruptedAtThread(
  at: `${'SIGINT' | 'SIGTERM'} ${string}`,
  threadsFile: string,
  ...args: string[]
): Started {
  const preloaded = new URL('./interrupt-at-thread.mjs', import.meta.url);
  return startNode(['--import', preloaded.href], { INTERRUPT: at, THREADS_FILE: threadsFile }, args);
}

/** The same, with a module loaded before, which reads `env`. */
export function startPreloaded(module: URL, env: NodeJS.ProcessEnv, ...args: string[]): Started {
  return startNode(['--import', module.href], env, args);
}

/** The same, with the most memory that the process had, in bytes, in the file `peak` when it has ended. */
export function startMeasured(peak: string, ...args: string[]): Started {
  const preloaded = new URL('../../../lab/bench/measure/peak-memory.mjs', import.meta.url);
  return startNode(['--import', preloaded.href], { IMPINGE_PEAK_FILE: peak }, args);
}

function startNode(
  options: readonly string[],
  env: NodeJS.ProcessEnv,
  args: readonly string[],
  uid?: number,
): Started {
  return startProgram(process.execPath, [...options, MAIN, ...args], env, uid);
}

function startProgram(
  program: string,
  args: readonly string[],
  env: NodeJS.ProcessEnv,
  uid?: number,
): Started {
  if (!existsSync(MAIN)) throw new Error('the command is not built: npm run build');
  const child = spawn(program, args, {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, ...env },
    ...(uid !== undefined && { uid, gid: uid }),
  });
  let out = '';
  let err = '';
  child.stdout.on('data', (text) => {
    out += text;
  });
  child.stderr.on('data', (text) => {
    err += text;
  });
  const ended = new Promise<Ended>((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code) => resolve({ code: code ?? undefined, out, err }));
  });
  return { child, ended };
}

export type Interval = readonly [min: number, max: number];

export type NamedBox = readonly [name: string, x: Interval, y: Interval, z: Interval];

/** An OBJ of axis-aligned boxes, each an object of 12 triangles. */
export function boxesObj(...list: readonly NamedBox[]): string {
  const lines: string[] = [];
  for (const [name, x, y, z] of list) {
    lines.push(`o ${name}`);
    for (let c = 0; c < 8; c++) lines.push(`v ${x[c & 1]} ${y[(c >> 1) & 1]} ${z[c >> 2]}`);
    for (const quad of ['1 3 4 2', '5 6 8 7', '1 2 6 5', '3 7 8 4', '1 5 7 3', '2 4 8 6']) {
      const corners = quad.split(' ').map((v) => Number(v) - 9);
      lines.push(`f ${corners.join(' ')}`);
    }
  }
  return `${lines.join('\n')}\n`;
}

/** An OBJ of so many boxes in a row, each of which reaches into the next. */
export function boxRow(name: string, count: number, y = 0): string {
  return boxesObj(
    ...Array.from(
      { length: count },
      (_, i): NamedBox => [`${name} ${i}`, [0.9 * i, 0.9 * i + 1], [y, y + 1], [0, 1]],
    ),
  );
}
