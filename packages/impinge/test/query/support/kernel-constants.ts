/** The numbers that a file of the kernels exports, and the names they would have for fields of `src`. */
import { readFileSync } from 'node:fs';

export function kernelConstants(file: string): Map<string, number> {
  const source = readFileSync(new URL(`../../../kernels/${file}`, import.meta.url), 'utf8');
  return new Map(
    [...source.matchAll(/^export const ([A-Z0-9_]+): \w+ = (\d+);/gm)].map(([, name, value]) => [
      name,
      Number(value),
    ]),
  );
}

/** `{ partsA: 0 }` with prefix `P_` is `P_PARTS_A`, 0. */
export function asConstants(prefix: string, fields: Readonly<Record<string, number>>): Map<string, number> {
  const screaming = (name: string) => name.replace(/[A-Z]/g, '_$&').toUpperCase();
  return new Map(Object.entries(fields).map(([name, value]) => [`${prefix}${screaming(name)}`, value]));
}
