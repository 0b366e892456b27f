/** Contents of a file that its reader does not pass on: counted by reason and type, and named where that helps. */
import { FARTHEST, type LeftOut } from '@impinge/model';
import { compareText, groupedDigits } from '../wire/text.js';

/** The reason for leaving out an object that is too far away to be compared. */
export const TOO_FAR = `farther than ${FARTHEST.toExponential()} units from the origin, size included`;

/** Maximum names kept per reason and type; counting continues. */
const MAX_NAMES = 1000;
const MAX_NAME_LENGTH = 200;
/** Names that a line for people shows. */
const SHOWN_NAMES = 3;

export class LeftOutList {
  readonly #lists = new Map<string, { why: string; type: string; count: number; objects: string[] }>();

  /** `why` completes "left out, because …"; omit `name` where a count is enough. */
  add(why: string, type: string, name?: string, count = 1): void {
    const key = `${why}\n${type}`;
    let list = this.#lists.get(key);
    if (list === undefined) this.#lists.set(key, (list = { why, type, count: 0, objects: [] }));
    list.count += count;
    if (name !== undefined && list.objects.length < MAX_NAMES) {
      list.objects.push(name.slice(0, MAX_NAME_LENGTH));
    }
  }

  get all(): LeftOut[] {
    return [...this.#lists.values()].sort((a, b) => compareText(a.why, b.why) || compareText(a.type, b.type));
  }
}

/** A line for each reason. */
export function leftOutLines(leftOut: readonly LeftOut[]): string[] {
  const parts = new Map<string, string[]>();
  for (const one of leftOut) {
    const line = parts.get(one.why);
    if (line === undefined) parts.set(one.why, [partOf(one)]);
    else line.push(partOf(one));
  }
  return [...parts].map(([why, list]) => `left out, because ${why}: ${list.join(', ')}`);
}

/** `2 IfcSpace`, `1 IfcBeam (B-12)`, `pump, valve and 3 more`. */
function partOf({ type, count, objects }: LeftOut): string {
  const counted = `${groupedDigits(count)} ${type}`;
  if (objects.length === 0) return counted.trim();
  const shown = objects.slice(0, SHOWN_NAMES).join(', ');
  const more = count - Math.min(SHOWN_NAMES, objects.length);
  const names = more > 0 ? `${shown} and ${groupedDigits(more)} more` : shown;
  return type === '' ? names : `${counted} (${names})`;
}
