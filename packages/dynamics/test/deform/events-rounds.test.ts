/** Exact tests in several rounds, where pairs are too many for one, find the same in the same order. */
import { runHere } from 'impinge/internal/kernel/schedule.js';
import { expect, test } from 'vitest';
import { seededRandom } from '../../../../lab/scenes/index.mjs';
import { EventBuffers } from '../../src/deform/events.js';
import { Stages } from '../../src/deform/stages.js';
import { DeformableSurface } from '../../src/deform/surface.js';
import { SurfaceTable } from '../../src/deform/surface-table.js';
import { crumpled, expectEqualAnswers, plain } from './surfaces.js';

test.each([0, 0.01])('rounds of 100 pairs, thickness %d, seed 61', (thickness) => {
  const { end, ...input } = crumpled(seededRandom(61), 30, 0.5, 0.7);
  const host = { beforeChange: () => {}, layOutAgain: () => {}, drop: () => {} };
  const surface = new DeformableSurface(0, input, host);
  surface.moveTo(end!);
  const answer = (round: number | undefined, parts: number) => {
    const table = new SurfaceTable([surface]);
    table.adopt();
    table.attendTo(undefined, undefined);
    const stages = new Stages(round);
    const { columns, stats } = runHere(stages.contacts(table, thickness, parts));
    const events = plain(new EventBuffers().copy(columns, stats));
    stages.dispose();
    return events;
  };
  const expected = answer(undefined, 1);
  expect(expected['kinds'].length).toBeGreaterThan(500);
  expectEqualAnswers(answer(100, 1), expected);
  expectEqualAnswers(answer(1000, 7), expected);
});
