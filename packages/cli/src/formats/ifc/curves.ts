/**
 * The radii of a file's products: web-ifc makes polygons of circles, with the same number of sides for every radius, so
 * the radii must be known first.
 *
 * Idea: a pass over the file finds entities with a radius; then every entity gets its own plus the largest of those it
 * refers to, until nothing changes any more. Own and inner radii add up because errors do: a disk swept along an arc is
 * off by the errors of the disk and of the arc. Entities that are defined before they are referred to, as nearly
 * always, need one pass for that and another to see that nothing has changed.
 *
 * Errs: upward. An arc of radius r in steps of at most 2π / n is off by at most r (1 − cos(π / n)): half the angle of a
 * step is at most π / n, and the middle of the chord is where it is farthest. An ellipse is a circle scaled by its
 * axes; a sphere of n steps around and n from pole to pole and back by at most 1 − cos² ≤ 2 (1 − cos) of its radius.
 */
import { FormatError } from '../format-error.js';
import type { SourceFile } from '../source-file.js';
import type { StepLines } from './engine.js';
import { checkStep, type StepPlace, type StepVisitor } from './step-check.js';
import { turnedRadii } from './turned-solids.js';

/** Each reading follows chains through everything that is defined before it is referred to. */
const MAX_READINGS = 100;
const VOIDS = 'IFCRELVOIDSELEMENT';
const MAPPED = 'IFCMAPPEDITEM';
const WALL = 4;
const OPENING = 5;
/** Statements longer than this are no curves. */
const MAX_STATEMENT = 1 << 20;

/** The roundness of a shape: the sum of its radii, and an error that does not depend on the number of sides. */
interface Roundness {
  readonly radius: number;
  readonly fixed: number;
}

const FLAT: Roundness = { radius: 0, fixed: 0 };

/** Own roundness by the values of an entity; numbers that are missing are NaN. */
type OwnRoundness = (number: (attribute: number) => number) => Partial<Roundness>;

const CURVED: Readonly<Record<string, OwnRoundness>> = {
  IFCCIRCLE: (x) => ({ radius: x(1) }),
  IFCELLIPSE: (x) => ({ radius: Math.max(x(1), x(2)) }),
  IFCCIRCLEPROFILEDEF: (x) => ({ radius: x(3) }),
  IFCCIRCLEHOLLOWPROFILEDEF: (x) => ({ radius: x(3) }),
  IFCELLIPSEPROFILEDEF: (x) => ({ radius: Math.max(x(3), x(4)) }),
  // web-ifc leaves the corners sharp
  IFCROUNDEDRECTANGLEPROFILEDEF: (x) => ({ fixed: (Math.SQRT2 - 1) * x(5) }),
  IFCSWEPTDISKSOLID: (x) => ({ radius: x(1) }),
  IFCSWEPTDISKSOLIDPOLYGONAL: (x) => ({ radius: x(1) + (x(5) || 0) }),
  IFCRIGHTCIRCULARCYLINDER: (x) => ({ radius: x(2) }),
  IFCRIGHTCIRCULARCONE: (x) => ({ radius: x(2) }),
  IFCSPHERE: (x) => ({ radius: 2 * x(1) }),
  IFCCYLINDRICALSURFACE: (x) => ({ radius: x(1) }),
  IFCSPHERICALSURFACE: (x) => ({ radius: 2 * x(1) }),
  IFCTOROIDALSURFACE: (x) => ({ radius: x(1) + 2 * x(2) }),
};

/** Maps that may enlarge, and the attributes with their factors. */
const SCALES: Readonly<Record<string, readonly number[]>> = {
  IFCCARTESIANTRANSFORMATIONOPERATOR2D: [3],
  IFCCARTESIANTRANSFORMATIONOPERATOR2DNONUNIFORM: [3, 4],
  IFCCARTESIANTRANSFORMATIONOPERATOR3D: [3],
  IFCCARTESIANTRANSFORMATIONOPERATOR3DNONUNIFORM: [3, 5, 6],
};

/** Sides of a full circle, from coarse to fine; a file is opened once for each that it needs. */
const SIDES = [12, 24, 48, 96, 192, 384] as const;

/** The segment count for web-ifc, which counts the first corner of a circle twice. */
const segmentsOf = (sides: number) => sides + 1;

/** For shapes without curves. */
export const LEAST_SEGMENTS = segmentsOf(SIDES[0]);

export class IfcCurves {
  readonly #own = new Map<number, Roundness>();
  readonly #found = new Map<number, Roundness>();
  /** The factors of maps that enlarge. */
  readonly #scales = new Map<number, number>();

  /** Looks through a file that has passed `checkStep`; `curved` are its statements that the first pass has found. */
  static async read(file: SourceFile, engine: StepLines, curved: CurvedStatements): Promise<IfcCurves> {
    const curves = new IfcCurves();
    for (const [id, radius] of await turnedRadii(engine))
      curves.#add(id, { radius: positive(radius), fixed: 0 });
    for (const { id, keyword, start, end } of curved.statements)
      curves.#take(id, keyword, textAt(file, start, end));
    await curves.#takeArcs(file, curved.arcs);
    if (curves.#own.size > 0) await curves.#spread(file);
    return curves;
  }

  /** The number of segments that keeps a product within `error`, as far as the supported numbers allow. */
  segments(product: number, error: number): number {
    const { radius } = this.#of(product);
    const sides = SIDES.find((n) => chordError(radius, n) <= error) ?? SIDES[SIDES.length - 1];
    return segmentsOf(sides);
  }

  /** Maximum distance of a product's facets from its curved surfaces. */
  errorOf(product: number, segments: number): number {
    const { radius, fixed } = this.#of(product);
    return fixed + chordError(radius, segments - 1);
  }

  #of(product: number): Roundness {
    return this.#found.get(product) ?? FLAT;
  }

  #take(id: number, keyword: string, text: string): void {
    const values = valuesOf(text);
    const number = (i: number) => Number.parseFloat(values[i] ?? '');
    const scale = (SCALES[keyword] ?? []).reduce((most, i) => Math.max(most, positive(number(i))), 1);
    if (scale > 1) this.#scales.set(id, scale);
    const { radius = 0, fixed = 0 } = CURVED[keyword]?.(number) ?? {};
    this.#add(id, { radius: positive(radius), fixed: positive(fixed) });
  }

  #add(id: number, own: Roundness): void {
    if (own.radius > 0 || own.fixed > 0) this.#own.set(id, own);
  }

  /** Arcs through three points of a list. */
  async #takeArcs(file: SourceFile, arcs: CurvedStatements['arcs']): Promise<void> {
    if (arcs.length === 0) return;
    const curves = arcs.map(({ id, start, end }) => ({ id, values: valuesOf(textAt(file, start, end)) }));
    const lists = new Map<number, number[][]>();
    const wanted = new Set(curves.map(({ values }) => referenceOf(values[0])));
    const ranges: StatementRange[] = [];
    await checkStep(file.window(), {
      reference: () => undefined,
      statement: (start, end, { id }) => {
        if (wanted.has(id)) ranges.push({ id, start, end });
      },
    });
    for (const { id, start, end } of ranges) lists.set(id, pointsOf(textAt(file, start, end)));
    for (const { id, values } of curves) {
      const points = lists.get(referenceOf(values[0])) ?? [];
      let radius = 0;
      for (const [, list] of (values[1] ?? '').matchAll(/IFCARCINDEX\s*\(\s*\(([\d,\s]*)\)/gi)) {
        const [a, b, c] = list.split(',').map((word) => points[Number(word) - 1]);
        if (a && b && c) radius = Math.max(radius, positive(radiusThrough(a, b, c)));
      }
      this.#add(id, { radius, fixed: 0 });
    }
  }

  /** Adds to every entity the roundness of its parts, until nothing changes. */
  async #spread(file: SourceFile): Promise<void> {
    for (const [id, own] of this.#own) this.#found.set(id, own);
    for (let reading = 0, isGrowing = true; isGrowing; reading++) {
      if (reading === MAX_READINGS)
        throw new FormatError(file.path, 'its shapes refer to each other in a cycle');
      isGrowing = false;
      let wall = 0;
      let mapped: Roundness | undefined;
      const reference = (to: number, place: StepPlace) => {
        const { keyword, attribute, id } = place;
        const inner = this.#found.get(to);
        if (keyword === VOIDS && attribute === WALL) wall = to;
        if (keyword === MAPPED && attribute === 0) mapped = inner;
        if (keyword === MAPPED && attribute === 1 && mapped)
          isGrowing = this.#widen(id, scaled(mapped, this.#scales.get(to) ?? 1)) || isGrowing;
        if (inner === undefined || (keyword === VOIDS && attribute !== OPENING)) return;
        isGrowing = this.#widen(keyword === VOIDS ? wall : id, inner) || isGrowing;
      };
      await checkStep(file.window(), { reference });
    }
  }

  /** Whether `id` is rounder now that `inner` is a part of it. */
  #widen(id: number, inner: Roundness): boolean {
    const own = this.#own.get(id) ?? FLAT;
    const before = this.#found.get(id) ?? own;
    const radius = Math.max(before.radius, own.radius + inner.radius);
    const fixed = Math.max(before.fixed, own.fixed + inner.fixed);
    if (radius === before.radius && fixed === before.fixed) return false;
    this.#found.set(id, { radius, fixed });
    return true;
  }
}

interface StatementRange {
  readonly id: number;
  readonly start: number;
  readonly end: number;
}

/** Notes where curves are defined while a file is checked. */
export class CurvedStatements implements StepVisitor {
  readonly statements: (StatementRange & { readonly keyword: string })[] = [];
  /** Polygons of which some sides may be arcs. */
  readonly arcs: StatementRange[] = [];

  reference(): void {}

  statement(start: number, end: number, { id, keyword }: StepPlace): void {
    if (end - start > MAX_STATEMENT) return;
    if (keyword === 'IFCINDEXEDPOLYCURVE') this.arcs.push({ id, start, end });
    else if (Object.hasOwn(CURVED, keyword) || Object.hasOwn(SCALES, keyword))
      this.statements.push({ id, keyword, start, end });
  }
}

function scaled({ radius, fixed }: Roundness, factor: number): Roundness {
  return { radius: factor * radius, fixed: factor * fixed };
}

function chordError(radius: number, sides: number): number {
  return radius * (1 - Math.cos(Math.PI / sides));
}

function textAt(file: SourceFile, start: number, end: number): string {
  const bytes = new Uint8Array(end - start);
  file.read(bytes, start);
  return Buffer.from(bytes).toString('latin1');
}

/** The values of `#1=NAME(…);` as they are written, split at the commas between them. */
function valuesOf(statement: string): string[] {
  const values: string[] = [];
  let depth = 0;
  let from = 0;
  let isText = false;
  for (let i = 0; i < statement.length; i++) {
    const c = statement[i];
    if (c === "'") isText = !isText;
    if (isText) continue;
    if (c === '(' && depth++ === 0) from = i + 1;
    else if ((c === ',' && depth === 1) || (c === ')' && --depth === 0)) {
      values.push(statement.slice(from, i).trim());
      from = i + 1;
    }
  }
  return values;
}

function referenceOf(value: string | undefined): number {
  return Number(/^#(\d+)$/.exec(value ?? '')?.[1] ?? Number.NaN);
}

function pointsOf(statement: string): number[][] {
  return [...statement.matchAll(/\(([^()]*)\)/g)].map(([, list]) => list.split(',').map(Number));
}

/** The radius of the circle through three points: a b c / 4 A. */
function radiusThrough(p: readonly number[], q: readonly number[], r: readonly number[]): number {
  const side = (s: readonly number[], t: readonly number[]) => Math.hypot(...s.map((x, k) => x - t[k]));
  const [a, b, c] = [side(q, r), side(p, r), side(p, q)];
  const s = (a + b + c) / 2;
  return (a * b * c) / (4 * Math.sqrt(Math.max(0, s * (s - a) * (s - b) * (s - c))));
}

function positive(x: number): number {
  return x > 0 && x < Infinity ? x : 0;
}
