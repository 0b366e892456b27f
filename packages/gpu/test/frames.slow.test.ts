/** Scenes that change every frame: right answers all along, and nothing left behind. */
import { arena } from 'impinge/internal/base/arena.js';
import { describe, expect, test } from 'vitest';
import { LONG } from '../../../test/budget.js';
import { VisibilityCuller } from '../src/index.js';
import { Story, warmUp } from './story.js';

const FRAMES = LONG ? 1000 : 300;
const fail = (message: string) => expect.fail(`fell back: ${message}`);

describe('moving, deforming, breaking, coming and going', () => {
  test(`${FRAMES} frames on the CPU`, async () => {
    const options = { onFallback: fail };
    await warmUp(options);
    const before = arena().usedBytes;
    const culler = new VisibilityCuller('cpu', options);
    const story = new Story(culler, 1);
    const held: number[] = [];
    for (let frame = 1; frame <= FRAMES; frame++) {
      story.advance();
      if (frame % (FRAMES / 20) === 0) expect(await story.compare(), `frame ${frame}`).toBeUndefined();
      else await story.ask();
      held.push(arena().usedBytes - before);
    }
    for (const times of Object.values(story.events)) expect(times).toBeGreaterThan(FRAMES / 20);
    // as many objects as ever, and no more memory than in the first half
    expect(Math.max(...held.slice(FRAMES / 2))).toBeLessThanOrEqual(
      1.25 * Math.max(...held.slice(0, FRAMES / 2)),
    );
    story.end();
    culler.dispose();
    expect(arena().usedBytes).toBeLessThanOrEqual(before);
  });
});
