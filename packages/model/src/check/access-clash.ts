/** What is reported of an object for which no way was found: `blocked`, the only kind that no pair is measured for. */
import { ImpingeError } from 'impinge/internal/base/errors.js';
import { readInteger, readKnown, shown } from 'impinge/internal/base/options.js';
import type { Vec3 } from 'impinge/internal/math/pose.js';
import { assertModel, type StoredModel } from '../store/model.js';
import { type Clash, type ClashObject, clashOf } from './clash.js';
import { clashId, keysOf } from './clash-id.js';

export interface BlockedAccess {
  /** The object that is to be moved, and what is in its way at a point; numbers and lengths of the model. */
  readonly object: number;
  readonly obstacle: number;
  readonly point: Vec3;
  /** The name of the rule. */
  readonly rule: string;
}

const NAMES = { object: true, obstacle: true, point: true, rule: true } as const;

/** Its id stays the same whatever is in the way. */
export function blockedClash(model: StoredModel, blocked: BlockedAccess): Clash {
  assertModel(model);
  const { object, obstacle, point, rule } = readKnown('blockedClash', blocked, NAMES);
  for (const number of [object, obstacle]) readInteger('object', number, 0, model.objectCount - 1);
  if (point?.length !== 3 || ![0, 1, 2].every((k) => Number.isFinite(point[k])))
    throw new ImpingeError('bad-option', `point must be 3 finite numbers, got ${shown(point)}`);
  if (typeof rule !== 'string')
    throw new ImpingeError('bad-option', `rule must be a name, got ${shown(rule)}`);
  const infoOf = (number: number): ClashObject => {
    const [x, y, z, farX, farY, farZ] = model.box(number);
    return { ...model.object(number), box: { min: [x, y, z], max: [farX, farY, farZ] } };
  };
  const key = keysOf(model)(object);
  const id = clashId(key, key, `${rule}\naccess`);
  const measure = clashOf('blocked', { point, box: { min: point, max: point } });
  return { id, ...measure, a: infoOf(object), b: infoOf(obstacle), rule };
}
