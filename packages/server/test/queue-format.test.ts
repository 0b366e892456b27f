/** The messages of a queue, and how its address is parsed and displayed. */
import { CommandError } from '@impinge/cli/internal/command-error.js';
import fc from 'fast-check';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { full, runs } from '../../../test/budget.js';
import { impinge } from '../../cli/test/run-impinge.js';
import { queueAddress } from '../src/queue/backends.js';
import {
  pairsText,
  quarantineText,
  readDescription,
  readFindings,
  readPairJob,
  readQuarantine,
  taskName,
} from '../src/queue/job-format.js';
import { queueProblem } from '../src/queue/queue-address.js';
import { SOME_READS } from './queue-processes.js';

const SEED = 1;

describe('addresses', () => {
  test('are told without what gives access to them', () => {
    const { backend, display } = queueAddress(
      'postgres://anna:p%40ss@db.example.com:5433/jobs?sslmode=require',
    );
    expect([backend, display]).toEqual(['postgres', 'postgres://db.example.com:5433/jobs']);
    expect(queueAddress('rediss://:p@ss@cache').display).toBe('rediss://cache');
  });

  test.each([
    [
      'http://host/x',
      '--queue: http:// is not supported; expected an address such as postgres://host/database or redis://host',
    ],
    ['localhost', '--queue: expected an address such as postgres://host/database or redis://host'],
    ['', '--queue: expected an address such as postgres://host/database or redis://host'],
  ])('%j is refused', async (url, line) => {
    for (const args of [
      ['worker', '--queue', url],
      ['check', 'model.impinge', '--queue', url],
    ]) {
      expect(await impinge(...args)).toMatchObject({ code: 2, err: `impinge: ${line}\n` });
    }
  });

  full('nobody there is one line, without the password', async () => {
    for (const scheme of ['postgres', 'redis']) {
      const { code, err } = await impinge('worker', '--queue', `${scheme}://me:geheim@127.0.0.1:1/x`);
      expect(code).toBe(2);
      expect(err).toBe(`impinge: ${scheme}://127.0.0.1:1/x: no response; is the server running?\n`);
    }
  });

  test('may be in the environment', async () => {
    vi.stubEnv('IMPINGE_QUEUE', 'http://me:geheim@host/x');
    onTestFinished(() => void vi.unstubAllEnvs());
    for (const args of [['worker'], ['check', 'model.impinge'], ['serve']]) {
      const { code, err } = await impinge(...args);
      expect([code, err]).toEqual([
        2,
        expect.stringMatching(/^impinge: --queue: http:\/\/ is not supported; .*\n$/),
      ]);
    }
    const given = await impinge('worker', '--queue', 'ftp://host');
    expect(given.err).toContain('ftp:// is not supported');
  });

  test('of what a driver says, one line without passwords is told', () => {
    const address = queueAddress('redis://h');
    const error = new Error('cannot reach redis://me:geheim@h\n  at x');
    expect(queueProblem(address, error)).toBe('redis://h: cannot reach redis://h');
    expect(
      queueProblem(address, new AggregateError([Object.assign(new Error('x'), { code: 'ETIMEDOUT' })])),
    ).toBe('redis://h: no response in time');
  });
});

test.each([
  ['--threads', '0', '--threads: "0" is not a whole number from 1 to 256'],
  ['--lost-after', '0', '--lost-after: "0" is not a number of seconds from 1 to 86400'],
  ['--idle-exit', 'x', '--idle-exit: "x" is not a number of seconds from 0 to 86400'],
  ['--memory', '5', '--memory: "5" is 5 bytes; write 160MB, for example'],
])('worker %s %s is refused', async (option, value, line) => {
  const { code, err } = await impinge('worker', '--queue', 'redis://localhost', option, value);
  expect([code, err]).toEqual([2, `impinge: ${line}\n`]);
});

const run = '0'.repeat(32);

test(`jobs come back as they were, seed ${SEED}`, () => {
  fc.assert(
    fc.property(fc.array(fc.nat(2 ** 32 - 1), { minLength: 3, maxLength: 300 }), (numbers) => {
      const triples = Uint32Array.from(numbers.slice(0, 3 * Math.floor(numbers.length / 3)));
      const pairs = pairsText(triples);
      const job = JSON.parse(JSON.stringify({ run, task: taskName(pairs), pairs }));
      expect(readPairJob(job).triples).toEqual(triples);
    }),
    { numRuns: runs(100), seed: SEED },
  );
});

const measure = {
  ...{ kind: 'hard', form: 'piercing', distance: 0, depth: 1, depthBound: 1, trianglePairs: 3 },
  ...{ point: [0, 0, 0], box: { min: [0, 0, 0], max: [1, 1, 1] } },
};
const findings = { found: [{ pair: 2, measure }], touches: 1, cache: SOME_READS };
const description = {
  ...{ store: '/x.impinge', fingerprint: 'f', version: '0', memory: 1 },
  rules: [{ clearance: 0, tolerance: 0, kinds: 1 }],
};

test('what is whole is read', () => {
  expect(readFindings(JSON.stringify(findings), 3)).toEqual(findings);
  expect(readDescription(JSON.stringify(description))).toEqual(description);
  expect(readQuarantine(quarantineText({ isRefused: true, why: 'x' }))).toEqual({
    isRefused: true,
    why: 'x',
  });
});

const three = pairsText(Uint32Array.of(0, 1, 0));
const two = pairsText(Uint32Array.of(0, 1));

test.each<[string, () => unknown]>([
  ['a job of nothing', () => readPairJob(undefined)],
  ['a job of another task', () => readPairJob({ run, task: run, pairs: three })],
  ['a job of half a pair', () => readPairJob({ run, task: taskName(two), pairs: two })],
  ['a job of no pairs', () => readPairJob({ run, task: taskName(''), pairs: '' })],
  [
    'a job of a run with a strange name',
    () => readPairJob({ run: "'; drop", task: taskName(three), pairs: three }),
  ],
  ['a result that is no JSON', () => readFindings('{', 1)],
  ['a result without counts', () => readFindings(JSON.stringify({ ...findings, touches: -1 }), 3)],
  ['a result of a pair that is not there', () => readFindings(JSON.stringify(findings), 2)],
  [
    'a result of a pair twice',
    () => readFindings(JSON.stringify({ ...findings, found: [...findings.found, ...findings.found] }), 3),
  ],
  [
    'a result of an unknown kind',
    () =>
      readFindings(
        JSON.stringify({ ...findings, found: [{ pair: 0, measure: { ...measure, kind: 'x' } }] }),
        3,
      ),
  ],
  ['a store that is none', () => readDescription(JSON.stringify({ ...description, store: '/etc/passwd' }))],
  ['no memory', () => readDescription(JSON.stringify({ ...description, memory: 0 }))],
  ['a reason of no form', () => readQuarantine('"x"')],
])('%s is refused', (_, read) => {
  expect(read).toThrow(CommandError);
});
