/** Memory of a process, its peak since the last reset, and its CPU time. */
import { readFileSync, writeFileSync } from 'node:fs';

const MB = 1 << 20;

/**
 * Memory that reading a file may take beyond the cap of the readers: garbage not yet collected, lazily loaded code, and
 * this much per byte of the file.
 */
const LEEWAY = 160 * MB;
const PER_BYTE = 200;

export const growthLimit = (cap, byteLength) => cap + LEEWAY + PER_BYTE * byteLength;

/** A process above this is killed at once. */
export const DEADLY = 1536 * MB;

/** Resident bytes; 0 for a process that has ended. */
export function residentBytes(pid) {
  return statusBytes(pid, 'VmRSS');
}

/** The peak of this process since `forgetPeak()`. */
export function peakBytes() {
  return statusBytes('self', 'VmHWM') || process.memoryUsage.rss();
}

/** Linux only; elsewhere `peakBytes()` returns the current memory. */
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

/** One clock tick of /proc on Linux. */
const TICK_SECONDS = 0.01;

/** CPU seconds of all threads of a process; undefined if the system does not report them. */
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
