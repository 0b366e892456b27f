/** Aspect models of one house: checked for the first time, then with one of them changed. Needs the reference data. */
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { strFromU8, strToU8, unzipSync, zipSync } from 'fflate';
import { median, seconds } from '../measure/figures.mjs';
import { measureCommand } from '../measure/measure-child.mjs';

const MODELS = fileURLToPath(new URL('../../../../shared/data/ifc/schependomlaan/', import.meta.url));

export async function aspectsRow({ figures, folder, quick, repetitions }) {
  figures.begin('aspects', '12 aspect models of a house, IFC to report; then one of them changed');
  if (!existsSync(MODELS)) {
    figures.note('SKIPPED: ../shared/data/ifc/schependomlaan is not there');
    return;
  }
  const names = readdirSync(MODELS).filter((name) => name.endsWith('.ifczip'));
  const place = join(folder, 'aspects');
  mkdirSync(place, { recursive: true });
  for (const name of names) cpSync(join(MODELS, name), join(place, name), { force: true });
  const cache = join(folder, 'readings');
  const checked = async () => {
    const report = join(folder, 'aspects-report');
    rmSync(report, { recursive: true, force: true });
    process.env.IMPINGE_CACHE = cache;
    try {
      return await measureCommand('check', place, '-o', report, '--preset', 'coordination');
    } finally {
      delete process.env.IMPINGE_CACHE;
    }
  };
  const first = [];
  for (let i = 0; i < repetitions; i++) {
    rmSync(cache, { recursive: true, force: true });
    first.push(await checked());
  }
  figures.add('first run', timesOf(first));
  const changed = [];
  for (const name of quick ? names.slice(0, 2) : names) {
    remark(join(place, name));
    changed.push(await checked());
    figures.add(`${name} changed`, timesOf([changed.at(-1)]));
  }
  for (const what of ['seconds', 'cpuSeconds']) {
    const whole = median(first.map((run) => run[what]));
    const parts = changed.map((run) => run[what] / whole);
    const share = (part) => `${(100 * part).toFixed(0)} %`;
    const of = what === 'seconds' ? 'elapsed' : 'processor time';
    figures.note(
      `${of}: median ${share(median(parts))} of the first run, worst ${share(Math.max(...parts))}`,
    );
  }
}

function timesOf(runs) {
  return {
    seconds: seconds(runs.map((run) => run.seconds)),
    'processor seconds': seconds(runs.map((run) => run.cpuSeconds)),
  };
}

/** Another file that says the same. */
function remark(path) {
  const entries = unzipSync(readFileSync(path));
  for (const [name, bytes] of Object.entries(entries))
    if (/\.ifc$/i.test(name)) entries[name] = strToU8(`${strFromU8(bytes, true)}\n/* checked */\n`, true);
  writeFileSync(path, zipSync(entries));
}
