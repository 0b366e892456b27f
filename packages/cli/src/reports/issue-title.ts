/**
 * Titles of issues: the shared element and what it meets, or the worst clash and the number of others; and the place.
 */
import type { Clash } from '@impinge/model';
import { compareText, groupedDigits, oneLine } from '../wire/text.js';
import { objectKey, systemOf } from './group-clashes.js';
import { NAME_MAX, objectName } from './object-name.js';

/** Number of types that are named; the rest are counted. */
const TYPES_MAX = 3;

/** The clashes come worst first. */
export function issueTitle(clashes: readonly Clash[], hub: Clash['a'] | undefined, place: string): string {
  const where = place === '' ? '' : `, ${oneLine(place, NAME_MAX)}`;
  const { a, b } = clashes[0];
  if (hub) {
    const key = objectKey(hub);
    const others = clashes.map((clash) => (objectKey(clash.a) === key ? clash.b : clash.a));
    return `${objectName(hub)} / ${together(others)}${where}`;
  }
  const pair = `${objectName(a)} / ${objectName(b)}`;
  if (clashes.length === 1) return `${pair}${where}`;
  const systems = commonPair(clashes, systemOf);
  const between =
    systems === undefined ? '' : `${systems.map((one) => oneLine(one, NAME_MAX)).join(' / ')}: `;
  return `${between}${pair} and ${groupedDigits(clashes.length - 1)} more${where}`;
}

/** The pair of values that all clashes share, in either order; undefined if they differ or are empty. */
export function commonPair(
  clashes: readonly Clash[],
  of: (object: Clash['a']) => string,
): readonly [string, string] | undefined {
  const pairOf = ({ a, b }: Clash) => [of(a), of(b)].sort(compareText) as [string, string];
  const first = pairOf(clashes[0]);
  const same = first[0] !== '' && clashes.every((clash) => pairOf(clash).join('\0') === first.join('\0'));
  return same ? first : undefined;
}

/** `4 walls, 1 slab`; if types are unknown, the first name and the number of others. */
function together(objects: readonly Clash['a'][]): string {
  const all = [...new Map(objects.map((object) => [objectKey(object), object])).values()];
  const name = objectName(all[0]);
  if (all.length === 1) return name;
  if (all.every((object) => objectName(object) === name)) return `${all.length} × ${name}`;
  if (all.some(({ type }) => type === '')) return `${name} and ${groupedDigits(all.length - 1)} more`;
  const counts = new Map<string, number>();
  for (const { type } of all) {
    const word = typeWord(type);
    counts.set(word, (counts.get(word) ?? 0) + 1);
  }
  const sorted = [...counts].sort(([p, n], [q, m]) => m - n || compareText(p, q));
  const named = sorted.slice(0, TYPES_MAX);
  const left = all.length - named.reduce((sum, [, n]) => sum + n, 0);
  const list = named.map(([word, n]) => `${groupedDigits(n)} ${n === 1 ? word : pluralOf(word)}`).join(', ');
  return oneLine(left > 0 ? `${list} and ${groupedDigits(left)} more` : list, 2 * NAME_MAX);
}

/** `IfcWallStandardCase` becomes `wall`, `pipe` stays `pipe`. */
function typeWord(type: string): string {
  const words = type.replace(/^Ifc(?=[A-Z])/, '').replace(/(StandardCase|ElementedCase)$/, '');
  return words.replace(/(?<=[a-z])(?=[A-Z])/g, ' ').toLowerCase();
}

function pluralOf(word: string): string {
  return /(s|x|ch|sh)$/.test(word) ? `${word}es` : `${word}s`;
}
