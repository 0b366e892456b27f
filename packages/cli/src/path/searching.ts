/** A search with its progress on the screen; what the library refuses is the error of the command. */
import { ImpingeError } from 'impinge';
import { CommandError } from '../command-error.js';
import { Progress, type ProgressTask } from '../progress.js';

export async function searching<T>(
  task: ProgressTask,
  work: (update: (done: number, figures: string) => void) => Promise<T>,
): Promise<T> {
  const progress = new Progress();
  progress.begin(task);
  try {
    return await work((done, figures) => progress.update(done, figures));
  } catch (error) {
    throw error instanceof ImpingeError ? new CommandError(error.message) : error;
  } finally {
    progress.end();
  }
}
