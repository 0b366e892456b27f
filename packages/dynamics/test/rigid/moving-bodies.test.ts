/** What bodies have travelled: never less than any point of them. */
import { SeededRandom } from 'impinge/internal/base/seeded-random.js';
import { expect, test } from 'vitest';
import { box } from '../../../../lab/scenes/solids.mjs';
import { ContactShape } from '../../src/rigid/contact-shape.js';
import { chooseEngine } from '../../src/rigid/engines/choose-engine.js';
import { StepLevels } from '../../src/rigid/engines/step-levels.js';
import { PairBatch } from '../../src/rigid/exact/pair-batch.js';
import { memberOf } from '../../src/rigid/member.js';
import { MovingBodies } from '../../src/rigid/moving-bodies.js';
import { NearBodies } from '../../src/rigid/near-bodies.js';
import { solid } from './rigid-scenes.js';

test('grow by as much as the farthest point of a body has moved, or a little more, seed 17', () => {
  const thickness = 0.001;
  const near = new NearBodies(
    thickness,
    chooseEngine({ engine: 'auto', error: 0, thickness, step: new StepLevels() }),
  );
  const bodies = new MovingBodies(near, new PairBatch(), [0, 0, 0]);
  const rigid = solid(box(0.3, 0.2, 0.1), [1, 2, 3]);
  const member = memberOf(rigid, new ContactShape(rigid.shape, rigid.shape.mass.centre), 0);
  bodies.layOut([member]);
  const random = new SeededRandom(17);
  const signed = (size: number) => size * (2 * random.next() - 1);
  let before: Float64Array | undefined;
  for (let step = 0; step < 40; step++) {
    const known = member.travelled;
    bodies.load(1, new Set());
    bodies.begin(1);
    const now = rigid.positions.slice();
    if (before) {
      let most = 0;
      for (let v = 0; v < now.length; v += 3)
        most = Math.max(
          most,
          Math.hypot(now[v] - before[v], now[v + 1] - before[v + 1], now[v + 2] - before[v + 2]),
        );
      // positions are rounded to float32
      expect(member.travelled - known).toBeGreaterThan(most - 1e-6);
      // a turn and a shift may cancel out, but only so much
      expect(member.travelled - known).toBeLessThan(0.1 + 0.6);
    }
    before = now;
    const [x, y, z, w] = rigid.orientation;
    const turn = [x + signed(0.1), y + signed(0.1), z + signed(0.1), w + signed(0.1)];
    rigid.orientation = turn.map((c) => c / Math.hypot(...turn)) as unknown as typeof rigid.orientation;
    rigid.position = rigid.position.map((p) => p + signed(0.05)) as unknown as typeof rigid.position;
  }
  near.dispose();
  member.shape.dispose();
});
