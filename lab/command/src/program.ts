/** The command line of `npm run lab`: reproduces the papers and demonstrates the engines. */
import { type Program, runProgram } from '@impinge/cli/internal/run-program.js';
import type { Terminal } from '@impinge/cli/internal/terminal.js';
import { addBench } from './command-line/bench.js';
import { addFly } from './command-line/fly.js';
import { addSimulate } from './command-line/simulate.js';

const LAB: Program = {
  name: 'lab',
  description: 'Simulations, flights through models and benchmarks.',
  commands: [addSimulate, addFly, addBench],
  help: `
Examples:
  npm run lab -- simulate tori --record tori.glb
  npm run lab -- fly plant.impinge --wander 200
  npm run lab -- bench gpu --check

"npm run lab -- COMMAND --help" describes a command.`,
};

/** Runs one command line (without `node` and the script); returns the exit code and never throws. */
export const run = (args: readonly string[], terminal: Terminal): Promise<number> =>
  runProgram(LAB, args, terminal);
