/** The output of a command, and the format of numbers there. */
import pc from 'picocolors';
import { groupedDigits, message } from './wire/text.js';

export interface Terminal {
  out(text: string): void;
  error(text: string): void;
  readonly colors: ReturnType<typeof pc.createColors>;
}

export function processTerminal(): Terminal {
  const colourful = process.stdout.isTTY === true && !process.env['NO_COLOR'];
  return {
    out: (text) => void process.stdout.write(harmless(text)),
    error: (text) => void process.stderr.write(harmless(text.split('\n').map(message).join('\n'))),
    colors: pc.createColors(colourful),
  };
}

export function count(n: number): string {
  return groupedDigits(n);
}

/** `1 triangle`, `2,048 triangles`. */
export function counted(n: number, one: string, many = `${one}s`): string {
  return `${count(n)} ${n === 1 ? one : many}`;
}

/** A coordinate or a length, to six significant digits. */
export function decimal(x: number): string {
  return String(Number(x.toPrecision(6)));
}

export function point(p: ArrayLike<number>): string {
  return `(${decimal(p[0])}, ${decimal(p[1])}, ${decimal(p[2])})`;
}

/** A unit vector to three decimals. */
export function direction(d: ArrayLike<number>): string {
  return `(${[0, 1, 2].map((k) => String(Number(d[k].toFixed(3)) + 0)).join(', ')})`;
}

/** Indented JSON in which a list of numbers takes one line. Terminal control characters are escaped. */
export function json(value: unknown): string {
  const text = JSON.stringify(value, undefined, 2).replace(STEERING, (c) =>
    c === '\n' ? c : `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
  return `${text.replace(/\[\n[\d\s.,e+-]+\]/g, (list) => list.replace(/\s+/g, ' ').replace('[ ', '[').replace(' ]', ']'))}\n`;
}

export function milliseconds(ms: number): string {
  return `${ms < 10 ? ms.toFixed(2) : ms < 100 ? ms.toFixed(1) : count(Math.round(ms))} ms`;
}

export function fileSize(bytes: number): string {
  if (bytes < 1000) return `${bytes} bytes`;
  const power = Math.min(3, Math.floor(Math.log10(bytes) / 3));
  return `${Number((bytes / 1000 ** power).toPrecision(3))} ${['kB', 'MB', 'GB'][power - 1]}`;
}

/** Control characters, line ends of all kinds, and marks that change the direction of text. */
const STEERING =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
  /[\u0000-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069]/g;

/** Everything that is not a line end, a tab or a colour: the last line of defence for any output. */
const NEVER_PRINTED = new RegExp(`(\\u001b\\[[\\d;]*m)|[\\n\\t]|${STEERING.source}`, 'g');

function harmless(text: string): string {
  return text.replace(NEVER_PRINTED, (found, colour) =>
    colour || found === '\n' || found === '\t' ? found : '�',
  );
}

/** Untrusted text, safe to print and on one line: control characters could control the terminal. */
export function printable(text: string, width = Number.POSITIVE_INFINITY): string {
  const clean = text.replace(STEERING, '�');
  return clean.length > width ? `${clean.slice(0, width - 1)}…` : clean;
}

/** The end of a path, where the object's own name is. */
export function pathEnd(path: string, width: number): string {
  const clean = printable(path);
  return clean.length > width ? `…${clean.slice(1 - width)}` : clean;
}

/** Columns separated by two spaces; those named in `right` are right-aligned. */
export function table(
  rows: readonly (readonly string[])[],
  right: readonly number[] = [],
  indent = '  ',
): string {
  const widths: number[] = [];
  for (const row of rows)
    row.forEach((cell, i) => {
      widths[i] = Math.max(widths[i] ?? 0, cell.length);
    });
  return rows
    .map((row) => {
      const cells = row.map((cell, i) =>
        right.includes(i) ? cell.padStart(widths[i]) : cell.padEnd(widths[i]),
      );
      return `${indent}${cells.join('  ')}`.trimEnd();
    })
    .join('\n')
    .concat('\n');
}
