/** The request pipeline: hono finds the route; headers, metrics, authentication and validation are here. */

import { CommandError } from '@impinge/cli/internal/command-error.js';
import { RequestError } from '@impinge/cli/internal/server/request-error.js';
import { message } from '@impinge/cli/internal/wire/text.js';
import { type Context, Hono } from 'hono';
import * as v from 'valibot';
import { openApi } from './api/openapi.js';
import { systemRoutes, tokenRoutes, webhookRoutes } from './api/other-routes.js';
import { projectRoutes } from './api/project-routes.js';
import { reviewRoutes } from './api/review-routes.js';
import { type Exchange, json, nothing, type Route } from './api/route.js';
import { runRoutes } from './api/run-routes.js';
import { bcfRoutes } from './bcf/bcf-routes.js';
import { addPages } from './pages/pages.js';
import { readJson, valid } from './request-body.js';
import { RequestGuard } from './request-guard.js';
import type { ServiceContext, ServiceEnv } from './service-env.js';
import type { ServiceParts } from './service-parts.js';

const HEADERS: Readonly<Record<string, string>> = {
  'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'",
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'no-referrer',
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Cache-Control': 'no-store',
};

/** Web clients of the BCF API have other origins; they send tokens, and no cookies. */
const ANY_ORIGIN: Readonly<Record<string, string>> = {
  'Access-Control-Allow-Origin': '*',
  'Access-Control-Allow-Headers': 'Authorization, Content-Type, Accept',
  'Access-Control-Allow-Methods': 'GET, POST, PUT, OPTIONS',
  'Cross-Origin-Resource-Policy': 'cross-origin',
};

function isOpenCde(path: string): boolean {
  return /^\/(?:bcf|foundation)\//.test(path);
}

export function apiRoutes(parts: ServiceParts): Route[] {
  const routes: Route[] = [
    ...systemRoutes(parts, () => openApi(routes)),
    ...projectRoutes(parts),
    ...runRoutes(parts),
    ...reviewRoutes(parts),
    ...bcfRoutes(parts),
    ...webhookRoutes(parts),
    ...tokenRoutes(parts),
  ];
  return routes;
}

export function serviceApp(parts: ServiceParts): Hono<ServiceEnv> {
  const { metrics, log, settings, stopping } = parts;
  const guard = new RequestGuard(parts.tokens, parts.runs, settings);
  const app = new Hono<ServiceEnv>();

  app.use(async (c, next) => {
    const began = performance.now();
    await next();
    const usual = isOpenCde(c.req.path) ? { ...HEADERS, ...ANY_ORIGIN } : HEADERS;
    for (const [name, value] of Object.entries(usual))
      if (!c.res.headers.has(name)) c.res.headers.set(name, value);
    // the unread body of a refused request is not awaited
    if (c.res.status >= 400 && c.req.method !== 'GET') c.res.headers.set('Connection', 'close');
    const { status } = c.res;
    const route = c.get('route') ?? 'none';
    metrics.request(c.req.method, route, status);
    const ms = Math.round(performance.now() - began);
    log.info('request', { method: c.req.method, route, status, ms });
  });
  app.use(async (c, next) => {
    guard.assertHost(c.env.incoming);
    await next();
  });

  for (const route of apiRoutes(parts)) {
    app.on(route.method, route.path.replace(/\{(\w+)\}/g, ':$1'), async (c) => {
      c.set('route', route.path);
      return route.handle(await exchangeOf(c, route, guard, settings.limits.bodyMs, stopping));
    });
  }
  addPages(app, parts, guard);
  for (const path of ['/bcf/*', '/foundation/*']) app.options(path, () => nothing());

  app.notFound((c) => problemOf(c, 'not found', 404));
  app.onError((error, c) => {
    if (error instanceof RequestError)
      return problemOf(c, message(error.message), error.status, error.headers);
    if (error instanceof CommandError) return problemOf(c, message(error.lines.join(' ')), 400);
    // the client has disconnected
    if (c.env.incoming.socket.destroyed) return problemOf(c, 'the request was cut off', 400);
    log.error('internal-error', { route: c.get('route'), error: error.stack });
    return problemOf(c, 'internal error', 500);
  });
  return app;
}

/** The BCF API has its own name for the text. */
function problemOf(
  { req }: Context<ServiceEnv>,
  error: string,
  status: number,
  headers?: Readonly<Record<string, string>>,
): Response {
  return json({ error, ...(isOpenCde(req.path) && { message: error }) }, status, headers);
}

async function exchangeOf(
  c: ServiceContext,
  route: Route,
  guard: RequestGuard,
  bodyMs: number,
  stopping: AbortSignal,
): Promise<Exchange> {
  const { incoming, outgoing } = c.env;
  const caller = await guard.caller(incoming);
  if (route.role !== undefined) {
    guard.assertRole(caller, route.role);
    if (route.method !== 'GET') guard.assertMeant(caller, incoming);
  }
  const params = valid(v.object(route.params), c.req.param());
  if (caller && route.role !== undefined && !route.isForAnyToken)
    await guard.assertWithin(caller, params as { project?: string; run?: string });
  const queries = route.isLenient ? v.object(route.query) : v.strictObject(route.query);
  const query = valid(queries, c.req.query());
  const body =
    route.body === undefined || route.body === 'file'
      ? undefined
      : valid(route.body, await readJson(incoming, bodyMs, route.bodyBytes));
  const gone = new AbortController();
  outgoing.once('close', () => gone.abort());
  const signal = AbortSignal.any([gone.signal, stopping]);
  return { params, query, body, token: caller?.token, request: incoming, signal };
}
