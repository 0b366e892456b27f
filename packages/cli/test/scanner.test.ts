import fc from 'fast-check';
import { expect, test } from 'vitest';
import { runs } from '../../../test/budget.js';
import { Scanner } from '../src/formats/scanner.js';

function scan(text: string): number {
  const scanner = new Scanner();
  const bytes = Buffer.from(text);
  scanner.range(bytes, 0, bytes.length);
  return scanner.number();
}

test('numbers equal Number() to the last bit, seed 7', () => {
  const decimal = fc.tuple(
    fc.constantFrom('', '-', '+'),
    fc.stringMatching(/^[0-9]{1,22}$/),
    fc.option(fc.stringMatching(/^[0-9]{0,22}$/)),
    fc.option(fc.integer({ min: -340, max: 320 })),
    fc.constantFrom('e', 'E', 'e+'),
  );
  fc.assert(
    fc.property(decimal, ([sign, whole, fraction, exponent, e]) => {
      const power = exponent === null ? '' : `${exponent < 0 ? e[0] : e}${exponent}`;
      const text = `${sign}${whole}${fraction === null ? '' : `.${fraction}`}${power}`;
      expect(Object.is(scan(text), Number(text)), text).toBe(true);
    }),
    { seed: 7, numRuns: runs(5000) },
  );
});

test('printed doubles come back, seed 8', () => {
  fc.assert(
    fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (x) => scan(String(x)) === x),
    { seed: 8, numRuns: runs(5000) },
  );
});

test.each(['.5', '5.', '-.5e3', '007'])('%s is a number', (text) => {
  expect(scan(text)).toBe(Number(text));
});

test.each([
  '',
  '.',
  '-',
  '+',
  'e5',
  '1e',
  '1e+',
  '1e-',
  '0x10',
  '1_000',
  '1,5',
  'nan',
  'inf',
  'Infinity',
  '1.2.3',
  '--1',
  '1f',
])('%j is none', (text) => {
  expect(scan(text)).toBeNaN();
});
