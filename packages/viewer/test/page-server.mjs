// Serves a page of the viewer and stores on the loopback interface, with byte ranges like a web host.
import { mkdtemp, open, readFile, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { extname, join } from 'node:path';
import { build } from 'vite';

const TYPES = { '.html': 'text/html', '.js': 'text/javascript', '.css': 'text/css' };
/** The policy of `impinge view`. */
const POLICY =
  "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; worker-src 'self'; style-src 'self'; " +
  "img-src 'self' blob: data:; connect-src 'self'; base-uri 'none'; form-action 'none'";

/** Builds the page in `root` and serves it with stores by name. */
export async function servePage(root, stores) {
  const folder = await mkdtemp(join(tmpdir(), 'impinge-page-'));
  await build({
    configFile: false,
    root,
    base: './',
    logLevel: 'error',
    worker: { format: 'es' },
    build: { outDir: folder, emptyOutDir: true, target: 'es2022', assetsInlineLimit: 0, minify: false },
  });
  const files = {};
  for (const [name, path] of Object.entries(stores)) {
    const file = await open(path);
    files[name] = { file, size: (await file.stat()).size };
  }
  const server = createServer(async (request, response) => {
    const name = new URL(request.url, 'http://localhost').pathname.slice(1) || 'index.html';
    const headers = {
      'Content-Security-Policy': POLICY,
      'Cross-Origin-Opener-Policy': 'same-origin',
      'Cross-Origin-Embedder-Policy': 'require-corp',
    };
    if (name in files) return sendPart(files[name], request, response, headers);
    try {
      const bytes = await readFile(join(folder, name));
      response.writeHead(200, { ...headers, 'Content-Type': TYPES[extname(name)] }).end(bytes);
    } catch {
      response.writeHead(404, headers).end();
    }
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  const close = async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
    for (const { file } of Object.values(files)) await file.close();
    await rm(folder, { recursive: true });
  };
  return { url: `http://127.0.0.1:${server.address().port}/`, close };
}

async function sendPart({ file, size }, request, response, headers) {
  const [, from, to] = /^bytes=(\d+)-(\d+)$/.exec(request.headers.range ?? '') ?? [];
  if (from === undefined) return response.writeHead(416, headers).end();
  const end = Math.min(Number(to), size - 1);
  response.writeHead(206, {
    ...headers,
    'Content-Type': 'application/octet-stream',
    'Content-Length': end - from + 1,
    'Content-Range': `bytes ${from}-${end}/${size}`,
  });
  const bytes = Buffer.allocUnsafe(end - from + 1);
  await file.read(bytes, 0, bytes.length, Number(from));
  response.end(bytes);
}
