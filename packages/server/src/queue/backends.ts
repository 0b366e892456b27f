/** The servers that a queue can be on: one file and one entry here for each kind. */
import { CommandError } from '@impinge/cli/internal/command-error.js';
import type { QueueAddress, QueueBackend } from './queue-address.js';
import type { ResultTable } from './result-table.js';

interface BackendEntry {
  /** URL schemes; the first is the one shown to users. */
  readonly schemes: readonly string[];
  /** An example address. */
  readonly example: string;
  load(): Promise<QueueBackend>;
}

export const BACKENDS: Readonly<Record<string, BackendEntry>> = {
  postgres: {
    schemes: ['postgres', 'postgresql'],
    example: 'postgres://host/database',
    load: async () => (await import('./postgres-backend.js')).postgresBackend,
  },
  redis: {
    schemes: ['redis', 'rediss'],
    example: 'redis://host',
    load: async () => (await import('./redis-backend.js')).redisBackend,
  },
};

/** `postgres://host/database or redis://host`, for help and messages. */
export const QUEUE_EXAMPLES = Object.values(BACKENDS)
  .map(({ example }) => example)
  .join(' or ');

export function queueAddress(text: string): QueueAddress {
  const expected = `expected an address such as ${QUEUE_EXAMPLES}`;
  if (!URL.canParse(text)) throw new CommandError(`--queue: ${expected}`);
  const { protocol, host, pathname } = new URL(text);
  const isMeant = ({ schemes }: BackendEntry) => schemes.some((scheme) => `${scheme}:` === protocol);
  const [backend, entry] = Object.entries(BACKENDS).find(([, one]) => isMeant(one)) ?? [];
  if (backend === undefined || !entry)
    throw new CommandError(`--queue: ${protocol}// is not supported; ${expected}`);
  return { backend, url: text, display: `${protocol}//${host}${pathname}`, load: entry.load };
}

export async function openResultTable(address: QueueAddress): Promise<ResultTable> {
  return (await address.load()).openResults(address);
}
