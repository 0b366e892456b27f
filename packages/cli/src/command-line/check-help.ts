/** The parts of `impinge check --help` about kinds of clashes and exclusions, from the library's tables. */
import { CHECK_DEFAULTS, CLASH_KIND_TABLE, CLASH_KINDS, EXCLUSION_TABLE, EXCLUSIONS } from '@impinge/model';

/** For one option: `hard, inside, touch (default: all but touch)`. */
export function kindList(): string {
  const others = CLASH_KINDS.filter((kind) => !CHECK_DEFAULTS.kinds.includes(kind));
  return `${CLASH_KINDS.join(', ')} (default: all but ${others.join(', ')})`;
}

/** A line for each kind. */
export function kindLines(): string {
  const width = Math.max(...CLASH_KINDS.map(({ length }) => length)) + 2;
  return CLASH_KINDS.map((kind) => {
    const { meaning, byDefault } = CLASH_KIND_TABLE[kind];
    return `  ${kind.padEnd(width)}${meaning}${byDefault ? '' : '; listed only when --kinds names it'}`;
  }).join('\n');
}

export function exclusionList(): string {
  return EXCLUSIONS.join(', ');
}

/** A line for each exclusion. */
export function exclusionLines(): string {
  const width = Math.max(...EXCLUSIONS.map(({ length }) => length)) + 2;
  return EXCLUSIONS.map((name) => `  ${name.padEnd(width)}${EXCLUSION_TABLE[name]}`).join('\n');
}
