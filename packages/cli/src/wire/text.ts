/** Strangers' names made fit to be shown, as they may hold anything and be of any length; and how numbers read. */

// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const UNPRINTABLE = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\ufffe\uffff]|\p{Surrogate}/gu;
// they turn the direction of what follows, so that one name can pass for another
const BIDIRECTIONAL = /[\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;

/** Nothing to clean: what most names are made of, and quick to tell. */
const PLAIN = /^[\x20-\x7e]*$/;

/** Without characters that XML forbids or that nobody sees; line ends and tabs stay. */
export function cleanText(text: string): string {
  if (PLAIN.test(text)) return text;
  return text.replace(UNPRINTABLE, '\ufffd').replace(BIDIRECTIONAL, '');
}

/** One clean line of at most `length` characters. */
export function oneLine(text: string, length = 300): string {
  const line = cleanText(text.slice(0, 4 * length))
    .replace(/\s+/g, ' ')
    .trim();
  return line.length > length || text.length > 4 * length ? `${cut(line, length - 1)}…` : line;
}

/** The first `length` code units, or one less where that would split a pair. */
export function cut(text: string, length: number): string {
  const last = text.charCodeAt(length - 1);
  return text.slice(0, last >= 0xd800 && last < 0xdc00 ? length - 1 : length);
}

/** Longer messages have something in them that a stranger wrote. */
const MESSAGE_MAX = 2000;

/** A message that somebody can read. */
export function message(text: string): string {
  return text.length > MESSAGE_MAX ? `${cut(text, MESSAGE_MAX - 1)}…` : text;
}

/** `12,345`, and `1,234.5`. Loads none of what formats numbers for other languages, which takes 30 ms. */
export function groupedDigits(n: number): string {
  const [whole, fraction] = String(n).split('.');
  const grouped = whole.replace(/\B(?=(\d{3})+$)/g, ',');
  return fraction === undefined ? grouped : `${grouped}.${fraction}`;
}

/** `12 clashes`, `1 clash`. */
export function plural(n: number, one: string, many = `${one}s`): string {
  return `${groupedDigits(n)} ${n === 1 ? one : many}`;
}

/** `12.3 mm`, `1.25 m`: to three digits, and none below the first digit of what it may be off. */
export function lengthText(metres: number, error = 0): string {
  // it is also put into the page, whose numbers have six digits: both must round alike
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

/** By code units: the same on every machine, whatever its language. */
export function compareText(p: string, q: string): number {
  return p < q ? -1 : p > q ? 1 : 0;
}
