/** Where a queue is: `postgres://…` or `redis://…`. What gives access to it is never printed. */
import { CommandError } from '@impinge/cli/internal/command-error.js';

export interface QueueAddress {
  readonly kind: 'postgres' | 'redis';
  /** As it was given. */
  readonly url: string;
  /** Without what gives access to it. */
  readonly display: string;
}

const KINDS: Readonly<Record<string, QueueAddress['kind']>> = {
  'postgres:': 'postgres',
  'postgresql:': 'postgres',
  'redis:': 'redis',
  'rediss:': 'redis',
};

export function queueAddress(text: string): QueueAddress {
  let url: URL;
  try {
    url = new URL(text);
  } catch {
    throw new CommandError('--queue: expected an address such as postgres://host/database or redis://host');
  }
  const kind = Object.hasOwn(KINDS, url.protocol) ? KINDS[url.protocol] : undefined;
  if (kind === undefined)
    throw new CommandError(`--queue: ${url.protocol}// is neither postgres:// nor redis://`);
  return { kind, url: text, display: `${url.protocol}//${url.host}${url.pathname}` };
}

export function idleNote({ display }: QueueAddress): string {
  return `no worker is connected to ${display}; start "impinge worker --queue …"`;
}

/** What is wrong with a queue, in one line, without what gives access to it. */
export function queueProblem({ display }: QueueAddress, error: unknown): string {
  return `${display}: ${causeOf(error)}`;
}

/** The drivers gather what went wrong with each address of a name, and some of their messages are empty. */
function causeOf(error: unknown): string {
  const { message, code, errors } = error as NodeJS.ErrnoException & { readonly errors?: readonly unknown[] };
  if (code === 'ECONNREFUSED') return 'no response; is the server running?';
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN') return 'no such host';
  if (code === 'ETIMEDOUT') return 'no answer in time';
  if (!message && errors && errors.length > 0) return causeOf(errors[0]);
  const text = String(message || code || error).split('\n')[0];
  return text.replace(/\/\/[^/@\s]*@/g, '//');
}
