/** Text of reports: names that are cut, markup, dates, order. */
import { cleanText, cut, oneLine } from '../wire/text.js';

/** One clean line of at most `length` characters, without its middle where it is longer: names differ at their ends. */
export function shortName(text: string, length: number): string {
  const whole = text.length > 8 * length ? text.slice(0, 4 * length) + text.slice(-4 * length) : text;
  const line = oneLine(whole, 8 * length);
  if (line.length <= length) return line;
  const tail = Math.floor(length / 2.5);
  // not between the halves of a pair
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

/** As XML writes dates of four-digit years; the beginning of 1970 where the text is none. */
export function isoDate(date: string): string {
  const zoned = /T/.test(date) && !/(Z|[+-]\d\d:?\d\d)$/.test(date) ? `${date}Z` : date;
  const time = Date.parse(zoned);
  const written = new Date(Number.isNaN(time) ? 0 : time).toISOString();
  return /^\d{4}-/.test(written) ? written : new Date(0).toISOString();
}
