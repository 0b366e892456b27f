/** The packages that reach a queue, loaded when there is one. */
import { CommandError } from '../command-error.js';

export async function driver<T>(name: string, load: () => Promise<T>): Promise<T> {
  try {
    return await load();
  } catch (error) {
    if (!/^(ERR_)?MODULE_NOT_FOUND$/.test((error as NodeJS.ErrnoException).code ?? '')) throw error;
    throw new CommandError(`--queue: the package ${name} is missing; npm install ${name}`);
  }
}

export const loadPg = () => driver('pg', async () => (await import('pg')).default);
export const loadRedis = () => driver('ioredis', async () => (await import('ioredis')).Redis);
export const loadBullmq = (): Promise<typeof import('bullmq')> => driver('bullmq', () => import('bullmq'));
