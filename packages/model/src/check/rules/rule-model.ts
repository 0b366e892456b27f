/** A stored model as rules see it, and counts of the objects they select. */
import { ImpingeError } from 'impinge/internal/base/errors.js';
import { assertModel, type StoredModel } from '../../store/model.js';
import type { ObjectInfo } from '../../store/source.js';
import { objectsNearSurfaces } from '../near-surfaces.js';
import type { Properties } from './columns.js';
import type { Profiles } from './profiles.js';
import type { Selection, SelectionSets } from './rule.js';
import { type RuleModel, SelectionSet, type Sorting } from './selection.js';

/** Reads properties beforehand if a rule tests one. */
export async function ruleModel(model: StoredModel, withProperties: boolean): Promise<RuleModel> {
  const known: Properties[] = [];
  if (withProperties) {
    for (let i = 0; i < model.objectCount; i++) known.push(await model.properties(i));
  }
  return {
    objectCount: model.objectCount,
    object: (index): ObjectInfo => model.object(index),
    properties: (index) => known[index],
  };
}

/** Finishes a sorting of the model's objects. */
export async function sorted(model: StoredModel, sorting: Sorting): Promise<Profiles> {
  let step = sorting.next();
  while (!step.done) step = sorting.next(await objectsNearSurfaces(model, step.value));
  return step.value;
}

/** The number of objects in each of these selections. Throws `bad-option` if one is invalid. */
export async function countObjects(
  model: StoredModel,
  selections: readonly Selection[],
  sets: SelectionSets = {},
): Promise<number[]> {
  const { profiles, numbers } = await resolved(model, selections, sets);
  return numbers.map((number) => {
    let count = 0;
    for (const profile of profiles.selected(number)) count += profiles.sizes[profile];
    return count;
  });
}

/** The objects in each of these selections, in rising order. Throws `bad-option` if one is invalid. */
export async function selectObjects(
  model: StoredModel,
  selections: readonly Selection[],
  sets: SelectionSets = {},
): Promise<number[][]> {
  const { profiles, numbers } = await resolved(model, selections, sets);
  return numbers.map((number) => {
    const selected: number[] = [];
    profiles.objects(number).forEach((is, object) => {
      if (is === 1) selected.push(object);
    });
    return selected;
  });
}

async function resolved(model: StoredModel, selections: readonly Selection[], sets: SelectionSets) {
  assertModel(model);
  if (!Array.isArray(selections)) throw new ImpingeError('bad-option', 'selections must be a list');
  const all = new SelectionSet(sets);
  const numbers = selections.map((selection, i) => all.add(selection, `selection ${i + 1}`));
  const profiles = await sorted(model, all.sorting(await ruleModel(model, all.asksForProperties)));
  return { profiles, numbers };
}
