/**
 * A text as a cell after RFC 4180 that no spreadsheet runs as a formula, whatever it takes for the separator: read with
 * another one than the comma, quotes do not hold a cell together, and what follows that separator begins a cell.
 */
import { cleanText, cut } from '../wire/text.js';

/** Excel cuts longer cells in two. */
const CELL_MAX = 32_000;

/** What makes a formula, at the beginning or behind a separator; wide forms are the same to some spreadsheets. */
const FORMULA = /(^|[;|\t])(?=[\s"\p{Cf}]*[=+\-@＝＋－＠﹦﹢﹣﹫])/gu;

/** Cells that are as they should be, quick to tell: no separator, no quote, and no formula at the beginning. */
const PLAIN = /^(?! *[=+\-@])[\x20\x21\x23-\x2b\x2d-\x3a\x3c-\x7b\x7d\x7e]*$/;

export function csvCell(value: string | number): string {
  if (typeof value === 'number') return String(value);
  if (value.length <= CELL_MAX && PLAIN.test(value)) return value;
  const text = cleanText(value.length > CELL_MAX ? `${cut(value, CELL_MAX)}…` : value);
  // a line of the file is a line of the table: what follows a line end would begin a cell, too
  const line = text.replace(/[\r\n\u0085\u2028\u2029]+/g, ' ');
  const safe = line.replace(FORMULA, "$1'").replace(/^\t/, "'\t");
  return /[",;|\t]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
