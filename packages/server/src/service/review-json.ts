/** Decisions as the text of a `review.json`. */
import type { Review } from '@impinge/cli/internal/reports/review/decision.js';
import { reviewUpdate } from '@impinge/cli/internal/reports/review/review-file.js';

const NO_DECISIONS = '{\n  "clashes": {}\n}\n';

export function reviewJson(decisions: Review): string {
  return reviewUpdate(undefined, decisions, 'review.json')?.text ?? NO_DECISIONS;
}
