/**
 * The documentation site: every public name is documented, every link leads somewhere, and the live pages are there.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, expect, test } from 'vitest';
import { PAGES, SECTIONS } from '../scripts/site-pages.mjs';

const root = fileURLToPath(new URL('../', import.meta.url));
const site = mkdtempSync(join(tmpdir(), 'impinge-site-'));
afterAll(() => rmSync(site, { recursive: true, force: true }));

test('has every document on one list', () => {
  const documents = readdirSync(join(root, 'docs'))
    .filter((name) => name.endsWith('.md'))
    .map((name) => `docs/${name}`);
  const listed = PAGES.filter((page) => /^docs\/[^/]*$/.test(page));
  expect(listed.sort()).toEqual(documents.sort());
});

test('is built without a warning, and its own links lead somewhere', () => {
  // ends with 1 where typedoc warns
  execFileSync(process.execPath, [join(root, 'scripts/build-site.mjs'), site], { stdio: 'pipe' });
  const pages = readdirSync(site, { recursive: true, encoding: 'utf8' }).filter((name) =>
    /\.html$/.test(name),
  );
  const list = readFileSync(join(site, 'llms.txt'), 'utf8');
  for (const page of PAGES) {
    expect(pages.map((name) => name.replaceAll('\\', '/'))).toContain(page.replace('.md', '.html'));
    expect(readFileSync(join(site, page), 'utf8')).toContain('# ');
    expect(list).toContain(`](${page}): `);
  }
  const contents = readFileSync(join(site, 'modules.html'), 'utf8');
  const places = [...Object.keys(SECTIONS), 'Modules'].map((title) => contents.indexOf(`>${title}<`));
  expect(places).toEqual([...places].sort((a, b) => a - b));
  expect(Math.min(...places)).toBeGreaterThan(0);
  const missing = pages.flatMap((page) =>
    [...readFileSync(join(site, page), 'utf8').matchAll(/(?:href|src)="([^"#?]+)/g)]
      .map(([, address]) => address)
      .filter(
        (address) =>
          !/^(\w+:|\/\/)/.test(address) &&
          !existsSync(join(site, dirname(page), decodeURIComponent(address))),
      )
      .map((address) => `${page}: ${address}`),
  );
  expect(missing).toEqual([]);
  expect(readFileSync(join(site, 'index.html'), 'utf8')).toContain('href="live/index.html"');
  expect(readFileSync(join(site, 'live/index.html'), 'utf8')).toContain('href="gallery/index.html"');
});
