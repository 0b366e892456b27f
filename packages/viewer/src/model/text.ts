/** Texts of the page. What files say is shown as text, on one line, without what would turn or hide it. */

// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const UNPRINTABLE = /[\u0000-\u001f\u007f-\u009f\ufffe\uffff]|\p{Surrogate}/gu;
// they turn the direction of what follows, so that one name can pass for another
const BIDIRECTIONAL = /[\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;

/** One line of at most `length` characters. */
export function oneLine(text: string, length = 300): string {
  const line = text
    .slice(0, 2 * length)
    .replace(/\s+/g, ' ')
    .replace(UNPRINTABLE, '\ufffd')
    .replace(BIDIRECTIONAL, '')
    .trim();
  return line.length > length ? `${line.slice(0, length - 1).replace(/[\ud800-\udbff]$/, '')}…` : line;
}

/** `12,345`. */
export function grouped(n: number): string {
  return n.toLocaleString('en-US');
}

/** `12 clashes`, `1 clash`. */
export function plural(n: number, one: string, many = `${one}s`): string {
  return `${grouped(n)} ${n === 1 ? one : many}`;
}

/** `12.3 mm`, `1.25 m`: to three digits, and none below the first digit of what it may be off. As in reports. */
export function lengthText(metres: number, error = 0): string {
  const exact = Number(metres.toPrecision(6));
  const [scale, unit] = Math.abs(exact) < 1 ? [1000, 'mm'] : [1, 'm'];
  const value = exact * scale;
  const known = error > 0 ? Math.max(0, -Math.floor(Math.log10(error * scale))) : 3;
  const worthwhile = Math.abs(value) >= 100 ? 0 : Math.abs(value) >= 10 ? 1 : Math.abs(value) >= 1 ? 2 : 3;
  const digits = Math.min(known, worthwhile);
  const least = 10 ** -digits;
  if (value !== 0 && Math.abs(value) < least) return `< ${least} ${unit}`;
  return `${Number(value.toFixed(digits))} ${unit}`;
}

/** `x, y, z` in metres, to the millimetre. */
export function pointText(point: ArrayLike<number>): string {
  return [point[0], point[1], point[2]].map((x) => x.toFixed(3)).join(', ');
}

/** `12.3 MB`. */
export function bytesText(bytes: number): string {
  if (bytes < 1e6) return `${Math.round(bytes / 1e3)} KB`;
  return bytes < 1e8 ? `${(bytes / 1e6).toFixed(1)} MB` : `${Math.round(bytes / 1e6)} MB`;
}

/** By numbers within names, too: `Level 2` before `Level 10`. */
export const compareNames: (p: string, q: string) => number = new Intl.Collator('en', { numeric: true })
  .compare;

/** The words that a search asks for. */
export function wordsOf(text: string): string[] {
  return text.toLowerCase().split(/\s+/).filter(Boolean);
}
