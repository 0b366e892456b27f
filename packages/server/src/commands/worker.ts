/** `impinge worker`: runs as a queue worker. */
import { hostname } from 'node:os';
import { CommandError } from '@impinge/cli/internal/command-error.js';
import { parseMemory, parseWorkers } from '@impinge/cli/internal/quantities.js';
import { counted, printable, type Terminal } from '@impinge/cli/internal/terminal.js';
import { queueAddress } from '../queue/backends.js';

export interface WorkerCommandOptions {
  readonly queue: string;
  readonly threads?: string;
  readonly memory?: string;
  readonly name?: string;
  readonly lostAfter: string;
  readonly idleExit?: string;
}

const MEMORY_PER_THREAD = 256e6;
/** With a shorter timeout, a brief pause of the computer would look like a crash. */
const LEAST_LOST_SECONDS = 1;

export async function worker(options: WorkerCommandOptions, terminal: Terminal): Promise<number> {
  const address = queueAddress(options.queue);
  const threads = parseWorkers(options.threads, '--threads');
  const memory = options.memory === undefined ? threads * MEMORY_PER_THREAD : parseMemory(options.memory);
  const lostAfterMs = 1000 * seconds(options.lostAfter, '--lost-after', LEAST_LOST_SECONDS);
  const idleExitMs =
    options.idleExit === undefined ? undefined : 1000 * seconds(options.idleExit, '--idle-exit', 0);
  const name = options.name ?? `${hostname()}-${process.pid}`;
  const { work } = await import('../queue/work.js');
  const controller = new AbortController();
  const stop = () => {
    terminal.error('impinge: finishing the current work; press Ctrl-C again to stop at once\n');
    controller.abort();
  };
  process.once('SIGINT', stop);
  process.once('SIGTERM', stop);
  try {
    const { tasks, pairs, stores } = await work({
      ...{ address, name, threads, memory, lostAfterMs, idleExitMs },
      signal: controller.signal,
      onReady: () =>
        terminal.error(
          `impinge: ${printable(name)} takes work from ${address.display}, ${counted(threads, 'thread')}\n`,
        ),
      onProblem: (line) => terminal.error(`impinge: ${printable(line)}\n`),
    });
    const packed = stores > 0 ? `, ${counted(stores, 'store')} packed` : '';
    terminal.out(`${counted(tasks, 'task')}, ${counted(pairs, 'pair')} measured${packed}\n`);
    return 0;
  } finally {
    process.off('SIGINT', stop);
    process.off('SIGTERM', stop);
  }
}

function seconds(text: string, option: string, least: number): number {
  const value = Number(text);
  if (text.trim() === '' || !(value >= least && value <= 86_400))
    throw new CommandError(`${option}: "${text}" is not a number of seconds from ${least} to 86400`);
  return value;
}
