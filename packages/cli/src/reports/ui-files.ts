/** The built files of packages/ui: scripts and styles of pages, and the figures as markup. */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { FigureMarkup, ReportPageData } from '../wire/report.js';

const require = createRequire(import.meta.url);
const texts = new Map<string, string>();

/** A script or a style sheet. */
export function uiFile(name: 'report.js' | 'report.css' | 'service.css'): string {
  let text = texts.get(name);
  if (text === undefined) texts.set(name, (text = readFileSync(require.resolve(`#ui/${name}`), 'utf8')));
  return text;
}

/** The figures of a page that lists these clashes; `total` is the number of all. */
export function figureMarkup(data: ReportPageData, total: number): FigureMarkup {
  const built = require('#ui/markup.cjs') as {
    figureMarkup(data: ReportPageData, total: number): FigureMarkup;
  };
  return built.figureMarkup(data, total);
}
