/** Files and stores on servers that have trouble, or play tricks. */
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { icosphere } from '../../../../lab/scenes/index.mjs';
import { every, full } from '../../../../test/budget.js';
import { HttpFile } from '../../src/store/http-file.js';
import type { ShapeArrays } from '../../src/store/source.js';
import { openStoreUrl, UrlSource } from '../../src/store/url-source.js';
import { named, storeBytes } from './fixtures.js';

const BYTES = await storeBytes([
  { geometry: icosphere(5) as ShapeArrays, objects: [named('a'), named('b')] },
]);
let server: Server;
type Trick = (response: ServerResponse, from: number, to: number) => void;
/** What goes wrong, request by request; then nothing does. */
let trouble: Trick[] = [];
let tag = '"one"';
let asked = 0;
let range: string | undefined;
let authorized: string | undefined;
const url = (more = '') => `http://127.0.0.1:${(server.address() as AddressInfo).port}/file${more}`;

function partOf(
  response: ServerResponse,
  from: number,
  to: number,
  sent = BYTES.subarray(from, to + 1),
): void {
  response.writeHead(206, { 'Content-Range': `bytes ${from}-${to}/${BYTES.length}`, ETag: tag });
  response.end(sent);
}

beforeAll(async () => {
  server = createServer(({ headers }, response) => {
    asked++;
    range = headers.range;
    authorized = headers.authorization;
    const [, from, to] = /^bytes=(\d+)-(\d+)$/.exec(headers.range!)!;
    const trick = trouble.shift();
    if (trick) trick(response, Number(from), Number(to));
    else if (headers['if-match'] && headers['if-match'] !== tag) response.writeHead(412).end();
    else partOf(response, Number(from), Number(to));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
});
afterAll(() => {
  server.close();
});
beforeEach(() => {
  trouble = [];
  tag = '"one"';
});

full('what may pass is tried again', async () => {
  const file = await HttpFile.open(url());
  asked = 0;
  trouble = [
    (response) => response.writeHead(503, { 'Retry-After': '0' }).end('busy'),
    (response) => response.destroy(),
    (response, from, to) => {
      // cut in the middle
      response.writeHead(206, {
        'Content-Range': `bytes ${from}-${to}/${BYTES.length}`,
        'Content-Length': to - from + 1,
      });
      response.write(BYTES.subarray(from, from + 10), () => response.destroy());
    },
  ];
  expect(await file.part(100, 300)).toEqual(BYTES.slice(100, 400));
  expect(asked).toBe(4);
});

full(
  'a connection on which nothing comes any more is given up, before and after the first bytes',
  async () => {
    const file = await HttpFile.open(url(), { bytes: 20, ms: 150 });
    asked = 0;
    const held: ServerResponse[] = [];
    trouble = [
      (response) => held.push(response),
      (response, from, to) => {
        held.push(response);
        response.writeHead(206, { 'Content-Range': `bytes ${from}-${to}/${BYTES.length}`, ETag: tag });
        response.write(BYTES.subarray(from, from + 10));
      },
    ];
    expect(await file.part(100, 300)).toEqual(BYTES.slice(100, 400));
    expect(asked).toBe(3);
    for (const response of held) response.destroy();
  },
);

full.each(
  every(
    [
      ['after it was quick', 2000],
      ['from the beginning', 0],
    ] as const,
    2,
  ),
)('one that drips %s is given up, however long it goes on', async (_, quick) => {
  const file = await HttpFile.open(url(), { bytes: 1000, ms: 250 });
  let hungUp = 0;
  trouble = Array.from({ length: 9 }, () => (response, from, to) => {
    response.writeHead(206, { 'Content-Range': `bytes ${from}-${to}/${BYTES.length}`, ETag: tag });
    response.write(BYTES.subarray(from, from + quick));
    let at = from + quick;
    const drip = setInterval(() => response.write(BYTES.subarray(at, ++at)), 5);
    response.on('close', () => {
      hungUp++;
      clearInterval(drip);
    });
  });
  asked = 0;
  await expect(file.part(0, 5000)).rejects.toThrow('less than 1000 bytes came in 0.25 seconds');
  expect(asked).toBe(5);
  await expect.poll(() => hungUp).toBe(5);
});

full('nor is a head that drips waited for', async () => {
  const file = await HttpFile.open(url(), { bytes: 1000, ms: 250 });
  trouble = Array.from({ length: 9 }, () => ({ socket }) => {
    socket!.write('HTTP/1.1 206 Partial Content\r\nX-Long: ');
    const drip = setInterval(() => socket!.write('x'), 5);
    socket!.on('close', () => clearInterval(drip));
    socket!.on('error', () => {});
  });
  await expect(file.part(0, 5)).rejects.toThrow('less than 1000 bytes came in 0.25 seconds');
});

/** What the server says it sends, and has. */
const says = (range: string, sent: Uint8Array) => (response: ServerResponse) =>
  response.writeHead(206, { 'Content-Range': `bytes ${range}`, ETag: tag }).end(sent);

test.each([
  ['of nothing', '0-0/0', 'says that the file has 0 bytes, and sends those at 0 to 0'],
  ['of more than there is', '0-0/99999999999999999999', 'and no store is as long'],
])('a length %s is named', async (_, range, message) => {
  trouble = [says(range, BYTES.subarray(0, 1))];
  await expect(HttpFile.open(url())).rejects.toThrow(message);
});

test('a length that turns out to be another is named, and what is wrong with it', async () => {
  trouble = [says('0-0/9000', BYTES.subarray(0, 1))];
  const file = await HttpFile.open(url());
  trouble = [says('4000-4999/9000', BYTES.subarray(4000, 5000))];
  await expect(file.part(4000, 2000)).rejects.toThrow('has 9000 bytes, and sends 1000 of 2000 at 4000');
  trouble = [says('4000-4009/8000', BYTES.subarray(4000, 4010))];
  await expect(file.part(4000, 10)).rejects.toThrow('has 8000 bytes, and said 9000 before');
  trouble = [(response) => response.writeHead(416).end()];
  await expect(file.part(8000, 10)).rejects.toThrow(
    'said that the file has 9000 bytes, and has none at 8000',
  );
});

full('but not for ever', async () => {
  const file = await HttpFile.open(url());
  asked = 0;
  trouble = Array.from({ length: 9 }, () => (response) => response.writeHead(500).end());
  await expect(file.part(0, 5)).rejects.toThrow(/cannot be read: the server says 500/);
  expect(asked).toBe(5);
});

test.each([403, 404])('%i is an answer', async (status) => {
  const file = await HttpFile.open(url());
  asked = 0;
  trouble = [(response) => response.writeHead(status).end()];
  await expect(file.part(0, 5)).rejects.toThrow(`the server says ${status}`);
  expect(asked).toBe(1);
});

test('a file that is replaced is an error, whether or not the server looks at If-Match', async () => {
  const file = await HttpFile.open(url());
  tag = '"two"';
  await expect(file.part(0, 5)).rejects.toThrow(/has changed/);
  trouble = [(response, from, to) => partOf(response, from, to)];
  await expect(file.part(0, 5)).rejects.toThrow(/has changed/);
});

test.each([
  ['more', BYTES.subarray(0, 100)],
  ['less', BYTES.subarray(0, 3)],
])('%s bytes than asked for are an error', async (_, sent) => {
  const file = await HttpFile.open(url());
  trouble = [(response, from, to) => partOf(response, from, to, sent)];
  await expect(file.part(0, 5)).rejects.toThrow(/another part/);
});

test('what gives access to a file is in no message', async () => {
  trouble = [(response) => response.writeHead(404).end()];
  const error = await HttpFile.open(url('?X-Amz-Signature=secret')).catch((thrown) => thrown);
  expect(error.message).toContain(url());
  expect(JSON.stringify(error.detail) + error.message).not.toContain('secret');
  trouble = [(response) => response.writeHead(401).end()];
  const refused = await HttpFile.open(url().replace('//', '//user:secret@')).catch((thrown) => thrown);
  expect(JSON.stringify(refused.detail) + refused.message).not.toContain('secret');
});

test('user and password of an address are told to the server', async () => {
  const file = await HttpFile.open(url().replace('//', '//a%40b:c%3Ad@'));
  expect(await file.part(7, 3)).toEqual(BYTES.slice(7, 10));
  expect(authorized).toBe(`Basic ${btoa('a@b:c:d')}`);
});

test('a store is read in parts', async () => {
  const model = await openStoreUrl(new URL(url()));
  expect(model.objectCount).toBe(2);
  const [a, b] = [new Uint8Array(10), new Uint8Array(7)];
  await model.source.read(20, [a, b]);
  expect([...a, ...b]).toEqual([...BYTES.subarray(20, 37)]);
  expect(range).toBe('bytes=20-36');
  await expect(model.source.read(BYTES.length - 3, [a])).rejects.toMatchObject({ code: 'bad-buffer' });
});

full('many parts are asked for in turn, few at a time', async () => {
  const source = await UrlSource.open(url());
  const waiting: (() => void)[] = [];
  let most = 0;
  const slowly: Trick = (response, from, to) => {
    waiting.push(() => partOf(response, from, to));
    most = Math.max(most, waiting.length);
    setImmediate(() => waiting.shift()?.());
  };
  trouble = Array.from({ length: 60 }, () => slowly);
  const parts = Array.from({ length: 60 }, (_, i) => new Uint8Array(1 + i));
  await Promise.all(parts.map((part, i) => source.read(i, [part])));
  parts.forEach((part, i) => {
    expect(part).toEqual(BYTES.slice(i, 2 * i + 1));
  });
  expect(most).toBeGreaterThan(0);
  expect(most).toBeLessThanOrEqual(8);
  // those that fail make room for others
  const refusing: Trick = (response, from, to) =>
    from === 100 ? response.writeHead(404).end() : partOf(response, from, to);
  trouble = Array.from({ length: 17 }, () => refusing);
  const failing = parts.slice(0, 16).map((part) => source.read(100, [part]));
  const ended = await Promise.allSettled([...failing, source.read(7, [parts[7]])]);
  expect(ended.map(({ status }) => status)).toEqual([...failing.map(() => 'rejected'), 'fulfilled']);
});

test.each<[string, Trick, string, RegExp]>([
  ['sends all of it', (response) => response.writeHead(200).end(BYTES), 'unsupported', /does not send parts/],
  ['has none', (response) => response.writeHead(404).end(), 'bad-input', /404/],
  [
    'does not say what it sends',
    (response, from, to) => response.writeHead(206).end(BYTES.subarray(from, to + 1)),
    'bad-input',
    /does not say which part/,
  ],
  [
    'sends something else',
    (response, from, to) => partOf(response, from + 1, to + 1),
    'bad-input',
    /another part/,
  ],
])('a server that %s', async (_, trick, code, message) => {
  trouble = [trick];
  const error = await openStoreUrl(url()).catch((thrown) => thrown);
  expect(error).toMatchObject({ name: 'ImpingeError', code, message: expect.stringMatching(message) });
  expect(error.message.split(url())).toHaveLength(2);
});

test('what is no URL is refused', async () => {
  await expect(UrlSource.open('nothing of the kind')).rejects.toMatchObject({ code: 'bad-input' });
  await expect(UrlSource.open(7 as never)).rejects.toThrow(/must be a string, got 7/);
});
