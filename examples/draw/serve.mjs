// Shows a store with levels in a browser: node examples/draw/serve.mjs plant.impinge
import { createReadStream } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import { createServer } from 'node:http';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

/** Bundles the page, and serves it with the store on the loopback interface. */
export async function serve(store, port = 0) {
  const { size } = await stat(store);
  const bundled = await build({
    entryPoints: [fileURLToPath(new URL('page.js', import.meta.url))],
    bundle: true,
    format: 'esm',
    write: false,
    logLevel: 'error',
  });
  const files = {
    '/': ['text/html', await readFile(new URL('index.html', import.meta.url))],
    '/page.js': ['text/javascript', bundled.outputFiles[0].contents],
  };
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url, 'http://localhost');
    if (pathname === '/model.impinge') return sendPart(store, size, request, response);
    if (!(pathname in files)) return response.writeHead(404).end();
    const [type, body] = files[pathname];
    response.writeHead(200, { 'Content-Type': type }).end(body);
  });
  await new Promise((resolve) => server.listen(port, '127.0.0.1', resolve));
  const close = () => {
    server.close();
    server.closeAllConnections();
  };
  return { url: `http://127.0.0.1:${server.address().port}/`, close };
}

/** What the page needs of the store: never the whole. */
function sendPart(store, size, request, response) {
  const [, from, to] = /^bytes=(\d+)-(\d+)$/.exec(request.headers.range ?? '') ?? [];
  const [start, end] = [Number(from), Math.min(Number(to), size - 1)];
  if (!(start <= end)) return response.writeHead(416, { 'Content-Range': `bytes */${size}` }).end();
  response.writeHead(206, {
    'Content-Type': 'application/octet-stream',
    'Content-Length': end - start + 1,
    'Content-Range': `bytes ${start}-${end}/${size}`,
  });
  createReadStream(store, { start, end }).pipe(response);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const [store, port] = process.argv.slice(2);
  if (store === undefined) {
    console.error(
      'usage: node examples/draw/serve.mjs STORE [PORT]; make one with impinge pack MODEL --levels',
    );
    process.exit(2);
  }
  const { url, close } = await serve(store, Number(port ?? 8080));
  console.log(`${url}  (Ctrl-C ends it)`);
  process.once('SIGINT', () => close());
}
