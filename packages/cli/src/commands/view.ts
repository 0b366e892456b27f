/** `impinge view`: a model in the browser, until somebody has seen enough. */
import { once } from 'node:events';
import type { FileOptions } from '../asked-files.js';
import { CommandError } from '../command-error.js';
import { interruptible } from '../interruptible.js';
import { packing, packOptions } from '../packing.js';
import { browserOpener, openBrowser } from '../server/open-browser.js';
import { readPageFiles } from '../server/page-files.js';
import { View } from '../server/view.js';
import { printable, type Terminal } from '../terminal.js';
import { openSubject } from './view-subject.js';

export interface ViewCommandOptions extends FileOptions {
  readonly output: string;
  readonly memory: string;
  readonly store?: string;
  readonly port?: string;
  readonly open: boolean;
}

const PORTS = 65_536;

export async function view(
  names: readonly string[],
  options: ViewCommandOptions,
  terminal: Terminal,
): Promise<number> {
  const port = parsePort(options.port);
  const page = await readPageFiles();
  const { output, store } = options;
  const { model, report, notes } = await packing((progress) =>
    openSubject(names, { ...packOptions(options), ...progress, output, store }),
  );
  for (const note of notes) terminal.error(`impinge: ${printable(note)}\n`);
  const onError = (error: unknown) =>
    terminal.error(`impinge: ${printable(error instanceof Error ? error.message : String(error))}\n`);
  try {
    await interruptible(async (signal) => {
      const view = await View.start({ page, model, report, port, onError });
      try {
        terminal.out(`${printable(model.meta.title)}: ${view.address}\nCtrl-C ends it.\n`);
        const opener = options.open ? browserOpener(process.platform, process.env) : undefined;
        if (opener !== undefined) openBrowser(view.address, opener);
        if (!signal.aborted) await once(signal, 'abort');
      } finally {
        await view.stop();
      }
    });
  } finally {
    await model.dispose();
  }
  return 0;
}

function parsePort(text: string | undefined): number {
  const port = Number(text ?? 0);
  if (text === undefined || (/^\d+$/.test(text) && port > 0 && port < PORTS)) return port;
  throw new CommandError(`--port: "${text}" is not a number from 1 to ${PORTS - 1}`);
}
