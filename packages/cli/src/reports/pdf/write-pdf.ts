/**
 * `clashes.pdf`: sheets for a meeting, drawn for A4. Open issues by storey or assignee: a list, then a page for each of
 * the worst, with bookmarks for both.
 */
import { oneLine } from '../../wire/text.js';
import type { IssuePictures } from '../issue-pictures.js';
import type { Issues } from '../issue-summary.js';
import type { ReportInput } from '../report-data.js';
import type { Write } from '../staged-files.js';
import { drawList, listPages } from './group-list.js';
import { drawIssue } from './issue-sheet.js';
import { SheetDocument } from './sheet-document.js';
import { sheetGroups } from './sheet-groups.js';
import { beginPage, INNER_WIDTH, MARGIN, TOP } from './sheet-page.js';

/** Bookmarks are one line. */
const BOOKMARK_MAX = 90;

export async function writePdf(
  write: Write,
  { model, sheetsBy }: Pick<ReportInput, 'model' | 'sheetsBy'>,
  issues: Issues,
  pictures: IssuePictures,
): Promise<void> {
  const document = await SheetDocument.begin(write);
  const groups = sheetGroups(issues, sheetsBy).map((group) => ({
    group,
    sheets: group.issues.filter((issue) => pictures.of(issue)),
  }));
  const pages = groups.reduce((sum, { group, sheets }) => sum + listPages(group) + sheets.length, 0);
  let page = 0;
  const begin = async (group: string) => {
    const date = model.date.slice(0, 10);
    await beginPage(document, {
      model: oneLine(model.title),
      date,
      group,
      page: ++page,
      pages: Math.max(1, pages),
    });
  };
  for (const { group, sheets } of groups) {
    for (let i = 0; i < listPages(group); i++) {
      await begin(group.title);
      if (i === 0) document.bookmark(oneLine(group.title, BOOKMARK_MAX), false);
      drawList(document, group, i, sheets.length);
    }
    for (const issue of sheets) {
      await begin(group.title);
      document.bookmark(oneLine(issue.title, BOOKMARK_MAX), true);
      await drawIssue(document, issue, pictures.of(issue), pictures.planOf(issue));
    }
  }
  if (pages === 0) {
    await begin('');
    document.text('No open issues', MARGIN, TOP, INNER_WIDTH, { size: 16, isBold: true });
  }
  await document.end(oneLine(model.title), new Date(model.date));
}
