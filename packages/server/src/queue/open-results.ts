/** The results beside a queue, wherever that is. */
import type { QueueAddress } from './queue-address.js';
import type { ResultTable } from './result-table.js';

export async function openResultTable(address: QueueAddress): Promise<ResultTable> {
  return address.kind === 'postgres'
    ? (await import('./postgres-results.js')).openPostgresResults(address)
    : (await import('./redis-results.js')).openRedisResults(address);
}
