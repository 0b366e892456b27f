/** `clashes.xlsx`: a summary, the issues with their pictures, and the clashes, to be filtered and sorted. */
import { CLASH_KIND_TABLE, CLASH_KINDS } from '@impinge/model';
import { statusText } from '../../wire/review.js';
import { groupedDigits, plural } from '../../wire/text.js';
import { CLASH_COLUMNS } from '../csv.js';
import type { IssuePictures } from '../issue-pictures.js';
import { type Issue, type Issues, placesOf } from '../issue-summary.js';
import type { ReportInput } from '../report-data.js';
import type { Write } from '../staged-files.js';
import { type Column, type ColumnKind, type Row, type Sheet, writeWorkbook } from './workbook.js';

/** A sheet holds 2^20 rows; these are as many as programs still filter at once. */
const ISSUES_MAX = 20_000;
const CLASHES_MAX = 200_000;

type ListedIssue = { readonly issue: Issue; readonly isGone: boolean };

const MM = 1000;

const ISSUE_COLUMNS: readonly (Column & { readonly value: (one: ListedIssue) => string | number })[] = [
  { title: 'picture', kind: 'text', width: 28, value: () => '' },
  { title: 'issue', kind: 'long', width: 48, value: ({ issue }) => issue.title },
  {
    title: 'status',
    kind: 'text',
    width: 14,
    value: ({ issue, isGone }) => (isGone ? 'no longer there' : statusText(issue.decision.status, true)),
  },
  { title: 'since baseline', kind: 'text', width: 12, value: ({ issue }) => issue.status ?? '' },
  { title: 'assignee', kind: 'text', width: 18, value: ({ issue }) => issue.decision.assignee },
  { title: 'due', kind: 'date', width: 12, value: ({ issue }) => issue.decision.due },
  {
    title: 'kinds',
    kind: 'long',
    width: 18,
    value: ({ issue }) =>
      CLASH_KINDS.flatMap((kind) => (issue.kinds[kind] ? [`${issue.kinds[kind]} ${kind}`] : [])).join(', '),
  },
  { title: 'clashes', kind: 'count', width: 9, value: ({ issue }) => issue.clashCount },
  { title: 'deepest (mm)', kind: 'length', width: 12, value: ({ issue }) => MM * issue.worstDepth },
  {
    title: 'closest (mm)',
    kind: 'length',
    width: 12,
    value: ({ issue }) =>
      issue.clashes.some(({ kind }) => CLASH_KIND_TABLE[kind].measure === 'distance')
        ? MM * issue.leastDistance
        : '',
  },
  { title: 'rule', kind: 'long', width: 24, value: ({ issue }) => issue.rule },
  { title: 'storey', kind: 'text', width: 16, value: ({ issue }) => issue.storey },
  { title: 'room', kind: 'text', width: 20, value: ({ issue }) => placesOf(issue, 'room') },
  { title: 'grid', kind: 'text', width: 12, value: ({ issue }) => placesOf(issue, 'grid') },
  { title: 'between', kind: 'long', width: 24, value: ({ issue }) => issue.disciplines.join(', ') },
  { title: 'first found', kind: 'date', width: 12, value: ({ issue }) => issue.since },
  {
    title: 'comments',
    kind: 'long',
    width: 40,
    value: ({ issue }) =>
      issue.decision.comments
        .map(({ author, text }) => (author === '' ? text : `${author}: ${text}`))
        .join('\n'),
  },
  { title: 'id', kind: 'text', width: 18, value: ({ issue }) => issue.id },
];

export async function writeXlsx(
  write: Write,
  input: ReportInput,
  { open, approved, closed }: Issues,
  pictures: IssuePictures,
): Promise<void> {
  const listed = [
    ...[...open, ...approved].map((issue): ListedIssue => ({ issue, isGone: false })),
    ...closed.map((issue): ListedIssue => ({ issue, isGone: true })),
  ];
  const shown = listed.slice(0, ISSUES_MAX);
  const drawn = shown.filter(({ issue }) => pictures.of(issue)).length;
  const clashes = [...input.clashes, ...input.approved].map((clash) => ({ clash, isResolved: false }));
  for (const clash of input.resolved ?? []) clashes.push({ clash, isResolved: true });
  const sheets: Sheet[] = [
    summarySheet(input, listed.length, clashes.length),
    {
      name: 'Issues',
      columns: ISSUE_COLUMNS,
      rows: shown.map((one) => ({
        cells: ISSUE_COLUMNS.map(({ value }) => value(one)),
        picture: pictures.of(one.issue),
      })),
      pictures: { column: 0, count: drawn },
    },
    {
      name: 'Clashes',
      columns: CLASH_COLUMNS.map(([title]) => clashColumn(title)),
      rows: clashRows(clashes.slice(0, CLASHES_MAX)),
    },
  ];
  await writeWorkbook(write, sheets);
}

function clashColumn(title: string): Column {
  const isNumber = title.endsWith('(m)') || title === 'triangle pairs';
  const kind: ColumnKind = title === 'due' ? 'date' : isNumber ? 'number' : 'text';
  return { title, kind, width: Math.max(10, title.length + 4) };
}

function* clashRows(
  clashes: readonly { readonly clash: ReportInput['clashes'][number]; readonly isResolved: boolean }[],
): Generator<Row> {
  for (const { clash, isResolved } of clashes)
    yield { cells: CLASH_COLUMNS.map(([, value]) => value(clash, isResolved)) };
}

/** What was checked, how, and with what result. */
function summarySheet({ model, run }: ReportInput, issues: number, clashes: number): Sheet {
  const rows: (readonly [string, string])[] = [
    ['model', model.title],
    ['date of the model', model.date.slice(0, 10)],
    ...model.files.map(
      ({ name, modified, objects, triangles }) =>
        [
          'file',
          `${name}${modified && `, ${modified.slice(0, 10)}`}: ${plural(objects, 'object')}, ` +
            `${groupedDigits(triangles)} triangles`,
        ] as const,
    ),
    ['issues', groupedDigits(issues)],
    ['clashes', groupedDigits(clashes)],
    ['pairs of objects checked', groupedDigits(run.pairsChecked)],
    ...run.rules.map(
      ({ name, objects: [a, b], clashes: count }) =>
        [`rule: ${name}`, `${plural(count, 'clash', 'clashes')} of ${a} × ${b} objects`] as const,
    ),
    ...run.excluded.map(({ why, pairs }) => ['left out', `${plural(pairs, 'pair')}: ${why}`] as const),
    ...run.findings.map(({ message }) => ['finding', message] as const),
  ];
  if (issues > ISSUES_MAX) rows.push(['note', `the ${groupedDigits(ISSUES_MAX)} worst issues are listed`]);
  if (clashes > CLASHES_MAX)
    rows.push(['note', `${groupedDigits(CLASHES_MAX)} clashes are listed; all are in clashes.csv`]);
  return {
    name: 'Summary',
    columns: [
      { title: 'what', kind: 'text', width: 32 },
      { title: 'value', kind: 'long', width: 90 },
    ],
    rows: rows.map((cells) => ({ cells })),
  };
}
