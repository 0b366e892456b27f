/** The size of the page without a model. */
import { existsSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';

const PAGE = join(import.meta.dirname, '../../cli/dist/viewer');

/** All files that a page refers to, directly or indirectly. */
function filesOf(page: string): Set<string> {
  const found = new Set<string>();
  const waiting = [page];
  for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
    if (found.has(path)) continue;
    found.add(path);
    for (const [name] of readFileSync(path, 'utf8').matchAll(/[\w.-]+\.(?:js|css)\b/g)) {
      const named = join(PAGE, 'assets', name);
      if (basename(path) !== name && existsSync(named)) waiting.push(named);
    }
  }
  return found;
}

test('the viewer is less than 500 KB, compressed, its workers included', () => {
  const files = [...filesOf(join(PAGE, 'index.html'))];
  expect(files.filter((path) => /-worker-.*\.js$/.test(path)).length).toBeGreaterThanOrEqual(3);
  const bytes = files.reduce((sum, path) => sum + gzipSync(readFileSync(path)).length, 0);
  expect(bytes).toBeGreaterThan(200_000);
  expect(bytes).toBeLessThan(500_000);
});
