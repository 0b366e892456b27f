/** Rules: which objects to check against which, and how strictly. */
import type { LabelKind, ObjectText, PropertyValue } from '../../store/source.js';
import type { ClashKind } from '../clash-kinds.js';
import type { Zone } from '../zones/zone.js';

/**
 * One pattern, or several of which one must match. `*` stands for anything (in paths: but `/`), `**` for anything, `?`
 * for one character, `{a,b}` for either, `[a-z]` for one of these; `\\` escapes the next one. Case does not
 * matter, except in ids.
 */
export type Pattern = string | readonly string[];

/** A value, a pattern of it, or a range that it is in, both ends included. */
export type PropertyTest = PropertyValue | { readonly min?: number; readonly max?: number };

/** Patterns of object texts and of labels, one of which must match. */
type FieldPatterns = { readonly [Field in ObjectText | LabelKind]?: Pattern };

/** Selects objects: everything that is given must match. A plain string is a pattern of paths. */
export interface Selector extends FieldPatterns {
  /** By name; the name of a set of properties may be left out where that leaves no doubt. */
  readonly property?: Readonly<Record<string, PropertyTest>>;
  /** The objects of one of these named sets. */
  readonly set?: string | readonly string[];
  /** Objects this near to an object of a named set, by their surfaces; in the model's unit. */
  readonly near?: { readonly set: string | readonly string[]; readonly within: number };
  /** Leaves these out again. */
  readonly except?: Selection;
}

/** One of several selectors must match. */
export type Selection = string | Selector | readonly (string | Selector)[];

/** Selections by name, for `set` and `near`; they may refer to each other, but not to themselves. */
export type SelectionSets = Readonly<Record<string, Selection>>;

export interface CheckRule {
  /** Shown with its clashes, part of their ids; `rule 1` and so on where it is missing. */
  readonly name?: string;
  /** The two sides; everything where one is missing. Their order does not matter. */
  readonly a?: Selection;
  readonly b?: Selection;
  /** Report objects closer than this, in the model's unit. */
  readonly clearance?: number;
  /** Let overlaps no deeper than this pass. */
  readonly tolerance?: number;
  /** Let openings pass that are no more than this larger than what goes through them needs (default: 200 mm). */
  readonly allowance?: number;
  readonly kinds?: readonly ClashKind[];
  /**
   * Space around the objects of side a in which no object of side b may be. Such a rule is asked besides the one that
   * decides about a pair, and reports obstructions only.
   */
  readonly zone?: Zone;
  /** Pairs that this rule selects are not checked at all. */
  readonly ignore?: boolean;
  /**
   * Skip pairs with the same parent in their paths, or from the same file (default false). A parent that is the folder
   * of an IFC class, `…/IfcWall`, is no assembly.
   */
  readonly skipSameAssembly?: boolean;
  readonly skipSameFile?: boolean;
  /** A side may select nothing, which is an error otherwise. */
  readonly optional?: boolean;
}
