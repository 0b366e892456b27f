/** Command lines of the lab, run in this process. */
import { type CommandLine, captured } from '../../../packages/cli/test/run-impinge.js';
import { run } from '../src/program.js';

export const lab: CommandLine = (...args) => captured(run, args);
