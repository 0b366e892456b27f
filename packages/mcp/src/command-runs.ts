/** Questions to the command, each a process of its own: whatever a model does to it, the server lives on. */
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Refusal } from './root-folder.js';

const COMMAND = fileURLToPath(new URL('bin/impinge.js', import.meta.resolve('@impinge/cli/package.json')));
/** Answers are for reading: one that is longer than this is refused. */
const MOST_BYTES = 32 * 2 ** 20;
/** How often an agent that wants to know is told that a question is still being worked at, in milliseconds. */
const PULSE_MS = 2000;

export interface Asking {
  readonly signal?: AbortSignal | undefined;
  /** Called again and again while the question takes, with the seconds so far. */
  readonly onPulse?: ((seconds: number) => void) | undefined;
}

export class CommandRuns {
  /** Temporary files: reports, and what models were read into. */
  readonly folder: string;
  readonly #running = new Set<ChildProcess>();
  #reports = 0;

  private constructor(folder: string) {
    this.folder = folder;
  }

  static async start(): Promise<CommandRuns> {
    return new CommandRuns(await mkdtemp(join(tmpdir(), 'impinge-mcp-')));
  }

  /** A name that no report has had. */
  newReport(): string {
    return `report-${++this.#reports}`;
  }

  /** What the command prints. Exit codes 0 and 1 are answers, others are refusals with its own message. */
  async ask(args: readonly string[], { signal, onPulse }: Asking): Promise<string> {
    const begin = performance.now();
    const pulse = setInterval(() => onPulse?.((performance.now() - begin) / 1000), PULSE_MS);
    try {
      return await this.#output(args, signal);
    } finally {
      clearInterval(pulse);
    }
  }

  async json(args: readonly string[], asking: Asking): Promise<unknown> {
    return JSON.parse(await this.ask([...args, '--json'], asking));
  }

  async dispose(): Promise<void> {
    for (const command of this.#running) command.kill();
    await rm(this.folder, { recursive: true, force: true });
  }

  #output(args: readonly string[], signal: AbortSignal | undefined): Promise<string> {
    const command = spawn(process.execPath, [COMMAND, ...args], {
      // where no name of a selector can be one of a file
      cwd: this.folder,
      env: { ...process.env, NO_COLOR: '1', IMPINGE_CACHE: join(this.folder, 'cache') },
      stdio: ['ignore', 'pipe', 'pipe'],
      ...(signal && { signal }),
    });
    this.#running.add(command);
    return new Promise((resolve, reject) => {
      const out: Buffer[] = [];
      let bytes = 0;
      let errors = '';
      command.stdout.on('data', (data: Buffer) => {
        bytes += data.length;
        if (bytes <= MOST_BYTES) out.push(data);
        else command.kill();
      });
      command.stderr.setEncoding('utf8').on('data', (text: string) => {
        errors = (errors + text).slice(-MOST_BYTES);
      });
      command.on('error', reject);
      command.on('close', (code) => {
        this.#running.delete(command);
        if (bytes > MOST_BYTES) reject(new Refusal('the answer is too long: ask about less'));
        else if (code === 0 || code === 1) resolve(Buffer.concat(out).toString());
        else
          reject(new Refusal(errors.trim() || `the question ended without an answer (${code ?? 'killed'})`));
      });
    });
  }
}
