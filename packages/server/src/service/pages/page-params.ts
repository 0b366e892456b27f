/** Parameters of the addresses of pages. */
import { RequestError } from '@impinge/cli/internal/server/request-error.js';
import * as v from 'valibot';
import { id } from '../api/schemas.js';
import type { ServiceContext } from '../service-env.js';

export function idOf(c: ServiceContext, name: string): string {
  const given = c.req.param(name) ?? '';
  if (!v.is(id, given)) throw new RequestError(404, 'not found');
  return given;
}
