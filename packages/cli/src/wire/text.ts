/** Makes untrusted names, which may contain anything and have any length, fit for display; and formats numbers. */

// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const UNPRINTABLE = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\ufffe\uffff]|\p{Surrogate}/gu;
// they change the direction of the text that follows, so that one name can look like another
const BIDIRECTIONAL = /[\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;

/** Nothing to clean: quick to test, and true for most names. */
const PLAIN = /^[\x20-\x7e]*$/;

/** Removes characters that are forbidden in XML or invisible; line ends and tabs stay. */
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

/** Longer messages contain text of a file. */
const MESSAGE_MAX = 2000;

/** A message of readable length. */
export function message(text: string): string {
  return text.length > MESSAGE_MAX ? `${cut(text, MESSAGE_MAX - 1)}…` : text;
}

/** `12,345`, and `1,234.5`. Avoids loading the data for number formats of other languages, which takes 30 ms. */
export function groupedDigits(n: number): string {
  const [whole, fraction] = String(n).split('.');
  const grouped = whole.replace(/\B(?=(\d{3})+$)/g, ',');
  return fraction === undefined ? grouped : `${grouped}.${fraction}`;
}

/** `12 clashes`, `1 clash`. */
export function plural(n: number, one: string, many = `${one}s`): string {
  return `${groupedDigits(n)} ${n === 1 ? one : many}`;
}

/** `12.3 mm`, `1.25 m`: to three digits, and no digits below the first digit of the error. */
export function lengthText(metres: number, error = 0): string {
  // it is also in the page, whose numbers have six digits: both must round alike
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

/** Compares by code units: the same on every machine, whatever its language. */
export function compareText(p: string, q: string): number {
  return p < q ? -1 : p > q ? 1 : 0;
}
