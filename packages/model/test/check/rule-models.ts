/** Objects that rules select among, without a store. */
import { CLASH_KINDS } from '../../src/check/clash-kinds.js';
import { MembersNear } from '../../src/check/rules/members-near.js';
import type { CheckRule, Selection, SelectionSets } from '../../src/check/rules/rule.js';
import { CompiledRules, type RuleTable } from '../../src/check/rules/rule-table.js';
import type { RuleModel } from '../../src/check/rules/selection.js';
import type { ObjectInfo, PropertyValue } from '../../src/store/source.js';

export interface TestObject extends Partial<ObjectInfo> {
  readonly properties?: Record<string, PropertyValue>;
  /** Along x; a unit cube stands there. */
  readonly x?: number;
}

export const DEFAULTS = { clearance: 0, tolerance: 0, kinds: CLASH_KINDS };
const NAMELESS = { id: '', name: '', path: '', type: '', discipline: '', file: '', storey: '' };

/** With boxes, which are all that there is of its objects. */
export interface TestModel extends RuleModel {
  readonly boxes: Float64Array;
}

export function modelOf(objects: readonly TestObject[]): TestModel {
  return {
    objectCount: objects.length,
    object: (i) => ({ ...NAMELESS, rounding: 0, curveError: 0, ...objects[i] }),
    properties: (i) => objects[i].properties,
    boxes: Float64Array.from(objects.flatMap(({ x = 0 }) => [x, 0, 0, x + 1, 1, 1])),
  };
}

export function tableOf(
  rules: readonly CheckRule[] | undefined,
  model: TestModel,
  sets?: SelectionSets,
  defaults = DEFAULTS,
): RuleTable {
  const compiled = new CompiledRules(rules, defaults, sets);
  const sorting = compiled.sorting(model);
  let step = sorting.next();
  while (!step.done) {
    const { members, within } = step.value;
    const near = new MembersNear(model.boxes, members, within);
    step = sorting.next(members.map((_, i) => Number(near.of(i).length > 0)));
  }
  return compiled.tableFor(model, step.value);
}

/** The objects that a selection has. */
export function selected(
  selection: Selection,
  objects: readonly TestObject[],
  sets?: SelectionSets,
): number[] {
  const probe = { path: 'probe', id: 'probe', x: 1e6 };
  const table = tableOf([{ a: selection, b: { id: 'probe' } }], modelOf([...objects, probe]), sets);
  return objects.flatMap((_, i) => (table.ruleOf(i, objects.length) === 0 ? [i] : []));
}
