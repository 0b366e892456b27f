/**
 * The description of a view (`view.json`) by the server, or in an exported folder. Addresses are relative to the page.
 *
 * This folder is shared by the command and the page of `impinge view`: it imports nothing but the library's types, so
 * that the one can compile it and the other bundle it.
 */
export interface ViewManifest {
  readonly version: 1;
  readonly title: string;
  /** The store, which is read in parts. */
  readonly store: string;
  /**
   * Without levels every triangle is drawn; `making`: a store with levels will follow, under another name in `store`.
   */
  readonly levels: 'none' | 'making' | 'ready';
  /** The finished share while they are made. Events `levels` report further progress. */
  readonly levelsDone?: number;
  /** Address of the clashes of a report (`ReportForViewer`); null without a report. */
  readonly report: string | null;
  /** Address of the page of the report, if it is served; otherwise null. */
  readonly reportPage: string | null;
  /** Address of the decisions (`ReviewAnswer`); null without a report. */
  readonly review: string | null;
  /** The recording to replay (wire/recording.ts), and whether the model is the recording itself; null without one. */
  readonly recording: { readonly url: string; readonly isModel: boolean } | null;
  /** True if a server saves decisions and reads and writes BCF; false in an exported folder. */
  readonly live: boolean;
  /** Set by a service with users, which saves decisions under their names. */
  readonly saving?: Saving;
}

/** How a page of the service saves decisions. */
export interface Saving {
  /** The value of the header `X-CSRF-Token`, without which nothing is saved. */
  readonly csrf: string;
  /** The author of comments. */
  readonly author: string;
  /** Why this user may not decide; null: they may. */
  readonly readOnly: string | null;
}

/** The same for report.html, in its attribute `data-saving`; addresses are relative to the page. */
export interface ReportSaving extends Saving {
  readonly review: string;
  readonly events: string;
}
