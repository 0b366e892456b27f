/** Decisions of all sorts, with texts that XML has to escape. */
import type { Decision } from '../src/reports/review/decision.js';
import { REVIEW_STATUSES } from '../src/wire/review.js';

export type Random = () => number;

const PEOPLE = ['', '', 'ann@example.com', 'Bob & <Sons>', "o'neil", 'a, b'] as const;
const DATES = ['', '', '2026-12-24', '2027-01-02', '2026-03-01'] as const;
const TEXTS = ['a sleeve', 'who?\nme', 'x < y && "z"', 'a sleeve & more', 'ü – ok'] as const;

export const pick = <T>(random: Random, of: readonly T[]): T => of[Math.floor(random() * of.length)];

export function randomDecision(random: Random): Decision {
  const comments = TEXTS.filter(() => random() < 0.2).map((text, i) => ({
    text,
    author: pick(random, ['', 'ann']),
    date: pick(random, ['', `2026-11-0${i + 1}T10:00:00.000Z`]),
  }));
  return {
    status: pick(random, REVIEW_STATUSES),
    assignee: pick(random, PEOPLE),
    due: pick(random, DATES),
    comments,
  };
}

export function randomReview(
  random: Random,
  clashes: readonly { readonly id: string }[],
): Map<string, Decision> {
  return new Map(clashes.filter(() => random() < 0.6).map(({ id }) => [id, randomDecision(random)]));
}
