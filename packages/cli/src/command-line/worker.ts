/** How `impinge worker` is called. */
import { queueOption } from './common-options.js';
import type { AddCommand } from './shell.js';

export const addWorker: AddCommand = (program, shell) => {
  program
    .command('worker')
    .description(
      'Take part in checks of other computers: measure and pack what "impinge check --queue" hands out.',
    )
    .addOption(
      queueOption('where work is handed out: postgres://host/database or redis://host').makeOptionMandatory(),
    )
    .option('--threads <n>', 'groups of pairs at the same time (default: one per core)')
    .option('--memory <bytes>', 'memory for geometry, all threads together (default: 256MB for each)')
    .option('--name <name>', 'what others call this worker (default: computer and process)')
    .option('--lost-after <seconds>', 'without a sign of life for so long, a worker is given up', '30')
    .option('--idle-exit <seconds>', 'end after so long with nothing to do')
    .addHelpText(
      'after',
      `
A worker reads the store of a check where the check names it: on a disk that both see under the same path, or elsewhere
(https://…, s3://…). Files to pack, and the stores made of them, have the same paths for both. It needs as much memory for each thread as the check was given by --memory.
Ctrl-C and SIGTERM: it finishes the groups that it is at, gives up what it packs, and ends. Workers may come and go at any time; what one of them does not
finish, another one does. All workers of a queue take the same --lost-after.

Everybody on a computer can read the command lines of its processes: a password is better kept in IMPINGE_QUEUE.

Examples:
  impinge worker --queue postgres://queue.example.com/impinge
  impinge worker --queue redis://localhost --threads 4 --memory 2GB
  impinge worker --queue redis://localhost --idle-exit 60`,
    )
    .action(async (options) =>
      shell.exit(await (await import('../commands/worker.js')).worker(options, shell.terminal)),
    );
};
