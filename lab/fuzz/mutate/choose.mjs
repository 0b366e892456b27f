/** Choices from a seeded random source in [0, 1). */

export const below = (random, count) => Math.floor(random() * count);
export const oneOf = (random, list) => list[below(random, list.length)];
export const oneIn = (random, count) => below(random, count) === 0;

/** A length from 1 to `most`, biased towards small values. */
export const shortLength = (random, most) => 1 + Math.floor((most - 1) * random() ** 4);

/** Numbers that break readers: limits of integer types, of float32 and float64, and of plausible sizes. */
// biome-ignore format: one a line would hide the others
export const NUMBERS = [
  0, -0, 1, -1, 2, 3, 4, 7, 16, 127, 128, 255, 256, 1e3, 32767, 32768, 65535, 65536, 1e5, 1e6, 16777217,
  2147483647, 2147483648, 4294967295, 4294967296, 9007199254740991, 9007199254740994, -2147483648, -32769,
  0.1, 0.5, -0.5, 1e-7, 1e-30, 1e-45, 5e-324, 1e17, 1e18, 1.1e18, 1e30, 3.4028235e38, 3.5e38, 1e100, 1e308,
  Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY,
];

/** The same numbers as text, and malformed numbers. */
// biome-ignore format: one a line would hide the others
export const NUMBER_TEXTS = [
  ...NUMBERS.map(String), '1e400', '-1e400', '1e-400', '0x10', '+1', '.5', '5.', '.', '-', '1e', '1e+',
  '--1', '1,5', 'nan', 'inf', '1_000', '٣', `1${'0'.repeat(2000)}`, `0.${'0'.repeat(1500)}1`,
  `${'9'.repeat(1200)}e-1200`, '',
];

/** Names and keys with a special meaning to some program. */
// biome-ignore format: one a line would hide the others
export const WORDS = [
  '', ' ', '\0', '\n', '\r\nimpinge: forged', '\u2028', '\ud800', '𝕏', '../../x', '/', '\\', '"', "'",
  '=1+1', '＝1', '__proto__', 'constructor', 'toString', 'length', '%s', '$&', '<b>', '&amp;', ']]>',
  'x'.repeat(3000), '\x1b[2J',
];
