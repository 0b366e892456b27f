/**
 * Formats a cell (RFC 4180) that no spreadsheet executes as a formula, whatever separator it assumes: with another one
 * than the comma, quotes do not keep a cell together, and text after that separator starts a cell.
 */
import { cleanText, cut } from '../wire/text.js';

/** Excel splits longer cells. */
const CELL_MAX = 32_000;

/** The start of a formula, at the beginning or after a separator; some spreadsheets accept wide forms, too. */
const FORMULA = /(^|[;|\t])(?=[\s"\p{Cf}]*[=+\-@＝＋－＠﹦﹢﹣﹫])/gu;

/** A quick test for cells that need no change: no separator, no quote, and no formula at the beginning. */
const PLAIN = /^(?! *[=+\-@])[\x20\x21\x23-\x2b\x2d-\x3a\x3c-\x7b\x7d\x7e]*$/;

/** A line of cells, with its line end. */
export function csvRow(values: readonly (string | number)[]): string {
  return `${values.map(csvCell).join(',')}\r\n`;
}

export function csvCell(value: string | number): string {
  if (typeof value === 'number') return String(value);
  if (value.length <= CELL_MAX && PLAIN.test(value)) return value;
  const text = cleanText(value.length > CELL_MAX ? `${cut(value, CELL_MAX)}…` : value);
  // text after a line end would start a cell, too
  const line = text.replace(/[\r\n\u0085\u2028\u2029]+/g, ' ');
  const safe = line.replace(FORMULA, "$1'").replace(/^\t/, "'\t");
  return /[",;|\t]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
