/** Retries requests to a server that may be unavailable for a while: cut off, restarting, overloaded. */
import { setTimeout as sleep } from 'node:timers/promises';
import { CommandError } from '@impinge/cli/internal/command-error.js';
import { type QueueAddress, queueProblem } from './queue-address.js';

const FIRST_WAIT_MS = 100;
const LONGEST_WAIT_MS = 5000;
/** About two minutes plus the time of each attempt; at the start half a minute. */
const ATTEMPTS = { long: 30, short: 10 };

/** Before the first response, these more likely mean a wrong address. */
const WRONG_ADDRESS = /^(ECONNREFUSED|ENOTFOUND|EHOSTUNREACH|ENETUNREACH)$/;

/** SQLSTATEs of a temporarily unavailable server: connections, resources, shutdown, deadlocks. */
const PASSING_STATES = /^(08|53|57P0|40001|40P01)/;
const PASSING_CODES =
  /^(ECONNRESET|ECONNREFUSED|EPIPE|ETIMEDOUT|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH)$/;
const PASSING_WORDS =
  /connection terminated|connection is closed|timed out|timeout|max retries per request|LOADING|closed the connection|not queryable|client was closed|socket has been ended/i;

/** Repeats `ask` after transient errors; all others are thrown unchanged. */
export async function retried<T>(
  address: QueueAddress,
  ask: () => Promise<T>,
  patience: keyof typeof ATTEMPTS = 'long',
): Promise<T> {
  let hasAnswered = patience === 'long';
  for (let attempt = 1; ; attempt++) {
    try {
      return await ask();
    } catch (error) {
      if (error instanceof CommandError) throw error;
      const isWrongAddress = WRONG_ADDRESS.test(codeOf(error));
      hasAnswered ||= !isWrongAddress; // a restarting server refuses connections for a while, too
      const isPassing = isPassingProblem(error) && hasAnswered;
      if (isPassing && attempt === ATTEMPTS[patience])
        throw new CommandError(`${queueProblem(address, error)} (asked ${attempt} times)`, { cause: error });
      // if the first request fails, the server is misconfigured
      if (!isPassing && patience === 'short')
        throw new CommandError(queueProblem(address, error), { cause: error });
      if (!isPassing) throw error;
      await sleep(Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** attempt) * (0.5 + Math.random()));
    }
  }
}

/** The code of an error, or of the first of an aggregate. */
function codeOf(error: unknown): string {
  const { code, errors } = error as NodeJS.ErrnoException & { errors?: readonly unknown[] };
  return code ?? (errors && errors.length > 0 ? codeOf(errors[0]) : '');
}

function isPassingProblem(error: unknown): boolean {
  const {
    code = '',
    message = '',
    errors,
  } = error as NodeJS.ErrnoException & { errors?: readonly unknown[] };
  return (
    PASSING_CODES.test(code) ||
    (/^[0-9A-Z]{5}$/.test(code) && PASSING_STATES.test(code)) ||
    PASSING_WORDS.test(message) ||
    errors?.some(isPassingProblem) === true
  );
}
