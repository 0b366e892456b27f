/**
 * Serves one file in parts as a server far away would: every answer begins late, and all of them share one line.
 *
 *   node lab/bench/remote/throttled-server.mjs FILE [--latency MS] [--rate BYTES_PER_SECOND]
 *
 * Prints its address; runs until it is killed. `GET /stats` tells requests and bytes so far.
 */
import { open } from 'node:fs/promises';
import { createServer } from 'node:http';
import { basename } from 'node:path';
import { parseArgs } from 'node:util';

const CHUNK = 1 << 16;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { latency: { type: 'string', default: '20' }, rate: { type: 'string', default: '50e6' } },
});
const [path] = positionals;
const latency = Number(values.latency);
const rate = Number(values.rate);
const handle = await open(path);
const { size, mtimeMs } = await handle.stat();
const stats = { requests: 0, bytes: 0 };
const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
/** When the line is free again, in milliseconds. */
let freeAt = 0;

/** Waits until this many bytes have passed the line, after earlier ones. */
async function pass(bytes) {
  const now = performance.now();
  freeAt = Math.max(freeAt, now) + (1000 * bytes) / rate;
  if (freeAt - now > 2) await sleep(freeAt - now);
}

const server = createServer(async (request, response) => {
  if (request.url === '/stats') return response.end(JSON.stringify(stats));
  const [, from, to] = /^bytes=(\d+)-(\d+)$/.exec(request.headers.range ?? '') ?? [];
  await sleep(latency);
  if (from === undefined) return response.writeHead(400).end();
  stats.requests++;
  const end = Math.min(Number(to) + 1, size);
  response.writeHead(206, {
    'Content-Range': `bytes ${from}-${end - 1}/${size}`,
    'Content-Length': end - Number(from),
    ETag: `"${size}-${mtimeMs}"`,
  });
  const buffer = Buffer.alloc(CHUNK);
  for (let at = Number(from); at < end; ) {
    const { bytesRead } = await handle.read(buffer, 0, Math.min(CHUNK, end - at), at);
    await pass(bytesRead);
    const isFull = !response.write(Buffer.from(buffer.subarray(0, bytesRead)));
    // disconnected clients take no more
    while (isFull && response.writableNeedDrain && !response.destroyed) await sleep(1);
    if (response.destroyed) return;
    at += bytesRead;
    stats.bytes += bytesRead;
  }
  response.end();
});
server.listen(0, '127.0.0.1', () => {
  process.stdout.write(`http://127.0.0.1:${server.address().port}/${basename(path)}\n`);
});
