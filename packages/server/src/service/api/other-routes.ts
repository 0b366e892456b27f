/** Routes for webhooks, tokens and administration. */

import { RequestError } from '@impinge/cli/internal/server/request-error.js';
import * as v from 'valibot';
import { allowedUrl } from '../network/guarded-request.js';
import type { ServiceParts } from '../service-parts.js';
import { projectOf } from './actions.js';
import { json, nothing, type Route, route } from './route.js';
import * as s from './schemas.js';

const DELIVERIES_SHOWN = 100;

export function webhookRoutes(parts: ServiceParts): Route[] {
  const { webhooks, settings } = parts;
  const params = { project: s.id };
  return [
    route('GET', '/api/v1/projects/{project}/webhooks', {
      summary: 'The webhooks of a project and their recent deliveries.',
      role: 'admin',
      params,
      answers: {
        200: {
          description: 'Without their secrets.',
          schema: v.object({ webhooks: v.array(s.webhook), deliveries: v.array(s.delivery) }),
        },
      },
      handle: async ({ params: { project } }) => {
        await projectOf(parts, project);
        return json({
          webhooks: await webhooks.list(project),
          deliveries: await webhooks.deliveries(project, DELIVERIES_SHOWN),
        });
      },
    }),
    route('POST', '/api/v1/projects/{project}/webhooks', {
      summary: 'Notify an address of events of the project.',
      role: 'admin',
      params,
      body: s.newWebhook,
      answers: {
        201: { description: 'Includes the signing secret, shown only once.', schema: s.webhookWithSecret },
      },
      handle: async ({ params: { project }, body: { address, events } }) => {
        await projectOf(parts, project);
        allowedUrl(address, settings.network);
        return json(await webhooks.create(project, address, events), 201);
      },
    }),
    route('DELETE', '/api/v1/projects/{project}/webhooks/{webhook}', {
      summary: 'Remove a webhook.',
      role: 'admin',
      params: { ...params, webhook: s.id },
      answers: { 204: { description: 'Deleted.' } },
      handle: async ({ params: { project, webhook } }) => {
        if (!(await webhooks.remove(project, webhook)))
          throw new RequestError(404, 'there is no such webhook');
        return nothing();
      },
    }),
  ];
}

export function tokenRoutes({ tokens }: ServiceParts): Route[] {
  return [
    route('GET', '/api/v1/tokens', {
      summary: 'All tokens, without their secrets.',
      role: 'admin',
      answers: { 200: { description: 'The oldest first.', schema: v.object({ tokens: v.array(s.token) }) } },
      handle: async () => json({ tokens: await tokens.list() }),
    }),
    route('POST', '/api/v1/tokens', {
      summary: 'Create a token.',
      role: 'admin',
      body: s.newToken,
      answers: { 201: { description: 'Includes the token, shown only once.', schema: s.tokenWithSecret } },
      handle: async ({ body: { name, role, projects } }) =>
        json(await tokens.create(name, role, projects), 201),
    }),
    route('DELETE', '/api/v1/tokens/{token}', {
      summary: 'Revoke a token.',
      role: 'admin',
      params: { token: s.id },
      answers: { 204: { description: 'Revoked.' } },
      handle: async ({ params: { token } }) => {
        if (!(await tokens.revoke(token))) throw new RequestError(404, 'there is no such token');
        return nothing();
      },
    }),
  ];
}

export function systemRoutes(parts: ServiceParts, describe: () => unknown): Route[] {
  const { database, runs, events, metrics } = parts;
  const status = v.object({ status: v.literal('ok') });
  return [
    route('GET', '/healthz', {
      summary: 'Whether the service is running.',
      answers: { 200: { description: 'The service is running.', schema: status } },
      handle: () => json({ status: 'ok' }),
    }),
    route('GET', '/readyz', {
      summary: 'Whether the database responds.',
      answers: {
        200: { description: 'The database responds.', schema: status },
        503: { description: 'The database does not respond.', schema: s.problem },
      },
      handle: async () => {
        try {
          await database.rows('SELECT 1');
          return json({ status: 'ok' });
        } catch {
          throw new RequestError(503, 'the database does not respond');
        }
      },
    }),
    route('GET', '/metrics', {
      summary: 'Figures for Prometheus.',
      role: 'read',
      answers: { 200: { description: 'In the Prometheus text format.', type: 'text/plain' } },
      handle: async () => {
        const { queued, running } = await runs.counts();
        return new Response(metrics.text({ queued, running, streams: events.count }), {
          headers: { 'Content-Type': 'text/plain; version=0.0.4; charset=utf-8' },
        });
      },
    }),
    route('GET', '/openapi.json', {
      summary: 'This description.',
      answers: { 200: { description: 'OpenAPI 3.1.', type: 'application/json' } },
      handle: () => json(describe()),
    }),
  ];
}
