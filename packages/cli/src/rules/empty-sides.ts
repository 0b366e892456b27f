/** Why sides of rules select no object, and what may have been meant: one line for each, with its place in the file. */
import type { StoredModel } from '@impinge/model';
import { countObjects, type Selection, type SelectionSets, type Selector } from '@impinge/model';
import { quoted } from '../formats/format-error.js';
import {
  type Vocabulary,
  vocabularyOf,
  WORD_FIELDS,
  type Word,
  type WordField,
} from '../model-vocabulary.js';
import { counted } from '../terminal.js';
import { closestWord } from './closest-word.js';
import type { RuleFile } from './rule-reader.js';

export interface EmptySide {
  readonly index: number;
  readonly rule: string;
  readonly side: 'a' | 'b';
}

/** Number of words listed if none is similar. */
const LISTED = 6;
/** Maximum number of selectors of one side that are examined, and of sides of one file. */
const MOST_SELECTORS = 3;
const MOST_LINES = 20;

/** A part of a selector that can be tested on its own. */
interface Part {
  readonly selector: Selector;
  /** `type "IfcWal"`, and how the sentence continues after "no object". */
  readonly text: string;
  readonly verb: string;
  /** What the model has instead. */
  readonly instead: (vocabulary: Vocabulary) => string;
}

/** `file` in the unit of the model; `name` is the name of the file. */
export async function emptySideLines(
  empty: readonly EmptySide[],
  model: StoredModel,
  file: RuleFile,
  name: string,
): Promise<string[]> {
  const vocabulary = await vocabularyOf(model, true);
  const shownHints = new Set<string>();
  const once = (hint: string) => (hint !== '' && shownHints.size === shownHints.add(hint).size ? '' : hint);
  const lines: string[] = [];
  for (const { index, rule, side } of empty.slice(0, MOST_LINES)) {
    const place = file.places[index]?.[side];
    const where = place === undefined ? name : `${name}:${place.line}:${place.column}`;
    const reasons = await reasonsOf(file.rules[index][side]!, file.sets, model);
    const why = reasons.map((reason) =>
      typeof reason === 'string' ? reason : `${reason.text}${once(reason.instead(vocabulary))}`,
    );
    lines.push(`${where}: rule ${quoted(rule)}: side ${side} selects no object: ${why.join('; ')}`);
  }
  if (empty.length > MOST_LINES)
    lines.push(`${name}: and ${counted(empty.length - MOST_LINES, 'more side')}`);
  return [...lines, `${name}: --allow-empty-rules checks the rest; "optional: true" allows it for one rule`];
}

type Reason = string | Pick<Part, 'text' | 'instead'>;

async function reasonsOf(selection: Selection, sets: SelectionSets, model: StoredModel): Promise<Reason[]> {
  const selectors = (Array.isArray(selection) ? selection : [selection]) as readonly (string | Selector)[];
  const reasons: Reason[] = [];
  for (const given of selectors.slice(0, MOST_SELECTORS)) {
    const selector = typeof given === 'string' ? { path: given } : given;
    const parts = partsOf(selector, sets);
    const counts = await countObjects(
      model,
      parts.map((part) => part.selector),
      sets,
    );
    const none = parts.filter((_, i) => counts[i] === 0);
    if (none.length > 0) {
      reasons.push(...none.map(({ verb, text, instead }) => ({ text: `no object ${verb}${text}`, instead })));
    } else if (parts.length > 1) {
      const each = parts.map(({ text }, i) => `${text} (${counts[i]})`);
      reasons.push(`no object has all of ${each.join(', ')}`);
    } else reasons.push('everything is excepted');
  }
  return reasons;
}

function partsOf({ except: _, property = {}, set, near, ...fields }: Selector, sets: SelectionSets): Part[] {
  const parts: Part[] = Object.entries(fields).map(([field, pattern]) => ({
    selector: { [field]: pattern },
    text: `${field} ${[pattern].flat().map(quoted).join(' or ')}`,
    verb: 'has ',
    instead: ({ words }) =>
      isWordField(field) ? instead(field, [pattern].flat(), words[field]) : insteadOfPath(field, words.file),
  }));
  for (const [name, test] of Object.entries(property)) {
    parts.push({
      selector: { property: { [name]: test } },
      verb: 'has ',
      text: `property ${name}: ${typeof test === 'object' ? JSON.stringify(test) : quoted(String(test))}`,
      instead: (vocabulary) => insteadOfProperty(name, vocabulary),
    });
  }
  if (set !== undefined) {
    parts.push({
      selector: { set },
      verb: 'is in ',
      text: `set ${[set].flat().map(quoted).join(' or ')}`,
      instead: () => '',
    });
    // errors in a set are reported there
    for (const name of [set].flat()) {
      const inner = Object.hasOwn(sets, name) ? ([sets[name]].flat() as (string | Selector)[]) : [];
      for (const one of inner) {
        parts.push(...partsOf(typeof one === 'string' ? { path: one } : one, {}));
      }
    }
  }
  if (near !== undefined)
    parts.push({ selector: { near }, verb: 'is ', text: 'near enough', instead: () => '' });
  return parts;
}

function isWordField(field: string): field is WordField {
  return (WORD_FIELDS as readonly string[]).includes(field);
}

function instead(field: WordField, patterns: readonly string[], words: readonly Word[]): string {
  if (words.length === 0) return `; none has a ${field}`;
  return hint(patterns[0], words);
}

/** The nearest word; otherwise those that share a part with it; otherwise the most frequent ones. */
function hint(wanted: string, words: readonly Word[]): string {
  const known = words.map(({ text }) => text);
  const closest = closestWord(wanted.replace(/[*?]/g, ''), known);
  if (closest !== undefined) return `; did you mean ${quoted(closest)}?`;
  const stem = wanted.replace(/[^\p{L}\p{N}]/gu, '').toLowerCase();
  const plain = (text: string) => text.replace(/[^\p{L}\p{N}]/gu, '').toLowerCase();
  const alike = words.filter(({ text }) => stem.length > 2 && plain(text).includes(stem));
  const shown = (alike.length > 0 ? alike : words).slice(0, LISTED);
  const list = shown.map(({ text, count }) => `${quoted(text)} (${count})`).join(', ');
  return `; there are ${list}${words.length > shown.length ? ' and more' : ''}`;
}

function insteadOfPath(field: string, files: readonly Word[]): string {
  return field === 'path' ? `; paths begin with the name of the file: ${hint('', files).slice(12)}` : '';
}

function insteadOfProperty(name: string, { properties }: Vocabulary): string {
  const own = properties.filter((property) => property.name === name || property.name.endsWith(`.${name}`));
  if (own.length === 0) {
    if (properties.length === 0) return '; none has properties';
    const names = properties.map((property) => property.name);
    const full = closestWord(name, names);
    const short = full === undefined ? closestWord(name, names.map(lastWord)) : undefined;
    const among = names.filter((one) => lastWord(one) === short).slice(0, LISTED);
    if (full ?? short)
      return `; did you mean ${quoted(full ?? short ?? '')}?${among.length > 0 ? ` (${among.join(', ')})` : ''}`;
    return hint(
      name,
      properties.map((property) => ({ text: property.name, count: property.count })),
    );
  }
  return own
    .slice(0, LISTED)
    .map(({ name: full, values, range, count }) => {
      const list = values.map(({ text, count: times }) => `${quoted(text)} (${times})`).join(', ');
      const numbers = range === undefined ? '' : `, ${range.min} to ${range.max}`;
      return `; ${full} of ${counted(count, 'object')}: ${list}${numbers}`;
    })
    .join('');
}

function lastWord(name: string): string {
  return name.slice(name.lastIndexOf('.') + 1);
}
