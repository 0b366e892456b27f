/** A limit of 2³² or more was cut to its low 32 bits. */
import { expect, test } from 'vitest';
import { collide } from '../../src/query/pair/collide.js';
import { soup } from '../hierarchy/fixtures.js';

test.each([2 ** 32 - 1, 2 ** 32, 2 ** 32 + 1, Number.MAX_SAFE_INTEGER])(
  'limit %d finds everything',
  (limit) => {
    const a = soup(1, 100, 0.3);
    const b = soup(2, 100, 0.3);
    expect(collide(a, b, { limit })).toMatchObject({ pairs: collide(a, b).pairs, complete: true });
  },
);
