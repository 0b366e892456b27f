/**
 * The page of a report served beside the viewer, which then links to it.
 *
 * It has the viewer's origin, and the folder of a report may be untrusted: only a page with the script and the policy
 * of this version is served, and under that policy, which permits no other script and no request.
 */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { readBytes } from '../regular-file.js';
import { reportPolicy } from '../reports/report-page.js';

export const REPORT_PAGE = 'report.html';

const BYTES_MAX = 64 << 20;
const BEGIN = '<!doctype html>\n<html lang="en"';

/** `viewer` is relative to the page. Undefined if the report has no page, or one of another version. */
export async function linkedReportPage(
  folder: string,
  viewer = './',
): Promise<Buffer<ArrayBuffer> | undefined> {
  const path = join(folder, REPORT_PAGE);
  if (!existsSync(path)) return undefined;
  const bytes = Buffer.from(await readBytes(path, BYTES_MAX + 1));
  const begin = `${BEGIN}>\n<head>\n<meta charset="utf-8">\n<meta http-equiv="Content-Security-Policy" content="${reportPolicy()}">`;
  if (bytes.length > BYTES_MAX || !bytes.subarray(0, begin.length).equals(Buffer.from(begin)))
    return undefined;
  return Buffer.concat([Buffer.from(`${BEGIN} data-viewer="${viewer}"`), bytes.subarray(BEGIN.length)]);
}
