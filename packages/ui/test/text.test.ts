import { expect, test } from 'vitest';
import { bytesText, compareNames, lengthText, oneLine } from '../src/text.js';

test.each([
  [0.0123, 0, '12.3 mm'],
  [1.25, 0, '1.25 m'],
  [0.9999999, 0, '1 m'],
  [0, 0, '0 mm'],
  [1e-7, 0, '< 0.001 mm'],
  [0.0004, 0.02, '< 1 mm'],
  [0.0123, 1e-4, '12.3 mm'],
  [0.01234, 0.002, '12 mm'],
])('%f m, known to %f m, is %s', (metres, error, text) => {
  expect(lengthText(metres, error)).toBe(text);
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
