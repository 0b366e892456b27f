/** Where a queue is. What gives access to it is never printed. */
import type { ResultTable } from './result-table.js';

export interface QueueAddress {
  /** Its name in the table of backends. */
  readonly backend: string;
  /** As it was given. */
  readonly url: string;
  /** Without what gives access to it. */
  readonly display: string;
  load(): Promise<QueueBackend>;
}

/** A kind of server that queues can be on. */
export interface QueueBackend {
  /** BullMQ's classes for it, and what they connect with. */
  connect(address: QueueAddress): { readonly classes: typeof import('bullmq'); readonly connection: object };
  /** The results beside a queue. */
  openResults(address: QueueAddress): Promise<ResultTable>;
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
