/** Questions to a server that may be gone for a while: cut off, restarted, too slow. */
import { setTimeout as sleep } from 'node:timers/promises';
import { CommandError } from '@impinge/cli/internal/command-error.js';
import { type QueueAddress, queueProblem } from './queue-address.js';

const FIRST_WAIT_MS = 100;
const LONGEST_WAIT_MS = 5000;
/** About two minutes, with what each attempt takes on top; at the start half a minute. */
const ATTEMPTS = { long: 30, short: 10 };

/** Before the first response, these are more likely a mistake in the address. */
const WRONG_ADDRESS = /^(ECONNREFUSED|ENOTFOUND|EHOSTUNREACH|ENETUNREACH)$/;

/** SQLSTATEs of a server that is not able to answer now: connections, resources, shutting down, deadlocks. */
const PASSING_STATES = /^(08|53|57P0|40001|40P01)/;
const PASSING_CODES =
  /^(ECONNRESET|ECONNREFUSED|EPIPE|ETIMEDOUT|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH)$/;
const PASSING_WORDS =
  /connection terminated|connection is closed|timed out|timeout|max retries per request|LOADING|closed the connection|not queryable|client was closed|socket has been ended/i;

/** Asks again where the server could not answer; what is wrong with the question itself is thrown as it is. */
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
      hasAnswered ||= !isWrongAddress; // a server that starts again is not there for a while, too
      const isPassing = isPassingProblem(error) && hasAnswered;
      if (isPassing && attempt === ATTEMPTS[patience])
        throw new CommandError(`${queueProblem(address, error)} (asked ${attempt} times)`, { cause: error });
      // what is wrong with the first question is wrong with the server
      if (!isPassing && patience === 'short')
        throw new CommandError(queueProblem(address, error), { cause: error });
      if (!isPassing) throw error;
      await sleep(Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** attempt) * (0.5 + Math.random()));
    }
  }
}

/** Of one, or of the first of several. */
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
