/** No compiler reads scripts: every file and every name that one imports by path is there. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const root = fileURLToPath(new URL('../', import.meta.url));

/** Imports and exports by path: the names in braces, and the path. */
const STATEMENT = /^(?:import|export)\s(?:[\w*\s,]*\{([^}]*)\}|[\w*\s]+)\s*from\s*'(\.[^']+)'/gm;

/** The source of an imported file: what is built is named by where it is built to. */
function sourceOf(script: string, path: string): string | undefined {
  const file = join(dirname(script), path);
  const source = file.replace('/dist/', '/src/').replace(/\.js$/, '.ts');
  return [file, source, `${source}x`].find((one) => existsSync(one) && !one.includes('/dist/'));
}

function exportsName(text: string, name: string): boolean {
  const declared = new RegExp(`^export (?:default |async |declare )*[\\w]+\\*? ${name}\\b`, 'm');
  const listed = [...text.matchAll(/^export (?:type )?\{([^}]*)\}/gm)].some(([, names]) =>
    new RegExp(`\\b${name}\\s*(,|$)`).test(names.trim()),
  );
  return declared.test(text) || listed || text.includes('\nexport * from');
}

/** Imports of a script that lead nowhere; those in the texts that it writes are not its own. */
function astray(script: string, text: string): string[] {
  return [...text.replace(/`[^`]*`/g, '').matchAll(STATEMENT)].flatMap(([, names = '', path]) => {
    const source = sourceOf(script, path);
    if (source === undefined) return [`${relative(root, script)}: there is no ${path}`];
    const exporting = readFileSync(source, 'utf8');
    const wanted = names.split(',').map((name) => name.trim().split(/\s+as\s+/)[0]);
    const missing = wanted.filter((name) => name !== '' && !exportsName(exporting, name));
    return missing.map((name) => `${relative(root, script)}: ${path} has no ${name}`);
  });
}

const scripts = ['lab', 'scripts', 'examples'].flatMap((folder) =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.mjs') && !/(^|\/)(node_modules|dist)\//.test(name))
    .map((name) => join(root, folder, name)),
);

test('imports of scripts lead somewhere', () => {
  expect(scripts.length).toBeGreaterThan(100);
  expect(scripts.flatMap((script) => astray(script, readFileSync(script, 'utf8')))).toEqual([]);
});

test('those that do not are found', () => {
  const script = join(root, 'lab/bench/run.mjs');
  const imports = [
    "import { noSuchName, readPly as read } from './ply.mjs';",
    "import {\n  collide,\n} from '../../packages/impinge/dist/query/pair/collide.js';",
    "import { x } from '../../packages/impinge/dist/no-such-file.js';",
  ];
  expect(astray(script, imports.join('\n'))).toEqual([
    'lab/bench/run.mjs: ./ply.mjs has no noSuchName',
    'lab/bench/run.mjs: there is no ../../packages/impinge/dist/no-such-file.js',
  ]);
});
