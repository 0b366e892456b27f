/**
 * A boiler house of any size, built from repeated modules with random variations.
 *
 * Idea: a survey goes through the layout once and only counts: it decides the number of units, which assemblies fit
 * into the requested number of triangles, and where clashes go. Shapes are then built one by one on demand; only the
 * names of shared shapes not yet handed out are kept.
 */
import { guidOf, mixBits, Random, seedOf } from '../random.js';
import { assembliesOf } from './cell.js';
import { type Grade, gradeFor } from './grade.js';
import {
  type InjectionPlan,
  planInjections,
  SITE_KINDS,
  type SiteKind,
  type Truth,
  type TruthClash,
} from './inject.js';
import { type Assembly, Cell, MODULE, STOREY_HEIGHT } from './layout.js';
import type { Draft, PlantObject, PlantShape } from './shape.js';
import { SolidBuilder, TriangleCounter } from './solid.js';

export interface PlantOptions {
  /** Approximate number, counting shared shapes once per object (default 1 000 000; from 10 000 to 10⁹). */
  readonly triangles?: number;
  readonly seed?: number;
  /** Number of added clashes (default: one per 100 objects). */
  readonly clashes?: number;
}

/** Position of a unit. */
export interface PlantUnit {
  readonly x: number;
  readonly y: number;
  readonly modules: number;
  readonly storeys: number;
}

export interface Plant {
  readonly objectCount: number;
  readonly triangleCount: number;
  readonly units: readonly PlantUnit[];
  /** Builds the shapes; every call gives the same ones. */
  shapes(): Iterable<PlantShape>;
  /** Pairs that a check must find, and pairs it must not; builds no triangles. */
  truth(): Truth;
}

const ROW_PITCH = MODULE + 3;
const COLUMN_GAP = 4;
/** Objects of one shape that are handed out together. */
const BATCH = 256;
/** The plant is full after this many assemblies in a row that do not fit. */
const PATIENCE = 60;

/** Designs a plant. Equal options give equal bytes on every machine. */
export function plant(options: PlantOptions = {}): Plant {
  const triangles = options.triangles ?? 1_000_000;
  if (!(triangles >= 10_000 && triangles < 1e9)) {
    throw new RangeError(`triangles must be from 10 000 to 10⁹, got ${triangles}`);
  }
  const seed = options.seed ?? 1;
  const grade = gradeFor(triangles);
  const survey = surveyPlant(triangles, seed, grade);
  const clashes = options.clashes ?? Math.round(survey.objectCount / 100);
  const plan = planInjections(survey.sites, clashes, new Random(seedOf(seed, 4711)));
  let known: { truth: Truth; objectCount: number; triangleCount: number } | undefined;
  const facts = () => (known ??= tally(survey, plan));
  return {
    get objectCount() {
      return facts().objectCount;
    },
    get triangleCount() {
      return facts().triangleCount;
    },
    units: survey.units,
    shapes: () => makeShapes(survey, plan),
    truth: () => facts().truth,
  };
}

interface Survey {
  readonly seed: number;
  readonly grade: Grade;
  readonly units: readonly PlantUnit[];
  /** For each cell, whether each of its assemblies was accepted. */
  readonly taken: readonly (readonly boolean[])[];
  readonly objectCount: number;
  readonly triangleCount: number;
  readonly sites: ReadonlyMap<SiteKind, number>;
}

/** Counts triangles of drafts; shared shapes are counted once. */
class DraftCounter {
  readonly #counter = new TriangleCounter();
  readonly #shared = new Map<string, number>();

  count(draft: Draft): number {
    const shared = draft.key === undefined ? undefined : this.#shared.get(draft.key);
    if (shared !== undefined) return shared;
    this.#counter.triangles = 0;
    draft.build(this.#counter);
    if (draft.key !== undefined) this.#shared.set(draft.key, this.#counter.triangles);
    return this.#counter.triangles;
  }
}

function surveyPlant(triangles: number, seed: number, grade: Grade): Survey {
  const estimate = triangles / (grade.triangles * grade.modules * grade.storeys);
  const columns = Math.max(1, Math.round(Math.sqrt(estimate * (ROW_PITCH / (MODULE * grade.modules)))));
  const counter = new DraftCounter();
  const sites = new Map<SiteKind, number>(SITE_KINDS.map((kind) => [kind, 0]));
  const units: PlantUnit[] = [];
  const taken: boolean[][] = [];
  let objectCount = 0;
  let total = 0;
  let refused = 0;
  const full = () => total > 0.998 * triangles || refused > PATIENCE;
  while (!full()) {
    const unit = units.length;
    units.push({
      x: (unit % columns) * (MODULE * grade.modules + COLUMN_GAP),
      y: Math.floor(unit / columns) * ROW_PITCH,
      modules: grade.modules,
      storeys: grade.storeys,
    });
    for (let storey = 0; storey < grade.storeys; storey++) {
      const cell: boolean[] = [];
      taken.push(cell);
      const assemblies = assembliesOf(new Cell(grade, seed, unit, storey));
      let step = assemblies.next();
      while (!step.done) {
        let size = 0;
        if (!full()) for (const draft of step.value.drafts) size += counter.count(draft);
        const fits = !full() && total + size <= 1.002 * triangles;
        cell.push(fits);
        if (fits) {
          total += size;
          objectCount += step.value.drafts.length;
          for (const { kind } of step.value.sites) sites.set(kind, sites.get(kind)! + 1);
          refused = 0;
        } else refused++;
        step = assemblies.next(fits);
      }
    }
  }
  // remove a last unit in which nothing fitted
  while (!taken.slice(-grade.storeys).flat().includes(true)) {
    units.pop();
    taken.length -= grade.storeys;
  }
  return { seed, grade, units, taken, objectCount, triangleCount: total, sites };
}

/** An object with a number, but no name yet. */
interface Placed {
  readonly draft: Draft;
  readonly cell: CellName;
  readonly serial: number;
  readonly number: number;
}

interface CellName {
  readonly seed: number;
  readonly unit: string;
  readonly storey: string;
  readonly origin: readonly [number, number, number];
}

interface Verdicts {
  clash(clash: TruthClash): void;
  decoy(a: string, b: string): void;
}

/** Injected objects have their own range of numbers: the others keep their ids. */
const INJECTED = 0x80000000;

const isInjected = (placed: Placed) => placed.serial >= INJECTED;
const idOf = ({ cell, serial }: Placed) => guidOf(cell.seed, serial);

/** All accepted objects in order, with the injected ones. */
function* placeAll(
  { grade, seed, units, taken }: Survey,
  plan: InjectionPlan,
  verdicts?: Verdicts,
): Generator<Placed, void, undefined> {
  const visited = new Map<SiteKind, number>(SITE_KINDS.map((kind) => [kind, 0]));
  let regular = 0;
  let injected = 0;
  for (let index = 0; index < taken.length; index++) {
    const unit = Math.floor(index / grade.storeys);
    const storey = index % grade.storeys;
    const cell: CellName = {
      seed: mixBits(seed),
      unit: `U${String(unit + 1).padStart(2, '0')}`,
      storey: `L${storey}`,
      origin: [units[unit].x, units[unit].y, storey * STOREY_HEIGHT],
    };
    const first = regular;
    const assemblies = assembliesOf(new Cell(grade, seed, unit, storey));
    let step = assemblies.next();
    for (const fits of taken[index]) {
      const { drafts, sites } = step.value as Assembly;
      step = assemblies.next(fits);
      if (!fits) continue;
      const placed = drafts.map((draft) => {
        const serial = regular++;
        return { draft, cell, serial, number: regular - first };
      });
      yield* placed;
      for (const site of sites) {
        const ordinal = visited.get(site.kind)!;
        visited.set(site.kind, ordinal + 1);
        const recipe = plan.get(site.kind)?.get(ordinal);
        if (recipe === undefined) continue;
        const random = new Random(seedOf(seed, SITE_KINDS.indexOf(site.kind), ordinal));
        const injection = recipe.make(site, random, grade);
        const added = injection.drafts.map((draft) => {
          const serial = INJECTED + injected++;
          return { draft, cell, serial, number: injected };
        });
        const host = added[1] ?? placed.find(({ draft }) => draft === site.host)!;
        const [a, b] = [idOf(added[0]), idOf(host)];
        if (injection.finding === undefined) verdicts?.decoy(a, b);
        else verdicts?.clash({ ...injection.finding, a, b });
        yield* added;
      }
    }
  }
}

function objectOf(placed: Placed): PlantObject {
  const { type, discipline, line, pose, properties } = placed.draft;
  const { unit, storey, origin } = placed.cell;
  const injected = isInjected(placed);
  const number = String(placed.number).padStart(4, '0');
  const name = `${injected ? 'field ' : ''}${type} ${unit}-${storey}-${number}`;
  return {
    id: idOf(placed),
    name,
    path: `${discipline}/${unit}/${storey}/${injected ? 'field' : line}/${name}`,
    type,
    discipline,
    file: `${unit}-${discipline}.ifc`,
    storey,
    pose: pose === undefined ? undefined : moved(pose, origin),
    ...(properties === undefined ? {} : { properties }),
  };
}

function moved(pose: readonly number[], by: readonly number[]): Float64Array {
  const out = new Float64Array(pose);
  for (let i = 0; i < 3; i++) out[9 + i] += by[i];
  return out;
}

function tally(survey: Survey, plan: InjectionPlan) {
  const clashes: TruthClash[] = [];
  const decoys: { a: string; b: string }[] = [];
  const counter = new DraftCounter();
  let { objectCount, triangleCount } = survey;
  const everything = placeAll(survey, plan, {
    clash: (clash) => clashes.push(clash),
    decoy: (a, b) => decoys.push({ a, b }),
  });
  for (const placed of everything) {
    if (!isInjected(placed)) continue;
    objectCount++;
    triangleCount += counter.count(placed.draft);
  }
  return { truth: { clashes, decoys }, objectCount, triangleCount };
}

const ORIGIN = [0, 0, 0] as const;

function* makeShapes(survey: Survey, plan: InjectionPlan): Generator<PlantShape, void, undefined> {
  const builder = new SolidBuilder();
  const waiting = new Map<string, { draft: Draft; objects: PlantObject[] }>();
  const shared = (draft: Draft, objects: readonly PlantObject[]): PlantShape => {
    builder.moveTo(ORIGIN);
    draft.build(builder);
    return { geometry: builder.take(), objects };
  };
  for (const placed of placeAll(survey, plan)) {
    const { draft } = placed;
    const object = objectOf(placed);
    if (draft.key === undefined) {
      builder.moveTo(placed.cell.origin);
      draft.build(builder);
      yield { geometry: builder.take(), objects: [object] };
      continue;
    }
    const known = waiting.get(draft.key);
    if (known === undefined) waiting.set(draft.key, { draft, objects: [object] });
    else if (known.objects.push(object) === BATCH) {
      waiting.delete(draft.key);
      yield shared(draft, known.objects);
    }
  }
  for (const { draft, objects } of waiting.values()) yield shared(draft, objects);
}
