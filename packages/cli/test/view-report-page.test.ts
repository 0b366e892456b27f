/** The page of a report beside the viewer: only as it was written, and with no more rights than it had. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { reportPolicy } from '../src/reports/report-page.js';
import { grouped, plantClashes } from './reports-clashes.js';
import { ask } from './view-requests.js';
import { servedReport } from './view-served.js';
import { writtenPage } from './written-page.js';

test('is served under its own policy, and told where the viewer is', async () => {
  const clashes = grouped(plantClashes(3, 31));
  const { html } = await writtenPage('beside', clashes);
  await servedReport(clashes, async (view, base, folder) => {
    const get = () => ask(view.address, `${base}report.html`);
    expect((await get()).status).toBe(404);
    writeFileSync(join(folder, 'report.html'), html);
    const { status, headers, body } = await get();
    expect(status).toBe(200);
    expect(headers['content-security-policy']).toBe(`${reportPolicy()}; frame-ancestors 'none'`);
    expect(body.toString()).toBe(html.replace('<html lang="en">', '<html lang="en" data-viewer="./">'));
    expect(readFileSync(join(folder, 'report.html'), 'utf8')).toBe(html);
  });
});

test.each([
  ['another script', (html: string) => html.replace(/script-src '[^']*'/, "script-src 'unsafe-inline'")],
  ['something before it', (html: string) => `<script>1</script>${html}`],
  ['another page', () => '<!doctype html>\n<html lang="en"><body>'],
])('with %s it is not served', async (_, alter) => {
  const clashes = grouped(plantClashes(2, 31));
  const { html } = await writtenPage('altered', clashes);
  await servedReport(clashes, async (view, base, folder) => {
    writeFileSync(join(folder, 'report.html'), alter(html));
    expect((await ask(view.address, `${base}report.html`)).status).toBe(404);
  });
});
