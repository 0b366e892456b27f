/** The official schemas of BCF, which are not part of this repository, and what they say of an archive. */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { unzipSync } from 'fflate';
// @ts-expect-error a script without declarations
import { missingXmllintNote } from '../../../scripts/setup-oracles.mjs';
import type { BcfVersion } from '../src/reports/bcf/layout.js';

const schemas = fileURLToPath(new URL('../../../../shared/data/bcf-schema/', import.meta.url));
const missing = existsSync(schemas) ? missingXmllintNote() : 'no ../shared/data/bcf-schema';
export const schemasAreThere = missing === undefined;
if (!schemasAreThere)
  process.stderr.write(`\n*** SKIPPED: BCF against its official schemas; ${missing} ***\n`);

/** The schema of each file of an archive. */
function schemaOf(name: string): string | undefined {
  if (name.endsWith('/markup.bcf')) return 'markup.xsd';
  if (name.endsWith('.bcfv')) return 'visinfo.xsd';
  if (/\.(png|jpg)$/.test(name)) return undefined;
  const known: Record<string, string> = {
    'bcf.version': 'version.xsd',
    'project.bcfp': 'project.xsd',
    'extensions.xml': 'extensions.xsd',
  };
  if (!(name in known)) throw new Error(`no schema for ${name}`);
  return known[name];
}

export function schemaPath(version: BcfVersion, schema: string): string {
  return join(schemas, version, schema);
}

/** What the schemas say against the files of an archive; and how many were looked at. */
export function officialFaults(archive: string, version: BcfVersion): { faults: string; files: number } {
  const folder = `${archive} unpacked`;
  const bySchema = new Map<string, string[]>();
  for (const [name, bytes] of Object.entries(unzipSync(readFileSync(archive)))) {
    const schema = schemaOf(name);
    if (schema === undefined) continue;
    const path = join(folder, name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, bytes);
    bySchema.set(schema, [...(bySchema.get(schema) ?? []), path]);
  }
  let faults = '';
  let files = 0;
  for (const [schema, paths] of bySchema) {
    const { stderr } = spawnSync('xmllint', ['--noout', '--schema', schemaPath(version, schema), ...paths], {
      encoding: 'utf8',
    });
    faults += stderr
      .split('\n')
      .filter((line) => line !== '' && !line.endsWith(' validates'))
      .join('\n');
    files += paths.length;
  }
  return { faults, files };
}
