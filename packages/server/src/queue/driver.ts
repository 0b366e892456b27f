/**
 * The packages that connect to a queue, loaded on demand. They are CommonJS: `import` would scan all their files for
 * exports first, which doubles the load time.
 */
import { createRequire } from 'node:module';
import { CommandError } from '@impinge/cli/internal/command-error.js';
import { installOptional } from '../optional-packages.js';

/** Schema and key prefix of BullMQ's own data. */
export const BULLMQ_NAMESPACE = 'impinge_queue';

const load = createRequire(import.meta.url);

export const loadPg = () => load('pg') as typeof import('pg');
export const loadBullmq = () => load('bullmq') as typeof import('bullmq');

export function loadRedis() {
  try {
    return (load('ioredis') as typeof import('ioredis')).Redis;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'MODULE_NOT_FOUND') throw error;
    throw new CommandError(`--queue: redis:// needs the package ioredis: ${installOptional('ioredis')}`);
  }
}
