/** Identifies the process that something belongs to, and whether it is still running. Process ids are reused. */
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { hostname } from 'node:os';

/** The system's data of a process: a letter for its state, and when it began; Linux only. */
function statOf(pid: number): { readonly state: string; readonly began: string } | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // after the name in parentheses, which may contain anything
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return { state: fields[0], began: fields[19] };
  } catch {
    return undefined;
  }
}

/** When a process began, as a text that no two processes with the same id share; Linux only. */
export function beginningOf(pid: number): string | undefined {
  return statOf(pid)?.began;
}

/** Whether a process of this machine is running; `began` is empty if unknown. In doubt it is. */
export function isRunning(pid: number, began: string): boolean {
  try {
    process.kill(pid, 0);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ESRCH') return false;
  }
  const now = statOf(pid);
  if (now === undefined) return true;
  if (began !== '' && now.began !== began) return false;
  return !isZombie(now.state) || hasThreads(pid);
}

/** Whether a running process was killed: its first thread has ended, others are still in a system call. */
export function isEnding(pid: number): boolean {
  const now = statOf(pid);
  return now !== undefined && isZombie(now.state);
}

/** Whether this is the state of a first thread that has ended and whose exit code has not been collected. */
function isZombie(state: string): boolean {
  return state === 'Z' || state === 'X';
}

/** Whether a process whose first thread has ended has others. */
function hasThreads(pid: number): boolean {
  try {
    return readdirSync(`/proc/${pid}/task`).length > 1;
  } catch {
    return false;
  }
}

/** The scope in which process ids are unique: a machine, or one of its containers. */
function numberedHere(): string {
  let namespace = '';
  try {
    namespace = readlinkSync('/proc/self/ns/pid');
  } catch {
    // not Linux: the whole machine
  }
  return createHash('sha256').update(`${hostname()}\n${namespace}`).digest('hex').slice(0, 8);
}

/** Identifies this process as part of a file name; constant while it runs. */
export function processTag(): string {
  return `${numberedHere()}-${process.pid}-${beginningOf(process.pid) ?? ''}`;
}

/** Whether a tag is that of a process of this machine that has ended. */
export function hasEnded(tag: string): boolean {
  const [where, pid, began] = tag.split('-');
  return where === numberedHere() && !isRunning(Number(pid), began);
}
