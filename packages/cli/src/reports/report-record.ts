/**
 * `report.json`: information for later viewers that the other files lack: the location of the model and what it is, the
 * settings of the check, and the clashes that are gone since the baseline.
 */
import { relative, resolve, sep } from 'node:path';
import { isRemote, withoutSecrets } from '../remote/location.js';
import { clashRecord } from './clash-record.js';
import { LISTED_MAX } from './page-data.js';
import { compareSeverity, type ReportInput } from './report-data.js';

export const RECORD_NAME = 'report.json';
export const RECORD_FORMAT = 'impinge report 1';

/** The path of a store relative to a folder, the same on every system. */
export function storePathFrom(folder: string, store: string): string {
  if (isRemote(store)) return withoutSecrets(store);
  return relative(resolve(folder), resolve(store)).split(sep).join('/');
}

export function recordText(
  { model, run, formats, resolved }: Pick<ReportInput, 'model' | 'run' | 'formats' | 'resolved'>,
  { path, fingerprint }: NonNullable<ReportInput['store']>,
): string {
  const gone = resolved && [...resolved].sort(compareSeverity).slice(0, LISTED_MAX).map(clashRecord);
  const record = {
    format: RECORD_FORMAT,
    ...{ store: path, fingerprint, clashes: formats.includes('jsonl'), model, run, resolved: gone ?? null },
  };
  return `${JSON.stringify(record)}\n`;
}
