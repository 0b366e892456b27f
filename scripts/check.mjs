// What can be told without running the code: lint and format, types of the tests (of what is built), generated files,
// links.
import { execFile } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const bin = (...path) => join(root, 'node_modules', ...path);

/**
 * Words that were given up, as parts of names, too → what is said instead. docs/concepts.md has the whole vocabulary.
 */
const RETIRED = {
  '(Query|Parts|Stored|\\bLevels)Engine|EnginePart\\b': 'target',
  breathe: 'yield to the event loop',
  '\\bcoat': 'thickness',
  'contact-?row': 'solver state',
  'contact-?zone': 'impact zone',
  '(?<!s)crew': 'executor, workers',
  Inquiry: 'query',
  nodeCrew: 'nodePool',
  pairCount: 'count',
  'piece-?turns?': 'out-of-core batch',
  sixfold: 'six times (volume, determinant)',
  toleranceParallel: 'withinParallel',
  valence: 'degree',
  '(culling|grid|tree)[ _-]?levels?\\b|LEVEL_SHIFT|LevelledShape': 'stage, tier, height or depth, DualShape',
  '(pair|clash)-?groups?|groups of (pairs|clashes)|groupPool|GroupWorker': 'task, issue',
  '(class|interface|type) \\w*World\\b': 'simulation, dynamics, input (the world is a frame)',
};
/** These tell what the words were. */
const MAY_NAME_THEM = [
  'CHANGELOG.md',
  'docs/concepts.md',
  'docs/decisions.md',
  'docs/papers.md',
  'scripts/check.mjs',
];
const LINE_MAX = 120;
const TEXT = /\.(ts|mjs|js|md|cpp|c|html|yaml)$/;

/** Each returns its complaints, or promises them; none means that it passed. */
const CHECKS = {
  'lint and format': () =>
    command(
      bin('@biomejs', 'biome', 'bin', 'biome'),
      'check',
      '--error-on-warnings',
      '--max-diagnostics=8',
      '.',
    ),
  'types of the tests of the library': () => typesIn('test'),
  'types of the tests of the command': () => typesIn('packages', 'cli', 'test'),
  "types of the server's tests": () => typesIn('packages', 'server', 'test'),
  "types of the lab's tests": () => typesIn('lab', 'command', 'test'),
  'types of the gallery': () => typesIn('lab', 'gallery'),
  'types of the ui': () => typesIn('packages', 'ui', 'test'),
  'types of the page': () => typesIn('packages', 'viewer'),
  "types of the page's tests": () => typesIn('packages', 'viewer', 'test'),
  'types of the example pages': () => typesIn('examples', 'web'),
  'report of the public names': () => command(join(root, 'scripts/api-report.mjs'), '--check'),
  'links in the documents': () => filesIn(root, /\.md$/).flatMap(brokenLinks),
  'npm scripts that are named': () => filesIn(root, /\.(md|yml)$/).flatMap(missingScripts),
  'lines of at most 120 characters': () => filesIn(root, TEXT).flatMap(longLines),
  'words that were given up': () => filesIn(root, TEXT).flatMap(retiredWords),
  'budgets of the tests': () => filesIn(root, /\.test\.ts$/).flatMap(fixedBudgets),
};

let failed = false;
// all at once: the first three are processes of their own
const running = Object.entries(CHECKS).map(([title, check]) => [title, check()]);
for (const [title, found] of running) {
  const complaints = await found;
  failed ||= complaints.length > 0;
  console.log(`${complaints.length === 0 ? 'ok    ' : 'FAILED'} ${title}`);
  for (const complaint of complaints) console.log(complaint);
}
process.exitCode = failed ? 1 : 0;

function command(script, ...args) {
  return new Promise((resolve) => {
    execFile(
      process.execPath,
      [script, ...args],
      { cwd: root, maxBuffer: 2 ** 26 },
      (error, stdout, stderr) => resolve(error ? [`${stdout}${stderr}`] : []),
    );
  });
}

/** What did not change since the last time is not looked at again. */
function typesIn(...folder) {
  const known = join('node_modules', '.cache', `types-of-${folder.join('-')}.tsbuildinfo`);
  const config = join(...folder, 'tsconfig.json');
  const tsc = bin('typescript', 'bin', 'tsc');
  return command(tsc, '--noEmit', '--incremental', '--tsBuildInfoFile', known, '-p', config);
}

function filesIn(folder, pattern) {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    if (['node_modules', 'dist', 'site', 'build', 'results', '.git'].includes(entry.name)) return [];
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return filesIn(path, pattern);
    return pattern.test(entry.name) && !entry.name.includes('.generated.') ? [path] : [];
  });
}

function retiredWords(path) {
  const name = relative(root, path);
  if (MAY_NAME_THEM.includes(name)) return [];
  const text = readFileSync(path, 'utf8');
  return Object.entries(RETIRED).flatMap(([word, instead]) => {
    const found = new RegExp(word, 'i').exec(text);
    if (!found) return [];
    const line = text.slice(0, found.index).split('\n').length;
    return [`${name}:${line}: "${found[0]}" was given up for: ${instead}`];
  });
}

/**
 * Comments and documents in long lines. Code is Biome's, which leaves strings alone, and kernels are tables of lanes;
 * tables, links, pictures and declarations in documents cannot be broken.
 */
function longLines(path) {
  const name = relative(root, path);
  if (name.startsWith(join('docs', 'api'))) return [];
  const breakable = name.endsWith('.md') ? /^(?!\||!\[|\[[^\]]*\]: |impinge )/ : /^\s*(\/\/|\/?\*(?! \{))/;
  return readFileSync(path, 'utf8')
    .split('\n')
    .flatMap((line, i) =>
      line.length > LINE_MAX && breakable.test(line) ? [`${name}:${i + 1}: ${line.length} characters`] : [],
    );
}

/** Numbers of runs that the budget cannot lower (test/budget.ts). */
function fixedBudgets(path) {
  return [...readFileSync(path, 'utf8').matchAll(/numRuns: \d+/g)].map(
    ([found]) => `${relative(root, path)}: ${found} is not runs(…)`,
  );
}

/** `npm run NAME` in documents and workflows, of which package.json has none. */
function missingScripts(path) {
  const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  return [...readFileSync(path, 'utf8').matchAll(/\bnpm run ([\w:-]*\w)/g)]
    .filter(([, name]) => scripts[name] === undefined)
    .map(([, name]) => `${relative(root, path)}: npm run ${name} does not exist`);
}

/** Relative links that lead nowhere. */
function brokenLinks(path) {
  return [...readFileSync(path, 'utf8').matchAll(/\]\(([^)\s#]+)(?:#[^)]*)?\)/g)]
    .map(([, target]) => target)
    .filter((target) => !/^[a-z]+:/.test(target) && !existsSync(join(dirname(path), target)))
    .map((target) => `${relative(root, path)}: ${target} does not exist`);
}
