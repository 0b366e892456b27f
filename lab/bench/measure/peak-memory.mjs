/**
 * Preloaded into a process: writes its peak memory, in bytes, to the file IMPINGE_PEAK_FILE, and the processor time of
 * all its threads, in seconds, to IMPINGE_CPU_FILE.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { isMainThread } from 'node:worker_threads';

/** The process's own high-water mark; `maxRSS` starts with the parent's memory at the fork. */
export function peakRss() {
  try {
    const [, kilobytes] = /^VmHWM:\s+(\d+) kB/m.exec(readFileSync('/proc/self/status', 'utf8'));
    return 1024 * Number(kilobytes);
  } catch {
    return 1024 * process.resourceUsage().maxRSS;
  }
}

const { IMPINGE_PEAK_FILE: peakFile, IMPINGE_CPU_FILE: cpuFile } = process.env;
if (peakFile && isMainThread) process.on('exit', () => writeFileSync(peakFile, String(peakRss())));
if (cpuFile && isMainThread) process.on('exit', () => writeFileSync(cpuFile, String(cpuSeconds())));

function cpuSeconds() {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1e6;
}
