#!/usr/bin/env node
import { run } from './program.js';
import { processTerminal } from './terminal.js';

// a reader that has seen enough (`impinge info … | head`) closes the pipe
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
  process.exit();
});

process.exitCode = await run(process.argv.slice(2), processTerminal());
