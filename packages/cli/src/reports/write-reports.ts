/**
 * Writes the reports of a check into one folder. The same input gives the same bytes, whatever the order of its
 * clashes; the files appear together when all of them are complete.
 */

import { basename } from 'node:path';
import { interruptible } from '../interruptible.js';
import { ACCESS_NAME } from '../path/found-ways.js';
import type { PagePictures } from '../wire/report.js';
import { compareText } from '../wire/text.js';
import { drawnViews, TOPICS_MAX, writeBcf } from './bcf/write-bcf.js';
import { type ReportFormat, reportFile } from './choices.js';
import { clashModels } from './clash-model.js';
import { clashLine } from './clash-record.js';
import { csvHead, csvLine } from './csv.js';
import { excludedHead, excludedLine } from './excluded.js';
import { IssuePictures } from './issue-pictures.js';
import { issuesOf } from './issue-summary.js';
import { junit } from './junit.js';
import { writePdf } from './pdf/write-pdf.js';
import { compareSeverity, type ReportClash, type ReportInput } from './report-data.js';
import { reportPage } from './report-page.js';
import { RECORD_NAME, recordText } from './report-record.js';
import { sarif } from './sarif.js';
import { type OpenNew, StagedFiles, type Write } from './staged-files.js';
import { writeXlsx } from './xlsx/write-xlsx.js';

/**
 * Writes the requested reports and returns their paths. Throws a one-line CommandError, for example if the disk is
 * full; earlier files in the folder are then untouched.
 */
export async function writeReports(folder: string, input: ReportInput, openNew?: OpenNew): Promise<string[]> {
  const clashes = [...input.clashes].sort(compareListed);
  const listed = [...input.clashes, ...input.approved].sort(compareListed);
  const sorted = {
    ...input,
    clashes,
    approved: [...input.approved].sort(compareListed),
    resolved: input.resolved && [...input.resolved].sort(compareListed),
  };
  const { open, approved, closed } = issuesOf(sorted);
  const formats = [...new Set(input.formats)];
  const issues = { open, approved, closed };
  // first, so that drawing threads work meanwhile
  const pictures = new IssuePictures(input.painter, issues, formats);
  // before anything is on disk, since it takes seconds without a pause if there are many clashes
  const bcfCut = formats.includes('bcf') && open.length + approved.length + closed.length > TOPICS_MAX;
  const page = formats.includes('html')
    ? [...reportPage(sorted, { ...issues, bcfCut }, await pagePictures(input))]
    : [];
  const content: Record<ReportFormat, (write: Write) => Promise<void>> = {
    jsonl: async (write) => {
      for (const clash of listed) await write(clashLine(clash));
    },
    csv: async (write) => {
      await write(csvHead());
      for (const clash of listed) await write(csvLine(clash));
      for (const clash of sorted.resolved ?? []) await write(csvLine(clash, true));
    },
    html: async (write) => {
      for (const part of page) await write(part);
      page.length = 0;
    },
    junit: async (write) => {
      for (const part of junit(sorted, { open, approved })) await write(part);
    },
    sarif: async (write) => {
      for (const part of sarif(sorted)) await write(part);
    },
    excluded: async (write) => {
      await write(excludedHead());
      for await (const pair of input.excluded()) await write(excludedLine(pair));
    },
    bcf: (write) => writeBcf(write, input, issues, input.bcf, drawnViews(pictures, input.model.box)),
    pdf: (write) => writePdf(write, sorted, issues, pictures),
    xlsx: (write) => writeXlsx(write, sorted, issues, pictures),
  };
  const staged = new StagedFiles(folder, openNew);
  const writing = interruptible(async (signal) => {
    for (const format of formats) await staged.stage(reportFile(format, input.bcf), content[format], signal);
    const { review, store, access } = input;
    if (access !== undefined) await staged.stage(ACCESS_NAME, (write) => write(access), signal);
    if (review) await staged.stage(review.name, (write) => write(review.text), signal);
    if (store) await staged.stage(RECORD_NAME, (write) => write(recordText(sorted, store)), signal);
    // the record is for programs
    return (await staged.commit()).filter((path) => basename(path) !== RECORD_NAME);
  });
  return writing.finally(() => input.painter.dispose());
}

async function pagePictures({ clashes, model, painter, scenery }: ReportInput): Promise<PagePictures> {
  const ranked = [...clashes].sort(compareSeverity);
  return {
    models: scenery ? await clashModels(ranked, painter) : [],
    outline: scenery?.outline(model.box) ?? null,
  };
}

function compareListed(p: ReportClash, q: ReportClash): number {
  return (
    compareText(p.group, q.group) ||
    compareText(p.a.path, q.a.path) ||
    compareText(p.b.path, q.b.path) ||
    compareText(p.id, q.id)
  );
}
