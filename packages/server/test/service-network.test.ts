/** Addresses that users provide: private ones are refused, however they are written, resolved or redirected to. */
import type { Server } from 'node:http';
import { join } from 'node:path';
import { seededRandom } from '@impinge/scenes/random';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { full } from '../../../test/budget.js';
import { temporaryFolder } from '../../cli/test/files.js';
import { ClientAddresses } from '../src/service/network/client-address.js';
import { fetchModel } from '../src/service/network/fetch-model.js';
import { allowedUrl, guardedRequest, type NetworkPolicy } from '../src/service/network/guarded-request.js';
import { PublicAddresses } from '../src/service/network/public-address.js';
import { RateLimit } from '../src/service/rate-limit.js';
import { httpServer } from './local-servers.js';

const CLOSED: NetworkPolicy = { allowPrivate: false };
const get = (address: string, policy: NetworkPolicy) =>
  guardedRequest(address, { method: 'GET', signal: AbortSignal.timeout(10_000) }, policy);

describe('addresses that are not public', () => {
  const known = new PublicAddresses();
  test.each([
    ...[
      '127.0.0.1',
      '127.9.9.9',
      '10.0.0.1',
      '172.16.0.1',
      '172.31.255.255',
      '192.168.1.1',
      '169.254.169.254',
    ],
    ...['0.0.0.0', '100.64.0.1', '224.0.0.1', '255.255.255.255', '198.18.0.1', '192.0.2.1'],
    ...[
      '::1',
      '::',
      'fd00::1',
      'fe80::1',
      'fe80::1%eth0',
      'fec0::1',
      'ff02::1',
      '2001:db8::1',
      '2002:7f00:1::',
    ],
    ...['::ffff:127.0.0.1', '::ffff:7f00:1', '::ffff:8.8.8.8', '64:ff9b::7f00:1', '2001::1', 'localhost', ''],
  ])('%s', (address) => expect(known.has(address)).toBe(false));
  test.each(['8.8.8.8', '172.32.0.1', '100.128.0.1', '2606:4700::1', '2a00:1450::8a'])('%s is', (address) =>
    expect(known.has(address)).toBe(true),
  );
  test('but for ranges that are allowed besides', () => {
    const more = new PublicAddresses(['10.1.0.0/16', 'fd00::/8', '127.0.0.1']);
    for (const address of ['10.1.2.3', 'fd12::1', '127.0.0.1', '8.8.8.8'])
      expect([address, more.has(address)]).toEqual([address, true]);
    for (const address of ['10.2.0.1', '127.0.0.2', '::1', '192.168.0.1'])
      expect([address, more.has(address)]).toEqual([address, false]);
  });
});

test.each([
  ...[
    'https://127.0.0.1/x',
    'https://2130706433/x',
    'https://0x7f.1/x',
    'https://0177.0.0.1/',
    'https://127.1/',
  ],
  ...['https://[::1]/x', 'https://[::ffff:127.0.0.1]/', 'https://[fd00::1]/', 'https://10.0.0.1:8443/'],
  ...['https://１２７.0.0.1/', 'http://example.com/', 'file:///etc/passwd', 'https://a:b@example.com/', 'x'],
])('%s is refused at once', (address) => {
  expect(() => allowedUrl(address, CLOSED)).toThrow(
    /not a public address|only https|names or passwords|not an address/,
  );
});

describe('names', () => {
  full.each([
    [['127.0.0.1']],
    [['10.0.0.7']],
    [['::1']],
    [['fd00::5']],
    [['::ffff:10.0.0.1']],
    [['93.184.216.34', '127.0.0.1']],
    [[]],
  ])('that resolve to %j are refused', async (found) => {
    const policy = { allowPrivate: false, resolve: async () => found };
    await expect(get('https://models.example.com/x.glb', policy)).rejects.toThrow(
      /not a public address|has no address/,
    );
  });
  test('that resolve differently the second time are refused then', async () => {
    let asked = 0;
    const policy = {
      allowPrivate: ['127.0.0.1'],
      resolve: async () => [asked++ === 0 ? '127.0.0.1' : '10.0.0.1'],
    };
    const { server, base } = await httpServer((_, response) => response.end('x'));
    const { port } = new URL(base);
    (await get(`http://models.example.com:${port}/`, policy)).destroy();
    await expect(get(`http://models.example.com:${port}/`, policy)).rejects.toThrow(
      '10.0.0.1, which is not a public',
    );
    server.close();
  });
});

describe('redirects', () => {
  const targets: Record<string, string> = {
    '/loopback': 'http://127.0.0.2/',
    '/six': 'http://[::1]/',
    '/private': 'http://10.0.0.1/',
    '/number': 'http://2130706434/',
    '/file': 'file:///etc/passwd',
    '/name': 'http://internal.example.com/',
    '/loop': '/loop',
    '/once': '/model',
  };
  let server: Server;
  let base: string;
  const hits: string[] = [];
  const policy = { allowPrivate: ['127.0.0.1'], resolve: async () => ['192.168.0.10'] };

  beforeAll(async () => {
    ({ server, base } = await httpServer((request, response) => {
      hits.push(request.url!);
      const target = targets[request.url!];
      if (target) response.writeHead(302, { Location: target }).end();
      else response.end('x'.repeat(1000));
    }));
  });
  afterAll(() => server.close());

  test.each(['/loopback', '/six', '/private', '/number', '/file', '/name'])(
    '%s to what is not public are refused',
    async (path) => {
      await expect(get(base + path, policy)).rejects.toThrow(/not a public address|only https/);
    },
  );
  test('without an end have one', async () => {
    hits.length = 0;
    await expect(get(`${base}/loop`, policy)).rejects.toThrow('redirects more than 5 times');
    expect(hits).toHaveLength(6);
  });
  test('of what is sent are refused', async () => {
    const sent = guardedRequest(
      `${base}/once`,
      { method: 'POST', body: '{}', signal: AbortSignal.timeout(10_000) },
      policy,
    );
    await expect(sent).rejects.toThrow('redirects a POST request');
  });
  test('lead to models, which are no larger than allowed', async () => {
    const path = join(temporaryFolder(), 'model');
    const { signal } = new AbortController();
    const least = { bytes: 100, ms: 10_000 };
    await fetchModel(`${base}/once`, path, { most: 1000, least, policy }, signal);
    await expect(fetchModel(`${base}/once`, path, { most: 999, least, policy }, signal)).rejects.toThrow(
      'is larger than 999 bytes',
    );
  });
});

describe('a server that drips is given up, and the connection closed:', () => {
  let server: Server;
  let base: string;
  let hungUp = 0;
  const { signal } = new AbortController();
  const limits = {
    most: 1e6,
    least: { bytes: 1000, ms: 250 },
    policy: { allowPrivate: ['127.0.0.1'], resolve: async () => ['127.0.0.1'] },
  };

  beforeAll(async () => {
    ({ server, base } = await httpServer(({ url, socket }, response) => {
      const drip = setInterval(() => (url === '/head' ? socket.write('x') : response.write('x')), 5);
      socket.on('error', () => {});
      socket.on('close', () => {
        clearInterval(drip);
        hungUp++;
      });
      if (url === '/head') socket.write('HTTP/1.1 200 OK\r\nX-Long: ');
      else response.writeHead(200, { 'Content-Length': 1e6 });
      if (url === '/later') response.write('x'.repeat(50_000));
    }));
  });
  afterAll(() => server.close());

  full.each(['/body', '/later', '/head'])('%s', async (path) => {
    hungUp = 0;
    await expect(fetchModel(base + path, join(temporaryFolder(), 'x.glb'), limits, signal)).rejects.toThrow(
      `${base}${path}: comes too slowly: less than 1000 bytes came in 0.25 seconds`,
    );
    await expect.poll(() => hungUp).toBe(1);
  });
  test('but one that was told to stop is not called slow', async () => {
    const stopped = fetchModel(`${base}/body`, join(temporaryFolder(), 'x.glb'), limits, AbortSignal.abort());
    await expect(stopped).rejects.toThrow('aborted');
  });
});

describe('who asks', () => {
  const from = (remoteAddress: string, said?: string, proxies: readonly string[] = ['10.0.0.0/8', '::1']) =>
    new ClientAddresses(proxies).of({
      socket: { remoteAddress } as never,
      headers: { ...(said !== undefined && { 'x-forwarded-for': said }) },
    });
  test.each([
    ['whoever is connected', '203.0.113.9', undefined, '203.0.113.9'],
    ['and what they say of others counts for nothing', '203.0.113.9', '10.0.0.1', '203.0.113.9'],
    ['whom a trusted proxy asks for', '10.0.0.1', '198.51.100.7', '198.51.100.7'],
    ['of a row of proxies, too', '10.0.0.1', '198.51.100.7, 10.2.3.4', '198.51.100.7'],
    ['not what that one has put before', '10.0.0.1', '1.1.1.1, 198.51.100.7', '198.51.100.7'],
    ['the proxy, where it says nothing that can be read', '10.0.0.1', 'unknown', '10.0.0.1'],
    ['or nothing at all', '10.0.0.1', '', '10.0.0.1'],
    ['addresses may be of six, with ports, or of four in six', '::1', '[2001:db8::7]:443', '2001:db8::7'],
    ['likewise', '::ffff:10.0.0.1', '198.51.100.7:5123', '198.51.100.7'],
  ])('%s', (_, connected, said, asks) => expect(from(connected, said)).toBe(asks));
  test('without trusted proxies, whoever is connected', () =>
    expect(from('10.0.0.1', '198.51.100.7', [])).toBe('10.0.0.1'));

  const [seed, rounds] = [31, 300];
  test(`whatever strangers write before what proxies add, the answer is the same (seed ${seed})`, () => {
    const random = seededRandom(seed);
    const one = () => Math.floor(random() * 256);
    const stranger = () => `203.0.113.${one()}`;
    const proxy = () => `10.${one()}.${one()}.${one()}`;
    const junk = () =>
      [proxy(), stranger(), 'unknown', '', '::1', '10.0.0.1:80', '_x'][Math.floor(random() * 7)];
    for (let i = 0; i < rounds; i++) {
      const client = stranger();
      const forged = Array.from({ length: Math.floor(random() * 4) }, junk);
      const passed = Array.from({ length: Math.floor(random() * 3) }, proxy);
      expect(from(proxy(), [...forged, client, ...passed].join(', '))).toBe(client);
    }
  });
});

test('a rate is kept, and is had again after a while; keys that were not heard of for long make room', () => {
  let now = 0;
  const limit = new RateLimit(60, () => now);
  const taken = () =>
    Array.from({ length: 70 }, () => limit.take('a')).filter((seconds) => seconds === 0).length;
  expect(taken()).toBe(60);
  expect(limit.take('a')).toBe(1);
  expect(limit.take('b')).toBe(0);
  now += 5000;
  expect(taken()).toBe(5);
  for (let i = 0; i < 10_000; i++) limit.take(`other ${i}`);
  expect(limit.take('a')).toBe(0);
});
