/** Entries of a journal that have the right checksum but are none of a check. */
import { expect, test } from 'vitest';
import { CommandError } from '../src/command-error.js';
import { checkEntry } from '../src/jobs/journal-entry.js';

const object = {
  ...{ id: 'x', name: 'x', path: 'm/x', type: '', discipline: '', file: 'm.obj', storey: '' },
  ...{ rounding: 1e-6, curveError: 0, box: { min: [0, 0, 0], max: [1, 1, 1] } },
};
const clash = {
  ...{ id: '0123456789abcdef', kind: 'hard', form: 'piercing', a: object, b: object, rule: 'default' },
  ...{ distance: 0, depth: 1, depthBound: 1.5, trianglePairs: 4, point: [0, 0, 0] },
  box: { min: [0, 0, 0], max: [1, 1, 1] },
};
const excluded = [{ ...clash, why: 'sills' }];
const entry = { pairs: [0, 1], clashes: [clash], excluded, touches: 2 };

test('what a check wrote comes back as it was, also from JSON and with fields of later versions', () => {
  for (const written of [entry, { pairs: [], clashes: [], excluded: [], touches: 0 }]) {
    expect(checkEntry(JSON.parse(JSON.stringify(written)), 'j')).toEqual(written);
  }
  const later = { ...entry, clashes: [{ ...clash, form: undefined, more: [1] }] };
  expect(checkEntry(JSON.parse(JSON.stringify(later)), 'j').clashes[0]).toMatchObject({ more: [1] });
});

test.each([
  ['nothing', null],
  ['a list', []],
  ['pairs that are a number', { ...entry, pairs: 5 }],
  ['pairs of text', { ...entry, pairs: ['0'] }],
  ['no clashes', { pairs: [0], touches: 0 }],
  ['a clash of nothing', { ...entry, clashes: [null] }],
  [
    'an object that does not say how exact it is',
    { ...entry, clashes: [{ ...clash, a: { ...object, rounding: null } }] },
  ],
  ['a clash without objects', { ...entry, clashes: [{ ...clash, a: undefined }] }],
  ['a clash without a point', { ...entry, clashes: [{ ...clash, point: [0, 0] }] }],
  ['a clash of an unknown kind', { ...entry, clashes: [{ ...clash, kind: 'soft' }] }],
  ['an exclusion without a reason', { ...entry, excluded: [clash] }],
  ['touches that are text', { ...entry, touches: '2' }],
])('%s is refused in one line', (_, line) => {
  expect(() => checkEntry(line, 'out/check.journal')).toThrow(
    new CommandError(
      'out/check.journal has entries that do not belong to a check; run it without --resume to start again',
    ),
  );
});
