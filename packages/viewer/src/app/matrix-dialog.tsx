/** The clash matrix; a cell filters the list. */
import { useSignal } from '@preact/signals';
import { Matrix } from '../../../ui/src/matrix.js';
import type { ModelReview } from '../review/report.js';
import { Modal } from './controls.js';
import { showTab } from './layout.js';
import type { Viewer } from './viewer.js';

export function MatrixDialog({ viewer, review }: { readonly viewer: Viewer; readonly review: ModelReview }) {
  const { matrices } = review.report.data;
  const chosen = useSignal(Math.max(0, matrices.indexOf(review.filters.peek().pair?.[0] ?? '')));
  const close = () => {
    viewer.dialog.value = 'none';
  };
  return (
    <Modal title="Clash matrix" class="wide" onClose={close}>
      <Matrix
        review={review}
        matrix={chosen.value}
        onMatrix={(matrix) => {
          chosen.value = matrix;
        }}
        onPick={() => {
          close();
          showTab('clashes');
        }}
      />
    </Modal>
  );
}
