/** The types of hono's request context. */
import type { HttpBindings } from '@hono/node-server';
import type { Context } from 'hono';

export type ServiceEnv = { Bindings: HttpBindings; Variables: { route: string } };
export type ServiceContext = Context<ServiceEnv>;
