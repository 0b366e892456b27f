// Stands in for the process that tries mutants: misbehaves as asked, after noting the mutant's number.
import { openSync, writeSync } from 'node:fs';
import { join } from 'node:path';

const progress = openSync(join(process.argv[2], 'progress'), 'w');
const kept = [];

const MANNERS = {
  answer: () => process.send({ done: { outcome: 'read' } }),
  fail: () => {
    process.send({ failed: { number: 7 } });
    process.send({ done: { outcome: 'read' } });
  },
  hang: () => {
    for (;;);
  },
  swell: () => {
    for (;;) kept.push(Buffer.alloc(1 << 24, 1));
  },
  throw: () => {
    throw new TypeError('nobody catches this');
  },
  die: () => process.kill(process.pid, 'SIGKILL'),
};

process.on('message', (manner) => {
  writeSync(progress, `obj ${manner}`.padEnd(40), 0);
  MANNERS[manner]();
});
process.send({ ready: true });
