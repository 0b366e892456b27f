/**
 * The packages that reach a queue, loaded when there is one. They are CommonJS: `import` would look through every file
 * of theirs for names first, which takes as long again as to load them.
 */
import { createRequire } from 'node:module';
import { assertInstalled } from '../optional-packages.js';
import type { QueueAddress } from './queue-address.js';

type Kind = QueueAddress['kind'];

/** What a queue takes. */
export function queuePackages(kind: Kind): readonly string[] {
  return ['bullmq', kind === 'postgres' ? 'pg' : 'ioredis'];
}

function load<T>(name: string, kind: Kind): T {
  assertInstalled('--queue', queuePackages(kind));
  return createRequire(import.meta.url)(name) as T;
}

export const loadPg = () => load<typeof import('pg')>('pg', 'postgres');
export const loadRedis = () => load<typeof import('ioredis')>('ioredis', 'redis').Redis;
export const loadBullmq = (kind: Kind) => load<typeof import('bullmq')>('bullmq', kind);
