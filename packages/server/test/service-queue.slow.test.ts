/** A service with a queue, and models in object storage. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { impinge } from '../../cli/test/run-impinge.js';
import { openResultTable, queueAddress } from '../src/queue/backends.js';
import { workOn } from '../src/queue/broker.js';
import { quarantineText, readPairJob } from '../src/queue/job-format.js';
import type { ServiceSettings } from '../src/service/settings.js';
import { objectStorage } from './local-servers.js';
import { describeBackends, endStarted, SOME_READS, startService } from './queue-processes.js';
import {
  databaseServer,
  dataFolder,
  HAS_POSTGRES,
  overlappingBoxes,
  Served,
  settingsFor,
} from './service-client.js';

endStarted();

const folder = dataFolder();
const newDatabase = databaseServer();

async function serving<T>(
  changes: Partial<ServiceSettings>,
  act: (served: Served) => Promise<T>,
): Promise<T> {
  const database = await newDatabase();
  const served = await Served.start(
    settingsFor(join(folder, database.split('/').at(-1)!), { database, ...changes }),
  );
  try {
    return await act(served);
  } finally {
    await served.service.stop();
  }
}

/** More pairs of triangles than a check measures without the queue. */
const MANY = 100;

async function projectOfMany(served: Served): Promise<string> {
  const project = await served.project();
  await served.upload(project, 'boxes.obj', overlappingBoxes(MANY, MANY));
  return project;
}

describe.skipIf(!HAS_POSTGRES)('impinge serve', () => {
  describeBackends((backend) => {
    let queue = '';
    let redis: Promise<{ readonly url: string }> | undefined;
    /** Each test has its own queue: on Redis, a numbered database. */
    const newQueue = async (number: number) => {
      if (backend === 'postgres') return newDatabase();
      redis ??= startService(backend);
      return `${(await redis).url}/${number}`;
    };
    let count = 0;
    beforeEach(async () => {
      queue = await newQueue(count++);
    });

    test('has checks measured by its worker', () =>
      serving({ queue }, async (served) => {
        const run = await served.finished(await served.start(await projectOfMany(served)));
        expect(run).toMatchObject({ state: 'done', clashes: MANY });
      }));

    test('keeps the report of a run with pairs that nobody could measure, and names them', () =>
      serving({ queue, worker: false }, async (served) => {
        const address = queueAddress(queue);
        const table = await openResultTable(address);
        let bad: number | undefined;
        const options = { name: 'w', atOnce: 4, lostAfterMs: 30_000, onProblem: () => {} };
        // quarantines one pair, and finds nothing in the others
        const working = await workOn(address, options, async (data) => {
          const { run, task, triples } = readPairJob(data);
          await table.begin(run, task, 'w');
          bad ??= triples[0];
          if (triples.some((a, k) => k % 3 === 0 && a === bad))
            await table.quarantine(run, task, quarantineText({ isRefused: false, why: 'it bites' }));
          else await table.putResult(run, task, JSON.stringify({ found: [], touches: 0, cache: SOME_READS }));
        });
        try {
          // already packed, since this worker cannot
          const source = join(folder, 'boxes.obj');
          const store = source.replace('.obj', '.impinge');
          writeFileSync(source, overlappingBoxes(MANY, MANY));
          await impinge('pack', source, '-o', store);
          const project = await served.project();
          await served.upload(project, 'boxes.impinge', readFileSync(store));
          const run = await served.finished(await served.start(project));
          expect(run).toMatchObject({ state: 'incomplete', clashes: 0, objects: 2 * MANY });
          expect(run.error).toMatch(/^1 pair could not be measured.*:\nboxes\/\w+ \/ boxes\/\w+: it bites$/);
          const page = await served.ask(`/runs/${run.id}/report.html`);
          expect(page.text).toContain('1 pair could not be measured');
          expect((await served.ask(`/runs/${run.id}`)).text).toContain('it bites');
          // incomplete runs are no baseline
          expect((await served.ask(`/api/v1/projects/${project}/history`)).json.history).toEqual([]);
          const next = await served.finished(await served.start(project));
          expect(next).toMatchObject({ state: 'incomplete', baseline: null });
        } finally {
          await working.close();
          await table.close();
        }
      }));
  });

  describe('with models in object storage', () => {
    let endStorage: (() => Promise<void>) | undefined;
    beforeAll(async () => {
      endStorage = await objectStorage(join(folder, 'storage'), 'models', 'others');
      const model = join(folder, 'plant.obj');
      writeFileSync(model, overlappingBoxes(3));
      for (const place of ['s3://models/plants/plant.impinge', 's3://others/plant.impinge'])
        expect((await impinge('pack', model, '-o', place)).code).toBe(0);
    });
    afterAll(() => endStorage?.());

    test('checks them, alone and beside uploads, and shows them; others are refused', () =>
      serving({ models: ['s3://models/plants'] }, async (served) => {
        const project = await served.project();
        const named = (address: string) =>
          served.ask(`/api/v1/projects/${project}/models`, { body: { name: 'plant.impinge', address } });
        for (const address of [
          's3://others/plant.impinge',
          's3://models/plant.impinge',
          's3://models/plantsplant.impinge',
          's3://models/plants/../plant.impinge',
          's3://models/plants/plant.obj',
        ])
          expect((await named(address)).status, address).toBe(400);
        expect((await named('s3://models/plants/plant.impinge')).json.kind).toBe('s3');
        const run = await served.start(project);
        expect(await served.finished(run)).toMatchObject({ state: 'done', clashes: 3 });
        const view = await served.ask(`/runs/${run}/view/`);
        expect(view.status, view.text).toBe(200);
        await served.upload(project, 'more.obj', overlappingBoxes(1).replaceAll(/^v (\S+)/gm, 'v 9$1'));
        const both = await served.finished(await served.start(project));
        expect(both).toMatchObject({ state: 'done', objects: 40 });
        await named('s3://models/plants/absent.impinge');
        const { error } = await served.finished(await served.start(project));
        expect(error).toContain('s3://models/plants/absent.impinge: cannot be read: NotFound (404)');
      }));
  });
});
