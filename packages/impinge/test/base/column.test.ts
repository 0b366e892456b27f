/** Columns in pages, against plain lists. */
import { seededRandom } from '@impinge/scenes/random';
import { expect } from 'vitest';
import { full, runs } from '../../../../test/budget.js';
import { f64Column, u8Column, u32Column } from '../../src/base/column.js';

/** Much faster than what tests have for lists. */
function isSame(values: ArrayLike<number>, list: readonly number[]): boolean {
  return values.length === list.length && list.every((value, i) => values[i] === value);
}

full.each([
  ['numbers, seed 5', f64Column, 5],
  ['counts, seed 6', u32Column, 6],
  ['bytes, seed 7', u8Column, 7],
] as const)('%s', (_, newColumn, seed) => {
  const random = seededRandom(seed);
  const below = (n: number) => Math.floor(n * random());
  for (let run = 0; run < runs(40); run++) {
    const column = newColumn();
    let list: number[] = [];
    for (let step = 0; step < 60; step++) {
      const some = Array.from({ length: below(4) * below(2000) }, () => below(256));
      column.append(some);
      for (const value of some) list.push(value);
      column.push(step);
      list.push(step);
      if (below(9) === 0) {
        list = list.slice(0, below(list.length));
        column.cut(list.length);
      } else {
        const at = below(list.length);
        list[at] = below(256);
        column.set(at, list[at]);
      }
      const [start, end] = [below(list.length), below(list.length)].sort((p, q) => p - q);
      expect(isSame(column.slice(start, end), list.slice(start, end))).toBe(true);
    }
    const values = column.values();
    expect(isSame(values, list)).toBe(true);
    const bytes = Buffer.concat([...column.bytes()]);
    expect(bytes.length).toBe(column.byteLength);
    expect(bytes.equals(Buffer.from(values.buffer, values.byteOffset, values.byteLength))).toBe(true);
  }
});
