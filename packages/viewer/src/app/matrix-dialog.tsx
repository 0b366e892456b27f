/** Clash matrix: a cell filters the list. */
import { useComputed, useSignal } from '@preact/signals';
import { grouped } from '../model/text.js';
import { matrixCounts, selectClashes } from '../review/clash-filter.js';
import type { ClashReview } from '../review/clash-review.js';
import { Modal, Segments } from './controls.js';
import { showTab } from './layout.js';
import type { Viewer } from './viewer.js';

export function MatrixDialog({ viewer, review }: { readonly viewer: Viewer; readonly review: ClashReview }) {
  const { report } = review;
  const chosen = useSignal(Math.max(0, report.matrices.indexOf(review.filters.peek().pair?.[0] ?? '')));
  const counts = useComputed(() =>
    matrixCounts(
      report,
      selectClashes(report, review.filters.value, review.keeper.decisions.value, 'pair'),
      chosen.value,
    ),
  );
  const most = Math.max(1, ...counts.value.flat());
  const matrix = report.matrices[chosen.value];
  const sides = report.data.sides[chosen.value];
  const { pair } = review.filters.value;
  const isChosen = (p: number, q: number) =>
    pair !== null && pair[0] === matrix && pair[1] === sides[p] && pair[2] === sides[q];

  function filter(p: number, q: number): void {
    review.filter({ pair: isChosen(p, q) ? null : [matrix, sides[p], sides[q]] });
    viewer.dialog.value = 'none';
    showTab('clashes');
  }

  return (
    <Modal
      title="Clash matrix"
      class="wide"
      onClose={() => {
        viewer.dialog.value = 'none';
      }}
    >
      {report.matrices.length > 1 && (
        <Segments
          label="Matrix of"
          options={Object.fromEntries(report.matrices.map((title, i) => [String(i), title]))}
          value={String(chosen.value)}
          onChange={(value) => {
            chosen.value = Number(value);
          }}
        />
      )}
      <div class="matrix-frame">
        <table class="matrix">
          <thead>
            <tr>
              <td />
              {sides.map((side) => (
                <th key={side} scope="col">
                  <span>{side}</span>
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {sides.map((side, p) => (
              <tr key={side}>
                <th scope="row">{side}</th>
                {sides.map((other, q) => {
                  const count = q < p ? 0 : counts.value[p][q];
                  if (count === 0) return <td key={other} class={q < p ? 'lower' : ''} />;
                  const share = Math.log(1 + count) / Math.log(1 + most);
                  return (
                    <td key={other}>
                      <button
                        type="button"
                        aria-pressed={isChosen(p, q)}
                        aria-label={`${side} and ${other}: ${count}`}
                        style={{ '--share': share.toFixed(3) }}
                        onClick={() => filter(p, q)}
                      >
                        {grouped(count)}
                      </button>
                    </td>
                  );
                })}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </Modal>
  );
}
