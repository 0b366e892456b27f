/** The whole service over HTTP: projects, models, runs, progress, reports, history, webhooks, retention. */
import { createHmac } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { impinge } from '../../cli/test/run-impinge.js';
import { httpServer } from './local-servers.js';
import {
  dataFolder,
  HAS_POSTGRES,
  overlappingBoxes,
  PATIENT,
  Served,
  settingsFor,
} from './service-client.js';

describe.skipIf(!HAS_POSTGRES)('impinge serve', () => {
  let served: Served;
  const data = dataFolder();
  const models = dataFolder();

  beforeAll(async () => {
    mkdirSync(join(models, 'sub'));
    writeFileSync(join(models, 'sub', 'plant.obj'), overlappingBoxes(2));
    symlinkSync('/etc/hostname', join(models, 'out.obj'));
    served = await Served.start(
      settingsFor(join(data, 'd'), { models: [models], network: { allowPrivate: true } }),
    );
  });
  afterAll(() => served?.service.stop());

  test('checks a model, is followed, and compares each run with the one before', async () => {
    const project = await served.projectOf(3);
    const first = await served.start(project);
    const events = await served.events(first);
    expect(events.every(({ event }) => event === 'run' || event === 'progress')).toBe(true);
    expect(events.at(-1)!.data).toMatchObject({
      state: 'done',
      clashes: 3,
      newClashes: null,
      objects: 20,
      number: 1,
    });
    await served.upload(project, 'boxes.obj', overlappingBoxes(5));
    const second = await served.start(project);
    expect(await served.finished(second)).toMatchObject({
      clashes: 5,
      newClashes: 2,
      resolved: 0,
      baseline: first,
    });
    await served.upload(project, 'boxes.obj', overlappingBoxes(1));
    const third = await served.start(project);
    expect(await served.finished(third)).toMatchObject({
      clashes: 1,
      newClashes: 0,
      resolved: 4,
      baseline: second,
    });
    const { history } = (await served.ask(`/api/v1/projects/${project}/history`)).json;
    expect(history.map((point: { active: number }) => point.active)).toEqual([3, 5, 1]);
    expect(history.map((point: { resolved: number }) => point.resolved)).toEqual([null, 0, 4]);

    const report = await served.ask(`/runs/${third}/report.html`);
    expect(report.headers['content-security-policy']).toMatch(/script-src 'sha256-/);
    expect(report.text).toContain('boxes/left0');
    expect(report.text).toContain('<html lang="en" data-viewer="view/" data-saving="');
    const lines = (await served.ask(`/api/v1/runs/${third}/files/clashes.jsonl`)).text.trim().split('\n');
    expect(lines.length).toBeGreaterThan(0);
    const page = await served.ask(`/projects/${project}`);
    expect(page.text).toContain('<polyline class="active-line"');
    // replaced models are deleted when no run needs them
    await served.service.parts.retention.sweep();
    expect(
      readdirSync(join(data, 'd', 'models')).filter((id) =>
        existsSync(join(data, 'd', 'models', id, 'boxes.obj')),
      ),
    ).toHaveLength(1);
  });

  test('shows the viewer of a run, and parts of its store', async () => {
    const run = await served.start(await served.projectOf(1));
    await served.finished(run);
    const [page, again] = await Promise.all([
      served.ask(`/runs/${run}/view/`),
      served.ask(`/runs/${run}/view/view.json`),
    ]);
    expect(page.text).toContain('<!doctype html>');
    expect(page.headers['cross-origin-embedder-policy']).toBe('require-corp');
    const store = readdirSync(served.service.parts.folders.viewer(run)).find((name) =>
      name.endsWith('.impinge'),
    )!;
    expect(again.json.version).toBe(1);
    const part = await served.ask(`/runs/${run}/view/${store}`, { headers: { Range: 'bytes=4-11' } });
    expect([part.status, part.text.length > 0, part.headers['content-range']]).toEqual([
      206,
      true,
      expect.stringMatching(/^bytes 4-11\//),
    ]);
    for (const name of [
      '..%2freport%2freport.html',
      '../report/report.html',
      '%2e%2e/rules.yaml',
      'assets/..%2findex.html',
      'a%00.html',
    ])
      expect((await served.ask(`/runs/${run}/view/${name}`)).status).toBeGreaterThanOrEqual(400);
  });

  test('takes rules, and says what is wrong with them', async () => {
    const project = await served.project('With rules', {
      rules: 'rules:\n  - name: touching\n    a: "boxes/left*"\n    b: "boxes/right*"\n',
    });
    await served.upload(project, 'boxes.obj', overlappingBoxes(2));
    expect(await served.finished(await served.start(project))).toMatchObject({ state: 'done', clashes: 2 });
    const failed = await served.finished(await served.start(project, { rules: 'rules:\n  - nam: x\n' }));
    expect(failed.state).toBe('failed');
    expect(failed.error).toMatch(/rules\.yaml.*nam/s);
    expect(failed.error).not.toContain(data);
    const bad = await served.finished(await served.start(project, { clearance: '5 parsecs' }));
    expect(bad.error).toContain('unknown unit "parsecs"');
  });

  test('names models in folders, and refuses what leads out of them', async () => {
    const project = await served.project();
    const named = (address: string, name = 'plant.obj') =>
      served.ask(`/api/v1/projects/${project}/models`, { body: { name, address } });
    expect((await named('sub/plant.obj')).status).toBe(201);
    expect(await served.finished(await served.start(project))).toMatchObject({ clashes: 2 });
    for (const address of [
      '../x.obj',
      '/etc/passwd',
      'out.obj',
      'sub',
      'absent.obj',
      'a\0b',
      's3://bucket/x.impinge',
      'ftp://x/y.obj',
    ])
      expect((await named(address)).status, address).toBe(400);
    for (const name of [
      '../x.obj',
      '..',
      'a/b.obj',
      '.hidden.obj',
      '-o.obj',
      'x.exe',
      'a\\b.obj',
      'x*.obj',
      '',
    ])
      expect((await named('sub/plant.obj', name)).status, name).toBe(400);
    for (const name of ['..%2f..%2fx.obj', '%2e%2e', 'a%2fb.obj', 'a%00.obj', '.obj'])
      expect(
        (await served.ask(`/api/v1/projects/${project}/models/${name}`, { method: 'PUT', body: 'x' })).status,
        name,
      ).toBeGreaterThanOrEqual(400);
    expect((await served.ask(`/api/v1/projects/${project}/models`)).json.models).toHaveLength(1);
  });

  test('fetches models of servers for each run, and says where it could not', async () => {
    let overlaps = 1;
    const { server: host, base } = await httpServer(({ url }, response) => {
      if (url === '/plant.obj?key=secret') response.end(overlappingBoxes(overlaps++));
      else response.writeHead(404).end();
    });
    try {
      const project = await served.project();
      const named = (name: string, address: string) =>
        served.ask(`/api/v1/projects/${project}/models`, { body: { name, address } });
      expect((await named('plant.obj', `${base}/plant.obj?key=secret`)).json.kind).toBe('https');
      const listed = await served.ask(`/api/v1/projects/${project}/models`);
      expect(listed.json.models[0].address).toBe(`${base}/plant.obj`);
      expect(await served.finished(await served.start(project))).toMatchObject({ clashes: 1 });
      const second = await served.start(project);
      expect(await served.finished(second)).toMatchObject({ clashes: 2, newClashes: 1 });
      expect(readdirSync(served.service.parts.folders.fetched(second))).toEqual([]);
      await named('plant.obj', `${base}/absent.obj?key=secret`);
      const { error } = await served.finished(await served.start(project));
      expect(error).toBe(`${base}/absent.obj: the server responded with 404`);
    } finally {
      host.close();
    }
  });

  test('shows a store that was uploaded, also when another has taken its place', async () => {
    const source = join(models, 'sub', 'plant.obj');
    const store = join(data, 'plant.impinge');
    await impinge('pack', source, '-o', store);
    const project = await served.project();
    expect((await served.upload(project, 'plant.impinge', readFileSync(store))).status).toBe(201);
    const run = await served.start(project);
    expect(await served.finished(run)).toMatchObject({ clashes: 2 });
    await served.ask(`/api/v1/projects/${project}/models/plant.impinge`, { method: 'DELETE' });
    expect((await served.ask(`/runs/${run}/view/`)).status).toBe(200);
  });

  test('tells webhooks, signed, and again until they listen', async () => {
    const got: { body: string; signature: string; delivery: string }[] = [];
    const { server: hook, base } = await httpServer((request, response) => {
      let body = '';
      request.on('data', (part) => {
        body += part;
      });
      request.on('end', () => {
        got.push({
          body,
          signature: String(request.headers['x-impinge-signature']),
          delivery: String(request.headers['x-impinge-delivery']),
        });
        response.writeHead(got.length < 3 ? 500 : 204).end();
      });
    });
    try {
      const project = await served.projectOf(1);
      const address = `${base}/hook`;
      const { secret } = (await served.ask(`/api/v1/projects/${project}/webhooks`, { body: { address } }))
        .json;
      const run = await served.start(project);
      await served.finished(run);
      await expect.poll(() => got.length, PATIENT).toBe(3);
      await expect
        .poll(
          async () => (await served.ask(`/api/v1/projects/${project}/webhooks`)).json.deliveries[0],
          PATIENT,
        )
        .toMatchObject({ run, state: 'sent', attempts: 3 });
      expect(new Set(got.map(({ delivery }) => delivery)).size).toBe(1);
      const { body, signature } = got[2];
      const [, seconds, digest] = /^t=(\d+),v1=([0-9a-f]{64})$/.exec(signature)!;
      expect(createHmac('sha256', secret).update(`${seconds}.${body}`).digest('hex')).toBe(digest);
      expect(JSON.parse(body)).toMatchObject({
        event: 'run-finished',
        run: { id: run, state: 'done', clashes: 1 },
      });
    } finally {
      hook.close();
    }
  });

  test('keeps as many runs as a project says, and always its last', async () => {
    const project = await served.project('Short memory', { keepRuns: 2 });
    await served.upload(project, 'boxes.obj', overlappingBoxes(1));
    const runs: string[] = [];
    for (let i = 0; i < 3; i++) {
      runs.push(await served.start(project));
      await served.finished(runs[i]);
    }
    await served.service.parts.retention.sweep();
    const kept = (await served.ask(`/api/v1/projects/${project}/runs`)).json.runs.map(
      (run: { id: string }) => run.id,
    );
    expect(kept).toEqual([runs[2], runs[1]]);
    expect(existsSync(served.service.parts.folders.run(runs[0]))).toBe(false);
    expect(existsSync(served.service.parts.folders.run(runs[1]))).toBe(true);
    expect((await served.ask(`/api/v1/projects/${project}`, { method: 'DELETE' })).status).toBe(204);
    expect(existsSync(served.service.parts.folders.run(runs[1]))).toBe(false);
  });

  test('logs in JSON lines, without secrets', () => {
    expect(served.logged.length).toBeGreaterThan(10);
    for (const line of served.logged)
      expect(JSON.parse(line)).toMatchObject({ level: expect.any(String), event: expect.any(String) });
    const all = served.logged.join('');
    for (const role of ['read', 'run', 'admin'] as const) expect(all).not.toContain(served.token(role));
    expect(all).not.toContain('internal-error');
  });
});
