import { fileErrorCause } from './jobs/file-errors.js';
import { run } from './program.js';
import { processTerminal } from './terminal.js';

let outputFailed = false;

process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  // a reader that has seen enough (`impinge info … | head`) closes the pipe
  if (error.code === 'EPIPE') process.exit();
  // whatever is written to files is still completed
  if (!outputFailed) {
    process.stderr.write(
      `impinge: standard output cannot be written: ${fileErrorCause(error) ?? error.message}\n`,
    );
  }
  outputFailed = true;
  process.exitCode = 2;
});

const code = await run(process.argv.slice(2), processTerminal());
process.exitCode = outputFailed ? 2 : code;
