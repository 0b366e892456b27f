/** The first pages of a group: a table of all its issues. */
import { statusText } from '../../wire/review.js';
import { plural } from '../../wire/text.js';
import type { Issue } from '../issue-summary.js';
import { measureText } from '../report-data.js';
import { PAGE, type SheetDocument } from './sheet-document.js';
import type { SheetGroup } from './sheet-groups.js';
import { BAND, BOTTOM, GREY, INNER_WIDTH, MARGIN, TOP } from './sheet-page.js';

const ROW = 22;
const HEAD = 52;

const COLUMNS: readonly { title: string; width: number; text: (issue: Issue, number: number) => string }[] = [
  { title: '', width: 24, text: (_, number) => String(number) },
  { title: 'Issue', width: 236, text: ({ title }) => title },
  { title: 'Worst', width: 68, text: ({ clashes }) => measureText(clashes[0]) ?? clashes[0].kind },
  { title: 'Clashes', width: 44, text: ({ clashCount }) => String(clashCount) },
  { title: 'Status', width: 56, text: ({ decision }) => statusText(decision.status, true) },
  { title: 'Assignee, due', width: 0, text: ({ decision: { assignee, due } }) => `${assignee} ${due}` },
];

/** Issues on a page of the list. */
const PER_PAGE = Math.floor((BOTTOM - TOP - HEAD) / ROW) - 1;

export function listPages({ issues }: SheetGroup): number {
  return Math.ceil(issues.length / PER_PAGE);
}

/** Draws one page of the list; `sheets`: the number of issues that have a page of their own. */
export function drawList(
  document: SheetDocument,
  { title, issues }: SheetGroup,
  page: number,
  sheets: number,
): void {
  let y = TOP;
  document.text(title, MARGIN, y, INNER_WIDTH, { size: 16, isBold: true });
  const more = sheets < issues.length ? `; the worst ${sheets} have a page` : '';
  const count = `${plural(issues.length, 'open issue')}, worst first${more}`;
  document.text(count, MARGIN, y + 24, INNER_WIDTH, { size: 9, colour: GREY });
  y += HEAD;
  document.box(MARGIN, y - 5, INNER_WIDTH, ROW - 4, BAND, true);
  drawRow(document, y, ({ title: head }) => head, true);
  for (const [i, issue] of issues.slice(page * PER_PAGE, (page + 1) * PER_PAGE).entries()) {
    y += ROW;
    drawRow(document, y, ({ text }) => text(issue, page * PER_PAGE + i + 1), false);
  }
}

function drawRow(
  document: SheetDocument,
  y: number,
  textOf: (column: (typeof COLUMNS)[number]) => string,
  isBold: boolean,
): void {
  let x: number = MARGIN + 4;
  for (const column of COLUMNS) {
    const width = column.width || PAGE.width - MARGIN - x;
    document.text(textOf(column), x, y, width - 6, { size: 7.5, isBold, lines: isBold ? 1 : 2 });
    x += width;
  }
}
