/** Pairs of links that need no comparison, found by sampling. */
import { expect, test } from 'vitest';
import { allowedPairs } from '../../src/mechanism/allowed-pairs.js';
import { freeBody, Mechanism } from '../../src/mechanism/mechanism.js';

/** Four balls on a line, one apart: the first three are as large as their distance, the third of them far wider. */
function chain(): Mechanism {
  const radii = [0.3, 0.3, 1.5, 0.3];
  return new Mechanism({
    links: radii.map((radius, i) => ({ name: `ball ${i}`, shapes: [{ sphere: { radius } }] })),
    joints: [1, 2, 3].map((i) => ({
      name: `joint ${i}`,
      type: 'revolute',
      parent: `ball ${i - 1}`,
      child: `ball ${i}`,
      pose: { translation: [1, 0, 0] },
      axis: [0, 0, 1],
      lower: -1.2,
      upper: 1.2,
    })),
  });
}

test('neighbours, what always meets, and what never did', () => {
  const found = allowedPairs(chain(), { samples: 300, seed: 3 });
  expect(found.adjacent.map(([a, b]) => `${a}, ${b}`)).toEqual([
    ...['ball 0, ball 1', 'ball 1, ball 2', 'ball 2, ball 3'],
  ]);
  // the wide ball is at most two from the first one, which it reaches only where the chain is bent
  expect(found.always).toEqual([]);
  expect(found.never).toEqual([
    ['ball 0', 'ball 3'],
    ['ball 1', 'ball 3'],
  ]);
  expect(allowedPairs(chain(), { samples: 300, seed: 3 })).toEqual(found);
  expect(allowedPairs(freeBody([]), { samples: 2 })).toMatchObject({ always: [], never: [] });
  expect(() => allowedPairs(chain(), { samples: 0 })).toThrow('samples');
});
