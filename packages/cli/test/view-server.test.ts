/** Who is answered by `impinge view`, and what: hosts, origins, tokens, names, parts of files, slow clients. */
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { runs } from '../../../test/budget.js';
import { byteRange } from '../src/server/byte-range.js';
import { EventStreams } from '../src/server/event-streams.js';
import { HttpServer } from '../src/server/http-server.js';
import { browserOpener } from '../src/server/open-browser.js';
import { readPageFiles } from '../src/server/page-files.js';
import { RequestChecks } from '../src/server/request-checks.js';
import { View } from '../src/server/view.js';
import { temporaryFolder } from './files.js';
import { ask, PAGE, smallModel, storeBytes } from './view-requests.js';

const bytes = Buffer.from(await storeBytes(['a', 'b']));
let view: View;
let base: string;
let store: string;

beforeAll(async () => {
  view = await View.start({
    page: PAGE,
    model: await smallModel(),
    report: undefined,
    levels: undefined,
    port: 0,
    onError: fail,
  });
  base = new URL(view.address).pathname;
  store = base + JSON.parse((await get('view.json')).body.toString()).store;
});
afterAll(() => view.stop());

function fail(error: unknown): never {
  throw error;
}

const get = (name: string, headers = {}, method = 'GET') =>
  ask(view.address, base + name, { headers, method });

describe('who is answered', () => {
  test.each([
    ['another name that leads here', { host: 'evil.example:PORT' }, 403],
    ['a name that begins like this one', { host: 'localhost.evil.example:PORT' }, 403],
    ['another port', { host: '127.0.0.1:1' }, 403],
    ['no port', { host: '127.0.0.1' }, 403],
    ['a page elsewhere', { origin: 'http://evil.example' }, 403],
    ['a page at another port', { origin: 'http://127.0.0.1:1' }, 403],
    ['a page of no origin', { origin: 'null' }, 403],
    ['another scheme', { origin: 'https://127.0.0.1:PORT' }, 403],
    ['this page', { origin: 'http://127.0.0.1:PORT' }, 200],
    ['this page by another name', { host: 'LOCALHOST:PORT', origin: 'http://localhost:PORT' }, 200],
    [
      'this page by one name and from another',
      { host: 'localhost:PORT', origin: 'http://127.0.0.1:PORT' },
      403,
    ],
    ['this page at the other address', { host: '[::1]:PORT' }, 200],
  ])('%s', async (_, headers, status) => {
    const { port } = new URL(view.address);
    const placed = Object.entries(headers).map(([name, value]) => [name, value.replace('PORT', port)]);
    const received = await get('view.json', Object.fromEntries(placed));
    expect(received.status).toBe(status);
    if (status !== 200) expect(received.body.length).toBe(0);
  });

  test('nobody without a host; at the port of the web, also names without a port', () => {
    const checks = new RequestChecks(80, 'token');
    const asked = (headers: Record<string, string>) => checks.asked({ url: '/token/x', headers });
    expect(asked({})).toEqual({ refused: 403 });
    expect(asked({ host: 'evil.example' })).toEqual({ refused: 403 });
    expect(asked({ host: 'localhost' })).toMatchObject({ name: 'x' });
    expect(asked({ host: '127.0.0.1:80' })).toMatchObject({ name: 'x' });
  });

  test('without the token nothing is there, and nothing says so', async () => {
    const token = base.slice(1, -1);
    const others = [
      '/',
      '',
      '/view.json',
      `/${token}`,
      `//${token}/view.json`,
      `/${token.slice(0, -1)}/view.json`,
      `/${token}x/view.json`,
      `/%${token.charCodeAt(0).toString(16)}${token.slice(1)}/view.json`,
      `/x/../${token}/view.json`,
      `*`,
      `http://127.0.0.1${base}view.json`,
    ];
    for (const path of others) {
      const { status, body } = await ask(view.address, path);
      expect([path, status, body.length]).toEqual([path, 404, 0]);
    }
    expect((await get('view.json')).status).toBe(200);
  });

  test('names that are not in the table are not there, however they are written', async () => {
    const names = [
      '..',
      '../view.json',
      '%2e%2e/view.json',
      '%2e%2e%2fview.json',
      '..%5cview.json',
      './view.json',
      'assets/../index.html',
      'assets%2fmain-1234.js',
      'assets/',
      'assets',
      'view%2ejson',
      'VIEW.JSON',
      'view.json/',
      'view.json%00',
      '/etc/passwd',
      '%2fetc%2fpasswd',
      'report.json',
      'constructor',
      '__proto__',
    ];
    for (const name of names) expect([name, (await get(name)).status]).toEqual([name, 404]);
  });

  test('a name that is there is found with a query, and by methods that it has', async () => {
    expect((await get('view.json?x=1&..')).status).toBe(200);
    for (const method of ['PUT', 'DELETE', 'OPTIONS', 'POST', 'PATCH', 'TRACE']) {
      const { status, headers } = await get('view.json', {}, method);
      expect([method, status, headers.allow]).toEqual([method, 405, 'GET, HEAD']);
    }
  });
});

test('every answer carries the policies of the page', async () => {
  for (const path of [
    base,
    `${base}view.json`,
    store,
    `${base}assets/main-1234.js`,
    '/nothing',
    `${base}x`,
  ]) {
    const { headers } = await ask(view.address, path);
    expect(headers['content-security-policy']).toMatch(
      /^default-src 'none'; script-src 'self' 'wasm-unsafe-eval';/,
    );
    expect(headers['content-security-policy']).not.toMatch(/unsafe-inline|unsafe-eval'.*unsafe-eval|https?:/);
    expect(headers['x-content-type-options']).toBe('nosniff');
    expect(headers['referrer-policy']).toBe('no-referrer');
    expect(headers['cross-origin-opener-policy']).toBe('same-origin');
    expect(headers['cross-origin-embedder-policy']).toBe('require-corp');
    expect(headers['cross-origin-resource-policy']).toBe('same-origin');
    expect(headers['access-control-allow-origin']).toBeUndefined();
  }
});

describe('files', () => {
  test('the page, its assets and what is shown', async () => {
    const page = await get('');
    expect(page.body.toString()).toContain('<title>page</title>');
    expect(page.headers['content-type']).toBe('text/html; charset=utf-8');
    expect(page.headers['cache-control']).toBe('no-store');
    const script = await get('assets/main-1234.js');
    expect(script.headers['content-type']).toBe('text/javascript; charset=utf-8');
    expect(script.headers['cache-control']).toMatch(/immutable/);
    const manifest = await get('view.json');
    expect(JSON.parse(manifest.body.toString())).toEqual({
      ...{ version: 1, title: 'two', levels: 'none', live: true },
      ...{ report: null, reportPage: null, review: null, recording: null },
      store: store.slice(base.length),
    });
    const head = await get('', {}, 'HEAD');
    expect([head.status, head.body.length]).toEqual([200, 0]);
    expect(head.headers['content-length']).toBe(String(page.body.length));
  });

  test.each([
    ['none', undefined, 200, 0, bytes.length],
    ['the beginning', 'bytes=0-3', 206, 0, 4],
    ['one byte', 'bytes=5-5', 206, 5, 6],
    ['from somewhere on', `bytes=${bytes.length - 7}-`, 206, bytes.length - 7, bytes.length],
    ['over the end', `bytes=${bytes.length - 7}-99999999`, 206, bytes.length - 7, bytes.length],
    ['the last ones', 'bytes=-16', 206, bytes.length - 16, bytes.length],
    ['more than there are from the end', 'bytes=-99999999', 206, 0, bytes.length],
    ['several', 'bytes=0-1,4-5', 200, 0, bytes.length],
    ['another unit', 'lines=0-1', 200, 0, bytes.length],
    ['nothing that means anything', 'bytes=5-2', 200, 0, bytes.length],
  ])('a part of the store: %s', async (_, range, status, start, end) => {
    const headers = range === undefined ? {} : { range };
    const received = await ask(view.address, store, { headers });
    expect(received.status).toBe(status);
    expect(received.body.equals(bytes.subarray(start, end))).toBe(true);
    const head = await ask(view.address, store, { headers, method: 'HEAD' });
    for (const { headers: told } of [received, head]) {
      expect(told['accept-ranges']).toBe('bytes');
      expect(told['content-length']).toBe(String(end - start));
      expect(told['content-range']).toBe(
        status === 206 ? `bytes ${start}-${end - 1}/${bytes.length}` : undefined,
      );
    }
    expect([head.status, head.body.length]).toEqual([status, 0]);
  });

  test.each([`bytes=${bytes.length}-`, 'bytes=99999999-99999999', 'bytes=-0'])(
    'beyond the end of the store: %s',
    async (range) => {
      const { status, headers, body } = await ask(view.address, store, { headers: { range } });
      expect([status, body.length]).toEqual([416, 0]);
      expect(headers['content-range']).toBe(`bytes */${bytes.length}`);
    },
  );

  test('what is known is not sent again, and a part of what has changed is all of it', async () => {
    const { headers } = await ask(view.address, store);
    const etag = headers.etag!;
    const known = await ask(view.address, store, { headers: { 'if-none-match': `"x", W/${etag}` } });
    expect([known.status, known.body.length]).toEqual([304, 0]);
    const range = 'bytes=0-3';
    const same = await ask(view.address, store, { headers: { range, 'if-range': etag } });
    expect([same.status, same.body.length]).toEqual([206, 4]);
    const other = await ask(view.address, store, { headers: { range, 'if-range': '"other"' } });
    expect([other.status, other.body.length]).toEqual([200, bytes.length]);
  });

  test('a range never leaves the file, whatever it says', () => {
    const number = fc.oneof(fc.nat(20), fc.constantFrom('', '00', '9'.repeat(400), '-1'));
    fc.assert(
      fc.property(number, number, fc.integer({ min: 1, max: 12 }), (first, last, length) => {
        const range = byteRange(`bytes=${first}-${last}`, length);
        if (range === undefined || range === 'none') return;
        expect(range.start).toBeGreaterThanOrEqual(0);
        expect(range.end).toBeGreaterThan(range.start);
        expect(range.end).toBeLessThanOrEqual(length);
      }),
      { numRuns: runs(300), seed: 5 },
    );
  });

  test('links in the folder of the page lead nowhere', async () => {
    const folder = temporaryFolder();
    mkdirSync(join(folder, 'page/assets'), { recursive: true });
    writeFileSync(join(folder, 'secret.js'), 'secret');
    writeFileSync(join(folder, 'page/index.html'), 'page');
    writeFileSync(join(folder, 'page/assets/a.js'), 'a');
    symlinkSync(join(folder, 'secret.js'), join(folder, 'page/assets/b.js'));
    symlinkSync(folder, join(folder, 'page/up'));
    expect([...(await readPageFiles(join(folder, 'page'))).keys()].sort()).toEqual([
      'assets/a.js',
      'index.html',
    ]);
    await expect(readPageFiles(join(folder, 'nowhere'))).rejects.toThrow('the page is not built');
  });
});

describe('clients that do not do their part', () => {
  /** What a server with little patience sends to a client that sends this and then nothing. */
  async function sentTo(text: string): Promise<string> {
    const hold = { post: ({ request }: { request: NodeJS.ReadableStream }) => void request.resume() };
    const limits = { headerMs: 50, requestMs: 100, idleMs: 150 };
    const server = await HttpServer.start(0, () => hold, fail, limits);
    try {
      return await new Promise((resolve) => {
        let received = '';
        const socket = connect(Number(new URL(server.address).port), '127.0.0.1');
        const { host, pathname } = new URL(server.address);
        socket.on('connect', () => socket.write(text.replace('HOST', host).replace('PATH', pathname)));
        socket.on('data', (part) => {
          received += part;
        });
        socket.on('close', () => resolve(received));
        socket.on('error', () => {});
      });
    } finally {
      await server.stop();
    }
  }

  test.each([
    ['half a header', 'GET PATH HTTP/1.1\r\nHost: HO', /^HTTP\/1.1 408 /],
    [
      'half a body',
      'POST PATHx HTTP/1.1\r\nHost: HOST\r\nContent-Length: 99\r\n\r\nabc',
      /^(HTTP\/1.1 408 |$)/,
    ],
    ['nothing', '', /^(HTTP\/1.1 408 |$)/],
    [
      'a header without end',
      `GET PATH HTTP/1.1\r\nHost: HOST\r\nX: ${'x'.repeat(9000)}\r\n\r\n`,
      /^HTTP\/1.1 431 /,
    ],
    ['no HTTP', 'hello\r\n\r\n', /^HTTP\/1.1 400 /],
  ])('%s is not waited for', async (_, text, answer) => {
    expect(await sentTo(text)).toMatch(answer);
  });
});

test('ends with events that are listened to, and downloads that are not taken', async () => {
  const own = await View.start({
    page: PAGE,
    model: await smallModel(),
    report: undefined,
    levels: undefined,
    port: 0,
    onError: fail,
  });
  const events = await fetch(`${own.address}events`);
  expect(events.headers.get('content-type')).toBe('text/event-stream; charset=utf-8');
  const text = events.text().catch(() => 'broken off');
  await own.stop();
  expect(await text).toMatch(/^retry: 1000\n\n$|broken off/);
  await expect(fetch(`${own.address}view.json`)).rejects.toThrow();
});

test('events reach all who listen, and only as many are kept as may be', async () => {
  const events = new EventStreams(2);
  const server = await HttpServer.start(
    0,
    () => ({ get: ({ request, response }) => events.add(request, response) }),
    fail,
  );
  const listeners = await Promise.all(Array.from({ length: 4 }, () => fetch(server.address)));
  await expect.poll(() => events.count).toBe(2);
  events.send('review', { revision: 'x' });
  events.close();
  const texts = await Promise.all(listeners.map((one) => one.text().catch(() => '')));
  expect(texts.filter((text) => text.endsWith('event: review\ndata: {"revision":"x"}\n\n')).length).toBe(2);
  await server.stop();
});

test('a browser is opened where there is a screen', () => {
  expect(browserOpener('linux', {})).toBeUndefined();
  expect(browserOpener('linux', { DISPLAY: ':0' })).toBe('xdg-open');
  expect(browserOpener('linux', { WAYLAND_DISPLAY: 'wayland-0' })).toBe('xdg-open');
  expect(browserOpener('darwin', {})).toBe('open');
  expect(browserOpener('win32', {})).toBe('explorer.exe');
});
