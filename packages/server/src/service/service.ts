/** Starts the components of the service in order, and stops them in reverse. */
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { getRequestListener } from '@hono/node-server';
import { CommandError } from '@impinge/cli/internal/command-error.js';
import { listen } from '@impinge/cli/internal/server/listen.js';
import { type EmbeddedDatabase, startDatabase } from '../embedded-database.js';
import type { Run } from './api/schemas.js';
import { serviceApp } from './app.js';
import { Folders } from './folders.js';
import { LocalWorker } from './local-worker.js';
import type { Log } from './log.js';
import { Metrics } from './metrics.js';
import { Reports } from './reports.js';
import { Retention } from './retention.js';
import { RunEvents } from './run-events.js';
import { Runner } from './runner.js';
import type { ServiceParts } from './service-parts.js';
import type { ServiceSettings } from './settings.js';
import { ClashSpans } from './state/clash-spans.js';
import { Database } from './state/database.js';
import { Decisions } from './state/decisions.js';
import { Projects } from './state/projects.js';
import { Remarks } from './state/remarks.js';
import { Runs } from './state/runs.js';
import { Tokens } from './state/tokens.js';
import { Webhooks } from './state/webhooks.js';
import { ViewerExports } from './viewer-exports.js';
import { WebhookSender } from './webhook-sender.js';

const SIZES = { connections: 2048, headerBytes: 16 << 10 };
const DRAIN_MS = 5000;

export interface Service {
  /** Such as `http://127.0.0.1:8080/`. */
  readonly address: string;
  /** The admin token created by the first start. */
  readonly firstToken: string | undefined;
  readonly parts: ServiceParts;
  /** Rejects when the service cannot continue. */
  readonly failed: Promise<never>;
  stop(): Promise<void>;
}

export async function startService(settings: ServiceSettings, log: Log): Promise<Service> {
  const stack: (() => Promise<void>)[] = [];
  const stop = async () => {
    for (let last = stack.pop(); last; last = stack.pop()) await last();
  };
  try {
    const folders = new Folders(settings.data);
    let embedded: EmbeddedDatabase | undefined;
    let isOurs = true;
    if (settings.database === undefined) {
      embedded = await startDatabase(settings.data);
      isOurs = !embedded.wasRunning;
      stack.push(async () => {
        if (isOurs) await embedded!.stop();
      });
    }
    const url = settings.database ?? embedded!.url;
    const database = await Database.open(url, (error) => log.error('database', { error: error.message }));
    stack.push(() => database.close());
    let fail: (error: Error) => void = () => {};
    const failed = new Promise<never>((_, reject) => {
      fail = reject;
    });
    // reported where it is awaited; it must not be an unhandled rejection
    failed.catch(() => {});
    await database.hold(url, () => fail(new CommandError('the connection to the database is lost')));
    // the lock is held from here on: database and files of a killed process now belong to this one
    isOurs = true;
    await folders.make();
    const state = {
      tokens: new Tokens(database),
      projects: new Projects(database),
      runs: new Runs(database),
      webhooks: new Webhooks(database),
      decisions: new Decisions(database),
      remarks: new Remarks(database),
      spans: new ClashSpans(database),
    };
    const [metrics, events] = [new Metrics(), new RunEvents()];
    const reports = new Reports(folders, state.runs);
    const shared = { settings, folders, metrics, log, events, reports, ...state };
    const sender = new WebhookSender({ ...shared, network: settings.network, retryMs: settings.retryMs });
    stack.push(() => sender.stop());
    const retention = new Retention(shared);
    stack.push(() => retention.stop());
    await retention.begin();
    if (settings.queue !== undefined && settings.worker) {
      const worker = new LocalWorker(settings.queue, settings, log);
      stack.push(() => worker.stop());
    }
    const viewers = new ViewerExports(folders, settings);
    stack.push(() => viewers.stop());
    const base = { address: '' };
    const runner = new Runner({
      ...shared,
      bodyOf: (run) => webhookBody(run, base.address),
      onDecided: (project, revision) => {
        events.decided(project, revision);
        sender.wake();
      },
      onFinished: () => {
        sender.wake();
        void retention.sweep();
      },
    });
    stack.push(() => runner.stop());
    const stopping = new AbortController();
    const own = { database, retention, viewers, runner, sender, stopping: stopping.signal };
    const parts: ServiceParts = { ...shared, ...own };
    const firstToken = await state.tokens.createFirst();
    const { host, port, limits } = settings;
    const server = await listen(host, port, { ...SIZES, ...limits, requestMs: 0 });
    const app = serviceApp(parts);
    server.on('request', getRequestListener(app.fetch, { overrideGlobalObjects: false }));
    stack.push(() => closed(server, stopping));
    const address = addressOf(server);
    base.address = settings.publicUrl?.href ?? address;
    await runner.start();
    sender.wake();
    return { address, firstToken, parts, failed, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

function webhookBody(run: Run, base: string): string {
  return JSON.stringify({ event: 'run-finished', run, page: new URL(`runs/${run.id}`, base).href });
}

function addressOf(server: Server): string {
  const { address, family, port } = server.address() as AddressInfo;
  return `http://${family === 'IPv6' ? `[${address}]` : address}:${port}/`;
}

/** Pending responses may finish until a deadline; event streams are ended. */
async function closed(server: Server, stopping: AbortController): Promise<void> {
  const done = new Promise<void>((resolve) => server.close(() => resolve()));
  stopping.abort();
  server.closeIdleConnections();
  const late = setTimeout(() => server.closeAllConnections(), DRAIN_MS);
  await done;
  clearTimeout(late);
}
