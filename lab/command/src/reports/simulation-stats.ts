/** Statistics of every step of a simulation, as rows of a CSV file. */

/** Columns in the order of the file; times are milliseconds. */
export const STEP_COLUMNS = [
  'step',
  'passes',
  'candidates',
  'boxPairs',
  'dopPairs',
  'primitivePairs',
  'elementPairs',
  'testedPairs',
  'exactPairs',
  'events',
  'heldBack',
  'shortened',
  'asleep',
  'solverMs',
  'sweepMs',
  'gridMs',
  'primitivesMs',
  'elementsMs',
  'exactMs',
  'sortMs',
  'responseMs',
] as const;

export type StepColumn = (typeof STEP_COLUMNS)[number];

/**
 * One step. Counts of pairs are those of the first detection of the step, times are sums over all its `passes`;
 * `heldBack` counts vertices that were stopped, `shortened` rigid bodies whose motion was shortened, `asleep` those at
 * rest.
 */
export type StepRow = Readonly<Record<StepColumn, number>>;

export function stepCsv(rows: readonly StepRow[]): string {
  const lines = rows.map((row) => STEP_COLUMNS.map((column) => numberText(row[column])).join(','));
  return `${STEP_COLUMNS.join(',')}\n${lines.map((line) => `${line}\n`).join('')}`;
}

function numberText(value: number): string {
  return Number.isInteger(value) ? String(value) : value.toFixed(4);
}
