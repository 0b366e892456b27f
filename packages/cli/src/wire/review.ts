/** Decisions as `review.json` stores them, and as the page and the server exchange them. */
import type { Vec3 } from 'impinge';

/** From unreviewed to settled; `approved` is a clash that may stay. */
export const REVIEW_STATUSES = ['new', 'active', 'reviewed', 'approved', 'resolved'] as const;

export type ReviewStatus = (typeof REVIEW_STATUSES)[number];

/** The label of a status, for a clash that the check has found or not. Copied into report.html as source. */
export function statusText(status: string, isFound: boolean): string {
  return status === 'resolved' && isFound ? 'resolved, still there' : status;
}

export interface Comment {
  readonly author?: string;
  /** ISO 8601. */
  readonly date?: string;
  readonly text: string;
}

/** Empty fields are left out. */
export interface Decision {
  readonly status?: string;
  readonly assignee?: string;
  /** `2026-12-24`. */
  readonly due?: string;
  /** A comment without an author. */
  readonly comment?: string;
  readonly comments?: readonly Comment[];
}

/** By clash id. */
export type Decisions = Readonly<Record<string, Decision>>;

/** The server's response to a request for decisions, or to changes. */
export interface ReviewAnswer {
  readonly revision: string;
  readonly decisions: Decisions;
}

/** The page's request: the decisions it has changed, relative to revision `base`. */
export interface ReviewChanges {
  readonly base: string;
  readonly author: string;
  readonly changes: Decisions;
}

/**
 * The response to an imported archive: the number of its topics, of those not about this report, of those about no
 * clash that were kept, and the changes.
 */
export interface ImportAnswer extends ReviewAnswer {
  readonly topics: number;
  readonly strangers: number;
  /** Only the service keeps them. */
  readonly remarks: number;
  /** Number of clashes whose decision has changed. */
  readonly changed: number;
}

/** One picture in the list that precedes an archive's pictures: see `bcf-requests.ts`. */
export interface SentPicture {
  /** The id of an issue, or of a clash in it. */
  readonly of: string;
  readonly byteLength: number;
  /** The camera of the picture; metres and degrees. */
  readonly camera?: SentCamera | undefined;
}

export interface SentCamera {
  readonly eye: Vec3;
  readonly direction: Vec3;
  readonly up: Vec3;
  readonly fieldOfView: number;
}
