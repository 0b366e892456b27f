/** Compares a report with the known clashes: all that were put in, and no others. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';

/**
 * Compares a report with the truth of a generated plant.
 * @param {string} folder of the report
 * @param {string} truthPath
 * @param {{ clearance: boolean }} asked whether clearances were
 * @returns {{ expected: number, found: number, wrong: number, missing: string[], extra: string[], deviation: number }}
 *   `wrong` counts pairs reported as another kind; `deviation` is the largest of depths and distances, in metres
 */
export function compareWithTruth(folder, truthPath, { clearance }) {
  const truth = JSON.parse(readFileSync(truthPath, 'utf8'));
  const expected = new Map(
    truth.clashes
      .filter(({ kind }) => clearance || kind !== 'clearance')
      .map((clash) => [pairKey(clash.a, clash.b), clash]),
  );
  const reported = readClashes(folder);
  let wrong = 0;
  let deviation = 0;
  for (const [key, clash] of reported) {
    const known = expected.get(key);
    if (!known) continue;
    if (known.kind !== clash.kind || (known.form && known.form !== clash.form)) wrong++;
    if (known.depth !== undefined) deviation = Math.max(deviation, Math.abs(known.depth - clash.depth));
    if (known.distance !== undefined)
      deviation = Math.max(deviation, Math.abs(known.distance - clash.distance));
  }
  const missing = [...expected.keys()].filter((key) => !reported.has(key));
  const extra = [...reported.keys()].filter((key) => !expected.has(key));
  return {
    expected: expected.size,
    found: expected.size - missing.length,
    wrong,
    missing,
    extra,
    deviation,
  };
}

/**
 * The number of certainly crossing pairs (`clear` in a list of crossings beside a model) that a report contains, and
 * how many of them as touches.
 */
export function compareWithCrossings(folder, crossingsPath) {
  const [header, ...lines] = gunzipSync(readFileSync(crossingsPath)).toString().trim().split('\n');
  const columns = header.split('\t');
  const [a, b, clear] = ['a', 'b', 'clear'].map((name) => columns.indexOf(name));
  const reported = readClashes(folder);
  const certain = lines.map((line) => line.split('\t')).filter((cells) => cells[clear] === '1');
  const pairs = certain.map((cells) => pairKey(cells[a], cells[b]));
  const missing = pairs.filter((pair) => !reported.has(pair));
  return {
    expected: pairs.length,
    found: pairs.length - missing.length,
    touches: pairs.filter((pair) => reported.get(pair)?.kind === 'touch').length,
    missing,
  };
}

function readClashes(folder) {
  const lines = readFileSync(join(folder, 'clashes.jsonl'), 'utf8').trim().split('\n');
  return new Map(
    lines
      .filter((line) => line !== '')
      .map((line) => {
        const clash = JSON.parse(line);
        return [pairKey(clash.a.id, clash.b.id), clash];
      }),
  );
}

function pairKey(a, b) {
  return a < b ? `${a} ${b}` : `${b} ${a}`;
}
