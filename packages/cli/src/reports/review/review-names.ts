/** The names of review files. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';

export const REVIEW_NAMES = ['review.yaml', 'review.json'] as const;

export function hasReview(folder: string | undefined): boolean {
  return folder !== undefined && REVIEW_NAMES.some((name) => existsSync(join(folder, name)));
}
