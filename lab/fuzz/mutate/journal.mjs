/** Mutations of single journal entries, with valid lengths and checksums. */
import { crc32 } from 'node:zlib';
import { mutateBytes } from './bytes.mjs';
import { below, oneIn } from './choose.mjs';
import { jsonText, mutateJson } from './json.mjs';

const PREFIX_BYTES = 18;

export function mutateJournal(bytes, random, other) {
  const lines = bytes.toString('utf8').split('\n');
  const at = below(random, lines.length);
  if (oneIn(random, 4)) {
    const to = below(random, lines.length);
    [lines[at], lines[to]] = [lines[to], lines[at]];
    return Buffer.from(lines.join('\n'));
  }
  let entry;
  try {
    entry = JSON.parse(lines[at].slice(PREFIX_BYTES));
  } catch {
    return mutateBytes(bytes, random, other);
  }
  const payload = Buffer.from(jsonText(mutateJson(entry, random)));
  lines[at] = `${hexadecimal(payload.length)} ${hexadecimal(crc32(payload))} ${payload}`;
  return Buffer.from(lines.join('\n'));
}

const hexadecimal = (n) => n.toString(16).padStart(8, '0');

/** Whether a mutant equals the original up to some position and is no journal after it: damage, not forgery. */
export function isMerelyDamaged(bytes, original) {
  const [lines, before] = [bytes, original].map((content) => content.toString('latin1').split('\n'));
  const same = lines.findIndex((line, i) => line !== before[i]);
  if (same < 0) return true;
  const payload = Buffer.from(lines[same].slice(PREFIX_BYTES), 'latin1');
  return (
    lines[same].slice(0, PREFIX_BYTES) !== `${hexadecimal(payload.length)} ${hexadecimal(crc32(payload))} `
  );
}
