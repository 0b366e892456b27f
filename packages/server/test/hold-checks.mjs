// Preloaded into the service, and so into its checks: a check that has written its findings pauses there while the file
// HELD contains "all" or a part of its arguments, or until it is told to stop. HELD.there names the last one.
import { readFileSync, writeFileSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { isMainThread } from 'node:worker_threads';

const { HELD } = process.env;
/** The first write is the head of the journal, the second the findings. */
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
