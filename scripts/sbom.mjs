// What the published packages bring along that is not ours: of each a bill of materials (CycloneDX 1.6) and a list of
// licences with their texts, made of the lock file and what is installed. Fails where a licence is none of those below.
// node scripts/sbom.mjs [FOLDER, default sbom] [PACKAGE …]
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = join(import.meta.dirname, '..');

/** By name: its folder, and folders whose dependencies are written into its files. */
export const SHIPPED = {
  impinge: { place: 'packages/impinge', contains: [] },
  '@impinge/model': { place: 'packages/model', contains: [] },
  '@impinge/dynamics': { place: 'packages/dynamics', contains: [] },
  '@impinge/gpu': { place: 'packages/gpu', contains: [] },
  '@impinge/motion': { place: 'packages/motion', contains: [] },
  '@impinge/cli': { place: 'packages/cli', contains: ['packages/impinge', 'packages/ui', 'packages/viewer'] },
  '@impinge/server': { place: 'packages/server', contains: [] },
  '@impinge/mcp': { place: 'packages/mcp', contains: [] },
};

/** They ask for no more than to be named. */
const ALLOWED = new Set([
  ...[
    'MIT',
    'ISC',
    '0BSD',
    'BSD-2-Clause',
    'BSD-3-Clause',
    'Apache-2.0',
    'Unlicense',
    'Zlib',
    'BlueOak-1.0.0',
    'Bitstream-Vera',
  ],
]);
/** What packages that only point to a text mean, by SPDX. */
const NAMED = { 'dejavu-fonts-ttf': 'Bitstream-Vera' };
/** What holds for the files of a package alone, which is installed beside ours, as it is. */
const ALLOWED_BESIDE = { 'web-ifc': 'MPL-2.0' };

export const readLock = () => JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')).packages;

/** `node_modules/a/node_modules/b` → `b`. */
const nameOf = (place) => place.slice(place.lastIndexOf('node_modules/') + 'node_modules/'.length);

/** Where a package that one at `from` asks for is, as Node finds it; undefined where it is not in the lock file. */
function find(lock, from, name) {
  const above = from.split('/node_modules/');
  const places = above.map(
    (_, i) => `${above.slice(0, above.length - i).join('/node_modules/')}/node_modules/${name}`,
  );
  const place = [...places, `node_modules/${name}`].find((one) => lock[one]);
  return lock[place]?.link ? lock[place].resolved : place;
}

/** Packages that one at `place` asks for: where they are, and whether it does without. */
function asked(lock, place) {
  const { dependencies, optionalDependencies, peerDependencies, peerDependenciesMeta } = lock[place];
  const isOurs = !place.includes('node_modules/');
  const isOptional = (name) =>
    name in { ...optionalDependencies } || peerDependenciesMeta?.[name]?.optional === true;
  // optional dependencies that we do not offer are not installed
  const isWanted = (name) => isOurs || !(name in { ...peerDependencies } && isOptional(name));
  return Object.keys({ ...dependencies, ...optionalDependencies, ...peerDependencies })
    .filter(isWanted)
    .map((name) => ({ place: find(lock, place, name), isOptional: isOptional(name) }))
    .filter((one) => one.place !== undefined);
}

/** What a package brings along. `how`: installed with it, contained in its files, or installed by those who want it. */
export function materials(lock, { place, contains }) {
  const rank = { contained: 0, installed: 1, 'on demand': 2 };
  const found = new Map();
  const add = (from, how) => {
    for (const { place: at, isOptional } of asked(lock, from)) {
      const own = isOptional && how !== 'contained' ? 'on demand' : how;
      if ((isOptional && how === 'contained') || rank[found.get(at)] <= rank[own]) continue;
      if (at.includes('node_modules/')) found.set(at, own);
      add(at, own);
    }
  };
  for (const folder of contains) add(folder, 'contained');
  add(place, 'installed');
  return [...found]
    .map(([at, how]) => ({ at, how, name: nameOf(at), ...lock[at], license: licenceOf(lock, at) }))
    .sort((a, b) => (a.at < b.at ? -1 : 1));
}

function licenceOf(lock, place) {
  const path = join(root, place, 'package.json');
  return (
    NAMED[nameOf(place)] ??
    lock[place].license ??
    (existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')).license : undefined)
  );
}

/** Why a licence is not taken; undefined where it is. */
export function licenceProblem({ name, version, license, how }) {
  const isAllowed = (text) =>
    ALLOWED.has(text) || (how !== 'contained' && ALLOWED_BESIDE[name] === text && text !== undefined);
  const terms = (license ?? '').replace(/[()]/g, '').split(' OR ');
  if (terms.some((term) => term.split(' AND ').every(isAllowed))) return undefined;
  return `${name} ${version}: its licence, ${license ?? 'which it does not tell'}, is none that is allowed (scripts/sbom.mjs)`;
}

const purlOf = ({ name, version }) => `pkg:npm/${name.replace('@', '%40')}@${version}`;

/** Each once, also where the lock file has a version of a package in several folders. */
const distinct = (all) => [...new Map(all.map((one) => [purlOf(one), one])).values()];

/** A bill of materials of one published package. It has no date: the same lock file has the same one. */
export function billOf(lock, name) {
  const { place } = SHIPPED[name];
  const all = materials(lock, SHIPPED[name]);
  const self = { name, version: lock[place].version };
  const refs = new Map(all.map((one) => [one.at, purlOf(one)]));
  const dependsOn = (at) =>
    asked(lock, at).flatMap(({ place: other }) => (refs.has(other) ? [refs.get(other)] : []));
  return {
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    version: 1,
    metadata: {
      component: {
        ...{ type: 'library', 'bom-ref': purlOf(self), ...self, purl: purlOf(self) },
        licenses: [{ license: { id: lock[place].license } }],
      },
    },
    components: distinct(all).map((one) => ({
      ...{ type: 'library', 'bom-ref': purlOf(one), name: one.name, version: one.version, purl: purlOf(one) },
      scope: one.how === 'on demand' ? 'optional' : 'required',
      licenses: / (OR|AND) /.test(one.license)
        ? [{ expression: one.license }]
        : [{ license: { id: one.license } }],
      ...(one.integrity && { hashes: [hashOf(one.integrity)] }),
      properties: [{ name: 'impinge:how', value: one.how }],
    })),
    dependencies: [
      { ref: purlOf(self), dependsOn: [...new Set(dependsOn(place))] },
      ...distinct(all).map(({ at }) => ({ ref: refs.get(at), dependsOn: [...new Set(dependsOn(at))] })),
    ],
  };
}

function hashOf(integrity) {
  const [, alg, content] = /^sha(\d+)-(\S+)$/.exec(integrity);
  return { alg: `SHA-${alg}`, content: Buffer.from(content, 'base64').toString('hex') };
}

/** The licences of one published package, and their texts where they are installed. */
export function licenceList(lock, name) {
  const all = distinct(materials(lock, SHIPPED[name])).map((one) =>
    `${one.name} ${one.version}: ${one.license} (${one.how})\n\n${textOf(one.at)}`.trimEnd(),
  );
  return `${all.join(`\n\n${'-'.repeat(80)}\n\n`)}\n`;
}

function textOf(place) {
  const folder = join(root, place);
  const names = existsSync(folder)
    ? readdirSync(folder).filter((name) => /^(licen[cs]e|notice)/i.test(name))
    : [];
  return names.map((name) => readFileSync(join(folder, name), 'utf8').trim()).join('\n\n');
}

/** Of all that is shipped. */
export function licenceProblems(lock) {
  const all = Object.values(SHIPPED).flatMap((shipped) => materials(lock, shipped).map(licenceProblem));
  return [...new Set(all.filter((problem) => problem !== undefined))];
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const [folder = join(root, 'sbom'), ...names] = process.argv.slice(2);
  const lock = readLock();
  mkdirSync(folder, { recursive: true });
  for (const name of names.length > 0 ? names : Object.keys(SHIPPED)) {
    const path = join(folder, name.replace('@', '').replace('/', '-'));
    writeFileSync(`${path}.cdx.json`, `${JSON.stringify(billOf(lock, name), undefined, 2)}\n`);
    writeFileSync(`${path}.licences.txt`, licenceList(lock, name));
    console.log(`${path}.cdx.json, .licences.txt`);
  }
  const problems = licenceProblems(lock);
  for (const problem of problems) console.error(problem);
  process.exitCode = problems.length > 0 ? 1 : 0;
}
