/** Files on servers that have trouble, or play tricks. */
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { HttpFile } from '../../src/store/http-file.js';

const BYTES = Uint8Array.from({ length: 5000 }, (_, i) => i % 251);
let server: Server;
/** What goes wrong, request by request; then nothing does. */
let trouble: ((response: ServerResponse, from: number, to: number) => void)[] = [];
let tag = '"one"';
let asked = 0;
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

test('what may pass is tried again', async () => {
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

test('a connection on which nothing comes any more is given up, before and after the first bytes', async () => {
  const file = await HttpFile.open(url(), 150);
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
});

test('but not for ever', async () => {
  const file = await HttpFile.open(url());
  asked = 0;
  trouble = Array.from({ length: 9 }, () => (response) => response.writeHead(500).end());
  await expect(file.part(0, 5)).rejects.toThrow(/cannot be read: the server says 500/);
  expect(asked).toBe(5);
});

test.each([403, 404, 416])('%i is an answer', async (status) => {
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
