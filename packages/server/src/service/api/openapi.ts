/** The table of routes as OpenAPI 3.1. */

import { version } from '@impinge/cli/internal/version.js';
import type * as v from 'valibot';
import { jsonSchema } from './json-schema.js';
import type { Route, RouteAnswer } from './route.js';
import { problem } from './schemas.js';

/** Errors that any request of a kind may cause. */
const PROBLEMS = {
  400: 'The request is invalid; the response says why.',
  401: 'A token is needed.',
  403: 'The role of the token does not permit this.',
  404: 'Not found.',
  413: 'The request is too large.',
  429: 'Too many requests; Retry-After says how long to wait.',
} as const;

export function openApi(routes: readonly Route[]): unknown {
  const paths: Record<string, Record<string, unknown>> = {};
  for (const route of routes) {
    paths[route.path] ??= {};
    paths[route.path][route.method.toLowerCase()] = operation(route);
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'impinge serve',
      version: version(),
      description: 'Checks the models of projects for clashes and keeps the results.',
    },
    paths,
    components: { securitySchemes: { token: { type: 'http', scheme: 'bearer' } } },
  };
}

function operation({ method, path, summary, role, params, query, body, answers }: Route): unknown {
  const problems = Object.entries(PROBLEMS).filter(([status]) => {
    if (status === '401' || status === '403') return role !== undefined;
    if (status === '404') return Object.keys(params).length > 0;
    if (status === '413') return body !== undefined;
    return status === '429' || body !== undefined || Object.keys({ ...params, ...query }).length > 0;
  });
  return {
    operationId: `${method.toLowerCase()}${path.replace(/[^A-Za-z0-9]+(\w)/g, (_, c: string) => c.toUpperCase()).replace(/\W/g, '')}`,
    summary,
    ...(role ? { security: [{ token: [] }], 'x-role': role } : { security: [] }),
    parameters: [
      ...Object.entries(params).map(([name, schema]) => parameter(name, 'path', schema)),
      ...Object.entries(query).map(([name, schema]) => parameter(name, 'query', schema)),
    ],
    ...(body && {
      requestBody: {
        required: true,
        content:
          body === 'file'
            ? { 'application/octet-stream': {} }
            : { 'application/json': { schema: jsonSchema(body) } },
      },
    }),
    responses: {
      ...Object.fromEntries(
        problems.map(([status, description]) => [status, answerOf({ description, schema: problem })]),
      ),
      ...Object.fromEntries(Object.entries(answers).map(([status, answer]) => [status, answerOf(answer)])),
    },
  };
}

function parameter(name: string, place: 'path' | 'query', schema: v.GenericSchema): unknown {
  const { description, ...rest } = jsonSchema(schema);
  return {
    name,
    in: place,
    required: place === 'path',
    ...(description ? { description } : {}),
    schema: rest,
  };
}

function answerOf({ description, schema, type }: RouteAnswer): unknown {
  const content = schema
    ? { 'application/json': { schema: jsonSchema(schema) } }
    : type
      ? { [type]: {} }
      : undefined;
  return { description, ...(content && { content }) };
}
