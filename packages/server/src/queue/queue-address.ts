/** The address of a queue. Credentials are never printed. */
import type { ResultTable } from './result-table.js';

export interface QueueAddress {
  /** Its key in the table of backends. */
  readonly backend: string;
  /** As given by the user. */
  readonly url: string;
  /** Without credentials. */
  readonly display: string;
  load(): Promise<QueueBackend>;
}

/** A kind of server that a queue can be on. */
export interface QueueBackend {
  /** BullMQ's classes for it, and their connection settings. */
  connect(address: QueueAddress): { readonly classes: typeof import('bullmq'); readonly connection: object };
  /** Opens the result table of a queue. */
  openResults(address: QueueAddress): Promise<ResultTable>;
}

export function idleNote({ display }: QueueAddress): string {
  return `no worker is connected to ${display}; start "impinge worker --queue …"`;
}

/** A one-line message about a queue, without credentials. */
export function queueProblem({ display }: QueueAddress, error: unknown): string {
  return `${display}: ${causeOf(error)}`;
}

/** The drivers aggregate the errors of all addresses of a name, and some messages are empty. */
function causeOf(error: unknown): string {
  const { message, code, errors } = error as NodeJS.ErrnoException & { readonly errors?: readonly unknown[] };
  if (code === 'ECONNREFUSED') return 'no response; is the server running?';
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN') return 'no such host';
  if (code === 'ETIMEDOUT') return 'no response in time';
  if (!message && errors && errors.length > 0) return causeOf(errors[0]);
  const text = String(message || code || error).split('\n')[0];
  return text.replace(/\/\/[^/@\s]*@/g, '//');
}
