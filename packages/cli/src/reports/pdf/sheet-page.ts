/** What all sheets have in common: margins and colours, a head with model and group, a foot with the page's number. */
import { PAGE, type SheetDocument } from './sheet-document.js';

export const MARGIN = 40;
export const INNER_WIDTH = PAGE.width - 2 * MARGIN;
export const TOP = 72;
export const BOTTOM = PAGE.height - 48;

export const GREY = 0x5b6875;
export const LINE = 0xc4cdd6;
export const BAND = 0xe6ebf0;

const HALF = INNER_WIDTH / 2;
const HEAD = 36;

export function drawRule(document: SheetDocument, y: number): void {
  document.line(MARGIN, y, PAGE.width - MARGIN, y, LINE);
}

export interface PageFrame {
  readonly model: string;
  /** Of the model. */
  readonly date: string;
  readonly group: string;
  readonly page: number;
  readonly pages: number;
}

export async function beginPage(
  document: SheetDocument,
  { model, date, group, page, pages }: PageFrame,
): Promise<void> {
  await document.nextPage();
  document.text(model, MARGIN, HEAD, HALF, { size: 9, isBold: true });
  document.text(group, MARGIN + HALF, HEAD, HALF, { size: 9, colour: GREY, isRight: true });
  drawRule(document, HEAD + 18);
  const foot = PAGE.height - HEAD;
  drawRule(document, foot - 6);
  document.text(`Model of ${date}`, MARGIN, foot, HALF, { size: 7.5, colour: GREY });
  document.text(`${page} / ${pages}`, MARGIN + HALF, foot, HALF, { size: 7.5, colour: GREY, isRight: true });
}
