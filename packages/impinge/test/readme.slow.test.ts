/** What the documents show must run, and print what they say it prints. */
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import * as library from 'impinge';
import { describe, expect, test } from 'vitest';

const root = fileURLToPath(new URL('../../../', import.meta.url));
const text = (path: string) => readFileSync(root + path, 'utf8');

/** Runs a module in a process of its own, from the root, and returns what it printed. */
function run(...args: string[]): string {
  return execFileSync(process.execPath, args, { cwd: root, encoding: 'utf8' });
}

describe('examples', () => {
  const files = readdirSync(`${root}examples`).filter((name) => name.endsWith('.mjs'));

  test('are there, and numbered', () => {
    expect(files.length).toBeGreaterThanOrEqual(3);
    for (const [i, name] of files.entries()) {
      expect(name).toMatch(new RegExp(`^${String(i + 1).padStart(2, '0')}-[a-z-]+\\.mjs$`));
    }
  });

  test.each(files)('%s prints what it says at its end, in at most 40 lines', (name) => {
    const source = text(`examples/${name}`);
    expect(source.split('\n').length - 1).toBeLessThanOrEqual(40);
    const promised = [...source.matchAll(/^\/\/ > (.*)$/gm)].map((match) => match[1]);
    expect(promised.length).toBeGreaterThan(0);
    expect(run(`examples/${name}`).trimEnd().split('\n')).toEqual(promised);
  });
});

describe('code in the documents', () => {
  const documents = [
    'README.md',
    ...readdirSync(`${root}docs`)
      .filter((name) => name.endsWith('.md'))
      .map((name) => `docs/${name}`),
  ];
  const blocks = documents.flatMap((path) =>
    [...text(path).matchAll(/^```js\n([\s\S]*?)^```$/gm)].map((match, i) => ({
      path,
      i: i + 1,
      code: match[1],
    })),
  );

  test('README has some', () => {
    expect(blocks.some(({ path }) => path === 'README.md')).toBe(true);
  });

  // `console.log(…); // text` promises the text
  test.each(blocks)('$path, block $i', ({ code }) => {
    const promised = [...code.matchAll(/console\.log\(.*\);\s*\/\/ (.*)$/gm)].map((match) => match[1]);
    const output = run('--input-type=module', '--eval', code).trimEnd();
    expect(output === '' ? [] : output.split('\n')).toEqual(promised);
  });

  test('README has at most 140 lines', () => {
    expect(text('README.md').trimEnd().split('\n').length).toBeLessThanOrEqual(140);
  });

  test('the overview lists what the library exports, and nothing else', () => {
    const [calls = ''] = text('docs/api-overview.md').split('## Entry points');
    const listed = [...calls.matchAll(/^\| `(\w+)[^|]*` +\|/gm)].map((match) => match[1]);
    expect(listed.sort()).toEqual(Object.keys(library).sort());
  });
});
