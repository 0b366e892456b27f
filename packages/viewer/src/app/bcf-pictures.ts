/** Pictures of issues, each of its worst clash as the page shows it. */

import { issueRows } from '../../../ui/src/clash-filter.js';
import type { Picture } from '../picture/picture.js';
import { type IssuePicture, takePicture } from '../review/bcf-exchange.js';
import type { ModelReview } from '../review/report.js';
import type { Viewer } from './viewer.js';

/** A camera that has not moved for this long has arrived. */
const STANDING_MS = 250;
/** More would make archives too large to send. */
export const MOST_PICTURES = 500;

/** The worst clash of each listed issue whose objects are in the model. */
export function picturedClashes(review: ModelReview): number[] {
  return issueRows(review.report, review.order.value, new Set())
    .flatMap((row) => (row.kind === 'issue' ? [row.clashes[0]] : []))
    .filter((clash) => review.report.objectsOf(clash).every((object) => object >= 0))
    .slice(0, MOST_PICTURES);
}

/** Waits until the camera has arrived: the best side of a clash is searched asynchronously. */
async function cameraStands(picture: Picture): Promise<void> {
  let before = '';
  for (let now = JSON.stringify(picture.view); now !== before; now = JSON.stringify(picture.view)) {
    before = now;
    await new Promise((resolve) => setTimeout(resolve, STANDING_MS));
  }
}

/** Shows each clash in turn and then restores the view. On abort, returns the pictures taken so far. */
export async function picturesOfIssues(
  viewer: Viewer,
  review: ModelReview,
  onProgress: (done: number) => void,
  signal: AbortSignal,
): Promise<IssuePicture[]> {
  const picture = viewer.picture.peek();
  if (!picture) return [];
  const { clashes, groups } = review.report.data;
  const before = { clash: review.current.peek(), view: picture.view };
  const taken: IssuePicture[] = [];
  try {
    for (const clash of picturedClashes(review)) {
      if (signal.aborted) break;
      viewer.showClash(clash);
      await cameraStands(picture);
      taken.push(await takePicture(picture, groups[clashes.group[clash]][0]));
      onProgress(taken.length);
    }
  } finally {
    review.show(before.clash);
    await cameraStands(picture);
    picture.look(before.view);
  }
  return taken;
}
