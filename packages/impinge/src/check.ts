/** `impinge/check`: every clash and violated clearance of a whole model, by rules. */
export {
  CHECK_DEFAULTS,
  type CheckBatch,
  type CheckOptions,
  type CheckProgress,
  CheckRun,
  type CheckStats,
  check,
  type RuleStats,
} from './query/check/check.js';
export type { Clash, ClashForm, ClashMeasure } from './query/check/clash.js';
export {
  CLASH_KIND_TABLE,
  CLASH_KINDS,
  type ClashKind,
  type ClashKindInfo,
} from './query/check/clash-kinds.js';
export {
  ObjectCheck,
  type ObjectCheckOptions,
  type ObjectClash,
  type ObjectQuestion,
} from './query/check/object-check.js';
export {
  EXCLUSION_TABLE,
  EXCLUSIONS,
  type Exclusion,
  type ExclusionChoice,
} from './query/check/rules/exclusions.js';
export { patternProblem } from './query/check/rules/glob-pattern.js';
export type {
  CheckRule,
  Pattern,
  PropertyTest,
  Selection,
  SelectionSets,
  Selector,
} from './query/check/rules/rule.js';
export { countObjects } from './query/check/rules/rule-model.js';
