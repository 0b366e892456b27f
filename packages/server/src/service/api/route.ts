/**
 * What there is to ask for: a table of these is what requests are answered by, and what the description of the API is
 * made of.
 */
import type { IncomingMessage } from 'node:http';
import type * as v from 'valibot';
import type { Role, Token } from './schemas.js';

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

type Entries = Readonly<Record<string, v.GenericSchema<unknown, unknown>>>;
type Values<E extends Entries> = { readonly [K in keyof E]: v.InferOutput<E[K]> };

/** What is asked, when it was found to be in order. */
export interface Exchange<P extends Entries = Entries, Q extends Entries = Entries, B = unknown> {
  readonly params: Values<P>;
  readonly query: Values<Q>;
  readonly body: B;
  /** The token of the request; undefined for public routes. */
  readonly token: Token | undefined;
  readonly request: IncomingMessage;
  /** Ends when the client goes away, or the service does. */
  readonly signal: AbortSignal;
}

export interface RouteAnswer {
  readonly description: string;
  /** Of the JSON; without one, `type` says what there is. */
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
  /** Also with tokens for some projects only, though it names none: what it tells is chosen for them. */
  readonly isForAnyToken: boolean;
  readonly params: Entries;
  readonly query: Entries;
  /** Of the JSON that is sent, or `file`: bytes, which the answer reads by itself. */
  readonly body: v.GenericSchema | 'file' | undefined;
  /** By status. */
  readonly answers: Readonly<Record<number, RouteAnswer>>;
  readonly handle: (exchange: Exchange) => Promise<Response> | Response;
}

interface RouteGiven<P extends Entries, Q extends Entries, B extends v.GenericSchema<unknown, unknown>> {
  readonly summary: string;
  readonly role?: Role;
  readonly isForAnyToken?: boolean;
  readonly params?: P;
  readonly query?: Q;
  readonly body?: B | 'file';
  readonly answers: Readonly<Record<number, RouteAnswer>>;
  readonly handle: (exchange: Exchange<P, Q, v.InferOutput<B>>) => Promise<Response> | Response;
}

/** One row, whose answer gets what its schemas say. */
export function route<
  P extends Entries = Record<never, never>,
  Q extends Entries = Record<never, never>,
  B extends v.GenericSchema<unknown, unknown> = v.GenericSchema<undefined, undefined>,
>(method: Method, path: string, given: RouteGiven<P, Q, B>): Route {
  const { summary, role, isForAnyToken = false, params = {}, query = {}, body, answers, handle } = given;
  return {
    ...{ method, path, summary, role, isForAnyToken, params, query, answers },
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
