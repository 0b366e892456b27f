/** The reasons of table.ts, applied to the pairs of a model. */
import { ImpingeError } from 'impinge/internal/base/errors.js';
import { shown } from 'impinge/internal/base/options.js';
import type { StoredModel } from '../../store/model.js';
import type { ClashMeasure } from '../clash.js';
import type { ClashTest, PairTest } from './exclusion.js';
import { ObjectFacts } from './object-facts.js';
import { EXCLUSION_REASONS, EXCLUSIONS, type Exclusion } from './table.js';

/** The exclusions to apply: all, none, or all but the false ones. */
export type ExclusionChoice = boolean | { readonly [Name in Exclusion]?: boolean };

/** Throws `bad-option`. */
export function readExclusions(choice: ExclusionChoice = true): Exclusion[] {
  if (typeof choice === 'boolean') return choice ? EXCLUSIONS : [];
  if (typeof choice !== 'object' || choice === null)
    throw new ImpingeError(
      'bad-option',
      `exclusions is ${shown(choice)}, not true, false or a list of names`,
    );
  for (const [name, value] of Object.entries(choice)) {
    if (!Object.hasOwn(EXCLUSION_REASONS, name))
      throw new ImpingeError(
        'bad-option',
        `there is no exclusion "${name}"; the exclusions are ${EXCLUSIONS.join(', ')}`,
      );
    if (value !== undefined && typeof value !== 'boolean')
      throw new ImpingeError('bad-option', `exclusion ${name} is ${shown(value)}, not true or false`);
  }
  return EXCLUSIONS.filter((name) => choice[name] !== false);
}

interface Named<Test> {
  readonly name: Exclusion;
  readonly test: Test;
}

export class Exclusions {
  readonly #beforehand: readonly Named<PairTest>[];
  readonly #measured: readonly Named<ClashTest>[];

  constructor(model: StoredModel, applied: readonly Exclusion[]) {
    const facts = new ObjectFacts(model);
    this.#beforehand = applied.flatMap((name) => {
      const test = EXCLUSION_REASONS[name].beforehand?.(facts);
      return test ? [{ name, test }] : [];
    });
    this.#measured = applied.flatMap((name) => {
      const test = EXCLUSION_REASONS[name].measured?.(facts);
      return test ? [{ name, test }] : [];
    });
  }

  /** Why a pair need not be measured; undefined: it has to be. */
  of(a: number, b: number): Exclusion | undefined {
    return this.#beforehand.find(({ test }) => test(a, b))?.name;
  }

  /** Why a measured pair is left out; undefined: it is a clash. */
  ofClash(a: number, b: number, clash: ClashMeasure): Exclusion | undefined {
    // what meets by design may still be in the way
    if (clash.kind === 'obstruction') return undefined;
    return this.#measured.find(({ test }) => test(a, b, clash))?.name;
  }
}
