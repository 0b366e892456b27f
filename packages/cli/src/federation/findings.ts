/**
 * Whether a check can find anything: findings about files and rules that users should see before they trust its answer.
 * One list, which the console, the page, the viewer and the files for other programs all show.
 */
import type { CheckStats, RuleStats, StoredModel } from '@impinge/model';
import { openLines, openObjects } from '../open-objects.js';
import { counted } from '../terminal.js';
import { FINDING_SEVERITIES, type Finding } from '../wire/finding.js';
import { fileExtents } from './file-extents.js';
import { farFindings } from './places.js';
import { unitFindings } from './units.js';

/** Maximum number of objects and files that a finding lists, and that its message names. */
const NAMED_MAX = 100;
const SHOWN = 8;

/** Findings about the files before anything is compared. `skipped`: files of folders in unsupported formats. */
export function fileFindings(model: StoredModel, skipped: readonly string[]): Finding[] {
  const files = fileExtents(model);
  const units = unitFindings(files);
  const odd = new Set(units.filter(({ kind }) => kind === 'unit').flatMap((finding) => finding.files));
  const far = farFindings(files.filter(({ name }) => !odd.has(name)));
  return sorted([
    ...units,
    ...far,
    ...emptyFindings(model),
    ...skippedFindings(skipped),
    ...openFindings(model),
  ]);
}

/** More idle rules than these are one finding. */
const IDLE_MOST = 3;

/**
 * Findings about the plan of a check: rules that select objects but have nothing to compare, and rules by type of which
 * the model has none. Rules that may select nothing may also have nothing to compare, where another one has.
 */
export function ruleFindings(
  { rules }: Pick<CheckStats, 'rules'>,
  {
    objectCount,
    lacksTypes,
    isOptional,
  }: {
    readonly objectCount: number;
    readonly lacksTypes: boolean;
    readonly isOptional: (rule: number) => boolean;
  },
): Finding[] {
  if (objectCount < 2) return [];
  const isEmpty = ({ ignore, a, b }: RuleStats) => !ignore && (a === 0 || b === 0);
  const empty = rules.filter(isEmpty).length;
  if (empty > 0 && lacksTypes) {
    return [
      {
        kind: 'idle',
        severity: 'red',
        message: `rules select by type, and no object has one: ${empty} of ${counted(rules.length, 'rule')} select nothing`,
        suggestion: '--table FILE.csv joins one: columns id and type',
        files: [],
        objects: [],
      },
    ];
  }
  const isBusy = ({ pairs, excluded }: RuleStats) => pairs + excluded > 0;
  const isAnyBusy = rules.some(isBusy);
  const isIdle = (rule: RuleStats, i: number) =>
    !rule.ignore && rule.a > 0 && rule.b > 0 && !isBusy(rule) && !(isAnyBusy && isOptional(i));
  const names = rules.filter(isIdle).map(({ name }) => `"${name}"`);
  const idle = rules.flatMap((rule, i): Finding[] => {
    const { name, a, b } = rule;
    if (!isIdle(rule, i)) return [];
    const rest = i > 0 ? ', or rules before it have those that are' : '';
    const who = rules.length === 1 && name === 'default' ? '' : `rule "${name}": `;
    return [
      {
        kind: 'idle',
        severity: 'amber',
        message: `${who}of ${counted(a, 'object')} and ${counted(b, 'object')}, no two are near each other${rest}`,
        suggestion: '',
        files: [],
        objects: [],
      },
    ];
  });
  if (idle.length <= IDLE_MOST) return idle;
  // of a matrix, most cells are about what stands in another storey
  return [
    {
      ...idle[0],
      message: `${counted(idle.length, 'rule')} have objects of which no two are near each other: ${names.join(', ')}`,
    },
  ];
}

/** Red ones first. */
export function sorted(findings: readonly Finding[]): Finding[] {
  return FINDING_SEVERITIES.flatMap((severity) => findings.filter((one) => one.severity === severity));
}

function emptyFindings({ meta }: StoredModel): Finding[] {
  return meta.files
    .filter(({ objects }) => objects === 0)
    .map(
      ({ name }): Finding => ({
        kind: 'empty',
        severity: 'red',
        message: `${name}: nothing in it has geometry that can be compared`,
        suggestion: '',
        files: [name],
        objects: [],
      }),
    );
}

/** Files of folders that look like models but are in no supported format. */
export function skippedFindings(paths: readonly string[]): Finding[] {
  if (paths.length === 0) return [];
  const shown = paths.slice(0, SHOWN).join(', ');
  const more = paths.length > SHOWN ? ` and ${paths.length - SHOWN} more` : '';
  return [
    {
      kind: 'skipped',
      severity: 'red',
      message: `${counted(paths.length, 'file')} in the folders given ${paths.length === 1 ? 'was' : 'were'} not read: ${shown}${more}. Exported as IFC or glTF, they would be`,
      suggestion: '',
      files: paths.slice(0, NAMED_MAX),
      objects: [],
    },
  ];
}

function openFindings(model: StoredModel): Finding[] {
  const open = openObjects(model);
  const pathOf = (i: number) => model.object(i).path;
  return openLines(open, pathOf).map((message) => ({
    kind: 'open',
    severity: 'amber',
    message,
    suggestion: '',
    files: [],
    objects: open.slice(0, NAMED_MAX).map(pathOf),
  }));
}
