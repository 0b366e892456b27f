/**
 * The objects of a store that clashes are about: reports name objects, the page knows them by number. Objects of two
 * files with the same name may agree in everything; then the one nearest to the contact is chosen.
 */
import type { Clash, StoredModel } from '@impinge/model';
import { objectKey } from '../reports/group-clashes.js';
import type { ReportBox } from '../reports/report-box.js';

/** The number if there is none. */
export const NO_OBJECT = -1;

/** Objects processed without a pause, so that requests are answered in between. */
const AT_ONCE = 5000;

export class ObjectNumbers {
  readonly #model: StoredModel;
  readonly #byKey: ReadonlyMap<string, readonly number[]>;

  private constructor(model: StoredModel, byKey: ReadonlyMap<string, readonly number[]>) {
    this.#model = model;
    this.#byKey = byKey;
  }

  static async of(model: StoredModel): Promise<ObjectNumbers> {
    const byKey = new Map<string, number[]>();
    for (let object = 0; object < model.objectCount; object++) {
      if (object % AT_ONCE === AT_ONCE - 1) await new Promise((resolve) => setImmediate(resolve));
      const key = objectKey(model.object(object));
      const known = byKey.get(key);
      if (known) known.push(object);
      else byKey.set(key, [object]);
    }
    return new ObjectNumbers(model, byKey);
  }

  /** The number of an object that has a contact in a box, in metres. */
  numberOf(object: Pick<Clash['a'], 'file' | 'id' | 'path'>, contact: ReportBox): number {
    const all = this.#byKey.get(objectKey(object)) ?? [];
    if (all.length < 2) return all[0] ?? NO_OBJECT;
    const samePath = all.filter((one) => this.#model.object(one).path === object.path);
    const candidates = samePath.length > 0 ? samePath : all;
    const outside = candidates.map((one) => this.#outside(one, contact));
    return candidates[outside.indexOf(Math.min(...outside))];
  }

  /** How far a box sticks out of an object's box, summed over all axes. */
  #outside(object: number, { min, max }: ReportBox): number {
    const box = this.#model.box(object);
    const metres = this.#model.meta.metresPerUnit;
    let sum = 0;
    for (let k = 0; k < 3; k++) {
      sum += Math.max(0, metres * box[k] - min[k]) + Math.max(0, max[k] - metres * box[3 + k]);
    }
    return sum;
  }
}
