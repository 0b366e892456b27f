/** Stores on a server, and servers that are of no use. */
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { full } from '../../../../test/budget.js';
import { arrays } from '../../../../test/right-calls.js';
import { openStoreUrl, UrlSource } from '../../src/store/url-source.js';
import { named, storeBytes } from './fixtures.js';

const bytes = await storeBytes([{ geometry: arrays(), objects: [named('a'), named('b')] }]);
let server: Server;
let asked: string[] = [];
const waiting: (() => void)[] = [];
let most = 0;
/** From here on nothing can be read of the slow one. */
const BROKEN = 100;
const url = (name: string) => `http://127.0.0.1:${(server.address() as AddressInfo).port}/${name}`;

/** By name of the file: what a server does about `bytes=from-to`. */
const ANSWERS: Record<string, (response: ServerResponse, from: number, to: number) => void> = {
  right: (response, from, to) => partOf(response, from, to, bytes.length),
  whole: (response) => response.writeHead(200).end(bytes),
  none: (response) => response.writeHead(404).end('no'),
  silent: (response, from, to) => response.writeHead(206).end(bytes.subarray(from, to + 1)),
  elsewhere: (response, from, to) => partOf(response, from + 1, to + 1, bytes.length),
  growing: (response, from, to) => partOf(response, from, to, bytes.length + asked.length),
  broken: (response) => response.destroy(),
  slow: (response, from, to) => {
    waiting.push(() => (from === BROKEN ? response.destroy() : partOf(response, from, to, bytes.length)));
    most = Math.max(most, waiting.length);
    setImmediate(() => waiting.shift()?.());
  },
};

function partOf(response: ServerResponse, from: number, to: number, whole: number): void {
  response.writeHead(206, { 'Content-Range': `bytes ${from}-${to}/${whole}` });
  response.end(bytes.subarray(from, to + 1));
}

beforeAll(async () => {
  server = createServer((request, response) => {
    asked.push(request.headers.range ?? '');
    const [, from, to] = /^bytes=(\d+)-(\d+)$/.exec(request.headers.range ?? '') ?? [];
    ANSWERS[request.url!.slice(1)](response, Number(from), Number(to));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
});
afterAll(() => {
  server.close();
});

test('a store is read in parts', async () => {
  asked = [];
  const model = await openStoreUrl(new URL(url('right')));
  expect(model.objectCount).toBe(2);
  expect(asked.every((range) => range !== '')).toBe(true);
  const [a, b] = [new Uint8Array(10), new Uint8Array(7)];
  await model.source.read(20, [a, b]);
  expect([...a, ...b]).toEqual([...bytes.subarray(20, 37)]);
  expect(asked.at(-1)).toBe('bytes=20-36');
  await expect(model.source.read(bytes.length - 3, [a])).rejects.toMatchObject({ code: 'bad-buffer' });
});

full('many parts are asked for in turn, few at a time', async () => {
  const source = await UrlSource.open(url('slow'));
  most = 0;
  const parts = Array.from({ length: 60 }, (_, i) => new Uint8Array(1 + i));
  await Promise.all(parts.map((part, i) => source.read(i, [part])));
  parts.forEach((part, i) => {
    expect(part).toEqual(bytes.slice(i, 2 * i + 1));
  });
  expect(most).toBeGreaterThan(0);
  expect(most).toBeLessThanOrEqual(8);
  // those that fail make room for others
  const failing = parts.slice(0, 16).map((part) => source.read(BROKEN, [part]));
  const ended = await Promise.allSettled([...failing, source.read(7, [parts[7]])]);
  expect(ended.map(({ status }) => status)).toEqual([...failing.map(() => 'rejected'), 'fulfilled']);
});

full.each([
  ['whole', 'unsupported', /does not send parts/],
  ['none', 'bad-input', /404/],
  ['silent', 'bad-input', /does not say which part/],
  ['elsewhere', 'bad-input', /another part/],
  ['growing', 'bad-input', /has \d+ bytes, and said \d+ before/],
  ['broken', 'bad-input', /cannot be read/],
])('a server that is %s: %s', async (name, code, message) => {
  const error = await openStoreUrl(url(name)).catch((thrown) => thrown);
  expect(error).toMatchObject({ name: 'ImpingeError', code, message: expect.stringMatching(message) });
  expect(error.message.split(url(name))).toHaveLength(2);
});

test('what is no URL is refused', async () => {
  await expect(UrlSource.open('nothing of the kind')).rejects.toMatchObject({ code: 'bad-input' });
  await expect(UrlSource.open(7 as never)).rejects.toThrow(/must be a string, got 7/);
});
