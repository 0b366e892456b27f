/** The examiner itself: content with a backend that does the least, and not with one that drops or invents. */
import { expect, test } from 'vitest';
import { full, runs } from '../../../test/budget.js';
import type { Backend, BackendResult } from '../src/backend.js';
import type { CullingDevice } from '../src/index.js';
import { BoxBackend } from './box-backend.js';
import { FAMILY_NAMES } from './configurations.js';
import { Examiner } from './examiner.js';

/** A backend serves as a device. */
const device = (backend: Backend) => backend as unknown as CullingDevice;

/** Changes what a backend found. */
function altered(alter: (found: BackendResult) => Partial<BackendResult>): CullingDevice {
  const inner = new BoxBackend();
  return device({
    kind: 'cpu',
    description: 'altered',
    async ask(input, request) {
      const found = await inner.ask(input, request);
      return { ...found, ...alter(found) };
    },
    dispose() {},
  });
}

full('margins and frames suffice: boxes placed in float32 miss nothing', async () => {
  const examiner = new Examiner(device(new BoxBackend()));
  for (let number = 0; number < runs(1200); number++) await examiner.meeting(number);
  for (let number = 0; number < runs(120); number++) await examiner.near(30_000 + 7 * number);
  for (let number = 0; number < 5; number++) await examiner.folded(FAMILY_NAMES.length * number);
  expect(examiner.findings.wrong.slice(0, 5)).toEqual([]);
  examiner.dispose();
});

full.each([
  [
    'a pair is dropped',
    (found: BackendResult) => ({ doubtful: found.doubtful.slice(2) }),
    /MISSED|the least/,
  ],
  ['an object is dropped', (found: BackendResult) => ({ objects: found.objects.slice(1) }), /lacks/],
  ['a pair is invented', (found: BackendResult) => ({ meeting: found.doubtful.slice(0, 2) }), /instead of/],
  [
    'a pair is listed twice',
    (found: BackendResult) => ({ doubtful: Uint32Array.of(...found.doubtful, ...found.doubtful.slice(-2)) }),
    /instead of/,
  ],
])('it is noticed when %s', async (_, alter, complaint) => {
  const examiner = new Examiner(altered(alter));
  for (let number = 0; number < 48; number++) await examiner.meeting(number);
  expect(examiner.findings.wrong.filter((line) => complaint.test(line)).length).toBeGreaterThan(3);
  examiner.dispose();
});

test('it is noticed when near pairs are dropped', async () => {
  const examiner = new Examiner(altered((found) => ({ doubtful: found.doubtful.slice(0, -2) })));
  for (let number = 0; number < 12; number++) await examiner.near(number);
  expect(examiner.findings.wrong.filter((line) => /is missing/.test(line)).length).toBeGreaterThan(3);
  examiner.dispose();
});
