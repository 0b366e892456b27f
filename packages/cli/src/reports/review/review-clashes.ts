/** Adds decisions to clashes and separates the approved ones. */
import { plural } from '../../wire/text.js';
import type { ReportClash } from '../report-data.js';
import { decisionsFor, type GivenReviews } from './read-reviews.js';
import { reviewUpdate } from './review-file.js';

export interface Reviewed {
  readonly clashes: readonly ReportClash[];
  readonly approved: readonly ReportClash[];
  /** The file to write beside the reports. */
  readonly file: { readonly name: string; readonly text: string } | undefined;
  /** Messages for the user. */
  readonly notes: readonly string[];
}

export function reviewClashes(
  reviews: GivenReviews,
  clashes: readonly ReportClash[],
  baseline: readonly ReportClash[],
): Reviewed {
  const { decisions, moved, strangers } = decisionsFor(reviews, clashes, baseline);
  const all = clashes.map((clash) => ({ ...clash, review: decisions.get(clash.id) }));
  return {
    clashes: all.filter(({ review }) => review?.status !== 'approved'),
    approved: all.filter(({ review }) => review?.status === 'approved'),
    file: reviewUpdate(reviews.own, decisions, undefined, moved),
    notes:
      strangers > 0 ? [`not about a clash of this model: ${plural(strangers, 'topic')} of the review`] : [],
  };
}
