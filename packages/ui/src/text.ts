/** Text formatting of the pages; names, numbers and lengths look as in reports. */

export { groupedDigits as grouped, lengthText, oneLine, plural } from '../../cli/src/wire/text.js';

/** `x, y, z` in metres, to the millimetre. */
export function pointText(point: ArrayLike<number>): string {
  return [point[0], point[1], point[2]].map((x) => x.toFixed(3)).join(', ');
}

/** `12.3 MB`. */
export function bytesText(bytes: number): string {
  if (bytes < 1e6) return `${Math.round(bytes / 1e3)} KB`;
  return bytes < 1e8 ? `${(bytes / 1e6).toFixed(1)} MB` : `${Math.round(bytes / 1e6)} MB`;
}

/** Compares numbers within names: `Level 2` before `Level 10`. */
export const compareNames: (p: string, q: string) => number = new Intl.Collator('en', { numeric: true })
  .compare;

/** The words of a search, in lower case. */
export function wordsOf(text: string): string[] {
  return text.toLowerCase().split(/\s+/).filter(Boolean);
}
