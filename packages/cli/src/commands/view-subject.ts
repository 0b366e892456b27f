/** The subject of `impinge view`: a model, or a report with its model. */
import { join, resolve } from 'node:path';
import type { StoredModel } from '@impinge/model';
import { CommandError } from '../command-error.js';
import { openModel, openStoreAt } from '../jobs/model-file.js';
import type { PackOptions } from '../jobs/pack-model.js';
import { isRemote } from '../remote/location.js';
import { type ReportRecord, readRecord } from '../reports/read-report-record.js';
import { ShownReport } from '../server/shown-report.js';

export interface Subject {
  readonly model: StoredModel;
  readonly path: string;
  readonly report: ShownReport | undefined;
  /** Folder for files to keep for the next time; undefined: none are kept. */
  readonly folder: string | undefined;
  /** Notes for the user. */
  readonly notes: readonly string[];
}

export interface SubjectOptions extends PackOptions {
  /** Destination of packed files. */
  readonly output: string;
  /** The model of a report, if it has been moved. */
  readonly store: string | undefined;
}

export async function openSubject(
  names: readonly string[],
  { output, store, ...options }: SubjectOptions,
): Promise<Subject> {
  const record = names.length === 1 ? await readRecord(names[0]) : undefined;
  if (record) return openReport(names[0], record, store);
  if (store !== undefined) throw new CommandError('--store is for the folder of a report');
  const { model, path } = await openModel(names, join(output, 'model.impinge'), options);
  const isPacked = resolve(path) === resolve(output, 'model.impinge');
  return { model, path, report: undefined, folder: isPacked ? output : undefined, notes: [] };
}

async function openReport(folder: string, record: ReportRecord, given: string | undefined): Promise<Subject> {
  // a report may be untrusted: remote addresses in it are not contacted unless the user says so
  if (given === undefined && isRemote(record.store))
    throw new CommandError(
      `${folder}: its model is at ${record.store}; pass it with --store to read it from there`,
    );
  const path = given ?? resolve(folder, record.store);
  let model: StoredModel;
  try {
    model = await openStoreAt(path);
  } catch (error) {
    if (given !== undefined || !(error instanceof CommandError)) throw error;
    throw new CommandError(`${error.message}; ${folder} is its report: pass its new place with --store`);
  }
  try {
    const report = await ShownReport.open(folder, record, model);
    const isSame = model.fingerprint === record.fingerprint;
    const notes = isSame
      ? []
      : [`${path}: is not the model of this report, or has changed since the report was written`];
    return { model, path, report, folder, notes };
  } catch (error) {
    await model.dispose();
    throw error;
  }
}
