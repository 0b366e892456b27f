/**
 * Exports the page and all its data as a folder of files, for any web host that supports range requests. `view.json` is
 * written last and lists the files: until then an earlier export stays intact.
 */
import { existsSync } from 'node:fs';
import { readdir, readFile, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { StoredModel } from '@impinge/model';
import { FileSink } from '@impinge/model/node';
import { CommandError } from '../command-error.js';
import { writeAtomically } from '../jobs/atomic-file.js';
import { makeFolder } from '../jobs/folder.js';
import { STORE_EXTENSION } from '../store-extension.js';
import { META_POLICY } from './headers.js';
import type { PageFiles } from './page-files.js';
import { linkedReportPage, REPORT_PAGE } from './report-page-file.js';
import { ReviewDesk } from './review-desk.js';
import { reviewAnswer } from './review-requests.js';
import type { ShownReport } from './shown-report.js';
import { RECORDING, type Replayed, storeName, viewManifest } from './view-manifest.js';

export interface ExportOptions {
  readonly page: PageFiles;
  /** The model to show: with levels, if there are any. */
  readonly model: StoredModel;
  readonly title: string;
  readonly report: ShownReport | undefined;
  readonly replayed?: Replayed | undefined;
  readonly folder: string;
  readonly signal: AbortSignal;
}

const CHUNK_BYTES = 1 << 20;
const ASSETS = 'assets';

/** Returns the number of bytes written. */
export async function exportView({
  page,
  model,
  title,
  report,
  replayed,
  folder,
  signal,
}: ExportOptions): Promise<number> {
  let byteLength = model.source.byteLength;
  const write = async (name: string, bytes: Uint8Array) => {
    byteLength += bytes.length;
    await makeFolder(dirname(join(folder, name)));
    await writeAtomically(join(folder, name), (file) => file.writeFile(bytes), { signal });
  };
  for (const [name, bytes] of page) await write(name, name.endsWith('.html') ? withPolicy(bytes) : bytes);
  await copyStore(model, join(folder, storeName(model)), signal);
  if (report) {
    const review = await new ReviewDesk(report.folder).read();
    const page = await linkedReportPage(report.folder);
    if (page) await write(REPORT_PAGE, page);
    else await rm(join(folder, REPORT_PAGE), { force: true });
    const shown = await report.forViewer(review.decisions);
    for (const { url } of shown.ways) await write(url, (await report.wayBytes(url))!);
    await write('report.json', jsonBytes(shown));
    await write('review.json', jsonBytes(reviewAnswer(review)));
  }
  if (replayed) await write(RECORDING, replayed.bytes);
  await write('view.json', jsonBytes({ ...viewManifest(model, report, replayed, false), title }));
  if (!replayed) await rm(join(folder, RECORDING), { force: true });
  if (!report)
    for (const name of ['report.json', 'review.json', REPORT_PAGE])
      await rm(join(folder, name), { force: true });
  await removeStale(folder, page, storeName(model), new Set(report?.wayNames));
  return byteLength;
}

/** Throws if the folder contains anything else, which is left alone. */
export async function assertExportFolder(folder: string): Promise<void> {
  if (!existsSync(folder) || (await readdir(folder)).length === 0) return;
  try {
    const { version, live } = JSON.parse(await readFile(join(folder, 'view.json'), 'utf8'));
    if (version === 1 && live === false) return;
  } catch {
    // it does not exist
  }
  throw new CommandError(`--export ${folder}: this folder contains other files; choose an empty one`);
}

/** A host may not send the policy, so the page carries it. */
function withPolicy(html: Buffer): Buffer {
  const policy = `<meta http-equiv="Content-Security-Policy" content="${META_POLICY}" />`;
  return Buffer.from(html.toString('utf8').replace(/<head>/i, (head) => `${head}\n    ${policy}`));
}

function copyStore({ source }: StoredModel, path: string, signal: AbortSignal): Promise<void> {
  return writeAtomically(
    path,
    async (file, stopping) => {
      const sink = new FileSink(file);
      for (let at = 0; at < source.byteLength; at += CHUNK_BYTES) {
        stopping.throwIfAborted();
        const chunk = new Uint8Array(Math.min(CHUNK_BYTES, source.byteLength - at));
        await source.read(at, [chunk]);
        await sink.write(chunk);
      }
    },
    { signal },
  );
}

function jsonBytes(value: unknown): Buffer {
  return Buffer.from(JSON.stringify(value));
}

/** Removes files of an earlier export that are not in this one. */
async function removeStale(
  folder: string,
  page: PageFiles,
  store: string,
  ways: ReadonlySet<string>,
): Promise<void> {
  const names = await readdir(folder);
  const stores = names.filter(
    (name) => /^store-[0-9a-f]{8}-\d+\./.test(name) && name.endsWith(STORE_EXTENSION),
  );
  const assets = names.includes(ASSETS) ? await readdir(join(folder, ASSETS)) : [];
  const stale = [
    ...stores.filter((name) => name !== store),
    ...names.filter((name) => /^way-\d+\.glb$/.test(name) && !ways.has(name)),
    ...assets.map((name) => `${ASSETS}/${name}`).filter((name) => !page.has(name)),
  ];
  for (const name of stale) await rm(join(folder, name), { force: true });
}
