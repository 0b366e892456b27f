/** Mutations of words and lines: numbers stay numbers, keywords are swapped. */
import { below, NUMBER_TEXTS, oneOf, shortLength, WORDS } from './choose.mjs';

const MOST_CHARACTERS = 1 << 18;
const TOKEN = /[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?|[A-Za-z_][\w.-]*|[^\sA-Za-z0-9]/g;

const CHANGES = {
  number: (text, random) => replaceToken(text, random, /^[+-.]?\d/, () => oneOf(random, NUMBER_TEXTS)),
  nudge: (text, random) =>
    replaceToken(text, random, /^[+-.]?\d/, (word) => String(Number(word) + oneOf(random, [-1, 1, 2, 1e6]))),
  word: (text, random) => replaceToken(text, random, /./, () => oneOf(random, WORDS)),
  otherWord: (text, random, other) => {
    const words = other.match(TOKEN) ?? [''];
    return replaceToken(text, random, /./, () => oneOf(random, words));
  },
  dropWord: (text, random) => replaceToken(text, random, /./, () => ''),
  doubleWord: (text, random) => replaceToken(text, random, /./, (word) => `${word} ${word}`),
  growWord: (text, random) =>
    replaceToken(text, random, /./, (word) =>
      word.repeat(Math.ceil(shortLength(random, 4000) / word.length)),
    ),
  nest: (text, random) => {
    const depth = shortLength(random, 3000);
    const [open, close] = oneOf(random, ['()', '[]', '{}', '<>', '""', "''"]);
    return replaceToken(text, random, /./, (word) => open.repeat(depth) + word + close.repeat(depth));
  },
  dropLine: (text, random) => withLines(text, (lines) => void lines.splice(below(random, lines.length), 1)),
  repeatLine: (text, random) =>
    withLines(text, (lines) => {
      const at = below(random, lines.length);
      const count = Math.min(shortLength(random, 3000), Math.ceil(MOST_CHARACTERS / (lines[at].length + 1)));
      lines.splice(at, 0, ...Array.from({ length: count }, () => lines[at]));
    }),
  swapLines: (text, random) =>
    withLines(text, (lines) => {
      const [i, j] = [below(random, lines.length), below(random, lines.length)];
      [lines[i], lines[j]] = [lines[j], lines[i]];
    }),
  otherLine: (text, random, other) =>
    withLines(
      text,
      (lines) => void lines.splice(below(random, lines.length), 0, oneOf(random, other.split('\n'))),
    ),
  lineEnds: (text, random) =>
    text.replaceAll('\n', oneOf(random, ['\r\n', '\r', '\n\n', ' ', '\\\n', '\0\n'])),
  cut: (text, random) => text.slice(0, below(random, text.length + 1)),
};

/** Applies one change; `other` is another text of the same kind. */
export function mutateText(text, random, other = text) {
  const weighted = ['number', 'number', 'nudge', 'nudge', 'otherWord', ...Object.keys(CHANGES)];
  return CHANGES[oneOf(random, weighted)](text, random, other).slice(0, MOST_CHARACTERS);
}

/** Replaces one of the matching tokens. */
function replaceToken(text, random, pattern, replacement) {
  const tokens = [...text.matchAll(TOKEN)].filter(([word]) => pattern.test(word));
  if (tokens.length === 0) return text;
  const token = oneOf(random, tokens);
  return text.slice(0, token.index) + replacement(token[0]) + text.slice(token.index + token[0].length);
}

function withLines(text, change) {
  const lines = text.split('\n');
  change(lines);
  return lines.join('\n');
}
