/** Entities of an IFC file, many at a time, and the meaning of their values. */
import type { StepLine, StepLines, StepValue } from './engine.js';

const LINES_PER_CALL = 1024;

/** Hands over every entity of exactly this type. */
export async function eachLine(
  engine: StepLines,
  type: string,
  take: (line: StepLine) => void,
): Promise<void> {
  await eachOf(engine, await engine.idsOf(type), take);
}

/** Passes on the entities with these numbers; missing ones are left out. */
export async function eachOf(
  engine: StepLines,
  ids: readonly number[],
  take: (line: StepLine) => void,
): Promise<void> {
  for (let i = 0; i < ids.length; i += LINES_PER_CALL) {
    for (const line of await engine.lines(ids.slice(i, i + LINES_PER_CALL))) take(line);
  }
}

export async function linesOf(engine: StepLines, ids: readonly number[]): Promise<StepLine[]> {
  const out: StepLine[] = [];
  await eachOf(engine, ids, (line) => out.push(line));
  return out;
}

/** The numbers that a value refers to, alone or in a list. */
export function refs(value: StepValue | undefined): number[] {
  if (value === null || typeof value !== 'object') return [];
  if (Array.isArray(value)) return value.flatMap((entry) => refs(entry));
  return [(value as { readonly ref: number }).ref];
}

export function text(value: StepValue | undefined): string {
  return typeof value === 'string' ? value : '';
}

/** Adds to the list of a key, unless it has `most` entries. */
export function addTo<T>(lists: Map<number, T[]>, key: number, value: T, most = Infinity): void {
  const list = lists.get(key);
  if (list === undefined) lists.set(key, [value]);
  else if (list.length < most) list.push(value);
}
