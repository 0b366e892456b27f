import type { Selection, Selector, Zone } from '@impinge/model';
import type { AccessRule } from '../path/access.js';
import type { RuleFile } from './rule-reader.js';

const LIMITS = ['clearance', 'tolerance', 'allowance'] as const;

/** The rules and defaults of a file in the unit of a model. */
export function inModelUnit(file: RuleFile, metresPerUnit: number): RuleFile {
  const scaled = <T extends { readonly [Name in (typeof LIMITS)[number]]?: number }>(limits: T): T => {
    const given = LIMITS.flatMap((name) => {
      const length = limits[name];
      return length === undefined ? [] : [[name, length / metresPerUnit]];
    });
    return { ...limits, ...Object.fromEntries(given) };
  };
  const sets = Object.entries(file.sets).map(([name, set]) => [name, selectionIn(set, metresPerUnit)]);
  const rules = file.rules.map(({ a, b, ...rule }) => ({
    ...scaled(rule),
    ...(rule.zone && { zone: zoneIn(rule.zone, metresPerUnit) }),
    ...(a !== undefined && { a: selectionIn(a, metresPerUnit) }),
    ...(b !== undefined && { b: selectionIn(b, metresPerUnit) }),
  }));
  const access = file.access.map((rule) => ({
    ...rule,
    objects: selectionIn(rule.objects, metresPerUnit),
    to: isPoint(rule.to) ? rule.to : selectionIn(rule.to, metresPerUnit),
  }));
  return { ...file, rules, access, sets: Object.fromEntries(sets), defaults: scaled(file.defaults) };
}

function isPoint(to: AccessRule['to']): to is Exclude<AccessRule['to'], Selection> {
  return typeof to === 'object' && 'point' in to;
}

function zoneIn({ swing, ...lengths }: Zone, metresPerUnit: number): Zone {
  const scaled = Object.entries(lengths).map(([name, length]) => [name, length / metresPerUnit]);
  return { ...Object.fromEntries(scaled), ...(swing !== undefined && { swing }) };
}

/** Distances to sets are lengths, too. */
function selectionIn(selection: Selection, metresPerUnit: number): Selection {
  const one = (selector: string | Selector): string | Selector => {
    if (typeof selector === 'string') return selector;
    const { near, except } = selector;
    return {
      ...selector,
      ...(near && { near: { ...near, within: near.within / metresPerUnit } }),
      ...(except !== undefined && { except: selectionIn(except, metresPerUnit) }),
    };
  };
  return Array.isArray(selection) ? selection.map(one) : one(selection as string | Selector);
}
