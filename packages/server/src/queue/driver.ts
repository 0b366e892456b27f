/**
 * The packages that reach a queue, loaded when there is one. They are CommonJS: `import` would look through every file
 * of theirs for names first, which takes as long again as to load them.
 */
import { createRequire } from 'node:module';
import { CommandError } from '@impinge/cli/internal/command-error.js';
import { installOptional } from '../optional-packages.js';

/** Of BullMQ's own tables and keys. */
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
