/**
 * What the server, or a folder that was exported, says of the view (`view.json`). Addresses are relative to the page.
 *
 * This folder is what the command and the page of `impinge view` both know: it imports nothing but the library's types,
 * so that the one compiles it and the other bundles it.
 */
export interface ViewManifest {
  readonly version: 1;
  readonly title: string;
  /** The store, which is read in parts. */
  readonly store: string;
  /** Without levels every triangle is drawn; `making`: a store with levels will follow, and `store` will be another. */
  readonly levels: 'none' | 'making' | 'ready';
  /** While they are made: which share of the work is done. Events `levels` tell how it goes on. */
  readonly levelsDone?: number;
  /** Where the clashes of a report are (`ReportForViewer`); null without a report. */
  readonly report: string | null;
  /** The page of the report, where it has one that is served, too. */
  readonly reportPage: string | null;
  /** Where decisions are (`ReviewAnswer`); null without a report. */
  readonly review: string | null;
  /** True where somebody listens who saves decisions and reads and writes BCF; false in an exported folder. */
  readonly live: boolean;
}
