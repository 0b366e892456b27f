/** Statistics of every step of a simulation, as rows of a CSV file. */

/** Patches by contact level, of both bodies; the last holds those above it, too. */
export const LEVEL_COLUMNS = [
  ...(['level0', 'level1', 'level2', 'level3', 'level4', 'level5'] as const),
  ...(['level6', 'level7', 'level8', 'level9', 'level10', 'level11'] as const),
] as const;

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
  'patches',
  'patchTests',
  'patchError',
  'reached',
  ...LEVEL_COLUMNS,
] as const;

export type StepColumn = (typeof STEP_COLUMNS)[number];

/**
 * One step. Counts of pairs are those of the first detection of the step, times are sums over all its `passes`;
 * `heldBack` counts vertices that were stopped, `shortened` rigid bodies whose motion was shortened, `asleep` those at
 * rest. Of contacts by contact levels: pairs of `patches`, tests of boxes and hulls, the most detail left out in
 * millimetres, the largest ratio to what is allowed (`reached`), and patches by level; 0 where nothing was looked for.
 */
export type StepRow = Readonly<Record<StepColumn, number>>;

export function stepCsv(rows: readonly StepRow[]): string {
  const lines = rows.map((row) => STEP_COLUMNS.map((column) => numberText(row[column])).join(','));
  return `${STEP_COLUMNS.join(',')}\n${lines.map((line) => `${line}\n`).join('')}`;
}

function numberText(value: number): string {
  return Number.isInteger(value) ? String(value) : value.toFixed(4);
}
