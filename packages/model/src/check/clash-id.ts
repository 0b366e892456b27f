/**
 * Ids of clashes that stay the same from run to run: made of the objects' ids, in either order, and the rule's name.
 * File and path distinguish objects with equal ids.
 */

import type { StoredModel } from '../store/model.js';
import { OBJECT_TEXTS } from '../store/source.js';

const ID = OBJECT_TEXTS.indexOf('id');

/** The key of each object in ids. */
export function keysOf(model: StoredModel): (object: number) => string {
  const { objectText, stringFirstByte } = model.directory;
  const uses = new Uint32Array(stringFirstByte.length);
  for (let i = ID; i < objectText.length; i += OBJECT_TEXTS.length) uses[objectText[i]]++;
  return (object) => {
    const { id, file, path } = model.object(object);
    return uses[objectText[OBJECT_TEXTS.length * object + ID]] === 1 && id !== ''
      ? id
      : `${file}:${path}:${id}`;
  };
}

/** Sixteen hexadecimal digits. */
export function clashId(a: string, b: string, rule: string): string {
  const text = a < b ? `${a}\n${b}\n${rule}` : `${b}\n${a}\n${rule}`;
  return digits(hash(text, 0x811c9dc5)) + digits(hash(text, 0x2f0b4c47));
}

function digits(word: number): string {
  return word.toString(16).padStart(8, '0');
}

/** FNV-1a over UTF-16 units, then mixed so that every bit depends on every unit. */
function hash(text: string, seed: number): number {
  let h = seed;
  for (let i = 0; i < text.length; i++) {
    h = Math.imul(h ^ text.charCodeAt(i), 0x01000193);
    h ^= h >>> 15;
  }
  h = Math.imul(h ^ (h >>> 16), 0x85ebca6b);
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35);
  return (h ^ (h >>> 16)) >>> 0;
}
