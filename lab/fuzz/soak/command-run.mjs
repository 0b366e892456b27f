/** Runs the command in its own process, kills it at a given time or write, and watches its memory. */
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const MAIN = fileURLToPath(new URL('../../../packages/cli/dist/command/main.js', import.meta.url));
const INTERRUPTER = new URL('../../../packages/cli/test/interrupt-at-write.mjs', import.meta.url).href;
const LOOK_EVERY_MS = 20;

/**
 * Runs a command line. `kill` is `{ afterMs }`, `{ at: 'write 3' }` (see interrupt-at-write.mjs) or undefined. Returns
 * the exit code (undefined if killed), the output and the highest memory seen.
 */
export function commandRun(args, kill) {
  const interrupted = kill?.at ? { INTERRUPT: `kill ${kill.at}` } : {};
  const options = kill?.at ? ['--import', INTERRUPTER] : [];
  const child = spawn(process.execPath, [...options, MAIN, ...args], {
    stdio: ['ignore', 'ignore', 'pipe'],
    env: { ...process.env, ...interrupted },
  });
  let err = '';
  let peakBytes = 0;
  child.stderr.on('data', (text) => {
    err += text;
  });
  const watch = setInterval(() => {
    peakBytes = Math.max(peakBytes, peakOf(child.pid));
  }, LOOK_EVERY_MS);
  const timer =
    kill?.afterMs === undefined ? undefined : setTimeout(() => child.kill('SIGKILL'), kill.afterMs);
  return new Promise((resolve) => {
    child.on('close', (code) => {
      clearInterval(watch);
      clearTimeout(timer);
      resolve({ code: code ?? undefined, err, peakBytes });
    });
  });
}

function peakOf(pid) {
  try {
    return 1024 * Number(/^VmHWM:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))[1]);
  } catch {
    return 0; // the process has ended, or this is not Linux
  }
}
