/**
 * Identifies the contents of files by all of their bytes: names, sizes and dates can be equal for different contents.
 *
 * SHA-256, because processors have instructions for it: 1.5 GB/s on one core, several times the speed of any model
 * reader. Without these it is 0.4 GB/s, which is still faster. A check reads at least as many bytes from its store.
 */
import { createHash } from 'node:crypto';
import { partsOf } from '../regular-file.js';

export interface FileContents {
  readonly byteLength: number;
  /** Hexadecimal. */
  readonly sha256: string;
}

export async function contentsOf(path: string, signal?: AbortSignal): Promise<FileContents> {
  const hash = createHash('sha256');
  let byteLength = 0;
  for await (const part of partsOf(path)) {
    signal?.throwIfAborted();
    hash.update(part);
    byteLength += part.length;
  }
  return { byteLength, sha256: hash.digest('hex') };
}

export function sameContents(a: FileContents, b: FileContents): boolean {
  return a.byteLength === b.byteLength && a.sha256 === b.sha256;
}
