/** What the server, or a folder that was exported, says of the view. Addresses are relative to the page. */
export interface ViewManifest {
  readonly version: 1;
  readonly title: string;
  /** The store, which is read in parts. */
  readonly store: string;
  /** Without levels every triangle is drawn; `making`: a store with levels will follow, and `store` will be another. */
  readonly levels: 'none' | 'making' | 'ready';
  /** While they are made: which share of the work is done. Events `levels` tell how it goes on. */
  readonly levelsDone?: number;
  /** Where the clashes of a report are (see `review/report-data.ts`); null without a report. */
  readonly report: string | null;
  /** Where decisions are; null without a report. */
  readonly review: string | null;
  /** True where somebody listens who saves decisions and reads and writes BCF; false in an exported folder. */
  readonly live: boolean;
}

/** Throws an `Error` with one line for people. */
export async function readManifest(): Promise<ViewManifest> {
  const response = await fetch('view.json', { cache: 'no-store' });
  if (!response.ok) throw new Error(`the view cannot be read: the server says ${response.status}`);
  const manifest = (await response.json()) as ViewManifest;
  if (manifest.version !== 1)
    throw new Error('this page and the command that serves it do not belong together');
  return manifest;
}
