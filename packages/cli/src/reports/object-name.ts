/** The displayed name of an object. */
import type { Clash } from '@impinge/model';
import { shortName } from './text.js';

export const NAME_MAX = 72;

export function objectName({ name, path, id, type }: Clash['a']): string {
  return shortName(name || path.slice(path.lastIndexOf('/') + 1) || id || type || 'unnamed', NAME_MAX);
}
