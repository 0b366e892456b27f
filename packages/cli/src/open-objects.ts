/** Open objects: the check cannot treat them as solids, so objects inside them go unnoticed. */
import type { StoredModel } from '@impinge/model';
import { count, counted, pathEnd } from './terminal.js';

const SHOWN = 3;

/** Their numbers. */
export function openObjects(model: StoredModel): number[] {
  return Array.from({ length: model.objectCount }, (_, i) => i).filter((i) => !model.isClosed(i));
}

/** A line that names them, if there are any. */
export function openLines<T>(open: readonly T[], pathOf: (object: T) => string): string[] {
  if (open.length === 0) return [];
  const names = open.slice(0, SHOWN).map((object) => pathEnd(pathOf(object), 40));
  const more = open.length > SHOWN ? ` and ${count(open.length - SHOWN)} more` : '';
  const are = open.length === 1 ? 'is open, not a solid' : 'are open, not solids';
  return [
    `${counted(open.length, 'object')} ${are}: a check finds nothing inside ${names.join(', ')}${more}`,
  ];
}
