/** What the documents show must run, and print what they say it prints. */
import { execFileSync } from 'node:child_process';
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import * as library from 'impinge';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

const root = fileURLToPath(new URL('../', import.meta.url));
const text = (path: string) => readFileSync(root + path, 'utf8');

type Printed = Readonly<Record<string, { readonly printed: string; readonly failure?: string }>>;

/** Runs modules in a process of their own, which ends by itself; what each of them printed. */
function printedBy(files: readonly string[], cwd = root): Printed {
  const output = execFileSync(process.execPath, [join(root, 'test/print-modules.mjs'), ...files], {
    cwd,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  return JSON.parse(output) as Printed;
}

/** The lines that a module printed. */
function linesOf(results: Printed, file: string): string[] {
  const { printed, failure } = results[file];
  expect(failure).toBeUndefined();
  return printed === '' ? [] : printed.trimEnd().split('\n');
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
    expect(linesOf(printedBy([`examples/${name}`]), `examples/${name}`)).toEqual(promised);
  });
});

describe('code in the documents', () => {
  const documents = [
    'README.md',
    ...readdirSync(`${root}docs`)
      .filter((name) => name.endsWith('.md'))
      .map((name) => `docs/${name}`),
  ];
  /** Nothing is in it but what `npm install` puts there. */
  let folder = '';
  const results: Record<string, Printed> = {};
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'impinge-documents-'));
    mkdirSync(join(folder, 'node_modules', '@impinge'), { recursive: true });
    const ours = ['impinge', '@impinge/model', '@impinge/dynamics', '@impinge/gpu', '@impinge/motion'];
    for (const name of [...ours, 'three', 'webgpu'])
      symlinkSync(join(root, 'node_modules', name), join(folder, 'node_modules', name), 'junction');
    for (const { file, code } of blocks) writeFileSync(join(folder, file), code);
    for (const document of new Set(blocks.map(({ path }) => path))) {
      const files = blocks.filter(({ path }) => path === document).map(({ file }) => file);
      results[document] = printedBy(files, folder);
    }
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  const blocks = documents.flatMap((path) =>
    [...text(path).matchAll(/^```js\n([\s\S]*?)^```$/gm)].map((match, i) => ({
      path,
      i: i + 1,
      file: `${path.replaceAll(/\W/g, '-')}-${i + 1}.mjs`,
      code: match[1],
    })),
  );

  test('README has some, and no document has code that is not run', () => {
    expect(blocks.some(({ path }) => path === 'README.md')).toBe(true);
    expect(documents.filter((path) => /^```(ts|mjs|javascript|typescript)$/m.test(text(path)))).toEqual([]);
  });

  // `console.log(…); // text` promises the text
  test.each(blocks)('$path, block $i, copied into an empty folder', ({ path, file, code }) => {
    const promised = [...code.matchAll(/console\.log\(.*\);\s*\/\/ (.*)$/gm)].map((match) => match[1]);
    expect(linesOf(results[path], file)).toEqual(promised);
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
