/** What a tolerance promises of a real model: the depth that is printed exceeds it, and rounding is not reported. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { openStoreFile } from '@impinge/model/node';
import { beforeAll, describe, expect, test } from 'vitest';
import { temporaryFolder } from './files.js';
import { clashesIn, impinge } from './run-impinge.js';

const duplex = fileURLToPath(new URL('../../../../shared/data/ifc/Duplex_A_20110907.ifc', import.meta.url));
const present = existsSync(duplex);
if (!present) process.stderr.write('\n*** SKIPPED: tolerances of a model; ../shared/data is not there ***\n');

describe.skipIf(!present)('duplex', () => {
  const folder = temporaryFolder();
  const store = join(folder, 'duplex.impinge');
  const roundings = new Map<string, number>();

  beforeAll(async () => {
    expect((await impinge('pack', duplex, '-o', store)).code).toBe(0);
    const model = await openStoreFile(store);
    for (let i = 0; i < model.objectCount; i++) {
      const { id, rounding, curveError } = model.object(i);
      roundings.set(id, rounding + curveError);
    }
    await model.dispose();
  });

  async function clashesOf(...args: string[]): Promise<ReturnType<typeof clashesIn>> {
    const output = join(folder, 'report');
    const { code } = await impinge('check', store, '-o', output, '--formats', 'jsonl', ...args);
    expect(code).toBe(1);
    return clashesIn(output);
  }
  const isOverlap = ({ kind }: { kind: string }) => kind === 'hard' || kind === 'inside';

  test('every overlap is deeper than the tolerance, whatever that is, and none is lost that was', async () => {
    const all = (await clashesOf()).filter(isOverlap);
    // less than a thousandth of a millimetre is what numbers of this size are rounded by
    for (const { depth } of all) expect(depth).toBeGreaterThan(1e-6);
    for (const millimetres of [1, 5, 20]) {
      const found = (await clashesOf('--tolerance', `${millimetres}mm`)).filter(isOverlap);
      for (const { depth } of found) expect(depth).toBeGreaterThan(millimetres / 1000);
      expect(found).toHaveLength(all.filter(({ depth }) => depth > millimetres / 1000).length);
    }
  });

  test('what touches but for rounding is no violation of a clearance', async () => {
    const found = await clashesOf('--tolerance', '1mm', '--clearance', '50mm');
    const near = found.filter(({ kind }) => kind === 'clearance');
    expect(near.length).toBeGreaterThan(10);
    for (const { a, b, distance } of near) {
      expect(distance).toBeGreaterThan(roundings.get(a.id)! + roundings.get(b.id)!);
    }
  });
});
