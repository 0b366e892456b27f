/** Attempts at a job: how many, and what is reported of failures. */
import { expect, test } from 'vitest';
import { full } from '../../../test/budget.js';
import { attempt, Impossible, MOST_TRIES, Refusal } from '../src/queue/attempt.js';
import { readQuarantine } from '../src/queue/job-format.js';
import type { ResultTable } from '../src/queue/result-table.js';

const JOB = { run: 'r', task: 'g', pairs: '' };

/** The part of a result table that attempts use, with its state. */
function tableOf(tries = 0) {
  const state = { tries, error: undefined as string | undefined, apart: undefined as string | undefined };
  const table: Pick<ResultTable, 'begin' | 'fail' | 'quarantine'> = {
    begin: async () => ({ tries: ++state.tries, isSettled: state.apart !== undefined, error: state.error }),
    fail: async (_run, _task, error) => {
      state.error = error;
    },
    quarantine: async (_run, _task, why) => {
      state.apart ??= why;
    },
  };
  const said: string[] = [];
  const means = { table: table as ResultTable, name: 'w', say: (line: string) => said.push(line) };
  return { state, means, said };
}

const failing = (error: Error) => async (begin: () => Promise<boolean>) => {
  if (!(await begin())) return 'nothing';
  throw error;
};

test('what goes wrong is tried three times, and then set apart with what was said', async () => {
  const { state, means, said } = tableOf();
  for (let n = 1; n <= MOST_TRIES; n++) {
    expect(state.apart).toBeUndefined();
    await expect(attempt(JOB, means, failing(new Error('bad luck')))).rejects.toThrow('bad luck');
  }
  expect(readQuarantine(state.apart!)).toEqual({ isRefused: false, why: 'w: bad luck' });
  expect(said).toEqual(['bad luck', 'bad luck', 'bad luck']);
  expect(await attempt(JOB, means, failing(new Error('never')))).toBe('nothing');
});

test('what has ended three workers without a word is set apart before it begins', async () => {
  const { state, means } = tableOf(MOST_TRIES);
  expect(await attempt(JOB, means, failing(new Error('never')))).toBe('nothing');
  expect(readQuarantine(state.apart!)).toEqual({ isRefused: false, why: 'it crashed its worker 3 times' });
});

test('what nobody can do is set apart at once', async () => {
  const { state, means } = tableOf();
  await expect(attempt(JOB, means, failing(new Impossible('x.obj: line 1: no number')))).rejects.toThrow();
  expect(readQuarantine(state.apart!)).toEqual({ isRefused: false, why: 'x.obj: line 1: no number' });
});

full('what a worker refuses is left to others twice, and then refused', async () => {
  const refuse = () => Promise.reject(new Refusal('too little memory'));
  const first = tableOf(MOST_TRIES - 2);
  await expect(attempt(JOB, first.means, refuse)).rejects.toThrow('too little memory');
  expect(first.state).toEqual({ tries: 2, error: 'w: too little memory', apart: undefined });
  await expect(attempt(JOB, first.means, refuse)).rejects.toThrow('too little memory');
  expect(readQuarantine(first.state.apart!)).toEqual({ isRefused: true, why: 'w: too little memory' });
});

test('a job of a check that is over is nothing to do', async () => {
  const { means } = tableOf();
  const table = { ...means.table, begin: async () => undefined };
  expect(await attempt(JOB, { ...means, table }, failing(new Error('never')))).toBe('nothing');
});
