/** Headers of every response. */
import { extname } from 'node:path';

/** Nothing from other origins, no inline script or style; shared memory requires the page to be isolated. */
const PAGE_POLICY = [
  "default-src 'none'",
  "script-src 'self' 'wasm-unsafe-eval'",
  "worker-src 'self'",
  "style-src 'self'",
  "img-src 'self' blob: data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
];

/** The policy in the form that a page can carry itself. */
export const META_POLICY = PAGE_POLICY.join('; ');

export const HEADERS: Readonly<Record<string, string>> = {
  'Content-Security-Policy': [...PAGE_POLICY, "frame-ancestors 'none'"].join('; '),
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'no-referrer',
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Embedder-Policy': 'require-corp',
  'Cross-Origin-Resource-Policy': 'same-origin',
};

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.wasm': 'application/wasm',
};

export function typeOf(name: string): string {
  return TYPES[extname(name)] ?? 'application/octet-stream';
}
