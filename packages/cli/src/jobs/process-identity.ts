/** Which process something belongs to, and whether that one is still running. Numbers of processes are used again. */
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { hostname } from 'node:os';

/** What the system says of a process: a letter for what it does, and when it began; Linux only. */
function statOf(pid: number): { readonly state: string; readonly began: string } | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // after the name, which may hold anything, in parentheses
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return { state: fields[0], began: fields[19] };
  } catch {
    return undefined;
  }
}

/** When a process began, in a text that no two processes of the same number share; Linux only. */
export function beginningOf(pid: number): string | undefined {
  return statOf(pid)?.began;
}

/** Whether a process of this machine is running; `began` is empty where it is not known. In doubt it is. */
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

/** Whether a process that is running was killed: its first thread has ended, others are still in a system call. */
export function isEnding(pid: number): boolean {
  const now = statOf(pid);
  return now !== undefined && isZombie(now.state);
}

/** Whether this is the state of a first thread that has ended, and whose exit code was not collected. */
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

/** Where numbers of processes mean the same: a machine, or one of its containers. */
function numberedHere(): string {
  let namespace = '';
  try {
    namespace = readlinkSync('/proc/self/ns/pid');
  } catch {
    // not Linux: one numbering for the machine
  }
  return createHash('sha256').update(`${hostname()}\n${namespace}`).digest('hex').slice(0, 8);
}

/** This process, as part of a file's name; the same as long as it runs. */
export function processTag(): string {
  return `${numberedHere()}-${process.pid}-${beginningOf(process.pid) ?? ''}`;
}

/** Whether a tag is that of a process of this machine that has ended. */
export function hasEnded(tag: string): boolean {
  const [where, pid, began] = tag.split('-');
  return where === numberedHere() && !isRunning(Number(pid), began);
}
