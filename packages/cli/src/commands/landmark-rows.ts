/** Storeys and rooms of a file, as rows of a table. */
import type { StoreStorey } from '@impinge/model';
import { count, decimal, printable } from '../terminal.js';

/** Maximum number of storeys that are listed. */
const STOREYS_MAX = 12;

export function landmarkRows(
  storeys: readonly StoreStorey[],
  rooms: number,
  metresPerUnit = 1,
): (readonly [string, string])[] {
  const listed = storeys
    .slice(0, STOREYS_MAX)
    .map(({ name, elevation }) => `${printable(name, 40)} ${decimal(metresPerUnit * elevation)} m`);
  const more = storeys.length > listed.length ? [`and ${count(storeys.length - listed.length)} more`] : [];
  return [
    ['storeys', [...listed, ...more].join(', ')] as const,
    ['rooms', rooms > 0 ? count(rooms) : ''] as const,
  ].filter(([, text]) => text !== '');
}
