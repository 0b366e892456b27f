/** Counts of clashes between groups of objects: a triangle of cells, each of which sets a filter. */
import { matrixCounts } from './clash-filter.js';
import type { ClashReview } from './clash-review.js';
import { Segments } from './controls.js';
import { grouped, oneLine, plural } from './text.js';

interface Props {
  readonly review: ClashReview;
  /** Index of the report's matrix. */
  readonly matrix: number;
  readonly onMatrix: (matrix: number) => void;
  /** Called after a click on a cell. */
  readonly onPick?: () => void;
}

/** Number of shades. */
const HEATS = 5;

/** Each cell shows the number of clashes that a click would list. */
export function Matrix({ review, matrix, onMatrix, onPick }: Props) {
  const { matrices, sides } = review.report.data;
  const names = sides[matrix];
  const counts = matrixCounts(review.report, review.passing('pair'), matrix);
  const most = Math.max(1, ...counts.flat());
  const { pair } = review.filters.value;
  const isChosen = (row: number, column: number) =>
    pair !== null && pair[0] === matrices[matrix] && pair[1] === names[row] && pair[2] === names[column];

  function cell(row: number, column: number) {
    const n = counts[column][row];
    const chosen = isChosen(row, column);
    if (n === 0 && !chosen) {
      return (
        <td key={column} class="none">
          ·
        </td>
      );
    }
    const label = `${names[row]} × ${names[column]}`;
    return (
      <td key={column}>
        <button
          type="button"
          class={`heat${Math.ceil(HEATS * Math.sqrt(n / most))}`}
          aria-pressed={chosen}
          title={label}
          aria-label={`${label}: ${plural(n, 'clash', 'clashes')}`}
          onClick={() => {
            review.filter({ pair: chosen ? null : [matrices[matrix], names[row], names[column]] });
            onPick?.();
          }}
        >
          {grouped(n)}
        </button>
      </td>
    );
  }

  return (
    <>
      {matrices.length > 1 && (
        <Segments
          label="Matrix of"
          options={Object.fromEntries(matrices.map((title, i) => [String(i), `by ${title}`]))}
          value={String(matrix)}
          onChange={(value) => onMatrix(Number(value))}
        />
      )}
      <div class="scroll">
        <table class="matrix">
          <tbody>
            {names.map((name, row) => (
              <tr key={name}>
                <th scope="row">{oneLine(name, 28)}</th>
                {names.slice(0, row + 1).map((_, column) => cell(row, column))}
              </tr>
            ))}
          </tbody>
          <tfoot>
            <tr>
              <td />
              {names.map((name) => (
                <th key={name} scope="col">
                  <span>{oneLine(name, 24)}</span>
                </th>
              ))}
            </tr>
          </tfoot>
        </table>
      </div>
    </>
  );
}
