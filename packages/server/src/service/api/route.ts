/** A row of the route table, which both dispatches requests and generates the OpenAPI description. */
import type { IncomingMessage } from 'node:http';
import type * as v from 'valibot';
import type { Role, Token } from './schemas.js';

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

type Entries = Readonly<Record<string, v.GenericSchema<unknown, unknown>>>;
type Values<E extends Entries> = { readonly [K in keyof E]: v.InferOutput<E[K]> };

/** A validated request. */
export interface Exchange<P extends Entries = Entries, Q extends Entries = Entries, B = unknown> {
  readonly params: Values<P>;
  readonly query: Values<Q>;
  readonly body: B;
  /** The token of the request; undefined for public routes. */
  readonly token: Token | undefined;
  readonly request: IncomingMessage;
  /** Aborts when the client disconnects or the service stops. */
  readonly signal: AbortSignal;
}

export interface RouteAnswer {
  readonly description: string;
  /** Schema of a JSON response; without one, `type` is its media type. */
  readonly schema?: v.GenericSchema;
  readonly type?: string;
}

export interface Route {
  readonly method: Method;
  /** With parameters in braces. */
  readonly path: string;
  readonly summary: string;
  /** Required role; undefined: public. */
  readonly role: Role | undefined;
  /** Whether tokens for some projects may use it although it names no project: its response is filtered for them. */
  readonly isForAnyToken: boolean;
  /** Whether unknown parameters are ignored, as specifications of others demand. */
  readonly isLenient: boolean;
  readonly params: Entries;
  readonly query: Entries;
  /** Schema of the JSON body, or `file`: bytes that the handler reads itself. */
  readonly body: v.GenericSchema | 'file' | undefined;
  /** Of a JSON body, at most; undefined: as usual. */
  readonly bodyBytes: number | undefined;
  /** By status. */
  readonly answers: Readonly<Record<number, RouteAnswer>>;
  readonly handle: (exchange: Exchange) => Promise<Response> | Response;
}

interface RouteGiven<P extends Entries, Q extends Entries, B extends v.GenericSchema<unknown, unknown>> {
  readonly summary: string;
  readonly role?: Role;
  readonly isForAnyToken?: boolean;
  readonly isLenient?: boolean;
  readonly params?: P;
  readonly query?: Q;
  readonly body?: B | 'file';
  readonly bodyBytes?: number;
  readonly answers: Readonly<Record<number, RouteAnswer>>;
  readonly handle: (exchange: Exchange<P, Q, v.InferOutput<B>>) => Promise<Response> | Response;
}

/** Makes a row whose handler gets the types of its schemas. */
export function route<
  P extends Entries = Record<never, never>,
  Q extends Entries = Record<never, never>,
  B extends v.GenericSchema<unknown, unknown> = v.GenericSchema<undefined, undefined>,
>(method: Method, path: string, given: RouteGiven<P, Q, B>): Route {
  const { summary, role, isForAnyToken = false, isLenient = false, params = {}, query = {} } = given;
  const { body, bodyBytes, answers, handle } = given;
  return {
    ...{ method, path, summary, role, isForAnyToken, isLenient, params, query, bodyBytes, answers },
    body: body as Route['body'],
    handle: handle as unknown as Route['handle'],
  };
}

export function json(value: unknown, status = 200, headers: Readonly<Record<string, string>> = {}): Response {
  return new Response(JSON.stringify(value), {
    status,
    headers: { 'Content-Type': 'application/json; charset=utf-8', ...headers },
  });
}

export function nothing(): Response {
  return new Response(null, { status: 204 });
}
