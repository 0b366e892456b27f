/**
 * Work that has something to put away when a signal comes. It must leave its thread free: what takes long without a
 * pause belongs into another one. Everywhere else a command has nothing on disk, and the system ends it at once.
 */
import { CommandError } from './command-error.js';

/** Runs work that SIGINT and SIGTERM stop: the first one tells it to, the next one ends the process as usual. */
export async function interruptible<T>(
  work: (signal: AbortSignal) => Promise<T>,
  outer?: AbortSignal,
): Promise<T> {
  const controller = new AbortController();
  const stop = () => controller.abort(new CommandError('stopped'));
  process.once('SIGINT', stop);
  process.once('SIGTERM', stop);
  const { signal } = controller;
  try {
    return await work(outer ? AbortSignal.any([outer, signal]) : signal);
  } catch (error) {
    throw signal.aborted ? signal.reason : error;
  } finally {
    process.off('SIGINT', stop);
    process.off('SIGTERM', stop);
  }
}
