// What can be told without running the code: lint and format, types of the tests, generated files, links.
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const bin = (...path) => join(root, 'node_modules', ...path);

/** Each returns its complaints; none means that it passed. */
const CHECKS = {
  'lint and format': () =>
    command(
      bin('@biomejs', 'biome', 'bin', 'biome'),
      'check',
      '--error-on-warnings',
      '--max-diagnostics=8',
      '.',
    ),
  'types of the tests': () =>
    ['impinge', 'cli']
      .map((member) => join('packages', member, 'test', 'tsconfig.json'))
      .filter((config) => existsSync(join(root, config)))
      .flatMap((config) => command(bin('typescript', 'bin', 'tsc'), '--noEmit', '-p', config)),
  'links in the documents': () => markdownFiles(root).flatMap(brokenLinks),
};

let failed = false;
for (const [title, check] of Object.entries(CHECKS)) {
  const complaints = check();
  failed ||= complaints.length > 0;
  console.log(`${complaints.length === 0 ? 'ok    ' : 'FAILED'} ${title}`);
  for (const complaint of complaints) console.log(complaint);
}
process.exitCode = failed ? 1 : 0;

function command(script, ...args) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [script, ...args], {
    cwd: root,
    encoding: 'utf8',
  });
  return status === 0 ? [] : [`${stdout}${stderr}`];
}

function markdownFiles(folder) {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    if (['node_modules', 'dist', 'api', 'build', '.git'].includes(entry.name)) return [];
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return markdownFiles(path);
    return entry.name.endsWith('.md') ? [path] : [];
  });
}

/** Relative links that lead nowhere. */
function brokenLinks(path) {
  return [...readFileSync(path, 'utf8').matchAll(/\]\(([^)\s#]+)(?:#[^)]*)?\)/g)]
    .map(([, target]) => target)
    .filter((target) => !/^[a-z]+:/.test(target) && !existsSync(join(dirname(path), target)))
    .map((target) => `${relative(root, path)}: ${target} does not exist`);
}
