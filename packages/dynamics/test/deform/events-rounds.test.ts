/** Exact tests in several rounds, where pairs are too many for one, find the same in the same order. */
import { runHere } from 'impinge/internal/kernel/schedule.js';
import { expect, test } from 'vitest';
import { seededRandom } from '../../../../lab/scenes/index.mjs';
import { ContactTests } from '../../src/deform/contact-tests.js';
import { ElementCulling } from '../../src/deform/element-culling.js';
import { EventOrder } from '../../src/deform/event-order.js';
import { EventBuffers } from '../../src/deform/events.js';
import { Grid } from '../../src/deform/grid.js';
import { PrimitiveCulling } from '../../src/deform/primitive-culling.js';
import { NO_STATS } from '../../src/deform/stages.js';
import { DeformableSurface } from '../../src/deform/surface.js';
import { VertexSweep } from '../../src/deform/sweep.js';
import { World } from '../../src/deform/world.js';
import { crumpled, expectEqualAnswers, plain } from './surfaces.js';

test.each([0, 0.01])('rounds of 100 pairs, thickness %d, seed 61', (thickness) => {
  const { end, ...input } = crumpled(seededRandom(61), 30, 0.5, 0.7);
  const host = { beforeChange: () => {}, layOutAgain: () => {}, drop: () => {} };
  const surface = new DeformableSurface(0, input, host);
  surface.moveTo(end!);
  const world = new World([surface]);
  world.adopt();
  world.attendTo(undefined, undefined);
  const sweep = new VertexSweep();
  const grids = { static: new Grid('static'), moving: new Grid('moving') };
  const primitives = new PrimitiveCulling();
  const elements = new ElementCulling();
  runHere(sweep.run(world.block, thickness, 0, 1));
  runHere(grids.static.fill(world.block, 1));
  runHere(grids.moving.fill(world.block, 1));
  runHere(sweep.finish(world.block, false, 1));
  const pairs = runHere(primitives.run(world.block, grids.moving, 1));
  const lists = runHere(elements.run(world.block, pairs, 1));
  const answer = (round: number | undefined, parts: number) => {
    const tests = new ContactTests(round);
    const order = new EventOrder();
    const columns = runHere(order.run(world, runHere(tests.run(world, thickness, lists, parts)), parts));
    const events = plain(new EventBuffers().copy(columns, NO_STATS));
    tests.dispose();
    order.dispose();
    return events;
  };
  const expected = answer(undefined, 1);
  expect(expected['kinds'].length).toBeGreaterThan(500);
  expectEqualAnswers(answer(100, 1), expected);
  expectEqualAnswers(answer(1000, 7), expected);
  for (const stage of [sweep, grids.static, grids.moving, primitives, elements, world]) stage.dispose();
});
