/** Scheduling: no project waits for more than one run of each other, however many runs those have queued. */
import { seededRandom } from '@impinge/scenes/random';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Database } from '../src/service/state/database.js';
import { Projects } from '../src/service/state/projects.js';
import { Runs } from '../src/service/state/runs.js';
import { databaseServer, HAS_POSTGRES } from './service-client.js';

const MANY = { inAll: 10_000, ofProject: 10_000 };

describe.skipIf(!HAS_POSTGRES)('turns', () => {
  const newDatabase = databaseServer();
  let database: Database;
  let projects: Projects;
  let runs: Runs;

  beforeAll(async () => {
    database = await Database.open(await newDatabase(), () => {});
    projects = new Projects(database);
    runs = new Runs(database);
  });
  afterAll(() => database?.close());

  const make = async (name: string) => (await projects.create({ name })).id;
  const queue = async (project: string) => (await runs.start(project, {}, [], MANY))!;
  const finish = (id: string) => runs.finish(id, 'cancelled', () => '');

  test('one that comes when hundreds of another wait is next', async () => {
    const [busy, other] = [await make('busy'), await make('other')];
    for (let i = 0; i < 200; i++) await queue(busy);
    const first = await runs.claim();
    expect(first).toMatchObject({ project: busy, number: 1 });
    await queue(other);
    await queue(other);
    await finish(first!.id);
    const order: string[] = [];
    for (let i = 0; i < 6; i++) {
      const run = await runs.claim();
      order.push(`${run!.project === busy ? 'busy' : 'other'} ${run!.number}`);
      await finish(run!.id);
    }
    expect(order).toEqual(['other 1', 'busy 2', 'other 2', 'busy 3', 'busy 4', 'busy 5']);
    for (const project of [busy, other]) await projects.remove(project);
  });

  test('a project has no more than its share of the queue', async () => {
    const [busy, other] = [await make('busy'), await make('other')];
    const start = (project: string) => runs.start(project, {}, [], { inAll: 5, ofProject: 3 });
    for (let i = 0; i < 3; i++) expect(await start(busy)).toBeDefined();
    expect(await start(busy)).toBeUndefined();
    expect(await start(other)).toBeDefined();
    for (const project of [busy, other]) await projects.remove(project);
  });

  const seed = 19;
  test(`runs that come and end at random are taken in turn, in the order of their project (seed ${seed})`, async () => {
    const random = seededRandom(seed);
    const ids = await Promise.all(Array.from({ length: 5 }, (_, i) => make(`p${i}`)));
    /** The expected state: by project, its last turn, and its queue. */
    const lastTurn = new Map(ids.map((id) => [id, -1]));
    const waiting = new Map<string, number[]>(ids.map((id) => [id, []]));
    const running = new Map<string, string>();
    for (let step = 0; step < 300; step++) {
      const kind = random();
      if (kind < 0.5) {
        // the first projects get most of the runs
        const project = ids[Math.floor(random() ** 3 * ids.length)];
        waiting.get(project)!.push((await queue(project)).number);
      } else if (kind < 0.75 && running.size > 0) {
        const [project, id] = [...running][Math.floor(random() * running.size)];
        if (random() < 0.2) {
          const [{ number }] = await runs.open(project);
          await runs.requeue(id);
          waiting.get(project)!.unshift(number);
        } else await finish(id);
        running.delete(project);
      } else {
        const free = ids.filter((id) => !running.has(id) && waiting.get(id)!.length > 0);
        const run = await runs.claim();
        expect(run === undefined).toBe(free.length === 0);
        if (!run) continue;
        const earliest = Math.min(...free.map((id) => lastTurn.get(id)!));
        expect(lastTurn.get(run.project)).toBe(earliest);
        expect(run.number).toBe(waiting.get(run.project)!.shift());
        lastTurn.set(run.project, step);
        running.set(run.project, run.id);
      }
    }
  });
});
