/** Text of reports: shortened names, markup, dates. */
import { cleanText, cut, oneLine } from '../wire/text.js';

/** One clean line of at most `length` characters, shortened in the middle because the ends of names differ. */
export function shortName(text: string, length: number): string {
  const whole = text.length > 8 * length ? text.slice(0, 4 * length) + text.slice(-4 * length) : text;
  const line = oneLine(whole, 8 * length);
  if (line.length <= length) return line;
  const tail = Math.floor(length / 2.5);
  // do not split a surrogate pair
  return `${cut(line, length - 1 - tail)}…${line.slice(-tail).replace(/^[\udc00-\udfff]/, '')}`;
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Safe between tags and within quoted attributes, in HTML and XML. */
export function escapeMarkup(text: string): string {
  return cleanText(text).replace(/[&<>"']/g, (c) => ENTITIES[c]);
}

/** ISO 8601 with a four-digit year; 1970-01-01 if the text is not a date. */
export function isoDate(date: string): string {
  const zoned = /T/.test(date) && !/(Z|[+-]\d\d:?\d\d)$/.test(date) ? `${date}Z` : date;
  const time = Date.parse(zoned);
  const written = new Date(Number.isNaN(time) ? 0 : time).toISOString();
  return /^\d{4}-/.test(written) ? written : new Date(0).toISOString();
}
