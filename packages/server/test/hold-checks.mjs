// Preloaded by tests into the service, and so into the checks that it starts: a check that has written what it found
// stays there while the file HELD says "all" or a part of its arguments, until it is told to stop. HELD.there tells of
// the last one.
import { readFileSync, writeFileSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { isMainThread } from 'node:worker_threads';

const { HELD } = process.env;
/** The first is the head of its journal, the second what was found. */
const WRITE = 2;

function isHeld() {
  const words = readFileSync(HELD, 'utf8');
  return words === 'all' || (words !== '' && process.argv.some((arg) => arg.includes(words)));
}

if (isMainThread && process.argv[2] === 'check') {
  const handle = await open(process.execPath);
  const prototype = Object.getPrototypeOf(handle);
  await handle.close();
  const { write } = prototype;
  let writes = 0;
  let isStopped = false;
  prototype.write = async function (...args) {
    const written = await write.apply(this, args);
    if (++writes !== WRITE || !isHeld()) return written;
    process.once('SIGTERM', () => {
      isStopped = true;
    });
    writeFileSync(`${HELD}.there`, process.argv.join(' '));
    while (!isStopped && isHeld()) await sleep(20);
    return written;
  };
}
