/**
 * The page of a report served beside the viewer, which then links to it.
 *
 * It has the viewer's origin, and the folder of a report may be untrusted: only a page with the script and the policy
 * of this version is served, and under that policy, which permits no other script; and requests only to a server that
 * saves its decisions.
 */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { readBytes } from '../regular-file.js';
import { reportPolicy } from '../reports/report-page.js';
import { escapeMarkup } from '../reports/text.js';
import type { ReportSaving } from '../wire/view-manifest.js';

export const REPORT_PAGE = 'report.html';

const BYTES_MAX = 64 << 20;
const BEGIN = '<!doctype html>\n<html lang="en"';

/**
 * `viewer` is relative to the page; with `saving`, the page saves decisions. Undefined if the report has no page, or
 * one of another version.
 */
export async function linkedReportPage(
  folder: string,
  viewer = './',
  saving?: ReportSaving,
): Promise<Buffer<ArrayBuffer> | undefined> {
  const path = join(folder, REPORT_PAGE);
  if (!existsSync(path)) return undefined;
  const bytes = Buffer.from(await readBytes(path, BYTES_MAX + 1));
  const begin = beginning('', reportPolicy());
  if (bytes.length > BYTES_MAX || !bytes.subarray(0, begin.length).equals(Buffer.from(begin)))
    return undefined;
  const told = saving ? ` data-saving="${escapeMarkup(JSON.stringify(saving))}"` : '';
  const linked = beginning(` data-viewer="${viewer}"${told}`, reportPolicy(saving !== undefined));
  return Buffer.concat([Buffer.from(linked), bytes.subarray(begin.length)]);
}

function beginning(attributes: string, policy: string): string {
  return `${BEGIN}${attributes}>\n<head>\n<meta charset="utf-8">\n<meta http-equiv="Content-Security-Policy" content="${policy}">`;
}
