import type { RuleFile } from './rule-reader.js';

/** The rules and defaults of a file in the unit of a model. */
export function inModelUnit(file: RuleFile, metresPerUnit: number): RuleFile {
  const scaled = <T extends { readonly clearance?: number; readonly tolerance?: number }>(limits: T): T => ({
    ...limits,
    ...(limits.clearance !== undefined && { clearance: limits.clearance / metresPerUnit }),
    ...(limits.tolerance !== undefined && { tolerance: limits.tolerance / metresPerUnit }),
  });
  return { ...file, rules: file.rules.map(scaled), defaults: scaled(file.defaults) };
}
