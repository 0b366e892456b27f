/** Commands of `@impinge/server`: the help lists them, and their implementation is loaded when they are called. */
import type { AddCommand } from './shell.js';

const fromServer =
  (name: string, add: 'addServe' | 'addWorker', description: string): AddCommand =>
  async (program, shell) => {
    const command = program.command(name).description(description);
    if (shell.command !== name) return;
    const { serverPackage } = await import('../server-package.js');
    (await serverPackage(`"impinge ${name}"`))[add](command, shell);
  };

export const addServe = fromServer(
  'serve',
  'addServe',
  'Run checks as a web service, with an API and pages.',
);
export const addWorker = fromServer(
  'worker',
  'addWorker',
  'Run as a queue worker: measure and pack for "impinge check --queue" and "impinge serve --queue".',
);
