/** What leads a check whose groups are measured by workers of a queue. */
import { resolve } from 'node:path';
import { isRemote } from '@impinge/cli/internal/remote/location.js';
import { version } from '@impinge/cli/internal/version.js';
import type { StoredModel } from '@impinge/model';
import { openBroker } from './broker.js';
import { Coordinator, type CoordinatorOptions } from './coordinator.js';
import { openResultTable } from './open-results.js';
import type { QueueAddress } from './queue-address.js';

/** Opens the queue for a check of a model, whose store is at `path`. */
export async function openCoordinator(
  address: QueueAddress,
  { fingerprint }: StoredModel,
  path: string,
  options: Pick<CoordinatorOptions, 'key' | 'onIdle'>,
): Promise<Coordinator> {
  const table = await openResultTable(address);
  const broker = await openBroker(address).catch(async (error) => {
    await table.close();
    throw error;
  });
  const store = isRemote(path) ? path : resolve(path);
  return new Coordinator({ ...options, broker, table, store: { store, fingerprint, version: version() } });
}
