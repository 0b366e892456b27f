/** A report that is served for the time of a test, in a folder of its own. */
import { expect } from 'vitest';
import { readRecord } from '../src/reports/read-report-record.js';
import type { ReportClash } from '../src/reports/report-data.js';
import { writeReports } from '../src/reports/write-reports.js';
import { ShownReport } from '../src/server/shown-report.js';
import { View } from '../src/server/view.js';
import { temporaryFolder } from './files.js';
import { reportInput } from './reports-clashes.js';
import { PAGE, smallModel } from './view-requests.js';

/** Its clashes are about objects that its model does not have. Fails on errors that nobody has made. */
export async function servedReport(
  clashes: readonly ReportClash[],
  work: (view: View, base: string, folder: string) => Promise<void>,
): Promise<void> {
  const folder = temporaryFolder();
  const model = await smallModel();
  const store = { path: 'x.impinge', fingerprint: model.fingerprint };
  await writeReports(folder, { ...reportInput(clashes, ['jsonl']), store });
  const report = await ShownReport.open(folder, (await readRecord(folder))!, model);
  const errors: unknown[] = [];
  const view = await View.start({
    ...{ page: PAGE, model, report, levels: undefined, port: 0 },
    onError: (error) => errors.push(error),
  });
  try {
    await work(view, new URL(view.address).pathname, folder);
  } finally {
    await view.stop();
  }
  expect(errors).toEqual([]);
}
