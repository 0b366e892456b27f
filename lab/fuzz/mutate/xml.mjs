/** Mutations of XML as text, and those that only XML parsers suffer from: expanding entities, depth, repetition. */
import { below, oneIn, oneOf, shortLength } from './choose.mjs';
import { mutateText } from './text.mjs';

const MOST_CHARACTERS = 1 << 23;

/** Each entity is ten times the previous one: 10⁹ copies of the first. */
const LAUGHS = Array.from(
  { length: 9 },
  (_, i) => `<!ENTITY e${i} "${i === 0 ? 'ha' : `&e${i - 1};`.repeat(10)}">`,
).join('');

const CHANGES = {
  entities: (text, random) =>
    text
      .replace(/\?>|^/, (end) => `${end}<!DOCTYPE x [${LAUGHS}]>`)
      .replace(
        />([^<]*)</,
        oneOf(random, ['>&e8;<', '>&unknown;<', '>&#0;<', '>&#x10ffff;<', '>&#99999999999;<']),
      ),
  outside: (text) => text.replace(/\?>|^/, (end) => `${end}<!DOCTYPE x SYSTEM "file:///etc/passwd">`),
  depth: (text, random) => {
    const count = shortLength(random, 20_000);
    return replaceElement(text, random, (one) => '<d>'.repeat(count) + one + '</d>'.repeat(count));
  },
  many: (text, random) =>
    replaceElement(text, random, (one) =>
      one.repeat(Math.ceil(shortLength(random, 400_000) / (one.length + 1))),
    ),
  blank: (text, random) =>
    replaceElement(text, random, (one) => one.replace('>', `>${' '.repeat(shortLength(random, 5 << 20))}`)),
  attributes: (text, random) =>
    text.replace(/<(\w+)/, (all) =>
      Array.from({ length: shortLength(random, 5000) }, (_, i) => ` a${i}="&lt;"`).reduce(
        (sum, one) => sum + one,
        all,
      ),
    ),
};

/** Applies one change; `other` is another text of the same kind. */
export function mutateXml(text, random, other = text) {
  if (!oneIn(random, 3)) return mutateText(text, random, other);
  return CHANGES[oneOf(random, Object.keys(CHANGES))](text, random).slice(0, MOST_CHARACTERS);
}

/** Replaces one of the innermost elements. */
function replaceElement(text, random, replacement) {
  const elements = [...text.matchAll(/<(\w+)[^<>]*>[^<>]*<\/\1>|<\w+[^<>]*\/>/g)];
  if (elements.length === 0) return text;
  const { 0: one, index } = elements[below(random, elements.length)];
  return text.slice(0, index) + replacement(one) + text.slice(index + one.length);
}
