/** Archives against the official schemas of BCF, which are not part of this repository. */
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { unzipSync } from 'fflate';
import { describe, expect, test } from 'vitest';
import { compareWithBaseline } from '../src/reports/baseline.js';
import { BCF_VERSIONS, type BcfVersion } from '../src/reports/bcf/layout.js';
import type { ReportClash } from '../src/reports/report-data.js';
import { writeReports } from '../src/reports/write-reports.js';
import { officialFaults, schemaPath, schemasAreThere } from './bcf-schemas.js';
import { temporaryFolder } from './files.js';
import { clash, grouped, plantClashes, plantObject, reportInput } from './reports-clashes.js';

const folder = temporaryFolder();

async function written(
  version: BcfVersion,
  name: string,
  clashes: readonly ReportClash[],
  resolved?: readonly ReportClash[],
): Promise<string> {
  const input = { ...reportInput(clashes, ['bcf'], resolved), bcf: version };
  return (await writeReports(join(folder, version, name), input))[0];
}

describe.skipIf(!schemasAreThere).each(BCF_VERSIONS)('BCF %s', (version) => {
  test('every file of an archive is as its schema says', async () => {
    const all = plantClashes(80, 12);
    const { clashes, resolved } = compareWithBaseline(grouped(all.slice(10)), grouped(all.slice(0, 60)));
    const hostile = '</Title><x a="1">&amp;\u0000\u000b\ud800 \ufffe ]]> <!-- \n';
    const odd = grouped([
      clash({
        a: { ...plantObject(0, 1, 1), id: hostile, name: hostile, path: hostile, file: hostile },
        b: { ...plantObject(1, 1, 1), id: '', name: ' ', path: '', file: ' \n ', type: '', storey: '' },
        rule: '',
      }),
    ]);
    const archive = await written(version, 'all', [...clashes, ...odd], resolved);
    const { faults, files } = officialFaults(archive, version);
    expect(faults).toBe('');
    expect(files).toBeGreaterThan(40);
    expect(archive.endsWith(version === '2.1' ? '.bcfzip' : '.bcf')).toBe(true);
  });

  test('the schemas find what is wrong', async () => {
    const archive = await written(version, 'wrong', grouped(plantClashes(1, 1)));
    const files = unzipSync(readFileSync(archive));
    const name = Object.keys(files).find((one) => one.endsWith('markup.bcf'))!;
    const path = join(folder, `wrong ${version}.bcf`);
    const right = Buffer.from(files[name]).toString();
    const turned = right.replace(/isExternal/i, (found) =>
      found === 'isExternal' ? 'IsExternal' : 'isExternal',
    );
    expect(turned).not.toBe(right);
    writeFileSync(path, turned);
    expect(() =>
      execFileSync('xmllint', ['--noout', '--schema', schemaPath(version, 'markup.xsd'), path], {
        stdio: 'pipe',
      }),
    ).toThrow(/xternal/);
  });
});
