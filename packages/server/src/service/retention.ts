/** Deletes runs and models that are no longer kept: database rows first, so that none refers to a missing file. */
import type { Folders } from './folders.js';
import type { Log } from './log.js';
import type { ServiceSettings } from './settings.js';
import type { Projects } from './state/projects.js';
import type { Runs } from './state/runs.js';

const EVERY_MS = 3600_000;

export interface RetentionParts {
  readonly settings: ServiceSettings;
  readonly folders: Folders;
  readonly projects: Projects;
  readonly runs: Runs;
  readonly log: Log;
}

export class Retention {
  readonly #parts: RetentionParts;
  readonly #timer: NodeJS.Timeout;
  #sweeping: Promise<void> = Promise.resolve();

  constructor(parts: RetentionParts) {
    this.#parts = parts;
    this.#timer = setInterval(() => void this.sweep(), EVERY_MS).unref();
  }

  /** Also deletes incomplete data of a killed process. */
  async begin(): Promise<void> {
    const { folders, projects, runs } = this.#parts;
    await folders.removeUnknown(await projects.modelIds(), await runs.ids());
    await this.sweep();
  }

  sweep(): Promise<void> {
    this.#sweeping = this.#sweeping.then(() => this.#sweep());
    return this.#sweeping;
  }

  async stop(): Promise<void> {
    clearInterval(this.#timer);
    await this.#sweeping;
  }

  async #sweep(): Promise<void> {
    const { settings, folders, projects, runs, log } = this.#parts;
    try {
      for (const id of await runs.expired(settings.keepRuns, settings.keepDays)) {
        await runs.remove(id);
        await folders.removeRun(id);
        log.info('run-removed', { run: id });
      }
      for (const id of await projects.forgetSuperseded()) await folders.removeModel(id);
    } catch (error) {
      log.error('retention-failed', { error: (error as Error).message });
    }
  }
}
