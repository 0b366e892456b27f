/** Starts a check whose tasks are measured by queue workers. */
import { resolve } from 'node:path';
import { isRemote } from '@impinge/cli/internal/remote/location.js';
import { version } from '@impinge/cli/internal/version.js';
import type { StoredModel } from '@impinge/model';
import { openQueue } from './broker.js';
import { Coordinator, type CoordinatorOptions } from './coordinator.js';
import type { QueueAddress } from './queue-address.js';

/** Opens the queue for a check of a model, whose store is at `path`. */
export async function openCoordinator(
  address: QueueAddress,
  { fingerprint }: StoredModel,
  path: string,
  options: Pick<CoordinatorOptions, 'key' | 'onIdle'>,
): Promise<Coordinator> {
  const store = { store: isRemote(path) ? path : resolve(path), fingerprint, version: version() };
  return new Coordinator({ ...options, ...(await openQueue(address)), store });
}
