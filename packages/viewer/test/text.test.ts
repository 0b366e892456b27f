import fc from 'fast-check';
import { expect, test } from 'vitest';
import { lengthText as reportText } from '../../cli/src/reports/text.js';
import { runs } from '../../impinge/test/budget.js';
import { bytesText, compareNames, lengthText, oneLine } from '../src/model/text.js';

test('lengths read as in reports', () => {
  fc.assert(
    fc.property(fc.double({ min: 0, max: 1e4 }), fc.constantFrom(0, 1e-7, 1e-4, 0.02), (metres, error) => {
      expect(lengthText(metres, error)).toBe(reportText(metres, error));
    }),
    { numRuns: runs(200) },
  );
});

test('names are one line, without what hides or turns text', () => {
  expect(oneLine('a\u202eb\n c\u0007')).toBe('ab c\ufffd');
  expect(oneLine('x'.repeat(50), 10)).toBe(`${'x'.repeat(9)}…`);
  expect(oneLine('\ud83d\ude00'.repeat(9), 10)).not.toMatch(/[\ud800-\udbff](?![\udc00-\udfff])/);
});

test('names are sorted by their numbers, bytes read', () => {
  expect(['L10', 'L2', 'L1'].sort(compareNames)).toEqual(['L1', 'L2', 'L10']);
  expect([bytesText(12_000), bytesText(1.25e6), bytesText(3e8)]).toEqual(['12 KB', '1.3 MB', '300 MB']);
});
