/** Unresponsive webhooks delay no other project's. */
import type { Server } from 'node:http';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Metrics } from '../src/service/metrics.js';
import { Database } from '../src/service/state/database.js';
import { Projects } from '../src/service/state/projects.js';
import { Runs } from '../src/service/state/runs.js';
import { Webhooks } from '../src/service/state/webhooks.js';
import { WebhookSender } from '../src/service/webhook-sender.js';
import { httpServer } from './local-servers.js';
import { databaseServer, HAS_POSTGRES, PATIENT } from './service-client.js';

describe.skipIf(!HAS_POSTGRES)('webhooks', () => {
  const newDatabase = databaseServer();
  let server: Server;
  let database: Database;
  let base: string;
  const asked = { silent: 0, quick: 0 };
  let most = 0;

  beforeAll(async () => {
    database = await Database.open(await newDatabase(), () => {});
    ({ server, base } = await httpServer(({ url, socket }, response) => {
      const kind = url === '/silent' ? 'silent' : 'quick';
      asked[kind]++;
      if (kind === 'quick') return response.end();
      most = Math.max(most, asked.silent);
      socket.on('close', () => asked.silent--);
    }));
  });
  afterAll(async () => {
    server?.closeAllConnections();
    server?.close();
    await database?.close();
  });

  test('each project has one message under way, and its others follow', async () => {
    const [projects, runs, webhooks] = [new Projects(database), new Runs(database), new Webhooks(database)];
    const projectWith = async (path: string, count: number) => {
      const { id } = await projects.create({ name: path });
      await webhooks.create(id, base + path);
      for (let i = 0; i < count; i++) {
        const run = await runs.start(id, {}, [], { inAll: 1000, ofProject: 1000 });
        await runs.finish(run!.id, 'cancelled', () => '{}');
      }
      return id;
    };
    const silent = await projectWith('/silent', 20);
    const quick = await projectWith('/quick', 12);
    const sender = new WebhookSender({
      ...{ webhooks, metrics: new Metrics(), retryMs: 60_000 },
      network: { allowPrivate: true },
      log: { info: () => {}, error: () => {} },
    });
    try {
      sender.wake();
      await expect.poll(() => asked.quick, PATIENT).toBe(12);
      const statesOf = async (project: string) =>
        (await webhooks.deliveries(project, 100)).map(({ state }) => state);
      await expect.poll(async () => new Set(await statesOf(quick)), PATIENT).toEqual(new Set(['sent']));
      expect(most).toBe(1);
      expect(await statesOf(silent)).toContain('waiting');
    } finally {
      await sender.stop();
    }
    // messages interrupted by the stop are still pending
    expect(new Set((await webhooks.deliveries(silent, 100)).map(({ state }) => state))).toEqual(
      new Set(['waiting']),
    );
  });
});
