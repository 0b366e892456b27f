/** The clash matrix; a cell filters the list. */
import { useSignal } from '@preact/signals';
import { Matrix } from '../../../ui/src/matrix.js';
import { setter } from '../../../ui/src/signals.js';
import type { ModelReview } from '../review/report.js';
import { Modal } from './controls.js';
import { showTab } from './layout.js';
import type { Viewer } from './viewer.js';

export function MatrixDialog({ viewer, review }: { readonly viewer: Viewer; readonly review: ModelReview }) {
  const { matrices } = review.report.data;
  const chosen = useSignal(Math.max(0, matrices.indexOf(review.filters.peek().pair?.[0] ?? '')));
  return (
    <Modal viewer={viewer} title="Clash matrix" class="wide">
      <Matrix
        review={review}
        matrix={chosen.value}
        onMatrix={setter(chosen)}
        onPick={() => {
          viewer.open('none');
          showTab('clashes');
        }}
      />
    </Modal>
  );
}
