/** The command line of `impinge worker`. */
import { queueOption } from '@impinge/cli/internal/command-line/common-options.js';
import type { Shell } from '@impinge/cli/internal/command-line/shell.js';
import type { Command } from 'commander';
import { QUEUE_EXAMPLES } from '../queue/backends.js';

export function addWorkerOptions(command: Command, shell: Shell): void {
  command
    .addOption(queueOption(`queue to take work from: ${QUEUE_EXAMPLES}`).makeOptionMandatory())
    .option('--threads <n>', 'number of threads (default: one per core)')
    .option('--memory <bytes>', 'memory for geometry, of all threads together (default: 256MB per thread)')
    .option('--name <name>', 'name in logs and reports (default: host name and process id)')
    .option('--lost-after <seconds>', 'heartbeat timeout; the same for all workers of a queue', '30')
    .option('--idle-exit <seconds>', 'exit after this time without work')
    .addHelpText(
      'after',
      `
A worker reads stores from the path or address that the check names: a shared disk, mounted under the same path, or a
remote store (https://…, s3://…). Files to pack and the resulting stores must have the same paths, too. Each thread
needs as much memory as the --memory of the check.
On Ctrl-C or SIGTERM the worker finishes its current tasks, abandons any packing, and exits. Workers may join
and leave at any time; another worker takes over unfinished work.

Command lines are visible to all users of a computer: pass a password in IMPINGE_QUEUE instead of --queue.

Examples:
  impinge worker --queue postgres://queue.example.com/impinge
  impinge worker --queue redis://localhost --threads 4 --memory 2GB
  impinge worker --queue redis://localhost --idle-exit 60`,
    )
    .action(async (options) =>
      shell.exit(await (await import('../commands/worker.js')).worker(options, shell.terminal)),
    );
}
