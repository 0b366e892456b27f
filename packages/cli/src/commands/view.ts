/** `impinge view`: shows a model in the browser until it is stopped; or exports everything as a folder. */
import { once } from 'node:events';
import type { FileOptions } from '../asked-files.js';
import { CommandError } from '../command-error.js';
import { interruptible } from '../interruptible.js';
import { packing, packOptions } from '../packing.js';
import { Progress } from '../progress.js';
import { parseMemory } from '../quantities.js';
import { isRemote } from '../remote/location.js';
import { assertExportFolder, exportView } from '../server/export-view.js';
import { keptLevels, makeLevels } from '../server/make-levels.js';
import { browserOpener, openBrowser } from '../server/open-browser.js';
import { type PageFiles, readPageFiles } from '../server/page-files.js';
import { View } from '../server/view.js';
import type { Replayed } from '../server/view-manifest.js';
import { fileSize, printable, type Terminal } from '../terminal.js';
import { readReplayed } from './view-recording.js';
import { openSubject, type Subject } from './view-subject.js';

export interface ViewCommandOptions extends FileOptions {
  readonly output: string;
  readonly memory: string;
  readonly store?: string;
  readonly port?: string;
  readonly open: boolean;
  readonly clash?: string;
  readonly replay?: string;
  readonly export?: string;
}

const PORTS = 65_536;

export async function view(
  given: readonly string[],
  options: ViewCommandOptions,
  terminal: Terminal,
): Promise<number> {
  const port = parsePort(options.port);
  const page = await readPageFiles();
  const { output, store, replay } = options;
  const names = given.length === 0 && replay !== undefined ? [replay] : given;
  if (names.length === 0) throw new CommandError('name a model, or a recording with --replay');
  const subject = await packing((progress) =>
    openSubject(names, { ...packOptions(options), ...progress, output, store }),
  );
  for (const note of subject.notes) terminal.error(`impinge: ${printable(note)}\n`);
  const memory = parseMemory(options.memory);
  try {
    const isModel = names !== given;
    const replayed = replay === undefined ? undefined : await readReplayed(replay, subject.model, isModel);
    if (options.export !== undefined)
      await exported({ ...subject, replayed }, page, options.export, memory, terminal);
    else
      await served(
        { ...subject, replayed },
        page,
        { port, memory, open: options.open, at: clashAt(options, subject) },
        terminal,
      );
  } finally {
    await subject.model.dispose();
  }
  return 0;
}

interface Shown extends Subject {
  readonly replayed: Replayed | undefined;
}

interface Serving {
  readonly port: number;
  readonly memory: number;
  readonly open: boolean;
  /** The suffix of the page's address. */
  readonly at: string;
}

/** Serves until Ctrl-C, which is a normal end, not a failure. */
function served(
  { model, path, folder, report, replayed }: Shown,
  page: PageFiles,
  { port, memory, open, at }: Serving,
  terminal: Terminal,
): Promise<void> {
  const onError = (error: unknown) =>
    terminal.error(`impinge: ${printable(error instanceof Error ? error.message : String(error))}\n`);
  return interruptible(async (signal) => {
    const levels = isRemote(path) ? undefined : { path, folder, memory };
    const view = await View.start({ page, model, report, replayed, levels, port, onError });
    try {
      const address = view.address + at;
      terminal.out(`${printable(model.meta.title)}: ${address}\nPress Ctrl-C to stop.\n`);
      const opener = open ? browserOpener(process.platform, process.env) : undefined;
      if (opener !== undefined) openBrowser(address, opener);
      if (!signal.aborted) await once(signal, 'abort');
    } finally {
      await view.stop();
    }
  });
}

function exported(
  { model, path, folder, report, replayed }: Shown,
  page: PageFiles,
  target: string,
  memory: number,
  terminal: Terminal,
): Promise<void> {
  return interruptible(async (signal) => {
    await assertExportFolder(target);
    const withLevels =
      model.hasLevels || isRemote(path)
        ? undefined
        : ((await keptLevels(model, folder)) ?? (await madeLevels({ model, path, folder, memory, signal })));
    try {
      const { title } = model.meta;
      const given = { page, model: withLevels ?? model, title, report, replayed, folder: target, signal };
      const byteLength = await exportView(given);
      terminal.out(`${target}: ${fileSize(byteLength)}, for any web host that supports range requests\n`);
    } finally {
      await withLevels?.dispose();
    }
  });
}

async function madeLevels(options: Omit<Parameters<typeof makeLevels>[0], 'onShare'>) {
  const progress = new Progress();
  progress.begin({ label: 'making levels', total: 1, unit: '' });
  try {
    return await makeLevels({ ...options, onShare: (share) => progress.update(share) });
  } finally {
    progress.end();
  }
}

/** The part of an address that leads to the requested clash. */
function clashAt({ clash }: ViewCommandOptions, { report }: Subject): string {
  if (clash === undefined) return '';
  if (!report) throw new CommandError('--clash is for the folder of a report');
  if (!report.has(clash)) throw new CommandError(`--clash ${clash}: the report has no clash of this id`);
  return `#clash=${encodeURIComponent(clash)}`;
}

function parsePort(text: string | undefined): number {
  const port = Number(text ?? 0);
  if (text === undefined || (/^\d+$/.test(text) && port > 0 && port < PORTS)) return port;
  throw new CommandError(`--port: "${text}" is not a number from 1 to ${PORTS - 1}`);
}
