/** `@impinge/server`, the service and queues, an optional installation; and the interface that is used of it. */
import type { StoredModel } from '@impinge/model';
import type { TaskFindings, TaskSettings } from '@impinge/model/node';
import type { Command } from 'commander';
import { CommandError } from './command-error.js';
import type { Shell } from './command-line/shell.js';
import type { packInThread } from './jobs/pack-in-thread.js';
import type { Packed, PackOptions } from './jobs/pack-model.js';
import { optionalPackage } from './optional-package.js';

export interface ServerPackage {
  /** Options and action of `impinge serve` and `impinge worker`. */
  addServe(command: Command, shell: Shell): void;
  addWorker(command: Command, shell: Shell): void;
  queueAt(url: string): Queue;
}

/** Workers on other computers. */
export interface Queue {
  /** The message if no worker is connected. */
  readonly idleNote: string;
  /**
   * Opens the queue for a check of a model, whose store is at `path`; `key` distinguishes the check from similar ones.
   */
  lead(
    model: StoredModel,
    path: string,
    options: { readonly key: () => string; readonly onIdle: () => void },
  ): Promise<QueuedCheck>;
  /** Makes stores; returns the result for each, in order: a failure of one does not affect the others. */
  pack(requests: readonly PackRequest[], options: QueuedPackingOptions): Promise<(Packed | CommandError)[]>;
}

/** Pairs of a check, measured by workers. */
export interface QueuedCheck {
  /** Pairs that no worker could measure. */
  readonly unmeasured: readonly UnmeasuredPair[];
  measure(triples: Uint32Array, settings: TaskSettings): Promise<TaskFindings>;
  /** Deletes the results, because everything is in the journal. */
  finish(): Promise<void>;
  /** Removes jobs that were not started; results stay for a later resume. */
  close(): Promise<void>;
}

export interface UnmeasuredPair {
  readonly a: number;
  readonly b: number;
  readonly why: string;
}

/**
 * A store to make, and its files: all on disks that workers see under the same paths; the store may be in object
 * storage.
 */
export interface PackRequest {
  readonly files: readonly string[];
  readonly output: string;
  readonly options: PackOptions;
}

export interface QueuedPackingOptions {
  /** Called once if no worker seems to be active. */
  readonly onIdle: () => void;
  /** Called with the number of stores after each finished one. */
  readonly onPacked?: (count: number) => void;
  readonly signal?: AbortSignal | undefined;
}

/** `packInThread`, executed by a worker. */
export function packerOn(queue: Queue, onIdle: () => void): typeof packInThread {
  return async (files, output, { signal, ...options }) => {
    const [packed] = await queue.pack([{ files, output, options }], { onIdle, signal });
    if (packed instanceof CommandError) throw packed;
    return packed;
  };
}

/** Loads the package for the given purpose. */
export const serverPackage = (what: string): Promise<ServerPackage> =>
  optionalPackage(what, '@impinge/server');
