/** Attacks: roles, cross-site forms, too large, too slow, too often, harmful files; and the OpenAPI description. */
import { connect } from 'node:net';
import { join } from 'node:path';
import * as v from 'valibot';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { threeMf } from '../../cli/test/model-files.js';
import { apiRoutes } from '../src/service/app.js';
import { REQUEST_LIMITS } from '../src/service/settings.js';
import { ask, databaseServer, dataFolder, HAS_POSTGRES, Served, settingsFor } from './service-client.js';

const LIMITS = {
  ...REQUEST_LIMITS,
  // long enough for normal clients on a slow machine
  headerMs: 3000,
  bodyMs: 3000,
  idleMs: 6000,
  modelRate: 1e6,
  wrongTokens: 5,
};
const NOWHERE = '0123456789abcdef';

describe.skipIf(!HAS_POSTGRES)('impinge serve', () => {
  let served: Served;
  let project: string;
  const folder = dataFolder();
  const newDatabase = databaseServer();

  beforeAll(async () => {
    const database = await newDatabase();
    served = await Served.start(
      settingsFor(join(folder, 'd'), { database, limits: LIMITS, uploadBytes: 100_000 }),
    );
    project = await served.projectOf(1);
  });
  afterAll(() => served?.service.stop());

  test('every route asks for the role that it says', async () => {
    const routes = apiRoutes(served.service.parts);
    expect(routes.length).toBeGreaterThan(20);
    for (const { method, path, role, answers } of routes) {
      const at = path.replace('{version}', '3.0').replace(/\{\w+\}/g, NOWHERE);
      const statusOf = async (token?: string) =>
        (await ask(served.service.address, at, { method, token })).status;
      const title = `${method} ${path}`;
      if (role === undefined) {
        expect(await statusOf(), title).toBe(200);
        continue;
      }
      expect(await statusOf(), title).toBe(401);
      if (role !== 'read') expect(await statusOf(served.token('read')), title).toBe(403);
      if (role === 'admin') expect(await statusOf(served.token('run')), title).toBe(403);
      const isRefused = answers[403] !== undefined;
      if (!isRefused) expect([401, 403], title).not.toContain(await statusOf(served.token(role)));
    }
  });

  test('tokens are made, listed without their secrets, revoked, and kept as digests', async () => {
    const made = (await served.ask('/api/v1/tokens', { body: { name: 'ci', role: 'run' } })).json;
    expect((await served.ask('/api/v1/projects', { token: made.token })).status).toBe(200);
    expect((await served.ask('/api/v1/tokens')).text).not.toContain(made.token);
    const rows = await served.service.parts.database.rows('SELECT * FROM tokens');
    expect(JSON.stringify(rows)).not.toContain(made.token.slice(4));
    expect((await served.ask(`/api/v1/tokens/${made.id}`, { method: 'DELETE' })).status).toBe(204);
    expect((await served.ask('/api/v1/projects', { token: made.token })).status).toBe(401);
    expect((await served.ask('/api/v1/tokens', { body: { name: 'x', role: 'god' } })).status).toBe(400);
  });

  test('a token for a project has nothing of others, nor of all', async () => {
    const other = await served.projectOf(1);
    const run = await served.start(other);
    await served.finished(run);
    const made = (
      await served.ask('/api/v1/tokens', { body: { name: 'guest', role: 'admin', projects: [project] } })
    ).json;
    expect(made.projects).toEqual([project]);
    const { token } = made;
    const listed = (await served.ask('/api/v1/projects', { token })).json.projects;
    expect(listed.map(({ id }: { id: string }) => id)).toEqual([project]);
    expect((await served.ask(`/api/v1/projects/${project}/runs`, { token })).status).toBe(200);
    const guid = 'aaaaaaaa-0000-0000-0000-000000000000';
    const bcf = { version: '3.0', topic: guid, viewpoint: guid, comment: guid };
    const params: Record<string, string> = {
      ...bcf,
      project: other,
      run,
      name: 'boxes.obj',
      file: 'report.html',
    };
    for (const route of apiRoutes(served.service.parts)) {
      const { method, path, role, isForAnyToken, params: asked } = route;
      if (role === undefined || isForAnyToken) continue;
      const at = path.replace(/\{(\w+)\}/g, (_, name) => params[name] ?? NOWHERE);
      const isOfOne = 'project' in asked || 'run' in asked;
      const { status } = await served.ask(at, { token, method });
      expect([`${method} ${path}`, status]).toEqual([`${method} ${path}`, isOfOne ? 404 : 403]);
    }
    expect((await served.ask('/api/v1/projects', { token, body: { name: 'x' } })).status).toBe(403);
    for (const path of [
      `/projects/${other}`,
      `/runs/${run}`,
      `/runs/${run}/report.html`,
      `/runs/${run}/view/`,
    ])
      expect((await served.ask(path, { token })).status, path).toBe(404);
    const home = (await served.ask('/', { token })).text;
    expect(home).toContain(project);
    expect(home).not.toContain(other);
    expect((await served.ask(`/runs/${run}/report.html`)).status).toBe(200);
    const unknown = { name: 'x', role: 'run', projects: [NOWHERE] };
    expect((await served.ask('/api/v1/tokens', { body: unknown })).json.error).toBe(
      `there is no project ${NOWHERE}`,
    );
  });

  test('pages are for those who have logged in, and forms for pages of this service', async () => {
    const { address } = served.service;
    const { host } = new URL(address);
    expect((await ask(address, '/')).headers.location).toBe('/login');
    const wrong = await ask(address, '/login', { body: 'token=imp_wrong' });
    expect([wrong.status, wrong.headers['set-cookie']]).toEqual([401, undefined]);
    const login = await ask(address, '/login', {
      body: `token=${served.token('run')}`,
      headers: { Origin: `http://${host}` },
    });
    const [cookie] = login.headers['set-cookie']!;
    expect(cookie).toMatch(/; HttpOnly; SameSite=Strict$/);
    const Cookie = cookie.split(';')[0];
    const page = await ask(address, '/', { headers: { Cookie } });
    expect(page.headers['content-security-policy']).toMatch(
      /^default-src 'none'; script-src 'self'; style-src 'self'/,
    );
    expect(page.text).not.toMatch(/<script>|<style|\son\w+=|\sstyle=/);
    const [, csrf] = /name="csrf" value="([^"]+)"/.exec(page.text)!;
    const form = (body: string, headers: object = {}) =>
      ask(address, '/projects', { body, headers: { Cookie, ...headers } });
    expect((await form('name=x')).status).toBe(403);
    expect((await form(`name=x&csrf=${'A'.repeat(43)}`)).status).toBe(403);
    expect((await form(`name=x&csrf=${csrf}`, { Origin: 'https://evil.example' })).status).toBe(403);
    expect((await form(`name=x&csrf=${csrf}`, { 'Sec-Fetch-Site': 'cross-site' })).status).toBe(403);
    const name = '<script>alert(1)</script>"\'&';
    const made = await form(`name=${encodeURIComponent(name)}&csrf=${csrf}`);
    expect(made.status).toBe(303);
    const shown = await ask(address, made.headers.location!, { headers: { Cookie } });
    expect(shown.text).toContain('&lt;script&gt;alert(1)&lt;/script&gt;');
    expect(shown.text).not.toContain('<script>alert');
    // with a cookie, the API can be read, and changed only with the CSRF token
    const api = (headers: object) =>
      ask(address, '/api/v1/projects', { body: { name: 'y' }, headers: { Cookie, ...headers } });
    expect((await ask(address, '/api/v1/projects', { headers: { Cookie } })).status).toBe(200);
    expect((await api({})).status).toBe(403);
    expect((await api({ 'X-CSRF-Token': csrf })).status).toBe(201);
    expect(
      (await ask(address, '/logout', { method: 'POST', headers: { Cookie } })).headers['set-cookie']![0],
    ).toContain('Max-Age=0');
  });

  test('requests for another host are refused', async () => {
    for (const Host of ['evil.example', 'evil.example:8080', 'localhost.evil.example'])
      expect((await served.ask('/healthz', { headers: { Host } })).status, Host).toBe(421);
    for (const Host of ['localhost:1', '192.168.0.1', '[::1]:80'])
      expect((await served.ask('/healthz', { headers: { Host } })).status).toBe(200);
  });

  test('what is too large is refused, announced or not, and nothing of it stays', async () => {
    const path = `/api/v1/projects/${project}/models/large.obj`;
    const body = '#'.repeat(100_001);
    const announced = await served.ask(path, { method: 'PUT', body });
    expect([announced.status, announced.json.error]).toEqual([
      413,
      'large.obj: a model may have at most 100 kB',
    ]);
    expect(
      (await served.ask(path, { method: 'PUT', body, headers: { 'Transfer-Encoding': 'chunked' } })).status,
    ).toBe(413);
    expect(
      (await served.ask('/api/v1/projects', { body: { name: 'x', rules: '#'.repeat(3 << 20) } })).status,
    ).toBe(413);
    expect((await served.ask('/api/v1/projects', { body: '{' })).json.error).toBe('the body is not JSON');
    expect((await served.ask('/api/v1/projects', { body: { name: 'x', more: 1 } })).status).toBe(400);
    expect((await served.ask(`/api/v1/projects/${project}/models`)).json.models).toHaveLength(1);
    expect((await served.ask('/healthz')).status).toBe(200);
  });

  test('those who send slowly are let go, and others are answered meanwhile', async () => {
    const head = `PUT /api/v1/projects/${project}/models/slow.obj HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${served.token('run')}\r\n`;
    const json = head.replace(/^PUT \S+/, 'POST /api/v1/projects');
    const [unfinished, upload, body, nothing] = [
      'GET /healthz HTTP/1.1\r\nHost: loc', // an incomplete head
      `${head}Content-Length: 50000\r\n\r\nv 0`, // a slow upload
      `${json}Content-Length: 50\r\n\r\n{`, // a slow body
      '',
    ].map((text) => slowly(served.service.address, text));
    expect((await served.ask('/healthz')).status).toBe(200);
    await nothing;
    for (const told of [await unfinished, await upload, await body]) expect(told).toMatch(/^HTTP\/1.1 408 /);
    expect(await upload).toContain('the request comes too slowly: less than 3000000 bytes came in 3 seconds');
    expect(await body).toContain('the request comes too slowly: not everything came in 3 seconds');
    const { text } = await served.ask('/metrics');
    expect(text).toMatch(/impinge_http_requests_total\{.*status="408"\} \d+/);
    expect(text).not.toMatch(/impinge_http_requests_total\{.*status="5\d\d"\}/);
    expect((await served.ask(`/api/v1/projects/${project}/models`)).json.models).toHaveLength(1);
  });

  test('files that harm fail their run, and no other', async () => {
    const bomb = Buffer.from(threeMf(' '.repeat(100_000)));
    // the entry claims four gigabytes, in its own header and in the directory
    for (let at = bomb.indexOf('PK'); at >= 0; at = bomb.indexOf('PK', at + 1)) {
      const isDirectory = bomb.readUInt32LE(at) === 0x02014b50;
      const name = isDirectory ? at + 46 : at + 30;
      if (bomb.toString('latin1', name, name + 16) === '3D/3dmodel.model')
        bomb.writeUInt32LE(0xfffffff0, isDirectory ? at + 24 : at + 22);
    }
    const harmful = await served.project();
    await served.upload(harmful, 'bomb.3mf', bomb);
    const failed = await served.finished(await served.start(harmful));
    expect(failed).toMatchObject({ state: 'failed', clashes: null });
    expect(failed.error).toMatch(/^bomb\.3mf: .*(would grow|bytes)/);
    expect(await served.finished(await served.start(project))).toMatchObject({ state: 'done', clashes: 1 });
  });

  test.each([
    [{ runMs: 50 }, 'it took longer than 0.05 seconds'],
    [{ processBytes: 1e6 }, 'it needed more than 1 MB of memory'],
  ])('checks that take too long or too much are ended, and say so: %j', async (limits, cause) => {
    const database = await newDatabase();
    const strict = await Served.start(
      settingsFor(join(folder, Object.keys(limits)[0]), { database, ...limits }),
    );
    try {
      const { error } = await strict.finished(await strict.start(await strict.projectOf(1)));
      expect(error).toBe(`the check was stopped: ${cause}`);
    } finally {
      await strict.service.stop();
    }
  });

  test('runs are cancelled, while they wait and while they are made', async () => {
    const [first, second] = [await served.start(project), await served.start(project)];
    expect((await served.ask(`/api/v1/runs/${second}/cancel`, { method: 'POST' })).json.state).toBe(
      'cancelled',
    );
    await served.ask(`/api/v1/runs/${first}/cancel`, { method: 'POST' });
    expect((await served.ask(`/api/v1/runs/${first}`)).json.state).toMatch(/cancelled|done/);
    expect((await served.ask(`/api/v1/runs/${first}/cancel`, { method: 'POST' })).status).toBe(409);
  });

  test('OpenAPI has every route, and answers are as it says', async () => {
    const description = (await served.ask('/openapi.json', { token: undefined })).json;
    expect(description.openapi).toBe('3.1.0');
    const routes = apiRoutes(served.service.parts);
    const described = Object.entries(description.paths).flatMap(([path, methods]) =>
      Object.keys(methods as object).map((method) => `${method.toUpperCase()} ${path}`),
    );
    expect(described.sort()).toEqual(routes.map(({ method, path }) => `${method} ${path}`).sort());
    const ids = Object.values(description.paths).flatMap((methods) =>
      Object.values(methods as object).map(({ operationId }) => operationId),
    );
    expect(new Set(ids).size).toBe(routes.length);
    const run = await served.start(project);
    await served.finished(run);
    const topics = `/bcf/3.0/projects/${project}/topics`;
    const topic = (await served.ask(topics)).json[0].guid;
    const viewpoint = (await served.ask(`${topics}/${topic}/viewpoints`)).json[0].guid;
    const said = await served.ask(`${topics}/${topic}/comments`, { body: { comment: 'seen' } });
    const params: Record<string, string> = {
      project,
      run,
      version: '3.0',
      topic,
      viewpoint,
      comment: said.json.guid,
    };
    let answered = 0;
    for (const { method, path, answers } of routes) {
      if (method !== 'GET' || answers[200].schema === undefined) continue;
      const at = path.replace(/\{(\w+)\}/g, (_, name) => params[name]);
      const { status, json } = await served.ask(at);
      expect(status, path).toBe(200);
      expect(v.safeParse(answers[200].schema, json).issues, path).toBeUndefined();
      answered++;
    }
    expect(answered).toBeGreaterThan(24);
    const { text } = await served.ask('/metrics');
    for (const line of text.trim().split('\n'))
      expect(line).toMatch(/^# (HELP|TYPE) |^impinge_\w+(\{\w+="[^"]*"(,\w+="[^"]*")*\})? -?[\d.]+$/);
    expect(text).toMatch(/^impinge_runs_finished_total\{state="done"\} \d+$/m);
  });

  test('messages are of a length that can be read', async () => {
    const { status, json } = await served.ask(`/api/v1/projects/${project}/runs`, {
      body: { models: ['x'.repeat(100_000)] },
    });
    expect([status, json.error.length]).toEqual([400, 2000]);
    expect(json.error).toMatch(/…$/);
  });

  test('who tries many tokens has to wait, and others at the same address have not', async () => {
    const tried = await Promise.all(
      Array.from({ length: 12 }, (_, i) =>
        served.ask('/api/v1/projects', { token: `imp_${String(i).padEnd(43, 'x')}` }),
      ),
    );
    expect(tried.map(({ status }) => status)).toContain(429);
    expect(tried.find(({ status }) => status === 429)!.headers['retry-after']).toMatch(/^\d+$/);
    expect((await served.ask('/api/v1/projects')).status).toBe(200);
    const { address } = served.service;
    const login = (token: string) => ask(address, '/login', { body: `token=${token}` });
    expect((await login('imp_wrong')).status).toBe(429);
    expect((await login(served.token('read'))).status).toBe(303);
    // a revoked cookie leads to the login
    const Cookie = `impinge_token=imp_${'y'.repeat(43)}`;
    expect((await ask(address, '/', { headers: { Cookie } })).headers.location).toBe('/login');
  });
});

describe.skipIf(!HAS_POSTGRES)('behind a proxy', () => {
  const folder = dataFolder();
  const newDatabase = databaseServer();
  const wrong = `imp_${'x'.repeat(43)}`;

  test.each([
    ['that is trusted, each one has to answer for their own wrong tokens', ['127.0.0.1'], 401],
    ['that is not, what it says is not believed', [], 429],
  ])('%s', async (_, proxies, expected) => {
    const served = await Served.start(
      settingsFor(join(folder, `p${proxies.length}`), {
        ...{ database: await newDatabase(), proxies, limits: LIMITS },
      }),
    );
    try {
      const tryAs = async (client: string) =>
        (await served.ask('/api/v1/projects', { token: wrong, headers: { 'X-Forwarded-For': client } }))
          .status;
      for (let i = 0; i < LIMITS.wrongTokens; i++) expect(await tryAs('198.51.100.1')).toBe(401);
      expect(await tryAs('198.51.100.1')).toBe(429);
      expect(await tryAs('198.51.100.2')).toBe(expected);
    } finally {
      await served.service.stop();
    }
  });
});

/** Sends `text`, then a byte every tenth of a second; resolves with the response when the service hangs up. */
function slowly(address: string, text: string): Promise<string> {
  const { hostname, port } = new URL(address);
  return new Promise((resolve) => {
    const socket = connect(Number(port), hostname, () => socket.write(text));
    const drip = setInterval(() => text !== '' && socket.write(' '), 100);
    let told = '';
    socket.setEncoding('utf8').on('data', (part) => {
      told += part;
    });
    socket.on('error', () => {});
    socket.on('close', () => {
      clearInterval(drip);
      resolve(told);
    });
  });
}
