/** A report that takes decisions one by one answers as one that is read anew, and keeps what has not changed. */
import { seededRandom } from '@impinge/scenes/random';
import { expect, test } from 'vitest';
import { runs } from '../../../test/budget.js';
import type { Issues } from '../src/reports/issue-summary.js';
import { RecordedReport } from '../src/server/recorded-report.js';
import { randomDecision, randomReview } from './random-review.js';
import { grouped, plantClashes, reportInput } from './reports-clashes.js';

const all = ({ open, approved, closed }: Issues) => [...open, ...approved, ...closed];

test('issues after any decisions (seed 61)', () => {
  const random = seededRandom(61);
  for (let run = 0; run < runs(4); run++) {
    const clashes = grouped(plantClashes(60, run));
    const [gone, here] = [clashes.slice(0, 10), clashes.slice(10)];
    const { model, run: asked } = reportInput(here);
    const record = {
      ...{ store: '', fingerprint: '', hasClashes: true, model, resolved: gone },
      run: { ...asked },
    };
    const report = new RecordedReport('', record, model, here);
    let review = randomReview(random, here);
    let last = report.decided(review);
    for (let change = 0; change < 6; change++) {
      const chosen = here.filter(() => random() < 0.03).map(({ id }) => id);
      // read from a database, nothing is the same object
      review = new Map([...review].map(([id, decision]) => [id, structuredClone(decision)]));
      for (const id of chosen) {
        if (random() < 0.3) review.delete(id);
        else review.set(id, randomDecision(random));
      }
      const now = report.decided(review);
      expect(now).toEqual(new RecordedReport('', record, model, here).decided(review));
      const before = new Set(all(last.issues));
      const untouched = all(now.issues).filter(
        (issue) => !issue.clashes.some(({ id }) => chosen.includes(id)),
      );
      const moved = new Set(
        all(last.issues).flatMap((issue) =>
          issue.clashes.some(({ id }) => chosen.includes(id)) ? issue.id : [],
        ),
      );
      for (const issue of untouched) if (!moved.has(issue.id)) expect(before.has(issue)).toBe(true);
      last = now;
    }
  }
});
