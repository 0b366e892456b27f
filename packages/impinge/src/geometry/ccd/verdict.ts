/** The verdicts of a certified test of two moving elements. */
export const MISS = 0;
export const HIT = 1;
/** The rounding errors leave it open; exact arithmetic has to decide. */
export const DOUBT = 2;

export type Verdict = typeof MISS | typeof HIT | typeof DOUBT;
