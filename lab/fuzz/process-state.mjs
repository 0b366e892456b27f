/** How much memory a process takes, and took at most since it was last asked; how long it has worked. */
import { readFileSync, writeFileSync } from 'node:fs';

const MB = 1 << 20;

/**
 * What reading a file may cost beyond the cap that readers are given: the collector's leeway, what is loaded on first
 * use, and this much per byte of the file.
 */
const LEEWAY = 160 * MB;
const PER_BYTE = 200;

export const growthLimit = (cap, byteLength) => cap + LEEWAY + PER_BYTE * byteLength;

/** Above this a process is ended at once, whatever it does. */
export const DEADLY = 1536 * MB;

/** Bytes in memory; 0 for a process that is gone. */
export function residentBytes(pid) {
  return statusBytes(pid, 'VmRSS');
}

/** The most that this process had in memory since `forgetPeak()`. */
export function peakBytes() {
  return statusBytes('self', 'VmHWM') || process.memoryUsage.rss();
}

/** Linux only; elsewhere what is in memory at the end has to do. */
export function forgetPeak() {
  try {
    writeFileSync('/proc/self/clear_refs', '5');
  } catch {
    // no such file
  }
}

function statusBytes(pid, name) {
  try {
    const line = new RegExp(`^${name}:\\s+(\\d+) kB`, 'm').exec(readFileSync(`/proc/${pid}/status`, 'utf8'));
    return line === null ? 0 : 1024 * Number(line[1]);
  } catch {
    return 0;
  }
}

/** A tick of Linux's clock for processes. */
const TICK_SECONDS = 0.01;

/** Seconds that all threads of a process have worked; undefined where the system does not say. */
export function workedSeconds(pid) {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
      .replace(/^.*\) /, '')
      .split(' ');
    return TICK_SECONDS * (Number(fields[11]) + Number(fields[12]));
  } catch {
    return undefined;
  }
}
