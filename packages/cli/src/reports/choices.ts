/** The options of reports by name: formats, grouping of clashes into issues, and what a run fails on. */

/** The file of each report, and whether it is written by default. */
const REPORTS = {
  jsonl: { file: 'clashes.jsonl', isUsual: true },
  csv: { file: 'clashes.csv', isUsual: true },
  html: { file: 'report.html', isUsual: true },
  bcf: { file: 'clashes.bcfzip', isUsual: true },
  pdf: { file: 'clashes.pdf', isUsual: false },
  xlsx: { file: 'clashes.xlsx', isUsual: false },
  junit: { file: 'clashes.junit.xml', isUsual: false },
  sarif: { file: 'clashes.sarif', isUsual: false },
  excluded: { file: 'excluded.csv', isUsual: false },
} as const;

export type ReportFormat = keyof typeof REPORTS;

/** In the order in which they are written. */
export const REPORT_FORMATS = Object.keys(REPORTS) as readonly ReportFormat[];

export const USUAL_FORMATS = REPORT_FORMATS.filter((format) => REPORTS[format].isUsual);

/** BCF 3.0 has another file extension. */
export function reportFile(format: ReportFormat, bcfVersion: string): string {
  return format === 'bcf' && bcfVersion === '3.0' ? 'clashes.bcf' : REPORTS[format].file;
}

/** How clashes are grouped into issues. */
export const GROUPINGS = ['auto', 'element', 'storey', 'room', 'grid', 'system', 'type'] as const;

export type Grouping = (typeof GROUPINGS)[number];

/** What the sheets of clashes.pdf are put together by. */
export const SHEETS_BY = ['assignee', 'storey'] as const;

export type SheetsBy = (typeof SHEETS_BY)[number];

/** Clashes that a run fails on: new ones, any, or never. */
export const FAIL_ON = ['new', 'any', 'never'] as const;

export type FailOn = (typeof FAIL_ON)[number];
