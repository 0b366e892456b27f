/** Runs a program as a process: settings of V8, signals, and output errors. */
import type { Terminal } from './terminal.js';
import { setUpV8 } from './v8-settings.js';

type Run = (args: readonly string[], terminal: Terminal) => Promise<number>;

/** The program is loaded after V8 is set up. */
export async function start(name: string, load: () => Promise<{ readonly run: Run }>): Promise<void> {
  const args = process.argv.slice(2);
  setUpV8(args);
  // for process 1 of a container, unhandled signals have no effect
  if (process.pid === 1)
    for (const [signal, code] of [
      ['SIGINT', 130],
      ['SIGTERM', 143],
    ] as const)
      process.on(signal, () => {
        if (process.listenerCount(signal) === 1) process.exit(code);
      });
  // the parent process has ended when its end of the pipe is closed
  if (process.env['IMPINGE_STOP_WITH_STDIN'] === '1')
    process.stdin
      .on('end', () => process.kill(process.pid, 'SIGTERM'))
      .resume()
      .unref();
  const { fileErrorCause } = await import('./jobs/file-errors.js');
  const { run } = await load();
  const { processTerminal } = await import('./terminal.js');

  let outputFailed = false;

  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    // a reader that has seen enough (`impinge check … | head`) closes the pipe; the exit code still reports the result
    if (error.code === 'EPIPE') return;
    // output to files is still completed
    if (!outputFailed) {
      process.stderr.write(
        `${name}: standard output cannot be written: ${fileErrorCause(error) ?? error.message}\n`,
      );
    }
    outputFailed = true;
    process.exitCode = 2;
  });

  const code = await run(args, processTerminal());
  process.exitCode = outputFailed ? 2 : code;
}
