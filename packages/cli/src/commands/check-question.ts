/** The input of `impinge check`: its options, which take precedence over those of a file of rules. */
import {
  CHECK_DEFAULTS,
  CLASH_KINDS,
  type ClashKind,
  EXCLUSIONS,
  type ExclusionChoice,
  patternProblem,
} from '@impinge/model';
import { CommandError } from '../command-error.js';
import { parseLength } from '../quantities.js';
import { inModelUnit } from '../rules/model-unit.js';
import type { Preset } from '../rules/preset-names.js';
import type { RuleFile } from '../rules/rule-reader.js';
import type { AskedCheck } from '../wire/report.js';

/** As given on the command line. */
export interface QuestionOptions {
  readonly clearance?: string;
  readonly tolerance?: string;
  readonly kinds?: string;
  readonly rules?: string;
  readonly preset?: Preset;
  readonly exclusions?: string;
  readonly include?: string;
}

/** The input of the check, lengths in metres. */
export interface Question {
  readonly file: RuleFile | undefined;
  readonly exclusions: ExclusionChoice;
  readonly clearance: number;
  readonly tolerance: number;
  readonly kinds: readonly ClashKind[];
}

export async function readQuestion(options: QuestionOptions): Promise<Question> {
  const path = await rulesPath(options);
  const file =
    path === undefined
      ? undefined
      : await (await import('../rules/read-rules.js')).readRules(path, patternProblem);
  const length = (text: string | undefined, name: string) =>
    text === undefined ? undefined : parseLength(text, name);
  return {
    file,
    clearance:
      length(options.clearance, '--clearance') ?? file?.defaults.clearance ?? CHECK_DEFAULTS.clearance,
    tolerance:
      length(options.tolerance, '--tolerance') ?? file?.defaults.tolerance ?? CHECK_DEFAULTS.tolerance,
    kinds: readList(options.kinds, CLASH_KINDS, '--kinds') ?? file?.defaults.kinds ?? CHECK_DEFAULTS.kinds,
    exclusions: included(readExclusions(options.exclusions) ?? file?.exclusions ?? true, options.include),
  };
}

/** The same in the library's types. */
export function askedOf(
  { file, exclusions, clearance, tolerance, kinds }: Question,
  metresPerUnit: number,
): AskedCheck {
  const scaled = file && inModelUnit(file, metresPerUnit);
  return {
    rules: scaled?.rules ?? [],
    sets: scaled?.sets ?? {},
    exclusions,
    clearance: clearance / metresPerUnit,
    tolerance: tolerance / metresPerUnit,
    kinds,
  };
}

/** The selected file of rules, if any. */
async function rulesPath({ rules, preset }: QuestionOptions): Promise<string | undefined> {
  if (preset === undefined) return rules;
  if (rules !== undefined) throw new CommandError('--preset and --rules exclude each other');
  return (await import('../rules/presets.js')).presetPath(preset);
}

/** `all`, `none`, or the exclusions to apply. */
function readExclusions(text: string | undefined): ExclusionChoice | undefined {
  if (text === undefined) return undefined;
  if (text === 'all' || text === 'none') return text === 'all';
  const applied = readList(text, EXCLUSIONS, '--exclusions') ?? [];
  return Object.fromEntries(EXCLUSIONS.map((name) => [name, applied.includes(name)]));
}

/** A choice without the exclusions named, whose pairs are reported. */
function included(choice: ExclusionChoice, text: string | undefined): ExclusionChoice {
  const names = readList(text, EXCLUSIONS, '--include');
  if (names === undefined || choice === false) return choice;
  return { ...(choice === true ? {} : choice), ...Object.fromEntries(names.map((name) => [name, false])) };
}

export function readList<T extends string>(
  text: string | undefined,
  known: readonly T[],
  option: string,
): readonly T[] | undefined {
  if (text === undefined) return undefined;
  const given = text.split(',').map((word) => word.trim());
  const unknown = given.find((word) => !(known as readonly string[]).includes(word));
  if (unknown !== undefined) {
    throw new CommandError(`${option}: "${unknown}" is not one of ${known.join(', ')}`);
  }
  return known.filter((word) => given.includes(word));
}
