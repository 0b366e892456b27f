import { describe, expect, test } from 'vitest';
import { stateOf } from '../src/picture/camera-state.js';
import { KeyMotion } from '../src/picture/key-motion.js';
import type { Navigation } from '../src/picture/types.js';

const SECONDS = 0.5;

function motion(metresPerUnit: number, navigation: Navigation) {
  const view = { eye: [3, 0, 5], target: [4, 0, 5], up: [0, 0, 1], fieldOfView: 50, height: 1 } as const;
  const host = { metresPerUnit, state: stateOf(view) };
  const keys = new KeyMotion(host, () => navigation);
  const press = (code: string) => keys.down(keyEvent(code));
  /** Metres along x since the start. */
  const gone = () => (host.state.eye[0] - 3) * metresPerUnit;
  return { keys, press, gone };
}

function keyEvent(code: string): KeyboardEvent {
  return { code, key: code, preventDefault() {} } as unknown as KeyboardEvent;
}

describe('keys that are held', () => {
  test.each(['walk', 'fly'] as const)('%s as fast in a model in millimetres or feet', (navigation) => {
    for (const metresPerUnit of [1, 0.001, 0.3048]) {
      const { keys, press, gone } = motion(metresPerUnit, navigation);
      expect(keys.tick(SECONDS)).toBe(false);
      press('KeyW');
      expect(keys.tick(SECONDS)).toBe(true);
      expect(gone()).toBeCloseTo(1, 6);
      press('Shift');
      keys.tick(SECONDS);
      expect(gone()).toBeCloseTo(4, 6);
      keys.release();
      expect(keys.tick(SECONDS)).toBe(false);
      expect(gone()).toBeCloseTo(4, 6);
    }
  });

  test('a body goes no farther than it is let', async () => {
    const { keys, press, gone } = motion(0.001, 'walk');
    const asked: number[] = [];
    keys.limit = async ([x, y, z], towards) => {
      asked.push((towards[0] - x) * 0.001);
      return [x + 10, y, z];
    };
    press('KeyW');
    keys.tick(SECONDS);
    keys.tick(SECONDS); // the first query is still pending
    await Promise.resolve();
    expect(asked).toHaveLength(1);
    expect(asked[0]).toBeCloseTo(1, 6);
    await new Promise((resolve) => setTimeout(resolve));
    expect(gone()).toBeCloseTo(0.01, 6);
  });
});
