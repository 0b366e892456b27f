/** What is reported of an object for which no way was found: `blocked`, the only kind that no pair is measured for. */
import type { Vec3 } from 'impinge/internal/math/pose.js';
import type { StoredModel } from '../store/model.js';
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

/** Its id stays the same whatever is in the way. */
export function blockedClash(model: StoredModel, { object, obstacle, point, rule }: BlockedAccess): Clash {
  const infoOf = (number: number): ClashObject => {
    const [x, y, z, farX, farY, farZ] = model.box(number);
    return { ...model.object(number), box: { min: [x, y, z], max: [farX, farY, farZ] } };
  };
  const key = keysOf(model)(object);
  const id = clashId(key, key, `${rule}\naccess`);
  const measure = clashOf('blocked', { point, box: { min: point, max: point } });
  return { id, ...measure, a: infoOf(object), b: infoOf(obstacle), rule };
}
