/**
 * A database that was taken over is not our child process: after it ends, it may stay a zombie until its parent waits.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { stopped } from '../src/embedded-database.js';

test.runIf(process.platform === 'linux')(
  'one that has ended and nobody has asked about',
  { timeout: 20_000 },
  async () => {
    const child = 'console.log(process.pid); setInterval(() => {}, 1000)';
    // the shell becomes a program that does not know its child
    const script = '"$0" -e "$1" & exec sleep 600';
    const parent = spawn('sh', ['-c', script, process.execPath, child], {
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    try {
      const pid = Number(String((await once(parent.stdout, 'data'))[0]));
      await stopped(pid);
      expect(readFileSync(`/proc/${pid}/stat`, 'utf8')).toMatch(/\) Z /);
      await stopped(pid);
    } finally {
      parent.kill('SIGKILL');
    }
  },
);
