/**
 * References to missing entities. Most do no harm: a colour, an owner, a property. They are read as "not given", or
 * removed from their lists; then everything that depends on such a place is found, so that exactly the products whose
 * placement or shape depends on one can be left out by name.
 *
 * A wall depends on its openings, too: uncut, it would clash with the doors and windows in them.
 */
import { FormatError } from '../format-error.js';
import type { LeftOutList } from '../left-out.js';
import type { SourceFile } from '../source-file.js';
import { IdSet } from './id-set.js';
import { type CheckedStep, checkStep, type StepPlace, type StepVisitor } from './step-check.js';

/** Each reading follows chains through everything that is defined before it is referred to: two or three will do. */
const MAX_READINGS = 100;
const VOIDS = 'IFCRELVOIDSELEMENT';
const STYLED = 'IFCSTYLEDITEM';
const WALL = 4;
const OPENING = 5;

/** Patches dangling references in the source of `step`; returns the entities that depend on a missing one. */
export async function patchDangling(
  file: SourceFile,
  step: CheckedStep,
  leftOut: LeftOutList,
): Promise<IdSet> {
  const broken = new IdSet();
  for (let reading = 0, isGrowing = true; isGrowing; reading++) {
    if (reading === MAX_READINGS)
      throw new FormatError(file.path, 'too many of its entities refer to missing ones');
    isGrowing = false;
    let wall = 0;
    const reference = (to: number, place: StepPlace) => {
      if (place.keyword === VOIDS && place.attribute === WALL) wall = to;
      const holder = place.keyword === VOIDS && place.attribute === OPENING ? wall : place.id;
      const isLost = !step.isDefined(to) || broken.has(to);
      if (!isLost || !needs(place) || broken.has(holder)) return;
      broken.add(holder);
      isGrowing = true;
    };
    await checkStep(file.window(), { reference });
  }
  await checkStep(file.window(), new DanglingVisitor(step, broken, leftOut));
  return broken;
}

/** The second attribute of an entity with an id is its history, which no shape needs. */
function needs({ attribute, isNamed }: StepPlace): boolean {
  return !(isNamed && attribute === 1);
}

/** Makes all references that dangle harmless, and those of styled items to styles that are not whole. */
class DanglingVisitor implements StepVisitor {
  readonly #step: CheckedStep;
  readonly #broken: IdSet;
  readonly #leftOut: LeftOutList;
  /** The last bracket or comma that is still there. */
  #mark = '';
  #markAt = 0;
  /** Whether the next comma is removed with the value before it. */
  #takesComma = false;
  #dropsStatement = false;

  constructor(step: CheckedStep, broken: IdSet, leftOut: LeftOutList) {
    this.#step = step;
    this.#broken = broken;
    this.#leftOut = leftOut;
  }

  mark(mark: string, at: number): void {
    const takesComma = this.#takesComma && mark === ',';
    this.#takesComma = false;
    if (takesComma) this.#step.patches.fill(at, at + 1, ' ');
    else {
      this.#mark = mark;
      this.#markAt = at;
    }
  }

  reference(to: number, place: StepPlace, start: number, end: number): void {
    const { id, keyword, depth } = place;
    if (!this.#step.isDefined(to)) {
      this.#leftOut.add('they refer to missing entities', '', `#${id} ${keyword} to #${to}`);
    } else if (keyword !== STYLED || !this.#broken.has(to)) return;
    const { patches } = this.#step;
    if (depth === 1) {
      // nothing refers to a relation, and without one of its sides it is meaningless
      if (keyword.startsWith('IFCREL')) this.#dropsStatement = true;
      patches.fill(start, start + 1, '$');
      patches.fill(start + 1, end, ' ');
    } else if (this.#mark === ',') patches.fill(this.#markAt, end, ' ');
    else {
      patches.fill(start, end, ' ');
      this.#takesComma = true;
    }
  }

  statement(start: number, end: number): void {
    if (this.#dropsStatement) this.#step.patches.fill(start, end, ' ');
    this.#dropsStatement = false;
  }
}
