/**
 * The packages that reach a queue, loaded when there is one. They are CommonJS: `import` would look through every file of
 * theirs for names first, which takes as long again as to load them.
 */
import { createRequire } from 'node:module';
import { CommandError } from '../command-error.js';

function load<T>(name: string): T {
  try {
    return createRequire(import.meta.url)(name) as T;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'MODULE_NOT_FOUND') throw error;
    throw new CommandError(`--queue: the package ${name} is missing; npm install ${name}`);
  }
}

export const loadPg = () => load<typeof import('pg')>('pg');
export const loadRedis = () => load<typeof import('ioredis')>('ioredis').Redis;
export const loadBullmq = () => load<typeof import('bullmq')>('bullmq');
