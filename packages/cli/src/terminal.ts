/** Where a command writes to, and how figures look there. */
import pc from 'picocolors';

export interface Terminal {
  out(text: string): void;
  error(text: string): void;
  readonly colors: ReturnType<typeof pc.createColors>;
}

export function processTerminal(): Terminal {
  const colourful = process.stdout.isTTY === true && !process.env['NO_COLOR'];
  return {
    out: (text) => void process.stdout.write(text),
    error: (text) => void process.stderr.write(text),
    colors: pc.createColors(colourful),
  };
}

export function count(n: number): string {
  return n.toLocaleString('en-US');
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

/** Indented JSON in which a list of numbers takes one line. */
export function json(value: unknown): string {
  const text = JSON.stringify(value, undefined, 2);
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

/** Text of a stranger's file, safe to print: control characters would steer the terminal. */
export function printable(text: string, width = Number.POSITIVE_INFINITY): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
  const clean = text.replace(/[\u0000-\u001f\u007f-\u009f\u200e\u200f\u202a-\u202e]/g, '�');
  return clean.length > width ? `${clean.slice(0, width - 1)}…` : clean;
}

/** The end of a path, where the object's own name is. */
export function pathEnd(path: string, width: number): string {
  const clean = printable(path);
  return clean.length > width ? `…${clean.slice(1 - width)}` : clean;
}

/** Columns two blanks apart; those named in `right` are flushed right. */
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
