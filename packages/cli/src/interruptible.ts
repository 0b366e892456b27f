/**
 * Work that has to clean up when a signal arrives. It must not block its thread: long computations belong in another
 * one. Elsewhere a command has nothing on disk, and the system ends it at once.
 */
import { CommandError } from './command-error.js';

/** Runs work that SIGINT and SIGTERM stop: the first signal aborts it, the next one ends the process as usual. */
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
