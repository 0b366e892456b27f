// Preloaded by tests: interrupts the process at a certain write, whatever the speed of the machine.
// INTERRUPT='kill write 3': SIGKILL at the third FileHandle.write, half of it written. Also 'stop' (SIGINT, then the
// write), 'hold' (never returns), 'spin' (SIGINT, and the thread is busy for ever), and 'writeFile', 'read',
// 'sync' or 'datasync' as the method. Each thread counts its own.
import { once } from 'node:events';
import { open } from 'node:fs/promises';

const [how, method, nth] = process.env.INTERRUPT.split(' ');

const handle = await open(process.execPath);
const prototype = Object.getPrototypeOf(handle);
await handle.close();
const original = prototype[method];
let left = Number(nth);
prototype[method] = async function (bytes, ...rest) {
  if (--left !== 0) return original.call(this, bytes, ...rest);
  if (how === 'stop') {
    const handled = once(process, 'SIGINT');
    process.kill(process.pid, 'SIGINT');
    const alive = setInterval(() => {}, 1000); // waiting for a signal does not keep a process alive
    await handled;
    clearInterval(alive);
    return original.call(this, bytes, ...rest);
  }
  if (how === 'spin') {
    process.kill(process.pid, 'SIGINT');
    for (;;);
  }
  if (how === 'kill') {
    const half = Math.ceil((bytes?.length ?? 0) / 2);
    if (method === 'write') await original.call(this, bytes, rest[0] ?? 0, half, rest[2]);
    if (method === 'writeFile') await original.call(this, bytes.slice(0, half));
    process.kill(process.pid, 'SIGKILL');
  }
  setInterval(() => {}, 1000); // waits for its end
  return new Promise(() => {});
};
