/** Decisions as `review.json` has them, and as the page and the server send them to each other. */
import type { Vec3 } from 'impinge';

/** From what nobody has looked at to what is settled; `approved` is a clash that may stay. */
export const REVIEW_STATUSES = ['new', 'active', 'reviewed', 'approved', 'resolved'] as const;

export type ReviewStatus = (typeof REVIEW_STATUSES)[number];

/** What a status is called of a clash that the check has found, or not. Goes into report.html as it is. */
export function statusText(status: string, isFound: boolean): string {
  return status === 'resolved' && isFound ? 'resolved, still there' : status;
}

export interface Comment {
  readonly author?: string;
  /** ISO 8601. */
  readonly date?: string;
  readonly text: string;
}

/** What is empty is left out. */
export interface Decision {
  readonly status?: string;
  readonly assignee?: string;
  /** `2026-12-24`. */
  readonly due?: string;
  /** One comment of nobody in particular. */
  readonly comment?: string;
  readonly comments?: readonly Comment[];
}

/** By the ids of clashes. */
export type Decisions = Readonly<Record<string, Decision>>;

/** What a server answers that is asked for decisions, or has been sent some. */
export interface ReviewAnswer {
  readonly revision: string;
  readonly decisions: Decisions;
}

/** What the page sends: decisions that it has changed, knowing those of revision `base`. */
export interface ReviewChanges {
  readonly base: string;
  readonly author: string;
  readonly changes: Decisions;
}

/**
 * The answer to an archive: how many topics it had, how many were about nothing in this report, and what it has
 * changed.
 */
export interface ImportAnswer extends ReviewAnswer {
  readonly topics: number;
  readonly strangers: number;
  /** Clashes about which something else is decided now. */
  readonly changed: number;
}

/** One picture of the list before an archive's pictures: see `bcf-requests.ts`. */
export interface SentPicture {
  /** The id of an issue, or of a clash in it. */
  readonly of: string;
  readonly byteLength: number;
  /** From where it was taken; metres and degrees. */
  readonly camera?: SentCamera | undefined;
}

export interface SentCamera {
  readonly eye: Vec3;
  readonly direction: Vec3;
  readonly up: Vec3;
  readonly fieldOfView: number;
}
