/** The viewer of a run as a folder of files, made by `impinge view --export` when it is first requested. */
import { existsSync } from 'node:fs';
import { readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { CommandError } from '@impinge/cli/internal/command-error.js';
import { isRemote } from '@impinge/cli/internal/remote/location.js';
import { startCheckProcess } from './check-process.js';
import type { Folders } from './folders.js';
import type { ServiceSettings } from './settings.js';

const RECORD = 'report.json';

/** A remote store must be named explicitly, since a report from elsewhere could name any; this one is our own. */
async function elsewhere(report: string): Promise<string[]> {
  const { store } = JSON.parse(await readFile(join(report, RECORD), 'utf8'));
  return isRemote(store) ? ['--store', store] : [];
}

export class ViewerExports {
  readonly #folders: Folders;
  readonly #settings: ServiceSettings;
  readonly #making = new Map<string, Promise<void>>();
  readonly #controller = new AbortController();
  /** One at a time: each may use as much memory as a run. */
  #last: Promise<unknown> = Promise.resolve();

  constructor(folders: Folders, settings: ServiceSettings) {
    this.#folders = folders;
    this.#settings = settings;
  }

  /** Resolves when the folder is complete. */
  async folderOf(run: string): Promise<string> {
    const folder = this.#folders.viewer(run);
    if (existsSync(folder)) return folder;
    let making = this.#making.get(run);
    if (!making) {
      making = this.#last.then(() => this.#make(run, folder)).finally(() => this.#making.delete(run));
      this.#making.set(run, making);
      this.#last = making.catch(() => {});
    }
    await making;
    return folder;
  }

  async stop(): Promise<void> {
    this.#controller.abort();
    await this.#last;
  }

  async #make(run: string, folder: string): Promise<void> {
    const { memory, runMs, processBytes } = this.#settings;
    const unfinished = `${folder}.unfinished`;
    const report = this.#folders.report(run);
    if (!existsSync(join(report, RECORD))) throw new CommandError('this run has no report');
    await rm(unfinished, { recursive: true, force: true });
    const args = ['view', report, '--export', unfinished, '--memory', memory, ...(await elsewhere(report))];
    const child = startCheckProcess(args, { ms: runMs, bytes: processBytes }, () => {});
    const stop = () => child.kill('the service is stopping');
    this.#controller.signal.addEventListener('abort', stop);
    if (this.#controller.signal.aborted) stop();
    try {
      const { code, errors, broken } = await child.ended;
      if (broken !== undefined || code !== 0)
        throw new CommandError(
          this.#folders.unnamed(`cannot create the viewer: ${broken ?? errors.at(-1) ?? code}`),
        );
      await rename(unfinished, folder);
    } finally {
      this.#controller.signal.removeEventListener('abort', stop);
      await rm(unfinished, { recursive: true, force: true });
    }
  }
}
