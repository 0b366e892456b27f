/** The common frame of all pages. */
import { version } from '@impinge/cli/internal/version.js';
import type { Caller } from '../request-guard.js';
import { type Html, html } from './html.js';

/** Only the service's own scripts and styles. */
const POLICY = [
  ...[
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self' data:",
    "connect-src 'self'",
  ],
  ...["form-action 'self'", "base-uri 'none'", "frame-ancestors 'none'"],
].join('; ');

const ICON =
  "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 16 16'%3E%3Crect width='10' height='10' rx='2' fill='%232e6fdb'/%3E%3Crect x='6' y='6' width='10' height='10' rx='2' fill='%23c8281d'/%3E%3C/svg%3E";

export function page(title: string, caller: Caller | undefined, content: Html, status = 200): Response {
  const whole = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
${caller && html`<meta name="csrf" content="${caller.csrf}">`}
<link rel="icon" href="${ICON}">
<link rel="stylesheet" href="/assets/service.css">
<script src="/assets/service.js" defer></script>
</head>
<body>
<header><a class="home" href="/"><span class="mark"><i></i><i></i></span>impinge</a>${
    caller &&
    html`<form method="post" action="/logout">${hidden(caller)}<span>${caller.token.name} (${caller.token.role})</span><button>Log out</button></form>`
  }</header>
<main>
${content}
</main>
<footer>impinge ${version()} · <a href="/openapi.json">API</a></footer>
</body>
</html>
`;
  return new Response(whole.text, {
    status,
    headers: {
      'Content-Type': 'text/html; charset=utf-8',
      'Content-Security-Policy': POLICY,
      // with no-referrer, browsers would send "Origin: null" with our own forms
      'Referrer-Policy': 'same-origin',
    },
  });
}

/** The CSRF token of a form. */
export function hidden({ csrf }: Caller): Html {
  return html`<input type="hidden" name="csrf" value="${csrf}">`;
}

/** `2026-11-17 04:12`, in UTC. */
export function moment(text: string | null): string {
  return text === null ? '' : new Date(text).toISOString().slice(0, 16).replace('T', ' ');
}
