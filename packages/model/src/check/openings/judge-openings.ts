/** Clashes of openings that are too large: between the host and, of what goes through, the first by its key. */
import type { StoredModel } from '../../store/model.js';
import { type Clash, clashObject } from '../clash.js';
import { clashId, keysOf } from '../clash-id.js';
import type { TableRule } from '../rules/rule-table.js';
import { measureOpening } from './measure-opening.js';
import type { OpeningTask } from './opening-tasks.js';

/** Where a rule says nothing, in metres. */
const ALLOWANCE = 0.2;

export function openingJudge(
  model: StoredModel,
  rules: readonly TableRule[],
): (task: OpeningTask) => Promise<Clash | undefined> {
  const keys = keysOf(model);
  return async ({ file, opening, host, services, rules: deciding }) => {
    const { openings = [] } = model.meta.files[file];
    const asked = services.map((object, i) => ({
      object,
      rule: rules[deciding[i]] as TableRule | undefined,
    }));
    const found = await measureOpening(
      model,
      openings[opening],
      host,
      asked.map(({ object, rule }) => ({ object, clearance: rule?.clearance ?? 0 })),
    );
    const [first] = asked
      .filter(({ object, rule }) => rule && found?.services.includes(object))
      .sort((p, q) => (keys(p.object) < keys(q.object) ? -1 : 1));
    const allowance = first?.rule?.allowance ?? ALLOWANCE / model.meta.metresPerUnit;
    if (!found || !first?.rule || found.measure.distance <= allowance) return undefined;
    // a pair may have several openings, and a clash besides; names of openings need not differ
    const { name } = openings[opening];
    const before = openings.slice(0, opening).filter((one) => one.host === openings[opening].host);
    const place = before.filter((one) => one.name === name).length;
    const { name: rule } = first.rule;
    const id = clashId(keys(host), keys(first.object), `${rule}\n${name}\n${place}`);
    const [a, b] = [host, first.object].sort((p, q) => p - q).map((object) => clashObject(model, object));
    return { id, ...found.measure, a, b, rule };
  };
}
