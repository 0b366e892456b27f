/** Decisions to and from other programs. */

import type { ClashReview } from '../review/clash-review.js';
import { reviewFile } from '../review/decisions.js';
import { saveFile } from '../review/save-file.js';
import { Modal } from './controls.js';
import type { Viewer } from './viewer.js';

export function ExchangeDialog({
  viewer,
  review,
}: {
  readonly viewer: Viewer;
  readonly review: ClashReview;
}) {
  const { live } = viewer.manifest.value;
  return (
    <Modal
      title="Exchange decisions"
      onClose={() => {
        viewer.dialog.value = 'none';
      }}
    >
      <section>
        <h3>review.json</h3>
        <p>
          All decisions in one file, which <code>impinge check --review</code> reads.
          {!live && ' This page has no server to save them: download them before you close it.'}
        </p>
        <div class="button-row">
          <button
            type="button"
            class={live ? '' : 'primary'}
            onClick={() =>
              saveFile(
                new Blob([reviewFile(review.keeper.decisions.peek())], { type: 'application/json' }),
                'review.json',
              )
            }
          >
            Download review.json
          </button>
        </div>
      </section>
    </Modal>
  );
}
