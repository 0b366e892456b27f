/** `impinge info --types --properties`: the words that rules can select by, of all files together. */
import { stat } from 'node:fs/promises';
import { askedFiles, type FileOptions } from '../asked-files.js';
import { openSource } from '../formats/formats.js';
import { inputFiles } from '../formats/input-files.js';
import { openStoreAt } from '../jobs/model-file.js';
import {
  countModel,
  type PropertyWord,
  type Vocabulary,
  VocabularyCounter,
  WORD_FIELDS,
  type WordField,
} from '../model-vocabulary.js';
import { Progress } from '../progress.js';
import { isStore } from '../store-extension.js';
import { count, counted, decimal, pathEnd, printable, type Terminal, table } from '../terminal.js';

/** Memory for readers; triangles are not kept. */
const READER_BYTES = 256e6;
/** Number of words of each kind, unless all are requested. */
const ROWS = 30;
const NAME_WIDTH = 48;
const VALUES_WIDTH = 44;

export interface WordsAsked {
  readonly types?: boolean;
  readonly properties?: boolean;
  readonly all?: boolean;
}

export interface WordsReport extends Vocabulary {
  readonly files: readonly string[];
}

/** Reads objects one after the other, whatever their number. */
export async function describeWords(
  names: readonly string[],
  options: FileOptions & WordsAsked,
): Promise<WordsReport> {
  const counter = new VocabularyCounter();
  const files: string[] = [];
  for (const name of names) {
    for (const path of isStore(name) ? [name] : await inputFiles([name])) {
      files.push(path);
      await (isStore(name) ? countStore(path, counter, options) : countFile(path, counter, options));
    }
  }
  return { files, ...counter.vocabulary };
}

async function countStore(
  path: string,
  counter: VocabularyCounter,
  { properties }: WordsAsked,
): Promise<void> {
  const model = await openStoreAt(path);
  try {
    await countModel(model, counter, properties === true);
  } finally {
    await model.dispose();
  }
}

async function countFile(
  path: string,
  counter: VocabularyCounter,
  options: FileOptions & WordsAsked,
): Promise<void> {
  const progress = new Progress();
  progress.begin({ label: 'reading', total: (await stat(path)).size, unit: 'bytes' });
  const { patterns: _, ...asked } = askedFiles(options);
  const onProgress = ({ done }: { readonly done: number }) => progress.update(done);
  try {
    const source = await openSource(path, { ...asked, memoryBytes: READER_BYTES, onProgress });
    try {
      for await (const { objects } of source.shapes()) {
        for (const object of objects) {
          counter.add(object, options.properties ? object.properties : undefined);
        }
      }
    } finally {
      await source.close();
    }
  } finally {
    progress.end();
  }
}

export function printedWords(report: WordsReport, asked: WordsAsked, { colors }: Terminal): string {
  const rows = asked.all ? Infinity : ROWS;
  const title = report.files.length === 1 ? printable(report.files[0]) : counted(report.files.length, 'file');
  const parts = [`${colors.bold(title)}  ${counted(report.objects, 'object')}\n`];
  if (asked.types) {
    const known = WORD_FIELDS.filter((field) => report.words[field].length > 0);
    parts.push(...known.map((field) => wordTable(field, report, rows)));
    const unknown = WORD_FIELDS.filter((field) => report.words[field].length === 0);
    if (unknown.length > 0) parts.push(`  no object has: ${unknown.join(', ')}\n`);
  }
  if (asked.properties) parts.push(propertyTable(report.properties, rows));
  return parts.join('\n');
}

function wordTable(field: WordField, { words }: WordsReport, most: number): string {
  const shown = words[field].slice(0, most);
  const list = shown.map(({ text, count: times }) => [printable(text, 64), count(times)]);
  return `${table([[field, 'objects'], ...list], [1])}${more(words[field].length - shown.length)}`;
}

function propertyTable(properties: readonly PropertyWord[], most: number): string {
  if (properties.length === 0) return '  no object has properties\n';
  const shown = properties.slice(0, most);
  const rows = shown.map((property) => [
    pathEnd(property.name, NAME_WIDTH),
    count(property.count),
    valuesText(property),
  ]);
  const list = table([['property', 'objects', 'values'], ...rows], [1]);
  return `${list}${more(properties.length - shown.length)}`;
}

/** `true, false`, or the range if there are many numbers. */
function valuesText({ values, range, count: objects }: PropertyWord): string {
  const listed = values.reduce((sum, { count: times }) => sum + times, 0);
  const numbers = range && listed < objects ? `${decimal(range.min)} to ${decimal(range.max)}: ` : '';
  // different numbers may be printed alike
  const list = [...new Set(values.map(({ text }) => valueText(text)))].join(', ');
  return printable(`${numbers}${list}${listed < objects ? ', …' : ''}`, VALUES_WIDTH);
}

function valueText(text: string): string {
  if (text.trim() === '') return '""';
  return Number.isFinite(Number(text)) ? decimal(Number(text)) : printable(text);
}

function more(left: number): string {
  return left > 0 ? `  … and ${count(left)} more; --all lists them\n` : '';
}
