/** Rows of CSV files: RFC 4180, separated by commas, semicolons or tabs, whichever the first line has most of. */
import { FormatError } from '../format-error.js';

/** `bytes` is UTF-8, with or without a byte order mark. Empty lines are left out. */
export function csvRows(bytes: Uint8Array, file: string): string[][] {
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new FormatError(file, 'is not UTF-8 text; export it as "CSV UTF-8"');
  }
  const separator = separatorOf(text.slice(0, text.search(/[\r\n]|$/)));
  const ends = new RegExp(`[${separator}\\r\\n]`, 'g');
  const rows: string[][] = [];
  let row: string[] = [];
  let at = 0;
  const endRow = () => {
    if (row.some((cell) => cell !== '')) rows.push(row);
    row = [];
  };
  while (at < text.length) {
    let cell = '';
    if (text[at] === '"') {
      for (at++; ; at++) {
        const end = text.indexOf('"', at);
        if (end < 0) throw new FormatError(file, 'a quoted cell does not end', `row ${rows.length + 1}`);
        cell += text.slice(at, end);
        at = end + 1;
        if (text[at] !== '"') break;
        cell += '"';
      }
    }
    ends.lastIndex = at;
    const end = ends.exec(text)?.index ?? text.length;
    row.push((cell + text.slice(at, end)).trim());
    at = end;
    if (text[at] === separator) {
      at++;
      if (at === text.length) row.push('');
      continue;
    }
    endRow();
    at += text[at] === '\r' && text[at + 1] === '\n' ? 2 : 1;
  }
  endRow();
  return rows;
}

function separatorOf(line: string): ',' | ';' | '\t' {
  const bare = line.replace(/"[^"]*"/g, '');
  const count = (separator: string) => bare.split(separator).length;
  const all = [',', ';', '\t'] as const;
  return all.reduce((most, one) => (count(one) > count(most) ? one : most));
}
